#include "tools/lab/eye/arrival.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lab/eye/likeness.h"

#define CELL 16

/* Draws what the press with this number opens. */
static void arrival_await(struct arrival *a, uint32_t number)
{
    struct scene *s = a->scene;

    s->kind->paint(s, number - 1);
    memcpy(a->before, s->canvas.pixels,
           (size_t)s->canvas.width * (size_t)s->canvas.height * sizeof *a->before);
    s->kind->paint(s, number);
}

bool arrival_open(struct arrival *a, const struct scene_kind *kind, uint32_t seed)
{
    memset(a, 0, sizeof *a);
    a->pressed = TICK_NEVER;
    if (!kind || !kind->opens)
        return true;
    a->scene = scene_create(kind, 0, 0, seed);
    if (a->scene)
        a->before = calloc((size_t)a->scene->canvas.width * (size_t)a->scene->canvas.height,
                           sizeof *a->before);
    if (!a->before)
        return false;
    arrival_await(a, 1);
    return true;
}

void arrival_close(struct arrival *a)
{
    scene_destroy(a->scene);
    free(a->before);
    a->scene = NULL;
    a->before = NULL;
}

void arrival_press(struct arrival *a, bool counts, tick_t now)
{
    if (!a->scene)
        return;
    a->presses++;
    if (a->presses % 2 == 0) { /* it is closed, seen or not */
        a->pressed = TICK_NEVER;
        arrival_await(a, a->presses + 1);
        return;
    }
    a->pressed = now;
    a->counts = counts;
    a->step = 0;
}

/* Whether the cell changes at all, and whether it has. */
static void arrival_cell(const struct arrival *a, const struct mark_picture *screen, int dx, int dy,
                         struct rect cell, bool *changes, bool *there)
{
    const struct canvas *c = &a->scene->canvas;
    uint64_t to_new = 0, to_old = 0;

    *changes = false;
    for (int y = cell.y; y < cell.y + cell.h; y++) {
        const uint32_t *drawn = c->pixels + (long)y * c->width,
                       *old = a->before + (long)y * c->width,
                       *seen = screen->pixels + (long)(y + dy) * screen->stride + dx;

        for (int x = cell.x; x < cell.x + cell.w; x++) {
            *changes = *changes || drawn[x] != old[x];
            to_new += likeness_difference(seen[x], drawn[x]);
            to_old += likeness_difference(seen[x], old[x]);
        }
    }
    *there = to_new < to_old;
}

/* Below 0 where the content is not all on the screen. */
static double arrival_share(const struct arrival *a, const struct mark_picture *screen, int dx,
                            int dy)
{
    const struct rect r = a->scene->area;
    unsigned changed = 0, arrived = 0;

    if (r.x + dx < 0 || r.y + dy < 0 || r.x + dx + r.w > screen->width ||
        r.y + dy + r.h > screen->height)
        return -1;
    for (int y = r.y; y + CELL <= r.y + r.h; y += CELL)
        for (int x = r.x; x + CELL <= r.x + r.w; x += CELL) {
            bool changes, there;

            arrival_cell(a, screen, dx, dy, (struct rect){x, y, CELL, CELL}, &changes, &there);
            changed += changes;
            arrived += changes && there;
        }
    return changed ? (double)arrived / changed : -1;
}

static void arrival_end(struct arrival *a)
{
    a->pressed = TICK_NEVER;
    if (!a->counts)
        return;
    a->openings++;
    for (int i = 0; i < ARRIVAL_STEPS; i++)
        a->shares[i] += a->share[i];
}

void arrival_look(struct arrival *a, const struct mark_picture *screen, int x, int y, tick_t now)
{
    double share;

    if (!a->scene || a->pressed == TICK_NEVER || now < a->pressed + a->step * ARRIVAL_STEP)
        return;
    share = arrival_share(a, screen, x - a->scene->frame_at.x, y - a->scene->frame_at.y);
    if (share < 0 || (a->step == 0 && share > 0)) {
        a->left_out += a->counts;
        a->pressed = TICK_NEVER;
        return;
    }
    /* looks that were missed see what this one sees */
    while (a->step < ARRIVAL_STEPS && a->pressed + a->step * ARRIVAL_STEP <= now)
        a->share[a->step++] = share;
    if (a->step == ARRIVAL_STEPS)
        arrival_end(a);
}

void arrival_write(const struct arrival *a, FILE *to)
{
    fprintf(to, "{\"openings\":%u,\"left_out\":%u,\"step_ms\":%g,\"shares\":[", a->openings,
            a->left_out, tick_to_ms(ARRIVAL_STEP));
    for (int i = 0; a->openings && i < ARRIVAL_STEPS; i++)
        fprintf(to, "%s%.4f", i ? "," : "", a->shares[i] / a->openings);
    fputs("]}", to);
}
