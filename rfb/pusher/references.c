#include "rfb/pusher/references.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/moves.h"
#include "rfb/blocks/prefix.h"
#include "rfb/blocks/reference.h"
#include "rfb/blocks/rgb.h"
#include "rfb/blocks/shadow.h"
#include "rfb/proto/blocks.h"
#include "rfb/proto/encodings.h"
#include "rfb/pusher/foretelling.h"
#include "rfb/pusher/kept_tiles.h"

/* What was found when an update came. */
struct references_look {
    struct rect box; /* of the cells that wait, in cells */
    unsigned waiting;
    unsigned known; /* of these, how many are known as they were */
};

struct references {
    struct framebuffer_reader *reader;
    struct shadow shadow;
    struct shifts *shifts;
    struct moves moves;
    struct prefix *prefix;
    struct kept_tiles *tiles;
    struct foretelling *foretelling; /* NULL: the viewer takes no foretold text */
    uint8_t *waits; /* of each cell: enum kept_tiles_waits; NOT: something was found for it */
    bool sure;      /* the viewer has to have told of what is referred to, */
    tick_t doubt;   /* and always so until then */
    bool heard;     /* it has told of the stream, up to this block */
    uint32_t sequence;
    struct rect move[REFERENCES_MOVES]; /* in pixels; where it is from: */
    int from_x[REFERENCES_MOVES], from_y[REFERENCES_MOVES];
    unsigned found, left;
    uint8_t payload[BLOCK_PAYLOAD_MAX];
};

struct references_taken references_taken(bool (*takes)(void *user, int32_t encoding), void *user)
{
    struct references_taken taken = {.any = takes(user, PSEUDO_REFERENCES),
                                     .foretold = takes(user, PSEUDO_FORETOLD),
                                     .kept_mib = KEPT_MIB_USUAL};

    for (unsigned mib = 0; mib <= KEPT_MIB_MOST; mib++)
        if (takes(user, PSEUDO_KEPT_0 + (int32_t)mib))
            taken.kept_mib = mib;
    return taken;
}

struct references *references_create(struct framebuffer_reader *reader,
                                     const struct references_taken *taken)
{
    struct references *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->reader = reader;
    r->shifts = shifts_create();
    r->prefix = prefix_create();
    r->tiles = kept_tiles_create(taken->kept_mib);
    r->foretelling = taken->foretold ? foretelling_create() : NULL;
    if (r->shifts && r->prefix && r->tiles && (r->foretelling || !taken->foretold))
        return r;
    references_destroy(r);
    return NULL;
}

void references_destroy(struct references *r)
{
    if (!r)
        return;
    shadow_deinit(&r->shadow);
    moves_deinit(&r->moves);
    shifts_destroy(r->shifts);
    prefix_destroy(r->prefix);
    kept_tiles_destroy(r->tiles);
    foretelling_destroy(r->foretelling);
    free(r->waits);
    free(r);
}

static void references_drop_found(struct references *r)
{
    r->found = r->left = 0;
    kept_tiles_drop_found(r->tiles);
}

void references_picture(struct references *r, int width, int height)
{
    bool ok;

    if (!r)
        return;
    free(r->waits);
    ok = shadow_begin(&r->shadow, width, height) &&
         moves_begin(&r->moves, r->shadow.columns, r->shadow.rows);
    r->waits = ok ? malloc((size_t)r->shadow.columns * (size_t)r->shadow.rows) : NULL;
    ok = ok && r->waits && kept_tiles_picture(r->tiles, width, height) &&
         (!r->foretelling || foretelling_picture(r->foretelling, width, height));
    if (!ok)
        shadow_deinit(&r->shadow);
    references_drop_found(r);
}

/* The picture that is shown. False: it cannot be looked at, or nothing is known of the viewer's. */
static bool references_lock(struct references *r, struct framebuffer_view *view)
{
    if (!r || !r->shadow.pixels || !framebuffer_lock(r->reader, view, false))
        return false;
    if (view->width == r->shadow.width && view->height == r->shadow.height)
        return true;
    framebuffer_unlock(r->reader);
    return false;
}

void references_heard(struct references *r, uint32_t sequence)
{
    if (!r)
        return;
    r->heard = true;
    r->sequence = sequence;
}

/* ---- what is found ---- */

/* What became of a cell that left. */
static uint8_t references_state(const struct references *r, uint8_t state,
                                const struct push_cell *cell, const struct arrivals *a)
{
    if (cell->state & PUSH_LOST)
        return SHADOW_UNKNOWN;
    if (state == SHADOW_STREAMED && r->heard && (int32_t)(r->sequence - cell->sequence) >= 0)
        return SHADOW_HAS;
    if (state == SHADOW_SENT && arrivals_came(a, cell->sequence))
        return SHADOW_HAS;
    return state;
}

static uint8_t references_waiting(const struct push_cell *cell)
{
    if (!(cell->state & PUSH_CHANGED))
        return KEPT_TILES_NOT;
    return cell->moves < PUSH_MOVING ? KEPT_TILES_WAITS : KEPT_TILES_MOVES;
}

static struct references_look references_look(struct references *r, const struct push_plan *p,
                                              const struct arrivals *a)
{
    int left = r->shadow.columns, right = 0, top = r->shadow.rows, bottom = 0;
    struct references_look look = {0};

    for (int row = 0; row < r->shadow.rows; row++)
        for (int column = 0; column < r->shadow.columns; column++) {
            const struct push_cell *cell = push_cells_at(&p->cells, column, row);
            uint8_t *state = shadow_at(&r->shadow, column, row);
            uint8_t waits = references_waiting(cell);

            *state = references_state(r, *state, cell, a);
            r->waits[(size_t)row * (size_t)r->shadow.columns + (size_t)column] = waits;
            if (waits == KEPT_TILES_NOT)
                continue;
            look.waiting++;
            look.known += *state != SHADOW_UNKNOWN;
            left = column < left ? column : left;
            right = column + 1 > right ? column + 1 : right;
            top = row < top ? row : top;
            bottom = row + 1;
        }
    look.box = (struct rect){left, top, right - left, bottom - top};
    return look;
}

/* The rectangles of one shift. */
static void references_find_rectangles(struct references *r, const struct moves_of *of,
                                       const struct shift *shift)
{
    const int most = REFERENCE_AREA_MAX / (BLOCK_CELL * BLOCK_CELL);

    moves_match(&r->moves, of, shift);
    while (r->found < REFERENCES_MOVES) {
        unsigned waiting;
        struct rect cells = moves_best(&r->moves, of, most, &waiting), *move = r->move + r->found;

        if (waiting < REFERENCES_CELLS)
            return;
        for (int row = cells.y; row < cells.y + cells.h; row++)
            memset(r->waits + (size_t)row * (size_t)r->shadow.columns + cells.x, 0,
                   (size_t)cells.w);
        *move = shadow_pixels(cells, r->shadow.width, r->shadow.height);
        r->from_x[r->found] = move->x - shift->dx;
        r->from_y[r->found++] = move->y - shift->dy;
    }
}

static void references_find_moves(struct references *r, const struct moves_of *of)
{
    struct shift shift[SHIFTS_MOST];
    struct rect part = shadow_pixels(of->cells, r->shadow.width, r->shadow.height);
    unsigned shifts =
        shifts_find(r->shifts, r->shadow.pixels, of->now, r->shadow.width, part, shift);

    for (unsigned i = 0; i < shifts; i++)
        references_find_rectangles(r, of, shift + i);
}

void references_shown(struct references *r, const struct push_plan *p,
                      const struct push_datagrams *d, tick_t now)
{
    struct framebuffer_view view;
    struct references_look look;

    if (!references_lock(r, &view))
        return;
    references_drop_found(r);
    if (r->foretelling)
        foretelling_shown(r->foretelling);
    r->sure = d->on && (push_loss_insured(&p->flow.loss) > 0 || now < r->doubt);
    look = references_look(r, p, &d->arrivals);
    if (look.waiting >= REFERENCES_CELLS)
        kept_tiles_find(r->tiles, &r->shadow, view.pixels, r->waits,
                        &(struct kept_tiles_how){d->on ? &d->arrivals : NULL, r->sure, now});
    if (look.known >= REFERENCES_CELLS) /* else nothing of what was there is elsewhere now */
        references_find_moves(
            r, &(struct moves_of){&r->shadow, view.pixels, r->waits, look.box, r->sure});
    framebuffer_unlock(r->reader);
}

/* ---- what leaves ---- */

static bool references_waits(const struct push_plan *p, struct rect area)
{
    struct rect cells = shadow_cells(area);

    for (int row = cells.y; row < cells.y + cells.h; row++)
        for (int column = cells.x; column < cells.x + cells.w; column++)
            if (push_cells_at(&p->cells, column, row)->state & PUSH_CHANGED)
                return true;
    return false;
}

/* What was found may not hold any more: of what it is from, something else may have left. */
static bool references_next_move(struct references *r, const struct push_plan *p,
                                 const uint32_t *now, struct block *out)
{
    while (r->left < r->found) {
        unsigned i = r->left++;
        struct rect area = r->move[i], from = {r->from_x[i], r->from_y[i], area.w, area.h};
        uint8_t digest[RGB_DIGEST];

        if (!references_waits(p, area) || !shadow_knows(&r->shadow, from, r->sure) ||
            !shadow_is(&r->shadow, now, area, from.x, from.y))
            continue;
        rgb_digest(now, r->shadow.width, area, digest);
        out->area = area;
        reference_set_moved(out, from.x, from.y, digest, r->payload);
        return true;
    }
    return false;
}

bool references_next(struct references *r, const struct push_plan *p, uint32_t sequence,
                     struct block *out)
{
    struct framebuffer_view view;
    bool found;

    if (!r || (r->left == r->found && !kept_tiles_wait(r->tiles)) || !references_lock(r, &view))
        return false;
    found = kept_tiles_next_keep(r->tiles, &r->shadow, r->sure, sequence, r->payload, out) ||
            kept_tiles_next_kept(r->tiles, &r->shadow, p, r->payload, out) ||
            references_next_move(r, p, view.pixels, out);
    framebuffer_unlock(r->reader);
    return found;
}

bool references_tell(const struct block *b, struct push_plan *p, size_t bytes, tick_t now)
{
    if (b->codec != BLOCK_REFERENCE || b->payload[0] != REFERENCE_KEEP)
        return push_plan_has(p, b->area.x, b->area.y, b->area.w, b->area.h, b->sequence, bytes,
                             now);
    push_plan_sent_other(p, b->sequence, bytes, now);
    return false;
}

/* ---- foretold text ---- */

bool references_foretell(struct references *r, const struct push_plan *p,
                         const struct push_strip *strip, struct block *out)
{
    struct framebuffer_view view;
    bool made;

    if (!r || !r->foretelling || !references_lock(r, &view))
        return false;
    made = foretelling_make(r->foretelling, p, &r->shadow, view.pixels, strip, out);
    framebuffer_unlock(r->reader);
    return made;
}

bool references_tell_pieces(struct references *r, const struct block *b, struct push_plan *p,
                            size_t bytes, tick_t now)
{
    const struct rect *piece;
    unsigned pieces = foretelling_pieces(r->foretelling, &piece);

    for (unsigned i = 1; i < pieces; i++)
        push_cells_has(&p->cells, piece[i].x, piece[i].y, piece[i].w, piece[i].h, b->sequence);
    return push_plan_has(p, piece->x, piece->y, piece->w, piece->h, b->sequence, bytes, now);
}

/* ---- text beside text ---- */

/* So much of the rows that the area is in, as is known, and as wide as a prefix may be. */
static struct rect references_prefix(const struct references *r, struct rect area)
{
    struct rect from = area;
    bool grows = true;

    while (grows && (from.w + 2 * BLOCK_CELL) * area.h <= PREFIX_AREA_MAX) {
        struct rect left = {from.x - BLOCK_CELL, area.y, BLOCK_CELL, area.h};
        struct rect right = {from.x + from.w, area.y, BLOCK_CELL, area.h};
        bool to_left = left.x >= 0 && shadow_knows(&r->shadow, left, r->sure);
        bool to_right =
            right.x + right.w <= r->shadow.width && shadow_knows(&r->shadow, right, r->sure);

        from.x -= to_left ? BLOCK_CELL : 0;
        from.w += (to_left ? BLOCK_CELL : 0) + (to_right ? BLOCK_CELL : 0);
        grows = to_left || to_right;
    }
    return from;
}

/* A prefix that has too many colours may have fewer where the block itself is. Returns the bytes;
 * 0: it takes `most` or more, or does not work. */
static size_t references_write(struct references *r, const uint32_t *now, struct rect area,
                               size_t most, const uint8_t **payload)
{
    const uint32_t *then = r->shadow.pixels;
    int stride = r->shadow.width;
    size_t size =
        prefix_write(r->prefix, now, then, stride, area, references_prefix(r, area), most, payload);

    return size > 0 ? size : prefix_write(r->prefix, now, then, stride, area, area, most, payload);
}

static void references_set_prefixed(struct block *b, const uint8_t *payload, size_t size)
{
    b->codec = BLOCK_PREFIXED;
    b->quality = 0;
    b->payload = payload;
    b->size = size;
}

/* The strip, and the rows of cells below it in which something waits, and all is known. */
static struct rect references_rows(const struct references *r, const struct push_plan *p,
                                   const struct push_strip *strip)
{
    const struct rect whole = {0, 0, r->shadow.width, r->shadow.height};
    struct rect area = {strip->x, strip->y, strip->w, strip->h};

    for (;;) {
        struct rect below =
            rect_intersect((struct rect){area.x, area.y + area.h, area.w, BLOCK_CELL}, whole);

        if (below.h == 0 || area.w * (area.h + below.h) > PREFIX_AREA_MAX ||
            !references_waits(p, below) || !shadow_knows(&r->shadow, below, r->sure))
            return area;
        area.h += below.h;
    }
}

bool references_grow(struct references *r, const struct push_plan *p,
                     const struct push_strip *strip, struct block *out)
{
    struct framebuffer_view view;
    const uint8_t *payload;
    size_t size = 0;

    if (!references_lock(r, &view))
        return false;
    out->area = (struct rect){strip->x, strip->y, strip->w, strip->h};
    if (shadow_knows(&r->shadow, out->area, r->sure))
        out->area = references_rows(r, p, strip);
    for (int rows = shadow_cells(out->area).h; size == 0 && rows > 1; rows /= 2) {
        if (rows < shadow_cells(out->area).h)
            out->area.h = rows * BLOCK_CELL;
        size = references_write(r, view.pixels, out->area, BLOCK_PAYLOAD_ANYWHERE, &payload);
    }
    framebuffer_unlock(r->reader);
    if (size > 0)
        references_set_prefixed(out, payload, size);
    return size > 0;
}

void references_shorten(struct references *r, struct block *b)
{
    bool text = b->codec == BLOCK_PALETTE || b->codec == BLOCK_PALETTE_DEFLATED;
    struct framebuffer_view view;
    const uint8_t *payload;
    size_t size;

    if (!text || b->size <= PREFIX_HEAD || b->area.w * b->area.h > PREFIX_AREA_MAX ||
        !references_lock(r, &view))
        return;
    if (shadow_knows(&r->shadow, b->area, r->sure)) {
        size = references_write(r, view.pixels, b->area, b->size, &payload);
        if (size > 0)
            references_set_prefixed(b, payload, size);
    }
    framebuffer_unlock(r->reader);
}

void references_left_of(struct references *r, const struct block *b,
                        const struct framebuffer_view *view, bool stream, tick_t now)
{
    const struct rect *piece = &b->area;
    unsigned pieces = 1;

    if (!r || !r->shadow.pixels || view->width != r->shadow.width ||
        view->height != r->shadow.height ||
        (b->codec == BLOCK_REFERENCE && b->payload[0] == REFERENCE_KEEP))
        return;
    if (b->codec == BLOCK_FORETOLD)
        pieces = foretelling_pieces(r->foretelling, &piece);
    for (unsigned i = 0; i < pieces; i++) {
        shadow_put(&r->shadow, view->pixels, piece[i],
                   block_is_lossy(b) ? SHADOW_UNKNOWN
                   : stream          ? SHADOW_STREAMED
                                     : SHADOW_SENT);
        kept_tiles_left(r->tiles, piece[i], now);
    }
}

void references_left(struct references *r, const struct block *b, bool stream, tick_t now)
{
    struct framebuffer_view view;

    if (!references_lock(r, &view))
        return;
    references_left_of(r, b, &view, stream, now);
    framebuffer_unlock(r->reader);
}

void references_copied(struct references *r, struct rect area, int from_x, int from_y)
{
    if (r)
        shadow_copy(&r->shadow, area, from_x, from_y);
}

void references_refused(struct references *r, struct rect area, tick_t now)
{
    if (!r)
        return;
    r->doubt = now + REFERENCES_DOUBT;
    shadow_forget(&r->shadow);
    kept_tiles_refused(r->tiles, area);
    if (r->foretelling)
        foretelling_refused(r->foretelling);
    references_drop_found(r);
}
