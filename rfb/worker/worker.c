/* A worker's owner: starts and ends the process, sends commands, asks for figures. */
#include "rfb/worker/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/decode/framebuffer_reader.h"
#include "rfb/log.h"
#include "rfb/net/kept_file.h"
#include "rfb/thread_time.h"
#include "rfb/wake.h"
#include "rfb/worker/spawn.h"
#include "rfb/worker/worker_state.h"

/* ns that the owner waits for figures; then it takes the older ones. A process that works answers
 * within a millisecond. */
#define STATS_PATIENCE (TICK_S / 20)
/* ns: a process that does not answer for so long is ended. Chosen: far longer than a busy machine
 * keeps a thread waiting. */
#define HUNG_AFTER (20 * TICK_S)
/* ns beyond the time that a handshake may take, at the end of which the process gives up itself. */
#define HANDSHAKE_GRACE (5 * TICK_S)
/* ns: at the end the process may send what the user did last, and what a decoder has begun. */
#define END_PATIENCE (2 * TICK_S)

static struct worker *of(struct session *s)
{
    return (struct worker *)s; /* both begin with the head */
}

void worker_wake_courier(struct worker *w)
{
    eventfd_wake(w->wake_fd, "the courier");
}

static bool tell(struct worker *w, uint32_t type, const void *body, size_t size)
{
    bool ok = w->channel && channel_send(w->channel, type, body, size);

    if (ok && channel_waiting(w->channel) > 0)
        worker_wake_courier(w); /* it waits for room, and sends the rest */
    return ok;
}

static void cancel(struct worker *w)
{
    eventfd_wake(w->cancel_fd, "who connects");
}

/* ---- the owner's functions ---- */

void worker_stats_are_old(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    w->fresh_until = 0;
    pthread_mutex_unlock(&w->lock);
}

void worker_set_handshake(struct worker *w, bool runs)
{
    w->questioned = false;
    w->handshake_by = runs ? tick_now() + w->options.connect_timeout + HANDSHAKE_GRACE : TICK_NEVER;
}

static void worker_send(struct session *s, const struct session_command *c)
{
    struct worker *w = of(s);

    pthread_mutex_lock(&w->lock);
    w->fresh_until = 0;
    if (c->type == COMMAND_ANSWER && w->questioned) {
        worker_set_handshake(w, true);
        worker_wake_courier(w);
    }
    pthread_mutex_unlock(&w->lock);
    tell(w, WORKER_COMMAND, c, sizeof *c + c->size);
    if (c->type == COMMAND_STOP)
        cancel(w);
}

static struct session_event *worker_next_event(struct session *s)
{
    return events_take(of(s)->events);
}

static struct framebuffer_reader *worker_framebuffer(struct session *s)
{
    return of(s)->reader;
}

/* Asks for figures, and waits for a moment. Who was asked before and has not answered is not waited
 * for again. Call with the lock held. */
static void refresh_stats(struct worker *w, bool row)
{
    const uint32_t body = row;
    struct timespec until;
    bool first = !w->asked;

    if (first) {
        w->asked = true;
        w->asked_at = tick_now();
        if (!tell(w, WORKER_WANT_STATS, &body, sizeof body))
            return;
    } else if (tick_now() - w->asked_at > HUNG_AFTER && !w->hung) {
        w->hung = true;
        worker_wake_courier(w);
    }
    until = tick_to_deadline(STATS_PATIENCE);
    while (first && w->asked && pthread_cond_timedwait(&w->stats_came, &w->lock, &until) == 0)
        ;
}

static void worker_stats(struct session *s, bool row, struct session_stats *out)
{
    struct worker *w = of(s);

    pthread_mutex_lock(&w->lock);
    if (!w->connecting && (row || tick_now() >= w->fresh_until))
        refresh_stats(w, row);
    *out = w->stats;
    out->recording = w->records;
    pthread_mutex_unlock(&w->lock);
}

void worker_shut_in_by(struct session *s, char *out, size_t size)
{
    struct worker *w = of(s);

    *out = '\0';
    pthread_mutex_lock(&w->lock);
    if (w->confined)
        worker_describe_layers(&w->layers, out, size);
    pthread_mutex_unlock(&w->lock);
}

/* ---- its end ---- */

static void free_worker(struct worker *w)
{
    channel_destroy(w->channel);
    framebuffer_unmap(w->reader);
    events_destroy(w->events);
    if (w->cancel_fd >= 0)
        close(w->cancel_fd);
    if (w->wake_fd >= 0)
        close(w->wake_fd);
    pthread_cond_destroy(&w->stats_came);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

/* The courier sees the end of the process, and ends. */
static void worker_destroy(struct session *s)
{
    struct worker *w = of(s);

    events_silence(w->events);
    if (w->channel) {
        cancel(w);
        tell(w, WORKER_END, NULL, 0);
        if (!thread_join_within(w->courier, END_PATIENCE)) {
            pthread_mutex_lock(&w->lock);
            w->hung = true;
            pthread_mutex_unlock(&w->lock);
            worker_wake_courier(w);
            pthread_join(w->courier, NULL);
        }
    }
    free_worker(w);
}

/* ---- its beginning ---- */

/* The options without what another process cannot use. */
static void flatten(const struct session_options *options, struct worker_start *start)
{
    struct session_options *o = &start->options;

    *o = *options;
    start->traces = o->trace;
    start->records = o->recording;
    start->has_ca = o->x509_ca;
    start->has_also = o->x509_also;
    start->has_crl = o->x509_crl;
    start->pinned = o->fingerprint;
    if (o->x509_ca)
        strncpy(start->x509_ca, o->x509_ca, sizeof start->x509_ca - 1);
    if (o->x509_also)
        strncpy(start->x509_also, o->x509_also, sizeof start->x509_also - 1);
    if (o->x509_crl)
        strncpy(start->x509_crl, o->x509_crl, sizeof start->x509_crl - 1);
    if (o->fingerprint)
        memcpy(start->fingerprint, o->fingerprint, sizeof start->fingerprint);
    o->x509_ca = o->x509_also = o->x509_crl = NULL;
    o->fingerprint = NULL;
    o->look_back = NULL;
    o->callbacks = (struct session_callbacks){0};
    o->connector = (struct session_connector){0};
    o->recording = NULL;
    o->trace = NULL;
    /* the viewer runs it, and it may hold a password */
    explicit_bzero(o->route.gateway.command, sizeof o->route.gateway.command);
}

/* The process may have fewer rights than this one, and later none to open files. What cannot be
 * opened is not sent: who needs it will say so. */
static bool send_file(struct worker *w, const char *path)
{
    int fd = path && *path ? kept_file_open(path) : -1;
    bool ok = fd < 0 || channel_send_fd(w->channel, WORKER_FILE, path, strlen(path) + 1, fd);

    if (fd >= 0)
        close(fd);
    return ok;
}

static bool send_start(struct worker *w, bool namespaces)
{
    struct worker_start *start;
    bool ok;

    if (!send_file(w, w->options.x509_ca) || !send_file(w, w->options.x509_also) ||
        !send_file(w, w->options.x509_crl))
        return false;
    start = calloc(1, sizeof *start);
    if (!start)
        return false;
    start->version = WORKER_VERSION;
    start->size = sizeof *start;
    start->namespaces = namespaces;
    start->verbose = log_is_verbose();
    flatten(&w->options, start);
    ok = tell(w, WORKER_START, start, sizeof *start);
    free(start);
    return ok;
}

/* Makes the pair of sockets, and starts the process at the other end. */
static bool start_process(struct worker *w, int picture, struct reason *why)
{
    const struct channel_options options = {.limit = worker_limit_of_process};
    bool namespaces = w->options.sandbox != SANDBOX_OFF;
    int ends[2], status = 0;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return reason_set(why, "cannot make the channel to vnchl-session: %s", strerror(errno));
    w->pid = spawn_worker(ends[1], picture, &namespaces, why);
    close(ends[1]);
    if (w->pid < 0) {
        close(ends[0]);
        return false;
    }
    w->channel = channel_create(ends[0], &options);
    if (w->channel && send_start(w, namespaces) &&
        pthread_create(&w->courier, NULL, worker_courier, w) == 0)
        return true;
    kill(w->pid, SIGKILL); /* it may have ended by itself, then this does nothing */
    waitpid(w->pid, &status, 0);
    channel_destroy(w->channel);
    w->channel = NULL;
    if (WIFEXITED(status))
        return reason_set(
            why, "the program vnchl-session ended at once, with status %d: install vnchl again",
            WEXITSTATUS(status));
    return reason_set(why, "out of memory or threads");
}

struct session *worker_create(const struct session_options *options)
{
    static const struct session_ops ops = {
        .send = worker_send,
        .next_event = worker_next_event,
        .framebuffer = worker_framebuffer,
        .stats = worker_stats,
        .destroy = worker_destroy,
    };
    struct worker *w = calloc(1, sizeof *w);
    int picture = picture_memory_create();
    struct reason why;

    if (!w)
        goto done;
    w->head.ops = &ops;
    w->options = *options;
    w->stats.bytes_received = w->stats.bytes_sent = -1;
    w->stats.heard_at = tick_now();
    w->handshake_by = TICK_NEVER;
    meter_init(&w->stats.meter);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->stats_came, NULL);
    w->cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    w->events = events_create(&options->callbacks);
    w->reader = picture < 0 ? NULL : framebuffer_map(picture);
    if (w->cancel_fd < 0 || w->wake_fd < 0 || !w->events || !w->reader) {
        free_worker(w);
        w = NULL;
        goto done;
    }
    if (!start_process(w, picture, &why))
        events_close(w->events, FAILURE_START, why.text);
done:
    if (picture >= 0)
        close(picture);
    return (struct session *)w;
}
