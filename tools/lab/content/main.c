/* vnchl-lab-content: content for a VNC server's screen whose every frame can be told from the
 * others, and its age, wherever it is seen (tools/marks/mark.h).
 *
 * One thread. The next frame is drawn while there is time and sent when it is due; a press that
 * comes in between is shown at once.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "prerequest/tick.h"
#include "rfb/system/clock.h"
#include "tools/demo/demo_common.h"
#include "tools/lab/content/options.h"
#include "tools/lab/content/raw.h"
#include "tools/lab/content/stage.h"

static volatile sig_atomic_t stopped;

static void content_on_signal(int number)
{
    (void)number;
    stopped = 1;
}

/* The first signal ends the program in order, the second at once. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = content_on_signal, .sa_flags = (int)SA_RESETHAND};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* The input mark goes out before anything else that the presses lead to. */
static void show_presses(struct stage *stage, struct scene *s, int presses)
{
    struct scene_change change;

    for (int i = 0; i < presses; i++)
        scene_press(s, mark_time(tick_now()), &change);
    if (presses) {
        stage_send(stage, &change);
        stage_finish(stage);
    }
}

static void show_frame(struct stage *stage, struct scene *s, struct scene_change *change)
{
    scene_stamp(s, mark_time(tick_now()), change);
    stage_send(stage, change);
    stage_finish(stage);
}

static void content_announce(const char *line)
{
    if (puts(line) < 0 || fflush(stdout))
        demo_error("cannot write to stdout: %s", strerror(errno));
}

/* Frame n's slot is at start + n / fps, whatever the frames before it took. A slot that has passed
 * entirely is left out; the frames that are drawn are numbered without a gap. */
static void run_by_clock(struct stage *stage, struct scene *s, const struct content_options *o)
{
    struct scene_change change;
    tick_t start = tick_now(), last = start;
    uint64_t slot = 1, left_out = 0;
    char line[160];

    while (!stopped && (!o->frames || s->frame < o->frames)) {
        slot = scene_slot(s, slot, o->fps);

        tick_t due = start + (tick_t)((double)slot * (double)TICK_S / o->fps);

        scene_next(s, &change);
        while (!stopped && tick_now() < due)
            show_presses(stage, s, stage_presses(stage, due));
        if (stopped)
            break;
        show_frame(stage, s, &change);
        show_presses(stage, s, stage_presses(stage, 0));
        last = tick_now();

        uint64_t latest = (uint64_t)(tick_to_s(last - start) * o->fps);

        slot++;
        if (latest > slot) { /* more than one is overdue */
            left_out += latest - slot;
            slot = latest;
        }
    }
    snprintf(line, sizeof line, "drew %u frames in %.2f s, %llu left out", s->frame,
             tick_to_s(last - start), (unsigned long long)left_out);
    content_announce(line);
}

static void run_by_presses(struct stage *stage, struct scene *s, const struct content_options *o)
{
    struct scene_change change;

    while (!stopped && (!o->frames || s->frame < o->frames)) {
        int presses = stage_presses(stage, TICK_NEVER);

        show_presses(stage, s, presses);
        for (int i = 0; s->kind->step && i < presses; i++) {
            scene_next(s, &change);
            show_frame(stage, s, &change);
        }
    }
}

static bool content_perform(struct scene *s, const struct content_options *o)
{
    struct stage *stage = stage_open(s, !o->no_sync);

    if (!stage)
        return false;
    catch_signals();
    prctl(PR_SET_TIMERSLACK, 1000UL);
    content_announce("ready");
    if (s->kind->on_press)
        run_by_presses(stage, s, o);
    else
        run_by_clock(stage, s, o);
    stage_close(stage);
    return true;
}

int main(int argc, char **argv)
{
    struct content_options o;
    int status = content_options_parse(&o, argc, argv);

    if (status >= 0)
        return status;

    struct scene *s = scene_create(o.kind, o.width, o.height, o.seed);
    bool good = s != NULL;

    if (!s)
        demo_error("no memory for a picture of %dx%d", o.width, o.height);
    else if (o.raw)
        good = raw_write(s, o.raw);
    else if (o.check)
        good = raw_check(s, o.check);
    else
        good = content_perform(s, &o);
    scene_destroy(s);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
