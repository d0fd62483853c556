#include "tools/marks/lookout.h"

#include <string.h>

/* So long after the first mark the others are searched for often, too, and one that vanishes is
 * missed at once: a slow link shows the parts of the first picture one after the other, and a new
 * window may still move. */
#define COMPLETE_WITHIN (3 * TICK_S)
#define MOVED_AFTER     (100 * TICK_MS)

/* Searches that come soon after the picture has changed. Chosen: a window appears, is resized, and
 * gets the first picture in parts. */
#define SOON_MAX 20
/* Pixels from one that is sampled to the next: less than the sides of a mark. */
#define SAMPLE_STEP 32

void lookout_init(struct lookout *l)
{
    memset(l, 0, sizeof *l);
    l->searched = TICK_NEVER;
    l->found = TICK_NEVER;
    l->soon = SOON_MAX;
}

static uint32_t lookout_sample(const struct mark_picture *p)
{
    uint32_t sum = 0;

    for (int y = 0; y < p->height; y += SAMPLE_STEP)
        for (int x = 0; x < p->width; x += SAMPLE_STEP)
            sum = sum * 31 + p->pixels[y * p->stride + x];
    return sum;
}

static bool lookout_begins(const struct lookout *l, tick_t now)
{
    return l->found == TICK_NEVER || now - l->found < COMPLETE_WITHIN;
}

/* A mark that was never found may not exist; one that was is missed after a while. */
static bool lookout_missing(const struct lookout *l, const struct lookout_place *place, tick_t now)
{
    return !place->known ||
           now - place->seen >= (lookout_begins(l, now) ? MOVED_AFTER : LOOKOUT_LOST_AFTER);
}

static bool search_soon(const struct lookout *l, const struct mark_picture *p, tick_t now)
{
    return l->soon > 0 && lookout_begins(l, now) && now - l->searched >= LOOKOUT_SEARCH_SOON &&
           lookout_sample(p) != l->sample;
}

static bool search_due(const struct lookout *l, const struct mark_picture *p, tick_t now)
{
    bool often = lookout_begins(l, now), any = false;

    for (int i = 0; i < SIGHTING_KINDS; i++) {
        any = any || lookout_missing(l, &l->places[i], now);
        often = often || (l->places[i].known && lookout_missing(l, &l->places[i], now));
    }
    return any && (l->searched == TICK_NEVER ||
                   now - l->searched >= (often ? LOOKOUT_SEARCH_OFTEN : LOOKOUT_SEARCH_RARELY) ||
                   search_soon(l, p, now));
}

static void lookout_search(struct lookout *l, const struct mark_picture *p, tick_t now,
                           struct sighting *out)
{
    if (l->searched != TICK_NEVER && now - l->searched < LOOKOUT_SEARCH_OFTEN)
        l->soon--;
    l->searched = now;
    l->sample = lookout_sample(p);
    for (int i = 0; i < SIGHTING_KINDS; i++) {
        struct lookout_place *place = &l->places[i];
        int x, y;

        if (!lookout_missing(l, place, now))
            continue;
        out->seen[i] = mark_find(p, MARK_FRAME + i, &x, &y, &out->marks[i]);
        if (out->seen[i])
            *place =
                (struct lookout_place){.known = true, .x = x, .y = y, .seen = now, .exact = now};
        if (out->seen[i] && l->found == TICK_NEVER)
            l->found = now;
    }
}

void lookout_look(struct lookout *l, const struct mark_picture *p, tick_t now, struct sighting *out)
{
    memset(out, 0, sizeof *out);
    if (p->width != l->width || p->height != l->height) {
        memset(l->places, 0, sizeof l->places);
        l->found = TICK_NEVER;
        l->searched = TICK_NEVER;
        l->soon = SOON_MAX;
        l->width = p->width;
        l->height = p->height;
    }
    for (int i = 0; i < SIGHTING_KINDS; i++) {
        struct lookout_place *place = &l->places[i];
        struct mark again;

        out->seen[i] = place->known && mark_read(p, place->x, place->y, &out->marks[i]) &&
                       out->marks[i].kind == (enum mark_kind)(MARK_FRAME + i);
        if (!out->seen[i])
            continue;
        place->seen = now;
        if (now - place->exact >= LOOKOUT_SEARCH_RARELY &&
            mark_settle(p, &place->x, &place->y, &again))
            place->exact = now;
    }
    if (search_due(l, p, now))
        lookout_search(l, p, now, out);
}
