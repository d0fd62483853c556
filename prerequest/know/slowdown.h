/* Notices in the middle of an update that the path has become much slower.
 *
 * The bytes that come are cut into pieces of SLOWDOWN_PIECE or a little more. The path is slower
 * when
 *
 *   bytes of a piece / its time < usual rate / SLOWDOWN_TIMES
 *
 * for SLOWDOWN_PIECES pieces on end. For example: at 8 Mbit/s a piece takes 12 ms; two pieces on
 * end that take more than 30 ms each are a slower path.
 *
 * One slow piece may be a lost packet, which TCP sends again. To wait for the end of the update
 * would take seconds when a link drops to a twentieth.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_SLOWDOWN_H
#define VNCHL_SLOWDOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/know/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct slowdown {
    uint64_t from; /* bytes that had arrived when this piece began; 0: none has begun */
    tick_t at;     /* when this piece began */
    unsigned slow; /* slow pieces on end */
};

/* `bytes` have arrived since the connection began. Returns the rate of the piece that is complete
 * now, bytes per second; 0: none is. `usual_rate` is in bytes per second, too. */
double slowdown_arrived(struct slowdown *s, uint64_t bytes, double usual_rate, tick_t now);

/* Whether the path has become slower. */
bool slowdown_shows(const struct slowdown *s);

/* The caller knows that now, or a pause has come: slow pieces are counted afresh. */
void slowdown_reset(struct slowdown *s);

/* Nothing was arriving for a while. The next piece begins after that. */
void slowdown_gap(struct slowdown *s);

#ifdef __cplusplus
}
#endif
#endif
