/* vnchl-lab-eye: watches an X screen from outside, as a user of whatever viewer runs there.
 *
 * It knows nothing of the viewer, so any can be measured and compared. It looks at the pixels of an
 * Xvfb through the file it keeps them in (xwd.h), at moments fixed in advance, reads the marks of
 * the lab's content (tools/marks/mark.h), and presses keys through XTEST (hand.h). One thread.
 */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "prerequest/tick.h"
#include "rfb/system/clock.h"
#include "tools/lab/content/scene.h"
#include "tools/lab/eye/arrival.h"
#include "tools/lab/eye/beside.h"
#include "tools/lab/eye/compare.h"
#include "tools/lab/eye/hand.h"
#include "tools/lab/eye/options.h"
#include "tools/lab/eye/xwd.h"
#include "tools/marks/lookout.h"
#include "tools/marks/mark.h"
#include "tools/marks/press_clock.h"
#include "tools/marks/sightings.h"

/* ---- rests ---- */

/* How long until a picture that stands still is on the screen as it was drawn, pixel for pixel.
 *
 * A scene is a pure function of its frame number, so the eye draws the frame that it sees itself
 * and compares. It does so for contents that rest between motions (scene.h): once the number of a
 * frame has been there for STILL_AFTER, until the picture is exact or the next motion comes. */

#define STILL_AFTER  (200 * TICK_MS)
#define STILL_WITHIN (2 * TICK_S) /* a shorter rest that did not become exact says nothing */
#define STILL_RESTS  1024

struct still {
    struct scene *scene; /* NULL: nothing is compared */
    bool known;
    uint32_t frame; /* on the screen, and since when */
    tick_t since;
    enum { STILL_MOVES, STILL_COMPARED, STILL_EXACT } state;
    double exact_ms[STILL_RESTS]; /* from drawing the frame until it was exact */
    size_t exact;
    unsigned never; /* rests that ended before it was */
};

#define COLOUR 0xffffffu

/* False when memory is short. `kind` NULL, or one that never rests: nothing is compared. */
static bool still_open(struct still *s, const struct scene_kind *kind, int width, int height,
                       uint32_t seed)
{
    memset(s, 0, sizeof *s);
    if (!kind || kind->rest_s <= 0)
        return true;
    s->scene = scene_create(kind, width, height, seed);
    return s->scene != NULL;
}

static void still_close(struct still *s)
{
    scene_destroy(s->scene);
    s->scene = NULL;
}

/* Only the content's own picture of presses is not known here. */
static bool is_input(const struct scene *scene, int x, int y)
{
    return x >= scene->input_at.x && x < scene->input_at.x + MARK_WIDTH && y >= scene->input_at.y &&
           y < scene->input_at.y + MARK_HEIGHT;
}

static bool is_exact(const struct scene *scene, const struct mark_picture *screen, int x, int y)
{
    struct mark_picture p = scene_picture(scene);

    x -= scene->frame_at.x;
    y -= scene->frame_at.y;
    if (x < 0 || y < 0 || x + scene->width > screen->width || y + scene->height > screen->height)
        return false;
    for (int row = 0; row < scene->height; row++) {
        const uint32_t *drawn = p.pixels + (long)row * p.stride;
        const uint32_t *seen = screen->pixels + (long)(y + row) * screen->stride + x;

        for (int column = 0; column < scene->width; column++)
            if ((drawn[column] ^ seen[column]) & COLOUR && !is_input(scene, column, row))
                return false;
    }
    return true;
}

/* The frame mark at (x, y) of the screen was read at `now`. Not `counts`: outside of what is
 * measured. */
static void still_look(struct still *s, const struct mark_picture *screen, int x, int y,
                       const struct mark *m, bool counts, tick_t now)
{
    if (!s->scene || m->time == 0)
        return;
    if (!s->known || m->number != s->frame) {
        if (s->state == STILL_COMPARED && counts && now - s->since >= STILL_WITHIN)
            s->never++;
        s->known = true;
        s->frame = m->number;
        s->since = now;
        s->state = STILL_MOVES;
    }
    if (s->state == STILL_MOVES && now - s->since >= STILL_AFTER) {
        scene_draw(s->scene, m->number, m->time);
        s->state = STILL_COMPARED;
    }
    if (s->state != STILL_COMPARED || !is_exact(s->scene, screen, x, y))
        return;
    s->state = STILL_EXACT;
    if (counts && s->exact < STILL_RESTS)
        s->exact_ms[s->exact++] = tick_to_ms(mark_age(m, now));
}

/* One JSON object in one line, without a newline. */
static void still_write(const struct still *s, FILE *to)
{
    fprintf(to, "{\"never\":%u,\"exact_ms\":[", s->never);
    for (size_t i = 0; i < s->exact; i++)
        fprintf(to, "%s%.1f", i ? "," : "", s->exact_ms[i]);
    fputs("]}", to);
}

/* ---- the eye ---- */

#define PRIORITY 10

struct eye {
    const struct eye_options *options;
    struct xwd screen;
    struct lookout lookout;
    struct sightings sightings;
    struct still still;
    struct beside beside;
    struct arrival arrival;
    struct compare *compare; /* NULL: the content is not known */
    struct hand *hand;       /* NULL: no presses */
    struct press_clock presses;
    bool placed; /* the hand is on the content */
};

static tick_t eye_seconds(double s)
{
    return (tick_t)(s * (double)TICK_S);
}

/* With what was seen, once it is. */
static bool eye_event(const char *name, tick_t at, const struct eye *seen)
{
    printf("{\"event\":\"%s\",\"at_s\":%.6f", name, tick_to_s(at));
    if (seen) {
        fputs(",\"sightings\":", stdout);
        sightings_write(&seen->sightings, stdout);
    }
    if (seen && seen->still.scene) {
        fputs(",\"still\":", stdout);
        still_write(&seen->still, stdout);
    }
    if (seen && seen->beside.scene) {
        fputs(",\"beside\":", stdout);
        beside_write(&seen->beside, stdout);
    }
    if (seen && seen->arrival.scene) {
        fputs(",\"arrival\":", stdout);
        arrival_write(&seen->arrival, stdout);
    }
    if (seen && seen->compare) {
        fputs(",\"picture\":", stdout);
        compare_write(seen->compare, stdout);
    }
    puts("}");
    if (fflush(stdout) == 0)
        return true;
    eye_error("cannot write to standard output");
    return false;
}

/* A look must not wait for the programs it watches. Where that is not permitted, it has to. */
static void look_sharp(void)
{
    struct sched_param p = {.sched_priority = PRIORITY};

    sched_setscheduler(0, SCHED_FIFO, &p);
    prctl(PR_SET_TIMERSLACK, 1UL);
}

/* The middle of the content: between the frame's marks, or what is known of it. */
static void place_hand(struct eye *e)
{
    const struct lookout_place *a = &e->lookout.places[SIGHTING_FRAME],
                               *b = &e->lookout.places[SIGHTING_FRAME_END];
    int x = a->x + MARK_WIDTH + MARK_CELL, y = a->y + MARK_HEIGHT + MARK_CELL;

    if (b->known) {
        x = (a->x + b->x + MARK_WIDTH) / 2;
        y = (a->y + b->y + MARK_HEIGHT) / 2;
    }
    hand_place(e->hand, x, y);
    if (e->compare)
        compare_pointer(e->compare, x, y);
    e->placed = true;
}

static void press_if_due(struct eye *e, tick_t now)
{
    if (!e->hand || !e->sightings.input_known || !press_clock_due(&e->presses, now))
        return;
    if (!e->placed) {
        place_hand(e);
        now = tick_now();
    }
    if (!sightings_press(&e->sightings, now))
        return;
    hand_press(e->hand, e->options->press);
    arrival_press(&e->arrival, sightings_measures(&e->sightings, now), now);
}

static void see_still(struct eye *e, const struct sighting *what, tick_t now)
{
    const struct lookout_place *at = &e->lookout.places[SIGHTING_FRAME];
    const struct mark *frame = &what->marks[SIGHTING_FRAME];
    bool counts = sightings_measures(&e->sightings, now);

    if (!what->seen[SIGHTING_FRAME])
        return;
    still_look(&e->still, &e->screen.picture, at->x, at->y, frame, counts, now);
    beside_look(&e->beside, &e->screen.picture, at->x, at->y, frame, counts, now);
}

/* Looks, until `until` or `done`. */
static tick_t eye_watch(struct eye *e, tick_t until, bool (*done)(const struct eye *, tick_t))
{
    tick_t period = eye_seconds(1 / e->options->looks_per_s), due = tick_now(), now = due;

    while (now < until && !(done && done(e, now))) {
        struct timespec at = tick_to_timespec(due);
        struct sighting what;

        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
        }
        now = tick_now();
        lookout_look(&e->lookout, &e->screen.picture, now, &what);
        sightings_look(&e->sightings, &what, now);
        see_still(e, &what, now);
        if (e->placed)
            arrival_look(&e->arrival, &e->screen.picture, e->lookout.places[SIGHTING_FRAME].x,
                         e->lookout.places[SIGHTING_FRAME].y, now);
        if (e->compare && sightings_measures(&e->sightings, now))
            compare_look(e->compare, &e->screen.picture, &e->lookout, &what, now);
        press_if_due(e, now);
        due += period;
        if (due < now) /* looks that were missed are not made up for */
            due = now;
    }
    return now;
}

static bool first_known(const struct eye *e, tick_t now)
{
    return sightings_first(&e->sightings, now) != TICK_NEVER;
}

static bool all_answered(const struct eye *e, tick_t now)
{
    return sightings_waiting(&e->sightings) == 0;
}

static bool eye_await_picture(struct eye *e, tick_t *first)
{
    const struct sightings *s = &e->sightings;
    tick_t now = eye_watch(e, tick_now() + eye_seconds(e->options->limit_s), first_known);

    *first = sightings_first(s, now);
    if (*first != TICK_NEVER)
        return true;
    if (s->first_mark == TICK_NEVER)
        eye_error("no mark was seen within %g s: does the viewer show the content, and unscaled?",
                  e->options->limit_s);
    else
        eye_error(
            "no whole picture was seen within %g s: some marks show, but not all, or not with "
            "the same number",
            e->options->limit_s);
    return false;
}

static bool eye_observe(struct eye *e)
{
    const struct eye_options *o = e->options;
    struct sightings *s = &e->sightings;
    tick_t first, begin, end;

    if (!eye_await_picture(e, &first) || !eye_event("first_picture", first, NULL))
        return false;
    press_clock_start(&e->presses, tick_now());
    eye_watch(e, first + eye_seconds(o->warm_up_s), NULL);
    if (e->hand && !s->input_known) {
        eye_error("no mark that counts presses was seen: is it outside of what the viewer shows?");
        return false;
    }
    begin = tick_now();
    sightings_begin(s, begin, eye_seconds(o->duration_s));
    if (!eye_event("begin", begin, NULL))
        return false;
    end = begin + eye_seconds(o->duration_s);
    eye_watch(e, end, NULL);
    sightings_end(s, tick_now());
    press_clock_stop(&e->presses);
    eye_watch(e, end + SIGHTINGS_GRACE, all_answered);
    if (e->compare)
        compare_finish(e->compare);
    return eye_event("end", end, e);
}

static bool eye_run(const struct eye_options *o)
{
    struct eye e = {.options = o};
    bool ok = false, ready;

    lookout_init(&e.lookout);
    press_clock_init(&e.presses, tick_from_ms(o->press_every_ms), o->seed);
    ready = sightings_init(&e.sightings) &&
            still_open(&e.still, o->scene, o->width, o->height, (uint32_t)o->seed) &&
            beside_open(&e.beside, o->scene, o->width, o->height, (uint32_t)o->seed) &&
            arrival_open(&e.arrival, o->scene, (uint32_t)o->seed);
    if (ready && o->scene) {
        e.compare = compare_open(o->scene, o->width, o->height, (uint32_t)o->seed);
        ready = e.compare != NULL;
    }
    if (!ready)
        eye_error("out of memory");
    if (ready && xwd_open(&e.screen, o->frame_buffer) &&
        (o->press_every_ms <= 0 || (e.hand = hand_open(o->display)))) {
        look_sharp();
        ok = eye_observe(&e);
    }
    hand_close(e.hand);
    xwd_close(&e.screen);
    still_close(&e.still);
    beside_close(&e.beside);
    arrival_close(&e.arrival);
    compare_close(e.compare);
    sightings_deinit(&e.sightings);
    return ok;
}

int main(int argc, char **argv)
{
    struct eye_options o;
    int status = eye_options_parse(&o, argc, argv);

    if (status >= 0)
        return status;
    return eye_run(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
}
