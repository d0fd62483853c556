/* What the two demo programs share: checked options, addresses, a listening socket.
 *
 * Every function that can fail prints one line on stderr that names the cause and what to do, and
 * reports the failure; nothing here exits the program.
 */
#ifndef VNCHL_DEMO_COMMON_H
#define VNCHL_DEMO_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/* Prints "PROGRAM: message" and a newline on stderr. */
void demo_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A decimal number in min..max, and nothing after it. `option` is what the message names. */
bool demo_parse_number(const char *option, const char *text, double min, double max, double *out);

/* The same for a whole number, which suits a count of bytes or a port. */
bool demo_parse_integer(const char *option, const char *text, double min, double max, double *out);

/* Bits per second: a number, an optional k, M or G, an optional "bit", "bps" or "bit/s". */
bool demo_parse_rate(const char *option, const char *text, double max, double *out);

struct demo_address {
    char host[256]; /* a name or a numeric address, IPv6 without brackets */
    char port[8];   /* decimal, "0" allowed: any free one */
};

/* HOST:PORT, HOST::PORT (as viewers write it) or [IPV6]:PORT. */
bool demo_parse_address(const char *option, const char *text, struct demo_address *out);

/* Looks the address up; the first result counts. */
bool demo_resolve(const struct demo_address *a, struct sockaddr_storage *out, socklen_t *len);

/* A listening TCP socket, close-on-exec; -1 on failure. */
int demo_listen(const struct demo_address *a);

/* Prints "listening on HOST:PORT" with the real port on stdout and flushes. */
bool demo_announce(int fd);

#endif
