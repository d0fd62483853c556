/* A client's way from its arrival to its first message: which server it wants, the connection to
 * that, the handshake, TLS on both sides. One object for each connection, which owns the sockets
 * and what both say; only the loop's thread.
 *
 * The connection brings what happens, and calls arrival_go_on() then. What waits in down.out and
 * up.out it writes by itself.
 */
#ifndef VNCHL_ACCELERATOR_ARRIVAL_H
#define VNCHL_ACCELERATOR_ARRIVAL_H

#include "rfb/bytes_held.h"
#include "tools/accelerator/connection/greeting.h"
#include "tools/accelerator/connection/targets.h"
#include "tools/accelerator/connection/turnstile.h"
#include "tools/accelerator/exchange/exchange.h"
#include "tools/accelerator/transport/identity.h"
#include "tools/accelerator/transport/side.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which server a client gets, and the attempts to reach it: one address of the target after the
 * other. One object for each connection; only the loop's thread.
 */

struct dial {
    struct target *target;   /* NULL: not known yet */
    struct targets *by_name; /* of a repeater: among these it is */
    int next;                /* of the target's addresses: which one is tried next */
};

enum dial_name {
    DIAL_NAME_WAITS,   /* the client has not said it yet */
    DIAL_NAME_KNOWN,   /* there is a target */
    DIAL_NAME_UNKNOWN, /* there is no such server */
};

#define ARRIVAL_CONNECT_LIMIT (10 * TICK_S) /* for each address */
#define ARRIVAL_TLS_LIMIT     (10 * TICK_S) /* for each handshake of TLS */

enum arrival_step {
    ARRIVAL_NAMING,     /* the client says which server it wants */
    ARRIVAL_CONNECTING, /* to the server */
    ARRIVAL_GREETING,   /* the handshake */
    ARRIVAL_TLS,        /* with the side that `shaking` says */
};

/* What the connection of an arrival lends to it. */
struct arrival_host {
    struct side *client, *server;
    struct exchange *x;
    const struct sockaddr_storage *peer;
    bool ends_tls;                   /* it is wanted here, */
    const struct identity *identity; /* and can be; NULL: it cannot */
    bool certificate;                /* see vencrypt.h */
    struct turnstile *turnstile;
};

struct arrival {
    struct arrival_host host;
    enum arrival_step step;
    tick_t limit;         /* of this step */
    tick_t greeting_ends; /* the limit of all of it but of connecting */
    struct dial dial;
    struct greeting greeting;
    struct side *shaking; /* NULL: none */
    bool asked;           /* a repeater's client, which server it wants */
    bool inside;          /* the turnstile */
    bool queues;          /* in front of it */
    struct reason why;
};

/* The server, or for a repeater those that the client may name. `greeting_ends`: when the handshake
 * has to be over. */
void arrival_init(struct arrival *a, const struct arrival_host *host, struct target *target,
                  struct targets *by_name, tick_t greeting_ends);
void arrival_deinit(struct arrival *a);

enum arrival_answer {
    ARRIVAL_WAITS,
    ARRIVAL_SESSION, /* messages follow: greeting.framing has the screen */
    ARRIVAL_PLAIN,   /* a plain pipe follows: greeting_why() */
    ARRIVAL_REFUSED, /* likewise, for what the server says about its refusal */
    ARRIVAL_FAILED,  /* `why` */
};

/* Goes on as far as can be. */
enum arrival_answer arrival_go_on(struct arrival *a, tick_t now);

/* The socket to the server tells something. */
enum arrival_answer arrival_server_tells(struct arrival *a, tick_t now);

/* `limit` has come. */
enum arrival_answer arrival_is_late(struct arrival *a, tick_t now);

/* Events of libuv that the arrival itself waits for: to connect, and for TLS. */
int arrival_wants_client(const struct arrival *a);
int arrival_wants_server(const struct arrival *a);

/* Whether bytes may be read from there into up.in, or down.in. */
bool arrival_reads_client(const struct arrival *a);
bool arrival_reads_server(const struct arrival *a);

/* Whether arrival_go_on() would begin with TLS now: what was said before that has left. */
bool arrival_can_begin_tls(const struct arrival *a);

/* ARRIVAL_PLAIN: why, a line for a log. */
const char *arrival_why_plain(const struct arrival *a);

/* When to look again though nothing has happened. */
tick_t arrival_look_again(const struct arrival *a, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
