#include "viewer/desktop/connection.h"

#include <signal.h>
#include <stdlib.h>

struct connection {
    struct connection_callbacks callbacks;
    struct session_options options;
    struct session *session; /* NULL: none */
    enum connection_state state;
    struct reason why;
    unsigned attempt;
    bool lost; /* SESSION_CLOSED was taken; the session is still to be destroyed */
};

static void enter(struct connection *c, enum connection_state state)
{
    if (c->state == state)
        return;
    c->state = state;
    c->callbacks.changed(c->callbacks.user);
}

/* A session thread calls this. */
static void wake(void *user)
{
    struct connection *c = user;

    c->callbacks.wake(c->callbacks.user);
}

/* The session's threads inherit a mask that blocks SIGINT and SIGTERM. So these signals go to this
 * thread, and interrupt its wait. */
static struct session *create_session(const struct session_options *options)
{
    sigset_t blocked, before;
    struct session *s;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    s = session_create(options);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s;
}

static bool attempt(struct connection *c)
{
    c->why = (struct reason){0};
    c->attempt++;
    c->session = create_session(&c->options);
    if (!c->session)
        reason_set(&c->why, "out of memory or threads");
    enter(c, c->session ? CONNECTION_CONNECTING : CONNECTION_FAILED);
    return c->session;
}

/* Gives the session up. */
static void leave(struct connection *c, bool last)
{
    if (!c->session)
        return;
    c->callbacks.leaving(c->callbacks.user, c->session, last);
    session_destroy(c->session);
    c->session = NULL;
    c->lost = false;
}

struct connection *connection_create(const struct connection_callbacks *callbacks)
{
    struct connection *c = calloc(1, sizeof *c);

    if (c)
        c->callbacks = *callbacks;
    return c;
}

void connection_destroy(struct connection *c)
{
    if (!c)
        return;
    leave(c, true);
    free(c);
}

bool connection_start(struct connection *c, const struct session_options *options)
{
    leave(c, true);
    c->options = *options;
    c->options.callbacks = (struct session_callbacks){wake, c};
    c->attempt = 0;
    return attempt(c);
}

bool connection_retry(struct connection *c)
{
    if (c->state != CONNECTION_WAITING && c->state != CONNECTION_FAILED)
        return true;
    leave(c, false);
    return attempt(c);
}

void connection_stop(struct connection *c)
{
    leave(c, true);
    c->why = (struct reason){0};
    enter(c, CONNECTION_IDLE);
}

static void closed(struct connection *c, const char *why)
{
    c->lost = true;
    reason_set(&c->why, "%s", why ? why : "the connection has ended");
    enter(c, CONNECTION_FAILED);
}

static void take(struct connection *c, const struct session_event *e)
{
    if (e->type == SESSION_CLOSED) {
        closed(c, session_event_text(e));
        return;
    }
    if (e->type == SESSION_CONNECTED) {
        c->attempt = 0;
        enter(c, CONNECTION_UP);
    }
    c->callbacks.event(c->callbacks.user, e);
}

void connection_take(struct connection *c)
{
    struct session_event *e;

    while (c->session && (e = session_next_event(c->session))) {
        take(c, e);
        free(e);
    }
}

void connection_time(struct connection *c, tick_t now)
{
    (void)c;
    (void)now;
}

tick_t connection_wait(const struct connection *c)
{
    (void)c;
    return TICK_NEVER;
}

struct session *connection_session(const struct connection *c)
{
    return c->lost ? NULL : c->session;
}

struct framebuffer_reader *connection_picture(const struct connection *c)
{
    return c->session ? session_framebuffer(c->session) : NULL;
}

void connection_status(const struct connection *c, tick_t now, struct connection_status *out)
{
    (void)now;
    *out = (struct connection_status){
        .state = c->state,
        .why = c->why,
        .heard_ago = TICK_NEVER,
        .retry_in = TICK_NEVER,
        .attempt = c->attempt,
    };
}
