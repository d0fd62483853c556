#include "rfb/film/access_unit.h"

#include <string.h>

/* Types of NAL units (ITU-T H.264, table 7-1). */
enum nal {
    NAL_SLICE = 1,
    NAL_SLICE_ALONE = 5, /* of a picture after which nothing stands on older ones */
    NAL_BEFORE = 6,      /* this one and the next three come before a picture's slices */
    NAL_BEFORE_LAST = 9,
    NAL_LATER = 14, /* and these */
    NAL_LATER_LAST = 18,
    NAL_SEI = NAL_BEFORE,
    NAL_SET = 8, /* a picture parameter set */
};

/* Bytes of 0 0 1, which begins each. */
#define START_CODE 3

#define SLICE_TYPES 5
#define SLICE_I     2
/* Bytes of the head of a slice in which its first two numbers end. */
#define SLICE_HEAD 16

/* The bits of a slice's head. */
struct unit_bits {
    uint8_t bytes[SLICE_HEAD];
    unsigned count, at; /* bits */
};

/* Without the bytes 3 that only keep a start code from coming about. */
static void unit_bits_begin(struct unit_bits *b, const uint8_t *bytes, size_t size)
{
    unsigned zeros = 0, count = 0;

    for (size_t i = 0; i < size && count < SLICE_HEAD; i++) {
        if (zeros >= 2 && bytes[i] == 3) {
            zeros = 0;
            continue;
        }
        zeros = bytes[i] == 0 ? zeros + 1 : 0;
        b->bytes[count++] = bytes[i];
    }
    b->count = count * 8;
    b->at = 0;
}

static unsigned unit_bit(struct unit_bits *b)
{
    unsigned at = b->at++;

    return at < b->count ? b->bytes[at / 8] >> (7 - at % 8) & 1 : 0;
}

/* ue(v): so many zeros, a one, and as many bits (9.1). What is longer than 32 bits is no number. */
static uint32_t unit_number(struct unit_bits *b)
{
    uint32_t value = 1;
    unsigned zeros = 0;

    while (zeros < 31 && b->at < b->count && !unit_bit(b))
        zeros++;
    for (unsigned i = 0; i < zeros; i++)
        value = value << 1 | unit_bit(b);
    return value - 1;
}

/* The place of the byte behind the next start code, from `at` on; `size`: there is none. */
static size_t unit_find(const uint8_t *bytes, size_t size, size_t at)
{
    for (; at + START_CODE < size; at++)
        if (bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1)
            return at + START_CODE;
    return size;
}

static bool unit_is_slice(unsigned type)
{
    return type == NAL_SLICE || type == NAL_SLICE_ALONE;
}

/* Takes a slice. False: it is the first one of the next picture. */
static bool unit_take_slice(struct access_unit *u, const uint8_t *nal, size_t size)
{
    struct unit_bits b;
    bool first;

    unit_bits_begin(&b, nal + 1, size - 1);
    first = unit_number(&b) == 0; /* macroblock */
    if (first && u->picture)
        return false;
    u->alone = (u->alone || !u->picture) && unit_number(&b) % SLICE_TYPES == SLICE_I;
    u->picture = true;
    return true;
}

static bool unit_begins_next(const struct access_unit *u, unsigned type)
{
    return u->picture && ((type >= NAL_BEFORE && type <= NAL_BEFORE_LAST) ||
                          (type >= NAL_LATER && type <= NAL_LATER_LAST));
}

bool access_unit_next(const uint8_t *bytes, size_t size, struct access_unit *out)
{
    *out = (struct access_unit){.size = size};
    for (size_t at = unit_find(bytes, size, 0); at < size; at = unit_find(bytes, size, at)) {
        unsigned type = bytes[at] & 31;

        if (unit_begins_next(out, type) ||
            (unit_is_slice(type) && !unit_take_slice(out, bytes + at, size - at))) {
            out->size = at - START_CODE;
            break;
        }
    }
    return size > 0;
}

/* `nal` is what a start code begins; it may be empty. */
static void unit_note(struct access_unit_notes *n, const uint8_t *nal, size_t size)
{
    struct unit_bits b;
    size_t escapes = 0, set;

    for (size_t i = 0; i + 2 < size; i++)
        escapes += nal[i] == 0 && nal[i + 1] == 0 && nal[i + 2] == 3;
    n->units++;
    if (escapes > n->escapes)
        n->escapes = escapes;
    if (size == 0 || (nal[0] & 31) != NAL_SET)
        return;
    unit_bits_begin(&b, nal + 1, size - 1);
    set = unit_number(&b);
    if (set < ACCESS_UNIT_SETS && set >= n->sets)
        n->sets = set + 1;
}

void access_unit_copy(uint8_t *out, const uint8_t *bytes, size_t size,
                      struct access_unit_notes *notes)
{
    size_t next;

    *notes = (struct access_unit_notes){.bytes = 0};
    for (size_t at = unit_find(bytes, size, 0); at < size; at = next) {
        size_t end;

        next = unit_find(bytes, size, at);
        end = next < size ? next - START_CODE : size;
        if ((bytes[at] & 31) == NAL_SEI)
            continue;
        unit_note(notes, bytes + at, end - at);
        memcpy(out + notes->bytes, bytes + at - START_CODE, end - at + START_CODE);
        notes->bytes += end - at + START_CODE;
    }
}
