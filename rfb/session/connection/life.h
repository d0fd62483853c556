/* The life of a session: connecting, running, closed; that it is to end, and why; the deadlines of
 * the handshake, and the watchdog. It ends a session whose server does not go on, and asks a server
 * that says nothing whether it is there.
 *
 * Any thread; it has a lock of its own. It knows no socket and no clock: time and counters are
 * arguments, and what follows (cutting the connection) is the caller's to do.
 */
#ifndef VNCHL_LIFE_H
#define VNCHL_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/region.h"
#include "rfb/session/constants.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

enum life_phase { LIFE_CONNECTING, LIFE_RUNNING, LIFE_CLOSED };

struct life;

struct life_options {
    tick_t connect_timeout; /* ns: a handshake that gets no byte for so long ends the session, and
                             * one that lasts LIFE_HANDSHAKE_MOST times as long */
    tick_t stall_timeout;   /* ns: a message that gets no byte for so long ends the session */
    bool relayed;           /* the way to the server leads through a tunnel or a repeater */
};

/* NULL when out of memory. */
struct life *life_create(const struct life_options *options, tick_t now);
void life_destroy(struct life *l);

enum life_phase life_phase(struct life *l);

/* ---- the end ---- */

/* The owner wants the end. True when the session ran as the owner wanted it first. The phase does
 * not tell: the receiver may close the session as soon as it is stopped. */
bool life_stop(struct life *l);
bool life_is_stopping(struct life *l);

/* The session ends for this reason. The first one counts. */
void life_fail(struct life *l, const char *reason);

/* Whether the session goes on: nobody has stopped it, and nothing has failed. */
bool life_goes_on(struct life *l);

/* The connection has ended. *failed: the reason of life_fail() or of the watchdog; empty: none. */
void life_close(struct life *l, tick_t now, struct reason *failed);

/* The owner goes, and leaves a session that is busy decoding to its receiver. False: it is not that
 * busy, and ends at once. */
bool life_abandon(struct life *l);
/* Whether the owner has gone. */
bool life_is_abandoned(struct life *l);

/* ---- the handshake ---- */

/* The handshake begins now: until the server came to us, no time has counted. */
void life_begin_handshake(struct life *l, tick_t now);
tick_t life_deadline(struct life *l);

/* An early handshake (rfb/proto/handshake/early.h) has half of the time that is left: the other
 * half is for one that waits for each answer. `on` false: it is over. */
void life_limit_early(struct life *l, bool on, tick_t now);

/* A question to the user is open, or it is answered. The deadlines are put off by as long. */
void life_hold_deadlines(struct life *l, bool on, tick_t now);

/* The handshake is over, and messages follow. */
void life_run(struct life *l);

/* ---- the watchdog ---- */

/* A message of the server begins; *rested: the session did nothing before, so the sender has to be
 * woken. A part of one has come. One has ended. False: the session is to end, whatever the kernel
 * still has buffered. */
bool life_message_begins(struct life *l, tick_t now, bool *rested);
bool life_progress(struct life *l, tick_t now);
void life_message_ends(struct life *l);

/* The user acts: input was sent. The user looks on and sends nothing, or not any more. While it is
 * so, a silent server is asked something that it has to answer (keep_alive.h). */
void life_input(struct life *l, tick_t now);
void life_watch(struct life *l, bool on, tick_t now);

/* Whether the server is to be asked for this pixel now; `room`: something can be sent. */
bool life_take_keep_alive(struct life *l, bool room, tick_t now, struct rect *pixel);
/* Whether this rectangle, which has come, is the answer. */
bool life_is_answer(struct life *l, struct rect r, tick_t now);

/* Looks whether the session rests: nothing comes, nobody acts or looks on, and nothing waits for
 * room in the socket (`held`). The watchdog sleeps longer then. */
void life_look_for_rest(struct life *l, bool held, tick_t now);

/* When the watchdog is to look next. */
tick_t life_next_look(struct life *l);

enum life_verdict {
    LIFE_ON,
    LIFE_CUT_EARLY, /* the early handshake takes too long: its stream is to be cut */
    LIFE_CUT        /* the session is over: it is to be cut */
};

/* It looks, if it is time to. `received`: bytes from the server so far, as the kernel counts them;
 * -1: it does not. `connected`: there is a stream. */
enum life_verdict life_look(struct life *l, bool connected, int64_t received, tick_t now);

/* ---- figures ---- */

struct life_stats {
    tick_t ended;       /* when the connection ended; TICK_NEVER: it has not */
    tick_t heard_at;    /* when bytes came from the server last, as far as was seen */
    bool silent;        /* it did not answer a question that it has to answer */
    bool rests;         /* nothing comes, nobody acts; `held` as above */
    tick_t answer_time; /* how long such an answer took lately, ns; 0: none was asked for */
};

struct life_stats life_stats(struct life *l, bool held, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
