/* The components of Lai and Nieh's latency benchmark ("Limits of wide-area thin-client computing",
 * section 2.3.1): each press draws the next one into an area of 320 x 240. The components take
 * turns, so that every press changes the same pixels: the letter comes and goes, red and white
 * alternate, so do two photographs, and the text goes on by one page of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lab/content/photo.h"
#include "tools/lab/content/scene_kinds.h"
#include "tools/lab/content/text.h"

#define WIDTH      (MARK_WIDTH + 8 + 320)
#define HEIGHT     240
#define RED        0xff0000
#define WHITE      0xffffff
#define INK        0x000000
#define TEXT_WORDS 450
#define TEXT_LINES 58
#define PAGE_LINES 14
#define LINE       17
#define SCROLL_BAR 12

static void put_all(struct scene *s, uint32_t n, struct scene_change *change)
{
    s->kind->paint(s, n);
    scene_put(change, s->area);
}

/* letter: a 12-point capital A in a sans serif face. */

static const struct face face_letter = {10, 12, 0, 16};

static struct rect letter_area(const struct scene *s)
{
    return (struct rect){s->area.x + 8, s->area.y + 8, 12, 16};
}

static void letter_draw(struct scene *s, uint32_t n)
{
    struct rect r = letter_area(s);

    canvas_fill(&s->canvas, r, WHITE);
    if (n % 2)
        text_draw(&s->canvas, &face_letter, r.x, r.y + 2, r.x + r.w, "A", 1, INK);
}

static void letter_paint(struct scene *s, uint32_t n)
{
    canvas_fill(&s->canvas, s->area, WHITE);
    letter_draw(s, n);
}

static void letter_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    letter_draw(s, n);
    scene_put(change, letter_area(s));
}

/* scroll: 450 words in 58 lines, 14 of them shown; from the end on again at the beginning. */

static void draw_text_line(struct scene *s, int row, uint32_t line)
{
    int x = s->area.x + 4, y = s->area.y + 3 + row * LINE;
    int right = s->area.x + s->area.w - SCROLL_BAR - 2;

    for (uint32_t w = line * TEXT_WORDS / TEXT_LINES; w < (line + 1) * TEXT_WORDS / TEXT_LINES;
         w++) {
        char word[TEXT_WORD_MAX];
        size_t length = text_word(s->seed, w, word);

        x = text_draw(&s->canvas, &face_body, x, y + 3, right, word, length, INK);
    }
}

static void scroll_paint(struct scene *s, uint32_t n)
{
    struct rect bar = {s->area.x + s->area.w - SCROLL_BAR, s->area.y, SCROLL_BAR, s->area.h};
    uint32_t first = n % TEXT_LINES * PAGE_LINES % TEXT_LINES;

    canvas_fill(&s->canvas, s->area, WHITE);
    for (int row = 0; row < PAGE_LINES; row++)
        draw_text_line(s, row, (first + (uint32_t)row) % TEXT_LINES);
    canvas_fill(&s->canvas, bar, 0xc0c0c0);
    bar.h = HEIGHT * PAGE_LINES / TEXT_LINES;
    bar.y += (HEIGHT - bar.h) * (int)first / (TEXT_LINES - 1);
    canvas_fill(&s->canvas, bar, 0x606878);
}

/* fill and bitmap: red, once as a filling and once as an image. */

static void red_paint(struct scene *s, uint32_t n)
{
    canvas_fill(&s->canvas, s->area, n % 2 ? RED : WHITE);
}

static void fill_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    red_paint(s, n);
    scene_add(change, (struct scene_op){
                          .kind = SCENE_FILL, .area = s->area, .colour = n % 2 ? RED : WHITE});
}

/* image: drawn once each, so that a press need not wait for the drawing. */

struct photos {
    struct canvas both; /* one below the other */
};

static bool image_open(struct scene *s)
{
    struct photos *p = calloc(1, sizeof *p);

    if (!p)
        return false;
    s->state = p;
    p->both.width = s->area.w;
    p->both.height = 2 * s->area.h;
    p->both.pixels = calloc((size_t)p->both.width * (size_t)p->both.height, sizeof *p->both.pixels);
    if (!p->both.pixels)
        return false;
    for (int i = 0; i < 2; i++)
        photo_draw(&p->both, (struct rect){0, i * s->area.h, s->area.w, s->area.h},
                   text_hash(s->seed, (uint32_t)i));
    return true;
}

static void image_close(struct scene *s)
{
    struct photos *p = s->state;

    if (p)
        free(p->both.pixels);
}

static void image_paint(struct scene *s, uint32_t n)
{
    const struct photos *p = s->state;
    const uint32_t *from = p->both.pixels + (long)(n % 2) * s->area.w * s->area.h;

    for (int y = 0; y < s->area.h; y++)
        memcpy(s->canvas.pixels + (long)(s->area.y + y) * s->canvas.width + s->area.x,
               from + (long)y * s->area.w, (size_t)s->area.w * sizeof *from);
}

#define ON_PRESS .marks = SCENE_MARKS_ASIDE, .on_press = true, .width = WIDTH, .height = HEIGHT

const struct scene_kind scene_letter = {
    .name = "letter", ON_PRESS, .paint = letter_paint, .step = letter_step};
const struct scene_kind scene_scroll = {
    .name = "scroll", ON_PRESS, .paint = scroll_paint, .step = put_all};
const struct scene_kind scene_fill = {
    .name = "fill", ON_PRESS, .paint = red_paint, .step = fill_step};
const struct scene_kind scene_bitmap = {
    .name = "bitmap", ON_PRESS, .paint = red_paint, .step = put_all};
const struct scene_kind scene_image = {.name = "image",
                                       ON_PRESS,
                                       .open = image_open,
                                       .close = image_close,
                                       .paint = image_paint,
                                       .step = put_all};
