#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/pusher/pusher_parts.h"
#include "rfb/pusher/words.h"
#include "rfb/system/clock.h"
#include "rfb/system/descriptors.h"
#include "rfb/system/log.h"

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
    size_t size = held_input_release(&p->holds, out, server_side_takes_more_buttons(p->server),
                                     server_side_takes_steps(p->server));

    if (size > 0 && !server_side_pass(p->server, out, size))
        p->over = true;
}

/* Nobody hears it any more. The next viewer asks for it anew. */
static void pusher_end_sound(struct pusher *p)
{
    uint8_t out[QEMU_AUDIO_WRITE_MAX];

    if (p->hears && !server_side_pass(p->server, out, qemu_audio_write_disable(out)))
        p->over = true;
    p->hears = false;
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
    pusher_end_sound(p);
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

/* The ticket of the viewer that was there last was used: so that one has gone. */
static void pusher_show_ahead(struct pusher *p, int fd, const char *word)
{
    uint16_t tries = (uint16_t)((uint8_t)word[2] << 8 | (uint8_t)word[3]);

    if (p->phase == PUSHER_SERVES)
        pusher_lose_viewer(p);
    if (p->phase == PUSHER_AWAITS && !p->over)
        ahead_begin(&p->ahead, p->viewer, fd, word[1] == 1, tries);
    else
        close(fd);
}

static void pusher_take_ticket(struct pusher *p, const char *bytes, size_t size)
{
    struct door_opening ticket;

    if (size != sizeof ticket)
        return;
    memcpy(&ticket, bytes, sizeof ticket);
    ahead_take_ticket(&p->ahead, &ticket);
    explicit_bzero(&ticket, sizeof ticket);
}

void pusher_hear_keeper(struct pusher *p)
{
    char word[1 + PUSHER_NAME];
    int fds[2]; /* of a viewer its connection, and its door */
    ssize_t n =
        descriptors_receive(p->options->newcomers, word, sizeof word - 1, fds, 2, MSG_DONTWAIT);

    if (n < 0 && errno == EAGAIN)
        return;
    word[n > 0 ? n : 0] = '\0';
    if (word[0] == KEEPER_TICKET && fds[0] < 0) {
        pusher_take_ticket(p, word + 1, (size_t)n - 1);
    } else if (word[0] == KEEPER_USED && n == KEEPER_USED_BYTES && fds[0] >= 0) {
        pusher_show_ahead(p, fds[0], word);
    } else if (word[0] == KEEPER_VIEWER && fds[0] >= 0) {
        snprintf(p->name, sizeof p->name, "%s", word + 1);
        pusher_greet(p, fds[0], fds[1]);
    } else {
        p->over = true; /* who keeps this end has gone */
    }
    explicit_bzero(word, sizeof word);
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
