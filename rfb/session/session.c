#include "rfb/session/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/log.h"
#include "rfb/session/session_state.h"
#include "rfb/thread_time.h"
#include "rfb/wake.h"

/* ns: at the end the last input may wait so long for a server that does not read. Chosen. */
#define LAST_WORDS TICK_S
/* ns: a decoder ends at its next read or fill. If it computes for longer than this, nobody waits
 * for it. Chosen. */
#define DECODER_PATIENCE (TICK_S / 2)

/* A tunnel or relay stands in between when the handshake's round trip is longer than the kernel's x
 * RELAY_FACTOR + RELAY_EXTRA_MS. Chosen. */
#define RELAY_FACTOR   4
#define RELAY_EXTRA_MS 30.0

void session_wake_sender(struct session *s)
{
    eventfd_wake(s->wake_fd, "the sender");
}

void session_cut(struct session *s)
{
    eventfd_wake(s->cancel_fd, "who connects");
    if (s->stream)
        stream_cut(s->stream);
    pthread_cond_broadcast(&s->answered);
}

static void stop(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    /* Releases of keys may still wait. If that need not wait for room, the sender sends them before
     * it cuts. */
    if (s->phase != RUNNING || stream_unsent(s->stream) > 0)
        session_cut(s);
    pthread_mutex_unlock(&s->lock);
    session_wake_sender(s);
}

static bool start_threads(struct session *s)
{
    if (pthread_create(&s->receiver, NULL, session_receiver, s) != 0)
        return false;
    if (pthread_create(&s->sender, NULL, session_sender, s) == 0)
        return true;
    stop(s);
    pthread_join(s->receiver, NULL);
    return false;
}

void session_free(struct session *s)
{
    decoder_destroy(s->decoder);
    stream_destroy(s->stream);
    commands_destroy(s->commands);
    events_destroy(s->events);
    framebuffer_unmap(s->reader);
    framebuffer_destroy(s->fb);
    lossy_deinit(&s->lossy);
    session_clipboard_deinit(&s->clipboard);
    if (s->wake_fd >= 0)
        close(s->wake_fd);
    if (s->cancel_fd >= 0)
        close(s->cancel_fd);
    explicit_bzero(&s->answer, sizeof s->answer);
    pthread_cond_destroy(&s->answered);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* Leaves the session to its receiver, which still decodes what the server sent, and which frees the
 * session at its end. False when the receiver will end at once. */
static bool abandon(struct session *s)
{
    bool busy;

    pthread_mutex_lock(&s->lock);
    busy = s->phase == RUNNING; /* a handshake ends at once */
    if (busy) {
        s->abandoned = true;
        s->options.trace = NULL;
        events_silence(s->events);
        pthread_detach(s->receiver);
    }
    pthread_mutex_unlock(&s->lock);
    return busy;
}

static void here_destroy(struct session *s)
{
    stop(s);
    if (!thread_join_within(s->sender, LAST_WORDS)) {
        pthread_mutex_lock(&s->lock);
        session_cut(s);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->sender, NULL);
    }
    if (!thread_join_within(s->receiver, DECODER_PATIENCE)) {
        if (abandon(s))
            return;
        pthread_join(s->receiver, NULL);
    }
    session_free(s);
}

static struct session_event *here_next_event(struct session *s)
{
    return events_take(s->events);
}

static struct framebuffer_reader *here_framebuffer(struct session *s)
{
    return s->reader;
}

/* Adds a command for the server to the queue, and wakes the sender. */
static void pass_on(struct session *s, const struct session_command *c)
{
    bool running;

    pthread_mutex_lock(&s->lock);
    running = s->phase == RUNNING;
    pthread_mutex_unlock(&s->lock);
    if (running && commands_add(s->commands, c))
        session_wake_sender(s);
}

static void here_send(struct session *s, const struct session_command *c)
{
    if (c->type == COMMAND_STOP)
        stop(s);
    else if (c->type == COMMAND_ANSWER)
        session_take_answer(s, session_command_answer(c));
    else if (c->type == COMMAND_TUNE)
        session_take_tuning(s, session_command_tuning(c));
    else if (c->type == COMMAND_RESIZE)
        session_take_resize(s, c->x, c->y);
    else if (c->type == COMMAND_REFRESH)
        session_take_refresh(s);
    else if (c->type == COMMAND_WATCH)
        session_take_watch(s, c->down);
    else if (c->type == COMMAND_HIDE)
        session_take_hide(s, c->down);
    else if (c->type != COMMAND_CUT_TEXT || s->options.clipboard & CLIPBOARD_SEND)
        pass_on(s, c);
}

void session_notice(struct session *s, const char *format, ...)
{
    const struct session_event head = {.type = SESSION_NOTICE};
    char text[SESSION_REASON_MAX];
    struct session_event *e;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sanitise(text);
    if ((e = session_event_create(&head, text, strlen(text) + 1)))
        events_add(s->events, e);
}

void session_tell(struct session *s, const struct scheduler_event *event, tick_t now)
{
    scheduler_tell(&s->scheduler, event, now);
    if (s->options.trace) {
        struct trace_record r = {now, *event, scheduler_decide(&s->scheduler, now)};

        trace_log_add(s->options.trace, &r);
    }
}

/* A LibVNCServer with threads reads SetEncodings while it encodes an update. What does harm then is
 * left out:
 * - it has three levels for Tight, and takes a higher one for 2. It looks at that only when it
 *   begins an update. A level above 3 that comes later can leave that update without its end.
 * - it answers the extended clipboard at once, in the middle of the update. It has heard of that
 *   before it said who it is, and does not forget it. */
static void fit_libvncserver(struct encoding_options *o)
{
    const int highest = 2;

    if (o->list.number[0] == ENCODING_TIGHT && o->compress > highest)
        o->compress = highest;
    o->clipboard = false;
}

void session_encodings(const struct session *s, struct encoding_options *out)
{
    int step = scheduler_quality(&s->scheduler, tick_now());

    *out = s->options.encodings;
    out->jpeg = out->jpeg && !scheduler_refreshing(&s->scheduler);
    if (out->quality == LEVEL_AUTO)
        out->quality = quality_jpeg(step);
    if (out->compress == LEVEL_AUTO)
        out->compress = quality_compress(step);
    out->push = push_listed(&s->push);
    if (s->libvncserver)
        fit_libvncserver(out);
}

bool session_untold(const struct session *s)
{
    struct encoding_options now;

    /* Before the first picture it is not known whether it is a LibVNCServer: fit_libvncserver(). */
    if (s->meter.updates == 0)
        return false;
    session_encodings(s, &now);
    return now.quality != s->told.quality || now.compress != s->told.compress ||
           now.jpeg != s->told.jpeg || now.push != s->told.push ||
           now.no_screens != s->told.no_screens;
}

double session_round_trip_ms(const struct session *s, double kernel_ms)
{
    /* a tunnel or a repeater that we know of, or one that shows */
    bool relayed = (route_is_relayed(&s->options.route) && s->handshake_rtt_ms > kernel_ms) ||
                   s->handshake_rtt_ms > RELAY_FACTOR * kernel_ms + RELAY_EXTRA_MS;

    return relayed ? s->handshake_rtt_ms : kernel_ms;
}

/* s: CPU time of the thread that decodes. Call with the lock held. */
static double decode_seconds(struct session *s)
{
    clockid_t clock;

    if (s->phase == CLOSED)
        return s->decode_s;
    return pthread_getcpuclockid(s->receiver, &clock) == 0 ? cpu_seconds(clock) : 0;
}

static void set_words(char out[SESSION_WORDS_MAX], const char *text)
{
    snprintf(out, SESSION_WORDS_MAX, "%s", text ? text : "");
}

static void here_stats(struct session *s, bool row, struct session_stats *out)
{
    struct encoding_options encodings;
    struct transport_info info;
    struct scheduler_facts facts;
    tick_t now = tick_now();

    pthread_mutex_lock(&s->lock);
    facts = scheduler_facts(&s->scheduler);
    session_encodings(s, &encodings);
    if (s->ended < now)
        now = s->ended;
    if (s->stream && s->phase != CLOSED)
        stream_info(s->stream, &s->last_info);
    info = s->last_info;
    *out = (struct session_stats){
        .meter = s->meter,
        .elapsed = s->started == TICK_NEVER ? 0 : now - s->started,
        .fps = meter_fps(&s->meter, now),
        .prp_ms = tick_to_ms(scheduler_prp(&s->scheduler, now)),
        .pushed = s->push.state == PUSH_ON,
        .rtt_ms = session_round_trip_ms(s, info.rtt_ms),
        .queue_ms = facts.queue / (double)TICK_MS,
        .delivery_rate = facts.rate,
        .busy = facts.busy,
        .in_flight = facts.in_flight,
        .quality = encodings.quality,
        .compress = encodings.compress,
        .fingerprinted = s->fingerprinted,
        .key_codes = s->key_codes,
        .more_buttons = s->more_buttons,
        .extended_clipboard = s->clipboard.extended,
        .rtt_now_ms = session_newest_round_trip_ms(s, &info),
        .response_ms = tick_to_ms(response_after(&s->response, now - TICK_S)),
        .bytes_received = info.bytes_received,
        .bytes_sent = info.bytes_sent,
        .window_bytes = s->window_bytes,
        .width = s->width,
        .height = s->height,
        .encodings_seen = s->encodings_seen,
        .heard_at = s->progress_at,
        .rests = session_rests(s, now),
        .silent = s->phase == RUNNING && keep_alive_silent(&s->alive, s->progress_at, now),
        .answer_ms = tick_to_ms(keep_alive_answer_time(&s->alive, now)),
        .decode_s = decode_seconds(s),
        .pixels = s->pixels,
        .recording = s->recording,
        .memory = session_memory_now(s),
        .played = session_plays(s),
        .certificate = s->certificate,
    };
    strcpy(out->name, s->name);
    set_words(out->quality_why, facts.quality_why);
    set_words(out->rule, facts.rule);
    set_words(out->security, s->security);
    memcpy(out->sha256, s->sha256, sizeof out->sha256);
    if (row)
        meter_row_taken(&s->meter);
    pthread_mutex_unlock(&s->lock);
}

struct session *session_create(const struct session_options *options)
{
    static const struct session_ops ops = {
        .send = here_send,
        .next_event = here_next_event,
        .framebuffer = here_framebuffer,
        .stats = here_stats,
        .destroy = here_destroy,
    };
    struct session *s = calloc(1, sizeof *s);
    tick_t now = tick_now();

    if (!s)
        return NULL;
    s->head.ops = &ops;
    s->options = *options;
    s->deadline = now + options->connect_timeout;
    s->prompting_since = s->early_until = TICK_NEVER;
    s->progress_at = s->watched_at = s->awake_since = now;
    keep_alive_init(&s->alive);
    s->leds = LEDS_UNKNOWN;
    s->started = s->ended = TICK_NEVER;
    s->last_info = (struct transport_info){.bytes_received = -1, .bytes_sent = -1};
    s->options.scheduler.first_quality = options->memory.quality;
    scheduler_init(&s->scheduler, &s->options.scheduler);
    if (options->trace)
        trace_log_begin(options->trace, &s->options.scheduler);
    push_init(&s->push, options->encodings.push);
    session_clipboard_init(&s->clipboard, options->clipboard);
    s->options.encodings.clipboard = options->clipboard != 0 || session_plays(s);
    meter_init(&s->meter);
    response_init(&s->response);
    s->security = "";
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->answered, NULL);
    s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->fb = framebuffer_create(options->picture_fd > 0 ? options->picture_fd : -1);
    s->reader = s->fb ? framebuffer_reader_of(s->fb) : NULL;
    s->events = events_create(&options->callbacks);
    s->commands = commands_create();
    if (s->wake_fd < 0 || s->cancel_fd < 0 || !s->reader || !s->events || !s->commands ||
        !start_threads(s)) {
        session_free(s);
        return NULL;
    }
    return s;
}
