/* Starts the program vnchl-session, which is beside this program, or where it was installed: the
 * process of a session, or that of a far end which pushes (rfb/pusher/pusher.h).
 *
 * It gets two to four descriptors, standard files that lead nowhere, and next to nothing of the
 * environment. Where the kernel lets this user make them, and run the program in them, it has
 * namespaces of its own: there it sees no other process, no network and nobody's shared memory.
 */
#ifndef VNCHL_SPAWN_H
#define VNCHL_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its descriptors, SPAWN_FDS at most. */
#define SPAWN_FIRST_FD  3
#define SPAWN_SECOND_FD 4
#define SPAWN_THIRD_FD  5
#define SPAWN_FOURTH_FD 6
#define SPAWN_FDS       4

/* Whether the program is there. False with a reason. */
bool spawn_possible(struct reason *why);

/* Starts it with these words behind its name, a list that ends with NULL, and these descriptors,
 * which stay the caller's: SPAWN_FIRST_FD comes first, and -1 is one that it does not find.
 * `*namespaces`: in, whether to try; out, whether it has its own. -1 with a reason. */
pid_t spawn_program(const char *const *words, const int fds[SPAWN_FDS], bool *namespaces,
                    struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
