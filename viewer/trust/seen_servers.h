/* What servers have shown in this run of the program: which of them had a certificate, and how a
 * password that was given for no server in particular was protected when one of them got it.
 *
 * It counts for every attempt to connect of the run, however that begins, also where nothing is
 * written down: for a certificate that was accepted for this time only, for example. Nothing is
 * ever taken out. What outlives the run is in known_servers.h.
 *
 * Any thread: it has a lock of its own. Servers are named by server_key() and the port.
 */
#ifndef VNCHL_SEEN_SERVERS_H
#define VNCHL_SEEN_SERVERS_H

#include <stdbool.h>

#include "viewer/trust/purpose.h"

#ifdef __cplusplus
extern "C" {
#endif

struct seen_servers;

/* NULL when out of memory. */
struct seen_servers *seen_servers_create(void);

/* Frees. Safe on NULL. */
void seen_servers_destroy(struct seen_servers *s);

/* Whether the user wants servers to be remembered in files; at first not. */
void seen_servers_set_written(struct seen_servers *s, bool on);

/* This server has shown a certificate, which was accepted. Whether that is to be written down. */
bool seen_servers_note_certificate(struct seen_servers *s, const char *key, unsigned port);

/* Whether it has; also true once something could not be noted for want of memory. */
bool seen_servers_had_certificate(struct seen_servers *s, const char *key, unsigned port);

/* What was given went to this server, for this purpose. */
void seen_servers_note_purpose(struct seen_servers *s, const char *key, unsigned port,
                               const struct purpose *p);

/* The purpose noted last. False: none was, and `out` is left alone. */
bool seen_servers_purpose(struct seen_servers *s, const char *key, unsigned port,
                          struct purpose *out);

#ifdef __cplusplus
}
#endif
#endif
