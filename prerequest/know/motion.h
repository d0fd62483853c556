/* Whether the screen moves, or stands still.
 *
 *   active_at  when the newest update or input was. After MOTION_IDLE without one the screen is
 *              still: what was known of its motion says nothing about what moves next.
 *   moved_at   when the newest update of more than MOTION_SMALL bytes, or input, was. Since then
 *              the picture has been at rest, and may be refreshed (decide/refresh.h).
 *
 * There are two because a caret that blinks is motion, but no reason to leave the rest of the
 * screen blurred.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_MOTION_H
#define VNCHL_MOTION_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/know/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct motion {
    tick_t active_at;
    tick_t moved_at;
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

/* An update of `bytes` (0: not known) has changed the picture. */
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
