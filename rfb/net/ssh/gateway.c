#include "rfb/net/ssh/gateway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

/* Whether the text is not empty, does not begin as an option does, and has no other characters than
 * letters, digits, those in `more`, and those outside ASCII. */
static bool gateway_harmless(const char *text, size_t length, const char *more)
{
    if (length == 0 || text[0] == '-')
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x80 && !strchr(LETTERS DIGITS, text[i]) &&
            !strchr(more, text[i]))
            return false;
    return true;
}

bool gateway_takes_host(const char *host)
{
    return gateway_harmless(host, strlen(host), "._-:%");
}

static bool gateway_bad(const char *text, struct reason *why)
{
    return reason_set(why,
                      "bad gateway '%.80s': use HOST or USER@HOST, with :PORT behind it if its ssh "
                      "server has another port than 22",
                      text);
}

static bool gateway_parse_port(struct gateway *g, const char *digits)
{
    size_t length = strlen(digits);
    long number = strtol(digits, NULL, 10);

    if (length == 0 || length > 5 || strspn(digits, DIGITS) != length || number < 1 ||
        number > UINT16_MAX)
        return false;
    g->port = (uint16_t)number;
    return true;
}

/* Where the host ends; *port points behind the colon in front of a port, or is NULL. `host` moves
 * behind an opening bracket. NULL: no such form. */
static const char *gateway_split(const char **host, const char **port)
{
    const char *colon = strchr(*host, ':'), *end;

    *port = NULL;
    if (**host == '[') {
        end = strchr(++*host, ']');
        if (!end || (end[1] != '\0' && end[1] != ':'))
            return NULL;
        if (end[1] == ':')
            *port = end + 2;
        return end;
    }
    if (!colon || strchr(colon + 1, ':')) /* none, or an IPv6 address without brackets */
        return *host + strlen(*host);
    *port = colon + 1;
    return colon;
}

bool gateway_parse(struct gateway *g, const char *text, struct reason *why)
{
    const char *at = strrchr(text, '@'), *host = at ? at + 1 : text, *port, *end;
    int user = at ? (int)(at - text) : 0;

    memset(g, 0, sizeof *g);
    if (at && !gateway_harmless(text, (size_t)user, "._-+@"))
        return gateway_bad(text, why);
    end = gateway_split(&host, &port);
    if (!end || !gateway_harmless(host, (size_t)(end - host), "._-:%") ||
        (port && !gateway_parse_port(g, port)))
        return gateway_bad(text, why);
    if ((size_t)user + 1 + (size_t)(end - host) >= sizeof g->host)
        return reason_set(why, "bad gateway '%.40s...': the name is too long", text);
    snprintf(g->host, sizeof g->host, "%.*s%s%.*s", user, text, at ? "@" : "", (int)(end - host),
             host);
    return true;
}

void gateway_format(const struct gateway *g, char *out, size_t size)
{
    const char *at = strrchr(g->host, '@'), *host = at ? at + 1 : g->host;
    const char *open = strchr(host, ':') && g->port ? "[" : "", *close = *open ? "]" : "";

    if (size > 0)
        out[0] = '\0';
    if (!*g->host || size == 0)
        return;
    snprintf(out, size, "%.*s%s%s%s", (int)(host - g->host), g->host, open, host, close);
    if (g->port)
        snprintf(out + strlen(out), size - strlen(out), ":%u", (unsigned)g->port);
}

bool gateway_set_command(struct gateway *g, const char *text, struct reason *why)
{
    size_t used = 0;

    for (; *text; text++) {
        bool name = text[0] == '%' && text[1] && strchr("LHRG", text[1]);
        char piece[5] = {*text};

        if (name)
            snprintf(piece, sizeof piece, "${%c}", *++text);
        if (used + strlen(piece) >= sizeof g->command)
            return reason_set(why, "VNC_VIA_CMD is longer than %zu bytes", sizeof g->command - 1);
        strcpy(g->command + used, piece);
        used += strlen(piece);
    }
    return true;
}
