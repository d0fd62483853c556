#include "rfb/blocks/references/shadow.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/pusher/viewer/viewer_side_parts.h"
#include "rfb/system/clock.h"

/* ---- what the viewer wants ---- */

const struct push_options wishes_first = {.quality = -1, .jpeg = true, .exact_at_rest = true};

void wishes_follow(const struct blocks_wishes *w, struct push_plan *p, tick_t now)
{
    const struct push_options options = {.most_rate = w->max_rate,
                                         .most_fps = w->max_fps10 / 10.0,
                                         .quality = w->quality == LEVEL_AUTO ? -1 : w->quality,
                                         .jpeg = w->jpeg,
                                         .exact_at_rest = w->exact_at_rest};

    push_plan_tune(p, &options, now);
    push_plan_hide(p, w->hidden, now);
}

/* ---- films ---- */

void viewer_side_make_films(struct viewer_side *v)
{
    v->film = film_maker_create(v->wake_fd);
}

void viewer_film_allow(struct viewer_side *v, bool takes)
{
    push_plan_allow_film(&v->plan, takes && v->film && !v->datagrams.push.octopus.on);
}

void viewer_side_takes_film(struct viewer_side *v, bool takes)
{
    pthread_mutex_lock(&v->lock);
    viewer_film_allow(v, takes);
    pthread_mutex_unlock(&v->lock);
}

void viewer_film_look(struct viewer_side *v, tick_t now)
{
    struct film_made made;
    unsigned blocks;

    if (!v->film || !film_maker_made(v->film, &made))
        return;
    blocks = made.bytes > 0 ? push_plan_cut_frame(&v->plan, made.bytes, made.qp) : 0;
    film_maker_cut(v->film, blocks);
    v->film_part = 0;
    push_plan_frame_coded(&v->plan, made.id, blocks, now);
}

static struct rect viewer_film_pixels(const struct push_area *a,
                                      const struct framebuffer_view *view)
{
    return shadow_pixels((struct rect){a->column, a->row, a->columns, a->rows}, view->width,
                         view->height);
}

/* Begins a frame: the picture as it is now. One of another film may still be in the works: then
 * this one is begun when it is made. */
static void viewer_film_begin(struct viewer_side *v, tick_t now)
{
    struct push_film_order order;
    struct framebuffer_view view;

    if (film_maker_is_busy(v->film) || !framebuffer_lock(v->maker.reader, &view, false))
        return;
    push_plan_take_frame(&v->plan, ++v->sequence, &order, now);
    v->film_shows = v->shows;
    if (!film_maker_begin(v->film, &order, viewer_film_pixels(&order.area, &view), view.pixels,
                          view.width))
        push_plan_frame_coded(&v->plan, order.id, 0, now);
    framebuffer_unlock(v->maker.reader);
}

/* Makes the block for the next part of the newest frame. */
static void viewer_film_part(struct viewer_side *v, struct block *out)
{
    film_maker_part(v->film, v->film_part++, out);
}

/* ---- the next block ---- */

bool viewer_side_refer(struct viewer_side *v, struct references_taken taken)
{
    bool ok;

    pthread_mutex_lock(&v->lock);
    references_destroy(v->references);
    v->references = NULL;
    if (taken.any && !v->maker.areas)
        v->references = references_create(v->maker.reader, &taken);
    ok = v->references || !taken.any || v->maker.areas;
    references_picture(v->references, v->width, v->height);
    pthread_mutex_unlock(&v->lock);
    return ok;
}

void viewer_side_number(struct viewer_side *v, struct block *b, uint16_t shows)
{
    b->generation = v->generation;
    b->sequence = ++v->sequence;
    b->input = shows;
    turnaround_made(&v->turnaround, b->input, v->begun, tick_now());
}

/* A part of a film's frame. False: none is to leave now. */
static bool viewer_side_make_part(struct viewer_side *v, const struct push_strip *strip,
                                  struct block *out, tick_t now)
{
    if (strip->why == PUSH_FRAME)
        viewer_film_begin(v, now);
    else
        viewer_film_part(v, out);
    return strip->why == PUSH_FRAME_PART;
}

bool viewer_side_make(struct viewer_side *v, const struct push_strip *strip, bool area, size_t room,
                      struct block *block, tick_t now)
{
    v->begun = tick_now();
    if (strip->why == PUSH_FRAME || strip->why == PUSH_FRAME_PART)
        return viewer_side_make_part(v, strip, block, now);
    if (references_next(v->references, &v->plan, v->sequence + 1, block) ||
        (!v->datagrams.push.on && references_foretell(v->references, &v->plan, strip, block)) ||
        references_grow(v->references, &v->plan, strip, block))
        return true;
    if (!block_maker_make(&v->maker, strip, area, room, block))
        return false;
    references_shorten(v->references, block);
    return true;
}

void viewer_side_sent(struct viewer_side *v, const struct push_strip *strip, struct block *block,
                      size_t extra, tick_t now)
{
    size_t bytes = extra + BLOCK_HEAD + block->size;

    viewer_side_number(v, block, strip->why == PUSH_FRAME_PART ? v->film_shows : v->shows);
    if (strip->why == PUSH_FRAME_PART) {
        block->last = push_plan_part_left(&v->plan, block->sequence, bytes, now);
    } else if (block->codec == BLOCK_FORETOLD) {
        block->last = references_tell_pieces(v->references, block, &v->plan, bytes, now);
    } else if (block->codec == BLOCK_REFERENCE ||
               (block->area.h > strip->h && !block_is_jpeg(block))) {
        block->last = references_tell(block, &v->plan, bytes, now);
    } else {
        block->last =
            push_datagrams_left(&v->datagrams.push, &v->plan, strip, block->area.w, block->area.h,
                                block->sequence, bytes, !block_is_lossy(block), now);
    }
    references_left(v->references, block, !v->datagrams.push.on, now);
}
