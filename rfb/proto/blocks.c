#include "rfb/proto/blocks.h"

#include <string.h>

#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/message_types.h"

/* Bits of the wishes. */
enum blocks_flag { BLOCKS_JPEG = 1 << 0, BLOCKS_EXACT_AT_REST = 1 << 1, BLOCKS_HIDDEN = 1 << 2 };

/* A quality that follows the path. */
#define BLOCKS_QUALITY_AUTO 255

unsigned blocks_version(int32_t encoding)
{
    uint32_t version = (uint32_t)encoding - PSEUDO_BLOCKS_0; /* far above, if it is another one */

    return version <= BLOCKS_VERSION_MAX ? version : 0;
}

static unsigned blocks_flags(const struct blocks_wishes *w)
{
    return (w->jpeg ? BLOCKS_JPEG : 0u) | (w->exact_at_rest ? BLOCKS_EXACT_AT_REST : 0u) |
           (w->hidden ? BLOCKS_HIDDEN : 0u);
}

static uint8_t *blocks_write_wishes(uint8_t *out, const struct blocks_wishes *w)
{
    *out++ = w->quality == LEVEL_AUTO ? BLOCKS_QUALITY_AUTO : (uint8_t)w->quality;
    *out++ = (uint8_t)blocks_flags(w);
    return put32(put16(out, w->max_fps10), w->max_rate);
}

uint32_t blocks_tiles(int width, int height, int side)
{
    return (uint32_t)((width + side - 1) / side) * (uint32_t)((height + side - 1) / side);
}

static uint8_t *blocks_write_digests(uint8_t *out, const struct blocks_digests *d)
{
    size_t size = (size_t)d->count * d->bytes;

    if (size > 0) {
        memcpy(out, d->digest, size);
        return out + size;
    }
    out = put16(put16(put16(out, (unsigned)d->width), (unsigned)d->height), (unsigned)d->side);
    memcpy(out, d->key, sizeof d->key);
    return out + sizeof d->key;
}

size_t blocks_write(uint8_t *out, const struct blocks_message *m)
{
    uint8_t *end = out + BLOCKS_HEAD;

    memset(out, 0, BLOCKS_HEAD);
    out[0] = CLIENT_BLOCKS;
    out[1] = (uint8_t)m->kind;
    if (m->kind == BLOCKS_GOODBYE || m->kind == BLOCKS_COUNT)
        return BLOCKS_HEAD;
    if (m->kind == BLOCKS_WISHES)
        return (size_t)(blocks_write_wishes(end, &m->wishes) - out);
    if (m->kind == BLOCKS_REFUSED)
        return (size_t)(put_rect(end, m->refused) - out);
    if (m->kind == BLOCKS_DIGESTS) {
        out[2] = (uint8_t)m->digests.count;
        out[3] = (uint8_t)m->digests.bytes;
        return (size_t)(blocks_write_digests(end, &m->digests) - out);
    }
    out[2] = (uint8_t)m->marks;
    for (unsigned i = 0; i < m->marks; i++)
        end = put32(put32(end, m->mark[i].sequence), m->mark[i].age_us);
    return (size_t)(end - out);
}

static size_t blocks_digests_body(unsigned count, unsigned bytes)
{
    if (bytes == 0 || bytes > BLOCKS_DIGEST_MAX)
        return BLOCKS_BODY_NONE;
    return count > 0 ? (size_t)count * bytes : BLOCKS_DIGESTS_OF;
}

size_t blocks_body(const uint8_t *head)
{
    if (head[1] == BLOCKS_GOODBYE || head[1] == BLOCKS_COUNT)
        return 0;
    if (head[1] == BLOCKS_WISHES)
        return BLOCKS_WISH_BYTES;
    if (head[1] == BLOCKS_REFUSED)
        return BLOCKS_REFUSED_BYTES;
    if (head[1] == BLOCKS_DIGESTS)
        return blocks_digests_body(head[2], head[3]);
    return head[1] == BLOCKS_ACKNOWLEDGE && head[2] > 0 && head[2] <= BLOCKS_MARKS_MAX
               ? (size_t)head[2] * BLOCKS_MARK_BYTES
               : BLOCKS_BODY_NONE;
}

static bool blocks_read_wishes(const uint8_t *bytes, struct blocks_wishes *w)
{
    *w = (struct blocks_wishes){.quality = bytes[0] == BLOCKS_QUALITY_AUTO ? LEVEL_AUTO : bytes[0],
                                .jpeg = bytes[1] & BLOCKS_JPEG,
                                .exact_at_rest = bytes[1] & BLOCKS_EXACT_AT_REST,
                                .hidden = bytes[1] & BLOCKS_HIDDEN,
                                .max_fps10 = get16(bytes + 2),
                                .max_rate = get32(bytes + 4)};
    return w->quality <= 9;
}

static bool blocks_side_is(int side)
{
    return side >= BLOCKS_SIDE_LEAST && side <= BLOCKS_SIDE_MAX && (side & (side - 1)) == 0;
}

static bool blocks_read_digests(const uint8_t *bytes, struct blocks_digests *d)
{
    const uint8_t *at = bytes + BLOCKS_HEAD;

    *d = (struct blocks_digests){.count = bytes[2], .bytes = bytes[3], .digest = at};
    if (d->count > 0)
        return true;
    d->width = (int)get16(at);
    d->height = (int)get16(at + 2);
    d->side = (int)get16(at + 4);
    memcpy(d->key, at + 6, sizeof d->key);
    return d->width > 0 && d->height > 0 && blocks_side_is(d->side);
}

bool blocks_read(const uint8_t *bytes, struct blocks_message *m)
{
    const uint8_t *at = bytes + BLOCKS_HEAD;

    *m = (struct blocks_message){.kind = (enum blocks_kind)bytes[1]};
    if (blocks_body(bytes) == BLOCKS_BODY_NONE)
        return false;
    if (m->kind == BLOCKS_GOODBYE || m->kind == BLOCKS_COUNT)
        return true;
    if (m->kind == BLOCKS_WISHES)
        return blocks_read_wishes(at, &m->wishes);
    if (m->kind == BLOCKS_REFUSED) {
        m->refused = get_rect(at);
        return m->refused.w > 0 && m->refused.h > 0;
    }
    if (m->kind == BLOCKS_DIGESTS)
        return blocks_read_digests(bytes, &m->digests);
    m->marks = bytes[2];
    for (unsigned i = 0; i < m->marks; i++, at += BLOCKS_MARK_BYTES)
        m->mark[i] = (struct blocks_mark){get32(at), get32(at + 4)};
    return true;
}
