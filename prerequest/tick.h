/* Monotonic time as a plain number of nanoseconds.
 *
 * The control logic never reads a clock. Every call takes `now`, so a test or a simulation decides
 * what time it is. The clock itself is in rfb/system/clock.h.
 */
#ifndef VNCHL_TICK_H
#define VNCHL_TICK_H

#include <stdint.h>

/* Nanoseconds since an arbitrary start, or between two times. The clock never goes backwards. */
typedef int64_t tick_t;

/* Later than every real time: "not due". */
#define TICK_NEVER INT64_MAX

#define TICK_MS ((tick_t)1000000)
#define TICK_S  ((tick_t)1000000000)

static inline tick_t tick_from_ms(double ms)
{
    return (tick_t)(ms * 1e6);
}

static inline double tick_to_ms(tick_t t)
{
    return (double)t / 1e6;
}

static inline double tick_to_s(tick_t t)
{
    return (double)t / 1e9;
}

static inline tick_t tick_sooner(tick_t a, tick_t b)
{
    return a < b ? a : b;
}

static inline tick_t tick_later(tick_t a, tick_t b)
{
    return a > b ? a : b;
}

#endif
