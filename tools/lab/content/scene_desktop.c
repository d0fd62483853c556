/* Three desktops: `inactive`, where only a region of 80 x 80 pixels changes (the thesis's "inactive
 * screen"), `drag`, where an opaque window of 320 x 240 moves, and `windows`, where one of several
 * is raised, moved there and back, and then the next one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lab/content/photo.h"
#include "tools/lab/content/scene_kinds.h"
#include "tools/lab/content/text.h"

#define DESK        0x30607c
#define BAR_HEIGHT  22
#define BAR         0xc8ccd0
#define TITLE       0x26406c
#define PAPER       0xf6f6f2
#define INK         0x202020
#define REGION      80
#define DRAG_WIDTH  320
#define DRAG_HEIGHT 240

static void put_text(struct canvas *c, const struct face *f, int x, int y, int right,
                     const char *text, uint32_t colour)
{
    text_draw(c, f, x, y, right, text, strlen(text), colour);
}

static void draw_window(struct canvas *c, struct rect r, const char *title, uint32_t seed)
{
    uint32_t word = 0;

    canvas_fill(c, r, INK);
    canvas_fill(c, (struct rect){r.x + 1, r.y + 1, r.w - 2, r.h - 2}, PAPER);
    canvas_fill(c, (struct rect){r.x + 1, r.y + 1, r.w - 2, 20}, TITLE);
    put_text(c, &face_body, r.x + 8, r.y + 7, r.x + r.w - 24, title, 0xffffff);
    canvas_fill(c, (struct rect){r.x + r.w - 18, r.y + 5, 12, 12}, BAR);
    for (int y = r.y + 30; y + face_body.line <= r.y + r.h; y += face_body.line) {
        int x = r.x + 8, right = r.x + r.w - 8;

        for (;; word++) {
            char text[TEXT_WORD_MAX];
            size_t length = text_word(seed, word, text);

            if (x + text_width(&face_body, text, length) > right)
                break;
            x = text_draw(c, &face_body, x, y, right, text, length, INK);
        }
    }
}

static void draw_icon(struct canvas *c, int x, int y, const char *name, uint32_t colour)
{
    canvas_fill(c, (struct rect){x + 8, y, 32, 28}, INK);
    canvas_fill(c, (struct rect){x + 9, y + 1, 30, 26}, colour);
    canvas_fill(c, (struct rect){x + 13, y + 6, 22, 3}, PAPER);
    canvas_fill(c, (struct rect){x + 13, y + 12, 16, 3}, PAPER);
    put_text(c, &face_body, x, y + 33, x + 60, name, 0xffffff);
}

static void draw_bar(struct canvas *c, struct rect r)
{
    canvas_fill(c, r, BAR);
    canvas_fill(c, (struct rect){r.x, r.y, r.w, 1}, 0xffffff);
    canvas_fill(c, (struct rect){r.x + 3, r.y + 3, 50, r.h - 6}, 0xa8acb0);
    put_text(c, &face_body, r.x + 9, r.y + 7, r.x + 60, "Menu", INK);
    put_text(c, &face_body, r.x + r.w - 40, r.y + 7, r.x + r.w, "10:42", INK);
}

/* inactive */

/* The mark and, below it, a row of colours that changes with it. */
static void draw_region(struct scene *s, uint32_t n)
{
    for (int i = 0; i < 10; i++)
        canvas_fill(&s->canvas, (struct rect){i * 8, MARK_HEIGHT, 8, REGION - MARK_HEIGHT},
                    text_hash(s->seed + (uint32_t)i, n) & 0xffffff);
}

static void inactive_paint(struct scene *s, uint32_t n)
{
    struct canvas *c = &s->canvas;
    int w = s->width, h = s->height;

    canvas_fill(c, s->area, DESK);
    draw_icon(c, 16, REGION + 12, "Home", 0xd0a040);
    draw_icon(c, 16, REGION + 68, "Notes", 0x70a050);
    if (w >= 400 && h >= 240) {
        draw_window(c, (struct rect){REGION + 20, 14, w / 2, h / 2}, "Letter", s->seed);
        draw_window(c, (struct rect){w / 3 + 20, h / 3, w * 3 / 5, h / 2}, "Report", s->seed + 1);
    }
    draw_bar(c, (struct rect){0, h - BAR_HEIGHT, w, BAR_HEIGHT});
    draw_region(s, n);
}

static void inactive_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    draw_region(s, n);
    scene_put(change, (struct rect){0, 0, REGION, REGION});
}

const struct scene_kind scene_inactive = {
    .name = "inactive",
    .marks = SCENE_MARKS_CORNER,
    .fps = 30,
    .width = 640,
    .height = 360,
    .min_width = 240,
    .min_height = 240,
    .paint = inactive_paint,
    .step = inactive_step,
};

/* drag */

/* A closed smooth path through the whole area; moves every frame or nearly so. */
static struct rect drag_at(const struct scene *s, uint32_t n)
{
    double turn = 2 * 3.14159265358979 * n / 120;
    int free_x = s->area.w - DRAG_WIDTH, free_y = s->area.h - DRAG_HEIGHT;

    return (struct rect){s->area.x + (int)lround(free_x * (0.5 + 0.5 * sin(turn))),
                         s->area.y + (int)lround(free_y * (0.5 + 0.5 * sin(turn * 2 + 1))),
                         DRAG_WIDTH, DRAG_HEIGHT};
}

/* Weave: two colours, 8 pixels. */
static void draw_pattern(struct scene *s, struct rect r)
{
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++) {
            bool thread = ((x + y) & 7) == 0 || ((x - y) & 15) == 3;

            s->canvas.pixels[(long)y * s->canvas.width + x] = thread ? 0x5c8c6c : 0x406850;
        }
}

static void drag_paint(struct scene *s, uint32_t n)
{
    draw_pattern(s, s->area);
    draw_window(&s->canvas, drag_at(s, n), "Opaque move", s->seed);
}

/* As an X server moves a window: its bits are copied, what it covered before is drawn anew. */
static void drag_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    struct rect old = drag_at(s, n - 1), new = drag_at(s, n);
    int dx = new.x - old.x, dy = new.y - old.y;
    struct rect rows = {old.x, dy > 0 ? old.y : new.y + new.h, old.w, abs(dy)};
    struct rect columns = {dx > 0 ? old.x : new.x + new.w, dy > 0 ? new.y : old.y, abs(dx),
                           old.h - abs(dy)};

    if (!dx && !dy)
        return;
    scene_move(s, change, old, dx, dy);
    draw_pattern(s, rows);
    draw_pattern(s, columns);
    scene_put(change, rows);
    scene_put(change, columns);
}

const struct scene_kind scene_drag = {
    .name = "drag",
    .marks = SCENE_MARKS_ASIDE,
    .fps = 30,
    .width = 640,
    .height = 360,
    .min_width = 480,
    .min_height = 280,
    .paint = drag_paint,
    .step = drag_step,
};

/* windows */

#define WINDOWS        3
#define WINDOWS_TURN   31 /* frames: raised, 15 steps away and 15 back */
#define WINDOWS_STEP_X 12
#define WINDOWS_STEP_Y 4
#define WINDOWS_REST   4 /* s */

/* Which one is the uppermost at frame n. */
static int windows_top(uint32_t n)
{
    return (int)(n / WINDOWS_TURN % WINDOWS);
}

/* Only the uppermost one is away from its place. */
static struct rect windows_at(const struct scene *s, int window, uint32_t n)
{
    static const struct rect places[WINDOWS] = {
        {20, 20, 420, 330}, {220, 130, 440, 340}, {80, 260, 400, 320}};
    struct rect r = places[window];
    int step = (int)(n % WINDOWS_TURN);

    if (window == windows_top(n)) {
        step = step < WINDOWS_TURN / 2 ? step : WINDOWS_TURN - 1 - step;
        r.x += step * WINDOWS_STEP_X;
        r.y += step * WINDOWS_STEP_Y;
    }
    r.x += s->area.x;
    r.y += s->area.y;
    return r;
}

static void windows_draw(struct scene *s, int window, uint32_t n)
{
    static const char *const titles[WINDOWS] = {"Letter", "Pictures", "Report"};
    struct rect r = windows_at(s, window, n);

    draw_window(&s->canvas, r, titles[window], s->seed + (uint32_t)window);
    if (window == 1)
        photo_draw(&s->canvas, (struct rect){r.x + 10, r.y + 30, 240, 180}, s->seed);
}

static void windows_paint(struct scene *s, uint32_t n)
{
    int top = windows_top(n);

    canvas_fill(&s->canvas, s->area, DESK);
    draw_icon(&s->canvas, s->area.x + 820, 30, "Home", 0xd0a040);
    draw_icon(&s->canvas, s->area.x + 820, 100, "Notes", 0x70a050);
    draw_bar(&s->canvas, (struct rect){s->area.x, s->area.h - BAR_HEIGHT, s->area.w, BAR_HEIGHT});
    for (int i = 1; i <= WINDOWS; i++) /* the one that was raised last comes last */
        windows_draw(s, (top + i) % WINDOWS, n);
}

/* As an X server does it: a window that moves is copied, and what it covered before is drawn anew.
 */
static void windows_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    int top = windows_top(n), dx, dy;
    struct rect old = windows_at(s, top, n - 1), new = windows_at(s, top, n);

    windows_paint(s, n);
    if (n % WINDOWS_TURN == 0) {
        scene_put(change, new);
        return;
    }
    dx = new.x - old.x;
    dy = new.y - old.y;
    scene_add(change,
              (struct scene_op){.kind = SCENE_COPY, .area = new, .from_x = old.x, .from_y = old.y});
    scene_put(change, (struct rect){old.x, dy > 0 ? old.y : new.y + new.h, old.w, abs(dy)});
    scene_put(change, (struct rect){dx > 0 ? old.x : new.x + new.w, old.y, abs(dx), old.h});
}

const struct scene_kind scene_windows = {
    .name = "windows",
    .marks = SCENE_MARKS_ASIDE,
    .fps = 15,
    .rest_s = WINDOWS_REST,
    .width = 980,
    .height = 660,
    .paint = windows_paint,
    .step = windows_step,
};
