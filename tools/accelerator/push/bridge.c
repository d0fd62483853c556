#include "tools/accelerator/push/bridge.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Rounds in one turn of the loop. So a server with much to say does not hold up the others. */
#define BRIDGE_ROUNDS 4

/* One direction. */
struct bridge_way {
    struct side *from, *to;
    size_t first, size; /* of what waits */
    uint8_t bytes[BRIDGE_BYTES];
};

struct bridge {
    uv_loop_t *loop;
    uv_timer_t timer; /* bytes are there of which no socket tells */
    struct side server, process;
    struct bridge_way down, up; /* from the server; to it */
    struct reason fault;        /* of TLS, once all is closed; empty: none */
};

/* ---- carrying ---- */

/* Whether there may be more to carry. */
static bool bridge_carry_once(struct bridge_way *w)
{
    struct iovec all = {w->bytes + w->first, w->size};
    ssize_t n;

    if (w->size == 0) {
        w->first = 0;
        w->size = w->from->ended ? 0 : side_read(w->from, w->bytes, sizeof w->bytes);
        return w->size > 0;
    }
    n = side_write(w->to, &all, 1);
    if (n < 0) { /* nobody reads it any more */
        w->to->shut = w->from->ended = true;
        w->size = 0;
        return false;
    }
    w->first += (size_t)n;
    w->size -= (size_t)n;
    return n > 0;
}

static void bridge_carry(struct bridge_way *w)
{
    int rounds = 2 * BRIDGE_ROUNDS; /* a round reads and writes */

    while (rounds-- > 0 && bridge_carry_once(w))
        ;
    w->to->full = w->size > 0;
    if (w->from->ended && w->size == 0 && !w->to->shut)
        side_shut(w->to);
}

static void bridge_close_sides(struct bridge *b)
{
    const char *fault = side_fault(&b->server);

    if (fault)
        reason_set(&b->fault, "%s", fault);
    side_close(&b->server);
    side_close(&b->process);
    uv_timer_stop(&b->timer);
}

/* ---- waiting ---- */

static void bridge_on_server(uv_poll_t *poll, int status, int events);
static void bridge_on_process(uv_poll_t *poll, int status, int events);
static void bridge_on_timer(uv_timer_t *timer);

static int bridge_events(const struct bridge_way *from, const struct side *s)
{
    return (from->size == 0 && !s->ended ? UV_READABLE : 0) | (s->full ? UV_WRITABLE : 0);
}

/* The process ends when its server does. So its end is the end of all. */
static void bridge_settle(struct bridge *b)
{
    bool waits;

    bridge_carry(&b->down);
    bridge_carry(&b->up);
    if (b->process.ended && b->up.size == 0) {
        bridge_close_sides(b);
        return;
    }
    waits =
        side_wait(&b->server, b->loop, bridge_events(&b->down, &b->server), bridge_on_server, b) &&
        side_wait(&b->process, b->loop, bridge_events(&b->up, &b->process), bridge_on_process, b);
    if (!waits)
        bridge_close_sides(b);
    else if (b->down.size == 0 && side_pending(&b->server))
        uv_timer_start(&b->timer, bridge_on_timer, 0, 0);
}

/* What is wrong with a socket shows when it is read or written. */
static void bridge_on_server(uv_poll_t *poll, int status, int events)
{
    struct bridge *b = poll->data;

    (void)events;
    if (status < 0)
        b->server.events = 0; /* libuv waits for none any more */
    bridge_settle(b);
}

static void bridge_on_process(uv_poll_t *poll, int status, int events)
{
    struct bridge *b = poll->data;

    (void)events;
    if (status < 0)
        b->process.events = 0;
    bridge_settle(b);
}

static void bridge_on_timer(uv_timer_t *timer)
{
    bridge_settle(timer->data);
}

/* ---- begin and end ---- */

static void bridge_free(uv_handle_t *timer)
{
    free(timer->data);
}

struct bridge *bridge_begin(uv_loop_t *loop, struct side *server, int *end)
{
    struct bridge *b = calloc(1, sizeof *b);
    int pair[2];

    *end = -1;
    if (!b || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) {
        free(b);
        return NULL;
    }
    b->loop = loop;
    side_move(&b->server, server);
    side_init(&b->process, pair[0]);
    b->down.from = b->up.to = &b->server;
    b->down.to = b->up.from = &b->process;
    uv_timer_init(loop, &b->timer);
    b->timer.data = b;
    uv_timer_start(&b->timer, bridge_on_timer, 0, 0); /* bytes may be decrypted already */
    *end = pair[1];
    return b;
}

void bridge_end(struct bridge *b)
{
    if (!b)
        return;
    bridge_close_sides(b);
    uv_close((uv_handle_t *)&b->timer, bridge_free);
}

const char *bridge_fault(const struct bridge *b)
{
    if (!b)
        return NULL;
    return b->fault.text[0] ? b->fault.text : side_fault(&b->server);
}
