#include "rfb/pusher/viewer/viewer_film.h"

#include "rfb/blocks/references/shadow.h"

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

/* A frame of another film may still be in the works: then this one is begun when it is made. */
void viewer_film_begin(struct viewer_side *v, tick_t now)
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

void viewer_film_part(struct viewer_side *v, struct block *out)
{
    film_maker_part(v->film, v->film_part++, out);
}
