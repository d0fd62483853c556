#include "rfb/pusher/ahead.h"

#include <string.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/log.h"

void ahead_take_ticket(struct ahead *p, const struct door_opening *ticket)
{
    p->ticket = *ticket;
}

void ahead_show(const struct ahead *p, struct accelerator_shown *shown)
{
    shown->ticket_port = p->ticket.port;
    memcpy(shown->ticket_secret, p->ticket.secret, sizeof shown->ticket_secret);
}

static void ahead_forget_ticket(struct ahead *p)
{
    explicit_bzero(p->ticket.secret, sizeof p->ticket.secret);
    p->ticket.port = 0;
}

bool ahead_is_on(const struct ahead *p)
{
    return p->path;
}

void ahead_begin(struct ahead *p, struct viewer_side *v, int fd, bool proved, uint16_t tries)
{
    tick_t now = tick_now();

    if (p->ticket.port == 0) {
        close(fd);
        return;
    }
    ahead_end(p);
    viewer_side_preview(v);
    p->path = path_create_on(p->ticket.secret, fd, proved, (uint64_t)tries << 32, now);
    ahead_forget_ticket(p); /* it holds once */
    p->heard_at = now;
    if (p->path)
        log_debug("the viewer comes again, by a ticket");
    else
        viewer_side_leave(v);
}

void ahead_end(struct ahead *p)
{
    path_destroy(p->path);
    p->path = NULL;
}

void ahead_deinit(struct ahead *p)
{
    ahead_end(p);
    ahead_forget_ticket(p);
}

int ahead_fd(const struct ahead *p)
{
    return p->path ? path_fd(p->path) : -1;
}

void ahead_read(struct ahead *p, struct viewer_side *v, tick_t now)
{
    uint8_t body[SEALED_BODY_MAX];
    struct body_up up;

    for (int i = 0; p->path && i < AHEAD_PACKETS && path_take(p->path, body, &up); i++) {
        viewer_side_told(v, &up, now);
        p->heard_at = now;
    }
}

static uint32_t ahead_size(struct viewer_side *v)
{
    int width, height;

    viewer_side_size(v, &width, &height);
    return (uint32_t)width << 16 | (uint32_t)height;
}

/* A block that was made while the picture got another size is lost. */
static void ahead_send_blocks(struct ahead *p, struct viewer_side *v, tick_t now)
{
    uint8_t block[PARITY_MAX];
    struct body_down down = {.block = block};
    size_t size;

    do {
        down.heard = ahead_size(v);
        size = viewer_side_take_datagram(v, path_packet(p->path), block, now);
        down.size = down.heard == ahead_size(v) ? size : 0;
        if (down.size > 0 || path_owes(p->path))
            path_send(p->path, &down);
    } while (size > 0);
}

void ahead_send(struct ahead *p, struct viewer_side *v, tick_t now)
{
    if (!p->path)
        return;
    if (now - p->heard_at >= AHEAD_SILENT) {
        ahead_end(p);
        viewer_side_leave(v);
    } else if (viewer_side_use_datagrams(v, path_works(p->path), now)) {
        ahead_send_blocks(p, v, now);
    } else {
        path_ask(p->path, ahead_size(v), now);
    }
}

tick_t ahead_due(const struct ahead *p)
{
    tick_t silent = p->heard_at + AHEAD_SILENT;

    if (!p->path)
        return TICK_NEVER;
    return path_works(p->path) ? silent : tick_sooner(silent, path_due(p->path));
}
