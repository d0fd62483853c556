#include "tools/accelerator/connection/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "rfb/net/lookup.h"

static void add_unix(struct target *t, const char *path)
{
    struct sockaddr_un u = {.sun_family = AF_UNIX};

    snprintf(u.sun_path, sizeof u.sun_path, "%s", path);
    memcpy(&t->at[0].address, &u, sizeof u);
    t->at[0].size = sizeof u;
    t->count = 1;
}

static bool add_tcp(struct target *t, const struct address *a, tick_t deadline, int cancel_fd,
                    struct reason *why)
{
    struct addrinfo *all = NULL;

    if (!lookup(a, deadline, cancel_fd, &all, why))
        return false;
    for (struct addrinfo *i = all; i && t->count < TARGET_ADDRESSES; i = i->ai_next) {
        memcpy(&t->at[t->count].address, i->ai_addr, i->ai_addrlen);
        t->at[t->count++].size = i->ai_addrlen;
    }
    freeaddrinfo(all);
    return t->count > 0 || reason_set(why, "host '%s' has no address", a->host);
}

struct target *target_create(const char *address, tick_t deadline, int cancel_fd,
                             struct reason *why)
{
    struct target *t = calloc(1, sizeof *t);
    struct address a;
    bool ok = true;

    if (!t) {
        reason_set(why, "out of memory");
        return NULL;
    }
    t->holders = 1;
    t->connection = -1;
    if (!address_parse(&a, address, why)) {
        ok = false;
    } else {
        address_format(&a, t->text, sizeof t->text);
        if (a.path[0])
            add_unix(t, a.path);
        else
            ok = add_tcp(t, &a, deadline, cancel_fd, why);
    }
    if (ok)
        return t;
    free(t);
    return NULL;
}

struct target *target_connected(int fd, const struct sockaddr *address, socklen_t size,
                                const char *name)
{
    struct target *t = calloc(1, sizeof *t);

    if (!t) {
        close(fd);
        return NULL;
    }
    t->holders = 1;
    t->connection = fd;
    snprintf(t->text, sizeof t->text, "%s", name);
    memcpy(&t->at[0].address, address, size);
    t->at[0].size = size;
    t->count = 1;
    return t;
}

struct target *target_hold(struct target *t)
{
    if (t)
        t->holders++;
    return t;
}

void target_release(struct target *t)
{
    if (!t || --t->holders > 0)
        return;
    if (t->connection >= 0)
        close(t->connection);
    free(t);
}

struct targets *targets_create(void)
{
    struct targets *t = calloc(1, sizeof *t);

    if (t)
        t->holders = 1;
    return t;
}

struct targets *targets_hold(struct targets *t)
{
    if (t)
        t->holders++;
    return t;
}

void targets_release(struct targets *t)
{
    if (!t || --t->holders > 0)
        return;
    for (int i = 0; i < t->count; i++)
        target_release(t->list[i].target);
    free(t->list);
    free(t);
}

bool targets_add(struct targets *t, uint64_t number, struct target *target)
{
    if (targets_find(t, number))
        return false;
    if (t->count == t->capacity) {
        int capacity = t->capacity ? 2 * t->capacity : 8;
        struct named_target *list = realloc(t->list, (size_t)capacity * sizeof *list);

        if (!list)
            return false;
        t->list = list;
        t->capacity = capacity;
    }
    t->list[t->count++] = (struct named_target){number, target};
    return true;
}

struct target *targets_find(const struct targets *t, uint64_t number)
{
    for (int i = 0; i < t->count; i++)
        if (t->list[i].number == number)
            return t->list[i].target;
    return NULL;
}
