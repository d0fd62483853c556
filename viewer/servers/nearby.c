#include "viewer/servers/nearby.h"

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/net/address/address.h"
#include "rfb/net/address/dns_sd.h"
#include "rfb/system/log.h"
#include "rfb/system/thread.h"
#include "rfb/texts/reason.h"

/* Announcements whose address is looked for at the same time: one service has one on each
 * interface, by IPv4 and by IPv6. */
#define NEARBY_ASKED_MAX (8 * NEARBY_MAX)

/* Shared by the one who looks at the list and the thread that asks; the second to let go frees it.
 */
struct nearby {
    AvahiSimplePoll *poll;
    /* the thread's: */
    AvahiClient *client;
    AvahiServiceBrowser *browser;
    int asked;  /* resolvers that have not answered */
    bool over;  /* with this client of the daemon */
    bool again; /* the daemon has gone: it may come back */

    pthread_mutex_t lock; /* everything below */
    int users;
    bool ended;
    void (*wake)(void *user);
    void *user;
    int count;
    struct nearby_server found[NEARBY_MAX];
    char hosts[NEARBY_MAX][AVAHI_DOMAIN_NAME_MAX]; /* of each */
};

static void nearby_let_go(struct nearby *n)
{
    bool last;

    pthread_mutex_lock(&n->lock);
    last = --n->users == 0;
    pthread_mutex_unlock(&n->lock);
    if (!last)
        return;
    avahi_simple_poll_free(n->poll);
    pthread_mutex_destroy(&n->lock);
    free(n);
}

static bool nearby_is_full(struct nearby *n)
{
    bool full;

    pthread_mutex_lock(&n->lock);
    full = n->count >= NEARBY_MAX || n->asked >= NEARBY_ASKED_MAX;
    pthread_mutex_unlock(&n->lock);
    return full;
}

/* ---- the thread ---- */

/* False: nobody can connect to it from here. */
static bool nearby_address(const AvahiAddress *from, uint16_t port, struct nearby_server *s)
{
    char number[AVAHI_ADDRESS_STR_MAX], text[NEARBY_ADDRESS_MAX];
    struct address a;
    struct reason why;

    /* an address of one link alone says not on which */
    if (port == 0 || (from->proto == AVAHI_PROTO_INET6 && from->data.ipv6.address[0] == 0xfe &&
                      (from->data.ipv6.address[1] & 0xc0) == 0x80))
        return false;
    avahi_address_snprint(number, sizeof number, from);
    snprintf(text, sizeof text, from->proto == AVAHI_PROTO_INET6 ? "[%s]::%u" : "%s::%u", number,
             (unsigned)port);
    if (!address_parse(&a, text, &why))
        return false;
    a.port_given = port < ADDRESS_BASE_PORT || port >= ADDRESS_BASE_PORT + 100;
    address_format(&a, s->address, sizeof s->address);
    return true;
}

/* One service is found on each interface, and by IPv4 and IPv6. */
static bool nearby_is_known(const struct nearby *n, const struct nearby_server *s, const char *host)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->found[i].name, s->name) == 0 && strcmp(n->hosts[i], host) == 0)
            return true;
    return false;
}

static void nearby_add(struct nearby *n, const struct nearby_server *s, const char *host)
{
    pthread_mutex_lock(&n->lock);
    if (n->count < NEARBY_MAX && !nearby_is_known(n, s, host)) {
        snprintf(n->hosts[n->count], sizeof n->hosts[0], "%s", host);
        n->found[n->count++] = *s;
        if (n->wake)
            n->wake(n->user);
    }
    pthread_mutex_unlock(&n->lock);
}

static void nearby_resolved(AvahiServiceResolver *r, AvahiIfIndex interface, AvahiProtocol protocol,
                            AvahiResolverEvent event, const char *name, const char *type,
                            const char *domain, const char *host, const AvahiAddress *a,
                            uint16_t port, AvahiStringList *txt, AvahiLookupResultFlags flags,
                            void *user)
{
    struct nearby *n = user;
    struct nearby_server s = {.accelerated = false};

    if (event == AVAHI_RESOLVER_FOUND && nearby_address(a, port, &s)) {
        snprintf(s.name, sizeof s.name, "%s", name);
        sanitise(s.name);
        s.accelerated = avahi_string_list_find(txt, DNS_SD_ACCELERATOR);
        nearby_add(n, &s, host);
    }
    avahi_service_resolver_free(r);
    n->asked--;
}

static void nearby_browsed(AvahiServiceBrowser *b, AvahiIfIndex interface, AvahiProtocol protocol,
                           AvahiBrowserEvent event, const char *name, const char *type,
                           const char *domain, AvahiLookupResultFlags flags, void *user)
{
    struct nearby *n = user;

    if (event == AVAHI_BROWSER_NEW && !nearby_is_full(n) &&
        avahi_service_resolver_new(n->client, interface, protocol, name, type, domain, protocol, 0,
                                   nearby_resolved, n))
        n->asked++;
}

static void nearby_browse(struct nearby *n)
{
    n->browser = avahi_service_browser_new(n->client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC,
                                           DNS_SD_TYPE, NULL, 0, nearby_browsed, n);
    if (n->browser)
        log_debug("servers nearby are looked for");
}

/* The daemon may be started later, and may end. */
static void nearby_on_client(AvahiClient *client, AvahiClientState state, void *user)
{
    struct nearby *n = user;

    n->client = client;
    if (state == AVAHI_CLIENT_S_RUNNING && !n->browser)
        nearby_browse(n);
    if (state != AVAHI_CLIENT_FAILURE)
        return;
    n->again = avahi_client_errno(client) == AVAHI_ERR_DISCONNECTED;
    n->over = true;
}

static bool nearby_has_ended(struct nearby *n)
{
    bool ended;

    pthread_mutex_lock(&n->lock);
    ended = n->ended;
    pthread_mutex_unlock(&n->lock);
    return ended;
}

/* As long as this daemon runs. */
static void nearby_ask(struct nearby *n)
{
    AvahiClient *client;
    int error;

    n->browser = NULL;
    n->asked = 0;
    n->over = n->again = false;
    client = avahi_client_new(avahi_simple_poll_get(n->poll), AVAHI_CLIENT_NO_FAIL,
                              nearby_on_client, n, &error);
    if (!client)
        log_debug("no servers nearby are looked for: Avahi says: %s", avahi_strerror(error));
    /* preparing forgets a wake-up that has come before */
    while (client && !n->over && avahi_simple_poll_prepare(n->poll, -1) == 0 &&
           !nearby_has_ended(n) && avahi_simple_poll_run(n->poll) == 0 &&
           avahi_simple_poll_dispatch(n->poll) == 0)
        ;
    if (client)
        avahi_client_free(client); /* with all that belongs to it */
}

static void *nearby_look(void *user)
{
    struct nearby *n = user;

    do
        nearby_ask(n);
    while (n->again && !nearby_has_ended(n));
    nearby_let_go(n);
    return NULL;
}

/* ---- the owner ---- */

struct nearby *nearby_start(void (*wake)(void *user), void *user)
{
    struct nearby *n = calloc(1, sizeof *n);

    if (!n || !(n->poll = avahi_simple_poll_new())) {
        free(n);
        return NULL;
    }
    n->users = 2;
    n->wake = wake;
    n->user = user;
    pthread_mutex_init(&n->lock, NULL);
    if (detached_start(nearby_look, n))
        return n;
    n->users = 1;
    nearby_let_go(n);
    return NULL;
}

int nearby_list(struct nearby *n, struct nearby_server out[NEARBY_MAX])
{
    int count;

    pthread_mutex_lock(&n->lock);
    count = n->count;
    memcpy(out, n->found, (size_t)count * sizeof *out);
    pthread_mutex_unlock(&n->lock);
    return count;
}

void nearby_end(struct nearby *n)
{
    if (!n)
        return;
    pthread_mutex_lock(&n->lock);
    n->ended = true;
    n->wake = NULL;
    pthread_mutex_unlock(&n->lock);
    avahi_simple_poll_wakeup(n->poll);
    nearby_let_go(n);
}
