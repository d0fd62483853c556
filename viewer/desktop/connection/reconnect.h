/* When the next attempt to connect again is due.
 *
 * The first attempt comes after half a second. Each further one waits twice as long as the one
 * before, up to half a minute. Up to a quarter of that is added or taken off at random, so that
 * many viewers of one server that was restarted do not all come at once. A session that has lasted
 * for a while was stable: after it the waits begin anew.
 *
 * Value type. Pure: the time and the seed of the random numbers are arguments.
 */
#ifndef VNCHL_RECONNECT_H
#define VNCHL_RECONNECT_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ns. Chosen: a server that restarts is back within seconds, a broken route within minutes. */
#define RECONNECT_FIRST  (TICK_S / 2)
#define RECONNECT_MOST   (30 * TICK_S)
#define RECONNECT_STABLE (30 * TICK_S) /* a session that lasted so long was stable */

struct reconnect {
    uint64_t random;
    unsigned waits;        /* since the last stable session */
    tick_t established_at; /* TICK_NEVER: no session is established */
};

void reconnect_init(struct reconnect *r, uint64_t seed);

/* A session was established. */
void reconnect_established(struct reconnect *r, tick_t now);

/* A session has ended, or an attempt has failed. Returns when the next attempt is due. */
tick_t reconnect_ended(struct reconnect *r, tick_t now);

/* Whether a later attempt may succeed without the user's help. `listens`: servers connect to us. */
bool reconnect_may_help(enum failure failure, bool listens);

/* Whether another one of several servers (0: one is named) is to be tried after this failure,
 * before any was there; `tried` were. One with which it went wrong has had its turn. Where nobody
 * has answered, nobody would now. */
bool reconnect_has_another(enum failure failure, int servers, unsigned tried);

#ifdef __cplusplus
}
#endif
#endif
