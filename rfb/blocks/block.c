#include "rfb/blocks/block.h"

#include <string.h>

#include "rfb/blocks/references/reference.h"
#include "rfb/proto/bytes.h"

/* The first byte: the codec and flags. */
#define BLOCK_LAST 0x80
/* Where the sequence is in the head, and the payload's size. */
#define BLOCK_SEQUENCE_AT 3
#define BLOCK_SIZE_AT     17

/* Bytes of the payload of one colour. */
#define BLOCK_SOLID_BYTES 3

#define BLOCK_QUALITY_MAX 100

void block_set_copy(struct block *b, int from_x, int from_y, uint8_t payload[BLOCK_COPY_BYTES])
{
    put16(put16(payload, (unsigned)from_x), (unsigned)from_y);
    b->codec = BLOCK_COPY;
    b->quality = 0;
    b->payload = payload;
    b->size = BLOCK_COPY_BYTES;
}

void block_get_copy(const struct block *b, int *from_x, int *from_y)
{
    *from_x = (int)get16(b->payload);
    *from_y = (int)get16(b->payload + 2);
}

void block_set_old(struct block *b, const uint8_t *sum, uint8_t payload[BLOCK_OLD_ENDS_BYTES])
{
    payload[0] = sum ? BLOCK_OLD_ENDS : BLOCK_OLD_DRAWS;
    if (sum)
        memcpy(payload + BLOCK_OLD_BYTES, sum, BLOCK_OLD_SUM);
    b->codec = BLOCK_OLD;
    b->quality = 0;
    b->payload = payload;
    b->size = sum ? BLOCK_OLD_ENDS_BYTES : BLOCK_OLD_BYTES;
}

const uint8_t *block_ends_old(const struct block *b)
{
    bool ends =
        b->codec == BLOCK_OLD && b->size == BLOCK_OLD_ENDS_BYTES && b->payload[0] == BLOCK_OLD_ENDS;

    return ends ? b->payload + BLOCK_OLD_BYTES : NULL;
}

size_t block_packed_size(const uint8_t *packed, size_t most)
{
    size_t size = BLOCK_HEAD + get16(packed + BLOCK_SIZE_AT);

    return size < most ? size : most;
}

uint32_t block_number(const uint8_t *packed)
{
    return get32(packed + BLOCK_SEQUENCE_AT);
}

void block_renumber(uint8_t *packed, uint32_t sequence)
{
    put32(packed + BLOCK_SEQUENCE_AT, sequence);
}

size_t block_pack(const struct block *b, uint8_t *out)
{
    uint8_t *p = out;

    *p++ = (uint8_t)(b->codec | (b->last ? BLOCK_LAST : 0));
    *p++ = b->generation;
    *p++ = b->quality;
    p = put32(out + BLOCK_SEQUENCE_AT, b->sequence);
    p = put16(p, b->input);
    p = put_rect(p, b->area);
    p = put16(p, (unsigned)b->size);
    if (b->size)
        memcpy(p, b->payload, b->size);
    return BLOCK_HEAD + b->size;
}

static bool block_size_fits(const struct block *b)
{
    if (b->codec == BLOCK_SOLID)
        return b->size == BLOCK_SOLID_BYTES;
    if (b->codec == BLOCK_COPY)
        return b->size == BLOCK_COPY_BYTES;
    if (b->codec == BLOCK_OLD)
        return b->size == BLOCK_OLD_BYTES || b->size == BLOCK_OLD_ENDS_BYTES;
    return b->size > 0 && b->size <= BLOCK_PAYLOAD_MAX;
}

static bool block_check(const struct block *b, struct reason *why)
{
    int64_t pixels = (int64_t)b->area.w * b->area.h;
    int64_t most = b->codec == BLOCK_REFERENCE ? REFERENCE_AREA_MAX
                   : b->codec == BLOCK_FILM    ? BLOCK_FILM_AREA_MAX
                                               : BLOCK_AREA_MAX;
    bool bounded = !block_is_plain(b) && b->codec != BLOCK_FORETOLD; /* which bounds its pieces */

    if (!block_size_fits(b))
        return reason_set(why, "a block of codec %d has %zu bytes", (int)b->codec, b->size);
    if (pixels == 0)
        return reason_set(why, "a block is empty");
    if (bounded && pixels > most)
        return reason_set(why, "a block of codec %d has %dx%d pixels", (int)b->codec, b->area.w,
                          b->area.h);
    if (block_is_jpeg(b) ? b->quality == 0 || b->quality > BLOCK_QUALITY_MAX : b->quality != 0)
        return reason_set(why, "a block of codec %d has quality %d", (int)b->codec, b->quality);
    return true;
}

bool block_unpack_head(struct block *b, const uint8_t *head, struct reason *why)
{
    unsigned codec = head[0] & ~(unsigned)BLOCK_LAST;

    if (codec >= BLOCK_CODECS) /* a flag that we do not know makes it large, too */
        return reason_set(why, "a block has an unknown codec or flag: %u", (unsigned)head[0]);
    *b = (struct block){
        .codec = (enum block_codec)codec,
        .last = head[0] & BLOCK_LAST,
        .generation = head[1],
        .quality = head[2],
        .sequence = get32(head + BLOCK_SEQUENCE_AT),
        .input = (uint16_t)get16(head + 7),
        .area = get_rect(head + 9),
        .size = get16(head + BLOCK_SIZE_AT),
    };
    return block_check(b, why);
}

bool block_unpack(struct block *b, const uint8_t *data, size_t size, struct reason *why)
{
    if (size < BLOCK_HEAD)
        return reason_set(why, "a block ends in its head, after %zu bytes", size);
    if (!block_unpack_head(b, data, why))
        return false;
    if (size - BLOCK_HEAD != b->size)
        return reason_set(why, "a block has %zu bytes of payload, not %zu", size - BLOCK_HEAD,
                          b->size);
    b->payload = data + BLOCK_HEAD;
    return true;
}
