/* How fast bytes leave for a client while some of them wait: what tells when the last one will have
 * left. It is not the path's rate (flight.h), which is only known while the path is full: an update
 * now and then leaves faster than their mean. One object for each connection. Pure: no clock.
 */
#ifndef VNCHL_ACCELERATOR_DRAIN_H
#define VNCHL_ACCELERATOR_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Shorter times are not judged: they measure how large single writes are. */
#define DRAIN_LEAST (10 * TICK_MS)

struct drain {
    double rate;   /* bytes per second, smoothed; 0: not known */
    bool waits;    /* bytes have waited since the beginning of the measurement */
    tick_t since;  /* when that was */
    uint64_t left; /* bytes that had left then */
};

/* After a write: so many bytes have left since the connection began; whether more of them wait. */
void drain_tell(struct drain *d, uint64_t left, bool waits, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
