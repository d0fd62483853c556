/* What a client and its server say to each other: both directions, and what both know. One object
 * for each connection. No socket, no clock: its owner brings bytes (down.in, up.in, or directly)
 * and takes them away (down.out, up.out). Each call answers what follows for the owner.
 *
 * Until exchange_begin(), and for ever where the handshake cannot be followed, it is a plain pipe.
 */
#ifndef VNCHL_ACCELERATOR_EXCHANGE_H
#define VNCHL_ACCELERATOR_EXCHANGE_H

#include "tools/accelerator/exchange/down.h"
#include "tools/accelerator/exchange/flight.h"
#include "tools/accelerator/exchange/up.h"

#ifdef __cplusplus
extern "C" {
#endif

struct exchange {
    const struct flight *path; /* to the client; its owner's */
    struct relay relay;
    struct own_push own;
    struct down down;
    struct up up;
};

/* What follows for the owner. Zero before; calls add to it. */
struct exchange_news {
    bool no_memory;          /* the connection has to end; */
    bool unfit;              /* so does this one: see up.h */
    bool in_use;             /* the client uses its session */
    const char *server_lost; /* why no boundaries are known in this direction from here on; */
    const char *client_lost; /* NULL: nothing has changed */
    unsigned ahead;          /* the format changes while so many updates are on their way */
    unsigned requests;       /* of the client */
    unsigned asked;          /* requests made here */
};

/* `whole`, `most`: see delivery_init(). */
void exchange_init(struct exchange *x, const struct flight *path, bool whole, size_t most,
                   enum continuous_updates continuous);
void exchange_deinit(struct exchange *x);

/* The handshake is over: what comes from now on are messages. Not `accelerate`: the client's own
 * requests are passed on. `congestion`: see down_begin(). */
void exchange_begin(struct exchange *x, const struct pixel_format *format, int width, int height,
                    bool accelerate, const char *congestion);

/* Behind that: the server is asked as the paper has it (relay.h). The client gets no
 * ContinuousUpdates, which the paper does not know. */
void exchange_follow_paper(struct exchange *x);

/* These bytes have come from the server. */
void exchange_from_server(struct exchange *x, const uint8_t *bytes, size_t size, tick_t now,
                          struct exchange_news *news);

/* Understands what has come from the client and waits in up.in. */
void exchange_from_client(struct exchange *x, tick_t now, struct exchange_news *news);

/* Understands what the handshake has left in down.in and up.in. */
void exchange_goes_on(struct exchange *x, tick_t now, struct exchange_news *news);

/* What is due between messages: the new pixel format, and what is said here. */
void exchange_say(struct exchange *x, tick_t now, struct exchange_news *news);

/* Asks the server if it is time to. */
void exchange_ask(struct exchange *x, tick_t now, struct exchange_news *news);

/* When to look again though nothing has happened; TICK_NEVER: not at all. */
tick_t exchange_look_again(const struct exchange *x, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
