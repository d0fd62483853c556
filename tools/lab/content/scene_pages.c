/* Web pages, one after the other: headings, paragraphs, coloured boxes and pictures, 54 different
 * ones in turn, as many as i-Bench's page load test has. Some have more text, some more pictures.
 * And `browsing`, a long page that is scrolled, and then read for a while.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lab/content/photo.h"
#include "tools/lab/content/scene_kinds.h"
#include "tools/lab/content/text.h"

#define PAGES  54
#define HEADER 80
#define MARGIN 16
#define INK    0x202428
#define LINK   0x1a4fa0
#define PAPER  0xffffff

struct page {
    struct canvas *canvas;
    uint32_t seed, word;
};

static uint32_t scene_pages_dice(const struct page *p, uint32_t what, uint32_t sides)
{
    return text_hash(p->seed + 77, what) % sides;
}

static uint32_t scene_pages_shade(const struct page *p, uint32_t what)
{
    static const uint32_t shades[] = {0x2f5d8a, 0x8a3b2f, 0x3d7a4a, 0x6a4c93, 0xb8860b, 0x2b7a78};

    return shades[scene_pages_dice(p, what, sizeof shades / sizeof *shades)];
}

/* One line of words; returns how many characters of `line` they are. */
static size_t next_line(struct page *p, const struct face *f, int width, char *line, size_t size)
{
    size_t used = 0;

    for (;; p->word++) {
        char word[TEXT_WORD_MAX];
        size_t length = text_word(p->seed, p->word, word);

        if (used + length > size || text_width(f, line, used) + text_width(f, word, length) > width)
            return used;
        memcpy(line + used, word, length);
        used += length;
    }
}

/* Words from the top of `r` to its bottom, at most `lines` lines; returns where it ended. */
static int scene_pages_paragraph(struct page *p, const struct face *f, struct rect r, int lines,
                                 uint32_t colour)
{
    int y = r.y;

    for (; lines > 0 && y + f->line <= r.y + r.h; lines--, y += f->line) {
        char line[256];
        size_t length = next_line(p, f, r.w, line, sizeof line);

        text_draw(p->canvas, f, r.x, y + 3, r.x + r.w, line, length, colour);
    }
    return y;
}

static void scene_pages_header(struct page *p, const struct scene *s, uint32_t number)
{
    struct rect r = {0, 0, s->width, HEADER};
    char text[64];
    size_t length;

    canvas_fill(p->canvas, r, scene_pages_shade(p, 1));
    length = next_line(p, &face_title, r.w - 2 * (MARK_WIDTH + MARGIN), text, sizeof text);
    text_draw(p->canvas, &face_title, MARK_WIDTH + MARGIN, 16, r.w - MARK_WIDTH - MARGIN, text,
              length, 0xffffff);
    length = (size_t)snprintf(text, sizeof text, "Home   News   Travel   Archive   page %u of %d",
                              number + 1, PAGES);
    text_draw(p->canvas, &face_body, MARK_WIDTH + MARGIN, 56, r.w - MARK_WIDTH - MARGIN, text,
              length, 0xe8e8e8);
}

static void scene_pages_sidebar(struct page *p, struct rect r)
{
    int y = r.y;

    for (uint32_t box = 0; y + 60 <= r.y + r.h; box++) {
        int height = 70 + (int)scene_pages_dice(p, 20 + box, 90);
        struct rect b = {r.x, y, r.w, height < r.y + r.h - y ? height : r.y + r.h - y};

        canvas_fill(p->canvas, b, 0xeef1f4);
        canvas_fill(p->canvas, (struct rect){b.x, b.y, b.w, 22}, scene_pages_shade(p, 40 + box));
        scene_pages_paragraph(p, &face_body, (struct rect){b.x + 8, b.y + 3, b.w - 16, 20}, 1,
                              0xffffff);
        scene_pages_paragraph(p, &face_body, (struct rect){b.x + 8, b.y + 28, b.w - 16, b.h - 30},
                              99, LINK);
        y += b.h + 10;
    }
}

/* Headings, paragraphs and, for some sections, a picture beside them. */
static void scene_pages_article(struct page *p, struct rect r)
{
    int y = r.y;

    for (uint32_t section = 0; y + 80 <= r.y + r.h; section++) {
        struct rect text = {r.x, y, r.w, r.y + r.h - y};
        int picture_end = y;

        text.y =
            scene_pages_paragraph(p, &face_heading, text, 1, scene_pages_shade(p, 60 + section)) +
            2;
        text.h = r.y + r.h - text.y;
        if (scene_pages_dice(p, 80 + section, 3) || section == 0) {
            struct rect picture = {r.x, text.y, 160 + (int)scene_pages_dice(p, 100 + section, 160),
                                   0};

            picture.h = picture.w * 3 / 4;
            if (picture.h > text.h)
                picture.h = text.h;
            photo_draw(p->canvas, picture, text_hash(p->seed, 120 + section));
            picture_end = picture.y + picture.h;
            text.x += picture.w + MARGIN;
            text.w -= picture.w + MARGIN;
        }
        y = scene_pages_paragraph(p, &face_body, text,
                                  4 + (int)scene_pages_dice(p, 140 + section, 10), INK) +
            10;
        y = y > picture_end + 14 ? y : picture_end + 14;
    }
}

static void pages_paint(struct scene *s, uint32_t n)
{
    struct page p = {.canvas = &s->canvas, .seed = text_hash(s->seed, n % PAGES)};
    int side = s->width / 4, top = HEADER + MARGIN, height = s->height - top - MARGIN;
    bool left = scene_pages_dice(&p, 2, 2);

    canvas_fill(&s->canvas, s->area, PAPER);
    scene_pages_header(&p, s, n % PAGES);
    /* the end mark has the lower right corner to itself */
    scene_pages_article(&p, (struct rect){left ? side + 2 * MARGIN : MARGIN, top,
                                          s->width - side - 3 * MARGIN - (left ? MARK_WIDTH : 0),
                                          height});
    scene_pages_sidebar(&p, (struct rect){left ? MARGIN : s->width - side - MARGIN, top, side,
                                          height - (left ? 0 : MARK_HEIGHT)});
}

static void pages_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    pages_paint(s, n);
    scene_put(change, s->area);
}

const struct scene_kind scene_pages = {
    .name = "pages",
    .marks = SCENE_MARKS_INSIDE,
    .fps = 1,
    .width = 1000,
    .height = 740,
    .min_width = 560,
    .min_height = 360,
    .paint = pages_paint,
    .step = pages_step,
};

/* browsing: after frame n, the wheel has been turned n times: down to the end, and up again. */

#define ADDRESS      28
#define NOTCH        48  /* pixels of a turn */
#define NOTCHES      100 /* from the beginning to the end */
#define BROWSER_REST 4   /* s */

/* All of the page; the window shows a part of it. */
struct browser {
    struct canvas page;
    struct rect view; /* in the window */
};

static bool browsing_open(struct scene *s)
{
    struct browser *b = calloc(1, sizeof *b);
    struct page p = {.seed = text_hash(s->seed, 0)};

    if (!b)
        return false;
    s->state = b;
    b->view = (struct rect){s->area.x, s->area.y + ADDRESS, s->area.w, s->area.h - ADDRESS};
    b->page.width = b->view.w;
    b->page.height = NOTCHES * NOTCH + b->view.h;
    b->page.pixels = calloc((size_t)b->page.width * (size_t)b->page.height, sizeof *b->page.pixels);
    if (!b->page.pixels)
        return false;
    p.canvas = &b->page;
    canvas_fill(&b->page, (struct rect){0, 0, b->page.width, b->page.height}, PAPER);
    scene_pages_article(
        &p, (struct rect){MARGIN, MARGIN, b->page.width - 2 * MARGIN, b->page.height - 2 * MARGIN});
    return true;
}

static void browsing_close(struct scene *s)
{
    struct browser *b = s->state;

    if (b)
        free(b->page.pixels);
}

/* The row of the page at the top of the view. */
static int browsing_top(uint32_t n)
{
    int turn = (int)(n % (2 * NOTCHES));

    return NOTCH * (turn < NOTCHES ? turn : 2 * NOTCHES - turn);
}

/* Shows the page in these rows of the window. */
static void browsing_show(struct scene *s, uint32_t n, struct rect rows)
{
    const struct browser *b = s->state;
    int top = browsing_top(n) + rows.y - b->view.y;

    for (int i = 0; i < rows.h; i++)
        memcpy(s->canvas.pixels + (long)(rows.y + i) * s->canvas.width + rows.x,
               b->page.pixels + (long)(top + i) * b->page.width,
               (size_t)rows.w * sizeof *s->canvas.pixels);
}

static void browsing_paint(struct scene *s, uint32_t n)
{
    static const char address[] = "https://www.example.org/travel/a-long-walk.html";
    const struct browser *b = s->state;

    canvas_fill(&s->canvas, s->area, 0xd8dce0);
    canvas_fill(&s->canvas, (struct rect){s->area.x + 6, s->area.y + 4, s->area.w - 12, 20}, PAPER);
    text_draw(&s->canvas, &face_body, s->area.x + 14, s->area.y + 10, s->area.x + s->area.w - 14,
              address, sizeof address - 1, INK);
    browsing_show(s, n, b->view);
}

static void browsing_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    const struct browser *b = s->state;
    bool down = browsing_top(n) > browsing_top(n - 1);
    struct rect kept = b->view, new = b->view;

    kept.h -= NOTCH;
    kept.y += down ? NOTCH : 0;
    new.y += down ? new.h - NOTCH : 0;
    new.h = NOTCH;
    scene_move(s, change, kept, 0, down ? -NOTCH : NOTCH);
    browsing_show(s, n, new);
    scene_put(change, new);
}

const struct scene_kind scene_browsing = {
    .name = "browsing",
    .marks = SCENE_MARKS_ASIDE,
    .fps = 6,
    .rest_s = BROWSER_REST,
    .width = 900,
    .height = 700,
    .open = browsing_open,
    .close = browsing_close,
    .paint = browsing_paint,
    .step = browsing_step,
};
