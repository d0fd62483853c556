/* The clock that every thread of the program reads. It stands outside prerequest/, which is told
 * the time in each call.
 */
#ifndef VNCHL_CLOCK_H
#define VNCHL_CLOCK_H

#include <time.h>

#include "prerequest/tick.h"

/* The kernel's monotonic clock. */
static inline tick_t tick_now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tick_t)ts.tv_sec * TICK_S + ts.tv_nsec;
}

/* For the kernel's waits. A time that has passed (t < 0) becomes 0: do not wait. */
static inline struct timespec tick_to_timespec(tick_t t)
{
    struct timespec ts = {0, 0};

    if (t > 0) {
        ts.tv_sec = t / TICK_S;
        ts.tv_nsec = t % TICK_S;
    }
    return ts;
}

#endif
