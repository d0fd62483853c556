/* Two terminals: `typing`, where a letter appears at a time, and `scrolling`, where a line does;
 * `writing` and `terminal` are the same with rests. All change the picture as terminals do: they
 * copy the lines up and draw only what is new. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lab/content/scene_kinds.h"
#include "tools/lab/content/text.h"

#define TITLE_HEIGHT 20
#define INSET        4
#define TITLE        0x3b5a8c
#define GROUND       0x101418
#define INK          0xd8dcd8
#define CURSOR       0x60c060
#define PROSE        65536
#define REST         4 /* s */

struct terminal {
    struct rect cells; /* whole cells only */
    int columns, rows;
    size_t length;
    char prose[PROSE];
};

static bool terminal_open(struct scene *s)
{
    struct terminal *t = calloc(1, sizeof *t);

    if (!t)
        return false;
    s->state = t;
    t->columns = (s->area.w - 2 * INSET) / face_terminal.advance;
    t->rows = (s->area.h - TITLE_HEIGHT - 2 * INSET) / face_terminal.line;
    t->cells = (struct rect){s->area.x + INSET, s->area.y + TITLE_HEIGHT + INSET,
                             t->columns * face_terminal.advance, t->rows * face_terminal.line};
    for (uint32_t i = 0; t->length + TEXT_WORD_MAX <= PROSE; i++)
        t->length += text_word(s->seed, i, t->prose + t->length);
    return true;
}

static void scene_terminal_draw_frame(struct scene *s, const char *title)
{
    struct rect bar = {s->area.x, s->area.y, s->area.w, TITLE_HEIGHT};

    canvas_fill(&s->canvas, s->area, GROUND);
    canvas_fill(&s->canvas, bar, TITLE);
    text_draw(&s->canvas, &face_terminal, bar.x + 8, bar.y + 6, bar.x + bar.w, title, strlen(title),
              0xffffff);
}

static struct rect row_area(const struct terminal *t, int row)
{
    return (struct rect){t->cells.x, t->cells.y + row * face_terminal.line, t->cells.w,
                         face_terminal.line};
}

/* All lines but the first move up by one; the last is empty. */
static void scroll_up(struct scene *s, struct scene_change *change)
{
    const struct terminal *t = s->state;
    struct rect moved = t->cells;

    moved.y += face_terminal.line;
    moved.h -= face_terminal.line;
    scene_move(s, change, moved, 0, -face_terminal.line);
    canvas_fill(&s->canvas, row_area(t, t->rows - 1), GROUND);
}

/* typing: after frame n, n characters have been typed. */

static struct rect cell_area(const struct terminal *t, int row, int column)
{
    return (struct rect){t->cells.x + column * face_terminal.advance,
                         t->cells.y + row * face_terminal.line, face_terminal.advance,
                         face_terminal.line};
}

/* The row on the screen of character k when n are typed. */
static int typed_row(const struct terminal *t, uint32_t k, uint32_t n)
{
    int row = (int)(k / (uint32_t)t->columns), last = (int)(n / (uint32_t)t->columns);

    return last < t->rows ? row : row - (last - t->rows + 1);
}

static struct rect draw_typed(struct scene *s, uint32_t k, uint32_t n)
{
    const struct terminal *t = s->state;
    struct rect r = cell_area(t, typed_row(t, k, n), (int)(k % (uint32_t)t->columns));

    canvas_fill(&s->canvas, r, k == n ? CURSOR : GROUND);
    if (k != n)
        text_draw(&s->canvas, &face_terminal, r.x, r.y + 1, r.x + r.w, t->prose + k % t->length, 1,
                  INK);
    return r;
}

static void typing_paint(struct scene *s, uint32_t n)
{
    const struct terminal *t = s->state;
    uint32_t columns = (uint32_t)t->columns, last = n / columns, rows = (uint32_t)t->rows;

    scene_terminal_draw_frame(s, "typing");
    for (uint32_t k = last < rows ? 0 : (last - rows + 1) * columns; k <= n; k++)
        draw_typed(s, k, n);
}

static void typing_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    const struct terminal *t = s->state;
    bool wraps = n % (uint32_t)t->columns == 0;
    bool scrolls = wraps && n / (uint32_t)t->columns >= (uint32_t)t->rows;

    if (scrolls)
        scroll_up(s, change);

    struct rect typed = draw_typed(s, n - 1, n), cursor = draw_typed(s, n, n);

    if (scrolls) {
        scene_put(change, typed);
        scene_put(change, row_area(t, t->rows - 1));
    } else if (wraps) {
        scene_put(change, typed);
        scene_put(change, cursor);
    } else {
        typed.w += cursor.w;
        scene_put(change, typed);
    }
}

const struct scene_kind scene_typing = {
    .name = "typing",
    .marks = SCENE_MARKS_ASIDE,
    .fps = 30,
    .width = 640,
    .height = 360,
    .min_width = 320,
    .min_height = 200,
    .open = terminal_open,
    .paint = typing_paint,
    .step = typing_step,
};

const struct scene_kind scene_writing = {
    .name = "writing",
    .marks = SCENE_MARKS_ASIDE,
    .fps = 8,
    .rest_s = REST,
    .width = 640,
    .height = 360,
    .min_width = 320,
    .min_height = 200,
    .open = terminal_open,
    .paint = typing_paint,
    .step = typing_step,
};

/* scrolling: frame n shows the lines n to n + rows - 1 of an endless log. */

static void draw_line(struct scene *s, int row, uint32_t number)
{
    const struct terminal *t = s->state;
    struct rect r = row_area(t, row);
    char line[512];
    int length = snprintf(line, sizeof line, "%07u  ", number % 10000000);
    uint32_t from = text_hash(s->seed, number) % (PROSE / 2);
    /* lines of a log end anywhere */
    size_t end = 30 + text_hash(s->seed + 1, number) % 60;

    while (from > 0 && t->prose[from - 1] != ' ')
        from--;
    snprintf(line + length, sizeof line - (size_t)length, "%.*s", (int)end, t->prose + from);
    canvas_fill(&s->canvas, r, GROUND);
    text_draw(&s->canvas, &face_terminal, r.x, r.y + 1, r.x + r.w, line, strlen(line), INK);
}

static void scrolling_paint(struct scene *s, uint32_t n)
{
    const struct terminal *t = s->state;

    scene_terminal_draw_frame(s, "scrolling");
    for (int row = 0; row < t->rows; row++)
        draw_line(s, row, n + (uint32_t)row);
}

static void scrolling_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    const struct terminal *t = s->state;

    scroll_up(s, change);
    draw_line(s, t->rows - 1, n + (uint32_t)t->rows - 1);
    scene_put(change, row_area(t, t->rows - 1));
}

const struct scene_kind scene_scrolling = {
    .name = "scrolling",
    .marks = SCENE_MARKS_ASIDE,
    .fps = 30,
    .width = 640,
    .height = 360,
    .min_width = 320,
    .min_height = 200,
    .open = terminal_open,
    .paint = scrolling_paint,
    .step = scrolling_step,
};

const struct scene_kind scene_terminal = {
    .name = "terminal",
    .marks = SCENE_MARKS_ASIDE,
    .fps = 10,
    .rest_s = REST,
    .width = 640,
    .height = 360,
    .min_width = 320,
    .min_height = 200,
    .open = terminal_open,
    .paint = scrolling_paint,
    .step = scrolling_step,
};
