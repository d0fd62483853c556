/* Notices in the middle of an update that the path has become much slower.
 *
 * The bytes of updates are cut into pieces of SLOWDOWN_PIECE. The path is slower when
 *
 *   piece / its time x SLOWDOWN_TIMES < the usual rate,   for SLOWDOWN_PIECES pieces on end
 *
 * One slow piece may be a lost packet, which TCP makes good once. To wait for the end of the update
 * would take seconds when a link drops to a twentieth.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_SLOWDOWN_H
#define VNCHL_SLOWDOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes: eight packets, so that the timing of one does not matter. */
#define SLOWDOWN_PIECE  12000
#define SLOWDOWN_PIECES 2
/* More than the rate of a healthy path swings within an update. */
#define SLOWDOWN_TIMES 2.5

struct slowdown {
    uint64_t from; /* bytes that had arrived when this piece began; 0: none has begun */
    tick_t at;     /* when that was */
    unsigned slow; /* slow pieces on end */
};

/* So many bytes have arrived since the connection began. Returns the rate of the piece that is
 * complete, bytes per second; 0: none is. */
double slowdown_arrived(struct slowdown *s, uint64_t bytes, double usual_rate, tick_t now);

/* Whether the path is slower. */
bool slowdown_shows(const struct slowdown *s);

/* That is known now: counts afresh. */
void slowdown_reset(struct slowdown *s);

/* Nothing has been arriving for a while: a piece does not reach across that. */
void slowdown_gap(struct slowdown *s);

#ifdef __cplusplus
}
#endif
#endif
