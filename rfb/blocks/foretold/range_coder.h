/* Arithmetic coding of bits (Witten, Neal, Cleary: "Arithmetic Coding for Data Compression", 1987):
 * a bit takes as little as it was expected. How likely it is, is learnt from the bits before with
 * the same `chance`. Both ends do the same sums, with whole numbers only.
 *
 * The same function writes and reads, so that both ends cannot differ.
 *
 * One thread at a time.
 */
#ifndef VNCHL_RANGE_CODER_H
#define VNCHL_RANGE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes back changes of a memory of 32-bit words: each word is noted before it is changed.
 *
 * One thread at a time.
 */

struct undo_note {
    uint32_t *word;
    uint32_t was;
};

/* Zeroed notes nothing. */
struct undo {
    bool on;
    bool full; /* there was no memory: it cannot be taken back */
    struct undo_note *note;
    size_t count, room;
};

void undo_deinit(struct undo *u);

/* From now on changes are noted. */
void undo_begin(struct undo *u);

/* Makes room for one more, or sets `full`. */
void undo_grow(struct undo *u);

/* The word is going to change. */
static inline void undo_note(struct undo *u, uint32_t *word)
{
    if (!u->on)
        return;
    if (u->count == u->room)
        undo_grow(u);
    if (!u->full)
        u->note[u->count++] = (struct undo_note){word, *word};
}

/* They stay, or are taken back: false if that is not possible. Nothing is noted any more. */
void undo_keep(struct undo *u);
bool undo_take_back(struct undo *u);

/* The lower 16 bits: how likely a 1 is, of 65536; above: how many bits have told. */
typedef uint32_t chance;

/* Nothing is known: even. */
#define CHANCE_EVEN 32768u

struct range_coder {
    bool writes;
    bool full;       /* it takes more than `most` bytes, or reads far behind them */
    unsigned behind; /* bytes that were read there */
    uint32_t low, high, code;
    uint8_t *out;      /* it writes to, */
    const uint8_t *in; /* or reads from */
    size_t at, most;
    struct undo *undo;
};

/* Writes at most so many bytes. */
void range_coder_write(struct range_coder *c, uint8_t *out, size_t most, struct undo *u);
/* Behind the last byte it reads zeros. */
void range_coder_read(struct range_coder *c, const uint8_t *in, size_t size, struct undo *u);

/* Writes this bit, or reads one. Returns it. */
bool range_coder_bit(struct range_coder *c, chance *of, bool bit);

/* The same for a number of so many bits, the highest first; each bit has a chance for all that may
 * have gone before it: `tree` has 2^bits. */
unsigned range_coder_number(struct range_coder *c, chance *tree, int bits, unsigned number);

/* What is needed to read all that was written. Returns the bytes. */
size_t range_coder_end(struct range_coder *c);

#ifdef __cplusplus
}
#endif
#endif
