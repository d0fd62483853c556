#include "prerequest/push/picture/film.h"

#include <math.h>
#include <string.h>

#include "prerequest/push/picture/level.h"

void push_film_init(struct push_film *f)
{
    memset(f, 0, sizeof *f);
    f->moves_since = f->carried_since = TICK_NEVER;
    f->apart = PUSH_MOVES;
}

void push_film_forget(struct push_film *f)
{
    bool may = f->may;

    push_film_init(f);
    f->may = may;
}

static size_t film_place(uint64_t number)
{
    return number % PUSH_FILM_FRAMES;
}

static struct push_film_frame *film_at(struct push_film *f, uint64_t number)
{
    return f->frame + film_place(number);
}

const struct push_film_frame *push_film_newest(const struct push_film *f)
{
    return f->frame + film_place(f->frames - 1);
}

/* The number of the oldest frame that is remembered. */
static uint64_t film_oldest(const struct push_film *f)
{
    return f->frames > PUSH_FILM_FRAMES ? f->frames - PUSH_FILM_FRAMES : 0;
}

static int film_cells(struct push_area a)
{
    return a.columns * a.rows;
}

static bool film_inside(struct push_area inner, struct push_area outer)
{
    return inner.column >= outer.column && inner.row >= outer.row &&
           inner.column + inner.columns <= outer.column + outer.columns &&
           inner.row + inner.rows <= outer.row + outer.rows;
}

/* ---- what moves ---- */

static void film_add(struct push_area *a, int column, int row)
{
    int right = a->column + a->columns, bottom = a->row + a->rows;

    if (a->columns == 0) {
        *a = (struct push_area){column, row, 1, 1};
        return;
    }
    a->column = column < a->column ? column : a->column;
    a->row = row < a->row ? row : a->row;
    a->columns = (column + 1 > right ? column + 1 : right) - a->column;
    a->rows = (row + 1 > bottom ? row + 1 : bottom) - a->row;
}

/* Whether it moves as often as the frames come. */
static bool film_moves(const struct push_film *f, const struct push_cell *cell)
{
    int most = PUSH_FILM_EVERY * f->apart;

    return cell->moves >= PUSH_MOVING &&
           cell->apart <= (most > PUSH_FILM_NEAR ? most : PUSH_FILM_NEAR);
}

/* The bounding box of what moves, and how many cells of it do. */
static struct push_area film_moving(const struct push_film *f, const struct push_cells *c,
                                    int *count, tick_t now)
{
    const struct push_cell *cell = c->cell;
    struct push_area a = {0};
    uint32_t ms = push_cells_ms(now);

    *count = 0;
    for (int row = 0; row < c->rows; row++)
        for (int column = 0; column < c->columns; column++, cell++)
            if (film_moves(f, cell) && ms - cell->at < PUSH_MOVES / 2) {
                film_add(&a, column, row);
                ++*count;
            }
    return a;
}

/* ---- it begins and ends ---- */

static bool film_pays(const struct push_film_path *p)
{
    return p->rate > 0 && p->step >= PUSH_FILM_STEP && p->need > LEVEL_SPARE;
}

static void film_begin(struct push_film *f, const struct push_cells *c,
                       const struct push_film_path *path, tick_t now)
{
    int count;
    struct push_area a = film_moving(f, c, &count, now);

    if (count < PUSH_FILM_LEAST || film_cells(a) > PUSH_FILM_CELLS ||
        count * 100 < film_cells(a) * PUSH_FILM_FULL)
        return;
    f->on = true;
    f->area = a;
    f->state = PUSH_FILM_FREE;
    f->taken = now;
    f->away = f->slow = 0;
    f->jpeg = path->bytes * pow(1 / LEVEL_STEP, path->step - PUSH_FILM_BACK);
    f->carried_since = TICK_NEVER;
}

static bool film_is_carried(struct push_film *f, const struct push_film_path *path, tick_t now)
{
    if (LEVEL_AIM * path->rate * path->gap / 1e9 < f->jpeg)
        f->carried_since = TICK_NEVER;
    else if (f->carried_since == TICK_NEVER)
        f->carried_since = now;
    return f->carried_since != TICK_NEVER && now - f->carried_since >= PUSH_FILM_CARRIED;
}

static bool film_is_elsewhere(struct push_film *f, const struct push_cells *c, tick_t now)
{
    int count;

    f->away = film_inside(film_moving(f, c, &count, now), f->area) ? 0 : f->away + 1;
    return f->away >= PUSH_FILM_AWAY;
}

/* Another frame. The time from one to the next: the first one counts for all, later ones for a
 * quarter (chosen). */
static void film_count_frame(struct push_film *f, tick_t now)
{
    int ms = (int)((now - f->moved_at) / TICK_MS);

    if (f->moves_since == TICK_NEVER || now - f->moved_at >= PUSH_FILM_REST) {
        f->moves_since = now;
        f->apart = PUSH_MOVES;
    } else {
        f->apart = f->apart == PUSH_MOVES ? ms : f->apart + (ms - f->apart) / 4;
    }
    f->moved_at = now;
}

void push_film_shown(struct push_film *f, struct push_cells *c, bool frame,
                     const struct push_film_path *path, tick_t now)
{
    if (f->on && !push_film_busy(f) && now - f->taken >= PUSH_FILM_REST)
        push_film_end(f, c);
    if (!f->may || path->step < 0 || !frame) {
        if (path->step < 0)
            push_film_end(f, c);
        return;
    }
    film_count_frame(f, now);
    if (f->on && f->slow >= PUSH_FILM_TOO_SLOW) {
        f->not_before = now + PUSH_FILM_PAUSE;
        push_film_end(f, c);
    } else if (f->on && (film_is_carried(f, path, now) || film_is_elsewhere(f, c, now))) {
        push_film_end(f, c);
    } else if (!f->on && now >= f->not_before && now - f->moves_since >= PUSH_FILM_MOVED &&
               film_pays(path)) {
        film_begin(f, c, path, now);
    }
}

/* ---- frames ---- */

/* The cells of a frame that no later block has carried have to go again. */
static void film_void(struct push_film *f, struct push_cells *c, uint64_t number)
{
    struct push_film_frame *s = film_at(f, number);

    s->stands = false;
    push_cells_lost(c, s->area.column * PUSH_CELL, s->area.row * PUSH_CELL,
                    s->area.columns * PUSH_CELL, s->area.rows * PUSH_CELL, s->id);
}

/* This frame, and all that stand on it. */
static void film_void_from(struct push_film *f, struct push_cells *c, uint64_t number)
{
    if (!film_at(f, number)->stands)
        return;
    if (!f->forgets || number < f->forget_from)
        f->forget_from = number;
    f->forgets = true;
    for (uint64_t n = number; n < f->frames; n++)
        if (film_at(f, n)->stands)
            film_void(f, c, n);
    if (f->state != PUSH_FILM_CODED)
        f->state = PUSH_FILM_FREE;
}

void push_film_anew(struct push_film *f, struct push_cells *c)
{
    for (uint64_t n = film_oldest(f); n < f->frames; n++)
        film_void_from(f, c, n);
}

void push_film_end(struct push_film *f, struct push_cells *c)
{
    if (f->on && push_film_busy(f) && film_at(f, f->frames - 1)->stands)
        film_void_from(f, c, f->frames - 1);
    f->on = false;
    f->state = PUSH_FILM_FREE;
    f->moves_since = TICK_NEVER;
}

void push_film_allow(struct push_film *f, struct push_cells *c, bool may)
{
    f->may = may;
    if (!may)
        push_film_end(f, c);
}

static bool film_has(struct push_area a, int column, int row)
{
    return column >= a.column && column < a.column + a.columns && row >= a.row &&
           row < a.row + a.rows;
}

static bool film_is_changed(const struct push_cell *cell)
{
    return cell->state & PUSH_CHANGED;
}

/* Whether `a` goes before `b`. */
static bool film_goes_before(const struct push_film *f, const struct push_cell *a,
                             const struct push_cell *b)
{
    bool moves = film_moves(f, a);

    return moves == film_moves(f, b) ? push_cells_before(a->turn, b->turn) : !moves;
}

bool push_film_beside(const struct push_film *f, const struct push_cells *c, struct push_run *out)
{
    const struct push_cell *best = NULL;

    for (int row = 0; c->changed > 0 && row < c->rows; row++) {
        const struct push_cell *cell = push_cells_at(c, 0, row);

        for (int column = 0; c->row[row].changed > 0 && column < c->columns; column++, cell++)
            if (film_is_changed(cell) && !film_has(f->area, column, row) &&
                (!best || film_goes_before(f, cell, best))) {
                best = cell;
                *out = (struct push_run){.column = column, .row = row};
            }
    }
    if (!best)
        return false;
    while (out->column + out->count < c->columns && film_is_changed(best + out->count) &&
           !film_has(f->area, out->column + out->count, out->row))
        out->count++;
    return true;
}

/* Whether a cell of it has changed, and the turn of the oldest one. */
static bool film_changed(const struct push_film *f, const struct push_cells *c, uint32_t *turn)
{
    bool any = false;

    for (int row = f->area.row; row < f->area.row + f->area.rows; row++) {
        const struct push_cell *cell = push_cells_at(c, f->area.column, row);

        for (int i = 0; c->row[row].changed > 0 && i < f->area.columns; i++, cell++)
            if (film_is_changed(cell) && (!any || push_cells_before(cell->turn, *turn))) {
                *turn = cell->turn;
                any = true;
            }
    }
    return any;
}

enum push_film_next push_film_next(const struct push_film *f, const struct push_cells *c,
                                   struct push_run *beside, tick_t now)
{
    bool any = push_film_beside(f, c, beside);
    const struct push_cell *first;
    enum push_film_next film = PUSH_FILM_NOTHING;
    uint32_t turn = f->turn;

    if (f->state == PUSH_FILM_LEAVES)
        film = PUSH_FILM_PART;
    else if (f->state == PUSH_FILM_FREE && film_changed(f, c, &turn))
        film = PUSH_FILM_TAKE;
    if (!any)
        return film;
    first = push_cells_at(c, beside->column, beside->row);
    if (film == PUSH_FILM_NOTHING || !push_cells_before(turn, first->turn) ||
        (!film_moves(f, first) && now - f->taken < PUSH_FILM_YIELDS))
        return PUSH_FILM_BESIDE;
    return film;
}

/* Those of a row that have changed, which are taken. */
static unsigned film_take_row(struct push_film *f, struct push_cells *c, int row, uint32_t id,
                              uint8_t *shows)
{
    const struct push_cell *cell = push_cells_at(c, f->area.column, row);
    unsigned taken = 0;

    for (int i = 0; i < f->area.columns; i++) {
        int bit = (row - f->area.row) * f->area.columns + i;

        if (!film_is_changed(cell + i))
            continue;
        shows[bit / 8] |= (uint8_t)(1u << bit % 8);
        push_cells_sent(c, &(struct push_run){f->area.column + i, row, 1}, id, false);
        taken++;
    }
    return taken;
}

/* The newest frame that stands, and is near enough. */
static const struct push_film_frame *film_stands_on(struct push_film *f, uint32_t id)
{
    for (uint64_t n = f->frames; n > film_oldest(f); n--) {
        const struct push_film_frame *s = film_at(f, n - 1);

        if (s->stands)
            return id - s->id <= PUSH_FILM_BEFORE && memcmp(&s->area, &f->area, sizeof f->area) == 0
                       ? s
                       : NULL;
    }
    return NULL;
}

void push_film_take(struct push_film *f, struct push_cells *c, uint32_t id,
                    struct push_film_order *out, tick_t now)
{
    const struct push_film_frame *on = film_stands_on(f, id);
    struct push_film_frame *s = film_at(f, f->frames);

    memset(out, 0, sizeof *out);
    out->area = f->area;
    out->id = id;
    out->number = f->frames;
    out->key = !on;
    out->before = on ? id - on->id : 0;
    out->forgets = f->forgets;
    out->forget_from = f->forget_from;
    f->forgets = false;
    film_changed(f, c, &f->turn);
    *s = (struct push_film_frame){.id = id, .area = f->area, .stands = true};
    f->frames++;
    for (int row = f->area.row; row < f->area.row + f->area.rows; row++)
        s->cells += film_take_row(f, c, row, id, out->shows);
    f->state = PUSH_FILM_CODED;
    f->taken = now;
}

bool push_film_coded(struct push_film *f, struct push_cells *c, uint32_t id, unsigned parts,
                     tick_t now)
{
    const struct push_film_frame *s = push_film_newest(f);

    if (f->state != PUSH_FILM_CODED || s->id != id)
        return false;
    f->slow = now - f->taken > PUSH_FILM_SLOW ? f->slow + 1 : 0;
    f->state = PUSH_FILM_LEAVES;
    f->parts = parts;
    if (parts == 0 || parts > PUSH_FILM_PARTS)
        film_void_from(f, c, f->frames - 1);
    if (!s->stands)
        f->state = PUSH_FILM_FREE;
    return s->stands;
}

bool push_film_left(struct push_film *f, uint32_t sequence, bool insures)
{
    struct push_film_frame *s = film_at(f, f->frames - 1);

    s->part[s->parts++] = sequence;
    if (s->parts < f->parts)
        return false;
    f->state = insures ? PUSH_FILM_INSURES : PUSH_FILM_FREE;
    return true;
}

void push_film_insured(struct push_film *f)
{
    if (f->state == PUSH_FILM_INSURES)
        f->state = PUSH_FILM_FREE;
}

/* The number behind the frame that stands and has this block; 0: none has. */
static uint64_t film_behind(const struct push_film *f, uint32_t sequence)
{
    for (uint64_t n = f->frames; n > film_oldest(f); n--) {
        const struct push_film_frame *s = f->frame + film_place(n - 1);

        for (unsigned i = 0; s->stands && i < s->parts; i++)
            if (s->part[i] == sequence)
                return n;
    }
    return 0;
}

bool push_film_has(const struct push_film *f, uint32_t sequence)
{
    return film_behind(f, sequence) > 0;
}

void push_film_lost(struct push_film *f, struct push_cells *c, uint32_t sequence)
{
    uint64_t behind = film_behind(f, sequence);

    if (behind > 0)
        film_void_from(f, c, behind - 1);
}
