#include "rfb/pusher/pusher.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/pusher/about.h"
#include "rfb/pusher/constants.h"
#include "rfb/pusher/pusher_parts.h"
#include "rfb/system/clock.h"
#include "rfb/system/log.h"

/* Bytes of the viewer that are read at once. */
#define PUSHER_READ 16384

/* ---- what the viewer says ---- */

static bool pusher_takes(void *user, int32_t encoding)
{
    struct pusher *p = user;

    return server_side_lists(p->server, encoding);
}

/* One that takes none of our blocks connects anew by itself, once this end has gone. */
static bool pusher_welcome(struct pusher *p)
{
    bool common = false;

    for (unsigned i = BLOCKS_OLDEST; i <= BLOCKS_NEWEST; i++)
        common = common || server_side_lists(p->server, PSEUDO_BLOCKS_0 + (int32_t)i);
    if (!common) {
        p->over = true;
        return true;
    }
    p->phase = PUSHER_SERVES;
    ahead_end(&p->ahead);
    return viewer_side_return(p->viewer, p->told_width, p->told_height, pusher_takes, p) &&
           about_show(p->options, p->path, &p->ahead, p->viewer, &p->out);
}

static bool pusher_hear_encodings(struct pusher *p, const struct client_message *m)
{
    if (p->begun) {
        server_side_learn(p->server, m);
        if (p->phase != PUSHER_SERVES)
            return pusher_welcome(p);
        viewer_side_takes_film(p->viewer, server_side_lists(p->server, PSEUDO_FILM));
        viewer_side_takes_sound(p->viewer, server_side_lists(p->server, PSEUDO_QEMU_AUDIO));
        return true;
    }
    p->begun = true;
    if (!server_side_begin(p->server, m, p->options->width, p->options->height) ||
        !viewer_side_refer(p->viewer, references_taken(pusher_takes, p)))
        return false;
    viewer_side_takes_film(p->viewer, server_side_lists(p->server, PSEUDO_FILM));
    viewer_side_takes_sound(p->viewer, server_side_lists(p->server, PSEUDO_QEMU_AUDIO));
    puller_go(p->puller, p->options->width, p->options->height);
    return about_show(p->options, p->path, &p->ahead, p->viewer, &p->out);
}

/* A question whether the server is alive (rfb/session/connection/keep_alive.h) is the server's to
 * answer. */
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

void pusher_hide(struct pusher *p, bool hidden)
{
    if (hidden == p->hidden)
        return;
    p->hidden = hidden;
    pacing_hide(server_side_pacing(p->server), hidden, tick_now());
}

static bool pusher_hear_blocks(struct pusher *p, const struct blocks_message *m)
{
    if (m->kind == BLOCKS_GOODBYE) {
        p->over = true;
        return true;
    }
    if (m->kind == BLOCKS_COUNT) {
        heard_begin(&p->heard);
        return true;
    }
    if (!viewer_side_hear(p->viewer, m))
        return false;
    if (m->kind == BLOCKS_WISHES && p->begun)
        pusher_hide(p, m->wishes.hidden);
    return true;
}

static bool pusher_hear_input(struct pusher *p, const struct client_frame *found)
{
    const struct client_message *m = &found->message;
    bool acts = m->type != CLIENT_POINTER || m->buttons;

    if (m->type == CLIENT_POINTER && !server_side_takes_steps(p->server))
        viewer_side_pointer(p->viewer, m->x, m->y);
    viewer_side_input(p->viewer, acts);
    if (p->begun)
        pacing_input(server_side_pacing(p->server), 1, acts, true, tick_now());
    held_input_note(&p->holds, m);
    return server_side_pass(p->server, found->bytes, found->size);
}

static bool pusher_hear_other(struct pusher *p, const struct client_frame *found)
{
    /* of QEMU's messages only those of sound are not understood */
    if (found->type == CLIENT_QEMU && qemu_audio_operation(found->bytes) != QEMU_AUDIO_SET_FORMAT)
        p->hears = qemu_audio_operation(found->bytes) == QEMU_AUDIO_ENABLE;
    return server_side_pass(p->server, found->bytes, found->size);
}

/* What is for the server is passed on. False: the viewer says what it may not, or there is no
 * memory. */
static bool pusher_hear_message(struct pusher *p, const struct client_frame *found)
{
    if (!found->understood)
        return pusher_hear_other(p, found);
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
    for (size_t at = 0; found.event != CLIENT_FRAME_NONE && !p->over;) {
        size_t read = client_framing_read(&p->framing, bytes + at, size - at, &found);

        at += read;
        heard_add(&p->heard, read);
        if (p->phase != PUSHER_SERVES && !newcomer_may_say(&found))
            return false;
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

/* False: the viewer says what it may not. */
static bool pusher_hear_viewer(struct pusher *p, const uint8_t *bytes, size_t size)
{
    size_t at = 0;

    if (p->phase == PUSHER_GREETS)
        at = pusher_hear_newcomer(p, bytes, size);
    if (p->phase != PUSHER_SERVES && p->newcomer.state == NEWCOMER_REFUSED)
        return false;
    return p->phase == PUSHER_GREETS || pusher_hear(p, bytes + at, size - at);
}

static void pusher_hear_or_lose(struct pusher *p, const uint8_t *bytes, size_t size)
{
    if (pusher_hear_viewer(p, bytes, size))
        return;
    if (p->phase == PUSHER_SERVES && !p->over) {
        reason_set(p->why, "the viewer says what it may not, or memory is short");
        p->over = true;
    }
    pusher_lose_viewer(p);
}

static void pusher_read_viewer(struct pusher *p)
{
    uint8_t bytes[PUSHER_READ];
    ssize_t n = recv(p->viewer_fd, bytes, sizeof bytes, MSG_DONTWAIT);

    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        pusher_lose_viewer(p);
    } else if (n > 0) {
        size_t skip = heard_skip(&p->heard, (size_t)n);

        pusher_hear_or_lose(p, bytes + skip, (size_t)n - skip);
    }
}

/* ---- datagrams ---- */

static void pusher_read_datagrams(struct pusher *p)
{
    uint8_t body[SEALED_BODY_MAX];
    const uint8_t *news;
    struct body_up up;
    size_t size;

    for (int i = 0; !p->over && i < PUSHER_PACKETS && path_take(p->path, body, &up); i++) {
        viewer_side_told(p->viewer, &up, tick_now());
        if (p->phase == PUSHER_SERVES && server_side_has_room(p->server) &&
            (size = heard_news(&p->heard, &up, &news)) > 0)
            pusher_hear_or_lose(p, news, size);
    }
}

static void pusher_send_datagrams(struct pusher *p)
{
    uint8_t block[PARITY_MAX];
    struct body_down down = {.block = block};

    do {
        down.heard = p->heard.bytes;
        down.size = viewer_side_take_datagram(p->viewer, path_packet(p->path), block, tick_now());
        if (down.size > 0 || p->told != p->heard.bytes || path_owes(p->path)) {
            path_send(p->path, &down);
            p->told = p->heard.bytes;
        }
    } while (down.size > 0);
}

/* Whether blocks go this way. */
static void pusher_look_at_path(struct pusher *p)
{
    tick_t now = tick_now();

    if (!p->heard.counts)
        return;
    if (viewer_side_use_datagrams(p->viewer, path_works(p->path), now)) {
        path_probe(p->path, p->heard.bytes, now);
        pusher_send_datagrams(p);
    } else {
        path_ask(p->path, p->heard.bytes, now);
    }
}

static void pusher_write_viewer(struct pusher *p)
{
    while (p->out.size > 0) {
        ssize_t n =
            send(p->viewer_fd, bytes_first(&p->out), p->out.size, MSG_DONTWAIT | MSG_NOSIGNAL);

        if (n < 0) {
            if (errno != EAGAIN && errno != EINTR)
                pusher_lose_viewer(p);
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

/* How it is pushed, and what an answer took: behind all blocks that could leave. */
static void pusher_tell(struct pusher *p)
{
    if (p->phase != PUSHER_SERVES || !p->begun || p->out.size > 0)
        return;
    if ((server_side_lists(p->server, PSEUDO_PUSHING) &&
         !about_report(p->options, p->viewer, &p->out, tick_now())) ||
        (server_side_lists(p->server, PSEUDO_TURNAROUND) &&
         !about_turnaround(p->viewer, &p->out, tick_now())))
        p->over = true;
    pusher_write_viewer(p);
}

static bool pusher_patience(struct pusher *p, struct timespec *out)
{
    tick_t now = tick_now();
    tick_t until = p->asks ? server_side_look_again(p->server, now) : TICK_NEVER;

    until = tick_sooner(until, ahead_due(&p->ahead));
    if (p->out.size == 0 || path_works(p->path) || ahead_is_on(&p->ahead))
        until = tick_sooner(until, viewer_side_look_again(p->viewer, now));
    if (p->heard.counts)
        until = tick_sooner(until, path_due(p->path));
    if (p->phase != PUSHER_SERVES)
        until = tick_sooner(until, p->gone_by);
    if (until == TICK_NEVER)
        return false;
    *out = tick_to_timespec(until > now ? until - now : 0);
    return true;
}

static void pusher_wait(struct pusher *p)
{
    struct pollfd fds[7] = {{.fd = p->viewer_fd},
                            {.fd = p->options->server},
                            {p->wake_fd, POLLIN, 0},
                            {p->options->newcomers, POLLIN, 0},
                            {path_door_fd(p->path), POLLIN, 0},
                            {path_fd(p->path), POLLIN, 0},
                            {ahead_fd(&p->ahead), POLLIN, 0}};
    struct timespec patience;
    uint64_t count;
    bool limited;

    fds[0].events =
        (short)((server_side_has_room(p->server) ? POLLIN : 0) | (p->out.size > 0 ? POLLOUT : 0));
    fds[1].events = server_side_waits(p->server) ? POLLOUT : 0;
    fds[1].fd = fds[1].events ? fds[1].fd : -1;
    limited = pusher_patience(p, &patience);
    if (ppoll(fds, 7, limited ? &patience : NULL, NULL) <= 0)
        return;
    if (fds[2].revents && read(p->wake_fd, &count, sizeof count) < 0)
        log_debug("cannot read the wake-up: %s", strerror(errno));
    if (fds[0].revents & (POLLIN | POLLHUP | POLLERR))
        pusher_read_viewer(p);
    if (fds[3].revents)
        pusher_hear_keeper(p);
    if (fds[4].revents)
        path_hear_door(p->path, tick_now());
    if (fds[5].revents)
        pusher_read_datagrams(p);
    if (fds[6].revents)
        ahead_read(&p->ahead, p->viewer, tick_now());
}

/* The server has gone: what it said last still leaves. */
static void pusher_say_last(struct pusher *p)
{
    struct pollfd viewer = {.fd = p->viewer_fd, .events = POLLOUT};
    tick_t until = tick_now() + PUSHER_LAST_WORDS;

    while (viewer_side_take(p->viewer, &p->out, p->out.size + 1, tick_now()) && p->out.size > 0) {
        tick_t left = until - tick_now();

        if (left <= 0 || poll(&viewer, 1, (int)(left / TICK_MS) + 1) <= 0)
            return;
        pusher_write_viewer(p);
        if (p->over || p->viewer_fd < 0)
            return;
    }
}

static void pusher_loop(struct pusher *p)
{
    while (!p->over && !puller_ended(p->puller)) {
        pusher_wait(p);
        if (p->phase != PUSHER_SERVES && tick_now() >= p->gone_by)
            p->over = true;
        pusher_push(p);
        pusher_look_at_path(p);
        ahead_send(&p->ahead, p->viewer, tick_now());
        pusher_tell(p);
        p->asks = viewer_side_wants(p->viewer, tick_now());
        if (!server_side_send(p->server, p->asks, tick_now()))
            p->asks = false; /* the puller still reads what the server said last */
    }
    if (p->over)
        return;
    reason_set(p->why, "%s", puller_why(p->puller));
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
    p->path = path_create(o->door);
    p->viewer = viewer_side_create(p->fb, p->wake_fd);
    p->server = server_side_create(o->server, o->near, p->wake_fd);
    if (!p->path || !p->viewer || !p->server)
        return false;
    if (o->octopus && !viewer_side_follow_octopus(p->viewer, o->interval))
        return false;
    viewer_side_learn_congestion(p->viewer, o->congestion);
    client_framing_begin(&p->framing);
    if (o->newcomers >= 0)
        pusher_hear_keeper(p); /* a ticket may wait there, which the first viewer is told of */
    parts.fb = p->fb;
    parts.viewer = p->viewer;
    parts.server = p->server;
    parts.wake_fd = p->wake_fd;
    p->puller = puller_create(&parts);
    if (!p->puller)
        return false;
    o->confine_begin();
    viewer_side_make_films(p->viewer);
    return puller_start(p->puller);
}

static void pusher_free(struct pusher *p)
{
    puller_destroy(p->puller);
    server_side_destroy(p->server);
    viewer_side_destroy(p->viewer);
    path_destroy(p->path);
    ahead_deinit(&p->ahead);
    framebuffer_destroy(p->fb);
    bytes_deinit(&p->out);
    if (p->wake_fd >= 0)
        close(p->wake_fd);
    if (p->viewer_fd >= 0)
        close(p->viewer_fd);
    if (p->options->newcomers >= 0)
        close(p->options->newcomers);
    free(p);
}

bool pusher_run(const struct pusher_options *options, struct reason *why)
{
    struct pusher *p = calloc(1, sizeof *p);
    bool made;

    reason_set(why, "no memory or no threads for it");
    if (!p)
        return false;
    p->options = options;
    p->why = why;
    p->viewer_fd = options->viewer;
    p->gone_by = TICK_NEVER;
    prctl(PR_SET_TIMERSLACK, 1UL); /* ns: pacing is by the fraction of a millisecond */
    made = pusher_make(p);
    if (made) {
        options->confine_finish();
        *why = (struct reason){0};
        pusher_loop(p);
        puller_stop(p->puller);
    }
    pusher_free(p);
    return made;
}
