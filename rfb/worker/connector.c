#include "rfb/worker/connector.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "rfb/net/sockets/contest.h"
#include "rfb/net/sockets/own_address.h"
#include "rfb/net/stream.h"
#include "rfb/system/clock.h"

/* A session connects once, once more after a server that did not take what was said early, and once
 * more where VeNCrypt turns out to hold less than what stands beside it. */
#define CONNECTS_MAX 3

static void connector_tell(struct worker *w, uint32_t type, bool known, const struct reason *why)
{
    struct worker_reason r = {.known = known, .kind = why->kind};

    if (known)
        memcpy(r.text, why->text, strlen(why->text));
    channel_send(w->channel, type, &r, sizeof r);
}

void connector_drop(struct worker *w)
{
    if (w->link)
        w->link->ops->destroy(w->link);
    w->link = NULL;
}

void connector_set_own(struct worker *w, bool known, const struct sockaddr_storage *own)
{
    pthread_mutex_lock(&w->lock);
    w->own = known ? *own : (struct sockaddr_storage){.ss_family = AF_UNSPEC};
    pthread_mutex_unlock(&w->lock);
}

static void connector_hand_over(struct worker *w, const struct address *a)
{
    struct worker_link link = {.counted = w->options.route.gateway.host[0] != '\0',
                               .explains = w->link->ops->explain != NULL,
                               .certified_before = w->options.certified_before};
    struct transport_shared shared = {.fd = -1};
    struct sockaddr_storage own;
    struct transport_window window;
    struct reason why;
    bool ok = transport_share(w->link, &shared);

    w->link->ops->window(w->link, &window);
    link.opening = shared.opening;
    link.tuned = window.tuned;
    link.allowed = window.allowed;
    memcpy(link.host, a->host, strnlen(a->host, sizeof link.host - 1));
    if (!ok || !channel_send_fd(w->channel, WORKER_LINK, &link, sizeof link, shared.fd)) {
        reason_set(&why, "cannot hand the connection to vnchl-session: %s", strerror(errno));
        connector_tell(w, WORKER_NO_LINK, true, &why);
    }
    paths_follow(&w->paths, shared.fd, !route_is_relayed(&w->options.route));
    connector_set_own(w, own_address_of(shared.fd, &own), &own);
    if (ok)
        close(shared.fd);
    if (!link.explains) /* nothing more to be learnt from it */
        connector_drop(w);
}

/* While a connection is made nobody takes answers of the process: it is not asked, and not taken
 * for hung. Then the handshake begins, if there is one. */
static void connector_set_connecting(struct worker *w, bool on)
{
    pthread_mutex_lock(&w->lock);
    w->connecting = on;
    w->pinged_at = tick_now();
    worker_set_handshake(w, w->link);
    pthread_mutex_unlock(&w->lock);
}

/* An honest process connects again when a server that it was told of before does not take what is
 * said early. So it does not where nothing is known of the server, and not later. */
static bool connector_may(struct worker *w)
{
    unsigned most = w->options.route.listen ? 1 : CONNECTS_MAX;

    return !w->connected && !w->closed && ++w->connects <= most;
}

const struct route *connector_route(const struct session_options *o)
{
    static const struct route straight;

    return o->route.listen ? &straight : &o->route;
}

/* Whether this server showed a certificate or a key before. False, with a reason: nobody knows. */
static bool connector_look_back(struct worker *w, const struct address *a, struct reason *why)
{
    struct session_options *o = &w->options;
    const struct look_back *known = &w->hooks.look_back;
    bool demanded = *o->x509_ca || *o->x509_also || o->pinned, had;

    if (!known->had || o->route.play[0] || demanded || !security_with_key(o->security))
        return true;
    if (!known->had(known->user, a, connector_route(o), &had, why))
        return false;
    o->certified_before = had || (o->certified_before && !o->route.listen);
    return true;
}

/* Whether several servers are tried: the one that has won once is the server of this session. */
static bool connector_chooses(const struct worker *w)
{
    return w->options.candidates.count > 0 && !w->linked;
}

static struct transport *connector_reach(struct worker *w, struct address *a, tick_t deadline,
                                         struct reason *why)
{
    struct session_options *o = &w->options;
    struct transport_options transport = session_transport(o);

    if (connector_chooses(w))
        return contest_connect(&o->candidates, &transport, deadline, w->cancel_fd, a, why);
    return stream_connect_transport(&o->route, a, &transport, deadline, w->cancel_fd, why);
}

static void connector_set_server(struct worker *w, const struct address *a)
{
    pthread_mutex_lock(&w->lock);
    w->server = *a;
    w->linked = true;
    pthread_mutex_unlock(&w->lock);
}

bool connector_connect(struct worker *w, tick_t deadline)
{
    struct session_options *o = &w->options;
    struct address a = w->linked ? w->server : o->address;
    bool open = o->route.listen || connector_chooses(w); /* the address is only known later */
    struct reason why;

    if (!connector_may(w))
        return false;
    connector_drop(w);
    deadline = tick_sooner(deadline, tick_now() + o->connect_timeout);
    if (!open && !connector_look_back(w, &a, &why)) {
        connector_tell(w, WORKER_NO_LINK, true, &why);
        return true;
    }
    connector_set_connecting(w, true);
    w->link = connector_reach(w, &a, deadline, &why);
    connector_set_connecting(w, false);
    if (w->link && open && !connector_look_back(w, &a, &why))
        connector_drop(w);
    if (!w->link) {
        connector_tell(w, WORKER_NO_LINK, true, &why);
        return true;
    }
    connector_set_server(w, &a);
    w->doubted = w->certified = false;
    connector_hand_over(w, &a);
    return true;
}

void connector_explain(struct worker *w)
{
    struct reason why = {0};
    bool known = w->link && w->link->ops->explain && w->link->ops->explain(w->link, &why);

    connector_drop(w); /* nothing more to be learnt from it */
    connector_tell(w, WORKER_EXPLAINED, known, &why);
}
