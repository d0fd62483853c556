#include "tools/accelerator/ssh/resume.h"

#include <sys/socket.h>
#include <unistd.h>

#include "rfb/net/far_end.h"
#include "tools/accelerator/events.h"
#include "tools/accelerator/push/rendezvous.h"
#include "tools/accelerator/service/confine.h"
#include "tools/accelerator/ssh/pump.h"

/* Bytes that wait on their way to the viewer. The far end makes nothing ahead of them. */
#define RESUME_PAIR_BYTES 16384

/* Closes all but the connection. */
static void resume_end(struct resume *r)
{
    door_end(r->door);
    while (uv_run(&r->loop, UV_RUN_DEFAULT) != 0) /* until all is closed */
        ;
    uv_loop_close(&r->loop);
}

/* The far end's end of the door; -1: no datagrams come. Nobody but the viewer reads the secret, for
 * ssh carries it. So the viewer may come from anywhere, as at the beginning
 * (tools/accelerator/connection/handover.c). */
static int resume_open_door(struct resume *r, const struct connection_options *o)
{
    struct reason why;
    int end = -1;

    if (!o->datagrams || (o->ssh.ss_family != AF_INET && o->ssh.ss_family != AF_INET6))
        return -1;
    r->door = door_begin(&r->loop, &o->ssh, NULL, &o->udp, &r->refused, &end, &why);
    if (!r->door)
        event_log(EVENT_ALWAYS, "no-datagrams", "why=\"%s\"", event_text(why.text));
    return end;
}

/* Hands the far end its ends of both. */
static bool resume_come(struct resume *r, int keeper, const struct connection_options *o)
{
    int pair[2], most = RESUME_PAIR_BYTES, door;
    bool come;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
        return false;
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
    door = resume_open_door(r, o);
    come = rendezvous_come(keeper, pair[1], door, door >= 0 ? &o->ssh_client : NULL);
    if (door >= 0)
        close(door);
    close(pair[1]);
    come = come && rendezvous_speaks(pair[0]);
    r->far_end = pair[0];
    if (!come)
        close(pair[0]);
    return come;
}

bool resume_find(struct resume *r, const struct connection_options *o)
{
    int keeper = o->token ? rendezvous_find(o->token) : -1;
    bool found = false;

    *r = (struct resume){.far_end = -1};
    if (keeper >= 0 && uv_loop_init(&r->loop) == 0) {
        found = resume_come(r, keeper, o);
        if (!found)
            resume_end(r);
    }
    if (keeper >= 0)
        close(keeper);
    return found;
}

bool resume_run(struct resume *r, struct reason *why)
{
    struct pump pump;
    bool begun = pump_take_for(&pump, r->far_end, why);

    confine(NULL, 0);
    event_log(EVENT_ALWAYS, "resumed", "begun=%s datagrams=%s", begun ? "yes" : "no",
              r->door ? "yes" : "no");
    begun = begun && pump_say(&pump, FAR_END_GREETING, why) && pump_begin(&pump, &r->loop, why);
    while (begun && !pump_is_over(&pump))
        uv_run(&r->loop, UV_RUN_ONCE);
    pump_end(&pump);
    resume_end(r);
    return begun;
}
