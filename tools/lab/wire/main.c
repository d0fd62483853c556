/* vnchl-lab-wire: how long a viewer takes between its socket and its user.
 *
 * It stands between the viewer and a server on this machine (struct relay) and looks at the
 * viewer's screen as vnchl-lab-eye does. So it knows both moments by one clock, of any viewer:
 *
 *   wire to screen  the newest byte for the viewer lay in its socket -> the frame's marks are shown
 *   input to wire   a key was pressed on the display -> the key event was read from the viewer
 *
 * The content has to leave time between two frames: a byte of the next one would count for the one
 * before. One thread. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "prerequest/tick.h"
#include "rfb/proto/client_messages.h"
#include "rfb/system/clock.h"
#include "tools/lab/eye/hand.h"
#include "tools/lab/eye/options.h"
#include "tools/lab/eye/xwd.h"
#include "tools/marks/lookout.h"

/* ---- the connection ---- */

/* A connection of a viewer to a server that goes through this process, which notes when bytes pass.
 *
 * One thread. Both ends are on this machine, without encryption and without a password: what the
 * viewer says is read, to find the key events in it. Bytes are passed on as they come. */

struct relay {
    int listener, viewer, server; /* sockets; -1: none */
    tick_t down_at;               /* the newest byte for the viewer lay in its socket */
    uint64_t down;                /* bytes for the viewer */
    tick_t key_at;                /* a key event was read from the viewer; TICK_NEVER: none yet */
    size_t opening;               /* bytes of the viewer's handshake that are still to come */
    uint64_t skip;                /* bytes of a text that are still to come */
    uint8_t *said;                /* by the viewer, and not understood yet */
    size_t said_size;
};

/* Version, security type, ClientInit: of a server that asks for no password. */
#define OPENING_BYTES (12 + 1 + 1)

#define PIECE    ((size_t)1 << 18)
#define SAID_MAX ((size_t)2 << 20) /* more than the longest message that is read whole */

static struct sockaddr_in relay_loopback(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void send_at_once(int fd)
{
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* Listens on a free port of 127.0.0.1, *port. False, with errno, when that fails. */
static bool relay_open(struct relay *r, int *port)
{
    struct sockaddr_in at = relay_loopback(0);
    socklen_t size = sizeof at;

    *r = (struct relay){.viewer = -1, .server = -1, .key_at = TICK_NEVER, .opening = OPENING_BYTES};
    r->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    r->said = malloc(SAID_MAX);
    if (r->listener < 0 || !r->said || bind(r->listener, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(r->listener, 1) != 0 || getsockname(r->listener, (struct sockaddr *)&at, &size) != 0)
        return false;
    *port = ntohs(at.sin_port);
    return true;
}

static void relay_close(struct relay *r)
{
    const int fds[] = {r->listener, r->viewer, r->server};

    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    free(r->said);
}

/* Waits for the viewer, and connects it with the server on 127.0.0.1. False: it did not come within
 * `limit`, or there is no server. */
static bool relay_accept(struct relay *r, int server_port, tick_t limit)
{
    struct sockaddr_in at = relay_loopback(server_port);
    struct pollfd p = {r->listener, POLLIN, 0};

    if (poll(&p, 1, (int)(limit / TICK_MS)) <= 0)
        return false;
    r->viewer = accept(r->listener, NULL, NULL);
    r->server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (r->viewer < 0 || r->server < 0 ||
        connect(r->server, (struct sockaddr *)&at, sizeof at) != 0)
        return false;
    send_at_once(r->viewer);
    send_at_once(r->server);
    return true;
}

static size_t relay_drop(struct relay *r, size_t size)
{
    r->said_size -= size;
    memmove(r->said, r->said + size, r->said_size);
    return size;
}

/* A text that is too long to be read whole; or the extended clipboard, whose length is negative. */
static uint64_t text_length(const struct client_message *m)
{
    return m->dropped > INT32_MAX ? (uint64_t)UINT32_MAX + 1 - m->dropped : m->dropped;
}

/* What is no message: the handshake, a long text. */
static bool drop_other(struct relay *r)
{
    if (r->opening > 0)
        r->opening -= relay_drop(r, r->opening < r->said_size ? r->opening : r->said_size);
    else if (r->skip > 0)
        r->skip -= relay_drop(r, r->skip < r->said_size ? (size_t)r->skip : r->said_size);
    else
        return false;
    return true;
}

/* Reads what the viewer has said so far. False: it is not understood. */
static bool relay_understand(struct relay *r, tick_t now)
{
    struct client_message m;
    struct reason why;
    size_t count;

    while (r->said_size > 0) {
        if (drop_other(r))
            continue;
        switch (client_message_read(r->said, r->said_size, false, &m, &count, &why)) {
        case MESSAGE_PARTIAL:
            return true;
        case MESSAGE_REFUSED:
            return false;
        case MESSAGE_WHOLE:
            break;
        }
        if ((m.type == CLIENT_KEY || m.type == CLIENT_QEMU) && m.down)
            r->key_at = now;
        r->skip = text_length(&m);
        relay_drop(r, count);
    }
    return true;
}

static bool relay_write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool pass_up(struct relay *r)
{
    ssize_t n = read(r->viewer, r->said + r->said_size, SAID_MAX - r->said_size);
    tick_t now = tick_now();

    if (n <= 0 || !relay_write_all(r->server, r->said + r->said_size, (size_t)n))
        return false;
    r->said_size += (size_t)n;
    return relay_understand(r, now);
}

static bool pass_down(struct relay *r)
{
    static uint8_t piece[PIECE];
    ssize_t n = read(r->server, piece, sizeof piece);

    if (n <= 0 || !relay_write_all(r->viewer, piece, (size_t)n))
        return false;
    r->down_at = tick_now();
    r->down += (uint64_t)n;
    return true;
}

/* Passes on what has come; waits for it until `wait` ns have passed. False when an end has left,
 * or says what cannot be understood. */
static bool relay_pass(struct relay *r, tick_t wait)
{
    struct pollfd p[] = {{r->viewer, POLLIN, 0}, {r->server, POLLIN, 0}};
    struct timespec t = tick_to_timespec(wait);

    if (ppoll(p, 2, &t, NULL) < 0)
        return errno == EINTR;
    return (!p[0].revents || pass_up(r)) && (!p[1].revents || pass_down(r));
}

/* ---- what is measured ---- */

#define EXIT_USAGE 2
#define PRIORITY   10
#define LOOK_EVERY (TICK_MS / 5)
#define LIMIT      (30 * TICK_S) /* until the viewer comes, and for each picture or key */
#define WARM_UP    20            /* frames that are not counted */
/* A part of it is added, so that no period is hit again and again. */
#define PRESS_EVERY (150 * TICK_MS)

struct wire {
    struct relay relay;
    struct xwd screen;
    struct lookout lookout;
    struct hand *hand;
    tick_t now;
    uint32_t shown; /* the number of the frame on the screen */
};

/* For xwd.c and hand.c, too. */
void eye_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("vnchl-lab-wire: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

/* Passes bytes, then looks. *frame: another whole frame is shown than before. */
static bool wire_step(struct wire *w, bool *frame)
{
    struct sighting what;
    const struct mark *begin = &what.marks[SIGHTING_FRAME], *end = &what.marks[SIGHTING_FRAME_END];

    if (!relay_pass(&w->relay, LOOK_EVERY)) {
        eye_error("the viewer or the server has left, or the viewer says what is not understood");
        return false;
    }
    w->now = tick_now();
    lookout_look(&w->lookout, &w->screen.picture, w->now, &what);
    *frame = what.seen[SIGHTING_FRAME] && what.seen[SIGHTING_FRAME_END] &&
             begin->number == end->number && begin->number != w->shown;
    if (*frame)
        w->shown = begin->number;
    return true;
}

static bool next_frame(struct wire *w)
{
    tick_t until = tick_now() + LIMIT;
    bool frame = false;

    while (!frame) {
        if (!wire_step(w, &frame))
            return false;
        if (w->now > until) {
            eye_error("no new frame was seen: does the viewer show the content, and unscaled?");
            return false;
        }
    }
    return true;
}

static bool measure_frames(struct wire *w, int count)
{
    for (int i = 0; i < WARM_UP; i++)
        if (!next_frame(w))
            return false;
    fputs("{\"wire_to_screen_ms\":[", stdout);
    for (int i = 0; i < count; i++) {
        if (!next_frame(w))
            return false;
        printf("%s%.3f", i ? "," : "", tick_to_ms(w->now - w->relay.down_at));
    }
    return true;
}

static bool pass_until(struct wire *w, tick_t until)
{
    bool frame;

    while (tick_now() < until)
        if (!wire_step(w, &frame))
            return false;
    return true;
}

static bool measure_presses(struct wire *w, int count)
{
    const struct lookout_place *at = &w->lookout.places[SIGHTING_FRAME];

    hand_place(w->hand, at->x + 2 * MARK_WIDTH, at->y + 2 * MARK_HEIGHT);
    fputs("],\"input_to_wire_ms\":[", stdout);
    for (int i = 0; i < count; i++) {
        tick_t pressed;
        bool frame;

        if (!pass_until(w, tick_now() + PRESS_EVERY + PRESS_EVERY * i / count))
            return false;
        w->relay.key_at = TICK_NEVER;
        pressed = tick_now();
        hand_press(w->hand, HAND_KEY);
        while (w->relay.key_at == TICK_NEVER) {
            if (!wire_step(w, &frame))
                return false;
            if (w->now > pressed + LIMIT) {
                eye_error("the viewer does not send the keys");
                return false;
            }
        }
        printf("%s%.3f", i ? "," : "", tick_to_ms(w->relay.key_at - pressed));
    }
    puts("]}");
    return true;
}

/* Nothing is late because we were. Where that is not permitted, it may be. */
static void be_quick(void)
{
    struct sched_param p = {.sched_priority = PRIORITY};

    sched_setscheduler(0, SCHED_FIFO, &p);
    prctl(PR_SET_TIMERSLACK, 1UL);
}

static bool wire_run(struct wire *w, char **argv, int server, int count)
{
    int port;

    if (!relay_open(&w->relay, &port)) {
        eye_error("cannot listen: %s", strerror(errno));
        return false;
    }
    printf("listening on 127.0.0.1:%d\n", port);
    fflush(stdout);
    if (!relay_accept(&w->relay, server, LIMIT)) {
        eye_error("no viewer came, or there is no server");
        return false;
    }
    w->hand = hand_open(argv[2]);
    if (!w->hand || !xwd_open(&w->screen, argv[1]))
        return false;
    be_quick();
    return measure_frames(w, count) && measure_presses(w, count);
}

int main(int argc, char **argv)
{
    struct wire w = {.relay = {.listener = -1, .viewer = -1, .server = -1}};
    int server = argc == 5 ? atoi(argv[3]) : 0, count = argc == 5 ? atoi(argv[4]) : 0;
    bool ok;

    if (server < 1 || server > 65535 || count < 1 || count > 100000) {
        fputs("Usage: vnchl-lab-wire FRAME-BUFFER DISPLAY SERVER-PORT COUNT\n\n"
              "FRAME-BUFFER: Xvfb_screen0 in the folder given to Xvfb -fbdir; DISPLAY: of this "
              "Xvfb.\n"
              "Prints where the viewer has to connect to, then COUNT times of each kind as JSON.\n",
              stderr);
        return EXIT_USAGE;
    }
    lookout_init(&w.lookout);
    ok = wire_run(&w, argv, server, count);
    hand_close(w.hand);
    xwd_close(&w.screen);
    relay_close(&w.relay);
    return ok && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
