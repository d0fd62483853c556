/* Threads that nobody waits for: they ask somebody who may be slow, and end by themselves.
 */
#ifndef VNCHL_DETACHED_H
#define VNCHL_DETACHED_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts one. Signals stay with the other threads, whose waits they interrupt. False: there is
 * none, and `run` is not called. */
bool detached_start(void *(*run)(void *user), void *user);

#ifdef __cplusplus
}
#endif
#endif
