#include "rfb/proto/client_messages.h"

#include <string.h>

#include "rfb/proto/bytes.h"

/* Bytes of the fixed part of each message, with its type. */
enum head {
    SET_PIXEL_FORMAT_HEAD = 4 + PIXEL_FORMAT_BYTES,
    SET_ENCODINGS_HEAD = 4, /* a list follows */
    UPDATE_REQUEST_HEAD = 2 + RECT_BYTES,
    KEY_HEAD = 8,
    POINTER_HEAD = 6,
    EXTENDED_POINTER_HEAD = 7,
    CUT_TEXT_HEAD = 8, /* a text follows */
    ENABLE_CONTINUOUS_UPDATES_HEAD = 2 + RECT_BYTES,
    QEMU_KEY_HEAD = 12,
    SET_DESKTOP_SIZE_HEAD = 8, /* screens follow */
};
#define ENCODING_BYTES 4

/* The second byte of a CLIENT_QEMU. */
#define QEMU_KEY 0

/* The extended PointerEvent: the highest bit of the first mask says that there is a second one, for
 * the buttons from the eighth on. */
#define EXTENDED_MARK 0x80
#define FIRST_BUTTONS 7

_Static_assert(SET_DESKTOP_SIZE_HEAD + SCREENS_MAX * SCREEN_BYTES <= CLIENT_WRITE_MAX, "it fits");

/* ---- writing ---- */

size_t client_write_set_pixel_format(uint8_t *out, const struct pixel_format *f)
{
    out[0] = CLIENT_SET_PIXEL_FORMAT;
    memset(out + 1, 0, 3);
    pixel_format_write(out + 4, f);
    return SET_PIXEL_FORMAT_HEAD;
}

size_t client_write_set_encodings(uint8_t *out, const struct encoding_options *o)
{
    static const int32_t always[] = {PSEUDO_DESKTOP_SIZE,     PSEUDO_EXTENDED_DESKTOP_SIZE,
                                     PSEUDO_DESKTOP_NAME,     PSEUDO_LEDS,
                                     PSEUDO_EXTENDED_BUTTONS, PSEUDO_TIMESTAMP,
                                     PSEUDO_SERVER_IDENTITY,  PSEUDO_ACCELERATOR};
    const int main = encoding_list_main(&o->list);
    uint8_t *p = out + SET_ENCODINGS_HEAD;
    size_t count;

    /* A LibVNCServer with threads encodes an update with what it has read of this so far. So what
     * the form of an update depends on comes first. */
    p = put32(p, (uint32_t)(PSEUDO_COMPRESS_0 + o->compress));
    for (int i = 0; i <= main && i < o->list.count; i++)
        p = put32(p, (uint32_t)o->list.number[i]);
    p = put32(p, (uint32_t)PSEUDO_LAST_RECT);
    if (o->jpeg)
        p = put32(p, (uint32_t)(PSEUDO_QUALITY_0 + o->quality));
    for (int i = main + 1; i < o->list.count; i++)
        p = put32(p, (uint32_t)o->list.number[i]);
    if (o->local_cursor) {
        p = put32(p, (uint32_t)PSEUDO_ALPHA_CURSOR);
        p = put32(p, (uint32_t)PSEUDO_RICH_CURSOR);
        p = put32(p, (uint32_t)PSEUDO_X_CURSOR);
    }
    if (o->push) {
        p = put32(p, (uint32_t)PSEUDO_FENCE);
        p = put32(p, (uint32_t)PSEUDO_CONTINUOUS_UPDATES);
    }
    if (o->clipboard)
        p = put32(p, (uint32_t)PSEUDO_EXTENDED_CLIPBOARD);
    if (o->key_codes)
        p = put32(p, (uint32_t)PSEUDO_KEY_CODES);
    if (o->steps)
        p = put32(p, (uint32_t)PSEUDO_POINTER_STEPS);
    for (int32_t version = BLOCKS_OLDEST; o->blocks && version <= BLOCKS_NEWEST; version++)
        p = put32(p, (uint32_t)(PSEUDO_BLOCKS_0 + version));
    if (o->pushing)
        p = put32(put32(p, (uint32_t)PSEUDO_PUSHING), (uint32_t)PSEUDO_TURNAROUND);
    if (o->blocks)
        p = put32(put32(p, (uint32_t)PSEUDO_REFERENCES), (uint32_t)PSEUDO_FORETOLD);
    if (o->film)
        p = put32(p, (uint32_t)PSEUDO_FILM);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if ((always[i] != PSEUDO_EXTENDED_DESKTOP_SIZE || !o->no_screens) &&
            (always[i] != PSEUDO_EXTENDED_BUTTONS || !o->no_buttons))
            p = put32(p, (uint32_t)always[i]);
    count = (size_t)(p - out - SET_ENCODINGS_HEAD) / ENCODING_BYTES;
    out[0] = CLIENT_SET_ENCODINGS;
    out[1] = 0;
    put16(out + 2, (unsigned)count);
    return (size_t)(p - out);
}

size_t client_write_update_request(uint8_t *out, bool incremental, struct rect r)
{
    out[0] = CLIENT_UPDATE_REQUEST;
    out[1] = incremental;
    put_rect(out + 2, r);
    return UPDATE_REQUEST_HEAD;
}

size_t client_write_key(uint8_t *out, uint32_t keysym, bool down)
{
    out[0] = CLIENT_KEY;
    out[1] = down;
    put16(out + 2, 0);
    put32(out + 4, keysym);
    return KEY_HEAD;
}

size_t client_write_key_code(uint8_t *out, uint32_t keysym, uint32_t code, bool down)
{
    out[0] = CLIENT_QEMU;
    out[1] = QEMU_KEY;
    put32(put32(put16(out + 2, down), keysym), code);
    return QEMU_KEY_HEAD;
}

size_t client_write_pointer(uint8_t *out, int x, int y, unsigned buttons, bool extended)
{
    bool more = extended && buttons >> FIRST_BUTTONS;

    out[0] = CLIENT_POINTER;
    out[1] = (uint8_t)(more ? buttons | EXTENDED_MARK : buttons);
    put16(out + 2, (unsigned)(x < 0 ? 0 : x > UINT16_MAX ? UINT16_MAX : x));
    put16(out + 4, (unsigned)(y < 0 ? 0 : y > UINT16_MAX ? UINT16_MAX : y));
    if (!more)
        return POINTER_HEAD;
    out[6] = (uint8_t)(buttons >> FIRST_BUTTONS);
    return EXTENDED_POINTER_HEAD;
}

size_t client_write_step(uint8_t *out, int dx, int dy, unsigned buttons, bool extended)
{
    return client_write_pointer(out, STEP_NONE + dx, STEP_NONE + dy, buttons, extended);
}

size_t client_write_cut_text(uint8_t *out, uint32_t length)
{
    out[0] = CLIENT_CUT_TEXT;
    memset(out + 1, 0, 3);
    put32(out + 4, length);
    return CUT_TEXT_HEAD;
}

size_t client_write_enable_continuous_updates(uint8_t *out, struct rect r)
{
    out[0] = CLIENT_ENABLE_CONTINUOUS_UPDATES;
    out[1] = true;
    put_rect(out + 2, r);
    return ENABLE_CONTINUOUS_UPDATES_HEAD;
}

size_t client_write_fence(uint8_t *out, uint32_t flags, const uint8_t *payload, size_t size)
{
    out[0] = CLIENT_FENCE;
    memset(out + 1, 0, 3);
    put32(out + 4, flags);
    out[8] = (uint8_t)size;
    if (size > 0)
        memcpy(out + FENCE_HEAD, payload, size);
    return FENCE_HEAD + size;
}

size_t client_write_set_desktop_size(uint8_t *out, int width, int height,
                                     const struct screen_layout *layout)
{
    uint8_t *p = out;

    *p++ = CLIENT_SET_DESKTOP_SIZE;
    *p++ = 0;
    p = put16(put16(p, (unsigned)width), (unsigned)height);
    *p++ = (uint8_t)layout->count;
    *p++ = 0;
    for (int i = 0; i < layout->count; i++)
        p = server_screen_write(p, &layout->screens[i]);
    return (size_t)(p - out);
}

/* ---- reading ---- */

/* 0: there is no such message. */
static size_t head_size(uint8_t type)
{
    switch (type) {
    case CLIENT_SET_PIXEL_FORMAT:
        return SET_PIXEL_FORMAT_HEAD;
    case CLIENT_SET_ENCODINGS:
        return SET_ENCODINGS_HEAD;
    case CLIENT_UPDATE_REQUEST:
        return UPDATE_REQUEST_HEAD;
    case CLIENT_KEY:
        return KEY_HEAD;
    case CLIENT_POINTER:
        return POINTER_HEAD;
    case CLIENT_CUT_TEXT:
        return CUT_TEXT_HEAD;
    case CLIENT_ENABLE_CONTINUOUS_UPDATES:
        return ENABLE_CONTINUOUS_UPDATES_HEAD;
    case CLIENT_BLOCKS:
        return BLOCKS_HEAD; /* marks or wishes follow */
    case CLIENT_FENCE:
        return FENCE_HEAD;
    case CLIENT_QEMU:
        return QEMU_KEY_HEAD;
    case CLIENT_SET_DESKTOP_SIZE:
        return SET_DESKTOP_SIZE_HEAD;
    default:
        return 0;
    }
}

/* Fills *m from the head, but for the payload's place. False: refused. */
static bool client_message_read_head(const uint8_t *head, bool extended, struct client_message *m,
                                     struct reason *why)
{
    uint32_t length;

    *m = (struct client_message){.type = (enum client_message_type)head[0]};
    switch (m->type) {
    case CLIENT_SET_PIXEL_FORMAT:
        return pixel_format_read(head + 4, &m->format, why);
    case CLIENT_SET_ENCODINGS:
        m->encodings = get16(head + 2);
        m->payload_size = (size_t)m->encodings * ENCODING_BYTES;
        return m->encodings <= CLIENT_ENCODINGS_MAX ||
               reason_set(why, "the client sent %u encodings: %d are allowed", m->encodings,
                          CLIENT_ENCODINGS_MAX);
    case CLIENT_UPDATE_REQUEST:
        m->incremental = head[1] != 0;
        m->rect = get_rect(head + 2);
        return true;
    case CLIENT_KEY:
        m->down = head[1] != 0;
        m->keysym = get32(head + 4);
        return true;
    case CLIENT_POINTER:
        m->buttons = head[1];
        m->x = (int)get16(head + 2);
        m->y = (int)get16(head + 4);
        if (extended && head[1] & EXTENDED_MARK)
            m->buttons = (head[1] & ~(unsigned)EXTENDED_MARK) | (unsigned)head[6] << FIRST_BUTTONS;
        return true;
    case CLIENT_CUT_TEXT:
        length = get32(head + 4);
        m->dropped = length > TEXT_MAX ? length : 0;
        m->payload_size = length - m->dropped;
        return true;
    case CLIENT_ENABLE_CONTINUOUS_UPDATES:
        m->enable = head[1] != 0;
        m->rect = get_rect(head + 2);
        return true;
    case CLIENT_BLOCKS:
        m->payload_size = blocks_body(head);
        return m->payload_size != BLOCKS_BODY_NONE ||
               reason_set(why, "the client said something of blocks that cannot be");
    case CLIENT_FENCE:
        m->flags = get32(head + 4);
        m->payload_size = head[8];
        return m->payload_size <= FENCE_MAX ||
               reason_set(why, "the client sent a fence of %zu bytes: %d are allowed",
                          m->payload_size, FENCE_MAX);
    case CLIENT_SET_DESKTOP_SIZE:
        m->width = (int)get16(head + 2);
        m->height = (int)get16(head + 4);
        m->payload_size = (size_t)head[6] * SCREEN_BYTES;
        return true;
    case CLIENT_QEMU:
        m->down = get16(head + 2) != 0;
        m->keysym = get32(head + 4);
        m->key_code = get32(head + 8);
        return head[1] == QEMU_KEY ||
               reason_set(why, "the client sent a message of QEMU's of unknown type %d", head[1]);
    }
    return true;
}

/* Whether `wanted` bytes are there; *count is set as a reading wants it. */
static enum message_read whole_or_partial(size_t size, size_t wanted, size_t *count)
{
    *count = size < wanted ? wanted - size : wanted;
    return size < wanted ? MESSAGE_PARTIAL : MESSAGE_WHOLE;
}

enum message_read client_message_read(const uint8_t *bytes, size_t size, bool extended,
                                      struct client_message *m, size_t *count, struct reason *why)
{
    size_t head;

    if (whole_or_partial(size, 1, count) == MESSAGE_PARTIAL)
        return MESSAGE_PARTIAL;
    head = head_size(bytes[0]);
    if (head == 0) {
        reason_set(why, "the client sent a message of unknown type %d", bytes[0]);
        return MESSAGE_REFUSED;
    }
    if (whole_or_partial(size, head, count) == MESSAGE_PARTIAL)
        return MESSAGE_PARTIAL;
    if (extended && bytes[0] == CLIENT_POINTER && bytes[1] & EXTENDED_MARK) {
        head = EXTENDED_POINTER_HEAD;
        if (whole_or_partial(size, head, count) == MESSAGE_PARTIAL)
            return MESSAGE_PARTIAL;
    }
    if (!client_message_read_head(bytes, extended, m, why))
        return MESSAGE_REFUSED;
    if (m->payload_size > 0)
        m->payload = bytes + head;
    if (whole_or_partial(size, head + m->payload_size, count) == MESSAGE_PARTIAL)
        return MESSAGE_PARTIAL;
    if (m->type == CLIENT_BLOCKS && !blocks_read(bytes, &m->blocks)) {
        reason_set(why, "the client wishes blocks that cannot be");
        return MESSAGE_REFUSED;
    }
    return MESSAGE_WHOLE;
}

int32_t client_message_encoding(const struct client_message *m, unsigned i)
{
    return (int32_t)get32(m->payload + (size_t)i * ENCODING_BYTES);
}
