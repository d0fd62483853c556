#include "tools/accelerator/service/metrics.h"

#include <stdio.h>
#include <string.h>

#include "tools/accelerator/service/service.h"

/* ---- the figures of the service, in the text format of Prometheus ---- */

struct sums {
    unsigned accelerated, pushed, unanswered;
    size_t held;
    tick_t oldest;
};

static struct sums add_up(const struct service *s)
{
    struct sums sums = {0};

    for (const struct connection *c = LIST_FIRST(&s->host.all); c; c = connection_next(c)) {
        struct connection_about about;

        connection_about(c, &about);
        sums.accelerated += about.accelerated;
        sums.pushed += about.pushed;
        sums.unanswered += about.unanswered;
        sums.held += about.held;
        sums.oldest = tick_later(sums.oldest, about.held_for);
    }
    return sums;
}

void metrics_write(const struct service *s, char *out, size_t size)
{
    struct sums sums = add_up(s);
    const struct {
        const char *name, *type, *help;
        double value;
    } figures[] = {
        {"clients", "gauge", "Clients that are connected", s->clients},
        {"clients_accelerated", "gauge", "Of these, those whose updates are asked for here",
         sums.accelerated},
        {"clients_pushed", "gauge", "Clients that blocks are pushed to", sums.pushed},
        {"bbr", "gauge", "1: the congestion control towards clients is BBR",
         strcmp(s->congestion, "bbr") == 0},
        {"connections_accepted_total", "counter", "Clients that have come",
         (double)s->service_totals.accepted},
        {"connections_refused_total", "counter", "Clients that were sent away",
         (double)s->service_totals.refused},
        {"pushed_total", "counter", "Sessions that blocks were pushed to",
         (double)s->totals.pushed},
        {"datagrams_refused_total", "counter", "Datagrams that were no viewer's",
         (double)s->totals.datagrams_refused},
        {"pipes_total", "counter", "Connections that were encrypted, and passed on as they are",
         (double)s->totals.pipes},
        {"tls_total", "counter", "Sessions with clients whose TLS ends here",
         (double)s->totals.tls},
        {"tls_failed_total", "counter", "Handshakes of TLS that failed",
         (double)s->totals.tls_failed},
        {"unknown_total", "counter", "Connections in which something unknown was said",
         (double)s->totals.lost},
        {"bytes_down_total", "counter", "Bytes to clients", (double)s->totals.bytes_down},
        {"bytes_up_total", "counter", "Bytes to servers", (double)s->totals.bytes_up},
        {"updates_total", "counter", "Updates to clients", (double)s->totals.updates},
        {"client_requests_total", "counter", "Requests of clients", (double)s->totals.requests},
        {"requests_made_total", "counter", "Requests made here", (double)s->totals.asked},
        {"requests_unanswered", "gauge", "Requests that wait at servers", sums.unanswered},
        {"held_bytes", "gauge", "Bytes that wait here for clients", (double)sums.held},
        {"held_seconds", "gauge",
         "How long the client that waits longest has got none of its bytes",
         tick_to_s(sums.oldest)},
    };
    size_t at = 0;

    for (size_t i = 0; i < sizeof figures / sizeof *figures && at < size; i++)
        at += (size_t)snprintf(out + at, size - at,
                               "# HELP vnchl_accel_%s %s.\n# TYPE vnchl_accel_%s %s\n"
                               "vnchl_accel_%s %.15g\n",
                               figures[i].name, figures[i].help, figures[i].name, figures[i].type,
                               figures[i].name, figures[i].value);
}

#ifdef VNCHL_MICROHTTPD

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>

#define TIMEOUT_S 10 /* of silence */

/* Those that were told to go are still there for a moment. */
#define OPEN_MOST (4 * METRICS_ASKING)

struct metrics {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    /* under the lock: */
    char text[METRICS_TEXT];
    struct metrics_asking {
        int fd;
        bool shut;     /* it was told to go */
    } open[OPEN_MOST]; /* who came first is first */
    int count;
};

/* ---- who asks ---- */

static void metrics_forget(struct metrics *m, int fd)
{
    int kept = 0;

    for (int i = 0; i < m->count; i++)
        if (m->open[i].fd != fd)
            m->open[kept++] = m->open[i];
    m->count = kept;
}

static void metrics_make_room(struct metrics *m)
{
    struct metrics_asking *oldest = NULL;
    int asking = 0;

    for (int i = m->count - 1; i >= 0; i--)
        if (!m->open[i].shut) {
            oldest = &m->open[i];
            asking++;
        }
    if (asking < METRICS_ASKING)
        return;
    oldest->shut = true;
    shutdown(oldest->fd, SHUT_RDWR);
}

bool metrics_has_room(struct metrics *m)
{
    bool room;

    pthread_mutex_lock(&m->lock);
    room = m->count < OPEN_MOST;
    pthread_mutex_unlock(&m->lock);
    return room;
}

static void metrics_note(struct metrics *m, int fd)
{
    pthread_mutex_lock(&m->lock);
    metrics_make_room(m);
    m->open[m->count++] = (struct metrics_asking){fd, false};
    pthread_mutex_unlock(&m->lock);
}

/* The library's thread: it is going to close one. */
static void metrics_on_connection(void *user, struct MHD_Connection *connection, void **state,
                                  enum MHD_ConnectionNotificationCode what)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct metrics *m = user;

    (void)state;
    if (what != MHD_CONNECTION_NOTIFY_CLOSED || !info)
        return;
    pthread_mutex_lock(&m->lock);
    metrics_forget(m, info->connect_fd);
    pthread_mutex_unlock(&m->lock);
}

void metrics_answer(struct metrics *m, int fd, const struct sockaddr_storage *peer)
{
    socklen_t size =
        peer->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);

    metrics_note(m, fd);
    if (MHD_add_connection(m->daemon, fd, (const struct sockaddr *)peer, size) == MHD_YES)
        return;
    pthread_mutex_lock(&m->lock); /* the library has closed it */
    metrics_forget(m, fd);
    pthread_mutex_unlock(&m->lock);
}

/* ---- answers ---- */

static enum MHD_Result metrics_respond(struct MHD_Connection *connection, unsigned status,
                                       const char *text)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result result;

    if (!r)
        return MHD_NO;
    MHD_add_response_header(r, "Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    MHD_add_response_header(r, "Connection", "close");
    result = MHD_queue_response(connection, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result metrics_on_request(void *user, struct MHD_Connection *connection,
                                          const char *url, const char *method, const char *version,
                                          const char *data, size_t *size, void **state)
{
    struct metrics *m = user;
    char text[METRICS_TEXT];

    (void)version;
    (void)data;
    (void)size;
    (void)state;
    if (strcmp(method, "GET") != 0)
        return metrics_respond(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
    if (strcmp(url, "/metrics") != 0)
        return metrics_respond(connection, MHD_HTTP_NOT_FOUND, "the figures are at /metrics\n");
    pthread_mutex_lock(&m->lock);
    memcpy(text, m->text, sizeof text);
    pthread_mutex_unlock(&m->lock);
    return metrics_respond(connection, MHD_HTTP_OK, text);
}

struct metrics *metrics_create(struct reason *why)
{
    struct metrics *m = calloc(1, sizeof *m);
    const unsigned flags =
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL | MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET;

    if (!m) {
        reason_set(why, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&m->lock, NULL);
    m->daemon =
        MHD_start_daemon(flags, 0, NULL, NULL, metrics_on_request, m, MHD_OPTION_NOTIFY_CONNECTION,
                         metrics_on_connection, m, MHD_OPTION_CONNECTION_LIMIT, OPEN_MOST,
                         MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S, MHD_OPTION_END);
    if (m->daemon)
        return m;
    reason_set(why, "cannot answer about metrics: %s", strerror(errno));
    metrics_destroy(m);
    return NULL;
}

void metrics_destroy(struct metrics *m)
{
    if (!m)
        return;
    if (m->daemon)
        MHD_stop_daemon(m->daemon);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

void metrics_set(struct metrics *m, const char *text)
{
    pthread_mutex_lock(&m->lock);
    snprintf(m->text, sizeof m->text, "%s", text);
    pthread_mutex_unlock(&m->lock);
}

#else

struct metrics *metrics_create(struct reason *why)
{
    reason_set(why, "this vnchl-accel was built without libmicrohttpd, so it has no metrics");
    return NULL;
}

void metrics_destroy(struct metrics *m)
{
    (void)m;
}

bool metrics_has_room(struct metrics *m)
{
    (void)m;
    return false;
}

void metrics_answer(struct metrics *m, int fd, const struct sockaddr_storage *peer)
{
    (void)m;
    (void)fd;
    (void)peer;
}

void metrics_set(struct metrics *m, const char *text)
{
    (void)m;
    (void)text;
}

#endif
