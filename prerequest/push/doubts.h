/* Blocks that were lost, though the viewer may have made them from parities, which left later: for
 * so long nothing follows from it. In the order of leaving.
 *
 * Pure.
 */
#ifndef VNCHL_PUSH_DOUBTS_H
#define VNCHL_PUSH_DOUBTS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Blocks at most. Chosen: a frame and more of a film. */
#define PUSH_DOUBTS 128

struct push_doubts {
    struct {
        uint32_t sequence;
        tick_t until;
    } block[PUSH_DOUBTS]; /* a ring */
    unsigned first, count;
};

void push_doubts_init(struct push_doubts *d);

/* This block is in doubt until then, which is not before the time of those added earlier. False:
 * there is no room. */
bool push_doubts_add(struct push_doubts *d, uint32_t sequence, tick_t until);

/* Takes the next one whose time has come. False: there is none. */
bool push_doubts_next(struct push_doubts *d, uint32_t *sequence, tick_t now);

/* When there is one; TICK_NEVER: never. */
tick_t push_doubts_due(const struct push_doubts *d);

#ifdef __cplusplus
}
#endif
#endif
