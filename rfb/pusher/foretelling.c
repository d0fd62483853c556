#include "rfb/pusher/foretelling.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/cells.h"
#include "rfb/blocks/foretold.h"

enum foretelling_kind { FORETELLING_UNSEEN, FORETELLING_TEXT, FORETELLING_OTHER };

struct foretelling {
    struct foretold *text;
    unsigned refusals;
    int width, height, columns, rows; /* of the picture, and in cells */
    uint8_t *kind;                    /* of each cell: enum foretelling_kind */
    uint8_t *taken;                   /* into the block that is made */
    struct cells cell;
};

/* What is looked at. */
struct foretelling_of {
    struct foretelling *f;
    const struct push_plan *plan;
    const struct shadow *then;
    const uint32_t *now;
};

struct foretelling *foretelling_create(void)
{
    struct foretelling *f = calloc(1, sizeof *f);

    if (!f)
        return NULL;
    f->text = foretold_create();
    if (f->text)
        return f;
    foretelling_destroy(f);
    return NULL;
}

void foretelling_destroy(struct foretelling *f)
{
    if (!f)
        return;
    foretold_destroy(f->text);
    free(f->kind);
    free(f->taken);
    free(f);
}

bool foretelling_picture(struct foretelling *f, int width, int height)
{
    struct rect cells = shadow_cells((struct rect){0, 0, width, height});
    size_t count = (size_t)cells.w * (size_t)cells.h;

    free(f->kind);
    free(f->taken);
    f->width = width;
    f->height = height;
    f->columns = cells.w;
    f->rows = cells.h;
    f->kind = calloc(count, 1);
    f->taken = calloc(count, 1);
    foretold_anew(f->text);
    return f->kind && f->taken;
}

void foretelling_shown(struct foretelling *f)
{
    memset(f->kind, FORETELLING_UNSEEN, (size_t)f->columns * (size_t)f->rows);
}

void foretelling_refused(struct foretelling *f)
{
    f->refusals++;
    foretold_anew(f->text);
}

unsigned foretelling_pieces(const struct foretelling *f, const struct rect **pieces)
{
    return foretold_pieces(f->text, pieces);
}

/* ---- cells ---- */

static struct rect foretelling_pixels(const struct foretelling *f, struct rect cells)
{
    return shadow_pixels(cells, f->width, f->height);
}

static enum foretelling_kind foretelling_look(const struct foretelling_of *o, struct rect r)
{
    struct cells *c = &o->f->cell;
    enum cell_kind kind;

    cells_begin(c, r.h);
    kind = cells_add(c, o->now + (ptrdiff_t)r.y * o->f->width + r.x, o->f->width, r.w);
    if (kind == CELL_SOLID || kind == CELL_TEXT ||
        (kind == CELL_DOUBT && c->colours <= FORETELLING_COLOURS))
        return FORETELLING_TEXT;
    return FORETELLING_OTHER;
}

static size_t foretelling_at(const struct foretelling *f, int column, int row)
{
    return (size_t)row * (size_t)f->columns + (size_t)column;
}

/* Whether it waits, is text, and the viewer's is known or not. */
static bool foretelling_takes(const struct foretelling_of *o, int column, int row, bool known)
{
    size_t at = foretelling_at(o->f, column, row);
    struct rect r = foretelling_pixels(o->f, (struct rect){column, row, 1, 1});

    if (o->f->taken[at] || !(push_cells_at(&o->plan->cells, column, row)->state & PUSH_CHANGED) ||
        shadow_knows_streamed(o->then, r) != known)
        return false;
    if (o->f->kind[at] == FORETELLING_UNSEEN)
        o->f->kind[at] = (uint8_t)foretelling_look(o, r);
    return o->f->kind[at] == FORETELLING_TEXT;
}

static bool foretelling_takes_row(const struct foretelling_of *o, struct rect cells, bool known)
{
    for (int column = cells.x; column < cells.x + cells.w; column++)
        if (!foretelling_takes(o, column, cells.y, known))
            return false;
    return true;
}

/* The cells from this one on to the right, and then down. Empty: it is not taken. */
static struct rect foretelling_grow(const struct foretelling_of *o, int column, int row, bool known)
{
    const int most = FORETELLING_PIECE / (BLOCK_CELL * BLOCK_CELL);
    struct rect r = {column, row, 0, 1};

    while (r.w < most && r.x + r.w < o->f->columns && foretelling_takes(o, r.x + r.w, row, known))
        r.w++;
    while (r.w > 0 && r.w * (r.h + 1) <= most && r.y + r.h < o->f->rows &&
           foretelling_takes_row(o, (struct rect){r.x, r.y + r.h, r.w, 1}, known))
        r.h++;
    return r;
}

/* ---- a block ---- */

static bool foretelling_put(const struct foretelling_of *o, struct rect cells, bool known)
{
    if (!foretold_add(o->f->text, o->now, known ? o->then->pixels : NULL, o->f->width,
                      foretelling_pixels(o->f, cells)))
        return false;
    for (int row = cells.y; row < cells.y + cells.h; row++)
        memset(o->f->taken + foretelling_at(o->f, cells.x, row), 1, (size_t)cells.w);
    return true;
}

/* The first piece may be less than it could be. */
static bool foretelling_put_first(const struct foretelling_of *o, struct rect cells, bool known)
{
    while (cells.w > 0 && !foretelling_put(o, cells, known)) {
        if (cells.h > 1)
            cells.h /= 2;
        else
            cells.w /= 2;
    }
    return cells.w > 0;
}

/* Whatever else waits, until it does not fit. */
static void foretelling_put_others(const struct foretelling_of *o)
{
    for (int row = 0; row < o->f->rows; row++)
        for (int column = 0; o->plan->cells.row[row].changed > 0 && column < o->f->columns;
             column++) {
            struct rect cell = foretelling_pixels(o->f, (struct rect){column, row, 1, 1});
            bool known = shadow_knows_streamed(o->then, cell);
            struct rect cells = foretelling_grow(o, column, row, known);

            if (cells.w > 0 && !foretelling_put(o, cells, known))
                return;
        }
}

bool foretelling_make(struct foretelling *f, const struct push_plan *p, const struct shadow *then,
                      const uint32_t *now, const struct push_strip *strip, struct block *out)
{
    const struct foretelling_of o = {f, p, then, now};
    int column = strip->x / BLOCK_CELL, row = strip->y / BLOCK_CELL;
    bool known = shadow_knows_streamed(then, (struct rect){strip->x, strip->y, 1, 1});
    struct rect cells;

    if (strip->why == PUSH_REFINEMENT || p->film.on || p->cells.changed > FORETELLING_CELLS ||
        f->refusals > FORETELLING_REFUSALS)
        return false;
    memset(f->taken, 0, (size_t)f->columns * (size_t)f->rows);
    cells = foretelling_grow(&o, column, row, known);
    if (cells.w == 0)
        return false;
    foretold_open(f->text, BLOCK_PAYLOAD_ANYWHERE);
    if (foretelling_put_first(&o, cells, known))
        foretelling_put_others(&o);
    return foretold_close(f->text, out);
}
