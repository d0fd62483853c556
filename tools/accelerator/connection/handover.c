#include "tools/accelerator/connection/handover.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/accelerator/events.h"
#include "tools/accelerator/transport/leg.h"

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
    how->way = (struct keeper_way){.tickets = o->datagrams && o->ssh.ss_family != AF_UNSPEC,
                                   .local = o->ssh,
                                   .viewer = o->ssh_client,
                                   .ports = o->udp};
    snprintf(how->name, sizeof how->name, "%s", name);
}

/* Finds this machine's address that the viewer has found, and the viewer's. False: there is none.
 */
static bool handover_addresses(const struct connection_options *o, int client,
                               struct sockaddr_storage *local, struct sockaddr_storage *viewer)
{
    socklen_t size = sizeof *local, viewer_size = sizeof *viewer;

    if (getsockname(client, (struct sockaddr *)local, &size) != 0 ||
        getpeername(client, (struct sockaddr *)viewer, &viewer_size) != 0)
        return false;
    if (o->ssh.ss_family != AF_UNSPEC)
        *local = o->ssh;
    return local->ss_family == AF_INET || local->ss_family == AF_INET6;
}

/* The process's end of the door; -1: no datagrams come. Where nobody else can have read the secret,
 * the viewer may come from anywhere. */
static int handover_open_door(struct connection_host *host, const struct side *client,
                              struct door **door)
{
    const struct connection_options *o = host->options;
    bool secret = client->cipher || o->ssh.ss_family != AF_UNSPEC;
    struct sockaddr_storage local, viewer;
    struct reason why;
    int end = -1;

    if (!o->datagrams || !handover_addresses(o, client->fd, &local, &viewer))
        return -1;
    *door = door_begin(host->loop, &local, secret ? NULL : &viewer, &o->udp,
                       &host->totals->datagrams_refused, &end, &why);
    if (!*door)
        event_log(EVENT_LIMITED, "no-datagrams", "why=\"%s\"", event_text(why.text));
    return end;
}

bool handover(struct connection_host *host, struct side *server, const struct side *client,
              struct exchange *x, const struct greeting *greeting, struct handed *handed)
{
    struct spawner_push how = {.near = handover_is_near(server->fd),
                               .octopus = host->options->octopus,
                               .interval_ms = host->options->interval_ms,
                               .width = x->down.framing.width,
                               .height = x->down.framing.height};
    int pair[2], most = HANDOVER_PAIR_BYTES, socket = server->fd, door;
    bool done;

    host->totals->pushed++;
    handover_keep(host->options, server, greeting->framing.name, &how);
    memcpy(how.congestion, x->down.congestion, sizeof how.congestion);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return false;
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
    if (server->cipher)
        handed->bridge = bridge_begin(host->loop, server, &socket);
    door = handover_open_door(host, client, &handed->door);
    done = socket >= 0 && spawner_push(host->spawner, &how, socket, pair[1], door);
    if (handed->bridge)
        close(socket);
    if (door >= 0)
        close(door);
    close(pair[1]);
    side_close(server);
    side_init(server, pair[0]);
    x->down.reads = x->up.reads = false;
    return done;
}

void handover_end(struct handed *handed)
{
    bridge_end(handed->bridge);
    door_end(handed->door);
    *handed = (struct handed){NULL, NULL};
}

const char *handover_why_over(const struct handed *handed)
{
    const char *fault = bridge_fault(handed->bridge);

    return fault ? fault
                 : "the server has closed the connection, or the process that pushes blocks has "
                   "ended";
}
