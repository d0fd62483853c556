#include "rfb/blocks/foretold/foretold_model.h"

#include <stdlib.h>
#include <string.h>

#define MODEL_ORDERS 4  /* tables: the higher, the more they look at */
#define MODEL_BITS   17 /* of a table's slots */
#define MODEL_HITS   15u
#define MODEL_KEY    0xffff0000u
#define MODEL_KEY_AT 16 /* bit */

/* Rows above and below a pixel, and columns on its left. */
#define MODEL_REACH 5
#define MODEL_FAR   10
#define MODEL_RING  16 /* columns, a power of 2, more than MODEL_FAR */
#define MODEL_NEAR  4  /* columns, a power of 2: three are looked at */
#define MODEL_PAD   8  /* rows around a column, more than MODEL_REACH */

/* Odd, and well mixed. */
#define MODEL_DOWN   0x2c1b3c6du
#define MODEL_ACROSS 0x297a2d39u
#define MODEL_MIX    0x9e3779b1u

#define MODEL_NONE 0x01000000u /* no colour */

/* Colours that were no guess, the newest of them. */
#define MODEL_RECENT_BITS 6
#define MODEL_RECENT      (1 << MODEL_RECENT_BITS)

/* Guesses: of each table, and what was there before, above, and on the left. */
#define MODEL_BESIDE 3
#define MODEL_TRIED  (MODEL_ORDERS + MODEL_BESIDE)

/* How likely a guess of a table is right: by the table, how often it was, how many others say so,
 * what was there before, and how many guesses were wrong. */
#define MODEL_GUESSES (MODEL_ORDERS * 8 * 4 * 4 * 4)

struct model_slot {
    uint32_t key;    /* the upper 16 bits tell whose it is; below: how often it was right */
    uint32_t colour; /* MODEL_NONE: it is free */
};

/* MODEL_PAD rows, those of the piece that are coded, and MODEL_PAD rows. */
struct model_column {
    uint32_t pixel[FORETOLD_H_MAX + 2 * MODEL_PAD];
};

struct foretold_model {
    struct model_slot slot[MODEL_ORDERS][1 << MODEL_BITS];
    chance guess[MODEL_GUESSES];
    chance beside[MODEL_BESIDE * 4 * 4];
    chance is_recent;
    chance recent[MODEL_RECENT];
    chance colour[3][256];
    uint32_t last[MODEL_RECENT], kept[MODEL_RECENT];
    struct model_column column[MODEL_NEAR];   /* the newest ones, by x */
    uint32_t sum[MODEL_RING][FORETOLD_H_MAX]; /* of what is around each pixel of a column, by x */
    uint32_t far[FORETOLD_H_MAX];             /* of the sums of MODEL_FAR columns */
    uint32_t power_reach, power_up, power_far;
};

/* What is known where a pixel is coded. */
struct model_place {
    struct model_slot *slot[MODEL_ORDERS];
    uint32_t key[MODEL_ORDERS];
    uint32_t beside[MODEL_BESIDE]; /* before (MODEL_NONE: not known), above, left */
    unsigned changed;              /* 1: above is another colour than before; 2: left is */
};

struct model_tried {
    uint32_t colour[MODEL_TRIED];
    unsigned count;
};

static uint32_t model_power(uint32_t base, int n)
{
    uint32_t power = 1;

    for (int i = 0; i < n; i++)
        power *= base;
    return power;
}

struct foretold_model *foretold_model_create(void)
{
    struct foretold_model *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->power_reach = model_power(MODEL_DOWN, 2 * MODEL_REACH + 1);
    m->power_up = model_power(MODEL_DOWN, MODEL_REACH);
    m->power_far = model_power(MODEL_ACROSS, MODEL_FAR);
    return m;
}

void foretold_model_destroy(struct foretold_model *m)
{
    free(m);
}

static void model_forget(chance *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        of[i] = CHANCE_EVEN;
}

void foretold_model_begin(struct foretold_model *m)
{
    for (int order = 0; order < MODEL_ORDERS; order++)
        for (int i = 0; i < 1 << MODEL_BITS; i++)
            m->slot[order][i] = (struct model_slot){0, MODEL_NONE};
    model_forget(m->guess, MODEL_GUESSES);
    model_forget(m->beside, sizeof m->beside / sizeof *m->beside);
    model_forget(&m->is_recent, 1);
    model_forget(m->recent, MODEL_RECENT);
    model_forget(m->colour[0], sizeof m->colour / sizeof(chance));
    memset(m->last, 0, sizeof m->last);
}

void foretold_model_keep_colours(struct foretold_model *m)
{
    memcpy(m->kept, m->last, sizeof m->last);
}

void foretold_model_take_back_colours(struct foretold_model *m)
{
    memcpy(m->last, m->kept, sizeof m->last);
}

/* ---- what is beside a pixel ---- */

/* The first row that is coded. */
static uint32_t *model_column(struct foretold_model *m, int x)
{
    return m->column[x & (MODEL_NEAR - 1)].pixel + MODEL_PAD;
}

static uint32_t *model_sums(struct foretold_model *m, int x)
{
    return m->sum[x & (MODEL_RING - 1)];
}

/* A column of the piece, as it is in `now`. What is outside of the piece is 0. */
static void model_take_column(struct foretold_model *m, const struct foretold_piece *p, int x)
{
    uint32_t *out = model_column(m, x) - p->top;

    for (int y = p->top - MODEL_PAD; y < p->bottom + MODEL_PAD; y++)
        out[y] = x >= 0 && y >= 0 && y < p->h ? p->now[(ptrdiff_t)x * p->h + y] : 0;
}

/* The sums of a column: of each pixel, and MODEL_REACH above and below it. */
static void model_sum(const struct foretold_model *m, uint32_t *out, const uint32_t *at, int rows)
{
    uint32_t sum = 0;

    for (int y = -1 - MODEL_REACH; y < MODEL_REACH; y++)
        sum = sum * MODEL_DOWN + at[y] * MODEL_MIX;
    for (int y = 0; y < rows; y++) {
        sum = sum * MODEL_DOWN + at[y + MODEL_REACH] * MODEL_MIX -
              at[y - MODEL_REACH - 1] * MODEL_MIX * m->power_reach;
        out[y] = sum;
    }
}

/* The column at x is known now. */
static void model_pass_column(struct foretold_model *m, const struct foretold_piece *p, int x)
{
    const uint32_t *oldest = model_sums(m, x - MODEL_FAR);
    uint32_t *sum = model_sums(m, x);
    int rows = p->bottom - p->top;

    model_sum(m, sum, model_column(m, x), rows);
    for (int y = 0; y < rows; y++)
        m->far[y] = m->far[y] * MODEL_ACROSS + sum[y] - oldest[y] * m->power_far;
}

static void model_begin_piece(struct foretold_model *m, const struct foretold_piece *p)
{
    int rows = p->bottom - p->top, first = p->left < MODEL_FAR ? 0 : p->left - MODEL_FAR;

    for (int i = 0; i < MODEL_RING; i++)
        memset(m->sum[i], 0, (size_t)rows * sizeof *m->sum[i]);
    memset(m->far, 0, (size_t)rows * sizeof *m->far);
    for (int x = first - MODEL_NEAR; x < p->left; x++) {
        model_take_column(m, p, x);
        if (x >= first)
            model_pass_column(m, p, x);
    }
}

static uint32_t model_mix(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ h >> 16;
}

/* By what is near: a few pixels, and what was there before. */
static uint32_t model_near(const struct model_place *at, const uint32_t *now, const uint32_t *left)
{
    return at->beside[0] * 0x85ebca6bu + now[-1] * 0xc2b2ae35u + left[0] * 0x27d4eb2fu +
           left[-1] * 0x165667b1u + left[1] * 0xd3a2646du + at->changed * 0xfd7046c5u;
}

/* By some more. */
static uint32_t model_around(const struct model_place *at, const uint32_t *now,
                             const uint32_t *left, const uint32_t *left2)
{
    uint32_t sum = at->beside[0];

    for (int i = 1; i <= 3; i++)
        sum = sum * MODEL_ACROSS + now[-i];
    for (int i = -2; i <= 2; i++)
        sum = sum * MODEL_ACROSS + left[i];
    for (int i = -1; i <= 1; i++)
        sum = sum * MODEL_ACROSS + left2[i];
    return sum;
}

/* `up`: the sum of the pixels above. */
static void model_look(struct foretold_model *m, const struct foretold_piece *p, int x, int row,
                       uint32_t up, struct model_place *at)
{
    const uint32_t *now = model_column(m, x) + row, *left = model_column(m, x - 1) + row;
    const uint32_t *before = p->before ? p->before + (ptrdiff_t)x * p->h + p->top + row : NULL;
    uint32_t key[MODEL_ORDERS];

    at->beside[0] = before ? *before : MODEL_NONE;
    at->beside[1] = now[-1];
    at->beside[2] = left[0];
    at->changed = 0;
    if (before && p->top + row > 0)
        at->changed |= now[-1] != before[-1] ? 1 : 0;
    if (before && x > 0)
        at->changed |= left[0] != before[-p->h] ? 2 : 0;
    key[0] = model_near(at, now, left);
    key[1] = model_around(at, now, left, model_column(m, x - 2) + row);
    key[2] = model_sums(m, x - 1)[row] + model_sums(m, x - 2)[row] * 0x85ebca6bu +
             model_sums(m, x - 3)[row] * 0xc2b2ae35u + up * 0x27d4eb2fu;
    key[3] = m->far[row] + up * 0x165667b1u;
    for (int order = 0; order < MODEL_ORDERS; order++) {
        uint32_t mixed = model_mix(key[order]);

        at->slot[order] = &m->slot[order][mixed >> (32 - MODEL_BITS)];
        at->key[order] = mixed << MODEL_KEY_AT;
    }
}

/* ---- a pixel ---- */

static bool model_is(const struct model_place *at, int order)
{
    const struct model_slot *s = at->slot[order];

    return s->colour != MODEL_NONE && (s->key & MODEL_KEY) == at->key[order];
}

static void model_learn(const struct model_place *at, uint32_t colour, struct undo *u)
{
    for (int order = 0; order < MODEL_ORDERS; order++) {
        struct model_slot *s = at->slot[order];
        uint32_t hits = s->key & MODEL_HITS;

        undo_note(u, &s->key);
        if (model_is(at, order) && s->colour == colour) {
            s->key += hits < MODEL_HITS;
        } else if (model_is(at, order) && hits > 0) {
            s->key -= hits - hits / 4;
        } else {
            undo_note(u, &s->colour);
            *s = (struct model_slot){at->key[order], colour};
        }
    }
}

/* Whether the pixel has this colour; it is asked once. */
static bool model_ask(struct range_coder *c, chance *of, struct model_tried *t, uint32_t guess,
                      uint32_t *colour)
{
    for (unsigned i = 0; i < t->count; i++)
        if (t->colour[i] == guess)
            return false;
    if (range_coder_bit(c, of, *colour == guess)) {
        *colour = guess;
        return true;
    }
    t->colour[t->count++] = guess;
    return false;
}

static chance *model_chance(struct foretold_model *m, const struct model_place *at, int order,
                            unsigned wrong)
{
    static const uint8_t often[MODEL_HITS + 1] = {0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7};
    uint32_t guess = at->slot[order]->colour;
    unsigned same = 0, before = 1;

    for (int i = 0; i < order; i++)
        same += model_is(at, i) && at->slot[i]->colour == guess;
    if (at->beside[0] == MODEL_NONE)
        before = 0;
    else if (guess != at->beside[0])
        before = at->changed ? 3 : 2;
    return &m->guess[(((unsigned)order * 8 + often[at->slot[order]->key & MODEL_HITS]) * 4 + same) *
                         16 +
                     before * 4 + (wrong < 3 ? wrong : 3)];
}

/* A colour that is none of the guesses. */
static uint32_t model_colour(struct foretold_model *m, struct range_coder *c, uint32_t colour)
{
    unsigned at = 0;

    while (at < MODEL_RECENT && m->last[at] != colour)
        at++;
    if (range_coder_bit(c, &m->is_recent, at < MODEL_RECENT)) {
        at = range_coder_number(c, m->recent, MODEL_RECENT_BITS, at);
        colour = m->last[at];
    } else {
        unsigned green = range_coder_number(c, m->colour[0], 8, colour >> 8 & 0xff);
        unsigned red = range_coder_number(c, m->colour[1], 8, ((colour >> 16) - green) & 0xff);
        unsigned blue = range_coder_number(c, m->colour[2], 8, (colour - green) & 0xff);

        colour = ((red + green) & 0xff) << 16 | green << 8 | ((blue + green) & 0xff);
        at = MODEL_RECENT - 1;
    }
    memmove(m->last + 1, m->last, at * sizeof *m->last);
    m->last[0] = colour;
    return colour;
}

static uint32_t model_pixel(struct foretold_model *m, struct range_coder *c,
                            const struct model_place *at, uint32_t colour)
{
    struct model_tried tried = {.count = 0};

    for (int order = MODEL_ORDERS - 1; order >= 0; order--)
        if (model_is(at, order) && model_ask(c, model_chance(m, at, order, tried.count), &tried,
                                             at->slot[order]->colour, &colour))
            return colour;
    for (unsigned i = 0; i < MODEL_BESIDE; i++)
        if (at->beside[i] != MODEL_NONE &&
            model_ask(c,
                      &m->beside[(i * 4 + at->changed) * 4 + (tried.count < 3 ? tried.count : 3)],
                      &tried, at->beside[i], &colour))
            return colour;
    return model_colour(m, c, colour);
}

void foretold_model_code(struct foretold_model *m, struct range_coder *c,
                         const struct foretold_piece *p)
{
    model_begin_piece(m, p);
    for (int x = p->left; x < p->right; x++) {
        uint32_t *now = model_column(m, x), up = 0;

        model_take_column(m, p, x);
        for (int y = -MODEL_REACH; y < 0; y++)
            up = up * MODEL_DOWN + now[y] * MODEL_MIX;
        for (int row = 0; row < p->bottom - p->top && !c->full; row++) {
            struct model_place at;

            model_look(m, p, x, row, up, &at);
            now[row] = model_pixel(m, c, &at, now[row]);
            model_learn(&at, now[row], c->undo);
            up = up * MODEL_DOWN + now[row] * MODEL_MIX -
                 now[row - MODEL_REACH] * MODEL_MIX * m->power_up;
        }
        memcpy(p->now + (ptrdiff_t)x * p->h + p->top, now,
               (size_t)(p->bottom - p->top) * sizeof *now);
        model_pass_column(m, p, x);
    }
}
