/* The life of a connection in the window: starts a session, takes its events, knows how it stands,
 * and connects again when it was lost.
 *
 *   IDLE --start--> CONNECTING --> UP --> WAITING --> CONNECTING ...
 *                       |           |        |
 *                       +-----------+--------+------> FAILED --retry--> CONNECTING
 *
 * connection_give_up() leads from WAITING, and from CONNECTING again, to FAILED.
 * connection_stop() leads from every state to IDLE. A first attempt that fails leads to FAILED. So
 * does a failure that a later attempt cannot mend, such as a password that is refused
 * (reconnect.h).
 *
 * UI thread. Owns one session that connects or is up. Beside it, it keeps the session that was lost
 * until the new one has a picture: so there is always a picture to show. What the options and
 * callbacks point to belongs to the caller and outlives the connection.
 */
#ifndef VNCHL_CONNECTION_H
#define VNCHL_CONNECTION_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/session/session.h"
#include "rfb/texts/reason.h"
#include "viewer/desktop/connection/slow.h"

#ifdef __cplusplus
extern "C" {
#endif

struct connection;

enum connection_state {
    CONNECTION_IDLE,       /* nothing was started, or it was stopped */
    CONNECTION_CONNECTING, /* a session connects, and may ask questions */
    CONNECTION_UP,         /* the session is established, and its picture is the one to show */
    CONNECTION_WAITING,    /* it was lost; the next attempt starts by itself */
    CONNECTION_FAILED,     /* it ended, and nothing more happens by itself */
};

/* UI thread but for wake(). The callbacks may not start, retry, stop or destroy the connection. */
struct connection_callbacks {
    /* A session thread: connection_take() has something to take. Must not block. */
    void (*wake)(void *user);
    /* An event of the session `s`, all but SESSION_CLOSED. It is freed afterwards. */
    void (*event)(void *user, struct session *s, const struct session_event *e);
    /* The state is another one now; connection_status() tells which. */
    void (*changed)(void *user);
    /* The session is about to be destroyed: nobody may use it after this. `last`: no other session
     * follows, because the connection was stopped or is destroyed. */
    void (*leaving)(void *user, struct session *s, bool last);
    void *user;
};

/* How the connection stands. Times are in ns. */
struct connection_status {
    enum connection_state state;
    enum failure failure;   /* WAITING, FAILED: what kind of end it was */
    struct reason why;      /* WAITING, FAILED, or play_ended: why it ended; else empty */
    struct reason lost;     /* why the session that was up before was lost; empty: none was */
    bool again;             /* a session to this server was up before */
    unsigned attempt;       /* how many sessions were started since the last one was up */
    bool listens;           /* the server connects to us */
    bool plays;             /* there is no server but a recording */
    tick_t mute_for;        /* CONNECTING: so long the server has not said a byte; 0: it has */
    bool accepted;          /* CONNECTING: it has taken the connection, and says nothing */
    tick_t gives_up_in;     /* CONNECTING, while it says nothing */
    tick_t retry_in;        /* WAITING: until the next attempt; else TICK_NEVER */
    tick_t heard_ago;       /* UP: since bytes came from the server; else TICK_NEVER */
    bool another;           /* UP: of several servers another one than the one that was lost */
    bool silent;            /* UP: it did not answer what it has to answer: the link may be dead */
    enum slow_cause slow;   /* UP: why it is slow */
    bool recording;         /* UP: what is shown is recorded */
    struct play_state play; /* of a recording, UP and while another place is looked for */
    bool play_ended;        /* UP: it was played to its end */
};

/* IDLE. `reconnect`: what was lost is connected again by itself. NULL when out of memory. */
struct connection *connection_create(const struct connection_callbacks *callbacks,
                                     const struct session_hooks *hooks, bool reconnect);

/* Counts for what is lost from now on. */
void connection_set_reconnect(struct connection *c, bool reconnect);

/* The last picture is kept on the disk for a later run, and looked for there when a connection
 * starts; or forgotten then. From the next start on. At first: forgotten. */
void connection_set_keeps_picture(struct connection *c, bool on);

/* Stops, and frees. Safe on NULL. */
void connection_destroy(struct connection *c);

/* Starts a session to a server; one that exists is stopped before. The options are copied, their
 * callbacks are ignored. Only the first session of all writes the trace. False when out of memory
 * or threads: the state is FAILED then. */
bool connection_start(struct connection *c, const struct session_options *options);

/* WAITING, FAILED: starts the next attempt now, with the same options. Else does nothing. */
bool connection_retry(struct connection *c);

/* WAITING, and CONNECTING after a session was lost: nothing more happens by itself, and the last
 * picture stays. The state is FAILED then, with FAILURE_NONE. Else does nothing. */
void connection_give_up(struct connection *c);

/* Pauses a recording, or goes on, or moves in it. What is earlier is found by a new session, which
 * plays at once up to there; until then the state is CONNECTING, and the picture stays. It begins
 * when no other wish has followed for a moment. */
void connection_play(struct connection *c, const struct play_wish *wish);

/* Ends the session and waits for its end. The state is IDLE then. */
void connection_stop(struct connection *c);

/* Remembers for the next start how this session of ours began (viewer/servers/hosts.h). */
void connection_remember(const struct connection *c, struct session *s);

/* Takes the events of the session: after `wake`, and now and then in case a wake-up was lost. */
void connection_take(struct connection *c);

/* The user acts: what is told of the connection has to be new again. */
void connection_active(struct connection *c);

/* Whether nothing comes and nobody acts, so that what is told of the connection stays true. */
bool connection_rests(const struct connection *c);

/* Tells the time: does what is due by itself. Call it when connection_wait() says. */
void connection_time(struct connection *c, tick_t now);

/* When connection_time() has to be called next; TICK_NEVER: something else has to happen first. */
tick_t connection_wait(const struct connection *c);

/* The session that connects or is up, which answers and input are for; NULL: there is none. It is
 * valid until `leaving`. */
struct session *connection_session(const struct connection *c);

/* The picture to show; NULL: there is none yet. Another session's picture counts as damaged from
 * the beginning. */
struct framebuffer_reader *connection_picture(const struct connection *c);

void connection_status(const struct connection *c, tick_t now, struct connection_status *out);

/* Whether it is UP and the link may be dead, as the newest look found, about a second ago. */
bool connection_is_silent(const struct connection *c);

#ifdef __cplusplus
}
#endif
#endif
