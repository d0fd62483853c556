#include "tools/demo/demo_common.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

void demo_error(const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
}

/* strtod() takes more than decimal numbers: "inf", "nan", "0x10", leading blanks. */
static bool parse_decimal(const char *text, double *out, const char **rest)
{
    size_t digits = strspn(text, "0123456789.");
    if (digits == 0 || text[digits] == 'x' || text[digits] == 'X') {
        return false;
    }
    char *end;
    *out = strtod(text, &end);
    *rest = end;
    return end != text;
}

bool demo_parse_number(const char *option, const char *text, double min, double max, double *out)
{
    const char *rest;
    if (!parse_decimal(text, out, &rest) || *rest || *out < min || *out > max) {
        demo_error("%s '%.40s' is not a number from %.15g to %.15g", option, text, min, max);
        return false;
    }
    return true;
}

bool demo_parse_integer(const char *option, const char *text, double min, double max, double *out)
{
    if (strchr(text, '.')) {
        demo_error("%s '%.40s' is not a whole number", option, text);
        return false;
    }
    return demo_parse_number(option, text, min, max, out);
}

bool demo_parse_rate(const char *option, const char *text, double max, double *out)
{
    static const char *const units[] = {"", "bit", "bps", "bit/s"};
    const char *rest;
    bool good = parse_decimal(text, out, &rest);
    if (good) {
        switch (*rest) {
        case 'k':
        case 'K':
            *out *= 1e3;
            rest++;
            break;
        case 'm':
        case 'M':
            *out *= 1e6;
            rest++;
            break;
        case 'g':
        case 'G':
            *out *= 1e9;
            rest++;
            break;
        }
        bool unit = false;
        for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
            unit = unit || strcasecmp(rest, units[i]) == 0;
        }
        good = unit && *out <= max && (*out == 0 || *out >= 1);
    }
    if (!good) {
        demo_error("%s '%.40s' is not a rate in bit/s; write for example 8M or 500k", option, text);
    }
    return good;
}

bool demo_parse_address(const char *option, const char *text, struct demo_address *out)
{
    const char *colon = strrchr(text, ':');
    const char *host = text;
    size_t len = colon ? (size_t)(colon - text) : 0;
    if (len >= 2 && host[0] == '[' && host[len - 1] == ']') {
        host++;
        len -= 2;
    } else if (len >= 2 && memchr(host, ':', len) == host + len - 1) {
        len--;
    } else if (len && memchr(host, ':', len)) {
        demo_error("%s '%.80s': write an IPv6 address as [ADDRESS]:PORT", option, text);
        return false;
    }
    char *end = NULL;
    long port = colon && colon[1] >= '0' && colon[1] <= '9' ? strtol(colon + 1, &end, 10) : -1;
    if (len == 0 || len >= sizeof out->host || port < 0 || port > 65535 || *end) {
        demo_error("%s '%.80s' is not HOST:PORT", option, text);
        return false;
    }
    memcpy(out->host, host, len);
    out->host[len] = 0;
    snprintf(out->port, sizeof out->port, "%ld", port);
    return true;
}

bool demo_resolve(const struct demo_address *a, struct sockaddr_storage *out, socklen_t *len)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    int error = getaddrinfo(a->host, a->port, &hints, &found);
    if (error) {
        demo_error("cannot find the address '%s': %s", a->host, gai_strerror(error));
        return false;
    }
    memcpy(out, found->ai_addr, found->ai_addrlen);
    *len = found->ai_addrlen;
    freeaddrinfo(found);
    return true;
}

int demo_listen(const struct demo_address *a)
{
    struct sockaddr_storage address;
    socklen_t len;
    if (!demo_resolve(a, &address, &len)) {
        return -1;
    }
    int one = 1;
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) ||
        bind(fd, (struct sockaddr *)&address, len) || listen(fd, 64)) {
        demo_error("cannot listen on %s port %s: %s%s", a->host, a->port, strerror(errno),
                   errno == EADDRINUSE ? "; port 0 takes a free one" : "");
        if (fd >= 0) {
            close(fd);
        }
        return -1;
    }
    return fd;
}

bool demo_announce(int fd)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof address;
    char host[64], port[8];
    if (getsockname(fd, (struct sockaddr *)&address, &len) ||
        getnameinfo((struct sockaddr *)&address, len, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV)) {
        demo_error("cannot tell the address of the listening socket");
        return false;
    }
    bool v6 = address.ss_family == AF_INET6;
    printf("listening on %s%s%s:%s\n", v6 ? "[" : "", host, v6 ? "]" : "", port);
    if (fflush(stdout)) {
        demo_error("cannot write to stdout: %s", strerror(errno));
        return false;
    }
    return true;
}
