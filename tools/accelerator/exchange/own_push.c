#include "tools/accelerator/exchange/own_push.h"

#include <string.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/message_types.h"
#include "rfb/proto/server_messages.h"

#define MARK_BYTES 4

void own_push_deinit(struct own_push *p)
{
    bytes_deinit(&p->answers);
}

void own_push_offer(struct own_push *p)
{
    if (p->offered)
        return;
    p->offered = p->offer_due = true;
    p->came = 0;
}

void own_push_mute(struct own_push *p)
{
    p->mute = true;
    bytes_deinit(&p->answers);
}

void own_push_update(struct own_push *p)
{
    p->came++;
}

size_t own_push_say(struct own_push *p, uint8_t *out)
{
    size_t size = 0;

    if (p->unheard) /* else its answer could not be told from what is the server's */
        return 0;
    if (p->offer_due) { /* a fence without payload, then the end: so TigerVNC's server does */
        size += server_write_fence(out, FENCE_REQUEST, 0);
        out[size++] = SERVER_END_OF_CONTINUOUS_UPDATES;
        p->offer_due = false;
    }
    if (p->on && p->marked != p->came) {
        size += server_write_fence(out + size, FENCE_REQUEST | FENCE_BLOCK_BEFORE, MARK_BYTES);
        put32(out + size, p->came);
        size += MARK_BYTES;
        p->marked = p->came;
    }
    return size;
}

static void own_push_answered(struct own_push *p, const struct client_message *fence)
{
    uint32_t mark;

    if (fence->payload_size != MARK_BYTES)
        return;
    mark = get32(fence->payload);
    /* the numbers may go round; what was never marked, or goes back, is none of ours */
    if (mark - p->read <= p->marked - p->read)
        p->read = mark;
}

bool own_push_fence(struct own_push *p, const struct client_message *fence)
{
    uint8_t answer[FENCE_HEAD + FENCE_MAX];
    size_t head;

    if (!(fence->flags & FENCE_REQUEST)) {
        own_push_answered(p, fence);
        return true;
    }
    if (p->mute)
        return true;
    head = server_write_fence(answer, fence->flags & FENCE_BLOCK_BEFORE, fence->payload_size);
    if (fence->payload_size > 0)
        memcpy(answer + head, fence->payload, fence->payload_size);
    return bytes_append(&p->answers, answer, head + fence->payload_size);
}

unsigned own_push_unread(const struct own_push *p, unsigned waiting)
{
    uint32_t unread = p->came - p->read;

    return unread > waiting ? unread - waiting : 0;
}
