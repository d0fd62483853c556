/* Blocks of a plan that leave as datagrams: what is lost of them is planned again.
 *
 * The program tells of each block that has left so, and of what the viewer tells. Before it asks
 * the plan for a strip it asks push_datagrams_ready().
 *
 * Where blocks get lost, copies of the newest update's blocks leave behind it, or parities of them
 * (push/packets/insurance.h), while nothing else waits, and the path has room to spare. How many
 * follows from the share of blocks that is lost while the rate does not grow, less PUSH_LOSS_LEAST
 * (push_loss_insured()). Where hardly anything is lost, and while that share is not known, no copy
 * leaves. So losses that come from too high a rate hardly make more bytes leave. The pictures are
 * to be small enough for what leaves behind them (push_plan_expect_copies()): less sharp, but
 * whole.
 *
 * A copy has a sequence number of its own. When it is lost, and the same has come before, nothing
 * has to go again. A parity has one, too: so its bytes, and whether it is lost, count for the flow.
 * A block that the viewer has made from parities is lost for the flow, and nothing of it has to go
 * again.
 *
 * A part of a film's frame that is lost is in doubt first (struct push_doubts): its parity left
 * later, and what becomes of it is told later.
 *
 * One owner, not locked. About 190 kB: not for a stack. Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_DATAGRAMS_H
#define VNCHL_PUSH_DATAGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/push/constants.h"
#include "prerequest/push/octopus.h"
#include "prerequest/push/packets/arrivals.h"
#include "prerequest/push/packets/insurance.h"
#include "prerequest/push/plan.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Blocks that were lost, though the viewer may have made them from parities, which left later: for
 * so long nothing follows from it. In the order of leaving. */

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

/* What leaves only because something may get lost. */
struct push_more {
    bool parity;   /* of this group; else a copy, */
    unsigned kept; /* of the block that was kept under this number */
    struct push_group group;
};

struct push_datagrams {
    bool on;
    struct push_octopus octopus; /* octopus.on: it decides what leaves, and nothing is repeated */
    struct arrivals arrivals;
    struct arrivals_block block[PUSH_INSURED]; /* as they left the last time */
    struct push_insurance insurance;
    tick_t pass; /* when the update began */
    struct push_doubts doubts;
};

/* It follows d->octopus.on and .interval, which stay. */
void push_datagrams_init(struct push_datagrams *d);

/* On: from now on blocks leave as datagrams, which overtake what has left on the stream. So a
 * film's next frame is a key frame. Off: no more do, and those that are out count as lost. */
void push_datagrams_switch(struct push_datagrams *d, struct push_plan *p, bool on, tick_t now);

/* Plans again what is lost by now. Whether a block may leave as a datagram. */
bool push_datagrams_ready(struct push_datagrams *d, struct push_plan *p, tick_t now);

/* Asks the policy for the next block, and tells it that it has left: as push_plan_next() and
 * push_plan_sent(), or push_octopus_next() and push_octopus_sent(). `sequence`: of the newest
 * block; a number may be left out. */
bool push_datagrams_next(struct push_datagrams *d, struct push_plan *p, uint32_t *sequence,
                         struct push_strip *out, tick_t now);
bool push_datagrams_left(struct push_datagrams *d, struct push_plan *p, const struct push_strip *s,
                         int w, int h, uint32_t sequence, size_t bytes, bool exact, tick_t now);

/* A block has left, as push_datagrams_left() was told. Returns under which number below
 * PUSH_INSURED its bytes are to be kept; -1: they are not. */
int push_datagrams_sent(struct push_datagrams *d, const struct push_plan *p,
                        const struct arrivals_block *b, size_t bytes, tick_t now);

/* What is to leave under this new sequence number besides the update's own blocks. `head`: bytes by
 * which the packet of a parity is longer than that of the group's longest block. False: nothing. */
bool push_datagrams_more(struct push_datagrams *d, struct push_plan *p, uint32_t sequence,
                         size_t head, struct push_more *out, tick_t now);

/* What has come, and what was made from parities; see arrivals_told(). */
void push_datagrams_told(struct push_datagrams *d, struct push_plan *p, uint32_t newest,
                         const uint8_t before[ARRIVALS_BEFORE], const uint8_t made[ARRIVALS_BEFORE],
                         tick_t at, tick_t now);

/* Blocks are out, and nothing is told of them for the longer of PUSH_DATAGRAMS_SILENT and
 * PUSH_DATAGRAMS_SILENT_TRIPS round trips: the path is taken for dead. */
bool push_datagrams_are_silent(const struct push_datagrams *d, const struct push_plan *p,
                               tick_t now);

/* Whether the plan decides nothing of what leaves now: there is no room, or Octopus does. */
bool push_datagrams_hold(const struct push_datagrams *d);

/* When push_datagrams_ready() or push_datagrams_more() may find something, or Octopus has an
 * update, though nothing happens. */
tick_t push_datagrams_look_again(struct push_datagrams *d, const struct push_plan *p, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
