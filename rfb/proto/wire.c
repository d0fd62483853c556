#include "rfb/proto/wire.h"

#include <string.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/push.h"

static uint8_t *put_rect(uint8_t *p, struct rect r)
{
    p = put16(p, (unsigned)r.x);
    p = put16(p, (unsigned)r.y);
    p = put16(p, (unsigned)r.w);
    return put16(p, (unsigned)r.h);
}

size_t wire_set_pixel_format(uint8_t *out)
{
    static const uint8_t message[20] = {
        0,  0,   0, 0,           /* type, padding */
        32, 24,  0, 1,           /* bits per pixel, depth, little-endian, true colour */
        0,  255, 0, 255, 0, 255, /* largest red, green, blue */
        16, 8,   0,              /* their shifts */
    };

    memcpy(out, message, sizeof message);
    return sizeof message;
}

size_t wire_set_encodings(uint8_t *out, const struct encoding_options *o)
{
    static const int32_t always[] = {PSEUDO_LAST_RECT, PSEUDO_DESKTOP_SIZE,
                                     PSEUDO_EXTENDED_DESKTOP_SIZE, PSEUDO_DESKTOP_NAME};
    uint8_t *p = out + 4;
    size_t count;

    for (int i = 0; i < o->list.count; i++)
        p = put32(p, (uint32_t)o->list.number[i]);
    p = put32(p, (uint32_t)(PSEUDO_COMPRESS_0 + o->compress));
    if (o->jpeg)
        p = put32(p, (uint32_t)(PSEUDO_QUALITY_0 + o->quality));
    if (o->local_cursor) {
        p = put32(p, (uint32_t)PSEUDO_RICH_CURSOR);
        p = put32(p, (uint32_t)PSEUDO_X_CURSOR);
    }
    if (o->push) {
        p = put32(p, (uint32_t)PSEUDO_FENCE);
        p = put32(p, (uint32_t)PSEUDO_CONTINUOUS_UPDATES);
    }
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        p = put32(p, (uint32_t)always[i]);
    count = (size_t)(p - out - 4) / 4;
    out[0] = 2;
    out[1] = 0;
    put16(out + 2, (unsigned)count);
    return (size_t)(p - out);
}

size_t wire_update_request(uint8_t *out, bool incremental, struct rect r)
{
    out[0] = 3;
    out[1] = incremental;
    return (size_t)(put_rect(out + 2, r) - out);
}

size_t wire_enable_continuous_updates(uint8_t *out, struct rect r)
{
    out[0] = 150;
    out[1] = true;
    return (size_t)(put_rect(out + 2, r) - out);
}

size_t wire_key(uint8_t *out, uint32_t keysym, bool down)
{
    out[0] = 4;
    out[1] = down;
    put16(out + 2, 0);
    put32(out + 4, keysym);
    return 8;
}

size_t wire_pointer(uint8_t *out, int x, int y, unsigned buttons)
{
    out[0] = 5;
    out[1] = (uint8_t)buttons;
    put16(out + 2, (unsigned)(x < 0 ? 0 : x > UINT16_MAX ? UINT16_MAX : x));
    put16(out + 4, (unsigned)(y < 0 ? 0 : y > UINT16_MAX ? UINT16_MAX : y));
    return 6;
}

size_t wire_cut_text(uint8_t *out, uint32_t length)
{
    out[0] = 6;
    out[1] = 0;
    put16(out + 2, 0);
    put32(out + 4, length);
    return 8;
}

size_t wire_fence(uint8_t *out, uint32_t flags, const uint8_t *payload, size_t size)
{
    out[0] = 248;
    memset(out + 1, 0, 3);
    put32(out + 4, flags);
    out[8] = (uint8_t)size;
    if (size > 0)
        memcpy(out + FENCE_HEAD, payload, size);
    return FENCE_HEAD + size;
}
