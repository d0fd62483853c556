#include "rfb/net/repeater.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define GREETING       "RFB 000.000\n"
#define GREETING_BYTES 12
#define ID_PREFIX      "ID:"
#define REPEATER_CLOSED                                                                            \
    "the repeater closed the connection: check that it knows this server's name or ID"

bool repeater_parse_id(struct address *a, const char *text, struct reason *why)
{
    const char *number = text + strlen(ID_PREFIX);
    size_t length = strlen(number);

    memset(a, 0, sizeof *a);
    if (length == 0 || strspn(number, "0123456789") != length)
        return reason_set(why, "bad address '%.80s': a repeater takes ID: and a number", text);
    if (length + strlen(ID_PREFIX) >= REPEATER_FIELD)
        return reason_set(why, "bad address '%.40s...': the number is too long", text);
    snprintf(a->host, sizeof a->host, ID_PREFIX "%s", number);
    return true;
}

/* A number below 100 behind one colon is a display to a repeater, too. */
bool repeater_field(char out[REPEATER_FIELD], const struct address *server, struct reason *why)
{
    const char *colons = server->port < 100 ? "::" : ":";
    bool bare = strchr(server->host, ':'); /* an IPv6 address */
    int length;

    memset(out, 0, REPEATER_FIELD);
    if (server->port == 0)
        length = snprintf(out, REPEATER_FIELD, "%s", server->host);
    else
        length = snprintf(out, REPEATER_FIELD, "%s%s%s%s%u", bare ? "[" : "", server->host,
                          bare ? "]" : "", colons, (unsigned)server->port);
    return length < REPEATER_FIELD ||
           reason_set(why, "the name of the server is too long for a repeater");
}

/* Waits for bytes or room. */
static bool repeater_wait_for(struct transport *t, short events, tick_t deadline, int cancel_fd,
                              struct reason *why)
{
    switch (t->ops->wait(t, events, cancel_fd, deadline)) {
    case TRANSPORT_READY:
        return true;
    case TRANSPORT_WOKEN:
        return reason_set(why, "stopped");
    case TRANSPORT_LATE:
        return reason_set(why, "the repeater has not answered in time: check its address and port");
    case TRANSPORT_GONE:
        break;
    }
    return reason_set(why, REPEATER_CLOSED);
}

/* The transport has ended, or is broken. */
static bool repeater_ended(struct transport *t, struct reason *why)
{
    if (t->ops->explain && t->ops->explain(t, why))
        return false;
    return reason_set(why, REPEATER_CLOSED);
}

static bool repeater_read_all(struct transport *t, char *out, size_t size, tick_t deadline,
                              int cancel_fd, struct reason *why)
{
    while (size > 0) {
        ssize_t n;

        if (!repeater_wait_for(t, POLLIN, deadline, cancel_fd, why))
            return false;
        n = t->ops->read(t, out, size);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return repeater_ended(t, why);
        if (n > 0) {
            out += n;
            size -= (size_t)n;
        }
    }
    return true;
}

static bool repeater_write_all(struct transport *t, char *bytes, size_t size, tick_t deadline,
                               int cancel_fd, struct reason *why)
{
    while (size > 0) {
        struct iovec part = {.iov_base = bytes, .iov_len = size};
        ssize_t n;

        if (!repeater_wait_for(t, POLLOUT, deadline, cancel_fd, why))
            return false;
        n = t->ops->write(t, &part, 1);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return repeater_ended(t, why);
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
    return true;
}

bool repeater_enter(struct transport *t, const struct address *server, tick_t deadline,
                    int cancel_fd, struct reason *why)
{
    char greeting[GREETING_BYTES + 1] = "", field[REPEATER_FIELD];

    if (!repeater_field(field, server, why) ||
        !repeater_read_all(t, greeting, GREETING_BYTES, deadline, cancel_fd, why))
        return false;
    if (strcmp(greeting, GREETING) != 0)
        return reason_set(why,
                          strncmp(greeting, "RFB ", 4) == 0
                              ? "this is a VNC server and not a repeater (it greets with '%.11s'): "
                                "leave out --repeater"
                              : "not a repeater: it greets with '%.11s'. Check its address and "
                                "port, or leave out --repeater",
                          greeting);
    return repeater_write_all(t, field, sizeof field, deadline, cancel_fd, why);
}
