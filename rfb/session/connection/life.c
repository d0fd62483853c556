#include "rfb/session/connection/life.h"

#include <pthread.h>
#include <stdlib.h>

#include "rfb/session/connection/keep_alive.h"

struct life {
    struct life_options options;
    pthread_mutex_t lock; /* everything below */
    enum life_phase phase;
    bool stopping, ran;   /* ran: it did when it was stopped */
    struct reason failed; /* empty: nothing has */
    tick_t ended;         /* TICK_NEVER before */
    bool abandoned;
    tick_t deadline;    /* of the handshake: each byte that comes puts it off */
    tick_t latest;      /* but not beyond this */
    tick_t early_until; /* of an early one; TICK_NEVER: none runs */
    tick_t asking;      /* since when a question is open; TICK_NEVER: none is */
    bool in_message;    /* the first byte of a message has come, its end has not */
    int64_t received;   /* bytes, when the watchdog looked last */
    tick_t heard_at;
    tick_t looked_at;   /* when the watchdog looked last */
    tick_t awake_since; /* the watchdog could not look before: the process was stopped */
    bool rests;
    struct keep_alive alive;
};

static void life_begin(struct life *l, tick_t now)
{
    l->deadline = now + l->options.connect_timeout;
    l->latest = now + LIFE_HANDSHAKE_MOST * l->options.connect_timeout;
}

struct life *life_create(const struct life_options *options, tick_t now)
{
    struct life *l = calloc(1, sizeof *l);

    if (!l)
        return NULL;
    l->options = *options;
    life_begin(l, now);
    l->ended = l->early_until = l->asking = TICK_NEVER;
    l->heard_at = l->looked_at = l->awake_since = now;
    keep_alive_init(&l->alive);
    pthread_mutex_init(&l->lock, NULL);
    return l;
}

void life_destroy(struct life *l)
{
    if (!l)
        return;
    pthread_mutex_destroy(&l->lock);
    free(l);
}

enum life_phase life_phase(struct life *l)
{
    enum life_phase phase;

    pthread_mutex_lock(&l->lock);
    phase = l->phase;
    pthread_mutex_unlock(&l->lock);
    return phase;
}

/* ---- the end ---- */

/* With the lock held. */
static bool life_is_on(const struct life *l)
{
    return !l->stopping && !l->failed.text[0];
}

bool life_stop(struct life *l)
{
    bool ran;

    pthread_mutex_lock(&l->lock);
    if (!l->stopping)
        l->ran = l->phase == LIFE_RUNNING;
    l->stopping = true;
    ran = l->ran;
    pthread_mutex_unlock(&l->lock);
    return ran;
}

bool life_is_stopping(struct life *l)
{
    bool stopping;

    pthread_mutex_lock(&l->lock);
    stopping = l->stopping;
    pthread_mutex_unlock(&l->lock);
    return stopping;
}

void life_fail(struct life *l, const char *reason)
{
    pthread_mutex_lock(&l->lock);
    if (!l->failed.text[0])
        reason_set(&l->failed, "%s", reason);
    pthread_mutex_unlock(&l->lock);
}

bool life_goes_on(struct life *l)
{
    bool on;

    pthread_mutex_lock(&l->lock);
    on = life_is_on(l);
    pthread_mutex_unlock(&l->lock);
    return on;
}

void life_close(struct life *l, tick_t now, struct reason *failed)
{
    pthread_mutex_lock(&l->lock);
    l->phase = LIFE_CLOSED;
    l->ended = now;
    *failed = l->failed;
    pthread_mutex_unlock(&l->lock);
}

bool life_abandon(struct life *l)
{
    bool busy;

    pthread_mutex_lock(&l->lock);
    busy = l->abandoned = l->phase == LIFE_RUNNING; /* a handshake ends at once */
    pthread_mutex_unlock(&l->lock);
    return busy;
}

bool life_is_abandoned(struct life *l)
{
    bool abandoned;

    pthread_mutex_lock(&l->lock);
    abandoned = l->abandoned;
    pthread_mutex_unlock(&l->lock);
    return abandoned;
}

/* ---- the handshake ---- */

void life_begin_handshake(struct life *l, tick_t now)
{
    pthread_mutex_lock(&l->lock);
    life_begin(l, now);
    pthread_mutex_unlock(&l->lock);
}

tick_t life_deadline(struct life *l)
{
    tick_t deadline;

    pthread_mutex_lock(&l->lock);
    deadline = l->deadline;
    pthread_mutex_unlock(&l->lock);
    return deadline;
}

void life_limit_early(struct life *l, bool on, tick_t now)
{
    pthread_mutex_lock(&l->lock);
    l->early_until = on ? now + (l->deadline - now) / 2 : TICK_NEVER;
    pthread_mutex_unlock(&l->lock);
}

/* With the lock held. */
static void life_put_off(struct life *l, tick_t time)
{
    l->deadline += time;
    l->latest += time;
    if (l->early_until != TICK_NEVER)
        l->early_until += time;
}

void life_hold_deadlines(struct life *l, bool on, tick_t now)
{
    pthread_mutex_lock(&l->lock);
    if (on) {
        l->asking = now;
    } else if (l->asking != TICK_NEVER) {
        life_put_off(l, now - l->asking);
        l->asking = TICK_NEVER;
    }
    pthread_mutex_unlock(&l->lock);
}

void life_run(struct life *l)
{
    pthread_mutex_lock(&l->lock);
    l->phase = LIFE_RUNNING;
    pthread_mutex_unlock(&l->lock);
}

/* ---- the watchdog ---- */

bool life_message_begins(struct life *l, tick_t now, bool *rested)
{
    bool on;

    pthread_mutex_lock(&l->lock);
    l->in_message = true;
    l->heard_at = now;
    *rested = l->rests;
    l->rests = false;
    on = life_is_on(l);
    pthread_mutex_unlock(&l->lock);
    return on;
}

bool life_progress(struct life *l, tick_t now)
{
    bool on;

    pthread_mutex_lock(&l->lock);
    l->heard_at = now;
    on = life_is_on(l);
    pthread_mutex_unlock(&l->lock);
    return on;
}

void life_message_ends(struct life *l)
{
    pthread_mutex_lock(&l->lock);
    l->in_message = false;
    pthread_mutex_unlock(&l->lock);
}

void life_input(struct life *l, tick_t now)
{
    pthread_mutex_lock(&l->lock);
    keep_alive_input(&l->alive, now);
    pthread_mutex_unlock(&l->lock);
}

void life_watch(struct life *l, bool on, tick_t now)
{
    pthread_mutex_lock(&l->lock);
    keep_alive_watch(&l->alive, on, now);
    pthread_mutex_unlock(&l->lock);
}

bool life_take_keep_alive(struct life *l, bool room, tick_t now, struct rect *pixel)
{
    bool take;

    pthread_mutex_lock(&l->lock);
    keep_alive_look(&l->alive, l->heard_at, now);
    take = room && keep_alive_take(&l->alive, l->heard_at, pixel);
    pthread_mutex_unlock(&l->lock);
    return take;
}

bool life_is_answer(struct life *l, struct rect r, tick_t now)
{
    bool answer;

    pthread_mutex_lock(&l->lock);
    answer = keep_alive_answered(&l->alive, r, now);
    pthread_mutex_unlock(&l->lock);
    return answer;
}

/* With the lock held. */
static bool life_rests(const struct life *l, bool held, tick_t now)
{
    return l->phase == LIFE_RUNNING && !l->in_message && !held &&
           now - l->heard_at >= LIFE_REST_AFTER && !keep_alive_matters(&l->alive, now);
}

void life_look_for_rest(struct life *l, bool held, tick_t now)
{
    pthread_mutex_lock(&l->lock);
    l->rests = life_rests(l, held, now);
    pthread_mutex_unlock(&l->lock);
}

/* With the lock held. */
static tick_t life_look_due(const struct life *l)
{
    return l->looked_at + (l->rests ? LIFE_REST : LIFE_PERIOD);
}

tick_t life_next_look(struct life *l)
{
    tick_t at;

    pthread_mutex_lock(&l->lock);
    at = life_look_due(l);
    pthread_mutex_unlock(&l->lock);
    return at;
}

/* A process that was stopped could not read: that is no fault of the server's. With the lock held.
 */
static void life_notice_sleep(struct life *l, tick_t now)
{
    if (now - life_look_due(l) > LIFE_OVERSLEPT)
        l->awake_since = now;
    l->looked_at = now;
}

/* With the lock held. `received`: 0, it has never said anything; -1, nobody counts. */
static void life_fail_handshake(struct life *l, int64_t received, tick_t now)
{
    bool slow = now >= l->latest;

    reason_set(&l->failed,
               received < 0 || slow ? "the server did not finish the handshake in %.0f s"
               : received > 0
                   ? "the server stopped in the middle of the handshake: no byte for %.0f s"
               : l->options.relayed ? "nothing has come from the server for %.0f s: does the way "
                                      "there lead to a VNC server?"
                                    : "the server has said nothing for %.0f s: is it a VNC server?",
               tick_to_s(l->options.connect_timeout) * (slow ? LIFE_HANDSHAKE_MOST : 1));
}

/* While a question is open no time counts, and before there is a stream whoever connects keeps the
 * deadline. With the lock held. */
static enum life_verdict life_look_at_handshake(struct life *l, bool connected, int64_t received,
                                                tick_t now)
{
    enum life_verdict early = LIFE_ON;

    if (!connected || l->asking != TICK_NEVER)
        return LIFE_ON;
    if (received > 0 && received != l->received) {
        l->received = received;
        l->deadline = tick_sooner(now + l->options.connect_timeout, l->latest);
    }
    if (now >= l->early_until) {
        l->early_until = TICK_NEVER;
        early = LIFE_CUT_EARLY;
    }
    if (now < l->deadline)
        return early;
    life_fail_handshake(l, received, now);
    return LIFE_CUT;
}

/* With the lock held. */
static enum life_verdict life_look_at_messages(struct life *l, int64_t received, tick_t now)
{
    keep_alive_look(&l->alive, l->heard_at, now); /* also where the sender waits for room */
    if (received < 0)
        return LIFE_ON; /* a Unix socket does not tell: slow and stalled look the same */
    if (received != l->received) {
        l->received = received;
        l->heard_at = now;
    }
    if (!l->in_message || now - tick_later(l->heard_at, l->awake_since) < l->options.stall_timeout)
        return LIFE_ON;
    reason_set(&l->failed, "the server stopped in the middle of a message: no byte for %.0f s",
               tick_to_s(l->options.stall_timeout));
    return LIFE_CUT;
}

enum life_verdict life_look(struct life *l, bool connected, int64_t received, tick_t now)
{
    enum life_verdict verdict = LIFE_ON;

    pthread_mutex_lock(&l->lock);
    if (now >= life_look_due(l)) {
        life_notice_sleep(l, now);
        if (!life_is_on(l) || l->phase == LIFE_CLOSED)
            verdict = LIFE_ON;
        else if (l->phase == LIFE_CONNECTING)
            verdict = life_look_at_handshake(l, connected, received, now);
        else
            verdict = life_look_at_messages(l, received, now);
    }
    pthread_mutex_unlock(&l->lock);
    return verdict;
}

/* ---- figures ---- */

struct life_stats life_stats(struct life *l, bool held, tick_t now)
{
    struct life_stats out;

    pthread_mutex_lock(&l->lock);
    now = tick_sooner(now, l->ended);
    out = (struct life_stats){
        .ended = l->ended,
        .heard_at = l->heard_at,
        .silent = l->phase == LIFE_RUNNING && keep_alive_silent(&l->alive, l->heard_at, now),
        .rests = life_rests(l, held, now),
        .answer_time = keep_alive_answer_time(&l->alive, now),
    };
    pthread_mutex_unlock(&l->lock);
    return out;
}
