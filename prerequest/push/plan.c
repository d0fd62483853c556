#include "prerequest/push/plan.h"

#include "prerequest/push/picture/film_cut.h"
#include "prerequest/push/picture/order.h"

size_t push_plan_cells(int width, int height)
{
    return push_cells_count(width, height);
}

/* ---- what happens ---- */

void push_plan_init(struct push_plan *p, const struct push_options *o, tick_t now)
{
    *p = (struct push_plan){.options = *o,
                            .copies = 1,
                            .frame_at = TICK_NEVER,
                            .input_at = TICK_NEVER,
                            .pass_due = now,
                            .pointer_x = -PUSH_SIDE_MOST,
                            .pointer_y = -PUSH_SIDE_MOST};
    p->pass.begun = p->pass.ended = TICK_NEVER;
    push_flow_init(&p->flow, o->most_rate, now);
    push_level_init(&p->level, now);
    push_level_pin(&p->level, o->quality);
    content_gap_init(&p->content);
    push_cells_init(&p->cells, NULL, 0, 0, now);
    push_film_init(&p->film);
}

void push_plan_keep_window(struct push_plan *p)
{
    push_flow_keep_window(&p->flow);
}

void push_plan_may_lose(struct push_plan *p, bool on)
{
    if (!on)
        push_film_insured(&p->film);
    p->may_lose = on;
    push_flow_may_lose(&p->flow, on);
}

void push_plan_tune(struct push_plan *p, const struct push_options *o, tick_t now)
{
    p->options = *o;
    p->pass_due = now;
    if (!o->jpeg || o->quality >= 0)
        push_film_end(&p->film, &p->cells);
    push_flow_limit(&p->flow, o->most_rate);
    push_level_pin(&p->level, o->quality);
}

void push_plan_hide(struct push_plan *p, bool hidden, tick_t now)
{
    (void)now;
    p->hidden = hidden;
    p->pass.active = false;
    if (hidden)
        push_film_end(&p->film, &p->cells);
}

void push_plan_picture(struct push_plan *p, struct push_cell *memory, int w, int h, tick_t now)
{
    push_film_forget(&p->film);
    push_cells_init(&p->cells, memory, w, h, now);
    p->pass.active = p->moves = false;
    p->frame_cells = 0;
    p->frame_at = TICK_NEVER;
}

void push_plan_input(struct push_plan *p, tick_t now)
{
    p->input_at = now;
    p->awaited = true;
}

void push_plan_pointer(struct push_plan *p, int x, int y)
{
    p->pointer_x = x;
    p->pointer_y = y;
}

static bool plan_after_input(const struct push_plan *p, tick_t now)
{
    return p->input_at != TICK_NEVER && now - p->input_at < PUSH_EFFECT;
}

static bool plan_near_pointer(const struct push_plan *p, int x, int y, int w, int h)
{
    return p->pointer_x > x - PUSH_NEAR && p->pointer_x < x + w + PUSH_NEAR &&
           p->pointer_y > y - PUSH_NEAR && p->pointer_y < y + h + PUSH_NEAR;
}

static void plan_comes(struct push_plan *p, tick_t now)
{
    if (!p->comes)
        p->comes_since = now;
    p->comes = true;
}

void push_plan_changed(struct push_plan *p, int x, int y, int w, int h, tick_t now)
{
    bool urgent = (int64_t)w * h <= PUSH_SMALL &&
                  (plan_after_input(p, now) || plan_near_pointer(p, x, y, w, h));
    uint32_t before = p->cells.urgent;

    plan_comes(p, now);
    push_cells_change(&p->cells, x, y, w, h, urgent, now);
    if (p->cells.urgent > before)
        p->awaited = false;
}

bool push_plan_copied(struct push_plan *p, int from_x, int from_y, int x, int y, int w, int h,
                      tick_t now)
{
    plan_comes(p, now);
    if (!p->hidden && !p->may_lose && push_cells_copy(&p->cells, from_x, from_y, x, y, w, h, now))
        return true;
    push_plan_changed(p, x, y, w, h, now);
    return false;
}

/* ---- passes ---- */

/* Whether something waits that is not only what was lost. */
static bool plan_has_news(const struct push_plan *p)
{
    return p->cells.changed > p->cells.lost || p->film.state == PUSH_FILM_LEAVES;
}

static void plan_begin_pass(struct push_plan *p, tick_t now)
{
    if (push_flow_wake(&p->flow, now))
        push_level_wake(&p->level, push_flow_round_trip(&p->flow), now);
    p->pass = (struct push_pass){
        .active = true, .turn = p->cells.turn, .begun = now, .ended = p->pass.ended};
    if (p->options.most_fps > 0)
        p->pass_due = tick_later(p->pass_due, now - PUSH_BURST) +
                      (tick_t)((double)TICK_S / p->options.most_fps);
}

/* A pass of so many cells takes so many bytes. If it is a frame of what moves, that tells how good
 * the pictures can be. */
static void plan_judge(struct push_plan *p, double bytes, double cells, tick_t now)
{
    double rate = push_flow_rate(&p->flow);

    p->pass.judged = true;
    if (!p->moves || rate <= 0 || 2 * p->pass.lossy < p->pass.bytes || 2 * cells < p->frame_cells)
        return;
    p->service = p->copies * bytes / rate * 1e9;
    p->need = p->service / (double)p->content.gap;
    if (p->film.on)
        return;
    p->frame_bytes = bytes;
    push_level_frame(&p->level, p->service, (double)p->content.gap, p->pass.begun, now);
}

/* A pass that takes far too long is judged by its beginning. */
static void plan_judge_early(struct push_plan *p, tick_t now)
{
    const struct push_pass *s = &p->pass;
    double cells;

    if (s->judged || now - s->begun < 2 * p->content.gap || s->cells < PUSH_PLAN_FRAME_LEAST / 2)
        return;
    cells = s->cells + p->cells.changed;
    plan_judge(p, s->bytes * cells / s->cells, cells, now);
}

static void plan_follow_pass(struct push_plan *p, tick_t now)
{
    if (!p->pass.active)
        return;
    if (p->film.state == PUSH_FILM_LEAVES)
        return;
    if (plan_has_news(p) &&
        (p->comes || !push_cells_before(p->pass.turn, push_order_oldest(&p->cells)))) {
        plan_judge_early(p, now);
        return;
    }
    p->pass.active = false;
    p->pass.ended = now;
    if (!p->pass.judged)
        plan_judge(p, p->pass.bytes, p->pass.cells, now);
}

/* ---- the end of an update ---- */

/* Whether the update that has ended is a frame of what moves: large, and as large as usual. */
static bool plan_is_frame(const struct push_plan *p)
{
    const struct push_cells *c = &p->cells;

    return c->update >= PUSH_PLAN_FRAME_LEAST && 2 * c->moving >= c->update &&
           (double)c->moving >= p->frame_cells / 2;
}

/* Whether the server could have sent the frame sooner. It is asked for one when the film's frame
 * before was taken; else when the pass before has ended. */
static bool plan_waited(const struct push_plan *p)
{
    if (p->film.on)
        return p->comes_since - p->film.taken > PUSH_PLAN_TAKEN;
    return !p->pass.active && p->pass.ended != TICK_NEVER &&
           p->comes_since - p->pass.ended > PUSH_PLAN_TAKEN;
}

/* The gap is the content's own where the path had time to spare (know/content_gap.h), and where the
 * frame did not wait for the end of a pass (push_plan_wants()). */
static void plan_frame(struct push_plan *p, tick_t now)
{
    struct content_frame f = {.service = p->service};

    p->frame_cells += PUSH_PLAN_FRAME_GAIN * (p->cells.moving - p->frame_cells);
    if (p->frame_at != TICK_NEVER && now > p->frame_at) {
        f.since = (double)(now - p->frame_at);
        f.busy = p->service / f.since;
        f.waited = plan_waited(p);
        content_gap_frame(&p->content, &f);
    }
    p->frame_at = now;
}

/* What a frame of the film may take of the path. */
static double plan_frame_rate(const struct push_plan *p)
{
    return push_flow_rate(&p->flow) / p->copies;
}

static void plan_judge_film(struct push_plan *p, bool frame, tick_t now)
{
    const struct push_film_path path = {
        .rate = plan_frame_rate(p),
        .gap = (double)p->content.gap,
        .bytes = p->frame_bytes,
        .need = p->need,
        .step = p->options.jpeg && p->level.pinned == 0 ? p->level.step : -1,
    };

    push_film_shown(&p->film, &p->cells, frame, &path, now);
    push_flow_film(&p->flow, p->film.on);
}

bool push_plan_shown(struct push_plan *p, tick_t now)
{
    bool news = p->comes, frame = plan_is_frame(p);

    p->comes = false;
    if (frame) {
        p->moves = true;
        plan_frame(p, now);
    } else if (p->cells.update >= PUSH_PLAN_FRAME_LEAST) {
        p->moves = false;
    }
    p->frame_cells *= p->moves ? 1 : PUSH_PLAN_FRAME_FADES;
    plan_judge_film(p, frame, now);
    push_cells_shown(&p->cells);
    plan_follow_pass(p, now);
    return news && p->cells.changed == 0 && !push_film_busy(&p->film);
}

bool push_plan_wants(const struct push_plan *p, tick_t now)
{
    return !p->pass.active || p->cells.changed == 0 || now - p->pass.begun >= PUSH_HOLD ||
           (p->awaited && plan_after_input(p, now));
}

/* ---- what leaves ---- */

/* What may leave, and when at the earliest. */
struct choice {
    bool any;
    enum push_why why;
    tick_t due;
    bool blocked; /* the path is what it waits for */
};

/* Refinement may fill a path on which nothing moves. */
static enum push_haste plan_spare(const struct push_plan *p, tick_t now)
{
    return p->pass.ended != TICK_NEVER && now - p->pass.ended < PUSH_REST ? PUSH_SPARE
                                                                          : PUSH_NORMAL;
}

/* The same where nothing urgent waits, and a film is on. */
static void plan_choose_film(struct push_plan *p, struct choice *c, tick_t now)
{
    struct push_run beside;

    switch (push_film_next(&p->film, &p->cells, &beside, now)) {
    case PUSH_FILM_NOTHING:
        c->any = false;
        break;
    case PUSH_FILM_BESIDE:
        c->why = PUSH_NEWS;
        break;
    case PUSH_FILM_TAKE:
        c->why = PUSH_FRAME;
        break;
    case PUSH_FILM_PART:
        c->why = PUSH_FRAME_PART;
        break;
    }
}

static struct choice plan_choose(struct push_plan *p, tick_t now)
{
    struct choice c = {.due = TICK_NEVER};

    if (p->hidden)
        return c;
    if (p->cells.changed > 0 || push_film_busy(&p->film)) {
        bool urgent = p->cells.urgent > 0;

        c.any = true;
        c.why = urgent ? PUSH_EFFECT_OF_INPUT : PUSH_NEWS;
        if (!urgent && p->film.on)
            plan_choose_film(p, &c, now);
        if (!c.any)
            return c;
        c.due = push_flow_due(&p->flow, urgent ? PUSH_AT_ONCE : PUSH_NORMAL, now);
        c.blocked = c.due > now;
        if (p->options.most_fps > 0 && !p->pass.active && plan_has_news(p) &&
            c.why != PUSH_FRAME_PART)
            c.due = tick_later(c.due, p->pass_due);
    } else if (p->options.exact_at_rest && p->cells.lossy > 0) {
        tick_t still = push_order_still_at(&p->cells, now);

        c.any = true;
        c.why = PUSH_REFINEMENT;
        c.due = tick_later(still, push_flow_due(&p->flow, plan_spare(p, now), now));
    }
    return c;
}

static bool plan_find(struct push_plan *p, enum push_why why, struct push_run *r, tick_t now)
{
    switch (why) {
    case PUSH_EFFECT_OF_INPUT:
        return push_order_urgent(&p->cells, p->pointer_y, r);
    case PUSH_NEWS:
        return p->film.on ? push_film_beside(&p->film, &p->cells, r)
                          : push_order_changed(&p->cells, r);
    case PUSH_FRAME:
    case PUSH_FRAME_PART:
        *r = (struct push_run){0};
        return true;
    default:
        return push_order_still(&p->cells, now, r);
    }
}

/* The pixels of so many rows from this one on. */
static int plan_height(const struct push_plan *p, int row, int rows)
{
    int left = p->cells.height - row * PUSH_CELL;

    return rows * PUSH_CELL < left ? rows * PUSH_CELL : left;
}

bool push_plan_next(struct push_plan *p, struct push_strip *out, tick_t now)
{
    struct choice c = plan_choose(p, now);
    struct push_run r;

    if (!c.any || c.due > now || !plan_find(p, c.why, &r, now)) {
        if (c.blocked)
            push_flow_blocked(&p->flow, now);
        else
            push_flow_idle(&p->flow);
        return false;
    }
    *out = (struct push_strip){.why = c.why};
    if (c.why == PUSH_FRAME || c.why == PUSH_FRAME_PART)
        return true;
    if (c.why != PUSH_REFINEMENT && !p->pass.active && plan_has_news(p))
        plan_begin_pass(p, now);
    out->x = r.column * PUSH_CELL;
    out->y = r.row * PUSH_CELL;
    out->w = r.count * PUSH_CELL;
    if (out->x + out->w > p->cells.width)
        out->w = p->cells.width - out->x;
    out->h = plan_height(p, r.row, 1);
    out->most_h = out->h;
    if (c.why == PUSH_NEWS)
        out->most_h = plan_height(p, r.row, push_order_below(&p->cells, &r, PUSH_TALL));
    out->jpeg = p->options.jpeg && c.why != PUSH_REFINEMENT ? push_level_jpeg(&p->level) : 0;
    return true;
}

/* Nothing that has changed is left to send. */
static bool plan_is_whole(const struct push_plan *p)
{
    return p->cells.changed == 0 && !p->comes && !push_film_busy(&p->film);
}

bool push_plan_sent(struct push_plan *p, const struct push_strip *s, int w, int h,
                    uint32_t sequence, size_t bytes, bool exact, tick_t now)
{
    struct push_run r = {.column = s->x / PUSH_CELL,
                         .row = s->y / PUSH_CELL,
                         .count = ((w < s->w ? w : s->w) + PUSH_CELL - 1) / PUSH_CELL};
    int rows = ((h < s->most_h ? h : s->most_h) + PUSH_CELL - 1) / PUSH_CELL;

    for (int i = 0; i < rows; i++, r.row++)
        push_cells_sent(&p->cells, &r, sequence, exact);
    push_flow_sent(&p->flow, sequence, bytes, now);
    if (s->why != PUSH_REFINEMENT && p->pass.active) {
        p->pass.bytes += (double)bytes;
        p->pass.lossy += exact ? 0 : (double)bytes;
        p->pass.cells += (unsigned)(rows * r.count);
        plan_follow_pass(p, now);
    }
    return plan_is_whole(p);
}

void push_plan_expect_copies(struct push_plan *p, double copies)
{
    p->copies = copies;
}

tick_t push_plan_spare_at(const struct push_plan *p, tick_t now)
{
    if (!p->hidden && p->film.state == PUSH_FILM_INSURES)
        return push_flow_due(&p->flow, PUSH_NORMAL, now);
    if (p->hidden || p->comes || p->cells.changed > 0 || push_film_busy(&p->film))
        return TICK_NEVER;
    return push_flow_due(&p->flow, PUSH_SPARE, now);
}

bool push_plan_again(struct push_plan *p, int x, int y, int w, int h, uint32_t before,
                     uint32_t sequence, size_t bytes, tick_t now)
{
    if (!push_cells_again(&p->cells, x, y, w, h, before, sequence))
        return false;
    push_plan_sent_more(p, sequence, bytes, now);
    return true;
}

void push_plan_sent_more(struct push_plan *p, uint32_t sequence, size_t bytes, tick_t now)
{
    push_flow_busy(&p->flow); /* it has waited since the block before left */
    push_flow_sent(&p->flow, sequence, bytes, now);
}

bool push_plan_has(struct push_plan *p, int x, int y, int w, int h, uint32_t sequence, size_t bytes,
                   tick_t now)
{
    push_cells_has(&p->cells, x, y, w, h, sequence);
    push_flow_sent(&p->flow, sequence, bytes, now);
    plan_follow_pass(p, now);
    return plan_is_whole(p);
}

/* ---- a film ---- */

void push_plan_allow_film(struct push_plan *p, bool may)
{
    push_film_allow(&p->film, &p->cells, may);
}

void push_plan_film_anew(struct push_plan *p, int x, int y, int w, int h)
{
    const struct push_area *a = &p->film.area;

    if (x < (a->column + a->columns) * PUSH_CELL && x + w > a->column * PUSH_CELL &&
        y < (a->row + a->rows) * PUSH_CELL && y + h > a->row * PUSH_CELL)
        push_film_anew(&p->film, &p->cells);
}

/* The share of blocks that a film is insured against. */
static double plan_loss(const struct push_plan *p)
{
    return p->may_lose ? push_loss_insured(&p->flow.loss) : 0;
}

void push_plan_take_frame(struct push_plan *p, uint32_t id, struct push_film_order *out, tick_t now)
{
    double gap = (double)p->content.gap / 1e9;

    push_film_take(&p->film, &p->cells, id, out, now);
    out->bytes = push_film_fits(PUSH_FILM_AIM * push_flow_rate(&p->flow) * gap, plan_loss(p),
                                push_film_fails(p->film.qp));
    out->fps = 1 / gap;
}

unsigned push_plan_cut_frame(struct push_plan *p, size_t bytes, int qp)
{
    p->film.qp = qp;
    return push_film_cut(bytes, plan_loss(p), push_film_fails(qp));
}

bool push_plan_frame_coded(struct push_plan *p, uint32_t id, unsigned parts, tick_t now)
{
    return push_film_coded(&p->film, &p->cells, id, parts, now);
}

bool push_plan_part_left(struct push_plan *p, uint32_t sequence, size_t bytes, tick_t now)
{
    const struct push_film_frame *s = push_film_newest(&p->film);

    if (s->parts == 0)
        plan_begin_pass(p, now);
    push_flow_sent(&p->flow, sequence, bytes, now);
    p->pass.bytes += (double)bytes;
    p->pass.lossy += (double)bytes;
    if (!push_film_left(&p->film, sequence, p->may_lose))
        return false;
    p->pass.cells += s->cells;
    plan_follow_pass(p, now);
    return plan_is_whole(p);
}

bool push_plan_is_of_frame(const struct push_plan *p, uint32_t sequence)
{
    return push_film_has(&p->film, sequence);
}

void push_plan_frame_lost(struct push_plan *p, uint32_t sequence)
{
    push_film_lost(&p->film, &p->cells, sequence);
}

void push_plan_frame_insured(struct push_plan *p)
{
    push_film_insured(&p->film);
}

void push_plan_sent_other(struct push_plan *p, uint32_t sequence, size_t bytes, tick_t now)
{
    push_flow_sent(&p->flow, sequence, bytes, now);
}

void push_plan_lost(struct push_plan *p, uint32_t sequence, int x, int y, int w, int h, tick_t now)
{
    if (w > 0 && h > 0)
        push_film_lost(&p->film, &p->cells, sequence);
    push_cells_lost(&p->cells, x, y, w, h, sequence);
    push_flow_lost(&p->flow, sequence, now);
}

void push_plan_acknowledged(struct push_plan *p, uint32_t sequence, tick_t at, tick_t now)
{
    bool known = push_flow_round_trip(&p->flow) > 0;

    push_flow_acknowledged(&p->flow, sequence, at, now);
    if (!known && push_flow_round_trip(&p->flow) > 0)
        push_level_path(&p->level, push_flow_round_trip(&p->flow), now);
}

tick_t push_plan_look_again(struct push_plan *p, tick_t now)
{
    struct choice c = plan_choose(p, now);
    tick_t wants = TICK_NEVER;

    if (!push_plan_wants(p, now))
        wants = p->pass.begun + PUSH_HOLD;
    return tick_sooner(c.due, wants);
}

struct push_figures push_plan_figures(const struct push_plan *p, tick_t now)
{
    const struct round_trip *r = &p->flow.round_trip;

    return (struct push_figures){
        .rate = push_flow_rate(&p->flow),
        .round_trip = push_flow_round_trip(&p->flow),
        .queue = round_trip_known(r) ? r->newest - r->smallest : 0,
        .on_way = push_flow_on_way(&p->flow),
        .window = push_flow_window(&p->flow, now),
        .jpeg = p->options.jpeg ? push_level_jpeg(&p->level) : 0,
        .need = p->need,
        .gap = p->content.gap,
        .changed = p->cells.changed,
        .lossy = p->cells.lossy,
    };
}
