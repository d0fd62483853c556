/* From the server to the client: what has come, where its messages end, and what the accelerator
 * itself says between them. One object for each connection. No socket, no clock: its owner reads
 * from the server and writes to the client. Of the other direction it knows what relay and own_push
 * know.
 */
#ifndef VNCHL_ACCELERATOR_DOWN_H
#define VNCHL_ACCELERATOR_DOWN_H

#include "rfb/bytes_held.h"
#include "rfb/framing/server_framing.h"
#include "rfb/proto/server_messages.h"
#include "tools/accelerator/exchange/delivery.h"
#include "tools/accelerator/exchange/own_push.h"
#include "tools/accelerator/exchange/relay.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Updates that have come whole and wait here. More come only from a server that pushes. */
#define DOWN_WAITING_MOST 64

struct down {
    struct relay *relay;  /* its owner's, */
    struct own_push *own; /* as this is */
    struct bytes_held in; /* of the handshake: not passed on yet */
    struct delivery out;  /* for the client */
    bool reads;           /* messages are read */
    bool lost;            /* no boundaries of messages are known any more */
    bool show_due, shown; /* the client is to be told of us; it was */
    bool shows_blocks;    /* and which versions of blocks are spoken here */
    char congestion[ACCELERATOR_CONGESTION];
    uint64_t updates; /* that have left */
    struct server_framing framing;
    uint64_t ends[DOWN_WAITING_MOST]; /* where the updates end that have come and not left */
    unsigned first, waiting;
};

enum down_answer {
    DOWN_GOES_ON,
    DOWN_LOST,      /* boundaries are not known from here on: framing says why */
    DOWN_NO_MEMORY, /* the connection has to end */
};

/* `whole`, `most`: see delivery_init(). */
void down_init(struct down *d, struct relay *relay, struct own_push *own, bool whole, size_t most);
void down_deinit(struct down *d);

/* What comes from now on are messages. `congestion`: the name of the TCP congestion control towards
 * the client, which is told to one that knows of accelerators; empty: none. */
void down_begin(struct down *d, const struct pixel_format *format, int width, int height,
                const char *congestion);

/* These bytes are for the client. */
enum down_answer down_take(struct down *d, const uint8_t *bytes, size_t size, tick_t now);

/* Passes on the first `size` bytes of `in`. */
enum down_answer down_pass(struct down *d, size_t size, tick_t now);

/* The pixels behind the message that has come last have this format. */
void down_set_format(struct down *d, const struct pixel_format *format);

/* Whether the next byte that comes begins a message, as far as that is known. */
bool down_between(const struct down *d);

/* Says to the client what is to be said here, if a message may begin. */
enum down_answer down_say(struct down *d, tick_t now);

/* The first `size` bytes have left. Returns how many updates have left whole with them. */
unsigned down_left(struct down *d, size_t size, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
