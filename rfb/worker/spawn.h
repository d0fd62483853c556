/* Starts the process of a session: the program vnchl-session, which is beside this program, or
 * where it was installed.
 *
 * It gets the channel and the picture's memory, standard files that lead nowhere, and next to
 * nothing of the environment. Where the kernel lets this user make them, it has namespaces of its
 * own: there it sees no other process, no network and nobody's shared memory.
 */
#ifndef VNCHL_SPAWN_H
#define VNCHL_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts it with these descriptors, which stay the caller's. `*namespaces`: in, whether to
 * try; out, whether it has its own. -1 with a reason. */
pid_t spawn_worker(int channel, int picture, bool *namespaces, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
