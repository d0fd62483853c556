#include "rfb/blocks/foretold/undo.h"

#include <stdlib.h>

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
