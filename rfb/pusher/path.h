/* The far end's end of the datagram path (docs/datagrams.md): the socket, what is sealed and opened
 * on it, and whether it works.
 *
 * vnchl-accel opens the socket, and connects it to the viewer that has proved itself. It comes
 * through the *door* (rfb/pusher/words.h). The path works once the viewer has said back the mark
 * of a packet that was sent on it. When the viewer tells of no block any more it does not, and has
 * to be shown to work anew: with another mark. So it has when the viewer says hello from another
 * address, and another socket comes.
 *
 * A path begins with packets that pass everywhere, and tries larger ones
 * (prerequest/push/packet_size.h). So it does at each new address.
 *
 * The thread of the pusher's loop.
 */
#ifndef VNCHL_PUSHER_PATH_H
#define VNCHL_PUSHER_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/datagrams/body.h"
#include "rfb/proto/server_messages.h"
#include "rfb/pusher/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct path;

/* `door`: it is closed with the path, or at once if no opening waits in it; -1: there is none, and
 * the path never works. NULL when out of memory. */
struct path *path_create(int door);
/* Without a door: by this socket alone, which the path closes. `proved`: its address may be sent
 * what there is to send, before it has answered. Packets have numbers from `first` on, each way.
 * NULL when out of memory; the socket is closed then. */
struct path *path_create_on(const uint8_t secret[SEALED_SECRET], int fd, bool proved,
                            uint64_t first, tick_t now);
/* For another viewer: nothing is left of the one before. False: out of memory, and there is no path
 * any more. */
bool path_begin_anew(struct path **p, int door);
void path_destroy(struct path *p);

/* Fills in how the viewer finds the way, if there is one. */
void path_show(const struct path *p, struct accelerator_shown *shown);

/* Whoever comes now finds no way. */
void path_end(struct path *p);

/* What to wait for, to read: -1 is none. path_hear_door() is due when the first is readable. */
int path_door_fd(const struct path *p);
int path_fd(const struct path *p);
void path_hear_door(struct path *p, tick_t now);

/* Takes the next packet; `body` has SEALED_BODY_MAX bytes. False: there is none now. */
bool path_take(struct path *p, uint8_t *body, struct body_up *up);

bool path_works(const struct path *p);

/* Whether the viewer has asked for a packet since the last one was sent. */
bool path_owes(const struct path *p);

/* Bytes that a packet may have now: SEALED_ANYWHERE, or more after it was seen that more pass. */
size_t path_packet(const struct path *p);

/* Sends this, with the mark. What does not leave is like what is lost. */
void path_send(struct path *p, const struct body_down *d);

/* Sends what is due to find out how large packets may be. It works. */
void path_probe(struct path *p, uint32_t heard, tick_t now);

/* It does not work, or not any more: asks for an answer when that is due. An address that has not
 * answered yet is sent three times the bytes that have come from there at most. */
void path_ask(struct path *p, uint32_t heard, tick_t now);
/* When that is due, or path_probe(); TICK_NEVER: neither is. */
tick_t path_due(const struct path *p);

#ifdef __cplusplus
}
#endif
#endif
