/* When the blocks left that are on their way: a mark for those that left close to each other.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_MARKS_H
#define VNCHL_PUSH_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Chosen: on a path of 600 ms one is for 2.4 ms of blocks. */
#define PUSH_MARKS 256

/* Blocks that left close to each other. */
struct push_mark {
    uint32_t first, last;  /* sequence numbers */
    uint64_t before, upto; /* bytes sent without these blocks, and with them */
    tick_t begun, ended;   /* when the first of them left, and the last */
    bool rested;           /* nothing had to be sent before the first one */
};

struct push_marks {
    struct push_mark mark[PUSH_MARKS];
    unsigned first, count; /* a ring */
};

/* A block has left, behind `sent` bytes. It shares the mark of the one before if that one began
 * less than `spacing` ns ago, or if there are no more marks; but not after a rest. */
void push_marks_add(struct push_marks *m, uint32_t sequence, uint64_t sent, uint64_t bytes,
                    bool rested, tick_t spacing, tick_t now);

/* Takes the marks up to this block. Returns how many bytes had been sent with it, or `arrived` if
 * no mark knows it, and when it left. `run`: the newest mark behind the block `oldest` that
 * followed a rest, if `rested`. */
uint64_t push_marks_take(struct push_marks *m, uint32_t oldest, uint32_t sequence, uint64_t arrived,
                         tick_t *left, struct push_mark *run);

#ifdef __cplusplus
}
#endif
#endif
