/* When the next block is due, by the pace of the flow (push/rate/flow.h) and by what the user
 * allows.
 *
 * Where the pace stops us, the next blocks leave when they fill a packet. Small blocks that left
 * one by one would be a packet each: each with its own headers, and each one of the few packets of
 * TCP's first windows.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_PACE_H
#define VNCHL_PUSH_PACE_H

#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct push_pace {
    tick_t due, allowed; /* when the next block is due, by the pace and by the user */
    tick_t held;         /* when blocks that fill a packet are */
};

void push_pace_init(struct push_pace *p, tick_t now);

/* A block has left. Both rates are bytes per second. `pace`: 0, it is not known. `most`, which the
 * user allows: 0, there is no limit. */
void push_pace_sent(struct push_pace *p, uint64_t bytes, double pace, double most, tick_t now);

/* When the user allows the next block. */
tick_t push_pace_allowed(const struct push_pace *p, double most, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
