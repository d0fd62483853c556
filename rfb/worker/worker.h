/* A session in a process of its own, which is shut in: what a server makes of the decoder stays
 * there.
 *
 * It is used as any session (rfb/session/session.h). The process has the connection, TLS, the
 * decoder and the scheduler. This side looks up names, connects, runs ssh, writes files, and keeps
 * the passwords: the process gets the connected socket, and a secret when it has to use it.
 *
 * A thread of this module, the courier, makes the connection and takes what the process says. All
 * of that is checked. A process that says what it may not is ended, and so is one that does not
 * answer. In both cases, and when it crashes, SESSION_CLOSED comes with FAILURE_CRASHED; with
 * FAILURE_START when it had nothing of a server yet.
 */
#ifndef VNCHL_WORKER_H
#define VNCHL_WORKER_H

#include <stddef.h>

#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the process. As session_create() otherwise; `connector` and `picture_fd` of the options
 * are not used. What the options point to outlives the session. When the process cannot be started,
 * the session ends at once, and SESSION_CLOSED says why. */
struct session *worker_create(const struct session_options *options);

/* "Landlock, seccomp, limits; not: namespaces" of a session that worker_create() has made; empty
 * until that is known. Any thread. */
void worker_shut_in_by(struct session *s, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
