#include "tools/lab/eye/still.h"

#include <string.h>

#define COLOUR 0xffffffu

bool still_open(struct still *s, const struct scene_kind *kind, int width, int height,
                uint32_t seed)
{
    memset(s, 0, sizeof *s);
    if (!kind || kind->rest_s <= 0)
        return true;
    s->scene = scene_create(kind, width, height, seed);
    return s->scene != NULL;
}

void still_close(struct still *s)
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

void still_look(struct still *s, const struct mark_picture *screen, int x, int y,
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

void still_write(const struct still *s, FILE *to)
{
    fprintf(to, "{\"never\":%u,\"exact_ms\":[", s->never);
    for (size_t i = 0; i < s->exact; i++)
        fprintf(to, "%s%.1f", i ? "," : "", s->exact_ms[i]);
    fputs("]}", to);
}
