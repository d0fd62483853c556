/* The viewer's end of the datagram path (docs/datagrams.md). Blocks come as packets beside the
 * reliable stream. The far end is told which have come, and is repeated what was said on the stream
 * until it has heard it.
 *
 * An address may change below it: this machine's, or what a gateway makes of it. So where nothing
 * answers any more, it says hello again, and asks for another socket, to say hello from there, too.
 *
 * Any thread begins it and gives it the socket; the receiver takes packets, the sender sends them.
 * It has a lock of its own. Functions that return `bool` and are said to wake say whether the
 * sender has to be woken.
 */
#ifndef VNCHL_SESSION_DATAGRAMS_H
#define VNCHL_SESSION_DATAGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/datagrams/body.h"
#include "rfb/proto/server_messages.h"
#include "rfb/session/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct datagrams;

/* `wanted`: else there never are any. NULL when out of memory or descriptors. */
struct datagrams *datagrams_create(bool wanted);
void datagrams_destroy(struct datagrams *d);

/* They are a ticket's: what is sent, and what is taken, has numbers from this one on, as of
 * sealer_begin_at(). There is no other socket, so hello is said from this one for as long as
 * nothing answers. Before it begins. */
void datagrams_by_ticket(struct datagrams *d, uint64_t first);

/* The far end takes datagrams, as it has shown: `ask` asks for a socket (struct session_hooks,
 * `ask_datagrams`), now and later, from the sender's thread. Nothing happens where it takes none,
 * `ask` is NULL, or there is no memory. Wakes. Once. */
bool datagrams_begin(struct datagrams *d, const struct accelerator_shown *shown,
                     void (*ask)(uint16_t port));

/* A UDP socket that leads to the far end, the first or one in place of it; it is closed here. -1:
 * there is none. Wakes receiver and sender. */
bool datagrams_give(struct datagrams *d, int fd);

/* ---- the receiver ---- */

/* Whether there may be packets. The receiver has begun it. */
bool datagrams_have_begun(const struct datagrams *d);

/* Readable when there may be a packet. */
int datagrams_wake_fd(struct datagrams *d);

/* Takes the next packet; `body` has SEALED_BODY_MAX bytes. False: there is none now. */
bool datagrams_take(struct datagrams *d, uint8_t *body, struct body_down *down);

/* Whether something is to be said at once, which only packets have brought up. Wakes. */
bool datagrams_has_news(struct datagrams *d);

/* The block with this number has come; `as_datagram`: else on the stream. Wakes. A far end that has
 * asked for it (`each`) is told of it here, once, and what was said is not repeated to it either.
 */
bool datagrams_came(struct datagrams *d, uint32_t number, bool as_datagram, tick_t now);

/* The parity with this number has come, or the block was made of parities. datagrams_has_news()
 * says it. */
void datagrams_parity_came(struct datagrams *d, uint32_t number, tick_t now);
void datagrams_made(struct datagrams *d, uint32_t number);

/* ---- the sender ---- */

/* Whether the stream's bytes are to be counted from here on, which the far end is told by a message
 * on the stream. True once. */
bool datagrams_take_count(struct datagrams *d);

/* That message has left, or these bytes behind it. */
void datagrams_count(struct datagrams *d);
void datagrams_said(struct datagrams *d, const void *bytes, size_t size);

/* Whether what is said arrives without waiting for the stream. */
bool datagrams_carry(struct datagrams *d);

/* When a packet is due; TICK_NEVER: none is. */
tick_t datagrams_due(struct datagrams *d);

/* Sends what is due. */
void datagrams_send(struct datagrams *d, tick_t now);

/* ---- figures ---- */

struct datagrams_figures {
    bool work;               /* packets come and go */
    uint64_t received, sent; /* bytes of packets */
};
void datagrams_figures(struct datagrams *d, struct datagrams_figures *out);

#ifdef __cplusplus
}
#endif
#endif
