/* The life of a connection in the window: starts a session, takes its events, and knows how it
 * stands.
 *
 * UI thread. Owns one session at most, from connection_start() until it is closed and given up.
 * What the options and callbacks point to belongs to the caller and outlives the connection.
 *
 *   IDLE --start--> CONNECTING --> UP --> WAITING --> CONNECTING ...
 *                       |           |        |
 *                       +-----------+--------+------> FAILED --retry--> CONNECTING
 *
 * connection_stop() leads from every state to IDLE.
 */
#ifndef VNCHL_CONNECTION_H
#define VNCHL_CONNECTION_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/reason.h"
#include "rfb/session/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct connection;

enum connection_state {
    CONNECTION_IDLE,       /* nothing was started, or it was stopped */
    CONNECTION_CONNECTING, /* a session connects, and may ask questions */
    CONNECTION_UP,         /* the session is established */
    CONNECTION_WAITING,    /* it was lost; the next attempt starts by itself */
    CONNECTION_FAILED,     /* it ended, and nothing more happens by itself */
};

struct connection_callbacks {
    /* A session thread: connection_take() has something to take. Must not block. */
    void (*wake)(void *user);
    /* An event of the session, all but SESSION_CLOSED. It is freed afterwards. */
    void (*event)(void *user, const struct session_event *e);
    /* The state is another one now; connection_status() tells which. The callback may not start,
     * retry or stop. */
    void (*changed)(void *user);
    /* The session is about to be destroyed: nobody may use it after this. `last`: the connection
     * was stopped or is destroyed; else it was lost. */
    void (*leaving)(void *user, struct session *s, bool last);
    void *user;
};

/* How the connection stands. Times are in ns. */
struct connection_status {
    enum connection_state state;
    struct reason why; /* WAITING, FAILED: why the session ended; else empty */
    tick_t heard_ago;  /* since bytes came from the server; TICK_NEVER: not UP */
    tick_t retry_in;   /* WAITING: until the next attempt; else TICK_NEVER */
    unsigned attempt;  /* how many sessions were started since the last one was established */
};

/* IDLE. NULL when out of memory. */
struct connection *connection_create(const struct connection_callbacks *callbacks);

/* Stops, and frees. Safe on NULL. */
void connection_destroy(struct connection *c);

/* Starts a session to another server; one that exists is stopped before. The options are copied,
 * their callbacks are ignored. False when out of memory or threads: the state is FAILED then. */
bool connection_start(struct connection *c, const struct session_options *options);

/* WAITING, FAILED: starts the next attempt now, with the same options. Else does nothing. */
bool connection_retry(struct connection *c);

/* Ends the session and waits for its end. The state is IDLE then. */
void connection_stop(struct connection *c);

/* Takes the events of the session: after `wake`, and now and then in case a wake-up was lost. */
void connection_take(struct connection *c);

/* Tells the time: does what is due by itself. */
void connection_time(struct connection *c, tick_t now);

/* When connection_time() has to be called next; TICK_NEVER: something else has to happen first. */
tick_t connection_wait(const struct connection *c);

/* The session that takes input and answers; NULL: there is none. It is valid until `leaving`. */
struct session *connection_session(const struct connection *c);

/* The picture to show; NULL before the first session. */
struct framebuffer_reader *connection_picture(const struct connection *c);

void connection_status(const struct connection *c, tick_t now, struct connection_status *out);

#ifdef __cplusplus
}
#endif
#endif
