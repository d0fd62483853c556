/* When the bytes of a recording are due: at the times in it, divided by the speed, unless the
 * person pauses, or moves to a later place. Before the first wish all are due at once: that is the
 * handshake, which has to be over before there is anything to pause.
 *
 * Pure value type; the time is an argument. Places are milliseconds from the beginning of the
 * recording.
 */
#ifndef VNCHL_PLAY_CLOCK_H
#define VNCHL_PLAY_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/net/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

struct play_clock {
    double speed;  /* PLAYBACK_MAX: as fast as it can be read */
    uint32_t next; /* the place of the bytes that are read next */
    bool begun;    /* there was a wish */
    bool paused;
    bool seeking;   /* all up to `place` is due at once */
    uint32_t place; /* that was reached at the time `since`; while it seeks: that is to be */
    tick_t since;
};

void play_clock_init(struct play_clock *c, double speed, tick_t now);

/* The next bytes came at this place. */
void play_clock_next(struct play_clock *c, uint32_t place, tick_t now);

/* The first one counts from the place of the bytes that have come before it. */
void play_clock_wish(struct play_clock *c, const struct play_wish *wish, tick_t now);

/* Nothing follows: it stays where the last bytes came. */
void play_clock_end(struct play_clock *c, tick_t now);

/* When they are due; 0: at once; TICK_NEVER: it is paused. */
tick_t play_clock_due(const struct play_clock *c);

/* Where it is, or while it seeks: where it goes. */
uint32_t play_clock_place(const struct play_clock *c, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
