#include "tools/accelerator/service/announcement.h"

#include <arpa/inet.h>
#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/net/dns_sd.h"
#include "rfb/thread.h"

#define ANNOUNCEMENT_TXT DNS_SD_ACCELERATOR "=1"
/* Other names in a row that are tried for a port. Chosen: as many as nobody has by chance. */
#define ANNOUNCEMENT_NAMES 20

struct announcement_port {
    char name[CONFIG_ANNOUNCE]; /* that is announced now */
    struct sockaddr_storage address;
};

/* Shared by the service and the thread; the second to let go frees it. */
struct announcement {
    AvahiSimplePoll *poll;
    /* the thread's: */
    AvahiEntryGroup *group;
    struct announcement_port *ports;
    int count;
    int renamed; /* in a row */
    bool over;   /* with this client of the daemon */
    bool again;  /* the daemon has gone: it may come back */

    pthread_mutex_t lock; /* everything below */
    int users;
    bool ended;
    bool gone;                      /* the thread, or it is about to */
    struct announcement_port *next; /* in place of `ports`; NULL: they stay */
    int next_count;
    void (*told)(void *user);
    void *user;
    bool has_news;
    struct announcement_news news;
};

static void announcement_let_go(struct announcement *a)
{
    bool last;

    pthread_mutex_lock(&a->lock);
    last = --a->users == 0;
    pthread_mutex_unlock(&a->lock);
    if (!last)
        return;
    avahi_simple_poll_free(a->poll);
    pthread_mutex_destroy(&a->lock);
    free(a->next);
    free(a->ports);
    free(a);
}

/* ---- the thread ---- */

static void announcement_tell(struct announcement *a, bool announced, const char *text)
{
    pthread_mutex_lock(&a->lock);
    a->news.announced = announced;
    snprintf(a->news.text, sizeof a->news.text, "%s", text);
    sanitise(a->news.text);
    a->has_news = true;
    if (a->told)
        a->told(a->user);
    pthread_mutex_unlock(&a->lock);
}

static void announcement_tell_error(struct announcement *a, int error)
{
    char text[sizeof a->news.text];

    snprintf(text, sizeof text, "Avahi says: %s%s", avahi_strerror(error),
             error == AVAHI_ERR_NO_DAEMON
                 ? ": install and start avahi-daemon, then start or reload vnchl-accel again"
                 : "");
    announcement_tell(a, false, text);
}

static void announcement_tell_names(struct announcement *a)
{
    char text[sizeof a->news.text] = "";
    size_t used = 0;

    for (int i = 0; i < a->count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? ", " : "",
                                 a->ports[i].name);
    announcement_tell(a, true, text);
}

/* The interface that has the address; AVAHI_IF_UNSPEC: all of them, or nobody knows. */
static AvahiIfIndex announcement_interface(const struct sockaddr_storage *address)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    AvahiIfIndex found = AVAHI_IF_UNSPEC;
    struct ifaddrs *all;

    if (getifaddrs(&all) != 0)
        return found;
    for (struct ifaddrs *i = all; i; i = i->ifa_next) {
        const struct sockaddr_in *i4 = (const struct sockaddr_in *)i->ifa_addr;
        const struct sockaddr_in6 *i6 = (const struct sockaddr_in6 *)i->ifa_addr;

        if (!i->ifa_addr || i->ifa_addr->sa_family != address->ss_family)
            continue;
        if (address->ss_family == AF_INET
                ? i4->sin_addr.s_addr == v4->sin_addr.s_addr
                : memcmp(&i6->sin6_addr, &v6->sin6_addr, sizeof v6->sin6_addr) == 0)
            found = (AvahiIfIndex)if_nametoindex(i->ifa_name);
    }
    freeifaddrs(all);
    return found;
}

static bool announcement_rename(struct announcement *a, struct announcement_port *p)
{
    char *other = avahi_alternative_service_name(p->name);
    bool ok = other && a->renamed++ < ANNOUNCEMENT_NAMES;

    if (ok)
        snprintf(p->name, sizeof p->name, "%s", other);
    avahi_free(other);
    return ok;
}

/* Returns an error of Avahi's; AVAHI_OK: none. */
static int announcement_add(struct announcement *a, struct announcement_port *p)
{
    bool v6 = p->address.ss_family == AF_INET6;
    uint16_t port = ntohs(v6 ? ((struct sockaddr_in6 *)&p->address)->sin6_port
                             : ((struct sockaddr_in *)&p->address)->sin_port);
    int error;

    do
        error =
            avahi_entry_group_add_service(a->group, announcement_interface(&p->address),
                                          v6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET, 0, p->name,
                                          DNS_SD_TYPE, NULL, NULL, port, ANNOUNCEMENT_TXT, NULL);
    while (error == AVAHI_ERR_COLLISION && announcement_rename(a, p)); /* with one of ours */
    return error;
}

static void announcement_register(struct announcement *a)
{
    int error = avahi_entry_group_reset(a->group);

    for (int i = 0; i < a->count && error == AVAHI_OK; i++)
        error = announcement_add(a, &a->ports[i]);
    if (error == AVAHI_OK)
        error = avahi_entry_group_commit(a->group);
    if (error != AVAHI_OK)
        announcement_tell_error(a, error);
}

static void announcement_on_group(AvahiEntryGroup *group, AvahiEntryGroupState state, void *user)
{
    struct announcement *a = user;
    bool other = true;

    a->group = group;
    switch (state) {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
        a->renamed = 0;
        announcement_tell_names(a);
        break;
    case AVAHI_ENTRY_GROUP_COLLISION: /* with somebody else's, and nobody says which of ours */
        for (int i = 0; i < a->count && other; i++)
            other = announcement_rename(a, &a->ports[i]);
        if (other)
            announcement_register(a);
        else
            announcement_tell_error(a, AVAHI_ERR_COLLISION);
        break;
    case AVAHI_ENTRY_GROUP_FAILURE:
        announcement_tell_error(a, avahi_client_errno(avahi_entry_group_get_client(group)));
        break;
    case AVAHI_ENTRY_GROUP_UNCOMMITED:
    case AVAHI_ENTRY_GROUP_REGISTERING:
        break;
    }
}

static void announcement_on_client(AvahiClient *client, AvahiClientState state, void *user)
{
    struct announcement *a = user;
    int error = avahi_client_errno(client);

    switch (state) {
    case AVAHI_CLIENT_S_RUNNING:
        if (!a->group)
            a->group = avahi_entry_group_new(client, announcement_on_group, a);
        if (a->group)
            announcement_register(a);
        else
            announcement_tell_error(a, avahi_client_errno(client));
        break;
    case AVAHI_CLIENT_S_COLLISION:
    case AVAHI_CLIENT_S_REGISTERING: /* this machine gets another name */
        if (a->group)
            avahi_entry_group_reset(a->group);
        break;
    case AVAHI_CLIENT_CONNECTING:
        announcement_tell(a, false,
                          "Avahi's daemon does not run, and is waited for: install and start "
                          "avahi-daemon");
        break;
    case AVAHI_CLIENT_FAILURE:
        a->again = error == AVAHI_ERR_DISCONNECTED;
        if (!a->again)
            announcement_tell_error(a, error);
        a->over = true;
        break;
    }
}

static bool announcement_has_ended(struct announcement *a)
{
    bool ended;

    pthread_mutex_lock(&a->lock);
    ended = a->ended;
    pthread_mutex_unlock(&a->lock);
    return ended;
}

static bool announcement_has_next(struct announcement *a)
{
    bool has;

    pthread_mutex_lock(&a->lock);
    has = a->next;
    pthread_mutex_unlock(&a->lock);
    return has;
}

/* False: they stay as they are. */
static bool announcement_take_next(struct announcement *a)
{
    bool has;

    pthread_mutex_lock(&a->lock);
    has = a->next;
    if (has) {
        free(a->ports);
        a->ports = a->next;
        a->count = a->next_count;
        a->next = NULL;
        a->renamed = 0;
    }
    pthread_mutex_unlock(&a->lock);
    return has;
}

/* In the same group: the daemon has let the names go before they are announced again. */
static void announcement_renew(struct announcement *a)
{
    AvahiClient *client = a->group ? avahi_entry_group_get_client(a->group) : NULL;

    if (announcement_take_next(a) && client &&
        avahi_client_get_state(client) == AVAHI_CLIENT_S_RUNNING)
        announcement_register(a);
}

/* Takes what the daemon says next. False: it is over. */
static bool announcement_turn(struct announcement *a)
{
    if (avahi_simple_poll_prepare(a->poll, -1) != 0 || announcement_has_ended(a))
        return false;
    if (announcement_has_next(a)) /* preparing forgets a wake-up that has come before */
        avahi_simple_poll_wakeup(a->poll);
    if (avahi_simple_poll_run(a->poll) != 0 || avahi_simple_poll_dispatch(a->poll) != 0)
        return false;
    if (!a->over)
        announcement_renew(a);
    return !a->over;
}

/* As long as this daemon runs. */
static void announcement_speak(struct announcement *a)
{
    AvahiClient *client;
    int error;

    a->group = NULL;
    a->over = a->again = false;
    announcement_take_next(a);
    client = avahi_client_new(avahi_simple_poll_get(a->poll), AVAHI_CLIENT_NO_FAIL,
                              announcement_on_client, a, &error);
    if (!client)
        announcement_tell_error(a, error);
    while (client && !a->over && announcement_turn(a))
        ;
    if (client)
        avahi_client_free(client); /* with all that belongs to it */
}

/* With another client. False: the thread goes, and nobody may give it ports any more. */
static bool announcement_goes_on(struct announcement *a)
{
    bool on;

    pthread_mutex_lock(&a->lock);
    on = !a->ended && (a->again || a->next);
    a->gone = !on;
    pthread_mutex_unlock(&a->lock);
    return on;
}

static void *announcement_run(void *user)
{
    struct announcement *a = user;

    do
        announcement_speak(a);
    while (announcement_goes_on(a));
    announcement_let_go(a);
    return NULL;
}

/* ---- the service ---- */

bool announcement_built(void)
{
    return true;
}

static int announcement_copy(struct announcement_port *to, const struct config *c)
{
    int count = 0;

    for (int i = 0; i < c->count; i++) {
        const struct config_port *p = &c->ports[i];

        if (!p->announce[0])
            continue;
        if (to) {
            strcpy(to[count].name, p->announce);
            to[count].address = p->address;
        }
        count++;
    }
    return count;
}

/* NULL: none has a name, or out of memory. */
static struct announcement_port *announcement_ports(const struct config *c, int *count)
{
    struct announcement_port *ports;

    *count = announcement_copy(NULL, c);
    ports = *count > 0 ? calloc((size_t)*count, sizeof *ports) : NULL;
    if (ports)
        announcement_copy(ports, c);
    return ports;
}

struct announcement *announcement_create(const struct config *c, void (*told)(void *user),
                                         void *user)
{
    struct announcement *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->told = told;
    a->user = user;
    a->ports = announcement_ports(c, &a->count);
    a->poll = a->ports ? avahi_simple_poll_new() : NULL;
    if (!a->poll) {
        free(a->ports);
        free(a);
        return NULL;
    }
    pthread_mutex_init(&a->lock, NULL);
    a->users = 2;
    if (detached_start(announcement_run, a))
        return a;
    a->users = 1;
    announcement_let_go(a);
    return NULL;
}

bool announcement_change(struct announcement *a, const struct config *c)
{
    int count;
    struct announcement_port *ports = announcement_ports(c, &count);
    bool taken;

    if (!ports)
        return false;
    pthread_mutex_lock(&a->lock);
    taken = !a->gone;
    if (taken) {
        free(a->next);
        a->next = ports;
        a->next_count = count;
    }
    pthread_mutex_unlock(&a->lock);
    if (taken)
        avahi_simple_poll_wakeup(a->poll);
    else
        free(ports);
    return taken;
}

bool announcement_take(struct announcement *a, struct announcement_news *out)
{
    bool has;

    pthread_mutex_lock(&a->lock);
    has = a->has_news;
    *out = a->news;
    a->has_news = false;
    pthread_mutex_unlock(&a->lock);
    return has;
}

void announcement_end(struct announcement *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->ended = true;
    a->told = NULL;
    pthread_mutex_unlock(&a->lock);
    avahi_simple_poll_wakeup(a->poll);
    announcement_let_go(a);
}
