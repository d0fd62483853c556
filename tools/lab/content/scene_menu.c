/* The large update of figure 6 in S. Das and J. Ma, "Trading Reliability for Responsiveness in
 * Remote Desktop": a start menu, which weighs about 55 kB as JPEG of the highest quality. A press
 * opens it, the next one closes it. Each menu is another one, so that nobody has it already. */
#include "tools/lab/content/photo.h"
#include "tools/lab/content/scene_kinds.h"
#include "tools/lab/content/text.h"

#define WIDTH    (MARK_WIDTH + 8 + 416)
#define HEIGHT   480
#define DESKTOP  0x3a6ea5
#define PAPER    0xf8f8f8
#define INK      0x202020
#define BANNER   112 /* pixels: the picture at its upper end */
#define ROW      40  /* an entry: an icon and words */
#define ICON     32
#define WORDS    4
#define WORD_GAP 12

static void menu_entry(struct scene *s, struct rect row, uint32_t seed)
{
    int x = row.x + ICON + WORD_GAP;

    photo_draw(&s->canvas, (struct rect){row.x, row.y + (ROW - ICON) / 2, ICON, ICON}, seed);
    for (uint32_t w = 0; w < WORDS; w++) {
        char word[TEXT_WORD_MAX];
        size_t length = text_word(seed, w, word);

        x = text_draw(&s->canvas, &face_body, x, row.y + ROW / 2 - 6, row.x + row.w, word, length,
                      INK);
    }
}

static void menu_paint(struct scene *s, uint32_t n)
{
    struct rect a = s->area;
    uint32_t seed = text_hash(s->seed, n);

    canvas_fill(&s->canvas, a, n % 2 ? PAPER : DESKTOP);
    if (n % 2 == 0)
        return;
    photo_draw(&s->canvas, (struct rect){a.x, a.y, a.w, BANNER}, seed);
    for (int y = BANNER; y + ROW <= a.h; y += ROW)
        for (int half = 0; half < 2; half++)
            menu_entry(s, (struct rect){a.x + half * a.w / 2 + 8, a.y + y, a.w / 2 - 16, ROW},
                       text_hash(seed, (uint32_t)(2 * y + half)));
}

static void menu_step(struct scene *s, uint32_t n, struct scene_change *change)
{
    menu_paint(s, n);
    scene_put(change, s->area);
}

const struct scene_kind scene_menu = {.name = "menu",
                                      .marks = SCENE_MARKS_ASIDE,
                                      .on_press = true,
                                      .opens = true,
                                      .width = WIDTH,
                                      .height = HEIGHT,
                                      .paint = menu_paint,
                                      .step = menu_step};
