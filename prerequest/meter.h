/* What a session did: frames, requests, gaps between frames.
 *
 * Pure counters: no clock, no allocation. The caller holds its own lock. Totals only grow, so a row
 * of the log is the difference of two copies.
 */
#ifndef VNCHL_METER_H
#define VNCHL_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/event.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Percentiles of a stream of positive values, in constant memory.
 *
 * A histogram with logarithmic buckets. There are 64 for each factor of two, so a percentile is
 * right within 1.6 %. Count, sum and maximum are exact. Values below 1/1024 count as 1/1024, values
 * above 2^22 as 2^22. Value type, no allocation.
 */

#define PERCENTILE_BUCKETS 2048

struct percentile {
    uint32_t bucket[PERCENTILE_BUCKETS];
    uint64_t count;
    double sum, max;
};

void percentile_init(struct percentile *p);
void percentile_add(struct percentile *p, double value);

/* The value that a `share` (0..1) of all values do not exceed; 0 when there are none. For example:
 * share 0.95 is the 95th percentile. */
double percentile_get(const struct percentile *p, double share);

struct meter {
    uint64_t updates;        /* finished updates that carried pixels */
    uint64_t changes;        /* those of them, after the first, that showed something new */
    uint64_t pseudo_updates; /* finished updates that carried pseudo-rectangles only */
    uint64_t requests[REQUEST_CAUSES];
    uint64_t skipped;           /* how often our own socket was full when a request was due */
    uint64_t input_events;      /* messages of input sent: keys, pointer, texts */
    tick_t first_update;        /* when the first frame was finished; TICK_NEVER before */
    tick_t last_update;         /* when the newest was; TICK_NEVER before the first */
    struct percentile gaps;     /* ms between the ends of two frames, of the whole session */
    struct percentile gaps_row; /* the same, since the last meter_row_taken() */
};

void meter_init(struct meter *m);
void meter_update(struct meter *m, bool pixels, tick_t now);

/* The frame that was counted last shows more than what we had asked to see again. */
void meter_change(struct meter *m);

void meter_request(struct meter *m, enum request_cause cause);
void meter_skipped(struct meter *m);
void meter_input(struct meter *m, unsigned messages);

/* Frames per second from the end of the first frame up to `now`. The first picture, and the wait
 * for it, are not counted. 0 before the second frame. */
double meter_fps(const struct meter *m, tick_t now);

/* A row has been logged: gaps_row begins afresh. */
void meter_row_taken(struct meter *m);

#ifdef __cplusplus
}
#endif
#endif
