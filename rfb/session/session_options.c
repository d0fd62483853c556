/* What follows from a session's options, wherever it runs. */
#include <stdio.h>
#include <string.h>

#include "rfb/session/session.h"

struct transport_options session_transport(const struct session_options *o)
{
    struct transport_options transport = o->transport;

    if (transport.window_bytes == 0)
        transport.window_bytes = o->memory.window;
    return transport;
}

security_set session_allows(const struct session_options *o)
{
    bool certificate = *o->x509_ca || *o->x509_also;
    bool key = o->pinned || (o->certified_before && security_with_key(o->security));
    security_set none;
    struct reason never;

    if (*o->route.play && security_parse(&none, "None", &never))
        return none;
    return certificate ? security_with_certificate(o->security)
           : key       ? security_with_key(o->security)
                       : o->security;
}

void session_name_server(const struct address *address, const struct route *route,
                         struct session_question *q)
{
    const struct gateway *gateway = &route->gateway;
    char repeater[SESSION_HOST_MAX + 16] = "", port[8] = "", via[SESSION_HOST_MAX + 8] = "";
    const char *by = *gateway->command ? ",command=" : ",via=";

    memset(q->host, 0, sizeof q->host);
    memset(q->gateway, 0, sizeof q->gateway);
    snprintf(q->host, sizeof q->host, "%s", *address->path ? address->path : address->host);
    sanitise(q->host);
    q->port = *address->path ? 0 : address->port;
    q->way = WAY_STRAIGHT;
    if (gateway->port)
        snprintf(port, sizeof port, ":%u", (unsigned)gateway->port);
    if (*gateway->host) {
        q->way = gateway->far_end ? WAY_FAR_END : *gateway->command ? WAY_COMMAND : WAY_SSH;
        snprintf(via, sizeof via, "%.*s%s", SESSION_HOST_MAX - 8, gateway->host, port);
    }
    if (*route->repeater.host || *route->repeater.path) {
        q->way = WAY_REPEATER;
        address_format(&route->repeater, repeater, sizeof repeater);
    }
    snprintf(q->gateway, sizeof q->gateway, "%.*s%s%.*s", SESSION_HOST_MAX - 12, repeater,
             *repeater && *via ? by : "", SESSION_HOST_MAX, via);
    sanitise(q->gateway);
}
