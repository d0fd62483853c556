/* The demo's film: every 16 x 16 block differs in every frame. `starts`, the same film that stands
 * still every other four seconds, so that one sees how it gets going again. `captions`, the same
 * film with text below it that changes every second. And `presses`, which has no frames: the input
 * mark for a film that a player shows. */
#include "tools/demo/film.h"
#include "tools/lab/content/scene_kinds.h"
#include "tools/lab/content/text.h"

static bool video_open(struct scene *s)
{
    return (s->state = film_create(s->width, s->height)) != NULL;
}

static void video_close(struct scene *s)
{
    film_destroy(s->state);
    s->state = NULL;
}

static void video_paint(struct scene *s, uint32_t n)
{
    /* another seed: another part of the same endless film */
    film_draw(s->state, s->canvas.pixels, s->canvas.width, n + (uint64_t)s->seed * 100003);
}

static void video_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    video_paint(s, n);
    scene_put(change, s->area);
}

/* What all kinds of the film have. */
#define FILM                                                                                       \
    .marks = SCENE_MARKS_INSIDE, .fps = 30, .width = 640, .height = 360, .min_width = 176,         \
    .min_height = 144, .open = video_open, .close = video_close, .step = video_step

const struct scene_kind scene_video = {
    .name = "video",
    .paint = video_paint,
    FILM,
};

const struct scene_kind scene_starts = {
    .name = "starts",
    .rest_s = 4,
    .paint = video_paint,
    FILM,
};

/* Text that our writer of blocks makes 2 kB of (docs/blocks.md). */
#define CAPTION_LINES 7
#define CAPTION_WORDS 20
#define CAPTION_EVERY 30 /* frames */
#define CAPTION_ROOM  (CAPTION_WORDS * TEXT_WORD_MAX)

static void captions_paint_text(struct scene *s, uint32_t number)
{
    const struct rect r = s->beside;

    canvas_fill(&s->canvas, r, 0xffffff);
    for (uint32_t line = 0; line < CAPTION_LINES; line++) {
        uint32_t first = (number * CAPTION_LINES + line) * CAPTION_WORDS;
        char text[CAPTION_ROOM];
        size_t length = 0;

        for (uint32_t i = 0; i < CAPTION_WORDS; i++)
            length += text_word(s->seed, first + i, text + length);
        text_draw(&s->canvas, &face_body, r.x + 4, r.y + 3 + (int)line * face_body.line,
                  r.x + r.w - 4, text, length, 0x000000);
    }
}

static void captions_paint(struct scene *s, uint32_t n)
{
    video_paint(s, n);
    captions_paint_text(s, n / CAPTION_EVERY);
}

const struct scene_kind scene_captions = {
    .name = "captions",
    .paint = captions_paint,
    FILM,
    .beside = CAPTION_LINES * 16,
    .beside_every = CAPTION_EVERY,
    .paint_beside = captions_paint_text,
};

const struct scene_kind scene_presses = {
    .name = "presses",
    .marks = SCENE_MARKS_NONE,
    .on_press = true,
    .width = 352,
    .height = 240,
    .min_width = 16,
    .min_height = 16,
};
