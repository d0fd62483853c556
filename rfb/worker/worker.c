/* A session in a process of its own, which is confined: what a server makes of the decoder stays
 * there. Here are the owner's functions (rfb/session/session.h): they start and end the process,
 * send commands, ask for figures.
 *
 * The process has the connection, TLS, the decoder and the scheduler. This side looks up names,
 * connects, runs ssh, writes files, and keeps the passwords: the process gets the connected socket,
 * and a secret when it has to use it.
 *
 * A thread of this module, the courier, makes the connection and takes what the process says. All
 * of that is checked. A process that says what it may not is ended, and so is one that does not
 * answer. In both cases, and when it crashes, SESSION_CLOSED comes with FAILURE_CRASHED; with
 * FAILURE_KILLED when others have killed it, and with FAILURE_START when it had nothing of a server
 * yet.
 */

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/decode/framebuffer_reader.h"
#include "rfb/net/crypto/kept_file.h"
#include "rfb/net/sockets/datagram_socket.h"
#include "rfb/net/sockets/own_address.h"
#include "rfb/session/constants.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"
#include "rfb/worker/spawn.h"
#include "rfb/worker/worker_state.h"

/* ns that the owner waits for a row; then it takes older figures. A process that works answers
 * within a millisecond. */
#define ROW_PATIENCE (TICK_S / 20)
/* ns: a process that does not answer for so long is ended. Chosen: far longer than a busy machine
 * keeps a thread waiting. */
#define HUNG_AFTER (20 * TICK_S)
/* ns beyond the time that a handshake may take, at the end of which the process gives up itself. */
#define HANDSHAKE_GRACE (5 * TICK_S)
/* ns: at the end the process may send what the user did last, and what a decoder has begun. */
#define END_PATIENCE (2 * TICK_S)

/* A session, as its owner sees it, is a worker here. */
static struct worker *worker_of(struct session *s)
{
    return (struct worker *)(void *)s;
}

void worker_wake_courier(struct worker *w)
{
    eventfd_wake(w->wake_fd, "the courier");
}

static bool worker_tell(struct worker *w, uint32_t type, const void *body, size_t size)
{
    bool ok = w->channel && channel_send(w->channel, type, body, size);

    if (ok && channel_waiting(w->channel) > 0)
        worker_wake_courier(w); /* it waits for room, and sends the rest */
    return ok;
}

static void worker_cancel(struct worker *w)
{
    eventfd_wake(w->cancel_fd, "who connects");
}

/* ---- the owner's functions ---- */

void worker_set_handshake(struct worker *w, bool runs)
{
    w->questioned = false;
    w->handshake_by =
        runs ? tick_now() + LIFE_HANDSHAKE_MOST * w->options.connect_timeout + HANDSHAKE_GRACE
             : TICK_NEVER;
}

void session_send(struct session *s, const struct session_command *c)
{
    struct worker *w = worker_of(s);

    assert(session_command_valid(c, sizeof *c + c->size));
    pthread_mutex_lock(&w->lock);
    if (c->type == COMMAND_ANSWER && w->questioned) {
        worker_set_handshake(w, true);
        worker_wake_courier(w);
    }
    pthread_mutex_unlock(&w->lock);
    worker_tell(w, WORKER_COMMAND, c, sizeof *c + c->size);
    if (c->type == COMMAND_STOP)
        worker_cancel(w);
}

struct session_event *session_next_event(struct session *s)
{
    return events_take(worker_of(s)->events);
}

struct framebuffer_reader *session_framebuffer(struct session *s)
{
    return worker_of(s)->reader;
}

void session_give_old_picture(struct session *s, struct framebuffer_reader *old)
{
    struct worker *w = worker_of(s);

    if (w->channel)
        channel_send_fd(w->channel, WORKER_OLD_PICTURE, NULL, 0, framebuffer_reader_fd(old));
}

/* Asks for a row, and waits for a moment. Who was asked before and has not answered is not waited
 * for again. Call with the lock held. */
static void worker_ask_row(struct worker *w)
{
    struct timespec until;

    if (w->row_asked)
        return;
    w->row_asked = worker_tell(w, WORKER_WANT_ROW, NULL, 0);
    until = tick_to_deadline(ROW_PATIENCE);
    while (w->row_asked && pthread_cond_timedwait(&w->row_came, &w->lock, &until) == 0)
        ;
}

/* A process that does not answer for long is ended. Call with the lock held. */
static void worker_ping(struct worker *w)
{
    if (!w->pinged) {
        w->pinged_at = tick_now();
        w->pinged = worker_tell(w, WORKER_PING, NULL, 0);
    } else if (tick_now() - w->pinged_at > HUNG_AFTER && !w->hung) {
        w->hung = true;
        worker_wake_courier(w);
    }
}

/* Takes the figures that stand beside the picture. A link that is silent may be so for good. Call
 * with the lock held. */
static void worker_look(struct worker *w)
{
    struct session_stats now;

    if (!w->reader || !framebuffer_get_figures(w->reader, &now, sizeof now))
        return;
    worker_stats_repair(&now, tick_now());
    w->stats = now;
    if (now.silent && !w->hung && w->own.ss_family != AF_UNSPEC && !own_address_is_here(&w->own)) {
        w->moved = w->hung = true;
        worker_wake_courier(w);
    }
}

bool session_stats(struct session *s, bool row, struct session_stats *out)
{
    struct worker *w = worker_of(s);
    bool fresh;

    pthread_mutex_lock(&w->lock);
    if (!w->connecting) {
        worker_ping(w);
        if (row)
            worker_ask_row(w);
    }
    if (!row)
        worker_look(w);
    *out = w->stats;
    out->recording = w->records;
    out->sound_late += worker_sound_late(w);
    fresh = !row || !w->row_asked;
    pthread_mutex_unlock(&w->lock);
    return fresh;
}

bool session_server(struct session *s, struct address *out)
{
    struct worker *w = worker_of(s);
    bool linked;

    pthread_mutex_lock(&w->lock);
    linked = w->linked;
    if (linked)
        *out = w->server;
    pthread_mutex_unlock(&w->lock);
    return linked;
}

void session_confined_by(struct session *s, char *out, size_t size)
{
    struct worker *w = worker_of(s);

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
    pthread_cond_destroy(&w->row_came);
    pthread_mutex_destroy(&w->sound_lock);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

/* The courier sees the end of the process, and ends. */
void session_destroy(struct session *s)
{
    struct worker *w = worker_of(s);

    if (!w)
        return;
    events_silence(w->events);
    if (w->channel) {
        worker_cancel(w);
        worker_tell(w, WORKER_END, NULL, 0);
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

/* The process may have fewer rights than this one, and later none to open files. What cannot be
 * opened is not sent: who needs it will say so. */
static bool send_file(struct worker *w, const char *path)
{
    int fd = *path ? kept_file_open(path) : -1;
    bool ok = fd < 0 || channel_send_fd(w->channel, WORKER_FILE, path, strlen(path) + 1, fd);

    if (fd >= 0)
        close(fd);
    return ok;
}

/* To where the ticket is used; -1: there is none. */
static int open_preview(const struct session_options *o)
{
    struct sockaddr_storage host;

    _Static_assert(sizeof host == sizeof o->ticket.host, "it is an address");
    memcpy(&host, o->ticket.host, sizeof host);
    return o->ticket.port > 0 && o->datagrams ? datagram_socket_open(&host, o->ticket.port) : -1;
}

static bool send_start(struct worker *w, bool namespaces)
{
    struct worker_start *start;
    int path;
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
    start->traces = w->hooks.trace;
    start->records = w->hooks.recording;
    start->options = w->options;
    /* the viewer runs it, and it may hold a password */
    explicit_bzero(start->options.route.gateway.command,
                   sizeof start->options.route.gateway.command);
    path = open_preview(&w->options);
    w->previews = path >= 0;
    ok = path < 0 ? worker_tell(w, WORKER_START, start, sizeof *start)
                  : channel_send_fd(w->channel, WORKER_START, start, sizeof *start, path);
    if (path >= 0)
        close(path);
    explicit_bzero(&start->options.ticket, sizeof start->options.ticket);
    explicit_bzero(&w->options.ticket, sizeof w->options.ticket); /* the process has it */
    free(start);
    return ok;
}

/* Makes the pair of sockets, and starts the process at the other end. */
static bool start_process(struct worker *w, int picture, struct reason *why)
{
    const struct channel_options options = {.limit = worker_limit_of_process};
    const char *const no_words[] = {NULL};
    bool namespaces = w->options.sandbox != SANDBOX_OFF;
    int ends[2], fds[SPAWN_FDS] = {-1, picture, -1, -1}, status = 0;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return reason_set(why, "cannot make the channel to vnchl-session: %s", strerror(errno));
    fds[0] = ends[1];
    w->pid = spawn_program(no_words, fds, &namespaces, why);
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

struct session *session_create(const struct session_options *options,
                               const struct session_hooks *hooks)
{
    struct worker *w = calloc(1, sizeof *w);
    int picture = picture_memory_create();
    struct reason why;

    if (!w)
        goto done;
    w->options = *options;
    w->hooks = *hooks;
    w->stats.bytes_received = w->stats.bytes_sent = -1;
    w->stats.heard_at = tick_now();
    worker_set_handshake(w, true); /* it is to ask for the connection until then */
    meter_init(&w->stats.meter);
    pthread_mutex_init(&w->lock, NULL);
    pthread_mutex_init(&w->sound_lock, NULL);
    pthread_cond_init(&w->row_came, NULL);
    w->cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    w->events = events_create(&hooks->callbacks);
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
    return (struct session *)(void *)w;
}
