#include "tools/accelerator/service/listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/accelerator/events.h"
#include "tools/accelerator/service/manager.h"
#include "tools/accelerator/transport/leg.h"

#define BACKLOG 128

/* How long ports rest when descriptors or memory are wanting. */
#define REST_MS 250

/* Of one port in one turn of the loop. */
#define ACCEPTED_AT_ONCE 16

/* What to do where another program listens. */
#define PORT_IN_USE ". Choose another port with --listen, or end the program that has this one"

/* ---- who may come ---- */

static unsigned from_one(const struct service *s, const struct sockaddr_storage *peer)
{
    unsigned count = 0;

    for (const struct connection *c = LIST_FIRST(&s->host.all); c; c = connection_next(c)) {
        struct connection_about about;

        connection_about(c, &about);
        count += leg_same_client(&about.peer, peer);
    }
    return count;
}

/* NULL: it may come. */
static const char *listener_refusal(const struct service *s, const struct sockaddr_storage *peer)
{
    if (s->clients >= s->config->most_clients)
        return "as many clients as allowed are here (clients)";
    if (from_one(s, peer) >= s->config->most_from_one)
        return "as many clients as allowed come from there (clients-per-address)";
    return NULL;
}

/* ---- without descriptors ---- */

/* No file: none may be opened once the program is confined. */
int listener_spare(void)
{
    return eventfd(0, EFD_CLOEXEC);
}

static void listener_on_client(uv_poll_t *poll, int status, int events);

static void listeners_rest(struct service *s)
{
    for (struct listener *l = s->listeners; l; l = l->next)
        uv_poll_stop(&l->poll);
    if (s->metrics_listener)
        uv_poll_stop(&s->metrics_listener->poll);
    uv_timer_start(&s->rest, listener_rested, REST_MS, 0);
}

void listener_rested(uv_timer_t *timer)
{
    struct service *s = timer->data;

    if (s->spare_fd < 0)
        s->spare_fd = listener_spare();
    if (s->spare_fd < 0) {
        listeners_rest(s);
        return;
    }
    for (struct listener *l = s->listeners; l; l = l->next)
        uv_poll_start(&l->poll, UV_READABLE, listener_on_client);
    if (s->metrics_listener)
        uv_poll_start(&s->metrics_listener->poll, UV_READABLE, listener_on_client);
}

/* Who comes is sent away, so that nobody waits for ever. */
static void listener_send_away(struct listener *l)
{
    struct service *s = l->service;
    int fd = -1;

    if (s->spare_fd >= 0) {
        close(s->spare_fd);
        fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            close(fd);
        s->spare_fd = listener_spare();
    }
    if (s->spare_fd < 0) /* another thread was faster */
        listeners_rest(s);
    if (fd < 0)
        return;
    s->service_totals.refused++;
    event_log(EVENT_LIMITED, "refused",
              "port=\"%s\" why=\"no descriptors left: raise LimitNOFILE, or ulimit -n\"",
              l->port->listen);
}

/* ---- accepting ---- */

static void listener_take(struct listener *l, int fd, const struct sockaddr_storage *peer)
{
    struct service *s = l->service;
    const char *why = listener_refusal(s, peer);
    struct connection_way way = {!leg_is_loopback(&l->address), l->port->target, l->port->by_name};
    char name[64];

    leg_peer(peer, name, sizeof name);
    if (why) {
        s->service_totals.refused++;
        event_log(EVENT_LIMITED, "refused", "client=%s port=\"%s\" why=\"%s\"", name,
                  l->port->listen, why);
        close(fd);
        return;
    }
    s->service_totals.accepted++;
    s->clients++;
    s->last_id++;
    event_log(EVENT_LIMITED, "client", "id=%llu client=%s port=\"%s\" server=\"%s\"",
              (unsigned long long)s->last_id, name, l->port->listen,
              l->port->target ? l->port->target->text : "by its ID");
    if (!connection_begin(&s->host, fd, peer, s->last_id, &way)) {
        s->clients--;
        event_log(EVENT_LIMITED, "refused", "client=%s why=\"out of memory\"", name);
    }
}

/* Whether whoever waits at the port is to be accepted. Who asks for figures may have to wait until
 * listener_goes_on(). */
static bool listener_has_room(struct listener *l)
{
    if (l != l->service->metrics_listener || metrics_has_room(l->service->metrics))
        return true;
    uv_poll_stop(&l->poll);
    return false;
}

static void listener_on_client(uv_poll_t *poll, int status, int events)
{
    struct listener *l = poll->data;

    (void)status;
    (void)events;
    for (int i = 0; i < ACCEPTED_AT_ONCE && listener_has_room(l); i++) {
        struct sockaddr_storage peer = {0};
        socklen_t size = sizeof peer;
        int fd = accept4(l->fd, (struct sockaddr *)&peer, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd >= 0 && l == l->service->metrics_listener) {
            metrics_answer(l->service->metrics, fd, &peer);
        } else if (fd >= 0) {
            listener_take(l, fd, &peer);
        } else if (errno == EMFILE || errno == ENFILE) {
            listener_send_away(l);
            return;
        } else if (errno == ENOMEM || errno == ENOBUFS) {
            listeners_rest(l->service);
            return;
        } else if (errno == EAGAIN) {
            return;
        } /* else it is the fault of this one's connection */
    }
}

/* ---- opening ---- */

static int listener_open_socket(const struct config_port *port, struct reason *why)
{
    const struct sockaddr *address = (const struct sockaddr *)&port->address;
    bool v6 = address->sa_family == AF_INET6;
    socklen_t size = v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    int error;

    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd >= 0 && v6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (fd >= 0 && bind(fd, address, size) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    error = errno;
    reason_set(why, "cannot listen on %s: %s%s", port->listen, strerror(error),
               error == EADDRINUSE ? PORT_IN_USE : "");
    if (fd >= 0)
        close(fd);
    return -1;
}

static void listener_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void listener_shut(struct listener *l)
{
    uv_close((uv_handle_t *)&l->poll, listener_closed);
    close(l->fd); /* after the loop has let go of it: the service manager may keep a copy open */
}

void listener_goes_on(struct listener *l)
{
    uv_poll_start(&l->poll, UV_READABLE, listener_on_client);
}

struct listener *listener_open(struct service *s, const struct config_port *port,
                               struct reason *why)
{
    struct listener *l = calloc(1, sizeof *l);
    int error;

    if (!l) {
        reason_set(why, "out of memory");
        return NULL;
    }
    l->service = s;
    l->port = port;
    l->address = port->address;
    l->fd = manager_socket(&port->address);
    if (l->fd < 0)
        l->fd = listener_open_socket(port, why);
    if (l->fd < 0) {
        free(l);
        return NULL;
    }
    error = uv_poll_init(&s->loop, &l->poll, l->fd);
    if (error != 0) {
        reason_set(why, "cannot wait for clients on %s: %s", port->listen, uv_strerror(error));
        close(l->fd);
        free(l);
        return NULL;
    }
    l->poll.data = l;
    uv_poll_start(&l->poll, UV_READABLE, listener_on_client);
    return l;
}
