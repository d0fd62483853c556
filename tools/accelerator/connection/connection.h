/* One client, its server, and what goes between them. All in the thread of the loop.
 *
 * Handshake and input are passed on as they come; updates as tools/accelerator/exchange/relay.h
 * says, and no faster than tools/accelerator/exchange/flight.h allows. Where the stream becomes one
 * that cannot be read it is a pipe in both directions.
 *
 * It has the sockets (transport/side.h), an object for all up to the end of the handshake
 * (arrival.h), and one for what both say (exchange/exchange.h). These know nothing of the
 * connection: they answer what follows for it. After each of their answers connection_settle()
 * writes, asks and waits.
 *
 * A connection belongs to its host, the service, which is told when it is over. It frees itself
 * then.
 */
#ifndef VNCHL_ACCELERATOR_CONNECTION_H
#define VNCHL_ACCELERATOR_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <uv.h>

#include "prerequest/tick.h"
#include "tools/accelerator/connection/targets.h"
#include "tools/accelerator/connection/turnstile.h"
#include "tools/accelerator/exchange/own_push.h"
#include "tools/accelerator/push/door.h"
#include "tools/accelerator/push/spawner.h"
#include "tools/accelerator/transport/identity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What all connections have done since the start. */
struct connection_totals {
    uint64_t bytes_down, bytes_up; /* to clients, to servers */
    uint64_t updates;              /* that have left for clients */
    uint64_t requests;             /* of clients */
    uint64_t asked;                /* requests made here */
    uint64_t pushed;               /* connections to which blocks are pushed */
    uint64_t pipes, lost;          /* connections that were plain pipes; that lost boundaries */
    uint64_t tls, tls_failed;      /* handshakes of TLS with clients, and those that failed */
    uint64_t datagrams_refused;    /* that came to a door and were no client's */
};

struct connection_options {
    enum continuous_updates continuous;
    bool ends_tls;               /* VeNCrypt is ended here, where that can be */
    bool certificate;            /* and offered with a certificate, where the server has none */
    bool push;                   /* blocks, to clients that take them */
    bool octopus;                /* by Octopus's rules (prerequest/push/octopus.h), */
    unsigned interval_ms;        /* with this U; 0: it follows the bandwidth */
    bool datagrams;              /* blocks may go as such, too, */
    struct door_ports udp;       /* to one of these ports */
    struct sockaddr_storage ssh; /* this machine's address, as a viewer has found it that ssh has
                                    let in; AF_UNSPEC: none has */
    struct sockaddr_storage ssh_client; /* and that viewer's */
    bool accelerate;        /* false: the client's own requests are passed on, as a plain proxy */
    bool paper;             /* the paper's algorithm alone (algorithm.h), to reproduce it */
    bool whole;             /* updates leave for the client when they have come whole */
    const char *congestion; /* of the clients' sockets; NULL: LEG_CONGESTION if there is one */
    size_t hold_most;       /* bytes for one client; then nothing more is read from its server */
    unsigned keep_s;        /* a far end that pushes is kept for the next viewer; 0: it is not */
    const char *token;      /* of that viewer; NULL: none, and nothing is kept */
    tick_t handshake_limit; /* until both are behind the handshake, or a plain pipe has been used */
};

struct connection;

#define SCRATCH_BYTES (64u << 10)

struct connection_host {
    uv_loop_t *loop;
    const struct connection_options *options;
    struct connection_totals *totals;
    const struct identity *identity; /* NULL: there is none */
    struct spawner *spawner;
    struct turnstile turnstile;
    uint8_t *scratch; /* SCRATCH_BYTES, for all connections */
    LIST_HEAD(, connection) all;
    /* One of them is over. It is in the list no more, and nothing of it may be used later. */
    void (*over)(struct connection_host *host, struct connection *c);
};

/* Where clients come in, and go to. */
struct connection_way {
    bool exposed;            /* clients of other machines can come */
    struct target *target;   /* NULL: a repeater, */
    struct targets *by_name; /* whose clients are asked which server they want */
};

/* Takes the client's socket, and connects to the first address of the target that answers. NULL
 * when out of memory; the socket is closed then. */
struct connection *connection_begin(struct connection_host *host, int client_fd,
                                    const struct sockaddr_storage *peer, uint64_t id,
                                    const struct connection_way *way);

/* Ends it, with a line in the log. */
void connection_end(struct connection *c, const char *why);

/* At once, with nothing said. */
void connection_cut(struct connection *c);

/* What the service keeps about it. */
struct connection_about {
    struct sockaddr_storage peer;
    size_t held;      /* bytes for the client */
    tick_t held_for;  /* how long the oldest of them has waited, ns */
    bool unanswered;  /* a request is at the server */
    bool accelerated; /* its messages are read */
    bool pushed;      /* another process pushes blocks to it */
};
void connection_about(const struct connection *c, struct connection_about *about);

/* The next of host->all; NULL: that was the last. */
struct connection *connection_next(const struct connection *c);

#ifdef __cplusplus
}
#endif
#endif
