#include "rfb/film/frame_part.h"

#include <string.h>

#include "rfb/proto/bytes.h"

/* A byte of a run that is not its last one. */
#define SHOWS_MORE 255

/* Bytes of each part but the last. */
static size_t part_most(const struct frame_part *p)
{
    return (p->frame + p->count - 1) / p->count;
}

size_t frame_part_at(const struct frame_part *p)
{
    return p->index * part_most(p);
}

size_t frame_part_size(const struct frame_part *p)
{
    size_t left = p->frame - frame_part_at(p);

    return left < part_most(p) ? left : part_most(p);
}

size_t frame_part_write(uint8_t *out, const struct frame_part *p)
{
    uint8_t *at = put16(put16(put32(out, p->id), p->before), (unsigned)p->frame);

    *at++ = (uint8_t)p->index;
    *at++ = (uint8_t)p->count;
    memcpy(at, p->bytes, frame_part_size(p));
    return FRAME_PART_HEAD + frame_part_size(p);
}

bool frame_part_read(struct frame_part *p, const uint8_t *payload, size_t size)
{
    if (size <= FRAME_PART_HEAD || size > BLOCK_PAYLOAD_MAX)
        return false;
    *p = (struct frame_part){
        .id = get32(payload),
        .before = get16(payload + 4),
        .frame = get16(payload + 6),
        .index = payload[8],
        .count = payload[9],
        .bytes = payload + FRAME_PART_HEAD,
    };
    return p->count <= FRAME_PARTS_MOST && p->index < p->count && frame_part_at(p) < p->frame &&
           frame_part_size(p) == size - FRAME_PART_HEAD;
}

static bool shows_bit(const uint8_t *bits, unsigned i)
{
    return bits[i / 8] >> i % 8 & 1;
}

size_t frame_shows_write(uint8_t *out, const uint8_t *bits, unsigned cells)
{
    uint8_t *at = out;
    bool shown = true;

    for (unsigned i = 0; i < cells; shown = !shown) {
        unsigned run = 0;

        while (i < cells && shows_bit(bits, i) == shown) {
            i++;
            run++;
        }
        for (; run >= SHOWS_MORE; run -= SHOWS_MORE)
            *at++ = SHOWS_MORE;
        *at++ = (uint8_t)run;
    }
    return (size_t)(at - out);
}

size_t frame_shows_read(uint8_t *bits, unsigned cells, const uint8_t *runs, size_t size)
{
    unsigned i = 0;
    bool shown = true;

    memset(bits, 0, (cells + 7) / 8);
    for (size_t at = 0; at < size; at++) {
        unsigned run = runs[at];

        if (run > cells - i)
            return 0;
        for (; shown && run > 0; run--, i++)
            bits[i / 8] |= (uint8_t)(1u << i % 8);
        i += run;
        if (runs[at] == SHOWS_MORE)
            continue;
        if (i == cells)
            return at + 1;
        shown = !shown;
    }
    return 0;
}
