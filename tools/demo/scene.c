#include "tools/demo/scene.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/demo/canvas.h"
#include "tools/demo/film.h"
#include "tools/marks/mark.h"

#define MARGIN    8
#define TITLE_H   FONT_CELL_H
#define FILM_W    640
#define FILM_H    360
#define SPOTS     32
#define SPOT_SIZE 21 /* odd: the cross has a centre */

#define COLOUR_DESK   0x2b3038
#define COLOUR_PANEL  0x14171c
#define COLOUR_TEXT   0xe6e6e6
#define COLOUR_TYPED  0x8fe08f
#define COLOUR_TITLE  0xffffff
#define COLOUR_CURSOR 0xe0c060

/* How fast the text types itself, and how long a full panel stays. */
#define TYPE_PERIOD (70 * TICK_MS)
#define TYPE_PAUSE  (3 * TICK_S)

static const char story[] =
    "This text types itself.\n"
    "\n"
    "A plain VNC viewer asks for a picture, waits for it, and asks again. Over a far link that is "
    "one picture per round trip: at 300 ms hardly more than three a second, however fast the line "
    "is.\n"
    "\n"
    "This viewer keeps asking while the answers are still on their way, so the film above runs at "
    "the rate it is drawn at. The delay stays; the stutter goes.\n"
    "\n"
    "Click anywhere, or type: the panel on the right answers.";

/* A rectangle of character cells that fills from its top left. */
struct panel {
    struct rect area;
    int columns, rows;
    int column, row;
    uint32_t colour;
    char *cells; /* columns * rows, for taking characters back */
};

struct spot {
    int x, y;
    uint32_t colour;
    tick_t until;
};

struct scene {
    struct canvas canvas; /* the picture without spots */
    uint32_t *pixels;     /* what the server sends */
    scene_damaged_fn damaged;
    void *user;

    struct rect film_area, input_area;
    struct film *film;

    struct panel story;
    size_t story_at;
    tick_t story_next;

    struct panel keys;

    bool marked;
    uint32_t frames; /* shown so far */
    struct mark input;

    struct spot spots[SPOTS]; /* oldest first */
    int spot_count;
};

static struct rect spot_area(const struct spot *m)
{
    return (struct rect){m->x - SPOT_SIZE / 2, m->y - SPOT_SIZE / 2, SPOT_SIZE, SPOT_SIZE};
}

/* A cross in a frame, its lines edged in black so that it shows on any ground. */
static uint32_t spot_pixel(const struct spot *m, int x, int y, uint32_t below)
{
    int dx = abs(x - m->x), dy = abs(y - m->y);
    int far = dx > dy ? dx : dy, near = dx > dy ? dy : dx;
    if (far == SPOT_SIZE / 2 || near == 1) {
        return 0;
    }
    return far == SPOT_SIZE / 2 - 1 || near == 0 ? m->colour : below;
}

/* Brings a finished part of the canvas, with the spots over it, to the picture. */
static void scene_publish(struct scene *s, struct rect r)
{
    r = rect_intersect(r, (struct rect){0, 0, s->canvas.width, s->canvas.height});
    if (!r.w || !r.h) {
        return;
    }
    for (int y = r.y; y < r.y + r.h; y++) {
        long at = (long)y * s->canvas.width + r.x;
        memcpy(s->pixels + at, s->canvas.pixels + at, (size_t)r.w * sizeof *s->pixels);
    }
    for (int i = 0; i < s->spot_count; i++) {
        struct rect part = rect_intersect(r, spot_area(&s->spots[i]));
        for (int y = part.y; y < part.y + part.h; y++) {
            uint32_t *row = s->pixels + (long)y * s->canvas.width;
            for (int x = part.x; x < part.x + part.w; x++) {
                row[x] = spot_pixel(&s->spots[i], x, y, row[x]);
            }
        }
    }
    if (s->damaged) {
        s->damaged(s->user, r);
    }
}

static struct rect panel_cell(const struct panel *p, int column, int row)
{
    return (struct rect){p->area.x + 4 + column * FONT_CELL_W, p->area.y + 4 + row * FONT_CELL_H,
                         FONT_CELL_W, FONT_CELL_H};
}

static bool panel_init(struct panel *p, struct rect area, uint32_t colour)
{
    p->area = area;
    p->colour = colour;
    p->columns = (area.w - 8) / FONT_CELL_W;
    p->rows = (area.h - 8) / FONT_CELL_H;
    p->cells = calloc((size_t)p->columns * (size_t)p->rows, 1);
    return p->cells != NULL;
}

/* Draws the cell anew: its character, or the cursor when it is the place to write. */
static void panel_draw_cell(struct scene *s, struct panel *p, int column, int row)
{
    struct rect r = panel_cell(p, column, row);
    char c = p->cells[row * p->columns + column];
    canvas_fill(&s->canvas, r, COLOUR_PANEL);
    if (column == p->column && row == p->row) {
        canvas_fill(&s->canvas, (struct rect){r.x + 1, r.y + 16, 10, 2}, COLOUR_CURSOR);
    } else if (c) {
        font_draw(s->canvas.pixels, s->canvas.width, r.x, r.y, (unsigned char)c, p->colour);
    }
    scene_publish(s, r);
}

static void panel_clear(struct scene *s, struct panel *p)
{
    memset(p->cells, 0, (size_t)p->columns * (size_t)p->rows);
    p->column = 0;
    p->row = 0;
    canvas_fill(&s->canvas, p->area, COLOUR_PANEL);
    scene_publish(s, p->area);
}

static void panel_move(struct scene *s, struct panel *p, int column, int row)
{
    int old_column = p->column, old_row = p->row;
    if (column >= p->columns) {
        column = 0;
        row++;
    }
    if (row >= p->rows) {
        panel_clear(s, p);
        column = 0;
        row = 0;
    }
    p->column = column;
    p->row = row;
    panel_draw_cell(s, p, old_column, old_row);
    panel_draw_cell(s, p, column, row);
}

static void panel_put(struct scene *s, struct panel *p, char c)
{
    if (c == '\n') {
        panel_move(s, p, 0, p->row + 1);
        return;
    }
    p->cells[p->row * p->columns + p->column] = c;
    panel_move(s, p, p->column + 1, p->row);
}

/* Goes back over unwritten cells too, up to the start of the panel. */
static void panel_back(struct scene *s, struct panel *p)
{
    int at = p->row * p->columns + p->column;
    while (at > 0 && !p->cells[at - 1]) {
        at--;
    }
    if (at == 0) {
        panel_move(s, p, 0, 0);
        return;
    }
    p->cells[at - 1] = 0;
    panel_move(s, p, (at - 1) % p->columns, (at - 1) / p->columns);
}

static void scene_draw_mark(struct scene *s, int x, int y, struct mark m)
{
    struct mark_picture p = {s->canvas.pixels, s->canvas.width, s->canvas.height, s->canvas.width};
    if (s->marked) {
        mark_draw(&p, x, y, &m);
    }
}

static bool draw_all(struct scene *s, double fps)
{
    int w = s->canvas.width, h = s->canvas.height;
    int film_w = w * 5 / 8 < FILM_W ? w * 5 / 8 : FILM_W;
    int film_h = film_w * FILM_H / FILM_W;
    int top = MARGIN + TITLE_H;
    film_h = film_h < (h - top) / 2 ? film_h : (h - top) / 2;
    s->film_area = (struct rect){MARGIN, top, film_w, film_h};
    s->film = film_create(film_w, film_h);
    int right_x = MARGIN + film_w + MARGIN, right_w = w - MARGIN - right_x;
    int low_y = top + film_h + MARGIN, low_h = h - MARGIN - low_y;
    bool good = s->film;
    good = panel_init(&s->story, (struct rect){MARGIN, low_y, film_w, low_h}, COLOUR_TEXT) && good;
    good = panel_init(&s->keys, (struct rect){right_x, low_y + TITLE_H, right_w, low_h - TITLE_H},
                      COLOUR_TYPED) &&
           good;
    if (!good) {
        return false;
    }
    struct rect whole = {0, 0, w, h};
    canvas_fill(&s->canvas, whole, COLOUR_DESK);
    char title[128];
    snprintf(title, sizeof title, "vnchl demo  %dx%d  film %dx%d at %.4g fps", w, h, film_w, film_h,
             fps);
    canvas_text(&s->canvas, MARGIN, 4, w - MARGIN, title, COLOUR_TITLE);
    canvas_test_card(&s->canvas, (struct rect){right_x, top, right_w, film_h});
    s->input_area = (struct rect){right_x, top, MARK_WIDTH, MARK_HEIGHT};
    canvas_text(&s->canvas, right_x, low_y - 2, w - MARGIN, "You typed:", COLOUR_TITLE);
    panel_clear(s, &s->story);
    panel_clear(s, &s->keys);
    panel_move(s, &s->keys, 0, 0);
    scene_draw_mark(s, s->input_area.x, s->input_area.y, s->input);
    scene_publish(s, whole);
    scene_frame(s, 0, 0);
    scene_show(s, 0);
    return true;
}

struct scene *scene_create(const struct scene_settings *set, scene_damaged_fn damaged, void *user)
{
    struct scene *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    size_t count = (size_t)set->width * (size_t)set->height;
    s->canvas.width = set->width;
    s->canvas.height = set->height;
    s->marked = set->marks;
    s->input.kind = MARK_INPUT;
    s->canvas.pixels = calloc(count, sizeof *s->pixels);
    s->pixels = calloc(count, sizeof *s->pixels);
    if (!s->canvas.pixels || !s->pixels || !draw_all(s, set->fps)) {
        scene_destroy(s);
        return NULL;
    }
    s->damaged = damaged;
    s->user = user;
    return s;
}

void scene_destroy(struct scene *s)
{
    if (s) {
        film_destroy(s->film);
        free(s->story.cells);
        free(s->keys.cells);
        free(s->canvas.pixels);
        free(s->pixels);
        free(s);
    }
}

uint32_t *scene_pixels(struct scene *s)
{
    return s->pixels;
}

static void type_story(struct scene *s, tick_t now)
{
    if (now < s->story_next) {
        return;
    }
    if (s->story_at == 0) {
        panel_clear(s, &s->story);
    }
    char c = story[s->story_at++];
    /* Break lines between words. */
    size_t word = strcspn(story + s->story_at, " \n");
    if (c == ' ' && s->story.column + 1 + (int)word > s->story.columns) {
        c = '\n';
    }
    if (c != ' ' || s->story.column > 0) {
        panel_put(s, &s->story, c);
    }
    s->story_next = now + TYPE_PERIOD;
    if (!story[s->story_at]) {
        s->story_at = 0;
        s->story_next = now + TYPE_PAUSE;
    }
}

static void drop_old_spots(struct scene *s, tick_t now)
{
    while (s->spot_count && s->spots[0].until <= now) {
        struct rect area = spot_area(&s->spots[0]);
        s->spot_count--;
        memmove(s->spots, s->spots + 1, (size_t)s->spot_count * sizeof *s->spots);
        scene_publish(s, area);
    }
}

void scene_frame(struct scene *s, uint64_t frame, double measured_fps)
{
    struct rect r = s->film_area;
    film_draw(s->film, s->canvas.pixels + (long)r.y * s->canvas.width + r.x, s->canvas.width,
              frame);
    char line[64];
    snprintf(line, sizeof line, "frame %06llu  %.1f fps", (unsigned long long)frame % 1000000,
             measured_fps);
    int x = r.x + 4, y = r.y + r.h - FONT_CELL_H - 2;
    canvas_text(&s->canvas, x + 1, y + 1, r.x + r.w, line, 0x000000);
    canvas_text(&s->canvas, x, y, r.x + r.w, line, 0xffffff);
}

void scene_show(struct scene *s, tick_t now)
{
    struct rect r = s->film_area;
    struct mark m = {MARK_FRAME, s->frames++ & MARK_NUMBER_MAX, now ? mark_time(now) : 0};
    scene_draw_mark(s, r.x, r.y, m);
    m.kind = MARK_FRAME_END;
    scene_draw_mark(s, r.x + r.w - MARK_WIDTH, r.y + r.h - MARK_HEIGHT, m);
    scene_publish(s, r);
    type_story(s, now);
    drop_old_spots(s, now);
}

void scene_press(struct scene *s, tick_t now)
{
    s->input.number = (s->input.number + 1) & MARK_NUMBER_MAX;
    s->input.time = mark_time(now);
    scene_draw_mark(s, s->input_area.x, s->input_area.y, s->input);
    if (s->marked) {
        scene_publish(s, s->input_area);
    }
}

void scene_key(struct scene *s, uint32_t keysym)
{
    /* Keypad digits and their neighbours follow the ASCII order; Unicode keysyms carry a flag. */
    if (keysym >= 0xffaa && keysym <= 0xffb9) {
        keysym -= 0xff80;
    } else if (keysym > 0x01000000) {
        keysym -= 0x01000000;
    }
    if (keysym == 0xff0d || keysym == 0xff8d) {
        panel_put(s, &s->keys, '\n');
    } else if (keysym == 0xff08) {
        panel_back(s, &s->keys);
    } else if (keysym == 0xff1b) {
        panel_clear(s, &s->keys);
        panel_move(s, &s->keys, 0, 0);
    } else if (keysym >= 0x20 && keysym <= 0x7e) {
        panel_put(s, &s->keys, (char)keysym);
    } else if (keysym < 0xfd00 || keysym > 0xffff) {
        panel_put(s, &s->keys, '\x7f'); /* a character this font lacks: a box */
    }
}

void scene_click(struct scene *s, int x, int y, int button, tick_t now)
{
    static const uint32_t colours[] = {0xff4040, 0x40ff40, 0x4090ff, 0xffe040,
                                       0xff60ff, 0x60ffff, 0xffa040, 0xffffff};
    if (s->marked) {
        return; /* a spot might hide a mark */
    }
    if (s->spot_count == SPOTS) {
        drop_old_spots(s, s->spots[0].until);
    }
    struct spot *m = &s->spots[s->spot_count++];
    m->x = x < 0 ? 0 : x >= s->canvas.width ? s->canvas.width - 1 : x;
    m->y = y < 0 ? 0 : y >= s->canvas.height ? s->canvas.height - 1 : y;
    m->colour = colours[(button - 1) & 7];
    m->until = now + SCENE_SPOT_TIME;
    scene_publish(s, spot_area(m));
}
