/* Whether the screen moves, or stands still.
 *
 *   still     no update and no input for MOTION_IDLE: the server is asked slowly
 *   quiet_for = time since the last update of more than MOTION_SMALL bytes, or input
 *
 * Two clocks, because a caret that blinks is worth fast requests, while it is no reason to leave
 * the rest of the screen blurred.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_MOTION_H
#define VNCHL_MOTION_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ns: what moves, moves again within this time; who types, too. */
#define MOTION_IDLE (2 * TICK_S)
/* Bytes: an update no larger than this is a blinking caret, or a clock. */
#define MOTION_SMALL 4000

struct motion {
    tick_t active_at; /* the newest update or input */
    tick_t moved_at;  /* the newest update of some size, or input */
};

static inline bool motion_still(const struct motion *m, tick_t now)
{
    return now - m->active_at >= MOTION_IDLE;
}

/* When the screen is still, if nothing happens before. */
static inline tick_t motion_still_at(const struct motion *m)
{
    return m->active_at + MOTION_IDLE;
}

/* An update has begun or has arrived, or input was sent. */
static inline void motion_active(struct motion *m, tick_t now)
{
    m->active_at = now;
}

/* The picture has changed by an update of `bytes` (0: not known). */
static inline void motion_update(struct motion *m, uint64_t bytes, tick_t now)
{
    if (bytes == 0 || bytes > MOTION_SMALL)
        m->moved_at = now;
}

/* Input was sent, or there is a new picture. */
static inline void motion_moved(struct motion *m, tick_t now)
{
    m->moved_at = now;
}

#ifdef __cplusplus
}
#endif
#endif
