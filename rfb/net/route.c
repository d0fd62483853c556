#include "rfb/net/route.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "rfb/net/repeater.h"
#include "rfb/net/sockets/listener.h"
#include "rfb/net/ssh/far_end.h"

bool route_address(const struct route *route, struct address *a, const char *text,
                   struct reason *why)
{
    if (route->listen)
        return listener_parse(a, text, why);
    if (route->gateway.far_end)
        return far_end_address(a, text, why);
    if (!text)
        return reason_set(why, "no server named (see vnchl --help)");
    if (route->repeater.host[0] && strncasecmp(text, "ID:", 3) == 0)
        return repeater_parse_id(a, text, why);
    return address_parse(a, text, why);
}

static bool route_check_far_end(const struct route *route, const struct address *a,
                                struct reason *why)
{
    if (route->listen || route->repeater.host[0] || route->repeater.path[0])
        return reason_set(why, "--ssh is a way of its own: leave out --listen and --repeater");
    if (a->family != ADDRESS_ANY)
        return reason_set(why, "with --ssh it is ssh that chooses between IPv4 and IPv6: say "
                               "AddressFamily in its configuration");
    return far_end_takes(a, why);
}

bool route_check(const struct route *route, const struct address *a, struct reason *why)
{
    const struct address *first = route->repeater.host[0] ? &route->repeater : a;

    if (!route_is_relayed(route))
        return true;
    if (route->gateway.far_end)
        return route_check_far_end(route, a, why);
    if (route->listen)
        return reason_set(why, "--listen waits for the server to come: leave out --via and "
                               "--repeater");
    if (a->path[0] || route->repeater.path[0])
        return reason_set(why, "--via and --repeater lead to HOST:DISPLAY or HOST::PORT, not to a "
                               "socket");
    if (route->gateway.host[0] && a->family != ADDRESS_ANY)
        return reason_set(why, "with --via ssh chooses between IPv4 and IPv6: say AddressFamily in "
                               "its configuration");
    if (route->gateway.host[0] && !gateway_takes_host(first->host))
        return reason_set(why, "'%s' is no name of a host that ssh can be told", first->host);
    return true;
}

void route_add_advice(const struct route *route, struct reason *why)
{
    static const int errors[] = {EHOSTUNREACH, ENETUNREACH, ETIMEDOUT};
    const struct reason cause = *why;

    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (!route->listen && !route_is_relayed(route) && strstr(cause.text, strerror(errors[i]))) {
            reason_set(why, "%.540s. If ssh reaches a computer beside it: --via [USER@]COMPUTER",
                       cause.text);
            reason_set_kind(why, cause.kind);
            return;
        }
}

bool route_is_relayed(const struct route *route)
{
    return route->gateway.host[0] || route->repeater.host[0] || route->repeater.path[0];
}
