/* From the client to the server: what the client says, what of it the server is told, and what the
 * server is asked for here. One object for each connection. No socket, no clock: its owner reads
 * from the client and writes to the server. Of the other direction it knows what relay and own_push
 * know, and what its owner tells with each call.
 */
#ifndef VNCHL_ACCELERATOR_UP_H
#define VNCHL_ACCELERATOR_UP_H

#include "rfb/bytes_held.h"
#include "rfb/framing/client_framing.h"
#include "tools/accelerator/exchange/constants.h"
#include "tools/accelerator/exchange/own_push.h"
#include "tools/accelerator/exchange/relay.h"

#ifdef __cplusplus
extern "C" {
#endif

struct up {
    struct relay *relay;  /* its owner's, */
    struct own_push *own; /* as this is */
    enum continuous_updates continuous;
    struct bytes_held in;     /* not understood yet */
    struct bytes_held out;    /* for the server */
    struct bytes_held behind; /* whole messages for the server behind a new pixel format */
    bool reads;               /* messages are read */
    bool lost;                /* no boundaries of messages are known any more */
    struct client_framing framing;
    struct pixel_format format;        /* that the server was told last */
    struct pixel_format behind_format; /* among `behind` the last one */
    bool format_behind;                /* there is one */
    bool full_behind;                  /* and a non-incremental request */
    unsigned buttons;                  /* of the client's last pointer message */
    bool may_push;                     /* a process that pushes blocks could be started */
    bool pushed;                       /* and is to be: the client takes blocks. Nothing more is
                                          understood then, */
    bool goodbye;                      /* but whether what came last says that the client leaves */
    tick_t blind_at;                   /* when the server is asked next, where no ends are known */
};

/* One call: what it is told, and what it answers. */
struct up_turn {
    tick_t now;
    /* of the other direction */
    bool server_lost;    /* no boundaries are known, */
    bool server_between; /* or a message may begin */
    bool server_buttons; /* the client may send extended pointer messages */
    bool slack;          /* less than half waits for the client of what may */
    struct relay_view view;

    /* the answer; zero before */
    bool in_use;       /* the client uses its session */
    bool format;       /* from now on the server's pixels have up.format */
    bool lost;         /* boundaries are not known from here on: framing says why */
    bool unfit;        /* that cannot go on with ContinuousUpdates of the accelerator's own */
    bool other_blocks; /* it takes blocks, of versions that are not spoken here */
    bool shows;        /* the client knows how an accelerator shows itself */
    bool failed;       /* out of memory: the connection has to end */
    unsigned ahead;    /* the format changes while so many updates are on their way */
    unsigned requests; /* of the client */
    unsigned asked;    /* of the server here */
};

void up_init(struct up *u, struct relay *relay, struct own_push *own,
             enum continuous_updates continuous);
void up_deinit(struct up *u);

/* What comes from now on are messages. */
void up_begin(struct up *u);

/* Whether more is to be read from the client. */
bool up_has_room(const struct up *u);

/* Passes on the first `size` bytes of `in` as they are. False: out of memory. */
bool up_pass(struct up *u, size_t size);

/* Understands what waits in `in`. */
void up_take(struct up *u, struct up_turn *t);

/* Changes the pixel format when it can be changed now. */
void up_change_format(struct up *u, struct up_turn *t);

/* Asks the server if it is time to. */
void up_ask(struct up *u, struct up_turn *t);

/* When to look again whether it is, or whether the format can be changed; TICK_NEVER: when
 * something happens. */
tick_t up_look_again(const struct up *u, const struct up_turn *t);

#ifdef __cplusplus
}
#endif
#endif
