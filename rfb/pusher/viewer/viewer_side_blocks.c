#include "rfb/pusher/viewer/viewer_film.h"
#include "rfb/pusher/viewer/viewer_side_parts.h"
#include "rfb/system/clock.h"

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
