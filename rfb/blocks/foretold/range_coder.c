#include "rfb/blocks/foretold/range_coder.h"

#include <stdlib.h>

/* ---- taking back ---- */

#define UNDO_FIRST 4096 /* notes */

void undo_deinit(struct undo *u)
{
    free(u->note);
    *u = (struct undo){.on = false};
}

void undo_begin(struct undo *u)
{
    u->on = true;
    u->full = false;
    u->count = 0;
}

void undo_grow(struct undo *u)
{
    size_t room = u->room > 0 ? 2 * u->room : UNDO_FIRST;
    struct undo_note *note = u->full ? NULL : realloc(u->note, room * sizeof *note);

    u->full = !note;
    if (!note)
        return;
    u->note = note;
    u->room = room;
}

void undo_keep(struct undo *u)
{
    u->on = false;
}

bool undo_take_back(struct undo *u)
{
    u->on = false;
    while (u->count > 0) {
        u->count--;
        *u->note[u->count].word = u->note[u->count].was;
    }
    return !u->full;
}

/* ---- coding ---- */

/* A new bit counts a share of 1 / (2 + bits before), and of so much at least. Chosen. */
#define CHANCE_SEEN_MOST 80u
#define CHANCE_SEEN_AT   16 /* bit */
#define CHANCE_ONE       0xffffu

#define RANGE_TOP   24 /* bit of the first byte */
#define RANGE_CODES 4  /* bytes of `code` */

static void coder_put(struct range_coder *c, unsigned byte)
{
    if (c->at < c->most)
        c->out[c->at++] = (uint8_t)byte;
    else
        c->full = true;
}

static unsigned coder_get(struct range_coder *c)
{
    if (c->at < c->most)
        return c->in[c->at++];
    c->full = c->full || c->behind++ >= RANGE_CODES; /* nobody writes so little */
    return 0;
}

void range_coder_write(struct range_coder *c, uint8_t *out, size_t most, struct undo *u)
{
    *c = (struct range_coder){
        .writes = true, .high = UINT32_MAX, .out = out, .most = most, .undo = u};
}

void range_coder_read(struct range_coder *c, const uint8_t *in, size_t size, struct undo *u)
{
    *c = (struct range_coder){.high = UINT32_MAX, .in = in, .most = size, .undo = u};
    for (int i = 0; i < RANGE_CODES; i++)
        c->code = c->code << 8 | coder_get(c);
}

static void chance_learn(chance *of, bool bit, struct undo *u)
{
    uint32_t one = *of & CHANCE_ONE, seen = *of >> CHANCE_SEEN_AT;

    undo_note(u, of);
    if (bit)
        one += (CHANCE_ONE - one) / (seen + 2);
    else
        one -= one / (seen + 2);
    seen += seen < CHANCE_SEEN_MOST;
    *of = seen << CHANCE_SEEN_AT | one;
}

bool range_coder_bit(struct range_coder *c, chance *of, bool bit)
{
    uint32_t one = *of & CHANCE_ONE;
    uint32_t middle = c->low + (uint32_t)((uint64_t)(c->high - c->low) * one >> 16);

    if (!c->writes)
        bit = c->code <= middle;
    if (bit)
        c->high = middle;
    else
        c->low = middle + 1;
    while ((c->low ^ c->high) >> RANGE_TOP == 0) {
        if (c->writes)
            coder_put(c, c->low >> RANGE_TOP);
        else
            c->code = c->code << 8 | coder_get(c);
        c->low <<= 8;
        c->high = c->high << 8 | 0xff;
    }
    chance_learn(of, bit, c->undo);
    return bit;
}

unsigned range_coder_number(struct range_coder *c, chance *tree, int bits, unsigned number)
{
    unsigned at = 1;

    for (int i = bits - 1; i >= 0; i--)
        at = 2 * at + range_coder_bit(c, tree + at, number >> i & 1);
    return at - (1u << bits);
}

/* The shortest number that is between the two, whatever zeros follow. */
size_t range_coder_end(struct range_coder *c)
{
    for (int bits = 32; c->low > 0 && bits > 0;) {
        uint32_t rest, code;

        bits -= 8;
        rest = (1u << bits) - 1;
        code = c->low > UINT32_MAX - rest ? 0 : (c->low + rest) & ~rest;
        if (code < c->low || code > c->high)
            continue;
        for (int at = RANGE_TOP; at >= bits; at -= 8)
            coder_put(c, code >> at);
        break;
    }
    return c->at;
}
