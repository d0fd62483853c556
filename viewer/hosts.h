/* What was learnt of the servers that were connected to, so that the next picture of them comes
 * sooner (struct session_memory): in the file `hosts` of viewer/state_file.h, a line each, the
 * newest first:
 *
 *     HOST PORT MINOR SECURITY WIDTH HEIGHT WAITS      far.example 5901 8 1 1920 1080 0
 *
 * HOST is as the person named it, or the path of a Unix socket. What is damaged is not there. Two
 * viewers that write at once may lose a line: it is learnt again.
 *
 * UI thread, or headless mode's.
 */
#ifndef VNCHL_HOSTS_H
#define VNCHL_HOSTS_H

#include "rfb/net/address.h"
#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HOSTS_MAX 200 /* servers in the file. Chosen: more than a person has. */

/* What is known of the server; all zero: nothing. */
struct session_memory hosts_recall(const struct address *a);

/* Remembers it, or with minor 0 forgets what was known. Writes nothing if nothing has changed. */
bool hosts_remember(const struct address *a, const struct session_memory *m, struct reason *why);

/* Remembers what this session has shown of the server, if it got so far. */
void hosts_learn(const struct address *a, struct session *s);

#ifdef __cplusplus
}
#endif
#endif
