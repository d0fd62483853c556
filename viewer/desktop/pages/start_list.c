#include "viewer/desktop/pages/start_list.h"

#include <stdio.h>
#include <string.h>

#include "rfb/system/log.h"
#include "viewer/servers/picture_file.h"
#include "viewer/servers/server_marks.h"

/* "localhost:94 at desk"; the user's own server there is "desk (ssh)". */
static void start_list_call(const struct recent_server *s, const struct route *route,
                            char out[START_LIST_CALLED_MAX])
{
    char words[WAY_WORDS_MAX];

    way_words(route, words);
    if (*s->address)
        snprintf(out, START_LIST_CALLED_MAX, "%s%s", s->address, words);
    else
        snprintf(out, START_LIST_CALLED_MAX, "%s (ssh)", route->gateway.host);
}

/* Those whose way is understood. */
static void start_list_add_servers(struct start_list *l)
{
    for (int i = 0; i < l->recent.count; i++) {
        const struct recent_server *from = &l->recent.servers[i];
        char *called = l->called[l->count];
        struct route route;

        if (!way_parse(from->way, &route) || (!*from->address && !route.gateway.far_end))
            continue;
        start_list_call(from, &route, called);
        l->servers[l->count++] = (struct ui_server){.address = from->address,
                                                    .name = from->name,
                                                    .pixels = from->pixels,
                                                    .width = from->width,
                                                    .height = from->height,
                                                    .way = from->way,
                                                    .called = called};
    }
}

/* The server that a profile leads to, if it was shown before. Those are reached straight. */
static const struct ui_server *start_list_shown(const struct start_list *l,
                                                const struct profile_entry *p)
{
    char address[RECENT_ADDRESS_MAX];
    struct address a;
    struct reason never;

    if (!p->straight || !*p->server || !address_parse(&a, p->server, &never))
        return NULL;
    address_format(&a, address, sizeof address);
    for (int i = 0; i < l->count; i++)
        if (strcmp(l->servers[i].address, address) == 0 && !*l->servers[i].way)
            return &l->servers[i];
    return NULL;
}

void start_list_load(struct start_list *l, bool recent)
{
    l->count = l->profile_count = 0;
    l->recent = (struct recent){0};
    if (recent)
        recent_load(&l->recent, true);
    profiles_load(&l->own);
    start_list_add_servers(l);
    for (int i = 0; i < l->own.count; i++) {
        const struct profile_entry *p = &l->own.profiles[i];

        l->profiles[l->profile_count++] =
            (struct ui_profile){p->name, *p->server ? p->server : NULL, start_list_shown(l, p)};
    }
}

void start_list_deinit(struct start_list *l)
{
    recent_deinit(&l->recent);
}

static void start_list_forget_pictures(const struct address *a, const struct route *route)
{
    picture_file_forget(a, route);
    system_scale_note(a, route, false);
}

void start_list_forget(const char *address, const char *way)
{
    struct route route;
    struct address a;
    struct reason why;

    if (!recent_forget(address, way, &why))
        log_line("the server is not forgotten: %s", why.text);
    if (!way_parse(way, &route) || !route_address(&route, &a, *address ? address : NULL, &why))
        return;
    start_list_forget_pictures(&a, &route);
    if (!*route.gateway.host || route.gateway.far_end)
        return;
    strcpy(route.gateway.command, "-"); /* of VNC_VIA_CMD, too: no more of it is in the names */
    start_list_forget_pictures(&a, &route);
}
