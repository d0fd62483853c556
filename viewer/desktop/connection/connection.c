#include "viewer/desktop/connection/connection_parts.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"
#include "viewer/desktop/connection/last_picture.h"
#include "viewer/servers/hosts.h"
#include "viewer/trust/trust.h"

#define LOOK_PERIOD TICK_S
/* After so many sessions in a row whose process has failed nobody connects again by himself. */
#define CRASHES_MAX 2
/* ns between two looks for a picture that comes before the connection: while that is made nobody
 * tells of it. */
#define PREVIEW_PERIOD (20 * TICK_MS)
/* ns: and once it takes so long that there is hardly anybody who answers. */
#define PREVIEW_HOPE (5 * TICK_S)
#define PREVIEW_REST (200 * TICK_MS)
/* ns: and at rest. Chosen: a machine that has nothing to do is left asleep. */
#define REST_PERIOD (10 * TICK_S)

static void connection_enter(struct connection *c, enum connection_state state)
{
    if (c->state == state)
        return;
    c->state = state;
    c->callbacks.changed(c->callbacks.user);
}

/* ---- sessions come and go ---- */

/* A session thread calls this. */
static void connection_wake(void *user)
{
    struct connection *c = user;

    c->callbacks.wake(c->callbacks.user);
}

/* The session's threads inherit a mask that blocks SIGINT and SIGTERM. So these signals go to this
 * thread, and interrupt its wait. */
static struct session *create_session(const struct session_options *options,
                                      const struct session_hooks *hooks)
{
    sigset_t blocked, before;
    struct session *s;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    s = session_create(options, hooks);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s;
}

static void forget_ticket(struct connection *c)
{
    explicit_bzero(&c->options.ticket, sizeof c->options.ticket);
}

bool connection_attempt(struct connection *c)
{
    struct session_hooks hooks = c->hooks;

    if (c->traced) /* a trace is of one session */
        hooks.trace = NULL;
    c->traced = c->traced || hooks.trace;
    c->failure = FAILURE_NONE;
    c->why = (struct reason){0};
    c->attempt++;
    c->begun_at = tick_now();
    c->established = c->previewed = c->played_out = false;
    c->seek_look = connection_plays(c) && c->past ? c->begun_at : TICK_NEVER;
    c->replay_at = TICK_NEVER;
    c->play_on = false;
    c->preview_at = c->options.ticket.port > 0 ? c->begun_at : TICK_NEVER;
    c->session = create_session(&c->options, &hooks);
    if (++c->options.ticket.tries == 0) /* each of them seals with other numbers */
        forget_ticket(c);
    if (!c->session) {
        c->failure = FAILURE_LOST;
        reason_set(&c->why, "out of memory or threads");
    }
    connection_enter(c, c->session ? CONNECTION_CONNECTING : CONNECTION_FAILED);
    return c->session;
}

void connection_leave(struct connection *c, struct session **s, bool last)
{
    if (!*s)
        return;
    c->callbacks.leaving(c->callbacks.user, *s, last);
    session_destroy(*s);
    *s = NULL;
}

/* What was shown last is what has to be told last. */
static void leave_all(struct connection *c)
{
    if (c->state == CONNECTION_UP)
        picture_keeper_end(&c->keeper, &c->options, c->session);
    picture_keeper_drop(&c->keeper);
    connection_leave(c, &c->session, !c->past);
    connection_leave(c, &c->past, true);
}

struct connection *connection_create(const struct connection_callbacks *callbacks,
                                     const struct session_hooks *hooks, bool reconnect)
{
    struct connection *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->callbacks = *callbacks;
    c->hooks = *hooks;
    c->hooks.callbacks = (struct session_callbacks){connection_wake, c};
    c->reconnects = reconnect;
    return c;
}

void connection_set_reconnect(struct connection *c, bool reconnect)
{
    c->reconnects = reconnect;
}

void connection_set_keeps_picture(struct connection *c, bool on)
{
    c->keeper.on = on;
}

void connection_destroy(struct connection *c)
{
    if (!c)
        return;
    leave_all(c);
    forget_ticket(c);
    free(c);
}

bool connection_start(struct connection *c, const struct session_options *options)
{
    leave_all(c);
    c->options = *options;
    c->again = false;
    c->lost = (struct reason){0};
    c->attempt = 0;
    c->crashes = 0;
    c->play_length = 0;
    reconnect_init(&c->reconnect, (uint64_t)tick_now() ^ (uint64_t)getpid() << 40);
    if (!connection_attempt(c))
        return false;
    picture_keeper_begin(&c->keeper, &c->options); /* while it connects */
    return true;
}

bool connection_retry(struct connection *c)
{
    return (c->state != CONNECTION_WAITING && c->state != CONNECTION_FAILED) ||
           connection_attempt(c);
}

void connection_give_up(struct connection *c)
{
    bool connects_again = c->state == CONNECTION_CONNECTING && c->again;

    if (c->state != CONNECTION_WAITING && !connects_again)
        return;
    connection_leave(c, &c->session, false);
    c->failure = FAILURE_NONE;
    reason_set(&c->why, "connecting again was stopped");
    connection_enter(c, CONNECTION_FAILED);
}

void connection_stop(struct connection *c)
{
    leave_all(c);
    c->failure = FAILURE_NONE;
    c->why = (struct reason){0};
    connection_enter(c, CONNECTION_IDLE);
}

void connection_remember(const struct connection *c, struct session *s)
{
    struct address a = c->options.address;

    if (c->options.candidates.count == 0 || session_server(s, &a))
        hosts_learn(&a, &c->options.route, s);
}

/* ---- what a session tells ---- */

/* Whether the server that was lost is the one that is there again. */
static bool is_same_server(const struct connection *c)
{
    struct address was, is;

    return session_server(c->past, &was) && session_server(c->session, &is) &&
           address_same(&was, &is);
}

/* The session is what the user has from now on. */
void connection_become_up(struct connection *c)
{
    c->another = c->past && c->options.candidates.count > 0 && !is_same_server(c);
    c->attempt = 0;
    c->lost = (struct reason){0};
    c->looked_at = tick_now();
    c->rests = c->silent = false;
    c->slow = (struct slow){0};
    c->slow_cause = SLOW_NOT;
    c->updates = 0;
    c->decode_s = c->draw_s = 0;
    connection_enter(c, CONNECTION_UP);
    c->again = true;
    connection_play_unveil(c);
    connection_leave(c, &c->past, false);
}

/* A new session's framebuffer is damaged from the beginning, and it wakes nobody until the damage
 * is taken. Whoever draws takes all of the picture when the state becomes UP. */
static void connection_await_picture(struct connection *c)
{
    struct framebuffer_reader *r = session_framebuffer(c->session);
    struct framebuffer_view view;

    if (framebuffer_lock(r, &view, true))
        framebuffer_unlock(r);
}

/* The new session gets the picture that is shown, if that may be. */
static void hand_over_picture(struct connection *c, const struct session_stats *now)
{
    struct session_stats before;

    session_stats(c->past, false, &before);
    if (!c->options.route.listen && is_same_server(c) && last_picture_helps(&before, now))
        session_give_old_picture(c->session, session_framebuffer(c->past));
}

static void connection_established(struct connection *c, const struct session_event *e)
{
    struct session_stats stats;

    session_stats(c->session, false, &stats);
    if (c->options.candidates.count > 0) /* now it is known which */
        session_server(c->session, &c->options.address);
    else
        c->options.memory = stats.memory;
    if (c->past)
        hand_over_picture(c, &stats);
    else
        picture_keeper_give(&c->keeper, &c->options, c->session, &stats);
    forget_ticket(c); /* a new one follows, if there is one */
    c->established = true;
    reconnect_established(&c->reconnect, tick_now());
    c->callbacks.event(c->callbacks.user, c->session, e);
    if (!c->past)
        connection_become_up(c);
    else if (!c->previewed)
        connection_await_picture(c);
}

/* Whoever draws finds what is new of it by itself. The ticket is of no use any more once the far
 * end has answered to it. */
static void look_for_preview(struct connection *c, tick_t now)
{
    struct session_stats stats;
    bool hopes;

    if (c->preview_at == TICK_NEVER)
        return;
    session_stats(c->session, false, &stats);
    if (stats.ticket_used && !c->established) /* behind that there is a new one */
        forget_ticket(c);
    if (stats.preview && !c->previewed)
        log_debug("the picture is here before the connection");
    c->previewed = stats.preview;
    hopes = c->previewed || now - c->begun_at < PREVIEW_HOPE;
    c->preview_at = now + (hopes ? PREVIEW_PERIOD : PREVIEW_REST);
}

/* Before any server was there, each of several is tried once. */
static bool has_another(const struct connection *c, enum failure failure)
{
    return !c->again && reconnect_has_another(failure, c->options.candidates.count, c->attempt);
}

/* The server that was there, or began to be, is the last one to be tried from now on. */
static void pass_server(struct connection *c, enum failure failure)
{
    struct address lost;

    if (c->options.candidates.count > 0 && reconnect_may_help(failure, false) &&
        session_server(c->session, &lost))
        candidates_pass(&c->options.candidates, &lost);
}

/* When the next attempt is due after this failure; TICK_NEVER: none is. A server that is to come to
 * us finds us waiting at once, unless that fails again and again. */
static tick_t next_attempt(struct connection *c, enum failure failure)
{
    bool listens = c->options.route.listen;
    tick_t now = tick_now();

    if (has_another(c, failure))
        return now;
    if (!c->reconnects || !c->again || c->crashes >= CRASHES_MAX ||
        !reconnect_may_help(failure, listens))
        return TICK_NEVER;
    return listens ? tick_later(now, c->begun_at + RECONNECT_FIRST)
                   : reconnect_ended(&c->reconnect, now);
}

/* What the reason ends with, once nobody connects again by himself. */
static const char *connection_crashes_words(const struct connection *c)
{
    if (c->crashes < CRASHES_MAX)
        return "";
    return c->failure == FAILURE_KILLED ? "; twice in a row"
                                        : "; twice in a row, so the server may be hostile";
}

static void connection_closed(struct connection *c, const struct session_event *e)
{
    const bool crash = e->failure == FAILURE_CRASHED || e->failure == FAILURE_KILLED;
    const char *why = session_event_text(e);

    if (c->state == CONNECTION_CONNECTING)
        look_for_preview(c, tick_now());
    c->failure = e->failure;
    c->crashes = crash ? c->crashes + 1 : 0;
    reason_set(&c->why, "%s%s", why ? why : "the connection has ended",
               connection_crashes_words(c));
    trust_add_advice(&c->why);
    if (c->state == CONNECTION_UP)
        c->lost = c->why;
    pass_server(c, e->failure);
    c->retry_at = next_attempt(c, e->failure);
    if (has_another(c, e->failure))
        log_line("%s; trying the next server", c->why.text);
    session_stop(c->session); /* so that the server hears of it, too */
    if (c->state == CONNECTION_UP) {
        picture_keeper_end(&c->keeper, &c->options, c->session);
        c->past = c->session;
        c->session = NULL;
    }
    connection_leave(c, &c->session, false);
    connection_enter(c, c->retry_at != TICK_NEVER ? CONNECTION_WAITING : CONNECTION_FAILED);
}

/* Whether the session has received a picture. */
static bool has_picture(struct connection *c)
{
    struct session_stats stats;

    session_stats(c->session, false, &stats);
    return stats.meter.updates > 0;
}

static void take(struct connection *c, const struct session_event *e)
{
    if (e->type == SESSION_CLOSED && e->failure == FAILURE_PLAYED && has_picture(c))
        connection_played(c, e);
    else if (e->type == SESSION_CLOSED)
        connection_closed(c, e);
    else if (e->type == SESSION_CONNECTED)
        connection_established(c, e);
    else if (e->type == SESSION_TICKET)
        c->options.ticket = *session_event_ticket(e);
    else
        c->callbacks.event(c->callbacks.user, c->session, e);
}

void connection_take(struct connection *c)
{
    struct session_event *e;
    int taken = 0;

    while (c->session && taken < SESSION_EVENT_TYPES && (e = session_next_event(c->session))) {
        connection_play_veil(c, e);
        take(c, e);
        free(e);
        taken++;
    }
    if (taken == SESSION_EVENT_TYPES) /* there may be more, for which nobody wakes us */
        c->callbacks.wake(c->callbacks.user);
    if (c->session && c->established && c->state == CONNECTION_CONNECTING && connection_is_ready(c))
        connection_become_up(c);
}

/* ---- time ---- */

/* Tells what was measured since the newest look to slow.h. */
static void judge_speed(struct connection *c, const struct session_stats *stats, tick_t now)
{
    double seconds = tick_to_s(now - c->looked_at),
           draw_s = cpu_seconds(CLOCK_THREAD_CPUTIME_ID); /* this thread draws */
    struct slow_sample sample = {
        .fps = (double)(stats->meter.updates - c->updates) / seconds,
        .queue_ms = stats->meter.updates > c->updates ? stats->queue_ms : 0,
        .busy = stats->busy,
        .answer_ms = stats->answer_ms > stats->rtt_ms ? stats->answer_ms - stats->rtt_ms : 0,
        .decode = (stats->decode_s - c->decode_s) / seconds,
        .draw = (draw_s - c->draw_s) / seconds,
    };

    if (c->draw_s > 0) /* the first look only begins to count */
        c->slow_cause = slow_second(&c->slow, &sample);
    c->updates = stats->meter.updates;
    c->decode_s = stats->decode_s;
    c->draw_s = draw_s;
}

static void connection_look(struct connection *c, tick_t now)
{
    struct session_stats stats;

    session_stats(c->session, false, &stats);
    judge_speed(c, &stats, now);
    /* the seconds of silence are counted */
    c->rests = stats.rests && !stats.silent && c->slow_cause == SLOW_NOT;
    c->silent = stats.silent && !connection_plays(c);
    c->looked_at = now;
}

static tick_t next_look(const struct connection *c)
{
    return c->looked_at + (c->rests ? REST_PERIOD : LOOK_PERIOD);
}

void connection_active(struct connection *c)
{
    if (!c->rests)
        return;
    c->rests = false;
    c->looked_at = tick_now();
    c->draw_s = 0; /* the next look only begins to count */
}

bool connection_rests(const struct connection *c)
{
    return c->state == CONNECTION_UP && c->rests && !connection_plays(c); /* its place is shown */
}

void connection_time(struct connection *c, tick_t now)
{
    if (c->state == CONNECTION_CONNECTING && now >= c->preview_at)
        look_for_preview(c, now);
    if (c->state == CONNECTION_CONNECTING && now >= c->seek_look) {
        c->seek_look = now + PREVIEW_PERIOD;
        if (c->session && c->established && connection_is_ready(c))
            connection_become_up(c);
    }
    if (c->state == CONNECTION_WAITING && now >= c->retry_at)
        connection_attempt(c);
    if (c->state == CONNECTION_UP && now >= next_look(c))
        connection_look(c, now);
    connection_play_time(c, now);
}

tick_t connection_wait(const struct connection *c)
{
    tick_t at = TICK_NEVER;

    if (c->state == CONNECTION_WAITING)
        at = c->retry_at;
    else if (c->state == CONNECTION_CONNECTING)
        at = tick_sooner(c->preview_at, c->seek_look);
    else if (c->state == CONNECTION_UP)
        at = next_look(c);
    return tick_sooner(at, connection_play_wait(c));
}

/* ---- how it stands ---- */

struct session *connection_session(const struct connection *c)
{
    return c->session;
}

struct framebuffer_reader *connection_picture(const struct connection *c)
{
    bool before = c->past && c->state != CONNECTION_UP && !(c->session && c->previewed);
    struct session *shown = before ? c->past : c->session;

    return shown ? session_framebuffer(shown) : NULL;
}

/* What the session itself knows of how it stands. */
static void ask_session(const struct connection *c, tick_t now, struct connection_status *out)
{
    struct session_stats stats;

    session_stats(c->session, false, &stats);
    if (c->state == CONNECTION_UP) {
        out->heard_ago = tick_later(now - stats.heard_at, 0);
        out->silent = stats.silent && !connection_plays(c);
        out->recording = stats.recording;
        out->slow = connection_plays(c) ? SLOW_NOT : c->slow_cause;
    } else if (!out->listens && stats.bytes_received <= 0) {
        out->mute_for = tick_later(now - c->begun_at, 0);
        out->accepted = stats.bytes_received == 0;
        out->gives_up_in = tick_later(c->options.connect_timeout - out->mute_for, 0);
    }
}

void connection_status(const struct connection *c, tick_t now, struct connection_status *out)
{
    *out = (struct connection_status){
        .state = c->state,
        .failure = c->failure,
        .why = c->why,
        .lost = c->lost,
        .again = c->again,
        .another = c->state == CONNECTION_UP && c->another,
        .attempt = c->attempt,
        .listens = c->options.route.listen,
        .plays = connection_plays(c),
        .retry_in = TICK_NEVER,
        .heard_ago = TICK_NEVER,
    };
    if (c->state == CONNECTION_WAITING)
        out->retry_in = tick_later(c->retry_at - now, 0);
    if (c->state == CONNECTION_UP || c->state == CONNECTION_CONNECTING)
        ask_session(c, now, out);
    if (connection_takes_wishes(c))
        out->play = connection_play_state(c);
    out->play_ended = c->state == CONNECTION_UP && c->played_out && c->replay_at == TICK_NEVER;
}

bool connection_is_silent(const struct connection *c)
{
    return c->state == CONNECTION_UP && c->silent;
}
