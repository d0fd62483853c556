#include "prerequest/push/octopus.h"

#include <math.h>

/* JPEG qualities of Tight's levels 0 to 9 in TightVNC 1.3.10 (rfb/tight.c, tightConf), which the
 * paper was built on. */
static const int octopus_qualities[10] = {5, 10, 15, 25, 37, 50, 60, 70, 75, 80};

void push_octopus_begin(struct push_octopus *o, struct push_plan *p, tick_t now)
{
    if (o->on) /* then there are no passes that the server's updates would have to wait for */
        p->pass.active = false;
    *o = (struct push_octopus){.on = o->on,
                               .interval = o->interval,
                               .fps = o->fps > 0 ? o->fps : OCTOPUS_FPS_FIRST,
                               .level = o->level > 0 ? o->level : OCTOPUS_LEVEL_FIRST,
                               .bandwidth = o->bandwidth,
                               .since = now,
                               .due = now};
}

/* ---- quality ---- */

static double octopus_score_fps(const struct push_octopus *o)
{
    return (double)(o->fps - OCTOPUS_FPS_LEAST) / (OCTOPUS_FPS_MOST - OCTOPUS_FPS_LEAST);
}

static double octopus_score_level(const struct push_octopus *o)
{
    return (double)(o->level - OCTOPUS_LEVEL_LEAST) / (OCTOPUS_LEVEL_MOST - OCTOPUS_LEVEL_LEAST);
}

static int octopus_within(int n, int least, int most)
{
    return n < least ? least : n > most ? most : n;
}

static void octopus_step(struct push_octopus *o, bool up)
{
    double fps = octopus_score_fps(o), level = octopus_score_level(o);
    int sign = up ? 1 : -1;

    if (o->interval > 0 || (up ? level < fps : level > fps))
        o->level = octopus_within(o->level + sign, OCTOPUS_LEVEL_LEAST, OCTOPUS_LEVEL_MOST);
    else
        o->fps =
            octopus_within(o->fps + sign * OCTOPUS_FPS_STEP, OCTOPUS_FPS_LEAST, OCTOPUS_FPS_MOST);
}

/* What the user allows counts as the bandwidth where it is less. */
static void octopus_judge(struct push_octopus *o, double most, tick_t now)
{
    double bandwidth = most > 0 ? fmin(most, o->bandwidth) : o->bandwidth;

    if (now - o->since < OCTOPUS_JUDGE)
        return;
    o->rate = (double)o->bytes * 1e9 / (double)(now - o->since);
    o->since = now;
    o->bytes = 0;
    if (bandwidth <= 0)
        return;
    if (o->rate > bandwidth)
        octopus_step(o, false);
    else if (o->rate < OCTOPUS_LEAST * bandwidth)
        octopus_step(o, true);
}

int push_octopus_jpeg(const struct push_octopus *o, const struct push_plan *p)
{
    if (!p->options.jpeg)
        return 0;
    return p->options.quality < 0 ? octopus_qualities[o->level] : push_level_jpeg(&p->level);
}

tick_t push_octopus_interval(const struct push_octopus *o, const struct push_plan *p)
{
    tick_t u = o->interval > 0 ? o->interval : TICK_S / o->fps;

    return p->options.most_fps > 0 ? tick_later(u, (tick_t)(1e9 / p->options.most_fps)) : u;
}

/* ---- bandwidth ---- */

static void octopus_remember(struct push_octopus *o, uint32_t sequence, size_t bytes)
{
    o->sequence_of[sequence % OCTOPUS_SIZES] = sequence;
    o->size_of[sequence % OCTOPUS_SIZES] = (uint32_t)bytes;
}

/* 0: there was no such block, or it was too long ago. */
static uint32_t octopus_size(const struct push_octopus *o, uint32_t sequence)
{
    return o->sequence_of[sequence % OCTOPUS_SIZES] == sequence
               ? o->size_of[sequence % OCTOPUS_SIZES]
               : 0;
}

void push_octopus_arrived(struct push_octopus *o, uint32_t sequence, tick_t at)
{
    uint32_t size = octopus_size(o, sequence);

    if (size == 0 || (int32_t)(sequence - o->arrived) <= 0)
        return;
    if (o->arrived == sequence - 1 && octopus_size(o, o->arrived) > 0) {
        tick_t apart = tick_later(at - o->arrived_at, OCTOPUS_APART);
        double sample = (double)size * 1e9 / (double)apart;

        o->bandwidth += (o->bandwidth > 0 ? OCTOPUS_GAIN : 1) * (sample - o->bandwidth);
    }
    o->arrived = sequence;
    o->arrived_at = at;
}

/* ---- updates ---- */

static bool octopus_is_changed(const struct push_plan *p, int column, int row)
{
    return push_cells_at(&p->cells, column, row)->state & PUSH_CHANGED;
}

/* The first changed cell from o->row, o->column on. False: there is none. */
static bool octopus_find(struct push_octopus *o, const struct push_plan *p)
{
    for (; o->row < p->cells.rows; o->row++, o->column = 0) {
        if (p->cells.row[o->row].changed == 0)
            continue;
        for (; o->column < p->cells.columns; o->column++)
            if (octopus_is_changed(p, o->column, o->row))
                return true;
    }
    return false;
}

static bool octopus_run_is_changed(const struct push_plan *p, int left, int right, int row)
{
    for (int column = left; column < right; column++)
        if (!octopus_is_changed(p, column, row))
            return false;
    return true;
}

/* The rectangle of changed cells that begins at the cell found. */
static struct octopus_area octopus_rectangle(const struct push_octopus *o,
                                             const struct push_plan *p)
{
    int right = o->column + 1, bottom = o->row + 1;
    struct octopus_area a = {.x = o->column * PUSH_CELL, .y = o->row * PUSH_CELL};

    while (right < p->cells.columns && octopus_is_changed(p, right, o->row))
        right++;
    while (bottom < p->cells.rows && octopus_run_is_changed(p, o->column, right, bottom))
        bottom++;
    a.w = (int)fmin(right * PUSH_CELL, p->cells.width) - a.x;
    a.h = (int)fmin(bottom * PUSH_CELL, p->cells.height) - a.y;
    return a;
}

static int octopus_cells(int pixels)
{
    return (pixels + PUSH_CELL - 1) / PUSH_CELL;
}

/* Part `i` of `parts`, along the longer side. */
static struct octopus_area octopus_part(struct octopus_area a, int parts, int i)
{
    bool wide = a.w >= a.h;
    int *at = wide ? &a.x : &a.y, *side = wide ? &a.w : &a.h;
    int64_t cells = octopus_cells(*side);
    int from = (int)(cells * i / parts) * PUSH_CELL,
        to = (int)(cells * (i + 1) / parts) * PUSH_CELL;

    to = to < *side ? to : *side;
    *at += from;
    *side = to - from;
    return a;
}

/* No more parts than there are cells, and no fewer than two. */
static void octopus_push(struct push_octopus *o, struct octopus_area a, double parts)
{
    int cells = octopus_cells(a.w > a.h ? a.w : a.h);

    if (o->cuts == OCTOPUS_DEPTH || cells < 2)
        return;
    o->cut[o->cuts++] =
        (struct octopus_cut){.area = a, .parts = (int)fmin(fmax(2, ceil(parts)), cells)};
}

static bool octopus_take(struct push_octopus *o, struct octopus_area *out)
{
    while (o->cuts > 0) {
        struct octopus_cut *c = o->cut + o->cuts - 1;

        if (c->next < c->parts) {
            *out = octopus_part(c->area, c->parts, c->next++);
            return true;
        }
        o->cuts--;
    }
    return false;
}

/* The next rectangle of the update, or the next part of one. */
static bool octopus_area(struct push_octopus *o, const struct push_plan *p)
{
    if (!octopus_take(o, &o->now)) {
        if (!octopus_find(o, p))
            return false;
        o->now = octopus_rectangle(o, p);
        o->column = (o->now.x + o->now.w + PUSH_CELL - 1) / PUSH_CELL;
    }
    while (o->now.w * (int64_t)o->now.h > OCTOPUS_AREA) {
        octopus_push(o, o->now, o->now.w * (double)o->now.h / OCTOPUS_AREA);
        octopus_take(o, &o->now);
    }
    return true;
}

/* Updates leave at multiples of U. What changes after some stillness waits for the next of them. */
static tick_t octopus_due(struct push_octopus *o, const struct push_plan *p, tick_t now)
{
    tick_t u = push_octopus_interval(o, p);

    if (!o->waits && o->due < now)
        o->due += (now - o->due + u - 1) / u * u;
    o->waits = true;
    return o->due;
}

static bool octopus_begin_update(struct push_octopus *o, struct push_plan *p, uint32_t *sequence,
                                 tick_t now)
{
    if (p->cells.changed == 0 || octopus_due(o, p, now) > now)
        return false;
    octopus_judge(o, p->options.most_rate, now);
    o->due += push_octopus_interval(o, p);
    o->waits = false;
    o->active = true;
    o->row = o->column = o->cuts = 0;
    ++*sequence;
    return true;
}

bool push_octopus_next(struct push_octopus *o, struct push_plan *p, uint32_t *sequence,
                       struct push_strip *out, tick_t now)
{
    if (p->hidden || (!o->active && !octopus_begin_update(o, p, sequence, now)))
        return false;
    if (!octopus_area(o, p)) {
        o->active = false;
        return false;
    }
    *out = (struct push_strip){.x = o->now.x,
                               .y = o->now.y,
                               .w = o->now.w,
                               .h = o->now.h,
                               .jpeg = push_octopus_jpeg(o, p),
                               .why = PUSH_NEWS};
    return true;
}

void push_octopus_cut(struct push_octopus *o, size_t size, size_t room)
{
    octopus_push(o, o->now, (double)size / (double)room);
}

bool push_octopus_sent(struct push_octopus *o, struct push_plan *p, uint32_t sequence, size_t bytes,
                       bool exact, tick_t now)
{
    struct push_run r = {.column = o->now.x / PUSH_CELL, .count = octopus_cells(o->now.w)};

    for (int i = 0; i < octopus_cells(o->now.h); i++) {
        r.row = o->now.y / PUSH_CELL + i;
        push_cells_sent(&p->cells, &r, sequence, exact);
    }
    push_flow_sent(&p->flow, sequence, bytes, now);
    octopus_remember(o, sequence, bytes);
    o->bytes += bytes;
    while (o->cuts > 0 && o->cut[o->cuts - 1].next == o->cut[o->cuts - 1].parts)
        o->cuts--;
    o->active = o->cuts > 0 || octopus_find(o, p);
    return !o->active;
}

tick_t push_octopus_look_again(struct push_octopus *o, const struct push_plan *p, tick_t now)
{
    if (p->hidden)
        return TICK_NEVER;
    if (o->active)
        return now;
    return p->cells.changed > 0 ? octopus_due(o, p, now) : TICK_NEVER;
}
