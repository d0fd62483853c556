/* What a connection is made of. Only for the files connection*.c.
 *
 * connection.c has its life: sockets, waiting, the end. connection_down.c and connection_up.c have
 * one direction each. Their functions only fill and empty what is held; after any of them
 * connection_settle() writes, asks and waits.
 */
#ifndef VNCHL_ACCELERATOR_CONNECTION_STATE_H
#define VNCHL_ACCELERATOR_CONNECTION_STATE_H

#include "rfb/framing/client_framing.h"
#include "rfb/framing/handshake_framing.h"
#include "rfb/framing/server_framing.h"
#include "tools/accelerator/backlog.h"
#include "tools/accelerator/bytes_held.h"
#include "tools/accelerator/connection.h"
#include "tools/accelerator/drain.h"
#include "tools/accelerator/flight.h"
#include "tools/accelerator/forward.h"
#include "tools/accelerator/own_push.h"
#include "tools/accelerator/relay.h"

/* Bytes for the server that may wait, before the client is not read any more. */
#define UP_MOST ((size_t)64 << 10)

/* Updates that have come whole and wait here. More come only from a server that pushes. */
#define WAITING_MOST 64

/* How many bytes one turn of the loop writes or reads for one connection. So one that has much to
 * do cannot hold up the others. */
#define TURN_BYTES SCRATCH_BYTES

/* A handshake that cannot be followed counts as finished behind so many bytes, of which so many
 * came from each side. It is little, because a session with a still picture must not be cut off. So
 * only who is silent, or nearly, is sent away: a client that exchanges keys and gives no password
 * may stay. */
#define PIPED_LEAST      ((size_t)1 << 10)
#define PIPED_LEAST_EACH ((size_t)64)

/* Answers to a client's fences that wait for the end of an update, before it is not read. Beyond
 * what is held of the server, what is said here to a client that does not read it. */
#define ANSWERS_MOST ((size_t)4 << 10)

/* A request that no update has answered for so long waits for the screen to change: a new pixel
 * format does not wait for it any more. */
#define FORMAT_PATIENCE (100 * TICK_MS)

/* Where no ends of updates are known, a client with ContinuousUpdates is asked for so often. */
#define BLIND_EVERY (100 * TICK_MS)

/* A client whose kernel acknowledges nothing for so long, with bytes on their way to it, has gone.
 * One that is there and does not read still acknowledges. */
#define SILENCE_LIMIT (60 * TICK_S)
#define SILENCE_LOOK  (10 * TICK_S)

#define CONNECT_LIMIT (10 * TICK_S)
#define LEAVE_LIMIT   (5 * TICK_S) /* for the rest of what waits, at the end */

enum phase {
    PHASE_NAMING,     /* the client says which server it wants */
    PHASE_CONNECTING, /* to the server */
    PHASE_HANDSHAKE,
    PHASE_MESSAGES, /* both directions are read */
    PHASE_PIPE,     /* bytes are passed on, and not read */
    PHASE_LEAVING,  /* what waits for the client still leaves */
    PHASE_GONE      /* handles are being closed */
};

struct side {
    int fd;          /* -1: none */
    uv_poll_t *poll; /* NULL: none */
    int events;      /* that are waited for now */
    bool full;       /* bytes wait until the socket has room */
    bool leaving;    /* it has said that it ends: what it said before may still be unread */
    bool ended;      /* nothing more comes from there */
    bool shut;       /* nothing more is sent there */
};

struct connection {
    struct connection *next, *before;
    struct connection_host *host;
    uint64_t id;
    struct sockaddr_storage peer;
    char name[64]; /* of the peer */
    bool exposed;  /* it came by a port that other machines reach */
    struct target *target;
    struct targets *by_name;
    int attempt; /* which of the target's addresses */
    enum phase phase;
    tick_t deadline; /* of this phase; TICK_NEVER: none */
    tick_t begun;
    struct side client, server;
    uv_timer_t timer;
    int handles; /* open ones */

    struct backlog to_client;
    struct bytes_held to_server;
    struct bytes_held from_client; /* not understood yet */
    struct bytes_held from_server; /* likewise, during the handshake */
    struct bytes_held behind;      /* whole messages for the server behind a new pixel format */

    struct handshake_framing handshake;
    struct server_framing down;
    struct client_framing up;
    bool in_use;             /* by its client */
    bool down_lost, up_lost; /* no boundaries are known any more */
    struct relay relay;
    struct own_push own;
    struct bytes_held answers; /* to the client's fences, until a message may begin */
    unsigned ends_due;         /* so many EndOfContinuousUpdates, before what is behind */
    tick_t blind_at;           /* when the server is asked next, where no ends are known */
    struct pixel_format next_format;
    bool format_new;  /* it is to be used from relay_format_changed() on */
    bool full_behind; /* among `behind` is a non-incremental request */
    bool owed;        /* one more request is to be made, though the client's own are passed on */
    struct flight flight;
    struct drain drain;
    struct forward forward;
    size_t unsent_allowed; /* as the socket was told */
    tick_t look_again;     /* when there is room in flight again */
    bool unacknowledged;   /* bytes are in the client's socket */

    size_t piped_down, piped_up; /* bytes that came for a plain pipe, while it has a deadline */
    uint64_t came, left;         /* bytes for the client: come, and gone to its socket */
    struct {
        uint64_t end; /* `came` behind its last byte */
        tick_t at;
    } updates[WAITING_MOST];
    unsigned first, waiting;
    uint64_t updates_left;
    tick_t held_since; /* since when there are bytes that wait for the client */
};

/* ---- connection_down.c: from the server to the client ---- */

/* Reads what has come from the server. */
void down_read(struct connection *c);
/* Understands it: what is appended to what the client gets. */
void down_take(struct connection *c, const uint8_t *bytes, size_t size);
/* Writes as much as may leave now. */
void down_write(struct connection *c, tick_t now);
/* Says to the client what is ours, if a message may begin. */
void down_say(struct connection *c, tick_t now);
/* For relay_next(). */
void down_view(const struct connection *c, struct relay_view *v);

/* ---- connection_up.c: from the client to the server ---- */

void up_read(struct connection *c);
/* Takes from the client what nobody wants any more, until it ends. */
void up_skip(struct connection *c);
/* Understands what waits in from_client. */
void up_take(struct connection *c);
void up_write(struct connection *c);
/* The server takes nothing more: what waits for it is dropped. What it has said still comes. */
void up_shut(struct connection *c);
/* Changes the pixel format when it can be changed now. */
void up_change_format(struct connection *c, tick_t now);
/* When to look again whether it can, or whether to ask; TICK_NEVER: when something happens. */
tick_t up_look_again(const struct connection *c, tick_t now);
/* Asks the server if it is time to. */
void up_ask(struct connection *c, tick_t now);
/* The client's own requests are passed on from now on. */
void up_stop_asking(struct connection *c);

/* ---- connection.c ---- */

void connection_close_side(struct connection *c, struct side *s);
/* The client uses its session: it may keep it as long as it likes. */
void connection_in_use(struct connection *c);
/* What follows from all that has happened: writes, asks, waits. */
void connection_settle(struct connection *c);

/* ---- connection_greeting.c ---- */

/* Both directions of the handshake, as far as they have come. */
void connection_greet(struct connection *c);
/* Finds the server that the client has named. */
void connection_name(struct connection *c);
/* So many bytes have come for a plain pipe, on this way. */
void connection_piped(struct connection *c, size_t *way, size_t size);
/* Tries the target's addresses, from c->attempt on. */
void connection_connect(struct connection *c);
/* Whether the attempt has succeeded. */
void connection_connected(struct connection *c);
/* It has not, for this cause of errno: the next address, or the client is told. */
void connection_attempt_failed(struct connection *c, int error);

#endif
