#include "rfb/session/pictures/picture_blocks.h"

#include "rfb/film/decoder.h"
#include "rfb/proto/blocks.h"
#include "rfb/session/constants.h"
#include "rfb/system/clock.h"

/* How a block has come. */
enum picture_blocks_way { PICTURE_BLOCKS_STREAM, PICTURE_BLOCKS_DATAGRAM, PICTURE_BLOCKS_MADE };

struct drawing {
    struct message_source *from;
    const struct source_handlers *h;
    struct reason *why;
};

void picture_blocks_shown(const struct source_handlers *h, bool pixels)
{
    h->shown(h->user, pixels);
    if (pixels && h->old)
        old_picture_shown(h->old);
}

/* It refers to what the viewer has. Where it is refused, the far end is told. */
static bool picture_blocks_resolve(const struct drawing *d, const struct block *b,
                                   enum newest_cells *cells)
{
    const struct message_source *from = d->from;
    struct rect refused = {0};
    int width, height;

    framebuffer_size(from->fb, &width, &height);
    if (!resolver_draw(from->resolver, from->newest, from->blocks, b, framebuffer_private(from->fb),
                       width, height, cells, d->why))
        return false;
    if (*cells == NEWEST_GONE)
        refused = b->area;
    if (d->h->pushed)
        pushed_referred(d->h->pushed, resolver_counts(from->resolver), refused);
    return true;
}

/* The far end is to know of it. */
static void picture_blocks_tell(const struct drawing *d, const struct block *b,
                                enum picture_blocks_way way)
{
    if (way == PICTURE_BLOCKS_MADE)
        datagrams_made(d->h->datagrams, b->sequence);
    else
        d->h->block(d->h->user, b, way == PICTURE_BLOCKS_DATAGRAM);
}

static bool picture_blocks_draw_film(const struct drawing *d, const struct block *b,
                                     enum picture_blocks_way way, bool *drawn)
{
    const struct message_source *from = d->from;
    struct picture_film_target to = {
        .newest = from->newest,
        .pixels = framebuffer_private(from->fb),
        .generation = from->generation,
    };
    struct picture_film_drawn film = {.broken = false};

    if (!from->film)
        return reason_set(d->why, "the server sent a film, and was asked for none");
    framebuffer_size(from->fb, &to.width, &to.height);
    if (b->generation == from->generation && !picture_film_take(from->film, &to, b, &film, d->why))
        return false;
    if (film.gone && d->h->unread)
        d->h->unread(d->h->user, FILM_GONE);
    if (film.broken && d->h->pushed)
        pushed_again(d->h->pushed, b->area);
    for (unsigned i = 0; i < film.frames && d->h->pushed; i++)
        pushed_film(d->h->pushed, tick_now());
    picture_blocks_tell(d, b, way);
    for (int i = 0; i < film.region.count; i++) {
        framebuffer_drawn(from->fb, film.region.rects[i]);
        if (!d->h->drawn(d->h->user, film.region.rects[i], PSEUDO_BLOCKS_0 + BLOCKS_NEWEST, true))
            return reason_set(d->why, "stopped");
    }
    *drawn = film.region.count > 0;
    return true;
}

/* *drawn: something of the picture is another one. */
static bool picture_blocks_draw(const struct drawing *d, const struct block *b,
                                enum picture_blocks_way way, bool *drawn)
{
    const struct message_source *from = d->from;
    const struct rect *part = &b->area;
    enum newest_cells cells;
    unsigned parts = 1;

    if (d->h->responses)
        responses_came(d->h->responses, b->input, tick_now());
    if (b->codec == BLOCK_FILM)
        return picture_blocks_draw_film(d, b, way, drawn);
    if (block_is_reference(b) ? !picture_blocks_resolve(d, b, &cells)
                              : !newest_draw(from->newest, from->blocks, b,
                                             framebuffer_private(from->fb), &cells, d->why))
        return false;
    *drawn = cells == NEWEST_SOME || cells == NEWEST_ALL;
    picture_blocks_tell(d, b, way);
    if (!*drawn)
        return true;
    if (b->codec == BLOCK_FORETOLD)
        parts = resolver_pieces(from->resolver, &part);
    for (unsigned i = 0; i < parts; i++)
        framebuffer_drawn(from->fb, part[i]);
    return d->h->drawn(d->h->user, b->area, PSEUDO_BLOCKS_0 + BLOCKS_NEWEST, b->quality > 0) ||
           reason_set(d->why, "stopped");
}

/* ---- on the stream ---- */

/* False: the block draws nothing. */
static bool picture_blocks_use_old(const struct drawing *d, const struct block *b)
{
    const uint8_t *sum = block_ends_old(b);
    const uint32_t *pixels = NULL;
    int width, height;

    framebuffer_size(d->from->fb, &width, &height);
    if (d->h->old && sum)
        old_picture_end(d->h->old, sum);
    else if (d->h->old)
        pixels = old_picture_use(d->h->old, width, height, b->area);
    block_reader_use_old(d->from->blocks, pixels, width, height);
    return !sum;
}

bool picture_blocks_take(struct message_source *from, const struct source_handlers *h,
                         const struct block *b, struct reason *why)
{
    const struct drawing d = {from, h, why};
    bool drawn;

    if (b->codec == BLOCK_OLD && !picture_blocks_use_old(&d, b)) {
        h->block(h->user, b, false);
        return true;
    }
    if (!picture_blocks_draw(&d, b, PICTURE_BLOCKS_STREAM, &drawn))
        return false;
    if (b->generation != from->generation)
        return true;
    if (b->last)
        picture_blocks_shown(h, true);
    else if (drawn && stream_waiting(from->stream) == 0) /* what was drawn can be seen */
        h->partly(h->user);
    return true;
}

/* ---- as datagrams ---- */

/* One of another size of the picture counts as lost: what says that size may still be on its way on
 * the stream. */
static bool picture_blocks_draw_datagram(const struct drawing *d, const struct block *b,
                                         enum picture_blocks_way way, bool *drawn)
{
    bool draws = false;

    if (b->codec == BLOCK_COPY || b->codec == BLOCK_OLD || b->codec == BLOCK_FORETOLD)
        return reason_set(d->why, "the server sent a block as a datagram that needs others");
    if (b->generation != d->from->generation)
        return true;
    if (!picture_blocks_draw(d, b, way, &draws))
        return false;
    *drawn = (*drawn || draws) && !b->last;
    if (b->last)
        picture_blocks_shown(d->h, true);
    return true;
}

/* Those that were lost, and can be made by now. */
static bool picture_blocks_repair(const struct drawing *d, bool *drawn)
{
    const uint8_t *packed;
    struct block b;
    size_t size;

    while (repair_next(d->from->repair, &packed, &size))
        if (!block_unpack(&b, packed, size, d->why) ||
            !picture_blocks_draw_datagram(d, &b, PICTURE_BLOCKS_MADE, drawn))
            return false;
    return true;
}

static bool picture_blocks_take_parity(const struct drawing *d, const struct body_down *down)
{
    struct parity p;

    if (!parity_read(&p, down->block, down->size))
        return reason_set(d->why, "the server sent a parity of blocks that there cannot be");
    datagrams_parity_came(d->h->datagrams, p.sequence, tick_now());
    repair_parity(d->from->repair, &p);
    return true;
}

/* The first block, or one of a newer size, begins a picture of the size that its packet says. */
static bool picture_blocks_fit(struct message_source *from, const struct block *b, uint32_t size,
                               struct reason *why)
{
    const int width = (int)(size >> 16), height = (int)(size & 0xffff);
    int8_t newer = (int8_t)(b->generation - from->generation);

    if (!from->sized || (framebuffer_private(from->fb) && newer <= 0))
        return true;
    if (!framebuffer_resize(from->fb, width, height))
        return reason_set(why, "a screen of %d x %d is none", width, height);
    from->generation = b->generation;
    return newest_begin(from->newest, width, height, b->generation) ||
           reason_set(why, "out of memory");
}

static bool picture_blocks_take_block(const struct drawing *d, const struct body_down *down,
                                      bool *drawn)
{
    struct block b;

    if (!block_unpack(&b, down->block, down->size, d->why) ||
        !picture_blocks_fit(d->from, &b, down->heard, d->why) ||
        !picture_blocks_draw_datagram(d, &b, PICTURE_BLOCKS_DATAGRAM, drawn))
        return false;
    repair_block(d->from->repair, b.sequence, down->block, down->size);
    return true;
}

static bool picture_blocks_take_datagram(const struct drawing *d, const struct body_down *down,
                                         bool *drawn)
{
    bool ok;

    if (!d->from->blocks)
        return reason_set(d->why, "the server sent a block, and was asked for none");
    ok = parity_is(down->block, down->size) ? picture_blocks_take_parity(d, down)
                                            : picture_blocks_take_block(d, down, drawn);
    return ok && picture_blocks_repair(d, drawn);
}

/* Draws those that are here. */
static bool picture_blocks_take_datagrams(const struct drawing *d)
{
    uint8_t body[SEALED_BODY_MAX];
    struct body_down down;
    bool ok = true, drawn = false;
    int count = 0;

    while (ok && count < PICTURE_BLOCKS_IN_A_ROW && datagrams_take(d->h->datagrams, body, &down)) {
        if (count++ == 0 && !d->h->begun(d->h->user))
            return reason_set(d->why, "stopped");
        ok = down.size == 0 || picture_blocks_take_datagram(d, &down, &drawn);
    }
    if (ok && drawn)
        d->h->partly(d->h->user);
    if (count > 0)
        d->h->ended(d->h->user);
    return ok;
}

bool picture_blocks_take_sized(struct message_source *from, const struct source_handlers *h,
                               struct reason *why)
{
    const struct drawing d = {from, h, why};

    return picture_blocks_take_datagrams(&d);
}

/* Until there is something on the stream, or it has ended. */
static bool picture_blocks_wait(const struct drawing *d)
{
    struct stream *stream = d->from->stream;
    enum transport_wake wake = TRANSPORT_WOKEN;

    while (wake == TRANSPORT_WOKEN && stream_waiting(stream) == 0) {
        wake = stream_wait_readable(stream, datagrams_wake_fd(d->h->datagrams), TICK_NEVER);
        if (wake == TRANSPORT_WOKEN && !picture_blocks_take_datagrams(d))
            return false;
    }
    return true;
}

bool picture_blocks_read(struct message_source *from, const struct source_handlers *h, void *out,
                         size_t size, struct reason *why)
{
    const struct drawing d = {from, h, why};
    char *at = out;
    size_t part;

    if (!h->datagrams || !datagrams_have_begun(h->datagrams))
        return stream_read(from->stream, out, size, why);
    for (; size > 0; at += part, size -= part)
        if (!picture_blocks_wait(&d) || (part = stream_read_some(from->stream, at, size, why)) == 0)
            return false;
    return true;
}
