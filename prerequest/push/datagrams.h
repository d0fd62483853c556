/* Blocks of a plan that leave as datagrams: what is lost of them is planned again.
 *
 * The program tells of each block that has left so, and of what the viewer tells. Before it asks
 * the plan for a strip it asks push_datagrams_ready().
 *
 * What is lost goes again a round trip later. A film has another frame by then. So where blocks get
 * lost, and nothing else waits, the blocks of the newest update leave again behind it, while the
 * path has room to spare. So do those that were sent again, or that refine what is still: a block
 * that is lost again and again takes many round trips. An update is whole when all of its blocks
 * have come. Of n blocks, each lost with probability p and repeated k times, n p^(k+1) are lost in
 * the mean. So k is the largest number for which that is more than PUSH_REPEATS_LOST, and then as
 * many of the blocks are repeated once more as bring it there; each no more than PUSH_REPEATS_MOST
 * times. p is the share that is lost while the rate does not grow (push_loss_usual()), less
 * PUSH_REPEATS_LEAST: where hardly anything is lost, and while it is not known, nothing is
 * repeated. So what is lost because the rate is too much makes hardly more of it. The pictures are
 * to be small enough for the copies (push_plan_expect_copies()): less sharp, but whole.
 *
 * For example: 46 blocks and p = 0.05. Not repeated 2.3 of them are lost, one frame in ten is
 * whole. Once each leaves 0.12, and repeating 60 % twice leaves 0.05.
 *
 * A copy has a sequence number of its own. When it is lost, and the same has come before, nothing
 * has to go again.
 *
 * One owner, not locked. About 160 kB: not for a stack. Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_DATAGRAMS_H
#define VNCHL_PUSH_DATAGRAMS_H

#include "prerequest/push/arrivals.h"
#include "prerequest/push/octopus.h"
#include "prerequest/push/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ns: blocks are out, and nothing is told of them for so long, or for three round trips: the path
 * is taken for dead. Chosen: longer than Wi-Fi is away for when it changes its station. */
#define PUSH_DATAGRAMS_SILENT (700 * TICK_MS)

/* Blocks that may be repeated. Chosen: a picture of 640x360 as JPEG takes 20 to 60. */
#define PUSH_REPEATS 256
/* How often at most. */
#define PUSH_REPEATS_MOST 3
/* Blocks of an update that are lost in the mean, repeated as they are. Chosen: one update in twenty
 * is not whole. */
#define PUSH_REPEATS_LOST 0.05
/* So much is not worth repeating for, a share. Chosen: one block in 250. */
#define PUSH_REPEATS_LEAST 0.004

/* A block that has left. */
struct push_repeat {
    struct arrivals_block block; /* as it left the last time */
    unsigned times;              /* that it left again */
};

struct push_datagrams {
    bool on;
    struct push_octopus octopus; /* octopus.on: it decides what leaves, and nothing is repeated */
    struct arrivals arrivals;
    /* Those of the newest update, and what was sent again or refined after it. */
    struct push_repeat repeat[PUSH_REPEATS];
    unsigned repeats, next; /* `next` is repeated next */
    tick_t pass;            /* when the update began */
};

/* It follows d->octopus.on and .interval, which stay. */
void push_datagrams_init(struct push_datagrams *d);

/* From now on blocks leave as datagrams; or no more, and those that are out count as lost. */
void push_datagrams_switch(struct push_datagrams *d, struct push_plan *p, bool on, tick_t now);

/* Plans again what is lost by now. Whether a block may leave as a datagram. */
bool push_datagrams_ready(struct push_datagrams *d, struct push_plan *p, tick_t now);

/* Asks the policy for the next block, and tells it that it has left: as push_plan_next() and
 * push_plan_sent(), or push_octopus_next() and push_octopus_sent(). `sequence`: of the newest
 * block; a number may be left out. */
bool push_datagrams_next(struct push_datagrams *d, struct push_plan *p, uint32_t *sequence,
                         struct push_strip *out, tick_t now);
bool push_datagrams_left(struct push_datagrams *d, struct push_plan *p, const struct push_strip *s,
                         int w, uint32_t sequence, size_t bytes, bool exact, tick_t now);

/* A block has left, as push_datagrams_left() was told. Returns under which number below
 * PUSH_REPEATS its bytes are to be kept; -1: they are not. */
int push_datagrams_sent(struct push_datagrams *d, const struct push_plan *p,
                        const struct arrivals_block *b, tick_t now);

/* A block that is to leave again, under a new sequence number: under which number its bytes were
 * kept; -1: none is. `extra`: bytes of a packet besides the block, whose bytes are in `sizes`. */
int push_datagrams_repeat(struct push_datagrams *d, struct push_plan *p, uint32_t sequence,
                          const size_t *sizes, size_t extra, tick_t now);

/* What has come; see arrivals_told(). */
void push_datagrams_told(struct push_datagrams *d, struct push_plan *p, uint32_t newest,
                         const uint8_t before[ARRIVALS_BEFORE], tick_t at, tick_t now);

bool push_datagrams_are_silent(const struct push_datagrams *d, const struct push_plan *p,
                               tick_t now);

/* Whether the plan decides nothing of what leaves now: there is no room, or Octopus does. */
bool push_datagrams_hold(const struct push_datagrams *d);

/* When push_datagrams_ready() or push_datagrams_repeat() may find something, or Octopus has an
 * update, though nothing happens. */
tick_t push_datagrams_look_again(struct push_datagrams *d, const struct push_plan *p, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
