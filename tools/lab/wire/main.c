/* vnchl-lab-wire: how long a viewer takes between its socket and its user.
 *
 * It stands between the viewer and a server on this machine (relay.h) and looks at the viewer's
 * screen as vnchl-lab-eye does. So it knows both moments by one clock, of any viewer:
 *
 *   wire to screen  the newest byte for the viewer lay in its socket -> the frame's marks are shown
 *   input to wire   a key was pressed on the display -> the key event was read from the viewer
 *
 * The content has to leave time between two frames: a byte of the next one would count for the one
 * before. One thread. */
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "rfb/system/clock.h"
#include "tools/lab/eye/hand.h"
#include "tools/lab/eye/options.h"
#include "tools/lab/eye/xwd.h"
#include "tools/lab/wire/relay.h"
#include "tools/marks/lookout.h"

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
