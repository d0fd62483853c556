/* What a viewer sees that comes again before its connection stands: it has used the ticket of its
 * last visit, and is shown the picture as datagrams (docs/datagrams.md). All ends with the viewer's
 * stream, behind which everything begins anew; or when the viewer says nothing any more.
 *
 * It takes nothing from the viewer but what it tells of blocks. In its packets the four bytes of
 * what was heard say how large the picture is.
 *
 * The thread of the pusher's loop.
 */
#ifndef VNCHL_PUSHER_AHEAD_H
#define VNCHL_PUSHER_AHEAD_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/proto/server_messages.h"
#include "rfb/pusher/constants.h"
#include "rfb/pusher/path.h"
#include "rfb/pusher/viewer_side.h"
#include "rfb/pusher/words.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero at first. */
struct ahead {
    struct door_opening ticket; /* for the viewer's next visit; port 0: there is none */
    struct path *path;          /* NULL: there is no preview */
    tick_t heard_at;
};

/* A ticket takes the place of the one before. */
void ahead_take_ticket(struct ahead *p, const struct door_opening *ticket);
/* The viewer that comes next is told of it. */
void ahead_show(const struct ahead *p, struct accelerator_shown *shown);

/* The ticket was used: `fd` is connected to who has done so, and is closed here. `proved`: as of
 * path_create_on(). `tries`: as often it was tried before, and what was said then, if anything was,
 * must not be taken for what is said now. Where it cannot begin, there is none. */
void ahead_begin(struct ahead *p, struct viewer_side *v, int fd, bool proved, uint16_t tries);
/* The viewer's stream is there; `v` is told that by its owner. */
void ahead_end(struct ahead *p);
void ahead_deinit(struct ahead *p);

bool ahead_is_on(const struct ahead *p);
int ahead_fd(const struct ahead *p); /* to be read; -1: none */
void ahead_read(struct ahead *p, struct viewer_side *v, tick_t now);
/* Sends what is due, and ends what has become silent. */
void ahead_send(struct ahead *p, struct viewer_side *v, tick_t now);
/* When ahead_send() has to be called though nothing happens; TICK_NEVER: never. */
tick_t ahead_due(const struct ahead *p);

#ifdef __cplusplus
}
#endif
#endif
