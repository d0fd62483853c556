/* The handshake: it is passed on and followed, up to its end. Where the client chooses VeNCrypt
 * that is ended here (vencrypt.h), if that may be. And what is said to a client in the place of a
 * server's: a repeater's question, and that there is no server. One object for each connection. No
 * socket, no clock: it moves what both directions hold.
 */
#ifndef VNCHL_ACCELERATOR_GREETING_H
#define VNCHL_ACCELERATOR_GREETING_H

#include "rfb/framing/handshake_framing.h"
#include "tools/accelerator/connection/vencrypt.h"
#include "tools/accelerator/exchange/down.h"
#include "tools/accelerator/exchange/up.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A handshake that cannot be followed counts as finished behind so many bytes, of which so many
 * came from each side. It is little, because a session with a still picture must not be cut off. So
 * only who is silent, or nearly, is sent away: a client that exchanges keys and gives no password
 * may stay. */
#define GREETING_PIPED_LEAST      ((size_t)1 << 10)
#define GREETING_PIPED_LEAST_EACH ((size_t)64)

struct greeting {
    struct handshake_framing framing;
    struct vencrypt_plan plan;
    bool adds;    /* VeNCrypt is offered to the client, and the server does not have it */
    bool between; /* VeNCrypt is spoken here, with both; or with the client alone */
    struct vencrypt vencrypt;
    bool proven;                 /* to the server, by us: */
    size_t answered;             /* so many bytes of the client's are still for us */
    size_t piped_down, piped_up; /* bytes that came for a plain pipe, until they are enough */
};

enum greeting_answer {
    GREETING_WAITS,      /* for more bytes */
    GREETING_TLS_SERVER, /* TLS begins with the server, when what waits for it has left; then */
    GREETING_TLS_CLIENT, /* or with the client; greeting_tls_begun() */
    GREETING_DONE,       /* both directions are behind it: framing.format, width, height */
    GREETING_PLAIN,      /* it cannot be followed: a plain pipe from here on (greeting_why()) */
    GREETING_REFUSED,    /* the server refuses the client, and what it says about that may follow */
    GREETING_FAILED,     /* it cannot go on (greeting_why()) */
};

/* A repeater asks its client which server it wants. */
bool greeting_ask_name(struct down *d, tick_t now);

/* Says why there is no server, so that the viewer can show it. */
bool greeting_refuse(struct down *d, const char *why, tick_t now);

/* The server is there. `plan`: how VeNCrypt is ended here; NULL: it is not. */
void greeting_begin(struct greeting *g, const struct vencrypt_plan *plan);

/* The same, and the server has taken a proof from us (ssh/once.c): the client is offered None,
 * in RFB 3.8, and the server hears it from ClientInit on. False: out of memory. */
bool greeting_begin_proven(struct greeting *g, struct down *d);

/* Passes on the bytes of both, as far as they have come. What follows the handshake stays where it
 * is, to be passed on by who reads it. */
enum greeting_answer greeting_go_on(struct greeting *g, struct down *d, struct up *u, tick_t now);

/* TLS stands on the side where it was to begin. False: out of memory. */
bool greeting_tls_begun(struct greeting *g, struct down *d, tick_t now);

/* It will never stand there. */
void greeting_tls_failed(struct greeting *g, struct down *d, tick_t now);

/* Whether what the server says now is for the client. */
bool greeting_passes(const struct greeting *g);

/* PLAIN, FAILED: why, a line for a log. */
const char *greeting_why(const struct greeting *g);

/* So many bytes have come for a plain pipe: greeting.piped_down or piped_up. True: just now it has
 * been used enough, and may stay. */
bool greeting_piped(struct greeting *g, size_t *way, size_t size);

#ifdef __cplusplus
}
#endif
#endif
