#include "viewer/trust/seen_servers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/servers/server_key.h"

struct seen_server {
    struct seen_server *next;
    char key[SERVER_KEY_MAX];
    unsigned port;
    bool certificate;
    struct purpose given_for; /* UNKNOWN: nothing was noted */
};

struct seen_servers {
    pthread_mutex_t lock; /* everything below */
    struct seen_server *first;
    bool lost; /* something could not be noted */
    bool written;
};

struct seen_servers *seen_servers_create(void)
{
    struct seen_servers *s = calloc(1, sizeof *s);

    if (s)
        pthread_mutex_init(&s->lock, NULL);
    return s;
}

void seen_servers_destroy(struct seen_servers *s)
{
    struct seen_server *next;

    if (!s)
        return;
    for (struct seen_server *i = s->first; i; i = next) {
        next = i->next;
        free(i);
    }
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* With the lock held, as the next two. NULL: it was not seen. */
static struct seen_server *seen_servers_find(const struct seen_servers *s, const char *key,
                                             unsigned port)
{
    struct seen_server *i = s->first;

    while (i && (i->port != port || !server_key_is(i->key, key)))
        i = i->next;
    return i;
}

static struct seen_server *seen_servers_add(struct seen_servers *s, const char *key, unsigned port)
{
    struct seen_server *new = calloc(1, sizeof *new);

    if (!new) {
        s->lost = true;
        return NULL;
    }
    strncpy(new->key, key, sizeof new->key - 1);
    new->port = port;
    new->next = s->first;
    return s->first = new;
}

/* NULL when out of memory. */
static struct seen_server *seen_servers_meet(struct seen_servers *s, const char *key, unsigned port)
{
    struct seen_server *i = seen_servers_find(s, key, port);

    return i ? i : seen_servers_add(s, key, port);
}

void seen_servers_set_written(struct seen_servers *s, bool on)
{
    pthread_mutex_lock(&s->lock);
    s->written = on;
    pthread_mutex_unlock(&s->lock);
}

bool seen_servers_note_certificate(struct seen_servers *s, const char *key, unsigned port)
{
    struct seen_server *i;
    bool written;

    pthread_mutex_lock(&s->lock);
    if ((i = seen_servers_meet(s, key, port)))
        i->certificate = true;
    written = s->written;
    pthread_mutex_unlock(&s->lock);
    return written;
}

bool seen_servers_had_certificate(struct seen_servers *s, const char *key, unsigned port)
{
    const struct seen_server *i;
    bool had;

    pthread_mutex_lock(&s->lock);
    i = seen_servers_find(s, key, port);
    had = s->lost || (i && i->certificate);
    pthread_mutex_unlock(&s->lock);
    return had;
}

void seen_servers_note_purpose(struct seen_servers *s, const char *key, unsigned port,
                               const struct purpose *p)
{
    struct seen_server *i;

    pthread_mutex_lock(&s->lock);
    if ((i = seen_servers_meet(s, key, port)))
        i->given_for = *p;
    pthread_mutex_unlock(&s->lock);
}

bool seen_servers_purpose(struct seen_servers *s, const char *key, unsigned port,
                          struct purpose *out)
{
    const struct seen_server *i;
    bool noted;

    pthread_mutex_lock(&s->lock);
    i = seen_servers_find(s, key, port);
    noted = i && i->given_for.state == PURPOSE_GIVEN;
    if (noted)
        *out = i->given_for;
    pthread_mutex_unlock(&s->lock);
    return noted;
}
