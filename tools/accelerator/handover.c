#include "tools/accelerator/handover.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/accelerator/leg.h"

/* Bytes that wait on their way to the viewer. The pusher makes nothing ahead of them. */
#define HANDOVER_PAIR_BYTES 16384

bool handover_possible(const struct connection_host *host)
{
    const struct connection_options *o = host->options;

    return o->push && o->accelerate && spawner_lives(host->spawner);
}

static bool handover_is_near(int fd)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;

    return getpeername(fd, (struct sockaddr *)&peer, &size) == 0 &&
           (peer.ss_family == AF_UNIX || leg_is_loopback(&peer));
}

/* For whom it is kept, and how long. A bridge ends with this process. */
static void handover_keep(const struct connection_options *o, const struct side *server,
                          const char *name, struct spawner_push *how)
{
    if (!o->token || server->cipher)
        return;
    how->keep_s = o->keep_s;
    snprintf(how->token, sizeof how->token, "%s", o->token);
    snprintf(how->name, sizeof how->name, "%s", name);
}

bool handover(struct connection_host *host, struct side *server, struct exchange *x,
              const char *name, struct bridge **bridge)
{
    struct spawner_push how = {.near = handover_is_near(server->fd),
                               .width = x->down.framing.width,
                               .height = x->down.framing.height};
    int pair[2], most = HANDOVER_PAIR_BYTES, socket = server->fd;
    bool handed;

    host->totals->pushed++;
    handover_keep(host->options, server, name, &how);
    memcpy(how.congestion, x->down.congestion, sizeof how.congestion);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return false;
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
    if (server->cipher)
        *bridge = bridge_begin(host->loop, server, &socket);
    handed = socket >= 0 && spawner_push(host->spawner, &how, socket, pair[1]);
    if (*bridge)
        close(socket);
    close(pair[1]);
    side_close(server);
    side_init(server, pair[0]);
    x->down.reads = x->up.reads = false;
    return handed;
}

const char *handover_why_over(const struct bridge *bridge)
{
    const char *fault = bridge_fault(bridge);

    return fault ? fault
                 : "the server has closed the connection, or the process that pushes blocks has "
                   "ended";
}
