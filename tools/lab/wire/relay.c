#include "tools/lab/wire/relay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/proto/client_messages.h"
#include "rfb/system/clock.h"

/* Version, security type, ClientInit: of a server that asks for no password. */
#define OPENING_BYTES (12 + 1 + 1)

#define PIECE    ((size_t)1 << 18)
#define SAID_MAX ((size_t)2 << 20) /* more than the longest message that is read whole */

static struct sockaddr_in relay_loopback(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void send_at_once(int fd)
{
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool relay_open(struct relay *r, int *port)
{
    struct sockaddr_in at = relay_loopback(0);
    socklen_t size = sizeof at;

    *r = (struct relay){.viewer = -1, .server = -1, .key_at = TICK_NEVER, .opening = OPENING_BYTES};
    r->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    r->said = malloc(SAID_MAX);
    if (r->listener < 0 || !r->said || bind(r->listener, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(r->listener, 1) != 0 || getsockname(r->listener, (struct sockaddr *)&at, &size) != 0)
        return false;
    *port = ntohs(at.sin_port);
    return true;
}

void relay_close(struct relay *r)
{
    const int fds[] = {r->listener, r->viewer, r->server};

    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    free(r->said);
}

bool relay_accept(struct relay *r, int server_port, tick_t limit)
{
    struct sockaddr_in at = relay_loopback(server_port);
    struct pollfd p = {r->listener, POLLIN, 0};

    if (poll(&p, 1, (int)(limit / TICK_MS)) <= 0)
        return false;
    r->viewer = accept(r->listener, NULL, NULL);
    r->server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (r->viewer < 0 || r->server < 0 ||
        connect(r->server, (struct sockaddr *)&at, sizeof at) != 0)
        return false;
    send_at_once(r->viewer);
    send_at_once(r->server);
    return true;
}

static size_t relay_drop(struct relay *r, size_t size)
{
    r->said_size -= size;
    memmove(r->said, r->said + size, r->said_size);
    return size;
}

/* A text that is too long to be read whole; or the extended clipboard, whose length is negative. */
static uint64_t text_length(const struct client_message *m)
{
    return m->dropped > INT32_MAX ? (uint64_t)UINT32_MAX + 1 - m->dropped : m->dropped;
}

/* What is no message: the handshake, a long text. */
static bool drop_other(struct relay *r)
{
    if (r->opening > 0)
        r->opening -= relay_drop(r, r->opening < r->said_size ? r->opening : r->said_size);
    else if (r->skip > 0)
        r->skip -= relay_drop(r, r->skip < r->said_size ? (size_t)r->skip : r->said_size);
    else
        return false;
    return true;
}

/* Reads what the viewer has said so far. False: it is not understood. */
static bool relay_understand(struct relay *r, tick_t now)
{
    struct client_message m;
    struct reason why;
    size_t count;

    while (r->said_size > 0) {
        if (drop_other(r))
            continue;
        switch (client_message_read(r->said, r->said_size, false, &m, &count, &why)) {
        case MESSAGE_PARTIAL:
            return true;
        case MESSAGE_REFUSED:
            return false;
        case MESSAGE_WHOLE:
            break;
        }
        if ((m.type == CLIENT_KEY || m.type == CLIENT_QEMU) && m.down)
            r->key_at = now;
        r->skip = text_length(&m);
        relay_drop(r, count);
    }
    return true;
}

static bool relay_write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool pass_up(struct relay *r)
{
    ssize_t n = read(r->viewer, r->said + r->said_size, SAID_MAX - r->said_size);
    tick_t now = tick_now();

    if (n <= 0 || !relay_write_all(r->server, r->said + r->said_size, (size_t)n))
        return false;
    r->said_size += (size_t)n;
    return relay_understand(r, now);
}

static bool pass_down(struct relay *r)
{
    static uint8_t piece[PIECE];
    ssize_t n = read(r->server, piece, sizeof piece);

    if (n <= 0 || !relay_write_all(r->viewer, piece, (size_t)n))
        return false;
    r->down_at = tick_now();
    r->down += (uint64_t)n;
    return true;
}

bool relay_pass(struct relay *r, tick_t wait)
{
    struct pollfd p[] = {{r->viewer, POLLIN, 0}, {r->server, POLLIN, 0}};
    struct timespec t = tick_to_timespec(wait);

    if (ppoll(p, 2, &t, NULL) < 0)
        return errno == EINTR;
    return (!p[0].revents || pass_up(r)) && (!p[1].revents || pass_down(r));
}
