#include "tools/accelerator/metrics.h"

#ifdef VNCHL_MICROHTTPD

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECTIONS 8 /* at a time */
#define TIMEOUT_S   10

struct metrics {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    char text[METRICS_TEXT];
};

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status, const char *text)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result result;

    if (!r)
        return MHD_NO;
    MHD_add_response_header(r, "Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    result = MHD_queue_response(connection, status, r);
    MHD_destroy_response(r);
    return result;
}

static enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    struct metrics *m = user;
    char text[METRICS_TEXT];

    (void)version;
    (void)data;
    (void)size;
    (void)state;
    if (strcmp(method, "GET") != 0)
        return respond(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
    if (strcmp(url, "/metrics") != 0)
        return respond(connection, MHD_HTTP_NOT_FOUND, "the figures are at /metrics\n");
    pthread_mutex_lock(&m->lock);
    memcpy(text, m->text, sizeof text);
    pthread_mutex_unlock(&m->lock);
    return respond(connection, MHD_HTTP_OK, text);
}

struct metrics *metrics_create(const struct sockaddr_storage *address, struct reason *why)
{
    struct metrics *m = calloc(1, sizeof *m);
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL;
    uint16_t port = ntohs(((const struct sockaddr_in *)address)->sin_port); /* v6: same place */

    if (!m) {
        reason_set(why, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&m->lock, NULL);
    if (address->ss_family == AF_INET6)
        flags |= MHD_USE_IPv6;
    m->daemon = MHD_start_daemon(flags, port, NULL, NULL, answer, m, MHD_OPTION_SOCK_ADDR, address,
                                 MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS,
                                 MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S, MHD_OPTION_END);
    if (m->daemon)
        return m;
    reason_set(why, "cannot answer about metrics on port %u: %s", port, strerror(errno));
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

struct metrics *metrics_create(const struct sockaddr_storage *address, struct reason *why)
{
    (void)address;
    reason_set(why, "this vnchl-accel was built without libmicrohttpd, so it has no metrics");
    return NULL;
}

void metrics_destroy(struct metrics *m)
{
    (void)m;
}

void metrics_set(struct metrics *m, const char *text)
{
    (void)m;
    (void)text;
}

#endif
