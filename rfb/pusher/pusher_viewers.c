#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/clock.h"
#include "rfb/descriptors.h"
#include "rfb/log.h"
#include "rfb/pusher/pusher_parts.h"

static void pusher_drop_viewer(struct pusher *p)
{
    close(p->viewer_fd);
    p->viewer_fd = -1;
    bytes_take(&p->out, p->out.size);
    path_end(p->path); /* it led to this viewer */
    p->heard = (struct heard){0};
    p->told = 0;
    p->phase = PUSHER_AWAITS;
}

static void pusher_release_input(struct pusher *p)
{
    uint8_t out[HELD_INPUT_WRITE_MAX];
    size_t size = held_input_release(&p->holds, out, server_side_takes_more_buttons(p->server));

    if (size > 0 && !server_side_pass(p->server, out, size))
        p->over = true;
}

/* Whether another viewer can go on from here: the server was told whole messages, and a newcomer
 * has told it nothing. */
static bool pusher_keeps(struct pusher *p)
{
    int width, height;

    viewer_side_size(p->viewer, &width, &height);
    return p->options->keep > 0 && p->begun && width > 0 &&
           (p->phase != PUSHER_SERVES || client_framing_between(&p->framing));
}

void pusher_lose_viewer(struct pusher *p)
{
    if (p->over || !pusher_keeps(p)) {
        p->over = true;
        return;
    }
    pusher_release_input(p);
    if (p->phase == PUSHER_SERVES) {
        p->gone_by = tick_now() + p->options->keep;
        viewer_side_leave(p->viewer);
        pusher_hide(p, false); /* the next one says it if nobody sees its picture */
        log_debug("the viewer has gone; another one is waited for");
    }
    pusher_drop_viewer(p);
}

static void pusher_greet(struct pusher *p, int fd, int door)
{
    if (p->viewer_fd >= 0)
        pusher_lose_viewer(p);
    p->over = !path_begin_anew(&p->path, door) || p->over;
    if (p->over) {
        close(fd);
        return;
    }
    p->viewer_fd = fd;
    p->phase = PUSHER_GREETS;
    client_framing_begin(&p->framing);
    if (!newcomer_begin(&p->newcomer, &p->out))
        pusher_drop_viewer(p);
}

void pusher_hear_of_newcomer(struct pusher *p)
{
    int fds[2]; /* its connection, and its door */
    ssize_t n = descriptors_receive(p->options->newcomers, p->name, sizeof p->name - 1, fds, 2,
                                    MSG_DONTWAIT);

    if (n < 0 && errno == EAGAIN)
        return;
    p->name[n > 0 ? n : 0] = '\0';
    if (fds[0] >= 0)
        pusher_greet(p, fds[0], fds[1]);
    else
        p->over = true; /* who keeps this end has gone */
}

size_t pusher_hear_newcomer(struct pusher *p, const uint8_t *bytes, size_t size)
{
    size_t taken = newcomer_read(&p->newcomer, bytes, size, &p->out);

    if (p->newcomer.state != NEWCOMER_IN)
        return taken;
    viewer_side_size(p->viewer, &p->told_width, &p->told_height);
    p->phase = PUSHER_EXPECTS;
    if (!newcomer_say_screen(&p->out, p->told_width, p->told_height, p->name))
        p->newcomer.state = NEWCOMER_REFUSED;
    return taken;
}
