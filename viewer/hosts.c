#include "viewer/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/log.h"
#include "viewer/state_file.h"

#define NAME "hosts"
#define LINE 400 /* bytes; longer lines are damaged */

struct host {
    char name[300];
    int port;
    struct session_memory memory;
};

struct hosts {
    struct host all[HOSTS_MAX];
    int count;
};

static bool sensible(const struct session_memory *m)
{
    return (m->minor == 3 || m->minor == 7 || m->minor == 8) &&
           (m->security == SECURITY_NONE || m->security == SECURITY_VNC) && m->width > 0 &&
           m->width <= UINT16_MAX && m->height > 0 && m->height <= UINT16_MAX;
}

/* False: the line is damaged. */
static bool take_line(struct host *h, const char *line)
{
    struct session_memory *m = &h->memory;
    int security, waits, end = 0;

    *h = (struct host){.port = 0};
    if (sscanf(line, "%299s %5d %1d %1d %5d %5d %1d%n", h->name, &h->port, &m->minor, &security,
               &m->width, &m->height, &waits, &end) != 7 ||
        line[end] != '\n')
        return false;
    m->security = (enum security_number)security;
    m->waits = waits;
    return sensible(m);
}

static void load(struct hosts *h)
{
    char path[PATH_MAX], line[LINE];
    FILE *f;

    h->count = 0;
    f = state_file_path(NAME, path) ? fopen(path, "r") : NULL;
    if (!f)
        return;
    while (h->count < HOSTS_MAX && fgets(line, sizeof line, f))
        if (take_line(&h->all[h->count], line))
            h->count++;
    fclose(f);
}

static bool save(const struct hosts *h, struct reason *why)
{
    struct state_file n;

    if (!state_file_make_folder(why) || !state_file_open(&n, NAME, why))
        return false;
    for (int i = 0; i < h->count; i++) {
        const struct session_memory *m = &h->all[i].memory;

        fprintf(n.f, "%s %d %d %d %d %d %d\n", h->all[i].name, h->all[i].port, m->minor,
                (int)m->security, m->width, m->height, m->waits);
    }
    return state_file_close(&n, why);
}

/* How the file names a server. False: it cannot (there is a space in it). */
static bool name_of(const struct address *a, struct host *h)
{
    const char *name = *a->path ? a->path : a->host;

    *h = (struct host){.port = *a->path ? 0 : (int)a->port};
    if (!*name || strlen(name) >= sizeof h->name || strpbrk(name, " \t\r\n\v\f"))
        return false;
    strcpy(h->name, name);
    return true;
}

/* -1: it is not there. */
static int find(const struct hosts *h, const struct host *wanted)
{
    for (int i = 0; i < h->count; i++)
        if (h->all[i].port == wanted->port && strcasecmp(h->all[i].name, wanted->name) == 0)
            return i;
    return -1;
}

struct session_memory hosts_recall(const struct address *a)
{
    struct session_memory m = {.minor = 0};
    struct hosts *h = malloc(sizeof *h);
    struct host wanted;
    int at;

    if (h && name_of(a, &wanted)) {
        load(h);
        if ((at = find(h, &wanted)) >= 0)
            m = h->all[at].memory;
    }
    free(h);
    return m;
}

static bool same(const struct session_memory *a, const struct session_memory *b)
{
    return a->minor == b->minor && a->security == b->security && a->width == b->width &&
           a->height == b->height && a->waits == b->waits;
}

/* Puts the server in front, or with minor 0 takes it out. False: nothing has changed. */
static bool change(struct hosts *h, const struct host *wanted)
{
    int at = find(h, wanted);

    if (at < 0 && wanted->memory.minor == 0)
        return false;
    if (at >= 0 && wanted->memory.minor != 0 && same(&h->all[at].memory, &wanted->memory))
        return false;
    if (at < 0) /* at the end, where the oldest is if there is no room */
        at = h->count < HOSTS_MAX ? h->count++ : HOSTS_MAX - 1;
    if (wanted->memory.minor == 0) {
        h->count--;
        memmove(&h->all[at], &h->all[at + 1], (size_t)(h->count - at) * sizeof h->all[0]);
        return true;
    }
    memmove(&h->all[1], &h->all[0], (size_t)at * sizeof h->all[0]);
    h->all[0] = *wanted;
    return true;
}

bool hosts_remember(const struct address *a, const struct session_memory *m, struct reason *why)
{
    struct hosts *h;
    struct host wanted;
    bool ok = true;

    if (!name_of(a, &wanted) || (m->minor != 0 && !sensible(m)))
        return true;
    wanted.memory = *m;
    if (!(h = malloc(sizeof *h)))
        return reason_set(why, "out of memory");
    load(h);
    if (change(h, &wanted))
        ok = save(h, why);
    free(h);
    return ok;
}

void hosts_learn(const struct address *a, struct session *s)
{
    struct session_stats stats;
    struct reason why;

    session_stats(s, false, &stats);
    if (stats.memory.width > 0 && !stats.played && !hosts_remember(a, &stats.memory, &why))
        log_debug("%s", why.text);
}
