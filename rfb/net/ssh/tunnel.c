#include "rfb/net/ssh/tunnel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/net/sockets/socket.h"
#include "rfb/net/ssh/child.h"
#include "rfb/net/ssh/far_end.h"
#include "rfb/net/transport.h"
#include "rfb/system/clock.h"

/* ms between two tries to connect to the port that a command is to open. Chosen. */
#define RETRY_MS 100
/* ns: after the end of the connection ssh has so long to end by itself. It says why before. */
#define END_PATIENCE TICK_S
/* A program that has not reached the server yet has nothing to hand on: it may ask something. */
#define NO_PATIENCE (TICK_S / 10)

struct tunnel {
    struct layer layer; /* on what leads to the program, or to the port that it has opened */
    struct child *child;
    char ends[160]; /* "HOST port N through GATEWAY", for messages */
    atomic_llong received, sent;
};

static struct tunnel *tunnel_of(struct transport *t)
{
    return (struct tunnel *)t; /* the layer is its first member */
}

/* ---- operations ---- */

static ssize_t tunnel_read(struct transport *t, void *out, size_t size)
{
    struct tunnel *u = tunnel_of(t);
    ssize_t n = u->layer.below->ops->read(u->layer.below, out, size);

    if (n > 0)
        atomic_fetch_add(&u->received, n);
    return n;
}

static ssize_t tunnel_write(struct transport *t, const struct iovec *parts, int count)
{
    struct tunnel *u = tunnel_of(t);
    ssize_t n = u->layer.below->ops->write(u->layer.below, parts, count);

    if (n > 0)
        atomic_fetch_add(&u->sent, n);
    return n;
}

static void tunnel_info(struct transport *t, struct transport_info *info)
{
    *info = (struct transport_info){
        .bytes_received = atomic_load(&tunnel_of(t)->received) + layer_waiting(t),
        .bytes_sent = atomic_load(&tunnel_of(t)->sent),
    };
}

static void tunnel_heard(struct transport *t)
{
    atomic_store(&tunnel_of(t)->received, 1);
}

static bool tunnel_explain(struct transport *t, struct reason *why)
{
    struct tunnel *u = tunnel_of(t);
    struct reason cause;

    if (!child_wait(u->child, tick_now() + END_PATIENCE) || !child_failed(u->child, &cause))
        return false;
    if (atomic_load(&u->received) > 0) {
        reason_set(why, "lost the connection to %s: %s", u->ends, cause.text);
        return true;
    }
    reason_set(why, "cannot reach %s: %s", u->ends, cause.text);
    /* what ssh says when it is at the gateway, and cannot go on from there */
    reason_set_kind(why, strstr(cause.text, "open failed") ? FAILURE_UNREACHABLE : FAILURE_GATEWAY);
    return true;
}

static void tunnel_destroy(struct transport *t)
{
    struct tunnel *u = tunnel_of(t);

    if (u->layer.below)
        u->layer.below->ops->destroy(u->layer.below);
    child_destroy(u->child, atomic_load(&u->received) > 0 ? END_PATIENCE : NO_PATIENCE);
    free(u);
}

/* ---- programs ---- */

static struct child *start_child(struct child_options *options, char *const others[], size_t count,
                                 struct reason *why)
{
    char **environment = child_environment(others, count);
    struct child *child = NULL;

    options->environment = environment;
    if (environment)
        child = child_start(options, why);
    else
        reason_set(why, "out of memory");
    free(environment);
    return child;
}

/* ---- ssh ---- */

#define SSH_WORDS 16

/* What ssh is to carry: a connection that it makes at the other side, or a program's there. */
static int choose_words(const char *argv[SSH_WORDS], const struct gateway *gateway,
                        const char *carried)
{
    /* a gateway that answers nothing for a minute ends the session, as a server does */
    static const char *const always[] = {"-o", "ServerAliveInterval=15", "-o",
                                         "ServerAliveCountMax=4"};
    /* the program needs nothing of ours: no agent, no display, no ports, no terminal; and what the
     * user's configuration runs at this host would take its place */
    static const char *const plain[] = {
        "-a", "-x", "-T", "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none"};
    int count = 0;

    argv[count++] = "ssh";
    if (!gateway->far_end) {
        argv[count++] = "-W";
        argv[count++] = carried;
    }
    for (size_t i = 0; gateway->far_end && i < sizeof plain / sizeof *plain; i++)
        argv[count++] = plain[i];
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        argv[count++] = always[i];
    return count;
}

static bool start_ssh(struct tunnel *u, const struct gateway *gateway, const char *carried,
                      struct reason *why)
{
    char port[8];
    const char *argv[SSH_WORDS + 6] = {NULL};
    struct child_options options = {.name = "ssh", .argv = argv};
    int pair[2], count = choose_words(argv, gateway, carried);

    if (gateway->port) {
        snprintf(port, sizeof port, "%u", (unsigned)gateway->port);
        argv[count++] = "-p";
        argv[count++] = port;
    }
    argv[count++] = "--";
    argv[count++] = gateway->host;
    if (gateway->far_end)
        argv[count++] = carried;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return reason_set(why, "no sockets: %s", strerror(errno));
    options.io = pair[1];
    u->child = start_child(&options, NULL, 0, why);
    if (!u->child && why->kind == FAILURE_START)
        reason_set(why, GATEWAY_NO_SSH ": install the package openssh-client");
    close(pair[1]);
    u->layer.below = socket_adopt(pair[0]);
    return u->child && (u->layer.below || reason_set(why, "out of memory"));
}

/* Runs ssh. */
static bool open_ssh(struct tunnel *u, const struct gateway *gateway, const struct address *to,
                     struct reason *why)
{
    char host[sizeof to->host + 16];

    snprintf(host, sizeof host, strchr(to->host, ':') ? "[%s]:%u" : "%s:%u", to->host,
             (unsigned)to->port);
    return start_ssh(u, gateway, host, why);
}

/* ---- the far end ---- */

/* What a shell ends with when it finds no such program, and ssh when it fails itself. */
#define NO_SUCH_PROGRAM 127
#define SSH_FAILED      255

/* What vnchl-accel has written on standard error is the cause; ssh and its name are in front. */
static const char *said_by_far_end(const char *cause)
{
    const char *said = strstr(cause, FAR_END_PROGRAM ": ");

    return said ? said + strlen(FAR_END_PROGRAM ": ") : NULL;
}

/* Not every shell has a status for it. */
static bool far_end_is_missing(int status, const char *said)
{
    static const char not_found[] = "command not found";

    return status == NO_SUCH_PROGRAM ||
           (said && strncasecmp(said, not_found, strlen(not_found)) == 0);
}

/* ssh has ended before the far end was there. `printed` is the last line that came instead. */
static bool far_end_failed(struct tunnel *u, const char *host, const struct reason *printed,
                           tick_t deadline, struct reason *why)
{
    bool ended = child_wait(u->child, tick_sooner(deadline, tick_now() + END_PATIENCE));
    int status = ended ? child_status(u->child) : 0;
    struct reason cause;
    const char *said;

    if (!ended || !child_failed(u->child, &cause))
        reason_set(&cause, "ssh has ended, and nothing was said there");
    said = said_by_far_end(cause.text);
    if (far_end_is_missing(status, said))
        reason_set(why,
                   FAR_END_PROGRAM " is not installed at %s: install the package " FAR_END_PROGRAM
                                   " there",
                   host);
    else if (said && (strstr(said, "is no option") || strstr(said, "unknown option")))
        reason_set(why, FAR_END_PROGRAM " at %s is too old for --ssh: upgrade it", host);
    else if (said)
        reason_set(why, "at %s: %s", host, said);
    else if (status == SSH_FAILED)
        reason_set(why, "cannot reach %s: %s", host, cause.text);
    else if (*printed->text)
        reason_set(why, FAR_END_PROGRAM " was not started at %s, which says: %.120s", host,
                   printed->text);
    else
        reason_set(why, FAR_END_PROGRAM " was not started at %s: %s", host, cause.text);
    return reason_set_kind(why,
                           !said && status == SSH_FAILED ? FAILURE_GATEWAY : FAILURE_UNREACHABLE);
}

/* Runs vnchl-accel through ssh, and waits until it is there. */
static bool open_far_end(struct tunnel *u, const struct gateway *gateway, const struct address *to,
                         tick_t deadline, int cancel_fd, struct reason *why)
{
    char command[FAR_END_COMMAND_MAX];
    struct reason printed;

    far_end_command(gateway, to, command);
    if (!start_ssh(u, gateway, command, why))
        return reason_set_kind(why, FAILURE_GATEWAY);
    switch (far_end_await(u->layer.below, deadline, cancel_fd, &printed)) {
    case FAR_END_THERE:
        return true;
    case FAR_END_SILENT:
        return far_end_failed(u, gateway->host, &printed, deadline, why);
    case FAR_END_FAILED:
        break;
    }
    reason_set(why, "%s: %s", gateway->host, printed.text);
    return reason_set_kind(why, FAILURE_UNREACHABLE);
}

/* ---- VNC_VIA_CMD ---- */

/* A port of this machine on which nobody listens. It is below those that the kernel gives to
 * whoever connects: a try to connect to one of these may meet itself. 0: none found. */
static uint16_t free_port(void)
{
    for (int tries = 0; tries < 1000; tries++) {
        struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        uint16_t port;
        bool ok;
        int fd;

        if (getrandom(&port, sizeof port, 0) != sizeof port)
            return 0;
        port = (uint16_t)(10000 + port % 20000);
        a.sin_port = htons(port);
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        ok = fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof a) == 0;
        if (fd >= 0)
            close(fd);
        if (ok)
            return port;
    }
    return 0;
}

/* What the command finds in its environment beside ours. */
struct via_variables {
    char l[16], r[16];
    char h[sizeof((struct address *)0)->host + 4];
    char g[sizeof((struct gateway *)0)->host + 4];
};

static struct child *start_command(const struct gateway *gateway, const struct address *to,
                                   uint16_t port, struct reason *why)
{
    const char *const argv[] = {"/bin/sh", "-c", gateway->command, NULL};
    struct child_options options = {.name = "VNC_VIA_CMD", .argv = argv, .io = -1};
    struct via_variables v;

    snprintf(v.l, sizeof v.l, "L=%u", (unsigned)port);
    snprintf(v.r, sizeof v.r, "R=%u", (unsigned)to->port);
    snprintf(v.h, sizeof v.h, "H=%s", to->host);
    snprintf(v.g, sizeof v.g, "G=%s", gateway->host);
    return start_child(&options, (char *[]){v.l, v.h, v.r, v.g}, 4, why);
}

/* Runs the command, and connects to its port as soon as that is open. */
static bool open_command(struct tunnel *u, const struct gateway *gateway, const struct address *to,
                         const struct transport_options *options, tick_t deadline, int cancel_fd,
                         struct reason *why)
{
    struct address port = {.host = "127.0.0.1", .port = free_port()};
    struct pollfd cancelled = {.fd = cancel_fd, .events = POLLIN};
    struct reason cause;

    if (port.port == 0)
        return reason_set(why, "no free port for VNC_VIA_CMD");
    u->child = start_command(gateway, to, port.port, why);
    if (!u->child)
        return false;
    while (!(u->layer.below = socket_connect(&port, options, deadline, cancel_fd, &cause))) {
        if (poll(&cancelled, 1, RETRY_MS) > 0)
            return reason_set(why, "stopped");
        if (child_wait(u->child, 0) && child_failed(u->child, &cause))
            return reason_set(why, "cannot reach %s: %s", u->ends, cause.text);
        if (tick_now() >= deadline)
            return reason_set(why, "cannot reach %s: VNC_VIA_CMD did not open its port: %s",
                              u->ends, cause.text);
    }
    return true;
}

/* ---- the beginning ---- */

static void name_ends(struct tunnel *u, const struct gateway *gateway, const struct address *to)
{
    if (gateway->far_end)
        snprintf(u->ends, sizeof u->ends, "%.120s", gateway->host);
    else
        snprintf(u->ends, sizeof u->ends, "%.60s port %u through %.60s", to->host,
                 (unsigned)to->port, gateway->host);
}

static bool open_way(struct tunnel *u, const struct gateway *gateway, const struct address *to,
                     const struct transport_options *options, tick_t deadline, int cancel_fd,
                     struct reason *why)
{
    if (gateway->far_end)
        return open_far_end(u, gateway, to, deadline, cancel_fd, why);
    return (gateway->command[0] ? open_command(u, gateway, to, options, deadline, cancel_fd, why)
                                : open_ssh(u, gateway, to, why)) ||
           reason_set_kind(why, FAILURE_GATEWAY);
}

struct transport *tunnel_connect(const struct gateway *gateway, const struct address *to,
                                 const struct transport_options *options, tick_t deadline,
                                 int cancel_fd, struct reason *why)
{
    static const struct transport_ops ops = {
        .read = tunnel_read,
        .write = tunnel_write,
        .wait = layer_wait,
        .waiting = layer_waiting,
        .unsent = layer_unsent,
        .info = tunnel_info,
        .window = layer_window,
        .set_window = layer_set_window,
        .share = layer_share,
        .heard = tunnel_heard,
        .explain = tunnel_explain,
        .cut = layer_cut,
        .destroy = tunnel_destroy,
    };
    struct tunnel *u = calloc(1, sizeof *u);

    if (!u) {
        reason_set(why, "out of memory");
        return NULL;
    }
    u->layer.transport.ops = &ops;
    name_ends(u, gateway, to);
    if (open_way(u, gateway, to, options, deadline, cancel_fd, why))
        return &u->layer.transport;
    tunnel_destroy(&u->layer.transport);
    return NULL;
}
