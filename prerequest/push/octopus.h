/* The other policy of what leaves as datagrams: Octopus's own rules (S. Das, J. Ma: "Trading
 * Reliability for Responsiveness in Remote Desktop", MIT), to be compared with ours (push/plan.h).
 * The sections are the paper's.
 *
 * - Push: every `U` an *update* leaves, if anything has changed (4.1). All of it leaves at once,
 *   without a pace. It goes over the picture once, from the top to the bottom.
 * - Blocks: what has changed is taken apart into rectangles. One that takes k times what a packet
 *   holds is cut along its longer side into as many parts as k, rounded up. Each part is measured,
 *   and cut again (4.2). Cuts are between cells.
 * - Loss: the queue of what was not acknowledged is push/arrivals.h, by time alone. After SRTT
 *   + 4 RTTVAR a block's pixels count as changed (4.2). They leave with the next update, as they
 *   are then. What has left again meanwhile is not in the queue any more: a cell knows the newest
 *   block that carried it (push/cells.h).
 * - Rate: the size of block n, divided by the time between the arrivals of n - 1 and n, is a sample
 *   of the bandwidth. Samples are smoothed. Before each update a sequence number is left out, so
 *   that both are of one update (4.3).
 * - Quality: it rises while less than OCTOPUS_LEAST of the bandwidth is sent, and falls while more
 *   than the bandwidth is sent (4.3). Frame rate and JPEG level have a score each, from 0 to 1:
 *   (fps - 1) / 23 and (level - 1) / 6. The lower score is raised, or the higher one lowered: the
 *   frame rate by 3, the level by 1.
 *
 * For example: at 20 frames per second (0.83) and level 4 (0.5) the level rises first, and the
 * frame rate falls first.
 *
 * What the paper leaves open is marked "chosen" in push/constants.h. There is no second sending, no
 * order by what the user waits for, and nothing comes again exact once it is still.
 *
 * The changed cells are those of the plan. Its flow is told of what leaves, and does not limit it.
 *
 * One owner, not locked. Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_OCTOPUS_H
#define VNCHL_PUSH_OCTOPUS_H

#include "prerequest/push/arrivals.h"
#include "prerequest/push/constants.h"
#include "prerequest/push/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pixels of a block at most (BLOCK_AREA_MAX; Tight's own rectangles have no more). */
#define OCTOPUS_AREA 65536
/* Cuts within each other: each at least halves one of two sides of 4096 cells. */
#define OCTOPUS_DEPTH 32
/* Blocks whose size is remembered; a power of two. */
#define OCTOPUS_SIZES 4096

struct octopus_area {
    int x, y, w, h; /* pixels */
};

/* A rectangle that is being sent in parts. */
struct octopus_cut {
    struct octopus_area area;
    int parts, next;
};

struct push_octopus {
    bool on;         /* it is the policy */
    tick_t interval; /* U, if it is frozen (section 5), ns; 0: it follows the bandwidth */
    int fps, level;
    double bandwidth; /* bytes per second; 0: not known */
    /* The rate of what was sent. */
    double rate; /* bytes per second, when it was measured last */
    uint64_t bytes;
    tick_t since;
    /* Updates. */
    tick_t due;  /* the next one */
    bool waits;  /* something has changed, and was seen to */
    bool active; /* one is leaving: up to this cell */
    int row, column;
    struct octopus_cut cut[OCTOPUS_DEPTH];
    int cuts;
    struct octopus_area now; /* given by push_octopus_next() */
    /* The packet pair. */
    uint32_t size_of[OCTOPUS_SIZES], sequence_of[OCTOPUS_SIZES]; /* bytes; 0: it was left out */
    uint32_t arrived;
    tick_t arrived_at;
};

/* Blocks leave so from now on, if it is the policy. That, `interval`, the quality and the bandwidth
 * stay as they are; at first the object is zeroed. */
void push_octopus_begin(struct push_octopus *o, struct push_plan *p, tick_t now);

/* Area and quality of the next block; strip->h may be several rows of cells. A new update leaves
 * out a number: `*sequence` is that of the newest block. False: nothing may leave now. It is
 * answered by push_octopus_cut() or push_octopus_sent(). Else what is there waits for the next
 * update. */
bool push_octopus_next(struct push_octopus *o, struct push_plan *p, uint32_t *sequence,
                       struct push_strip *out, tick_t now);

/* It takes `size` bytes where a block has room for `room`, which a cell always fits. */
void push_octopus_cut(struct push_octopus *o, size_t size, size_t room);

/* It left as one block. Returns whether it was the last one of the update. */
bool push_octopus_sent(struct push_octopus *o, struct push_plan *p, uint32_t sequence, size_t bytes,
                       bool exact, tick_t now);

/* This block had arrived at `at`, and none with a higher number. */
void push_octopus_arrived(struct push_octopus *o, uint32_t sequence, tick_t at);

/* When push_octopus_next() may give something though nothing happens. */
tick_t push_octopus_look_again(struct push_octopus *o, const struct push_plan *p, tick_t now);

/* U now, ns. */
tick_t push_octopus_interval(const struct push_octopus *o, const struct push_plan *p);

/* JPEG quality, 1..100. */
int push_octopus_jpeg(const struct push_octopus *o, const struct push_plan *p);

#ifdef __cplusplus
}
#endif
#endif
