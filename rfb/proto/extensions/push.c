#include "rfb/proto/extensions/push.h"

#include "rfb/proto/client_messages.h"

void push_init(struct push *p, bool offered)
{
    *p = (struct push){.state = offered ? PUSH_OFFERED : PUSH_NEVER};
}

bool push_listed(const struct push *p)
{
    return p->state != PUSH_NEVER;
}

size_t push_write_enable(struct push *p, uint8_t *out, struct rect screen)
{
    bool due = p->enable_due;

    p->enable_due = false;
    return due ? client_write_enable_continuous_updates(out, screen) : 0;
}

bool push_fence(struct push *p, uint32_t flags, const uint8_t *payload, size_t size)
{
    bool known = flags == FENCE_REQUEST && (size == 0 || (size == 1 && payload[0] == 0));

    if (p->state == PUSH_OFFERED)
        p->state = known ? PUSH_FENCED : PUSH_STRANGE;
    return p->state != PUSH_NEVER && flags & FENCE_REQUEST;
}

const char *push_ended(struct push *p)
{
    switch (p->state) {
    case PUSH_OFFERED:
        p->state = PUSH_NEVER;
        return "the server's way to push would block input";
    case PUSH_FENCED:
        p->state = PUSH_ON;
        p->enable_due = true;
        return NULL;
    case PUSH_ON:
        *p = (struct push){.state = PUSH_OVER};
        return "the server has stopped pushing";
    default:
        return NULL;
    }
}

const char *push_update(struct push *p)
{
    switch (p->state) {
    case PUSH_OFFERED:
        p->state = PUSH_NEVER;
        return "the server cannot push";
    case PUSH_FENCED:
    case PUSH_STRANGE:
        p->state = PUSH_OVER;
        return "the server does not push in a way that is known";
    default:
        return NULL;
    }
}

bool push_more(const struct push *p, int waiting)
{
    return waiting > (push_listed(p) ? FENCE_HEAD + FENCE_MAX : 0);
}

void push_resized(struct push *p)
{
    p->enable_due = p->state == PUSH_ON;
}
