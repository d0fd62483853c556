/* The certificates that a person has accepted: $XDG_DATA_HOME/vnchl/known_servers, or
 * ~/.local/share/vnchl/known_servers. One line each:
 *
 *     HOST PORT SHA-256 DATE        far.example 5901 AB:12:... 2026-11-22
 *
 * HOST is server_key(); of a Unix socket it is the path, and the port is 0. A line
 * that begins with # is a comment. Two lines of one server are both right.
 *
 * The file is read each time. It is only ever replaced by a whole new one, so that a reader never
 * sees half of it, and viewers that write at the same time wait for each other (known_servers.lock
 * beside it). Lines that are damaged are named and kept.
 *
 * Any thread. Nothing is shared but the file.
 */
#ifndef VNCHL_KNOWN_SERVERS_H
#define VNCHL_KNOWN_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "rfb/fingerprint.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

enum known {
    KNOWN_NOT,     /* nothing was accepted for this server */
    KNOWN_SAME,    /* this certificate was */
    KNOWN_CHANGED, /* another one was */
    KNOWN_FAILED,  /* the file cannot be read; `why` says so */
};

/* The line of a server. */
struct known_server {
    unsigned line; /* from 1 */
    char date[11]; /* "2026-11-22" */
    uint8_t sha256[FINGERPRINT_BYTES];
};

/* Looks the server up. `found` is filled in for KNOWN_SAME and KNOWN_CHANGED. */
enum known known_servers_check(const char *host, unsigned port,
                               const uint8_t sha256[FINGERPRINT_BYTES], struct known_server *found,
                               struct reason *why);

/* *has: any certificate was accepted for this server. False, with a reason: the file cannot be
 * read. */
bool known_servers_has(const char *host, unsigned port, bool *has, struct reason *why);

/* Remembers a certificate, accepted at `now`. One that is known already is not written again. */
bool known_servers_add(const char *host, unsigned port, const uint8_t sha256[FINGERPRINT_BYTES],
                       time_t now, struct reason *why);

/* Forgets what was accepted for this server: removes its lines. True, too, when there are none. */
bool known_servers_forget(const char *host, unsigned port, struct reason *why);

/* Where the file is, or would be. False with a reason when the environment does not tell. */
bool known_servers_path(char *out, size_t size, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
