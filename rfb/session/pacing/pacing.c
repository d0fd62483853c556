#include "rfb/session/pacing/pacing.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prerequest/know/round_trip.h"
#include "prerequest/meter.h"
#include "rfb/decode/lossy.h"
#include "rfb/proto/extensions/push.h"
#include "rfb/session/pacing/preferences.h"

/* What is known of the picture that is being drawn. Zeroed: nothing was drawn yet. */
struct pacing_picture {
    bool open;
    tick_t begun;
    bool news; /* it shows more than what a refresh has asked for */
    bool loss; /* it answers a refresh, but with loss */
    bool more; /* it shows more than the answer to the keep-alive's question */
};

struct pacing {
    pthread_mutex_t lock; /* everything below */
    tick_t now;           /* the newest time that was told */
    struct scheduler scheduler;
    struct trace_log *trace; /* NULL: none */
    struct meter meter;
    struct push push;
    bool accelerated;
    bool pushed; /* the source pushes without being told to */
    struct lossy lossy;
    bool refreshes; /* lossy parts are to be asked for again */
    struct preferences preferences;
    struct relayed_round_trip round_trip;
    int width, height;
    tick_t started; /* when the first request left; TICK_NEVER before */
    struct pacing_picture picture;
    uint64_t told_at;      /* bytes taken from the stream at the newest EVENT_ARRIVED */
    int64_t used;          /* bytes received, less those that waited at the newest picture's end */
    tick_t sleeping_until; /* when the sender wakes by itself */
    bool held;             /* something waits for room in the socket */
    uint64_t pixels;       /* decoded */
};

struct pacing *pacing_create(const struct pacing_options *options)
{
    struct pacing *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    scheduler_init(&p->scheduler, &options->scheduler);
    p->trace = options->trace;
    if (p->trace)
        trace_log_begin(p->trace, &options->scheduler);
    meter_init(&p->meter);
    push_init(&p->push, options->encodings.push);
    p->refreshes = options->scheduler.lossless_refresh;
    p->preferences.wished = options->encodings;
    p->round_trip.relayed = options->relayed;
    p->started = TICK_NEVER;
    return p;
}

void pacing_destroy(struct pacing *p)
{
    if (!p)
        return;
    lossy_deinit(&p->lossy);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void pacing_end_trace(struct pacing *p)
{
    pthread_mutex_lock(&p->lock);
    p->trace = NULL;
    pthread_mutex_unlock(&p->lock);
}

/* For the scheduler time does not go back: an older time becomes the newest one. */
static tick_t pacing_lock(struct pacing *p, tick_t now)
{
    pthread_mutex_lock(&p->lock);
    return p->now = tick_later(p->now, now);
}

/* ---- with the lock held, up to the functions of pacing.h ---- */

/* Tells the scheduler, and the trace, what has happened. */
static void pacing_tell(struct pacing *p, const struct scheduler_event *event, tick_t now)
{
    scheduler_tell(&p->scheduler, event, now);
    if (p->trace) {
        struct trace_record r = {now, *event, scheduler_decide(&p->scheduler, now)};

        trace_log_add(p->trace, &r);
    }
}

/* Whether the server has to be told another quality. Before the first picture it is not known
 * whether it is a LibVNCServer. */
static bool pacing_untold(const struct pacing *p, tick_t now)
{
    return (p->meter.updates > 0 || p->preferences.h264_unread > 0) &&
           preferences_changed(&p->preferences, &p->scheduler, &p->push, now);
}

/* Whether the sender has to be woken. */
static bool pacing_has_to_send(const struct pacing *p, tick_t now)
{
    return !p->held &&
           (scheduler_next(&p->scheduler).at < p->sleeping_until || pacing_untold(p, now));
}

/* Gives the lock back. Whether the sender has to be woken. */
static bool pacing_unlock(struct pacing *p, tick_t now)
{
    bool wake = pacing_has_to_send(p, now);

    pthread_mutex_unlock(&p->lock);
    return wake;
}

static void pacing_tell_round_trip(struct pacing *p, const struct transport_info *info, tick_t now)
{
    double ms = relayed_round_trip_newest(&p->round_trip, info->rtt_ms, info->smoothed_ms);
    struct scheduler_event e = {.type = EVENT_ROUND_TRIP, .round_trip = tick_from_ms(ms)};

    if (ms > 0)
        pacing_tell(p, &e, now);
}

static void pacing_tell_arrived(struct pacing *p, const struct pacing_bytes *bytes, tick_t now)
{
    struct scheduler_event e = {.type = EVENT_ARRIVED,
                                .arrived = (uint64_t)bytes->info.bytes_received};

    p->told_at = bytes->taken;
    if (bytes->info.bytes_received > 0)
        pacing_tell(p, &e, now);
}

void pacing_report(struct pacing *p, const struct scheduler_event *event, tick_t now)
{
    now = pacing_lock(p, now);
    pacing_tell(p, event, now);
    pthread_mutex_unlock(&p->lock);
}

static void pacing_open_picture(struct pacing *p, tick_t now)
{
    p->picture = (struct pacing_picture){.open = true, .begun = now};
    pacing_tell(p, &(struct scheduler_event){.type = EVENT_UPDATE_BEGUN}, now);
}

/* The picture that ends now shows what left the server when requests up to this time were there. */
static tick_t pacing_asked_until(const struct pacing *p)
{
    return p->picture.begun - scheduler_facts(&p->scheduler).round_trip;
}

/* How many bytes the picture that ends now had, and what comes after it. */
static struct scheduler_update pacing_measure(struct pacing *p, const struct pacing_bytes *bytes,
                                              bool pixels, tick_t now)
{
    struct scheduler_update u = {.pixels = pixels,
                                 .news = !pixels || p->picture.news,
                                 .more = push_more(&p->push, bytes->waiting)};
    int64_t used;

    if (bytes->info.bytes_received < 0) /* a Unix socket */
        return u;
    /* Bytes may have arrived between the two questions. Then this count is too high, and the next
     * one may be lower. It never goes back. */
    used = bytes->info.bytes_received - bytes->waiting;
    if (used < p->used)
        used = p->used;
    pacing_tell_arrived(p, bytes, now);
    u.bytes = (uint64_t)(used - p->used);
    p->used = used;
    pacing_tell_round_trip(p, &bytes->info, now);
    return u;
}

/* Tells the scheduler of the picture that ends now, and of what is lossy after it. */
static void pacing_tell_picture(struct pacing *p, const struct pacing_bytes *bytes, bool pixels,
                                tick_t now)
{
    struct scheduler_event update = {.type = EVENT_UPDATE_FINISHED}, loss = {.type = EVENT_LOSS};
    bool news;

    update.update = pacing_measure(p, bytes, pixels, now);
    pacing_tell(p, &update, now);
    news = scheduler_had_news(&p->scheduler);
    if (pixels && news)
        lossy_give_up(&p->lossy);
    else if (pixels)
        lossy_answered(&p->lossy, pacing_asked_until(p));
    loss.loss = (struct scheduler_loss){
        .pixels = lossy_pixels(&p->lossy),
        .asked = p->lossy.asked > 0,
        .again = p->picture.loss && !news,
    };
    pacing_tell(p, &loss, now);
}

/* Writes a SetEncodings if the server is to use another quality now. It does not wait for the next
 * request: updates that were asked for already come with the new quality, too. */
static size_t pacing_tell_encodings(struct pacing *p, uint8_t *out, tick_t now)
{
    if (!pacing_untold(p, now))
        return 0;
    return preferences_write(&p->preferences, &p->scheduler, &p->push, false, out, now);
}

/* Writes the request for the next slice of a refresh, if one is left. */
static size_t pacing_ask_slice(struct pacing *p, uint8_t *out, tick_t now)
{
    struct scheduler_event sent = {.type = EVENT_REFRESH_SENT};
    struct rect slice;
    bool any = lossy_take(&p->lossy, scheduler_refresh_pixels(&p->scheduler), now, &slice);
    size_t size;

    if (any)
        sent.pixels = (uint64_t)slice.w * (uint64_t)slice.h;
    pacing_tell(p, &sent, now);
    if (!any)
        return 0;
    meter_request(&p->meter, REQUEST_REFRESH);
    size = pacing_tell_encodings(p, out, now);
    return size + client_write_update_request(out + size, false, slice);
}

/* Writes the request that is due. */
static size_t pacing_ask(struct pacing *p, uint8_t *out, enum request_cause cause, tick_t now)
{
    struct scheduler_event sent = {.type = EVENT_REQUEST_SENT, .cause = cause};
    bool idle = p->accelerated && p->scheduler.hidden && cause != REQUEST_FIRST; /* see pacing.h */
    struct rect wanted = {0, 0, idle ? 1 : p->width, idle ? 1 : p->height};

    p->started = tick_sooner(p->started, now);
    if (cause == REQUEST_REFRESH)
        return pacing_ask_slice(p, out, now);
    pacing_tell(p, &sent, now);
    meter_request(&p->meter, cause);
    return client_write_update_request(out, cause != REQUEST_FIRST, wanted);
}

/* Our own socket is full. The request that is due would leave late, in a bunch with others. So it
 * is not sent, and the scheduler names no other one until there is room. */
static void pacing_skip(struct pacing *p, enum request_cause cause, tick_t now)
{
    pacing_tell(p, &(struct scheduler_event){.type = EVENT_REQUEST_SKIPPED, .cause = cause}, now);
    meter_skipped(&p->meter);
}

static void pacing_note_room(struct pacing *p, tick_t now)
{
    if (scheduler_blocked(&p->scheduler))
        pacing_tell(p, &(struct scheduler_event){.type = EVENT_ROOM}, now);
}

/* ---- the beginning ---- */

void pacing_set_handshake_rtt(struct pacing *p, double ms)
{
    pthread_mutex_lock(&p->lock);
    p->round_trip.handshake = ms;
    pthread_mutex_unlock(&p->lock);
}

void pacing_learn_round_trip(struct pacing *p, const struct transport_info *info, tick_t now)
{
    now = pacing_lock(p, now);
    if (info->bytes_received >= 0)
        pacing_tell_round_trip(p, info, now);
    pthread_mutex_unlock(&p->lock);
}

size_t pacing_write_setup(struct pacing *p, uint8_t *out, bool ahead, tick_t now)
{
    size_t size = client_write_set_pixel_format(out, &pixel_format_xrgb);

    now = pacing_lock(p, now);
    size += preferences_write(&p->preferences, &p->scheduler, &p->push, ahead, out + size, now);
    pthread_mutex_unlock(&p->lock);
    return size;
}

void pacing_new_picture(struct pacing *p, int width, int height, bool asks, tick_t now)
{
    now = pacing_lock(p, now);
    p->width = width;
    p->height = height;
    if (p->refreshes)
        lossy_resize(&p->lossy, width, height); /* when out of memory nothing is refreshed */
    push_resized(&p->push);
    if (asks)
        pacing_tell(p, &(struct scheduler_event){.type = EVENT_NEW_PICTURE}, now);
    pthread_mutex_unlock(&p->lock);
}

void pacing_asked_ahead(struct pacing *p, tick_t at)
{
    struct scheduler_event sent = {.type = EVENT_REQUEST_SENT, .cause = REQUEST_FIRST};

    at = pacing_lock(p, at);
    p->started = at;
    pacing_tell(p, &sent, at);
    meter_request(&p->meter, REQUEST_FIRST);
    pthread_mutex_unlock(&p->lock);
}

void pacing_unasked(struct pacing *p, bool pushed, tick_t now)
{
    struct scheduler_event push = {.type = EVENT_PUSH, .pushed = true};

    now = pacing_lock(p, now);
    p->started = tick_sooner(p->started, now);
    p->pushed = pushed;
    if (pushed)
        pacing_tell(p, &push, now);
    pthread_mutex_unlock(&p->lock);
}

/* ---- what the server sends ---- */

bool pacing_wants_bytes(struct pacing *p, uint64_t taken)
{
    bool wants;

    pthread_mutex_lock(&p->lock);
    wants = taken - p->told_at >= SLOWDOWN_PIECE;
    pthread_mutex_unlock(&p->lock);
    return wants;
}

void pacing_arrived(struct pacing *p, const struct pacing_bytes *bytes, tick_t now)
{
    now = pacing_lock(p, now);
    pacing_tell_arrived(p, bytes, now);
    pthread_mutex_unlock(&p->lock);
}

bool pacing_begun(struct pacing *p, const struct pacing_bytes *bytes, tick_t now)
{
    now = pacing_lock(p, now);
    pacing_open_picture(p, now);
    pacing_tell_arrived(p, bytes, now);
    return pacing_unlock(p, now);
}

bool pacing_drawn(struct pacing *p, struct rect r, int32_t encoding, bool loss, bool answer,
                  tick_t now)
{
    bool asked;

    now = pacing_lock(p, now);
    if (!p->picture.open)
        pacing_open_picture(p, now);
    /* what is copied from another place may be lossy there */
    loss = loss || (encoding == ENCODING_COPYRECT && lossy_any(&p->lossy));
    asked = lossy_asked_for(&p->lossy, r);
    p->picture.news = p->picture.news || !asked;
    /* An update that left before our request had arrived does not answer it, even if it lies in the
     * slice: some servers send lossy parts again by themselves, as better JPEG. Such a rectangle
     * leaves the slice as it is. */
    if (!asked || lossy_answers(&p->lossy, pacing_asked_until(p))) {
        p->picture.loss = p->picture.loss || (asked && loss);
        lossy_drawn(&p->lossy, r, loss);
    }
    p->picture.more = p->picture.more || !answer;
    preferences_drawn(&p->preferences, encoding);
    p->pixels += (uint64_t)r.w * (uint64_t)r.h;
    return pacing_unlock(p, now);
}

bool pacing_shown(struct pacing *p, const struct pacing_bytes *bytes, bool pixels, tick_t now,
                  const char **not_pushed)
{
    now = pacing_lock(p, now);
    pixels = pixels && p->picture.more; /* an answer to the keep-alive is no frame */
    pacing_tell_picture(p, bytes, pixels, now);
    meter_update(&p->meter, pixels, now);
    if (pixels && p->picture.news)
        meter_change(&p->meter);
    p->picture = (struct pacing_picture){0};
    *not_pushed = push_update(&p->push);
    return pacing_unlock(p, now);
}

bool pacing_ran_dry(struct pacing *p, tick_t now)
{
    now = pacing_lock(p, now);
    pacing_tell(p, &(struct scheduler_event){.type = EVENT_RAN_DRY}, now);
    return pacing_unlock(p, now);
}

bool pacing_server_kind(struct pacing *p, enum pacing_server kind, tick_t now)
{
    bool counts = kind == PACING_COUNTS;

    now = pacing_lock(p, now);
    p->accelerated |= kind == PACING_ACCELERATOR;
    if (!p->accelerated || !counts)
        pacing_tell(p, &(struct scheduler_event){.type = EVENT_SERVER_KIND, .counts = counts}, now);
    p->preferences.libvncserver |= kind == PACING_LIBVNCSERVER;
    return pacing_unlock(p, now);
}

const char *pacing_push_ended(struct pacing *p, tick_t now)
{
    struct scheduler_event push = {.type = EVENT_PUSH};
    const char *why;

    now = pacing_lock(p, now);
    why = push_ended(&p->push);
    push.pushed = p->push.state == PUSH_ON;
    pacing_tell(p, &push, now);
    pthread_mutex_unlock(&p->lock);
    return why;
}

uint64_t pacing_h264_unread(struct pacing *p, bool gone)
{
    uint64_t count;

    pthread_mutex_lock(&p->lock);
    count = preferences_unread(&p->preferences, gone);
    pthread_mutex_unlock(&p->lock);
    return count;
}

bool pacing_fence(struct pacing *p, uint32_t flags, const uint8_t *payload, size_t size)
{
    bool answer;

    pthread_mutex_lock(&p->lock);
    answer = push_fence(&p->push, flags, payload, size);
    pthread_mutex_unlock(&p->lock);
    return answer;
}

/* ---- what the user wishes ---- */

void pacing_tune(struct pacing *p, const struct session_tuning *tuning, tick_t now)
{
    struct scheduler_event event = {.type = EVENT_TUNED};
    struct encoding_options *e = &p->preferences.wished;

    now = pacing_lock(p, now);
    e->quality = tuning->quality == TUNING_AUTO ? LEVEL_AUTO : (int)tuning->quality;
    event.tuning = (struct scheduler_tuning){
        .policy = (enum prp_policy)tuning->policy,
        .fixed_prp = (tick_t)tuning->prp_us * (TICK_MS / 1000),
        .quality_pinned = e->quality != LEVEL_AUTO && e->compress != LEVEL_AUTO,
    };
    pacing_tell(p, &event, now);
    pthread_mutex_unlock(&p->lock);
}

void pacing_want_screens(struct pacing *p)
{
    pthread_mutex_lock(&p->lock);
    p->preferences.wished.no_screens = false;
    pthread_mutex_unlock(&p->lock);
}

void pacing_ask_all(struct pacing *p, tick_t now)
{
    pacing_report(p, &(struct scheduler_event){.type = EVENT_NEW_PICTURE}, now);
}

void pacing_hide(struct pacing *p, bool on, tick_t now)
{
    pacing_report(p, &(struct scheduler_event){.type = EVENT_HIDDEN, .hidden = on}, now);
}

/* ---- the sender ---- */

void pacing_input(struct pacing *p, unsigned messages, bool acts, bool room, tick_t now)
{
    struct scheduler_event sent = {.type = EVENT_INPUT_SENT, .acts = acts};

    now = pacing_lock(p, now);
    if (room)
        pacing_note_room(p, now);
    meter_input(&p->meter, messages);
    pacing_tell(p, &sent, now);
    pthread_mutex_unlock(&p->lock);
}

size_t pacing_write(struct pacing *p, uint8_t *out, const struct pacing_turn *turn, tick_t now)
{
    struct scheduler_next next;
    size_t size = 0;

    now = pacing_lock(p, now);
    if (turn->room) {
        pacing_note_room(p, now);
        size += pacing_tell_encodings(p, out, now);
        size += push_write_enable(&p->push, out + size, (struct rect){0, 0, p->width, p->height});
    }
    next = scheduler_next(&p->scheduler);
    if (next.at <= now && turn->room)
        size += pacing_ask(p, out + size, next.cause, now);
    else if (next.at <= now)
        pacing_skip(p, next.cause, now);
    p->held = !turn->room && (turn->more_waits || scheduler_blocked(&p->scheduler) ||
                              pacing_untold(p, now) || p->push.enable_due);
    pthread_mutex_unlock(&p->lock);
    return size;
}

bool pacing_waits_for_room(struct pacing *p)
{
    bool held;

    pthread_mutex_lock(&p->lock);
    held = p->held;
    pthread_mutex_unlock(&p->lock);
    return held;
}

/* If the scheduler's time has come, and no request is due, it is told so. With the lock held. */
static tick_t pacing_next_look(struct pacing *p, tick_t now)
{
    tick_t at = scheduler_wait(&p->scheduler, now);

    if (at > now || scheduler_next(&p->scheduler).at <= now)
        return at;
    pacing_tell(p, &(struct scheduler_event){.type = EVENT_TIME}, now);
    return scheduler_wait(&p->scheduler, now);
}

tick_t pacing_sleep(struct pacing *p, tick_t until, tick_t now)
{
    now = pacing_lock(p, now);
    until = p->sleeping_until = tick_sooner(until, pacing_next_look(p, now));
    pthread_mutex_unlock(&p->lock);
    return until;
}

/* ---- figures ---- */

static void pacing_set_words(char out[SESSION_WORDS_MAX], const char *text)
{
    snprintf(out, SESSION_WORDS_MAX, "%s", text ? text : "");
}

void pacing_stats(struct pacing *p, const struct transport_info *info, bool row, tick_t now,
                  struct session_stats *out)
{
    struct scheduler_facts facts;

    pthread_mutex_lock(&p->lock);
    facts = scheduler_facts(&p->scheduler);
    preferences_stats(&p->preferences, &p->scheduler, &p->push, now, out);
    out->meter = p->meter;
    out->elapsed = p->started == TICK_NEVER ? 0 : now - p->started;
    out->fps = meter_fps(&p->meter, now);
    out->prp_ms = tick_to_ms(scheduler_prp(&p->scheduler));
    out->pushed = p->pushed || p->push.state == PUSH_ON;
    out->rtt_ms = relayed_round_trip(&p->round_trip, info->rtt_ms);
    out->rtt_now_ms = relayed_round_trip_newest(&p->round_trip, info->rtt_ms, info->smoothed_ms);
    out->queue_ms = facts.queue / (double)TICK_MS;
    out->delivery_rate = facts.rate;
    out->busy = facts.busy;
    out->in_flight = facts.in_flight;
    out->width = p->width;
    out->height = p->height;
    out->pixels = p->pixels;
    pacing_set_words(out->quality_why, facts.quality_why);
    pacing_set_words(out->rule, facts.rule);
    if (row)
        meter_row_taken(&p->meter);
    pthread_mutex_unlock(&p->lock);
}

struct scheduler_facts pacing_facts(struct pacing *p)
{
    struct scheduler_facts facts;

    pthread_mutex_lock(&p->lock);
    facts = scheduler_facts(&p->scheduler);
    pthread_mutex_unlock(&p->lock);
    return facts;
}

int pacing_quality(struct pacing *p)
{
    int step;

    pthread_mutex_lock(&p->lock);
    step = quality_reached(&p->scheduler.quality);
    pthread_mutex_unlock(&p->lock);
    return step < 0 ? 0 : step + 1;
}
