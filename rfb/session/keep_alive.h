/* Tells a silent link from a server that has nothing to say.
 *
 * While the user is active, and no byte has come for a while, the server is asked something that it
 * has to answer: one pixel, whether it has changed or not (a FramebufferUpdateRequest that is not
 * incremental). At most one such question is open. If neither its answer nor anything else comes,
 * the link is silent. For example: a key is sent at 0 s, the question at 2 s, and at 5 s the link
 * counts as silent.
 *
 * A user who only looks on sends nothing. That counts as active, too, but the server may be quiet
 * for longer before it is asked: a still screen is the rule then.
 *
 * While the user does nothing else, nothing is asked: the kernel's own probes find a dead
 * connection then (rfb/net/socket.c).
 *
 * Value type. Pure: time is an argument. The caller holds its own lock.
 */
#ifndef VNCHL_KEEP_ALIVE_H
#define VNCHL_KEEP_ALIVE_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/region.h"
#include "rfb/session/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct keep_alive {
    tick_t active_since; /* the first input after a rest */
    tick_t input_at;     /* the newest input; TICK_NEVER: none yet */
    tick_t watch_since;  /* the user looks on since then; TICK_NEVER: the user does not */
    tick_t asked_at;     /* when the newest question was due; TICK_NEVER: none yet */
    bool waits;          /* it has not been sent yet */
    tick_t answered_at;  /* when the newest answer came; TICK_NEVER: none yet */
    tick_t answer_time;  /* how long that took */
    bool pixel_comes;    /* the newest question has no answer yet */
};

void keep_alive_init(struct keep_alive *k);

/* Input was sent. */
void keep_alive_input(struct keep_alive *k, tick_t now);

/* The user looks on from now on, or not any more. */
void keep_alive_watch(struct keep_alive *k, bool on, tick_t now);

/* Looks whether a question is due. `heard_at`: when a byte came last. Call it also while nothing
 * can be sent: what was sent before waits for an answer, too. */
void keep_alive_look(struct keep_alive *k, tick_t heard_at, tick_t now);

/* Takes the question that waits to be sent: the pixel to ask for. False: none does. */
bool keep_alive_take(struct keep_alive *k, tick_t heard_at, struct rect *pixel);

/* The pixel's tile is the answer with some servers: 16 x 1 with QEMU, 64 x 64 with neatvnc. */
#define KEEP_ALIVE_TILE 64

/* Whether a rectangle that has come is the answer: the pixel, or its tile. */
bool keep_alive_answered(struct keep_alive *k, struct rect r, tick_t now);

/* How long the newest answer took; 0: it came too long ago to matter, or after a silence. */
tick_t keep_alive_answer_time(const struct keep_alive *k, tick_t now);

/* Whether a silent server would matter now: the user acts, or looks on. */
bool keep_alive_matters(const struct keep_alive *k, tick_t now);

/* Whether nothing has come since the newest question, for too long. */
bool keep_alive_silent(const struct keep_alive *k, tick_t heard_at, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
