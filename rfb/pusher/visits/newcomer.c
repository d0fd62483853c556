#include "rfb/pusher/visits/newcomer.h"

#include <string.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/pixel_format.h"
#include "rfb/proto/handshake/security.h"

static const char newcomer_version[NEWCOMER_VERSION_BYTES + 1] = "RFB 003.008\n";

bool newcomer_begin(struct newcomer *n, struct bytes_held *out)
{
    *n = (struct newcomer){.state = NEWCOMER_VERSION};
    return bytes_append(out, newcomer_version, NEWCOMER_VERSION_BYTES);
}

/* Goes on if the newcomer has said what it may, and this can be said to it. */
static void newcomer_go_on(struct newcomer *n, bool good, struct bytes_held *out,
                           const uint8_t *answer, size_t size)
{
    if (good && bytes_append(out, answer, size))
        n->state++;
    else
        n->state = NEWCOMER_REFUSED;
}

static void newcomer_read_version(struct newcomer *n, uint8_t byte, struct bytes_held *out)
{
    static const uint8_t types[] = {1, SECURITY_NONE};

    n->held[n->held_size++] = byte;
    if (n->held_size == NEWCOMER_VERSION_BYTES)
        newcomer_go_on(n, memcmp(n->held, newcomer_version, NEWCOMER_VERSION_BYTES) == 0, out,
                       types, sizeof types);
}

size_t newcomer_read(struct newcomer *n, const uint8_t *bytes, size_t size, struct bytes_held *out)
{
    static const uint8_t ok[4] = {0};
    size_t at = 0;

    while (at < size && n->state < NEWCOMER_IN) {
        uint8_t byte = bytes[at++];

        if (n->state == NEWCOMER_VERSION)
            newcomer_read_version(n, byte, out);
        else if (n->state == NEWCOMER_TYPE)
            newcomer_go_on(n, byte == SECURITY_NONE, out, ok, sizeof ok);
        else /* whether it shares the desktop was said when the connection to the server began */
            newcomer_go_on(n, true, out, NULL, 0);
    }
    return at;
}

bool newcomer_may_say(const struct client_frame *found)
{
    return found->event == CLIENT_FRAME_NONE ||
           (found->event == CLIENT_FRAME_MESSAGE &&
            (found->type == CLIENT_SET_PIXEL_FORMAT || found->type == CLIENT_SET_ENCODINGS));
}

bool newcomer_say_screen(struct bytes_held *out, int width, int height, const char *name)
{
    uint8_t head[4 + PIXEL_FORMAT_BYTES + 4];
    uint8_t *at = put16(put16(head, (unsigned)width), (unsigned)height);

    at += pixel_format_write(at, &pixel_format_xrgb);
    put32(at, (uint32_t)strlen(name));
    return bytes_append(out, head, sizeof head) && bytes_append(out, name, strlen(name));
}
