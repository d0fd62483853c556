#include "rfb/session/threads/receiver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "rfb/film/decoder.h"
#include "rfb/session/threads/receiver_desktop.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"

static void receiver_wake_sender(struct receiver *r, bool wake)
{
    if (wake)
        outbox_wake(r->parts.outbox);
}

static void receiver_say_not_pushed(const char *why)
{
    if (why)
        log_line("%s: requests go on", why);
}

/* ---- pictures ---- */

static struct pacing_bytes receiver_bytes(struct receiver *r)
{
    struct pacing_bytes b = {.taken = stream_taken(r->stream)};

    stream_info(r->stream, &b.info);
    return b;
}

static bool receiver_on_begun(void *user)
{
    struct receiver *r = user;
    bool rested, goes_on = life_message_begins(r->life, tick_now(), &rested);

    receiver_wake_sender(r, rested); /* the watchdog has something to look after again */
    return goes_on;
}

static void receiver_on_ended(void *user)
{
    struct receiver *r = user;

    life_message_ends(r->life);
    receiver_wake_sender(r, datagrams_has_news(r->parts.datagrams));
    if (stream_waiting(r->stream) > 0)
        return;
    receiver_wake_sender(r, pushed_ran_dry(r->parts.pushed));
    receiver_wake_sender(r, pacing_ran_dry(r->pacing, tick_now()));
}

static void receiver_on_update_begun(void *user)
{
    struct receiver *r = user;
    struct pacing_bytes bytes = receiver_bytes(r);

    responses_update_begun(r->parts.responses);
    receiver_wake_sender(r, pacing_begun(r->pacing, &bytes, tick_now()));
    outbox_settle_clipboard(r->parts.outbox);
}

static bool receiver_on_drawn(void *user, struct rect area, int32_t encoding, bool loss)
{
    struct receiver *r = user;
    tick_t now = tick_now();
    bool answer;

    if (pacing_wants_bytes(r->pacing, stream_taken(r->stream))) {
        struct pacing_bytes bytes = receiver_bytes(r);

        pacing_arrived(r->pacing, &bytes, now);
    }
    answer = life_is_answer(r->life, area, now);
    if (!answer)
        responses_drawn(r->parts.responses);
    /* a far end that pushes sends again by itself what came with loss */
    loss = loss && !r->pushes;
    receiver_wake_sender(r, pacing_drawn(r->pacing, area, encoding, loss, answer, now));
    recorder_drawn(r->parts.open.recorder, area);
    return life_progress(r->life, now);
}

static void receiver_on_shown(void *user, bool pixels)
{
    struct receiver *r = user;
    bool damaged = framebuffer_publish(r->parts.open.fb);
    struct pacing_bytes bytes = receiver_bytes(r);
    const char *not_pushed;

    bytes.waiting = stream_waiting(r->stream);
    receiver_wake_sender(r, pacing_shown(r->pacing, &bytes, pixels, tick_now(), &not_pushed));
    receiver_say_not_pushed(not_pushed);
    if (r->pushes)
        responses_shown(r->parts.responses);
    else
        responses_update_shown(r->parts.responses);
    /* Of the first picture the figures are waited for, too. Its owner may not have looked yet at
     * the picture that was made for it, and then it adds no damage. */
    if (damaged || (pixels && !r->shown))
        events_wake(r->parts.events);
    r->shown = r->shown || pixels;
    recorder_shown(r->parts.open.recorder, r->parts.open.fb);
}

static void receiver_on_again(void *user)
{
    struct receiver *r = user;

    pacing_ask_all(r->pacing, tick_now());
    receiver_wake_sender(r, true);
}

static void receiver_on_unread(void *user, const char *why)
{
    struct receiver *r = user;

    if (pacing_h264_unread(r->pacing, !film_decoder_works()) > 1)
        return;
    events_notice(r->parts.events,
                  "the server's H.264 cannot be shown: %s; it is asked for other encodings", why);
    receiver_on_again(user);
}

/* A far end that pushes sends all of it anyway; asked for it would come twice. */
static void receiver_new_picture(struct receiver *r, int width, int height, tick_t now)
{
    pacing_new_picture(r->pacing, width, height, !r->pushes, now);
    outbox_new_picture(r->parts.outbox, width, height);
}

static void receiver_on_resized(void *user, int width, int height)
{
    const struct session_event event = {.type = SESSION_RESIZED, .width = width, .height = height};
    struct receiver *r = user;

    receiver_new_picture(r, width, height, tick_now());
    recorder_resized(r->parts.open.recorder, width, height);
    receiver_wake_sender(r, true);
    receiver_post(r, &event, NULL, 0);
}

/* ---- how the server is to be spoken to ---- */

static void receiver_on_server_kind(void *user, bool counts)
{
    struct receiver *r = user;

    if (counts) { /* neatvnc: it loses what comes before it is ready for TLS */
        pthread_mutex_lock(&r->lock);
        r->facts.learnt.hello_waits = true;
        pthread_mutex_unlock(&r->lock);
    }
    receiver_wake_sender(
        r, pacing_server_kind(r->pacing, counts ? PACING_COUNTS : PACING_LIBVNCSERVER, tick_now()));
}

static void receiver_keep_ticket(struct receiver *r, const struct accelerator_shown *shown)
{
    const struct session_event event = {.type = SESSION_TICKET};
    struct session_ticket ticket = {.port = shown->ticket_port};

    if (ticket.port < SESSION_DATAGRAM_PORT_LEAST || !r->parts.open.options->datagrams)
        return;
    memcpy(ticket.secret, shown->ticket_secret, sizeof ticket.secret);
    receiver_post(r, &event, &ticket, sizeof ticket);
}

/* The far end pushes if there is a version of the wire that both speak. */
static void receiver_see_blocks(struct receiver *r, const struct accelerator_shown *shown)
{
    if (!shown->blocks_newest || r->blocks_seen || !r->parts.open.options->encodings.blocks)
        return;
    r->blocks_seen = true;
    if (!pushed_speaks(shown))
        return;
    r->pushes = true;
    pacing_unasked(r->pacing, true, tick_now());
    receiver_keep_ticket(r, shown);
    receiver_wake_sender(r, pushed_begin(r->parts.pushed, shown->goodbye));
    receiver_wake_sender(r, shown->digests && old_picture_wanted(r->parts.old, shown->digest_key));
    receiver_wake_sender(
        r, datagrams_begin(r->parts.datagrams, shown, r->parts.open.hooks->ask_datagrams));
}

static void receiver_on_accelerated(void *user, const struct accelerator_shown *shown)
{
    struct receiver *r = user;

    if (!shown->pushing.policy[0]) /* else it was said before */
        log_debug("an accelerator stands before the server; its congestion control: %s",
                  *shown->congestion ? shown->congestion : "none");
    pushed_hear(r->parts.pushed, &shown->pushing);
    pthread_mutex_lock(&r->lock);
    r->facts.accelerated = true;
    snprintf(r->facts.congestion, sizeof r->facts.congestion, "%s", shown->congestion);
    pthread_mutex_unlock(&r->lock);
    receiver_wake_sender(r, pacing_server_kind(r->pacing, PACING_ACCELERATOR, tick_now()));
    receiver_see_blocks(r, shown);
}

static void receiver_on_block(void *user, const struct block *b, bool as_datagram)
{
    const struct pushed_block read = {b->sequence, BLOCK_HEAD + b->size, b->quality, as_datagram};
    struct receiver *r = user;
    tick_t now = tick_now();

    receiver_wake_sender(r, pushed_read(r->parts.pushed, &read, now));
    receiver_wake_sender(r, datagrams_came(r->parts.datagrams, b->sequence, as_datagram, now));
}

/* The picture is not whole: it can be seen, and is no frame. */
static void receiver_on_partly(void *user)
{
    struct receiver *r = user;

    receiver_wake_sender(r, pushed_ran_dry(r->parts.pushed));
    if (framebuffer_publish(r->parts.open.fb))
        events_wake(r->parts.events);
    responses_shown(r->parts.responses);
}

static void receiver_on_continuous_updates_ended(void *user)
{
    struct receiver *r = user;

    receiver_say_not_pushed(pacing_push_ended(r->pacing, tick_now()));
    receiver_wake_sender(r, true);
}

static bool receiver_on_fence(void *user, uint32_t flags, const uint8_t *payload, size_t size,
                              struct reason *why)
{
    struct receiver *r = user;

    return !pacing_fence(r->pacing, flags, payload, size) ||
           outbox_answer_fence(r->parts.outbox, flags, payload, size) ||
           reason_set(why, "the server sends fences and does not read the answers");
}

static void receiver_on_key_codes(void *user)
{
    const struct session_event event = {.type = SESSION_KEY_CODES};
    struct receiver *r = user;

    if (outbox_takes_key_codes(r->parts.outbox))
        receiver_post(r, &event, NULL, 0);
}

static void receiver_on_more_buttons(void *user)
{
    struct receiver *r = user;

    outbox_takes_more_buttons(r->parts.outbox);
}

static void receiver_on_steps(void *user, bool on)
{
    const struct session_event event = {.type = SESSION_STEPS, .width = on};
    struct receiver *r = user;

    if (outbox_takes_steps(r->parts.outbox, on))
        receiver_post(r, &event, NULL, 0);
}

static void receiver_on_has_sound(void *user)
{
    struct receiver *r = user;

    receiver_wake_sender(r, sound_learn(r->parts.sound, tick_now()));
}

static void receiver_on_sound(void *user, const void *samples, size_t size)
{
    struct receiver *r = user;
    const struct session_hooks *hooks = r->parts.open.hooks;

    if (sound_came(r->parts.sound, size, tick_now()) && hooks->sound &&
        !hooks->sound(samples, size))
        sound_is_late(r->parts.sound, size);
}

static void receiver_on_screens(void *user, const struct screen_layout *layout)
{
    const struct session_event event = {.type = SESSION_RESIZABLE};
    struct receiver *r = user;

    if (outbox_has_screens(r->parts.outbox, layout))
        receiver_post(r, &event, NULL, 0);
}

static void receiver_on_resize_refused(void *user, unsigned result)
{
    struct receiver *r = user;

    outbox_resize_refused(r->parts.outbox, result);
}

static const struct source_handlers receiver_handlers = {
    .begun = receiver_on_begun,
    .ended = receiver_on_ended,
    .update_begun = receiver_on_update_begun,
    .drawn = receiver_on_drawn,
    .shown = receiver_on_shown,
    .partly = receiver_on_partly,
    .block = receiver_on_block,
    .resized = receiver_on_resized,
    .cursor = receiver_on_cursor,
    .leds = receiver_on_leds,
    .takes_key_codes = receiver_on_key_codes,
    .takes_more_buttons = receiver_on_more_buttons,
    .takes_steps = receiver_on_steps,
    .has_sound = receiver_on_has_sound,
    .sound = receiver_on_sound,
    .name = receiver_on_name,
    .again = receiver_on_again,
    .unread = receiver_on_unread,
    .screens = receiver_on_screens,
    .resize_refused = receiver_on_resize_refused,
    .cut_text = receiver_on_cut_text,
    .cut_text_dropped = receiver_on_cut_text_dropped,
    .clipboard = receiver_on_clipboard,
    .bell = receiver_on_bell,
    .continuous_updates_ended = receiver_on_continuous_updates_ended,
    .server_kind = receiver_on_server_kind,
    .accelerated = receiver_on_accelerated,
    .fence = receiver_on_fence,
};

/* ---- the thread ---- */

/* The first request may have left with the handshake: it counts from then on. */
static void receiver_begin_pictures(struct receiver *r, const struct server_init *init)
{
    const struct session_memory *memory = &r->parts.open.options->memory;
    tick_t at = init->ahead_at;

    if (!init->security) {
        pacing_unasked(r->pacing, true, tick_now());
        receiver_new_picture(r, init->width, init->height, tick_now());
        return;
    }
    if (open_plays(r->parts.open.options)) /* it waits for no request */
        pacing_unasked(r->pacing, false, tick_now());
    receiver_new_picture(r, init->width, init->height, at != TICK_NEVER ? at : tick_now());
    if (at != TICK_NEVER && init->width == memory->width && init->height == memory->height)
        pacing_asked_ahead(r->pacing, at);
}

static void receiver_learn(struct receiver *r, const struct opened *opened)
{
    const struct security *security = opened->init.security;
    struct receiver_facts *f = &r->facts;

    pthread_mutex_lock(&r->lock);
    f->running = true;
    f->security = security ? security->name : "";
    f->certificate = security && security->channel >= CHANNEL_KEY;
    f->fingerprinted = stream_key(r->stream, f->sha256);
    f->learnt = opened->learnt;
    snprintf(f->name, sizeof f->name, "%s", opened->init.name);
    sanitise(f->name); /* it may have been cut inside a character */
    pthread_mutex_unlock(&r->lock);
}

/* The handshake is over: from here on only the sender writes. Takes the name. */
static void receiver_run(struct receiver *r, struct opened *opened)
{
    const struct server_init *init = &opened->init;
    const struct session_event event = {
        .type = SESSION_CONNECTED, .width = init->width, .height = init->height};

    sanitise(init->name);
    log_debug("connected to '%s', %d x %d", init->name, init->width, init->height);
    receiver_learn(r, opened);
    receiver_begin_pictures(r, init);
    life_run(r->life);
    receiver_post_name(r, &event, init->name);
    receiver_wake_sender(r, true);
}

/* Tells the owner that the session has ended, and why. */
static void receiver_close(struct receiver *r, const struct server_init *init, struct reason *why)
{
    struct stream *stream = link_stream(r->parts.open.link);
    struct reason failed;
    enum failure failure;

    link_end(r->parts.open.link);
    pthread_mutex_lock(&r->lock);
    r->facts.ended = true;
    r->facts.decode_s = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    pthread_mutex_unlock(&r->lock);
    life_close(r->life, tick_now(), &failed);
    failure = open_failure(&r->parts.open, init, &failed, why);
    if (failure == FAILURE_PLAYED)
        stream_explain(stream, why);
    if (failed.text[0])
        *why = failed;
    if (life_is_abandoned(r->life)) { /* nobody is left to hear of it, or to wait for this thread */
        pthread_detach(pthread_self());
        r->parts.free_all(r->parts.user);
        return;
    }
    receiver_wake_sender(r, true);
    events_close(r->parts.events, failure, failure ? why->text : NULL);
}

static void *receiver_main(void *user)
{
    struct source_handlers handlers = receiver_handlers;
    struct receiver *r = user;
    struct opened opened = {0};
    struct reason why = {0};
    bool open;

    prctl(PR_SET_NAME, "receiver");
    handlers.user = r;
    handlers.old = r->parts.old;
    handlers.pushed = r->parts.pushed;
    handlers.datagrams = r->parts.datagrams;
    handlers.responses = r->parts.responses;
    handlers.weights = r->parts.weights;
    open = open_session(&r->parts.open, &opened, &why);
    r->source = opened.source;
    if (open) {
        r->stream = link_stream(r->parts.open.link);
        receiver_run(r, &opened);
        while (r->source.receive(r->source.self, &handlers, &why))
            ;
    } else {
        free(opened.init.name);
    }
    receiver_close(r, &opened.init, &why);
    return NULL;
}

/* ---- its life ---- */

struct receiver *receiver_create(const struct receiver_parts *parts)
{
    struct receiver *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->parts = *parts;
    r->pacing = parts->open.pacing;
    r->life = parts->open.life;
    r->leds = UINT32_MAX; /* not known */
    r->facts.security = "";
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void receiver_destroy(struct receiver *r)
{
    if (!r)
        return;
    if (r->source.destroy)
        r->source.destroy(r->source.self);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

bool receiver_start(struct receiver *r)
{
    return pthread_create(&r->thread, NULL, receiver_main, r) == 0;
}

bool receiver_join(struct receiver *r, tick_t limit)
{
    return limit == TICK_NEVER ? pthread_join(r->thread, NULL) == 0
                               : thread_join_within(r->thread, limit);
}

/* s: CPU time of the thread, which decodes. With the lock held. */
static double receiver_seconds(struct receiver *r)
{
    clockid_t clock;

    if (r->facts.ended)
        return r->facts.decode_s;
    return pthread_getcpuclockid(r->thread, &clock) == 0 ? cpu_seconds(clock) : 0;
}

void receiver_stats(struct receiver *r, struct session_stats *out)
{
    const struct receiver_facts *f = &r->facts;

    pthread_mutex_lock(&r->lock);
    out->fingerprinted = f->fingerprinted;
    memcpy(out->sha256, f->sha256, sizeof out->sha256);
    out->certificate = f->certificate;
    out->accelerated = f->accelerated;
    memcpy(out->congestion, f->congestion, sizeof out->congestion);
    snprintf(out->security, sizeof out->security, "%s", f->security);
    memcpy(out->name, f->name, sizeof out->name);
    out->decode_s = receiver_seconds(r) + film_decoder_seconds();
    out->memory = f->learnt;
    pthread_mutex_unlock(&r->lock);
    out->recording = recorder_is_on(r->parts.open.recorder);
    out->played = open_plays(r->parts.open.options);
}
