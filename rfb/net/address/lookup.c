#include "rfb/net/address/lookup.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "rfb/system/thread.h"

/* Shared by the one who asks and the thread that looks; the second to let go frees it. */
struct request {
    struct address address;
    int done_fd; /* eventfd: readable when the answer is there */
    pthread_mutex_t lock;
    int users;
    int error;
    struct addrinfo *result;
};

static int lookup_resolve(const struct address *a, int flags, struct addrinfo **result)
{
    static const int families[] = {
        [ADDRESS_ANY] = AF_UNSPEC, [ADDRESS_IPV4] = AF_INET, [ADDRESS_IPV6] = AF_INET6};
    struct addrinfo hints = {
        .ai_family = families[a->family], .ai_socktype = SOCK_STREAM, .ai_flags = flags};
    char port[8];

    snprintf(port, sizeof port, "%u", (unsigned)a->port);
    return getaddrinfo(a->host, port, &hints, result);
}

static void lookup_let_go(struct request *r)
{
    bool last;

    pthread_mutex_lock(&r->lock);
    last = --r->users == 0;
    pthread_mutex_unlock(&r->lock);
    if (!last)
        return;
    if (r->result)
        freeaddrinfo(r->result);
    close(r->done_fd);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static void *lookup_look(void *user)
{
    struct request *r = user;
    struct addrinfo *result = NULL;
    int error = lookup_resolve(&r->address, AI_ADDRCONFIG, &result);

    pthread_mutex_lock(&r->lock);
    r->error = error;
    r->result = error ? NULL : result;
    pthread_mutex_unlock(&r->lock);
    eventfd_wake(r->done_fd, "who waits for a name");
    lookup_let_go(r);
    return NULL;
}

static struct request *lookup_start(const struct address *a)
{
    struct request *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->address = *a;
    r->users = 2;
    r->done_fd = eventfd(0, EFD_CLOEXEC);
    pthread_mutex_init(&r->lock, NULL);
    if (r->done_fd >= 0 && detached_start(lookup_look, r))
        return r;
    if (r->done_fd >= 0)
        close(r->done_fd);
    pthread_mutex_destroy(&r->lock);
    free(r);
    return NULL;
}

static bool lookup_await(struct request *r, tick_t deadline, int cancel_fd, struct reason *why)
{
    struct pollfd p[2] = {{.fd = r->done_fd, .events = POLLIN},
                          {.fd = cancel_fd, .events = POLLIN}};
    const char *host = r->address.host;

    for (;;) {
        tick_t left = deadline - tick_now();

        if (left <= 0)
            return reason_set(why, "cannot find host '%s': the name lookup timed out", host);
        poll(p, 2, (int)(left / TICK_MS) + 1);
        if (p[1].revents)
            return reason_set(why, "stopped");
        if (p[0].revents)
            return true;
    }
}

bool lookup(const struct address *a, tick_t deadline, int cancel_fd, struct addrinfo **result,
            struct reason *why)
{
    static const char *const by[] = {
        [ADDRESS_ANY] = "", [ADDRESS_IPV4] = " by IPv4", [ADDRESS_IPV6] = " by IPv6"};
    struct request *r;
    bool ok;

    if (lookup_resolve(a, AI_NUMERICHOST, result) == 0) /* a number needs no waiting */
        return true;
    r = lookup_start(a);
    if (!r)
        return reason_set(why, "out of memory or threads");
    ok = lookup_await(r, deadline, cancel_fd, why);
    if (ok) {
        pthread_mutex_lock(&r->lock);
        *result = r->result;
        r->result = NULL;
        if (r->error)
            ok = reason_set(why, "cannot find host '%s'%s: %s", a->host, by[a->family],
                            gai_strerror(r->error));
        pthread_mutex_unlock(&r->lock);
    }
    lookup_let_go(r);
    return ok;
}
