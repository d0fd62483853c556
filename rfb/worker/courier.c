/* The courier: takes what the process says, has connections made for it, and sees its end. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rfb/net/sockets/own_address.h"
#include "rfb/net/ssh/ssh_host.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"
#include "rfb/worker/connector.h"
#include "rfb/worker/worker_message.h"
#include "rfb/worker/worker_state.h"

/* So many lines and notices of one process are shown. Chosen: far more than an honest one says. */
#define LINES_MAX 2000
/* ns: between two bells. An honest process leaves twice as much (rfb/session/constants.h). */
#define BELL_PERIOD (125 * TICK_MS)
/* ns that it may take to find out where ssh goes. It looked there itself just before. */
#define PATHS_SSH_LIMIT (2 * TICK_S)

static void courier_notice(struct worker *w, const char *text)
{
    const struct session_event head = {.type = SESSION_NOTICE};
    struct session_event *e = session_event_create(&head, text, strlen(text) + 1);

    if (e)
        events_add(w->events, e);
}

/* ---- connections ---- */

/* Where ssh goes, beneath a far end: nobody has to know before datagrams are wanted. */
static void look_beneath_ssh(struct worker *w)
{
    const struct gateway *gateway = &w->options.route.gateway;
    struct sockaddr_storage host, own;

    if (w->paths.known || w->looked || !gateway->far_end)
        return;
    w->looked = true;
    if (!ssh_host(gateway, tick_now() + PATHS_SSH_LIMIT, w->cancel_fd, &host))
        return;
    paths_lead(&w->paths, &host);
    connector_set_own(w, own_address_towards(&host, &own), &own);
}

/* An honest process asks only where the options allow it, and not before there is a server. How
 * often it asks is up to the server's words, so that ends no session: there is no socket then. */
static bool give_path(struct worker *w, const struct channel_message *m)
{
    bool given = false;
    uint16_t port;
    int fd;

    if (m->size != sizeof port || !w->linked || !w->options.datagrams)
        return false;
    memcpy(&port, m->body, sizeof port);
    if (port < SESSION_DATAGRAM_PORT_LEAST)
        return false;
    look_beneath_ssh(w);
    fd = paths_open(&w->paths, port, tick_now());
    if (fd >= 0) {
        given = channel_send_fd(w->channel, WORKER_PATH, NULL, 0, fd);
        close(fd);
    }
    if (!given)
        channel_send(w->channel, WORKER_PATH, NULL, 0);
    return true;
}

/* The viewer knows where a ticket is used, and ssh has protected it. False: it is of no use, for
 * who gives one draws into the next session's window before that has proved who its server is. */
static bool lead_ticket(struct worker *w, struct session_ticket *ticket)
{
    look_beneath_ssh(w);
    memcpy(ticket->host, &w->paths.host, sizeof ticket->host);
    return w->paths.known && w->options.route.gateway.far_end;
}

/* ---- events ---- */

/* Whether a process may say this now, and with these options. */
static bool is_due(const struct worker *w, const struct session_event *e)
{
    switch (e->type) {
    case SESSION_QUESTION:
        return w->linked && !w->connected &&
               worker_question_allowed(&w->options, session_event_question(e));
    case SESSION_CONNECTED:
        return w->linked && !w->connected;
    case SESSION_CERTIFIED:
        return w->linked && !w->connected && !w->certified &&
               security_with_key(w->options.security);
    case SESSION_TICKET:
        return w->connected && w->options.datagrams;
    case SESSION_SOUND:
        return w->connected && w->options.sound != SOUND_WISH_OFF;
    case SESSION_CUT_TEXT:
        return w->options.clipboard & CLIPBOARD_RECEIVE;
    case SESSION_CLOSED:
        return e->failure != FAILURE_PLAYED || w->options.route.play[0];
    default:
        return true;
    }
}

/* Whether the owner has heard enough of these. */
static bool is_too_much(struct worker *w, const struct session_event *e)
{
    tick_t now = tick_now();

    if (e->type == SESSION_NOTICE)
        return ++w->lines > LINES_MAX;
    if (e->type == SESSION_SOUND)
        return worker_sound_waits(w, e);
    if (e->type != SESSION_BELL)
        return false;
    if (now < w->next_bell)
        return true;
    w->next_bell = now + BELL_PERIOD;
    return false;
}

/* The handshake waits while a question is open, and is over with CONNECTED and CLOSED. */
static void note_handshake(struct worker *w, const struct session_event *e)
{
    bool asks = e->type == SESSION_QUESTION;

    pthread_mutex_lock(&w->lock);
    if (asks || w->connected || w->closed)
        worker_set_handshake(w, false);
    w->questioned |= asks;
    pthread_mutex_unlock(&w->lock);
}

/* What the owner hears of the server's certificate, at once: however the session ends. */
static void note_certificate(struct worker *w, const struct session_event *e)
{
    const struct session_question *q = session_event_question(e);
    const struct look_back *known = &w->hooks.look_back;
    struct session_options *o = &w->options;

    w->doubted |= q && q->kind == QUESTION_TRUST;
    if (e->type != SESSION_CERTIFIED)
        return;
    w->certified = o->certified_before = true;
    if (known->shown)
        known->shown(known->user, &w->server, connector_route(o), !w->doubted && !o->pinned);
}

static bool take_event(struct worker *w, const struct channel_message *m)
{
    const struct session_event *head = m->body;
    struct session_event *e;

    if (!session_event_valid(head, m->size))
        return false;
    if (w->closed) /* the sender may have found something when the receiver closed the session */
        return true;
    if (!is_due(w, head))
        return false;
    if (is_too_much(w, head))
        return true;
    e = session_event_create(head, head + 1, head->size);
    if (!e)
        return false;
    if (e->type == SESSION_QUESTION) /* in the name of whom we have connected to */
        session_name_server(&w->server, &w->options.route, (struct session_question *)(e + 1));
    if (e->type == SESSION_TICKET && !lead_ticket(w, (struct session_ticket *)(e + 1))) {
        free(e);
        return true;
    }
    w->connected |= e->type == SESSION_CONNECTED;
    w->closed = e->type == SESSION_CLOSED;
    note_handshake(w, e);
    note_certificate(w, e);
    worker_note_sound(w, e);
    events_add(w->events, e);
    return true;
}

/* ---- figures, lines, files ---- */

static bool take_stats(struct worker *w, const struct channel_message *m)
{
    pthread_mutex_lock(&w->lock);
    if (m->size == sizeof w->stats) {
        memcpy(&w->stats, m->body, sizeof w->stats);
        worker_stats_repair(&w->stats, tick_now());
        w->row_asked = false;
        pthread_cond_broadcast(&w->row_came);
    }
    pthread_mutex_unlock(&w->lock);
    return m->size == sizeof w->stats;
}

static void take_alive(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    w->pinged = false;
    pthread_mutex_unlock(&w->lock);
}

static bool courier_take_line(struct worker *w, const struct channel_message *m)
{
    const char *body = m->body;
    char line[LOG_LINE_MAX];

    if (m->size == 0)
        return false;
    if (++w->lines == LINES_MAX)
        log_line("the session's process says too much: no more of it is shown");
    if (w->lines >= LINES_MAX)
        return true;
    memcpy(line, body + 1, m->size - 1);
    line[m->size - 1] = '\0'; /* the log makes it fit to be shown */
    if (body[0])              /* debug */
        log_debug("%s", line);
    else
        log_line("%s", line);
    return true;
}

static bool take_trace(struct worker *w, const struct channel_message *m)
{
    if (w->hooks.trace)
        trace_log_put(w->hooks.trace, m->body, m->size, m->type == WORKER_TRACE_END);
    return w->hooks.trace;
}

static bool take_layers(struct worker *w, const struct channel_message *m)
{
    char text[128];

    if (m->size != sizeof w->layers || w->confined)
        return false;
    pthread_mutex_lock(&w->lock);
    memcpy(&w->layers, m->body, sizeof w->layers);
    w->confined = true;
    worker_describe_layers(&w->layers, text, sizeof text);
    pthread_mutex_unlock(&w->lock);
    log_debug("the session is confined by: %s", text);
    return true;
}

static void set_records(struct worker *w, bool on)
{
    pthread_mutex_lock(&w->lock);
    w->records = on;
    pthread_mutex_unlock(&w->lock);
}

static bool take_recorded(struct worker *w, const struct channel_message *m)
{
    struct recording *r = w->hooks.recording;
    struct reason why;

    if (!r || (m->type == WORKER_RECORD_BEGIN) == w->recorded)
        return false;
    if (m->type == WORKER_RECORD_BEGIN) {
        w->recorded = true;
        w->part = recording_begin(r, m->body, m->size, tick_now());
        set_records(w, w->part > 0);
    } else {
        recording_add(r, w->part, m->body, m->size, tick_now());
    }
    if (w->recording_failed || !recording_failed(r, &why))
        return true;
    w->recording_failed = true;
    set_records(w, false);
    courier_notice(w, why.text);
    return true;
}

/* ---- the thread ---- */

/* False: the process says what it may not. */
static bool courier_take(struct worker *w, const struct channel_message *m)
{
    switch (m->type) {
    case WORKER_EVENT:
        return take_event(w, m);
    case WORKER_WAKE:
        events_wake(w->events);
        return true;
    case WORKER_STATS:
        return take_stats(w, m);
    case WORKER_ALIVE:
        take_alive(w);
        return true;
    case WORKER_LINE:
        return courier_take_line(w, m);
    case WORKER_CONFINED:
        return take_layers(w, m);
    case WORKER_CONNECT:
        return m->size == sizeof(tick_t) && connector_connect(w, *(tick_t *)m->body);
    case WORKER_HEARD:
        if (w->link && w->link->ops->heard)
            w->link->ops->heard(w->link);
        return true;
    case WORKER_EXPLAIN:
        connector_explain(w);
        return true;
    case WORKER_DATAGRAMS:
        return give_path(w, m);
    case WORKER_SOUND:
        return worker_take_sound(w, m);
    case WORKER_TRACE:
    case WORKER_TRACE_END:
        return take_trace(w, m);
    case WORKER_RECORD_BEGIN:
    case WORKER_RECORD:
        return take_recorded(w, m);
    default:
        return false;
    }
}

static bool is_moved(struct worker *w)
{
    bool moved;

    pthread_mutex_lock(&w->lock);
    moved = w->moved;
    pthread_mutex_unlock(&w->lock);
    return moved;
}

/* Whether the process is to be ended. So is one that lets the handshake last for ever. */
static bool is_hung(struct worker *w)
{
    bool hung;

    pthread_mutex_lock(&w->lock);
    hung = w->hung || tick_now() >= w->handshake_by;
    pthread_mutex_unlock(&w->lock);
    return hung;
}

/* ms until is_hung() may change by itself; -1: never. */
static int courier_patience(struct worker *w)
{
    tick_t by, left;

    pthread_mutex_lock(&w->lock);
    by = w->handshake_by;
    pthread_mutex_unlock(&w->lock);
    if (by == TICK_NEVER)
        return -1;
    left = by - tick_now();
    return left <= 0 ? 0 : (int)tick_sooner(left / TICK_MS + 1, INT_MAX);
}

/* Takes what the process says until it ends, or has to be ended. Then `why` says why. Whether it
 * has ended by itself. */
static bool courier_serve(struct worker *w, struct reason *why)
{
    struct pollfd p[2] = {{.fd = channel_fd(w->channel)}, {.fd = w->wake_fd, .events = POLLIN}};
    enum channel_state state;
    struct channel_message m;
    uint64_t count;

    do {
        p[0].events = POLLIN | (channel_waiting(w->channel) > 0 ? POLLOUT : 0);
        poll(p, 2, courier_patience(w));
        if (p[1].revents && read(w->wake_fd, &count, sizeof count) < 0 && errno != EAGAIN)
            log_debug("cannot read the wake-up: %s", strerror(errno));
        if (is_hung(w))
            return reason_set(why, "it did not answer any more");
        channel_flush(w->channel);
        while ((state = channel_receive(w->channel, &m)) == CHANNEL_MESSAGE)
            if (is_hung(w)) /* it may speak without end */
                return reason_set(why, "it did not answer any more");
            else if (!courier_take(w, &m))
                return reason_set(why, "it sent a message that is not allowed (type %u)", m.type);
    } while (state == CHANNEL_EMPTY);
    reason_set(why, state == CHANNEL_ENDED ? "it ended by itself" : "it sent what is no message");
    return state == CHANNEL_ENDED;
}

/* Whether the process ends by itself within a second. */
static bool courier_ends(struct worker *w, int *status)
{
    const struct timespec pause = {.tv_nsec = TICK_MS};

    for (int i = 0; i < 1000; i++) {
        if (waitpid(w->pid, status, WNOHANG) != 0) /* also when nobody can tell */
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* Ends the process, or waits for the end that it has begun. If it has ended by itself, `why` says
 * how. */
static void courier_bury(struct worker *w, bool ended, struct reason *why)
{
    int status = 0;

    if (!ended || !courier_ends(w, &status)) {
        kill(w->pid, SIGKILL);
        waitpid(w->pid, NULL, 0);
    } else if (WIFSIGNALED(status)) {
        reason_set(why, "it was ended by signal %d (%s)", WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
        if (WTERMSIG(status) == SIGKILL) /* no fault of its own leads to this one */
            reason_set_kind(why, FAILURE_KILLED);
    } else if (WEXITSTATUS(status) == WORKER_OTHER_BUILD) {
        reason_set(why, "it is of another version");
    } else if (WEXITSTATUS(status) != 0) {
        reason_set(why, "it ended with status %d", WEXITSTATUS(status));
    }
}

static void close_session(struct worker *w, const struct reason *why)
{
    /* it may have bytes that others have chosen: it reads none before it is confined */
    bool fed = (w->linked || w->previews) && w->confined;
    bool killed = fed && why->kind == FAILURE_KILLED;
    struct reason text;

    if (is_moved(w)) {
        events_close(w->events, FAILURE_LOST, "this machine has another address now");
        return;
    }
    if (fed)
        reason_set(&text, "the part of this program that reads what the server sends %s: %s",
                   killed ? "was ended from outside" : "has failed", why->text);
    else
        reason_set(&text,
                   "the program vnchl-session, which reads what the server sends, cannot be "
                   "started: %s. Close vnchl and start it again; if that does not help, "
                   "install it again",
                   why->text);
    events_close(w->events,
                 killed ? FAILURE_KILLED
                 : fed  ? FAILURE_CRASHED
                        : FAILURE_START,
                 text.text);
}

void *worker_courier(void *user)
{
    struct worker *w = user;
    struct reason why;
    bool ended;

    prctl(PR_SET_NAME, "courier");
    ended = courier_serve(w, &why);
    courier_bury(w, ended, &why);
    if (!w->closed)
        close_session(w, &why);
    connector_drop(w);
    pthread_mutex_lock(&w->lock);
    w->row_asked = false; /* nobody will answer */
    pthread_cond_broadcast(&w->row_came);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}
