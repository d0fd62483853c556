#include "rfb/worker/confined/serve.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rfb/decode/decoder.h"
#include "rfb/film/avcodec_decoder.h"
#include "rfb/net/crypto/kept_file.h"
#include "rfb/net/crypto/tls.h"
#include "rfb/net/recording/playback.h"
#include "rfb/session/session.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"
#include "rfb/worker/channel.h"
#include "rfb/worker/confined/confine.h"
#include "rfb/worker/confined/decoder_caller.h"
#include "rfb/worker/confined/decoder_process.h"
#include "rfb/worker/confined/handed.h"
#include "rfb/worker/worker_message.h"

/* Bytes of a recording that may wait for the viewer. Chosen: then decoding waits. */
#define RECORD_WAITING (1 << 20)
/* Bytes that may wait for the viewer before events do: of those that wait in the session, newer
 * ones replace older. Chosen: a pointer's shape or two. */
#define EVENTS_WAITING (1 << 20)
/* Bytes that may wait for the viewer before sound is dropped. Chosen: a third of a second of it. */
#define SOUND_WAITING (64 << 10)
/* ms between two pieces of a trace. */
#define TRACE_PERIOD 1000
/* ns between two times that figures are put beside the picture when commands come, besides each
 * event and each wake-up of the viewer. */
#define FIGURES_PERIOD (50 * TICK_MS)
/* ms: at the end, so long the viewer may take nothing. */
#define LAST_PATIENCE 1000

union answer_body {
    struct worker_link link;
    struct worker_reason reason;
};

/* An answer of the viewer for which the receiver waits. */
struct answer {
    pthread_mutex_t lock; /* the next two */
    int fd;               /* -1: none came with it */
    union answer_body body;
    int ready_fd; /* eventfd: readable when it is there */
};

static struct {
    struct channel *channel;
    struct worker_start start;
    struct session_hooks hooks;
    struct session *session;
    struct answer answer;
    struct {
        pid_t pid; /* -1: there is none */
        int fd;
        uint8_t *memory;
    } decoder;
    int preview_fd;       /* to where the ticket is used; -1: there is none */
    bool asked;           /* for the connection, which nobody has awaited yet */
    pthread_mutex_t gate; /* held until the process is confined */
    int wake_fd;          /* eventfd: the session has something to tell */
    bool woken;           /* it has, and not all of it was passed on */
    tick_t figures_due;   /* when figures are put beside the picture next; TICK_NEVER: not */
    tick_t figures_at;    /* when they were */
} self;

static bool serve_tell(uint32_t type, const void *body, size_t size)
{
    return channel_send(self.channel, type, body, size);
}

/* ---- called by the session's threads ---- */

static void serve_say(bool debug, const char *line)
{
    char body[LOG_LINE_MAX] = {debug};
    size_t length = strnlen(line, LOG_LINE_MAX - 1);

    memcpy(body + 1, line, length);
    serve_tell(WORKER_LINE, body, 1 + length);
}

static void serve_wake(void *user)
{
    eventfd_wake(self.wake_fd, "the process");
}

static void record_begin(void *user, const void *server_init, size_t size)
{
    serve_tell(WORKER_RECORD_BEGIN, server_init, size);
}

static void serve_record(void *user, const void *bytes, size_t size)
{
    struct pollfd p = {.fd = channel_fd(self.channel), .events = POLLOUT};
    const char *next = bytes;

    while (size > 0) {
        size_t piece = size < WORKER_RECORD_MAX ? size : WORKER_RECORD_MAX;

        serve_tell(WORKER_RECORD, next, piece);
        next += piece;
        size -= piece;
    }
    while (channel_waiting(self.channel) > RECORD_WAITING && poll(&p, 1, -1) >= 0 &&
           channel_flush(self.channel))
        ;
}

/* Waits until the viewer has answered, or `cancel_fd` is readable (-1: never). */
static bool await_answer(int cancel_fd)
{
    struct pollfd p[2] = {{.fd = self.answer.ready_fd, .events = POLLIN},
                          {.fd = cancel_fd, .events = POLLIN}};
    uint64_t count;

    while (poll(p, 2, -1) < 0 && errno == EINTR)
        ;
    return read(self.answer.ready_fd, &count, sizeof count) == sizeof count;
}

/* Asks the viewer, and waits likewise. */
static bool serve_ask(uint32_t type, const void *body, size_t size, int cancel_fd)
{
    return serve_tell(type, body, size) && await_answer(cancel_fd);
}

/* Takes the answer out. Returns its descriptor, -1: none. */
static int take_answer(union answer_body *out)
{
    int fd;

    pthread_mutex_lock(&self.answer.lock);
    fd = self.answer.fd;
    *out = self.answer.body;
    self.answer.fd = -1;
    pthread_mutex_unlock(&self.answer.lock);
    return fd;
}

static bool serve_refuse(const struct worker_reason *r, struct reason *why)
{
    if (!r->known)
        return false;
    reason_set(why, "%s", r->text);
    reason_set_kind(why, r->kind);
    return true;
}

static void serve_heard(void)
{
    serve_tell(WORKER_HEARD, NULL, 0);
}

static bool serve_explain(struct reason *why)
{
    union answer_body a;

    if (!serve_ask(WORKER_EXPLAIN, NULL, 0, -1))
        return false;
    take_answer(&a);
    return serve_refuse(&a.reason, why);
}

static struct transport *serve_open_socket(int fd, const struct session_options *options,
                                           const struct worker_link *link, struct reason *why)
{
    static const struct handed_owner owner = {serve_heard, serve_explain};

    (void)options;
    (void)why;
    return handed_create(fd, link, &owner);
}

static struct transport *serve_open_recording(int fd, const struct session_options *options,
                                              const struct worker_link *link, struct reason *why)
{
    (void)link;
    return playback_adopt(fd, options->route.play, options->route.speed, why);
}

/* What is made of the viewer's descriptor. It closes it. */
static struct transport *(*const openings[TRANSPORT_OPENINGS])(
    int fd, const struct session_options *options, const struct worker_link *link,
    struct reason *why) = {
    [TRANSPORT_SOCKET] = serve_open_socket,
    [TRANSPORT_RECORDING] = serve_open_recording,
};

/* Nothing of a server is read before. */
static void pass_gate(void)
{
    pthread_mutex_lock(&self.gate);
    pthread_mutex_unlock(&self.gate);
}

static int preview_path(void)
{
    pass_gate();
    return self.preview_fd;
}

/* Asks for the connection before anything else is done here: what reads the system's files takes as
 * long as a near round trip or two. Nothing of the server is read before the process is confined.
 * Where that has to succeed, there is to be no connection before. */
static void ask_early(void)
{
    const struct session_options *o = &self.start.options;
    tick_t deadline = tick_now() + o->connect_timeout;

    self.asked =
        o->sandbox != SANDBOX_REQUIRE && serve_tell(WORKER_CONNECT, &deadline, sizeof deadline);
}

/* Whether the viewer has made the connection, or another one, or has said why not. */
static bool connection_is_answered(tick_t deadline, int cancel_fd)
{
    bool asked = self.asked;

    self.asked = false;
    return asked ? await_answer(cancel_fd)
                 : serve_ask(WORKER_CONNECT, &deadline, sizeof deadline, cancel_fd);
}

/* The connection that the viewer makes; as in struct session_hooks. */
static struct stream *connect_by_viewer(struct session_options *options, tick_t deadline,
                                        int cancel_fd, struct reason *why)
{
    union answer_body a;
    int fd;

    pass_gate();
    if (!connection_is_answered(deadline, cancel_fd)) {
        reason_set(why, "stopped");
        return NULL;
    }
    fd = take_answer(&a);
    if (fd < 0) {
        serve_refuse(&a.reason, why);
        return NULL;
    }
    memcpy(options->address.host, a.link.host, sizeof options->address.host);
    options->certified_before = a.link.certified_before;
    return stream_create(openings[a.link.opening](fd, options, &a.link, why));
}

/* What the viewer does not take in time would be late. */
static bool pass_sound(const void *samples, size_t size)
{
    return channel_waiting(self.channel) <= SOUND_WAITING &&
           serve_tell(WORKER_SOUND, samples, size);
}

static void ask_datagrams(uint16_t port)
{
    serve_tell(WORKER_DATAGRAMS, &port, sizeof port);
}

/* ---- what the viewer tells ---- */

static void keep_answer(const struct channel_message *m)
{
    pthread_mutex_lock(&self.answer.lock);
    memset(&self.answer.body, 0, sizeof self.answer.body);
    memcpy(&self.answer.body, m->body, m->size);
    self.answer.fd = m->type == WORKER_LINK ? m->fd : -1;
    pthread_mutex_unlock(&self.answer.lock);
    eventfd_wake(self.answer.ready_fd, "who waits for an answer");
}

static double serve_seconds(void)
{
    return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) + film_decoder_seconds();
}

static void put_figures(void)
{
    tick_t change = session_publish(self.session, serve_seconds());

    self.figures_at = tick_now();
    self.figures_due = change == TICK_NEVER ? TICK_NEVER : self.figures_at + change;
}

static void send_row(void)
{
    static struct session_stats stats;

    session_stats(self.session, true, &stats);
    stats.cpu_s = serve_seconds();
    put_figures(); /* who looks at them after the row sees nothing older */
    serve_tell(WORKER_STATS, &stats, sizeof stats);
}

/* Memory that a process like this one has written, perhaps in a server's hands. */
static void take_old_picture(int fd)
{
    struct framebuffer_reader *old = fd < 0 ? NULL : framebuffer_map(fd);

    if (old)
        session_give_old_picture(self.session, old);
    framebuffer_unmap(old);
    if (fd >= 0)
        close(fd);
}

/* Something has happened: they are put there soon. */
static void figures_change(void)
{
    self.figures_due = tick_sooner(self.figures_due, self.figures_at + FIGURES_PERIOD);
}

/* False: the viewer wants the end. */
static bool serve_take(const struct channel_message *m)
{
    switch (m->type) {
    case WORKER_COMMAND:
        session_send(self.session, m->body);
        figures_change();
        return true;
    case WORKER_WANT_ROW:
        send_row();
        return true;
    case WORKER_OLD_PICTURE:
        take_old_picture(m->fd);
        return true;
    case WORKER_PATH:
        session_give_path(self.session, m->fd);
        return true;
    case WORKER_PING:
        serve_tell(WORKER_ALIVE, NULL, 0);
        return true;
    case WORKER_LINK:
    case WORKER_NO_LINK:
    case WORKER_EXPLAINED:
        keep_answer(m);
        return true;
    default:
        return false;
    }
}

/* ---- what the session tells ---- */

static void pass_events(void)
{
    struct session_event *e;
    uint64_t count;

    if (read(self.wake_fd, &count, sizeof count) > 0)
        self.woken = true;
    if (!self.woken)
        return;
    while (channel_waiting(self.channel) <= EVENTS_WAITING) {
        e = session_next_event(self.session);
        if (!e) {
            self.woken = false;
            put_figures(); /* whoever is woken looks at them, and perhaps only then */
            serve_tell(WORKER_WAKE, NULL, 0);
            figures_change();
            return;
        }
        put_figures(); /* who hears of the event looks at them */
        serve_tell(WORKER_EVENT, e, sizeof *e + e->size);
        free(e);
    }
}

/* ms until there is something to do by itself; -1: never. */
static int serve_patience(void)
{
    tick_t now = tick_now(), left = self.start.traces ? TRACE_PERIOD * TICK_MS : TICK_NEVER;

    if (self.figures_due != TICK_NEVER)
        left = tick_sooner(left, self.figures_due > now ? self.figures_due - now : 0);
    return left == TICK_NEVER ? -1 : (int)((left + TICK_MS - 1) / TICK_MS);
}

static void pass_trace(bool end)
{
    struct trace_log *log = self.hooks.trace;
    const void *bytes;
    size_t size;

    if (!log)
        return;
    size = trace_log_take(log, end, &bytes);
    if (size > 0 || end)
        serve_tell(end ? WORKER_TRACE_END : WORKER_TRACE, bytes, size);
}

static void serve_loop(void)
{
    tick_t trace_at = 0;
    struct pollfd p[2] = {{.fd = channel_fd(self.channel)}, {.fd = self.wake_fd, .events = POLLIN}};

    for (;;) {
        enum channel_state state;
        struct channel_message m;

        p[0].events = POLLIN | (channel_waiting(self.channel) > 0 ? POLLOUT : 0);
        poll(p, 2, serve_patience());
        if (!channel_flush(self.channel))
            return;
        while ((state = channel_receive(self.channel, &m)) == CHANNEL_MESSAGE)
            if (!serve_take(&m))
                return;
        if (state != CHANNEL_EMPTY)
            return;
        pass_events();
        if (tick_now() >= self.figures_due)
            put_figures();
        if (tick_now() < trace_at)
            continue;
        pass_trace(false);
        trace_at = tick_now() + TRACE_PERIOD * TICK_MS;
    }
}

/* Waits until the viewer has taken what waits, or is gone. */
static void send_rest(void)
{
    struct pollfd p = {.fd = channel_fd(self.channel), .events = POLLOUT};

    while (channel_flush(self.channel) && channel_waiting(self.channel) > 0 &&
           poll(&p, 1, LAST_PATIENCE) > 0)
        ;
}

/* ---- the beginning ---- */

/* Whether it is a file. Then it was taken. */
static bool take_file(const struct channel_message *m)
{
    if (m->type != WORKER_FILE)
        return false;
    kept_file_keep(m->body, m->fd); /* if it cannot be read, TLS will say so */
    close(m->fd);
    return true;
}

/* Takes the next message, and files before it. */
static bool receive_first(struct channel_message *m)
{
    struct pollfd p = {.fd = channel_fd(self.channel), .events = POLLIN};
    enum channel_state state;

    while ((state = channel_receive(self.channel, m)) == CHANNEL_EMPTY ||
           (state == CHANNEL_MESSAGE && take_file(m)))
        if (state == CHANNEL_EMPTY)
            poll(&p, 1, -1);
    return state == CHANNEL_MESSAGE;
}

static bool receive_start(void)
{
    struct channel_message m;

    if (!receive_first(&m) || m.type != WORKER_START || m.size != sizeof self.start)
        return false;
    self.preview_fd = m.fd;
    memcpy(&self.start, m.body, sizeof self.start);
    return self.start.version == WORKER_VERSION && self.start.size == sizeof self.start;
}

/* Ends a session that has not begun. */
static void give_up(enum failure failure, const char *why)
{
    struct session_event head = {.type = SESSION_CLOSED, .failure = failure}, *e;

    e = session_event_create(&head, why, strlen(why) + 1);
    if (!e)
        return;
    serve_tell(WORKER_EVENT, e, sizeof *e + e->size);
    free(e);
}

/* Films are decoded in a process of its own. Without it none are asked for. */
static void serve_use_decoder(const struct session_options *o)
{
    if (self.decoder.pid < 0)
        return;
    if ((session_wants_film(&o->encodings) || session_wants_h264(&o->encodings)) &&
        avcodec_decoder_is_installed())
        decoder_caller_use(self.decoder.pid, self.decoder.fd, self.decoder.memory);
    else
        close(self.decoder.fd); /* by that it ends */
}

/* Reads the system's files, and says what the session is to use here. */
static void serve_prepare(int picture_fd)
{
    const struct session_options *o = &self.start.options;
    const struct recording_sink sink = {.begin = record_begin, .add = serve_record};

    log_set_verbose(self.start.verbose);
    log_debug("pixels are decoded by libvncclient %s; CVE-2026-44988 and CVE-2026-50538 are closed "
              "only in packages that carry their patches, see docs/security.md",
              decoder_library_version());
    self.hooks = (struct session_hooks){.callbacks = {.wake = serve_wake},
                                        .connect = connect_by_viewer,
                                        .picture_fd = picture_fd,
                                        .sound = pass_sound,
                                        .ask_datagrams = ask_datagrams,
                                        .preview_path = self.preview_fd < 0 ? NULL : preview_path};
    serve_use_decoder(o);
    if (security_with_certificate(o->security) && !*o->x509_ca)
        tls_keep_authorities();
    if (self.start.traces)
        self.hooks.trace = trace_log_relay();
    if (self.start.records)
        self.hooks.recording = recording_relay(&sink);
}

/* Begins the session. Its receiver waits in connect_by_viewer() until the process is confined. */
static bool begin_confined(void)
{
    struct worker_layers layers = {.namespaces = self.start.namespaces};
    const struct session_options *o = &self.start.options;
    bool shut = o->sandbox != SANDBOX_OFF;

    if (shut)
        confine_begin(&layers, CONFINED_SESSION);
    self.session = session_create(o, &self.hooks);
    if (!self.session) {
        give_up(FAILURE_START, "out of memory or threads");
        return false;
    }
    if (shut)
        confine_finish(&layers);
    decoder_caller_confine(shut ? &layers : NULL);
    serve_tell(WORKER_CONFINED, &layers, sizeof layers);
    if (o->sandbox != SANDBOX_REQUIRE || confine_suffices(&layers))
        return true;
    give_up(
        FAILURE_START,
        "this machine cannot shut the session in: --sandbox require needs Landlock and seccomp, "
        "so Linux 5.13 or later. --sandbox auto takes what there is.");
    return false;
}

int serve(int channel, int picture_fd)
{
    const struct channel_options options = {.limit = worker_limit_of_viewer, .takes_fds = true};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    self.decoder.pid = decoder_process_start(&self.decoder.fd, &self.decoder.memory);
    self.channel = channel_create(channel, &options);
    self.answer.fd = -1;
    pthread_mutex_init(&self.answer.lock, NULL);
    pthread_mutex_init(&self.gate, NULL);
    self.answer.ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    self.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (!self.channel || self.answer.ready_fd < 0 || self.wake_fd < 0)
        return 1;
    if (!receive_start())
        return WORKER_OTHER_BUILD;
    log_to(serve_say);
    ask_early();
    pthread_mutex_lock(&self.gate);
    serve_prepare(picture_fd);
    if (!begin_confined())
        return 1;
    pthread_mutex_unlock(&self.gate);
    serve_loop();
    session_destroy(self.session);
    pass_trace(true);
    send_rest();
    return 0;
}
