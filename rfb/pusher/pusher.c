#include "rfb/pusher/pusher.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/bytes_held.h"
#include "rfb/clock.h"
#include "rfb/framing/client_framing.h"
#include "rfb/log.h"
#include "rfb/pusher/puller.h"

/* Bytes for the viewer that are made ahead of what its socket takes. What waits here is older than
 * it need be. */
#define PUSHER_AHEAD 8192

/* Bytes of the viewer that are read at once. */
#define PUSHER_READ 16384

/* ns: at the end, so long the viewer may take nothing of what the server has said last. */
#define PUSHER_LAST_WORDS (5 * TICK_S)

struct pusher {
    const struct pusher_options *options;
    int wake_fd; /* eventfd */
    struct framebuffer *fb;
    struct viewer_side *viewer;
    struct server_side *server;
    struct puller *puller;
    struct client_framing framing;
    struct bytes_held out; /* for the viewer */
    bool begun;            /* the viewer has listed its encodings */
    bool hidden;           /* nobody sees its picture */
    bool asks;             /* the server, for its next update */
    bool over;
};

/* ---- what the viewer says ---- */

static bool pusher_show(struct pusher *p)
{
    struct accelerator_shown shown = {
        .blocks_oldest = BLOCKS_OLDEST, .blocks_newest = BLOCKS_NEWEST, .digests = true};
    uint8_t update[ACCELERATOR_UPDATE_MAX];

    memcpy(shown.congestion, p->options->congestion, sizeof shown.congestion);
    return bytes_append(&p->out, update, server_write_accelerator(update, &shown));
}

static bool pusher_hear_encodings(struct pusher *p, const struct client_message *m)
{
    if (p->begun) {
        server_side_learn(p->server, m);
        return true;
    }
    p->begun = true;
    if (!server_side_begin(p->server, m, p->options->width, p->options->height))
        return false;
    puller_go(p->puller, p->options->width, p->options->height);
    return pusher_show(p);
}

/* A question whether the server is alive (rfb/session/keep_alive.h) is the server's to answer. */
static bool pusher_hear_request(struct pusher *p, const struct client_frame *found)
{
    const struct rect r = found->message.rect;

    if (found->message.incremental)
        return true;
    if (r.w == 1 && r.h == 1) {
        viewer_side_question(p->viewer);
        return server_side_pass(p->server, found->bytes, found->size);
    }
    viewer_side_again(p->viewer, r);
    return true;
}

static bool pusher_hear_blocks(struct pusher *p, const struct blocks_message *m)
{
    if (!viewer_side_hear(p->viewer, m))
        return false;
    if (m->kind != BLOCKS_WISHES || m->wishes.hidden == p->hidden || !p->begun)
        return true;
    p->hidden = m->wishes.hidden;
    pacing_hide(server_side_pacing(p->server), p->hidden, tick_now());
    return true;
}

static bool pusher_hear_input(struct pusher *p, const struct client_frame *found)
{
    const struct client_message *m = &found->message;
    bool acts = m->type != CLIENT_POINTER || m->buttons;

    if (m->type == CLIENT_POINTER)
        viewer_side_pointer(p->viewer, m->x, m->y);
    viewer_side_input(p->viewer, acts);
    if (p->begun)
        pacing_input(server_side_pacing(p->server), 1, acts, true, tick_now());
    return server_side_pass(p->server, found->bytes, found->size);
}

/* What is for the server is passed on. False: the viewer says what it may not, or there is no
 * memory. */
static bool pusher_hear_message(struct pusher *p, const struct client_frame *found)
{
    if (!found->understood)
        return server_side_pass(p->server, found->bytes, found->size);
    switch (found->message.type) {
    case CLIENT_SET_ENCODINGS:
        return pusher_hear_encodings(p, &found->message);
    case CLIENT_SET_PIXEL_FORMAT: /* blocks have their own */
    case CLIENT_ENABLE_CONTINUOUS_UPDATES:
    case CLIENT_FENCE: /* it is sent none */
        return true;
    case CLIENT_UPDATE_REQUEST:
        return pusher_hear_request(p, found);
    case CLIENT_BLOCKS:
        return pusher_hear_blocks(p, &found->message.blocks);
    case CLIENT_KEY:
    case CLIENT_POINTER:
    case CLIENT_QEMU:
        return pusher_hear_input(p, found);
    default:
        return server_side_pass(p->server, found->bytes, found->size);
    }
}

static bool pusher_hear(struct pusher *p, const uint8_t *bytes, size_t size)
{
    struct client_frame found = {.event = CLIENT_FRAME_MESSAGE};

    p->framing.extended_buttons = server_side_takes_more_buttons(p->server);
    for (size_t at = 0; found.event != CLIENT_FRAME_NONE;) {
        at += client_framing_read(&p->framing, bytes + at, size - at, &found);
        if (found.event == CLIENT_FRAME_MESSAGE && !pusher_hear_message(p, &found))
            return false;
        if (found.event == CLIENT_FRAME_PART &&
            !server_side_pass_part(p->server, found.bytes, found.size, found.ends))
            return false;
        if (found.event == CLIENT_FRAME_UNKNOWN || found.event == CLIENT_FRAME_HOSTILE)
            return false;
    }
    return true;
}

/* ---- the loop ---- */

static void pusher_read_viewer(struct pusher *p)
{
    uint8_t bytes[PUSHER_READ];
    ssize_t n = recv(p->options->viewer, bytes, sizeof bytes, MSG_DONTWAIT);

    if (n > 0)
        p->over = p->over || !pusher_hear(p, bytes, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        p->over = true;
}

static void pusher_write_viewer(struct pusher *p)
{
    while (p->out.size > 0) {
        ssize_t n = send(p->options->viewer, bytes_first(&p->out), p->out.size,
                         MSG_DONTWAIT | MSG_NOSIGNAL);

        if (n < 0) {
            p->over = p->over || (errno != EAGAIN && errno != EINTR);
            return;
        }
        bytes_take(&p->out, (size_t)n);
    }
}

/* Makes what may leave, as long as the viewer's socket takes it. */
static void pusher_push(struct pusher *p)
{
    size_t before;

    do {
        before = p->out.size;
        if (!viewer_side_take(p->viewer, &p->out, PUSHER_AHEAD, tick_now()))
            p->over = true;
        if (p->out.size == before && before == 0)
            return;
        pusher_write_viewer(p);
    } while (!p->over && p->out.size == 0);
}

static bool pusher_patience(struct pusher *p, struct timespec *out)
{
    tick_t now = tick_now();
    tick_t until = p->asks ? server_side_look_again(p->server, now) : TICK_NEVER;

    if (p->out.size == 0)
        until = tick_sooner(until, viewer_side_look_again(p->viewer, now));
    if (until == TICK_NEVER)
        return false;
    *out = tick_to_timespec(until > now ? until - now : 0);
    return true;
}

static void pusher_wait(struct pusher *p)
{
    struct pollfd fds[3] = {
        {.fd = p->options->viewer}, {.fd = p->options->server}, {p->wake_fd, POLLIN, 0}};
    struct timespec patience;
    uint64_t count;
    bool limited;

    fds[0].events =
        (short)((server_side_has_room(p->server) ? POLLIN : 0) | (p->out.size > 0 ? POLLOUT : 0));
    fds[1].events = server_side_waits(p->server) ? POLLOUT : 0;
    fds[1].fd = fds[1].events ? fds[1].fd : -1;
    limited = pusher_patience(p, &patience);
    if (ppoll(fds, 3, limited ? &patience : NULL, NULL) <= 0)
        return;
    if (fds[2].revents && read(p->wake_fd, &count, sizeof count) < 0)
        log_debug("cannot read the wake-up: %s", strerror(errno));
    if (fds[0].revents & (POLLIN | POLLHUP | POLLERR))
        pusher_read_viewer(p);
}

/* The server has gone: what it said last still leaves. */
static void pusher_say_last(struct pusher *p)
{
    struct pollfd viewer = {.fd = p->options->viewer, .events = POLLOUT};
    tick_t until = tick_now() + PUSHER_LAST_WORDS;

    while (viewer_side_take(p->viewer, &p->out, p->out.size + 1, tick_now()) && p->out.size > 0) {
        tick_t left = until - tick_now();

        if (left <= 0 || poll(&viewer, 1, (int)(left / TICK_MS) + 1) <= 0)
            return;
        pusher_write_viewer(p);
        if (p->over)
            return;
    }
}

static void pusher_loop(struct pusher *p)
{
    while (!p->over && !puller_ended(p->puller)) {
        pusher_wait(p);
        pusher_push(p);
        p->asks = viewer_side_wants(p->viewer, tick_now());
        if (!server_side_send(p->server, p->asks, tick_now()))
            p->asks = false; /* the puller still reads what the server said last */
    }
    if (!p->over)
        pusher_say_last(p);
}

/* ---- its life ---- */

static bool pusher_make(struct pusher *p)
{
    const struct pusher_options *o = p->options;
    struct puller_parts parts = {.fd = o->server};

    p->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    p->fb = framebuffer_create(-1);
    if (p->wake_fd < 0 || !p->fb)
        return false;
    p->viewer = viewer_side_create(p->fb, p->wake_fd);
    p->server = server_side_create(o->server, o->near, p->wake_fd);
    if (!p->viewer || !p->server)
        return false;
    viewer_side_learn_congestion(p->viewer, o->congestion);
    client_framing_begin(&p->framing);
    parts.fb = p->fb;
    parts.viewer = p->viewer;
    parts.server = p->server;
    parts.wake_fd = p->wake_fd;
    p->puller = puller_create(&parts);
    if (!p->puller)
        return false;
    o->confine_begin();
    return puller_start(p->puller);
}

static void pusher_free(struct pusher *p)
{
    puller_destroy(p->puller);
    server_side_destroy(p->server);
    viewer_side_destroy(p->viewer);
    framebuffer_destroy(p->fb);
    bytes_deinit(&p->out);
    if (p->wake_fd >= 0)
        close(p->wake_fd);
    close(p->options->viewer);
    free(p);
}

bool pusher_run(const struct pusher_options *options)
{
    struct pusher *p = calloc(1, sizeof *p);
    bool made;

    if (!p)
        return false;
    p->options = options;
    prctl(PR_SET_TIMERSLACK, 1UL); /* ns: pacing is by the fraction of a millisecond */
    made = pusher_make(p);
    if (made) {
        options->confine_finish();
        pusher_loop(p);
        puller_stop(p->puller);
    }
    pusher_free(p);
    return made;
}
