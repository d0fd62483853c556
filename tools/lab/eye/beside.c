#include "tools/lab/eye/beside.h"

#include <string.h>

#define COLOUR 0xffffffu

bool beside_open(struct beside *b, const struct scene_kind *kind, int width, int height,
                 uint32_t seed)
{
    memset(b, 0, sizeof *b);
    if (!kind || kind->beside == 0)
        return true;
    b->scene = scene_create(kind, width, height, seed);
    return b->scene != NULL;
}

void beside_close(struct beside *b)
{
    scene_destroy(b->scene);
    b->scene = NULL;
}

static void beside_await(struct beside *b, uint32_t number)
{
    b->number = number;
    b->exact_at = TICK_NEVER;
    b->scene->kind->paint_beside(b->scene, number);
}

static bool beside_is_exact(const struct scene *scene, const struct mark_picture *screen, int x,
                            int y)
{
    const struct mark_picture p = scene_picture(scene);
    const struct rect *r = &scene->beside;

    x += r->x - scene->frame_at.x;
    y += r->y - scene->frame_at.y;
    if (x < 0 || y < 0 || x + r->w > screen->width || y + r->h > screen->height)
        return false;
    for (int row = 0; row < r->h; row++) {
        const uint32_t *drawn = p.pixels + (long)(r->y + row) * p.stride + r->x;
        const uint32_t *seen = screen->pixels + (long)(y + row) * screen->stride + x;

        for (int column = 0; column < r->w; column++)
            if ((drawn[column] ^ seen[column]) & COLOUR)
                return false;
    }
    return true;
}

/* When the frame that the awaited strip came with was drawn, as this later frame's mark says. */
static tick_t beside_drawn(const struct beside *b, const struct mark *m, tick_t now)
{
    tick_t drawn = now - mark_age(m, now);
    uint32_t later = m->number - b->number * b->scene->kind->beside_every;

    return drawn - (drawn - b->first_drawn) / (m->number - b->first) * later;
}

static void beside_begin(struct beside *b, const struct mark *m, tick_t now)
{
    b->begun = true;
    b->first = m->number;
    b->first_drawn = now - mark_age(m, now);
    beside_await(b, m->number / b->scene->kind->beside_every + 1);
}

void beside_look(struct beside *b, const struct mark_picture *screen, int x, int y,
                 const struct mark *m, bool counts, tick_t now)
{
    uint32_t newest;

    if (!b->scene || m->time == 0)
        return;
    if (!b->begun)
        beside_begin(b, m, now);
    if (b->exact_at == TICK_NEVER && beside_is_exact(b->scene, screen, x, y))
        b->exact_at = now;
    newest = m->number / b->scene->kind->beside_every;
    if (newest < b->number)
        return;
    if (b->exact_at != TICK_NEVER) {
        if (counts && b->exact < BESIDE_MOST)
            b->exact_ms[b->exact++] = tick_to_ms(b->exact_at - beside_drawn(b, m, now));
        beside_await(b, b->number + 1);
    } else if (newest > b->number) {
        b->never += counts;
        beside_await(b, newest);
    }
}

void beside_write(const struct beside *b, FILE *to)
{
    fprintf(to, "{\"never\":%u,\"exact_ms\":[", b->never);
    for (size_t i = 0; i < b->exact; i++)
        fprintf(to, "%s%.1f", i ? "," : "", b->exact_ms[i]);
    fputs("]}", to);
}
