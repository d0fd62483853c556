/* Takes back changes of a memory of 32-bit words: each word is noted before it is changed.
 *
 * One thread at a time.
 */
#ifndef VNCHL_UNDO_H
#define VNCHL_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
