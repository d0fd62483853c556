#include "viewer/servers/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "prerequest/decide/window.h"
#include "rfb/system/log.h"
#include "rfb/system/plain_file.h"
#include "viewer/servers/server_key.h"
#include "viewer/state_file.h"

#define NAME "hosts"
#define LINE 1024 /* bytes; longer lines are damaged */

struct host {
    char name[SERVER_KEY_MAX];
    int port;
    struct session_memory memory;
    long long waits_since, hello_waits_since, when; /* seconds since 1970; 0: never */
};

struct hosts {
    struct host all[HOSTS_MAX];
    int count;
};

static bool hosts_sensible(const struct session_memory *m)
{
    return (m->minor == 3 || m->minor == 7 || m->minor == 8) &&
           security_find(SECURITY_ALL, m->security, m->subtype) && m->width > 0 &&
           m->width <= UINT16_MAX && m->height > 0 && m->height <= UINT16_MAX && m->quality >= 0 &&
           m->quality <= QUALITY_STEPS && m->window >= 0 && m->window <= WINDOW_MAX;
}

/* "19.261", or "1". */
static bool take_security(struct session_memory *m, const char *text)
{
    unsigned type, subtype = 0;
    int end = 0;

    if (sscanf(text, "%3u%n", &type, &end) != 1)
        return false;
    text += end;
    if (*text && (sscanf(text, ".%4u%n", &subtype, &end) != 1 || text[end]))
        return false;
    m->security = (enum security_number)type;
    m->subtype = (enum security_number)subtype;
    return true;
}

/* What is known of the path, and behind it. Either may be missing. */
static bool take_rest(struct host *h, const char *rest)
{
    long long window = 0;
    int end = 0, more = 0;

    if (*rest == '\n')
        return true;
    if (sscanf(rest, " %2d %18lld %18lld%n", &h->memory.quality, &window, &h->when, &end) != 3)
        return false;
    h->memory.window = window;
    rest += end;
    if (*rest == '\n')
        return true;
    return sscanf(rest, " %18lld%n", &h->hello_waits_since, &more) == 1 && rest[more] == '\n';
}

/* False: the line is damaged. */
static bool hosts_take_line(struct host *h, const char *line)
{
    struct session_memory *m = &h->memory;
    char security[16];
    int end = 0;

    *h = (struct host){.port = 0};
    return sscanf(line, "%783s %5d %1d %15s %5d %5d %18lld%n", h->name, &h->port, &m->minor,
                  security, &m->width, &m->height, &h->waits_since, &end) == 7 &&
           take_security(m, security) && take_rest(h, line + end) && hosts_sensible(m);
}

static void hosts_load(struct hosts *h)
{
    char path[PATH_MAX], line[LINE];
    struct reason never;
    FILE *f;

    h->count = 0;
    f = state_file_path(NAME, path) ? plain_file_open(path, &never) : NULL;
    if (!f)
        return;
    while (h->count < HOSTS_MAX && fgets(line, sizeof line, f))
        if (hosts_take_line(&h->all[h->count], line))
            h->count++;
    fclose(f);
}

static bool hosts_save(const struct hosts *h, struct reason *why)
{
    struct whole_file n;

    if (!state_file_make_folder(why) || !state_file_open(&n, NAME, why))
        return false;
    for (int i = 0; i < h->count; i++) {
        const struct session_memory *m = &h->all[i].memory;

        fprintf(n.f, "%s %d %d %d", h->all[i].name, h->all[i].port, m->minor, (int)m->security);
        if (m->subtype)
            fprintf(n.f, ".%d", (int)m->subtype);
        fprintf(n.f, " %d %d %lld %d %lld %lld %lld\n", m->width, m->height, h->all[i].waits_since,
                m->quality, (long long)m->window, h->all[i].when, h->all[i].hello_waits_since);
    }
    return whole_file_close(&n, why);
}

/* How the file names a server. False: it cannot (there is a space in it). */
static bool hosts_name_of(const struct address *a, const struct route *route, struct host *h)
{
    *h = (struct host){.port = 0};
    h->port = (int)server_key_of(a, route, h->name);
    return *h->name && !strpbrk(h->name, " \t\r\n\v\f");
}

/* -1: it is not there. */
static int hosts_find(const struct hosts *h, const struct host *wanted)
{
    for (int i = 0; i < h->count; i++)
        if (h->all[i].port == wanted->port && server_key_is(wanted->name, h->all[i].name))
            return i;
    return -1;
}

/* A time to come is one of a clock that was wrong. */
static bool hosts_within(long long then, long long seconds, time_t now)
{
    return then > 0 && then <= (long long)now && (long long)now - then < seconds;
}

/* What of it still counts. */
static struct session_memory still_known(const struct host *h, time_t now)
{
    struct session_memory m = h->memory;

    m.waits = hosts_within(h->waits_since, HOSTS_WAITS_LASTS, now);
    m.hello_waits = hosts_within(h->hello_waits_since, HOSTS_WAITS_LASTS, now);
    if (!hosts_within(h->when, HOSTS_PATH_LASTS, now)) {
        m.quality = 0;
        m.window = 0;
    }
    return m;
}

struct session_memory hosts_recall_at(const struct address *a, const struct route *route,
                                      time_t now)
{
    struct session_memory m = {.minor = 0};
    struct hosts *h = malloc(sizeof *h);
    struct host wanted;
    int at;

    if (h && hosts_name_of(a, route, &wanted)) {
        hosts_load(h);
        if ((at = hosts_find(h, &wanted)) >= 0)
            m = still_known(&h->all[at], now);
    }
    free(h);
    return m;
}

struct session_memory hosts_recall(const struct address *a, const struct route *route)
{
    return hosts_recall_at(a, route, time(NULL));
}

static bool hosts_same(const struct session_memory *a, const struct session_memory *b)
{
    return a->minor == b->minor && a->security == b->security && a->subtype == b->subtype &&
           a->width == b->width && a->height == b->height && a->waits == b->waits &&
           a->hello_waits == b->hello_waits && a->quality == b->quality && a->window == b->window;
}

/* Puts the server in front, or with minor 0 takes it out. False: nothing has changed. */
static bool hosts_change(struct hosts *h, struct host *wanted, time_t now)
{
    int at = hosts_find(h, wanted);
    struct session_memory known = {.minor = 0};

    if (at >= 0)
        known = still_known(&h->all[at], now);
    wanted->when = (long long)now;
    if (wanted->memory.waits)
        wanted->waits_since = known.waits ? h->all[at].waits_since : (long long)now;
    if (wanted->memory.hello_waits)
        wanted->hello_waits_since =
            known.hello_waits ? h->all[at].hello_waits_since : (long long)now;

    if (at < 0 && wanted->memory.minor == 0)
        return false;
    if (at >= 0 && wanted->memory.minor != 0 && hosts_same(&known, &wanted->memory) &&
        hosts_within(h->all[at].when, HOSTS_ROUGHLY, now))
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

bool hosts_remember_at(const struct address *a, const struct route *route,
                       const struct session_memory *m, time_t now, struct reason *why)
{
    struct hosts *h;
    struct host wanted;
    bool ok = true;

    if (!hosts_name_of(a, route, &wanted) || (m->minor != 0 && !hosts_sensible(m)))
        return true;
    wanted.memory = *m;
    if (!(h = malloc(sizeof *h)))
        return reason_set(why, "out of memory");
    hosts_load(h);
    if (hosts_change(h, &wanted, now))
        ok = hosts_save(h, why);
    free(h);
    return ok;
}

bool hosts_remember(const struct address *a, const struct route *route,
                    const struct session_memory *m, struct reason *why)
{
    return hosts_remember_at(a, route, m, time(NULL), why);
}

void hosts_learn(const struct address *a, const struct route *route, struct session *s)
{
    struct session_stats stats;
    struct reason why;

    session_stats(s, false, &stats);
    if (stats.memory.width > 0 && !stats.played && !hosts_remember(a, route, &stats.memory, &why))
        log_debug("%s", why.text);
}
