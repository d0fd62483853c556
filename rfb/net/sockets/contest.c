#include "rfb/net/sockets/contest.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "rfb/net/sockets/socket.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"

struct contest;

/* One server, in a thread of its own: looking up a name and connecting wait. */
struct contestant {
    struct contest *contest;
    struct address address;
    pthread_t thread;
    /* with the contest's lock: */
    bool failed;
    struct reason why;
};

struct contest {
    const struct transport_options *options;
    tick_t deadline;
    int stop_fd; /* eventfd: readable once somebody has won, or nobody waits any more */
    int news_fd; /* eventfd: one has answered or failed */
    struct contestant all[CANDIDATES_MAX];
    int started;
    pthread_mutex_t lock; /* everything below, and in them */
    int failed;
    struct transport *won; /* NULL: nobody has answered yet */
    struct address winner;
};

/* Whether it has said something; else a reason. */
static bool contest_hear(struct contestant *c, struct transport *t, struct reason *why)
{
    char server[272];

    address_format(&c->address, server, sizeof server);
    switch (t->ops->wait(t, POLLIN, c->contest->stop_fd, c->contest->deadline)) {
    case TRANSPORT_READY:
        if (t->ops->waiting(t) > 0)
            return true;
        reason_set(why, "%s has closed the connection before it said anything", server);
        break;
    case TRANSPORT_LATE:
        reason_set(why, "%s has taken the connection and says nothing", server);
        break;
    default:
        return reason_set(why, "stopped");
    }
    return reason_set_kind(why, FAILURE_UNREACHABLE);
}

static void *contest_run(void *user)
{
    struct contestant *c = user;
    struct contest *o = c->contest;
    struct reason why;
    struct transport *t = socket_connect(&c->address, o->options, o->deadline, o->stop_fd, &why),
                     *lost = t;
    bool answered = t && contest_hear(c, t, &why);

    pthread_mutex_lock(&o->lock);
    if (answered && !o->won) {
        o->won = t;
        o->winner = c->address;
        lost = NULL;
    } else if (!answered) {
        c->failed = true;
        c->why = why;
        o->failed++;
    }
    pthread_mutex_unlock(&o->lock);
    if (lost)
        lost->ops->destroy(lost);
    eventfd_wake(o->news_fd, "who connects to several servers");
    return NULL;
}

static bool contest_start_next(struct contest *o, const struct candidates *c)
{
    struct contestant *next = &o->all[o->started];

    next->contest = o;
    next->address = c->at[o->started];
    if (pthread_create(&next->thread, NULL, contest_run, next) != 0)
        return false;
    o->started++;
    return true;
}

/* Waits for news, until `until` at most. False: the caller wants no more. */
static bool contest_await(struct contest *o, int cancel_fd, tick_t until)
{
    struct pollfd p[2] = {{.fd = o->news_fd, .events = POLLIN},
                          {.fd = cancel_fd, .events = POLLIN}};
    tick_t left = until - tick_now();
    uint64_t count;

    if (left > 0)
        poll(p, 2, (int)(left / TICK_MS) + 1);
    if (p[0].revents && read(o->news_fd, &count, sizeof count) < 0)
        return true;
    return !p[1].revents;
}

/* Whether another one may be started. */
static bool contest_has_another(const struct contest *o, const struct candidates *c)
{
    return o->started < c->count && tick_now() < o->deadline;
}

/* Whether it goes on: at the deadline each says by itself what it has waited for. `failed` have
 * failed so far. */
static bool contest_goes_on(struct contest *o, const struct candidates *c, int *failed)
{
    bool on;

    pthread_mutex_lock(&o->lock);
    on = !o->won && (o->failed < o->started || contest_has_another(o, c));
    *failed = o->failed;
    pthread_mutex_unlock(&o->lock);
    return on;
}

tick_t contest_head_start(tick_t time, int count)
{
    return tick_sooner(CONTEST_HEAD_START, tick_later(time, 0) / count);
}

/* False, with a reason: it was stopped. */
static bool contest_hold(struct contest *o, const struct candidates *c, int cancel_fd,
                         struct reason *why)
{
    tick_t next = tick_now(), head_start = contest_head_start(o->deadline - next, c->count);
    int failed = 0;

    while (contest_goes_on(o, c, &failed)) {
        bool due = tick_now() >= next || failed == o->started;

        if (due && contest_has_another(o, c)) {
            if (!contest_start_next(o, c))
                return reason_set(why, "out of memory or threads");
            next = tick_now() + head_start;
        }
        if (!contest_await(o, cancel_fd, contest_has_another(o, c) ? next : tick_now() + TICK_S))
            return reason_set(why, "stopped");
    }
    return true;
}

static void contest_tell(const struct contest *o, struct address *chosen)
{
    char server[272];

    *chosen = o->winner;
    address_format(chosen, server, sizeof server);
    log_debug("the server that has answered is %s", server);
}

/* What each of them has said, as far as there is room. */
static void contest_explain(const struct contest *o, struct reason *why)
{
    bool named = o->started > 0;
    size_t used = 0;
    char text[sizeof why->text];

    *text = '\0';
    for (int i = 0; i < o->started && used < sizeof text; i++) {
        const struct contestant *c = &o->all[i];

        named = named && c->why.kind == FAILURE_NAME;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? "; " : "",
                                 c->why.text);
    }
    reason_set(why, CONTEST_NOBODY "%s", text);
    reason_set_kind(why, named ? FAILURE_NAME : FAILURE_UNREACHABLE);
}

struct transport *contest_connect(const struct candidates *c,
                                  const struct transport_options *options, tick_t deadline,
                                  int cancel_fd, struct address *chosen, struct reason *why)
{
    struct contest o = {.options = options,
                        .deadline = deadline,
                        .stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
                        .news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    bool held;

    pthread_mutex_init(&o.lock, NULL);
    held = o.stop_fd >= 0 && o.news_fd >= 0
               ? contest_hold(&o, c, cancel_fd, why)
               : reason_set(why, "too many open files: none is left for the connection");
    if (o.stop_fd >= 0)
        eventfd_wake(o.stop_fd, "those who connect");
    for (int i = 0; i < o.started; i++)
        pthread_join(o.all[i].thread, NULL);
    if (o.won && !held) {
        o.won->ops->destroy(o.won);
        o.won = NULL;
    }
    if (o.won)
        contest_tell(&o, chosen);
    else if (held)
        contest_explain(&o, why);
    if (o.stop_fd >= 0)
        close(o.stop_fd);
    if (o.news_fd >= 0)
        close(o.news_fd);
    pthread_mutex_destroy(&o.lock);
    return o.won;
}
