/* How many handshakes of TLS with clients are under way at a time: each one costs a millisecond of
 * CPU and some memory. Whoever comes later waits, and one address cannot take all places. Only the
 * loop's thread.
 */
#ifndef VNCHL_ACCELERATOR_TURNSTILE_H
#define VNCHL_ACCELERATOR_TURNSTILE_H

#include <stdbool.h>
#include <sys/socket.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TURNSTILE_PLACES   64
#define TURNSTILE_FROM_ONE 8 /* of them, for one address (leg_same_client()) */

/* Whoever waits looks again after so long. */
#define TURNSTILE_AGAIN (50 * TICK_MS)

/* All zero is an empty one. */
struct turnstile {
    struct sockaddr_storage inside[TURNSTILE_PLACES];
    int count;
};

/* False: there is no place now. */
bool turnstile_enter(struct turnstile *t, const struct sockaddr_storage *peer);
/* One that came from there, and has entered. */
void turnstile_leave(struct turnstile *t, const struct sockaddr_storage *peer);

#ifdef __cplusplus
}
#endif
#endif
