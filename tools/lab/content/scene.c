#include "tools/lab/content/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lab/content/scene_kinds.h"

/* The smallest screen that the lab uses. */
#define SCREEN_WIDTH  1024
#define SCREEN_HEIGHT 768

#define GAP    8
#define COLUMN (MARK_WIDTH + GAP)
#define GROUND 0x808080

const struct scene_kind *const scene_kinds[] = {
    &scene_video,    &scene_inactive, &scene_typing,  &scene_scrolling, &scene_drag,
    &scene_pages,    &scene_letter,   &scene_scroll,  &scene_fill,      &scene_bitmap,
    &scene_image,    &scene_menu,     &scene_presses, &scene_starts,    &scene_writing,
    &scene_terminal, &scene_browsing, &scene_windows, &scene_captions,  NULL,
};

const struct scene_kind *scene_kind_find(const char *name)
{
    for (int i = 0; scene_kinds[i]; i++)
        if (strcmp(scene_kinds[i]->name, name) == 0)
            return scene_kinds[i];
    return NULL;
}

bool scene_fits(const struct scene_kind *kind, int width, int height)
{
    return !kind->min_width || (width >= kind->min_width && height >= kind->min_height &&
                                width <= SCENE_SIZE_MAX && height <= SCENE_SIZE_MAX);
}

static void place_frame_marks(struct scene *s)
{
    enum scene_marks marks = s->kind->marks;

    s->area = (struct rect){0, 0, s->width, s->height};
    s->frame_at.there = marks != SCENE_MARKS_NONE;
    s->end_at.there = marks == SCENE_MARKS_INSIDE || marks == SCENE_MARKS_ASIDE;
    s->end_at.y = s->height - MARK_HEIGHT;
    if (marks == SCENE_MARKS_INSIDE)
        s->end_at.x = s->width - MARK_WIDTH;
    if (marks == SCENE_MARKS_ASIDE) {
        s->area.x = COLUMN;
        s->area.w -= COLUMN;
    }
}

/* Right of the content, or below it, or in its top right corner: where there is room on a screen.
 * The window is as large as both need. */
static void place_input_mark(struct scene *s)
{
    int w = s->width, h = s->height;

    s->window = (struct rect){0, 0, w, h};
    s->input_at.there = true;
    if (w + GAP + MARK_WIDTH <= SCREEN_WIDTH) {
        s->input_at.x = w + GAP;
        s->window.w = w + GAP + MARK_WIDTH;
    } else if (h + GAP + MARK_HEIGHT <= SCREEN_HEIGHT) {
        s->input_at.y = h + GAP;
        s->window.h = h + GAP + MARK_HEIGHT;
    } else {
        s->input_at.x = w - MARK_WIDTH;
    }
    if (s->kind->marks == SCENE_MARKS_NONE) { /* the content is somebody else's */
        s->window = (struct rect){s->input_at.x, s->input_at.y, MARK_WIDTH, MARK_HEIGHT};
        s->input_at.x = s->input_at.y = 0;
    }
}

/* Below the content. */
static void place_beside(struct scene *s)
{
    if (s->kind->beside == 0)
        return;
    s->beside = (struct rect){0, s->height + GAP, s->width, s->kind->beside};
    s->window.h = s->beside.y + s->beside.h;
}

static void scene_draw_mark(struct scene *s, const struct scene_place *at, struct mark m)
{
    struct mark_picture p = scene_picture(s);

    if (at->there)
        mark_draw(&p, at->x, at->y, &m);
}

struct scene *scene_create(const struct scene_kind *kind, int width, int height, uint32_t seed)
{
    struct scene *s = calloc(1, sizeof *s);
    struct scene_change change = {.count = 0};

    if (!s)
        return NULL;
    s->kind = kind;
    s->seed = seed;
    s->width = width && kind->min_width ? width : kind->width;
    s->height = height && kind->min_width ? height : kind->height;
    s->input.kind = MARK_INPUT;
    place_frame_marks(s);
    place_input_mark(s);
    place_beside(s);
    s->canvas.width = s->window.w;
    s->canvas.height = s->window.h;
    s->canvas.pixels = calloc((size_t)s->window.w * (size_t)s->window.h, sizeof *s->canvas.pixels);
    if (!s->canvas.pixels || (kind->open && !kind->open(s))) {
        scene_destroy(s);
        return NULL;
    }
    canvas_fill(&s->canvas, (struct rect){0, 0, s->window.w, s->window.h}, GROUND);
    if (kind->paint)
        kind->paint(s, 0);
    scene_draw_mark(s, &s->input_at, s->input);
    scene_stamp(s, 0, &change);
    return s;
}

void scene_destroy(struct scene *s)
{
    if (s) {
        if (s->kind->close)
            s->kind->close(s);
        free(s->state);
        free(s->canvas.pixels);
        free(s);
    }
}

struct mark_picture scene_picture(const struct scene *s)
{
    return (struct mark_picture){s->canvas.pixels, s->canvas.width, s->canvas.height,
                                 s->canvas.width};
}

uint64_t scene_slot(const struct scene *s, uint64_t slot, double fps)
{
    uint64_t each = (uint64_t)ceil(s->kind->rest_s * fps);

    return each && slot / each % 2 ? (slot / each + 1) * each : slot;
}

void scene_next(struct scene *s, struct scene_change *change)
{
    change->count = 0;
    s->frame++;
    if (s->kind->beside && s->frame % s->kind->beside_every == 0) {
        s->kind->paint_beside(s, s->frame / s->kind->beside_every);
        scene_put(change, s->beside);
    }
    s->kind->step(s, s->frame, change);
}

static bool scene_contains(struct rect a, struct rect b)
{
    return b.x >= a.x && b.y >= a.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h;
}

static void add_mark(struct scene_change *change, const struct scene_place *at)
{
    struct rect r = {at->x, at->y, MARK_WIDTH, MARK_HEIGHT};

    for (int i = 0; i < change->count; i++)
        if (change->ops[i].kind == SCENE_PUT && scene_contains(change->ops[i].area, r))
            return;
    if (at->there)
        scene_put(change, r);
}

void scene_stamp(struct scene *s, uint32_t time, struct scene_change *change)
{
    struct mark m = {MARK_FRAME_END, s->frame, time};

    scene_draw_mark(s, &s->end_at, m);
    m.kind = MARK_FRAME;
    scene_draw_mark(s, &s->frame_at, m);
    add_mark(change, &s->end_at);
    add_mark(change, &s->frame_at);
    /* where the frame was drawn over it, it goes out with the frame */
    scene_draw_mark(s, &s->input_at, s->input);
}

void scene_draw(struct scene *s, uint32_t number, uint32_t time)
{
    struct scene_change change = {.count = 0};

    s->frame = number;
    s->kind->paint(s, number);
    scene_stamp(s, time, &change);
}

void scene_press(struct scene *s, uint32_t time, struct scene_change *change)
{
    s->input.number = (s->input.number + 1) & MARK_NUMBER_MAX;
    s->input.time = time;
    scene_draw_mark(s, &s->input_at, s->input);
    change->count = 0;
    add_mark(change, &s->input_at);
}

void scene_add(struct scene_change *change, struct scene_op op)
{
    if (op.area.w > 0 && op.area.h > 0 && change->count < SCENE_OPS_MAX)
        change->ops[change->count++] = op;
}

void scene_put(struct scene_change *change, struct rect area)
{
    scene_add(change, (struct scene_op){.kind = SCENE_PUT, .area = area});
}

void scene_move(struct scene *s, struct scene_change *change, struct rect area, int dx, int dy)
{
    long stride = s->canvas.width;
    uint32_t *pixels = s->canvas.pixels;

    for (int i = 0; i < area.h; i++) {
        int row = dy > 0 ? area.h - 1 - i : i; /* no row is overwritten before it was moved */
        uint32_t *from = pixels + (area.y + row) * stride + area.x;

        memmove(from + dy * stride + dx, from, (size_t)area.w * sizeof *from);
    }
    scene_add(change, (struct scene_op){
                          .kind = SCENE_COPY,
                          .area = {area.x + dx, area.y + dy, area.w, area.h},
                          .from_x = area.x,
                          .from_y = area.y,
                      });
}
