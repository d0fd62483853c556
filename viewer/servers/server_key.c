#include "viewer/servers/server_key.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void server_key(const struct session_question *q, char out[SERVER_KEY_MAX])
{
    static const char *const ways[] = {[WAY_STRAIGHT] = "",
                                       [WAY_SSH] = ",via=",
                                       [WAY_COMMAND] = ",command=",
                                       [WAY_FAR_END] = ",ssh=",
                                       [WAY_REPEATER] = ",repeater="};
    char host[SESSION_HOST_MAX];

    if (*q->host == '/')
        snprintf(host, sizeof host, "%s", q->host);
    else
        address_canonical_host(q->host, host, sizeof host);
    snprintf(out, SERVER_KEY_MAX, "%s%s%s", host, ways[q->way],
             q->way == WAY_STRAIGHT ? "" : q->gateway);
}

unsigned server_key_of(const struct address *a, const struct route *route, char out[SERVER_KEY_MAX])
{
    struct session_question q = {0};

    session_name_server(a, route, &q);
    server_key(&q, out);
    return q.port;
}

/* The host of a key in its one form. Returns where the way begins. */
static const char *server_key_host(const char *key, char out[SESSION_HOST_MAX])
{
    char host[SESSION_HOST_MAX];
    size_t length = strcspn(key, ",");

    snprintf(host, sizeof host, "%.*s", (int)length, key);
    address_canonical_host(host, out, SESSION_HOST_MAX);
    return key + length;
}

bool server_key_is(const char *a, const char *b)
{
    char host_a[SESSION_HOST_MAX], host_b[SESSION_HOST_MAX];
    const char *way_a, *way_b;

    if (*a == '/' || *b == '/')
        return strcmp(a, b) == 0;
    way_a = server_key_host(a, host_a);
    way_b = server_key_host(b, host_b);
    return strcmp(host_a, host_b) == 0 && strcasecmp(way_a, way_b) == 0;
}
