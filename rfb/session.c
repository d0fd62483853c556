#include "rfb/session.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/client.h"
#include "rfb/commands.h"
#include "rfb/events.h"
#include "rfb/latin1.h"
#include "rfb/log.h"
#include "rfb/messages.h"
#include "rfb/wire.h"

/* How often the watchdog looks for bytes. */
#define WATCHDOG_PERIOD TICK_S
/* Pointer motion held back because the socket is full is tried again after this. */
#define MOTION_RETRY (5 * TICK_MS)
/* Messages of input that leave in one write. */
#define INPUT_BATCH 4096
/* A handshake round trip this much longer than the kernel's means a tunnel or relay in between. */
#define RELAY_FACTOR   4
#define RELAY_EXTRA_MS 30.0

enum phase { CONNECTING, RUNNING, CLOSED };

struct session {
    struct session_options options;
    struct framebuffer *fb;
    struct events *events;
    struct commands *commands;
    struct client *client; /* receiver; the sender may write through it while RUNNING */
    pthread_t receiver, sender;
    int wake_fd;   /* eventfd: the sender has something to look at */
    int cancel_fd; /* eventfd: readable once the session is to end */

    pthread_mutex_t lock; /* everything below */
    enum phase phase;
    bool stopping;          /* session_stop() was called */
    struct reason watchdog; /* why the watchdog ended the session; or empty */
    int fd;                 /* -1 before and after the connection */
    tick_t deadline;        /* of the handshake */
    tick_t prompting_since; /* TICK_NEVER: nobody is being asked for a password */
    bool in_message;
    int64_t bytes_seen;     /* watchdog: count of received bytes, and when it last changed */
    tick_t progress_at;
    tick_t sleeping_until;  /* when the sender wakes by itself */
    tick_t started;         /* first request; TICK_NEVER before */
    tick_t ended;           /* the connection ended; TICK_NEVER before */
    struct scheduler scheduler;
    struct meter meter;
    int width, height;
    uint32_t encodings_seen;
    int64_t window_bytes;
    double handshake_rtt_ms;
    struct transport_info last_info; /* kept when the socket is gone */
};

static void wake_sender(struct session *s)
{
    uint64_t one = 1;

    if (write(s->wake_fd, &one, sizeof one) < 0 && errno != EAGAIN)
        log_debug("cannot wake the sender: %s", strerror(errno));
}

/* Ends the connection from outside: whoever waits in connect, read or write returns. */
static void cut(struct session *s)
{
    uint64_t one = 1;

    if (write(s->cancel_fd, &one, sizeof one) < 0)
        log_debug("cannot cancel: %s", strerror(errno));
    if (s->fd >= 0)
        shutdown(s->fd, SHUT_RDWR);
}

/* ---- receiver: handlers of server messages ---- */

static void on_begun(void *user)
{
    struct session *s = user;

    pthread_mutex_lock(&s->lock);
    s->in_message = true;
    s->progress_at = tick_now();
    pthread_mutex_unlock(&s->lock);
}

static void on_ended(void *user)
{
    struct session *s = user;

    pthread_mutex_lock(&s->lock);
    s->in_message = false;
    pthread_mutex_unlock(&s->lock);
}

/* Call with the lock held, after the scheduler has changed; true: wake the sender. */
static bool due_sooner(struct session *s)
{
    return scheduler_due(&s->scheduler) < s->sleeping_until;
}

static void on_update_begun(void *user)
{
    struct session *s = user;

    pthread_mutex_lock(&s->lock);
    scheduler_update_begun(&s->scheduler, tick_now());
    pthread_mutex_unlock(&s->lock);
}

static void on_rectangle(void *user, int32_t encoding)
{
    struct session *s = user;

    pthread_mutex_lock(&s->lock);
    s->encodings_seen |= 1u << encoding;
    s->progress_at = tick_now();
    pthread_mutex_unlock(&s->lock);
}

static void on_update_finished(void *user, bool pixels)
{
    struct session *s = user;
    bool damaged = framebuffer_publish(s->fb), wake;
    tick_t now = tick_now();

    pthread_mutex_lock(&s->lock);
    scheduler_update_finished(&s->scheduler, pixels, now);
    meter_update(&s->meter, pixels, now);
    wake = due_sooner(s);
    pthread_mutex_unlock(&s->lock);
    if (wake)
        wake_sender(s);
    if (damaged)
        events_wake(s->events);
}

static void new_picture(struct session *s, int width, int height)
{
    pthread_mutex_lock(&s->lock);
    s->width = width;
    s->height = height;
    scheduler_new_picture(&s->scheduler, tick_now());
    pthread_mutex_unlock(&s->lock);
    wake_sender(s);
}

static void on_resized(void *user, int width, int height)
{
    struct session *s = user;

    new_picture(s, width, height);
    events_add(s->events, (struct session_event){
                              .type = SESSION_RESIZED, .width = width, .height = height});
}

static void on_cursor(void *user, int width, int height, int hot_x, int hot_y, uint32_t *pixels)
{
    struct session *s = user;

    events_add(s->events, (struct session_event){.type = SESSION_CURSOR,
                                                 .width = width,
                                                 .height = height,
                                                 .hot_x = hot_x,
                                                 .hot_y = hot_y,
                                                 .pixels = pixels});
}

static void on_name(void *user, char *utf8)
{
    struct session *s = user;

    events_add(s->events, (struct session_event){.type = SESSION_NAME, .text = utf8});
}

static void on_cut_text(void *user, char *utf8)
{
    struct session *s = user;

    events_add(s->events, (struct session_event){.type = SESSION_CUT_TEXT, .text = utf8});
}

static void on_bell(void *user)
{
    struct session *s = user;

    events_add(s->events, (struct session_event){.type = SESSION_BELL});
}

/* ---- receiver ---- */

/* The deadline of the handshake waits while a person types. */
static bool ask_credentials(void *user, bool want_user, char **name, char **password,
                            struct reason *why)
{
    struct session *s = user;
    tick_t start = tick_now();
    bool ok;

    pthread_mutex_lock(&s->lock);
    s->prompting_since = start;
    pthread_mutex_unlock(&s->lock);
    ok = s->options.callbacks.credentials(s->options.callbacks.user, want_user, name, password,
                                          why);
    pthread_mutex_lock(&s->lock);
    s->deadline += tick_now() - start;
    s->prompting_since = TICK_NEVER;
    pthread_mutex_unlock(&s->lock);
    return ok;
}

static bool open_connection(struct session *s, struct reason *why)
{
    struct client_options options = {
        .shared = s->options.shared,
        .host = s->options.address.host,
        .x509_ca = s->options.x509_ca,
        .credentials = ask_credentials,
        .user = s,
    };
    uint8_t setup[2 * WIRE_MAX];
    size_t size;
    int fd;

    fd = transport_connect(&s->options.address, &s->options.transport, s->deadline, s->cancel_fd,
                           why);
    if (fd < 0)
        return false;
    s->client = client_create(&options, s->fb);
    if (!s->client) {
        close(fd);
        return reason_set(why, "out of memory");
    }
    pthread_mutex_lock(&s->lock);
    s->fd = fd;
    s->window_bytes = s->options.transport.window_bytes > 0 ? transport_window(fd) : 0;
    if (s->stopping)
        cut(s);
    pthread_mutex_unlock(&s->lock);

    if (!client_handshake(s->client, fd, why) ||
        !message_resize(s->client, s->fb, client_width(s->client), client_height(s->client), why))
        return false;
    size = wire_set_pixel_format(setup);
    size += wire_set_encodings(setup + size, &s->options.encodings);
    return client_write(s->client, setup, size) || reason_set(why, "the connection broke");
}

/* From here on the sender writes. */
static void start_running(struct session *s)
{
    char *name = strdup(client_desktop_name(s->client));

    if (name)
        sanitise(name);
    pthread_mutex_lock(&s->lock);
    s->phase = RUNNING;
    s->handshake_rtt_ms = client_handshake_rtt_ms(s->client);
    pthread_mutex_unlock(&s->lock);
    events_add(s->events, (struct session_event){.type = SESSION_CONNECTED,
                                                 .width = client_width(s->client),
                                                 .height = client_height(s->client),
                                                 .text = name});
    new_picture(s, client_width(s->client), client_height(s->client));
}

static char *closing_text(struct session *s, const struct reason *why)
{
    const char *text = s->watchdog.text[0] ? s->watchdog.text : why->text;

    return s->stopping ? NULL : strdup(text);
}

static void *receiver_main(void *user)
{
    const struct message_handlers handlers = {
        on_begun,   on_ended,  on_update_begun, on_rectangle, on_update_finished,
        on_resized, on_cursor, on_name,         on_cut_text,  on_bell,
        user};
    struct session *s = user;
    struct reason why = {""};
    char *text;

    prctl(PR_SET_NAME, "receiver");
    if (open_connection(s, &why)) {
        start_running(s);
        while (message_receive(s->client, s->fb, &handlers, &why))
            ;
    }
    pthread_mutex_lock(&s->lock);
    s->phase = CLOSED;
    s->ended = tick_now();
    if (s->fd >= 0)
        transport_info(s->fd, &s->last_info);
    s->fd = -1; /* stays open until the client is destroyed, but nobody may use it */
    text = closing_text(s, &why);
    pthread_mutex_unlock(&s->lock);
    wake_sender(s);
    events_add(s->events, (struct session_event){.type = SESSION_CLOSED, .text = text});
    return NULL;
}

/* ---- sender ---- */

/* Appends waiting input to `out`; returns the bytes. Long texts are written directly. */
static size_t gather_input(struct session *s, uint8_t *out, bool *any)
{
    struct command c;
    size_t size = 0;

    while (size + WIRE_MAX <= INPUT_BATCH && commands_take(s->commands, &c)) {
        *any = true;
        if (c.type == COMMAND_KEY) {
            size += wire_key(out + size, c.keysym, c.down);
        } else if (c.type == COMMAND_POINTER) {
            size += wire_pointer(out + size, c.x, c.y, c.buttons);
        } else {
            size_t length = strlen(c.latin1);
            size += wire_cut_text(out + size, (uint32_t)length);
            client_write(s->client, out, size);
            client_write(s->client, c.latin1, length);
            free(c.latin1);
            size = 0;
        }
    }
    return size;
}

/* Input first, then the request that is due, in one write. Returns when to look again. */
static tick_t send_what_is_due(struct session *s, int fd)
{
    uint8_t out[INPUT_BATCH + WIRE_MAX];
    bool input = false, request = false;
    tick_t now, again = TICK_NEVER;
    size_t size = 0;
    int unsent;

    unsent = transport_unsent(fd);
    if (unsent > 0 && commands_only_motion(s->commands))
        again = tick_now() + MOTION_RETRY; /* newer motion will replace it meanwhile */
    else
        size = gather_input(s, out, &input);

    pthread_mutex_lock(&s->lock);
    now = tick_now();
    if (input) {
        meter_input(&s->meter);
        scheduler_input_sent(&s->scheduler, now);
    }
    if (scheduler_due(&s->scheduler) <= now) {
        enum request_cause cause = scheduler_cause(&s->scheduler);
        if (unsent > 0) {
            scheduler_request_skipped(&s->scheduler, cause, now);
            meter_skipped(&s->meter);
        } else {
            struct rect all = {0, 0, s->width, s->height};
            size += wire_update_request(out + size, cause != REQUEST_FIRST, all);
            scheduler_request_sent(&s->scheduler, cause, now);
            meter_request(&s->meter, cause);
            if (s->started == TICK_NEVER)
                s->started = now;
            request = true;
        }
    }
    pthread_mutex_unlock(&s->lock);

    if ((input || request) && size > 0)
        client_write(s->client, out, size); /* the receiver sees a broken connection */
    return again;
}

/* Ends a session whose server does not go on. Call with the lock held. */
static void watch(struct session *s, tick_t now)
{
    struct transport_info info;

    if (s->watchdog.text[0] || s->stopping || s->phase == CLOSED)
        return;
    if (s->phase == CONNECTING) {
        if (s->fd < 0 || s->prompting_since != TICK_NEVER || now < s->deadline)
            return; /* transport_connect() keeps the deadline itself */
        reason_set(&s->watchdog, "the server did not finish the handshake in %.0f s",
                   tick_to_s(s->options.connect_timeout));
    } else {
        transport_info(s->fd, &info);
        if (info.bytes_received != s->bytes_seen) {
            s->bytes_seen = info.bytes_received;
            s->progress_at = now;
        }
        if (!s->in_message || now - s->progress_at < s->options.stall_timeout)
            return;
        reason_set(&s->watchdog, "the server stopped in the middle of a message: no byte for %.0f s",
                   tick_to_s(s->options.stall_timeout));
    }
    cut(s);
}

static void sleep_until(struct session *s, tick_t when)
{
    struct pollfd p = {.fd = s->wake_fd, .events = POLLIN};
    tick_t left = when - tick_now();
    struct timespec timeout = {0, 0};
    uint64_t count;

    if (left > 0)
        timeout = (struct timespec){left / TICK_S, left % TICK_S};
    if (ppoll(&p, 1, &timeout, NULL) > 0 && read(s->wake_fd, &count, sizeof count) < 0)
        log_debug("cannot read the wake-up: %s", strerror(errno));
}

static tick_t sooner(tick_t a, tick_t b)
{
    return a < b ? a : b;
}

static void *sender_main(void *user)
{
    struct session *s = user;
    tick_t next_watch = 0, retry = TICK_NEVER;

    prctl(PR_SET_NAME, "sender");
    prctl(PR_SET_TIMERSLACK, 1UL); /* a PRP may be 1 ms */
    for (;;) {
        tick_t now = tick_now(), until;
        bool running;
        int fd;

        pthread_mutex_lock(&s->lock);
        if (now >= next_watch) {
            watch(s, now);
            next_watch = now + WATCHDOG_PERIOD;
        }
        if (s->phase == CLOSED) {
            pthread_mutex_unlock(&s->lock);
            return NULL;
        }
        running = s->phase == RUNNING;
        fd = s->fd; /* stays open, if shut down, until the threads are joined */
        until = sooner(sooner(next_watch, retry), running ? scheduler_due(&s->scheduler) : TICK_NEVER);
        s->sleeping_until = until;
        pthread_mutex_unlock(&s->lock);

        sleep_until(s, until);
        if (running)
            retry = send_what_is_due(s, fd);
    }
}

/* ---- the owner's side ---- */

static bool start_threads(struct session *s)
{
    if (pthread_create(&s->receiver, NULL, receiver_main, s) != 0)
        return false;
    if (pthread_create(&s->sender, NULL, sender_main, s) == 0)
        return true;
    session_stop(s);
    pthread_join(s->receiver, NULL);
    return false;
}

static void free_parts(struct session *s)
{
    client_destroy(s->client);
    commands_destroy(s->commands);
    events_destroy(s->events);
    framebuffer_destroy(s->fb);
    if (s->wake_fd >= 0)
        close(s->wake_fd);
    if (s->cancel_fd >= 0)
        close(s->cancel_fd);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct session *session_create(const struct session_options *options)
{
    struct session *s = calloc(1, sizeof *s);
    tick_t now = tick_now();

    if (!s)
        return NULL;
    s->options = *options;
    s->fd = -1;
    s->deadline = now + options->connect_timeout;
    s->prompting_since = TICK_NEVER;
    s->progress_at = now;
    s->started = TICK_NEVER;
    s->ended = TICK_NEVER;
    s->last_info = (struct transport_info){.bytes_received = -1, .bytes_sent = -1};
    scheduler_init(&s->scheduler, options->policy, options->fixed_prp);
    meter_init(&s->meter);
    pthread_mutex_init(&s->lock, NULL);
    s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    s->fb = framebuffer_create();
    s->events = events_create(&options->callbacks);
    s->commands = commands_create();
    if (s->wake_fd < 0 || s->cancel_fd < 0 || !s->fb || !s->events || !s->commands ||
        !start_threads(s)) {
        free_parts(s);
        return NULL;
    }
    return s;
}

void session_stop(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    cut(s);
    pthread_mutex_unlock(&s->lock);
    wake_sender(s);
}

void session_destroy(struct session *s)
{
    if (!s)
        return;
    session_stop(s);
    pthread_join(s->receiver, NULL);
    pthread_join(s->sender, NULL);
    free_parts(s);
}

bool session_next_event(struct session *s, struct session_event *event)
{
    return events_take(s->events, event);
}

struct framebuffer *session_framebuffer(struct session *s)
{
    return s->fb;
}

static void command(struct session *s, struct command c)
{
    bool running;

    pthread_mutex_lock(&s->lock);
    running = s->phase == RUNNING;
    pthread_mutex_unlock(&s->lock);
    if (!running)
        free(c.latin1);
    else if (commands_add(s->commands, c))
        wake_sender(s);
}

void session_send_key(struct session *s, uint32_t keysym, bool down)
{
    command(s, (struct command){.type = COMMAND_KEY, .keysym = keysym, .down = down});
}

void session_send_pointer(struct session *s, int x, int y, unsigned buttons)
{
    command(s, (struct command){.type = COMMAND_POINTER, .x = x, .y = y, .buttons = buttons});
}

void session_send_cut_text(struct session *s, const char *utf8)
{
    char *latin1 = latin1_from_utf8(utf8);

    if (latin1)
        command(s, (struct command){.type = COMMAND_CUT_TEXT, .latin1 = latin1});
}

static double round_trip(const struct session *s, double kernel_ms)
{
    bool relayed = s->handshake_rtt_ms > RELAY_FACTOR * kernel_ms + RELAY_EXTRA_MS;

    return relayed ? s->handshake_rtt_ms : kernel_ms;
}

void session_stats(struct session *s, bool row, struct session_stats *out)
{
    struct transport_info info;
    tick_t now = tick_now();

    pthread_mutex_lock(&s->lock);
    if (s->ended < now)
        now = s->ended;
    if (s->fd >= 0)
        transport_info(s->fd, &s->last_info);
    info = s->last_info;
    *out = (struct session_stats){
        .meter = s->meter,
        .elapsed = s->started == TICK_NEVER ? 0 : now - s->started,
        .fps = meter_fps(&s->meter, now),
        .prp_ms = tick_to_ms(scheduler_prp(&s->scheduler, now)),
        .rtt_ms = round_trip(s, info.rtt_ms),
        .bytes_received = info.bytes_received,
        .bytes_sent = info.bytes_sent,
        .window_bytes = s->window_bytes,
        .width = s->width,
        .height = s->height,
        .encodings_seen = s->encodings_seen,
    };
    if (row)
        meter_row_taken(&s->meter);
    pthread_mutex_unlock(&s->lock);
}
