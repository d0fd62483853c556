/* What was learnt of the servers that were connected to, so that the next picture of them comes
 * sooner (struct session_memory): in the file `hosts` of viewer/state_file.h, a line each, the
 * newest first:
 *
 *     HOST PORT MINOR SECURITY WIDTH HEIGHT WAITS QUALITY WINDOW WHEN HELLO
 *     far.example 5901 8 1 1920 1080 0 7 4194304 1795000000 0
 *     far.example 5902 8 19.261 1920 1080 0 7 4194304 1795000000 0
 *
 * SECURITY is the number of the security type, and where it has subtypes, a point and that of the
 * subtype. WAITS is when the server last did not take what was said early, HELLO when this was only
 * TLS's ClientHello; 0 if it never was so. WHEN is when the line was written, within
 * HOSTS_ROUGHLY. All three are seconds since 1970. A line may end behind WAITS: then nothing is
 * known of the path. It may end behind WHEN: then HELLO is 0.
 *
 * HOST is server_key(): behind a gateway or a repeater the same name is another server. What is
 * damaged is not there. Two viewers that write at once may lose a line: it is learnt again.
 *
 * UI thread, or headless mode's.
 */
#ifndef VNCHL_HOSTS_H
#define VNCHL_HOSTS_H

#include <time.h>

#include "rfb/net/route.h"
#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HOSTS_MAX 200 /* servers in the file. Chosen: more than a person has. */

/* Seconds. So long what was learnt of the path counts: quality and window. Chosen. */
#define HOSTS_PATH_LASTS (24 * 3600)
/* So long a server that did not take what was said early is asked one thing after the other. */
#define HOSTS_WAITS_LASTS (30 * 24 * 3600)
/* A line whose time alone has changed by less is not written again. */
#define HOSTS_ROUGHLY 3600

/* What is known of the server at the time `now`; all zero: nothing. */
struct session_memory hosts_recall_at(const struct address *a, const struct route *route,
                                      time_t now);
struct session_memory hosts_recall(const struct address *a, const struct route *route);

/* Remembers it, or with minor 0 forgets what was known. Writes nothing if nothing has changed. */
bool hosts_remember_at(const struct address *a, const struct route *route,
                       const struct session_memory *m, time_t now, struct reason *why);
bool hosts_remember(const struct address *a, const struct route *route,
                    const struct session_memory *m, struct reason *why);

/* Remembers what this session has shown of the server, if it got so far. */
void hosts_learn(const struct address *a, const struct route *route, struct session *s);

#ifdef __cplusplus
}
#endif
#endif
