/* Threads: one that nobody waits for, waking one that waits, limits of waits, waiting for its end,
 * and how long it has computed.
 *
 * Any thread.
 */
#ifndef VNCHL_THREAD_H
#define VNCHL_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "rfb/system/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts one that nobody waits for: it ends by itself, or with the process. Signals stay with the
 * other threads, whose waits they interrupt. False: there is none, errno says why, and `run` is not
 * called. */
bool detached_start(void *(*run)(void *user), void *user);

/* Makes the eventfd readable. `whom` is for the log. Callable from any thread. */
void eventfd_wake(int fd, const char *whom);

/* The time in `t` ns, as pthread's waits with a limit want it. */
static inline struct timespec tick_to_deadline(tick_t t)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return tick_to_timespec((tick_t)now.tv_sec * TICK_S + now.tv_nsec + t);
}

/* Waits for the end of a thread, `limit` ns at most. Whether it has ended. */
static inline bool thread_join_within(pthread_t thread, tick_t limit)
{
    struct timespec until = tick_to_deadline(limit);

    return pthread_timedjoin_np(thread, NULL, &until) == 0;
}

/* s of CPU time: CLOCK_THREAD_CPUTIME_ID, CLOCK_PROCESS_CPUTIME_ID, or another thread's clock. 0
 * when it cannot be read. */
static inline double cpu_seconds(clockid_t clock)
{
    struct timespec t = {0, 0};

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#ifdef __cplusplus
}
#endif
#endif
