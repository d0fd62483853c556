/* The certificates that a person has accepted: $XDG_DATA_HOME/vnchl/known_servers, or
 * ~/.local/share/vnchl/known_servers. One line each:
 *
 *     HOST PORT SHA-256 DATE        far.example 5901 AB:12:... 2026-11-22
 *     HOST PORT vouched DATE        desk.example 5900 vouched 2026-11-22
 *
 * The second kind says that an authority has vouched for a certificate of the server, whichever it
 * was. Only that there was one is remembered.
 *
 * HOST is server_key(); of a Unix socket it is the path, and the port is 0. A line
 * that begins with # is a comment. Two lines of one server are both right.
 *
 * The file is read each time. It is only ever replaced by a whole new one, so that a reader never
 * sees half of it, and viewers that write at the same time wait for each other (known_servers.lock
 * beside it). Lines that are damaged are named and kept. Where a damaged line is of the server that
 * is looked for, or its port cannot be read, nobody knows what was accepted: that is a failure,
 * unless another line is of the server, too.
 *
 * Any thread. Nothing is shared but the file.
 */
#ifndef VNCHL_KNOWN_SERVERS_H
#define VNCHL_KNOWN_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "rfb/texts/fingerprint.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

enum known {
    KNOWN_NOT,     /* nothing was accepted for this server */
    KNOWN_SAME,    /* this certificate was */
    KNOWN_CHANGED, /* another one was */
    KNOWN_FAILED,  /* nobody knows; `why` says which file, or line, cannot be read */
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

/* *has: any certificate was accepted for this server, or vouched for. False, with a reason: nobody
 * knows. */
bool known_servers_has(const char *host, unsigned port, bool *has, struct reason *why);

/* Remembers a certificate, accepted at `now`. One that is known already is not written again. */
bool known_servers_add(const char *host, unsigned port, const uint8_t sha256[FINGERPRINT_BYTES],
                       time_t now, struct reason *why);

/* Remembers that an authority has vouched for a certificate of this server. Where a line says
 * already that it had one, nothing is written. */
bool known_servers_add_vouched(const char *host, unsigned port, time_t now, struct reason *why);

/* Forgets what was accepted for this server: removes its lines, damaged ones, too. True, too, when
 * there are none. */
bool known_servers_forget(const char *host, unsigned port, struct reason *why);

/* Where the file is, or would be. False with a reason when the environment does not tell. */
bool known_servers_path(char *out, size_t size, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
