#include "viewer/headless/marks.h"

#include <stdlib.h>

#include "tools/marks/lookout.h"
#include "tools/marks/press_clock.h"

#define KEYSYM_A 0x61

/* The same moments in every run. */
#define SEED 1

struct marks {
    struct lookout lookout;
    struct sightings *sightings;
    struct press_clock presses;
    bool pressing; /* presses are wanted */
};

struct marks *marks_create(double press_every_ms)
{
    struct marks *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    lookout_init(&m->lookout);
    press_clock_init(&m->presses, tick_from_ms(press_every_ms), SEED);
    m->pressing = press_every_ms > 0;
    m->sightings = calloc(1, sizeof *m->sightings);
    if (m->sightings && sightings_init(m->sightings))
        return m;
    marks_destroy(m);
    return NULL;
}

void marks_destroy(struct marks *m)
{
    if (!m)
        return;
    if (m->sightings)
        sightings_deinit(m->sightings);
    free(m->sightings);
    free(m);
}

void marks_look(struct marks *m, const struct framebuffer_view *view, tick_t now)
{
    /* reading only: the picture is the session's */
    struct mark_picture p = {.pixels = (uint32_t *)(uintptr_t)view->pixels,
                             .width = view->width,
                             .height = view->height,
                             .stride = view->width};
    struct sighting what;

    lookout_look(&m->lookout, &p, now, &what);
    sightings_look(m->sightings, &what, now);
}

tick_t marks_first(const struct marks *m, tick_t now)
{
    return sightings_first(m->sightings, now);
}

void marks_start_presses(struct marks *m, tick_t now)
{
    if (m->pressing)
        press_clock_start(&m->presses, now);
}

void marks_press_if_due(struct marks *m, struct session *s, tick_t now)
{
    if (!press_clock_due(&m->presses, now) || !sightings_press(m->sightings, now))
        return;
    session_send_key(s, KEYSYM_A, true);
    session_send_key(s, KEYSYM_A, false);
}

tick_t marks_next_press(const struct marks *m)
{
    return m->presses.next;
}

bool marks_begin(struct marks *m, tick_t now, struct reason *why)
{
    if (m->pressing && !m->sightings->input_known)
        return reason_set(why, "no mark that counts presses is in the picture: start the lab's "
                               "content, or leave out --press-every");
    sightings_begin(m->sightings, now, TICK_NEVER);
    return true;
}

void marks_end(struct marks *m, tick_t now)
{
    press_clock_stop(&m->presses);
    sightings_end(m->sightings, now);
}

bool marks_waiting(const struct marks *m)
{
    return sightings_waiting(m->sightings) > 0;
}

struct sightings *marks_take(struct marks *m)
{
    struct sightings *s = m->sightings;

    m->sightings = NULL;
    return s;
}
