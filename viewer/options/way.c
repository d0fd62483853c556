#include "viewer/options/way.h"

#include <stdio.h>
#include <string.h>

void way_text(const struct route *route, char out[WAY_TEXT_MAX])
{
    char gateway[280], repeater[280];
    size_t used;

    out[0] = '\0';
    if (route->listen || *route->play)
        return;
    if (*route->gateway.host) {
        gateway_format(&route->gateway, gateway, sizeof gateway);
        snprintf(out, WAY_TEXT_MAX, "%s=%s", route->gateway.far_end ? "ssh" : "via", gateway);
    }
    used = strlen(out);
    if (*route->repeater.host) {
        address_format(&route->repeater, repeater, sizeof repeater);
        snprintf(out + used, WAY_TEXT_MAX - used, "%srepeater=%s", used > 0 ? " --" : "", repeater);
    }
}

const char *way_value(const char *text, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}

bool way_parse(const char *text, struct route *route)
{
    const char *via = way_value(text, "via"), *ssh = way_value(text, "ssh");
    struct reason never;

    memset(route, 0, sizeof *route);
    if (!*text)
        return true;
    if (via)
        return gateway_parse(&route->gateway, via, &never);
    if (!ssh || !gateway_parse(&route->gateway, ssh, &never))
        return false;
    route->gateway.far_end = true;
    return true;
}

void way_words(const struct route *route, char out[WAY_WORDS_MAX])
{
    char gateway[280];

    out[0] = '\0';
    if (!*route->gateway.host)
        return;
    gateway_format(&route->gateway, gateway, sizeof gateway);
    snprintf(out, WAY_WORDS_MAX, " %s %s", route->gateway.far_end ? "at" : "through", gateway);
    sanitise(out);
}
