#include "rfb/pusher/blocks/block_maker.h"

_Static_assert(PUSH_CELL == BLOCK_CELL, "what is planned in cells is packed in cells");

bool block_maker_init(struct block_maker *m, struct framebuffer *fb)
{
    m->reader = framebuffer_reader_of(fb);
    m->strips = block_writer_create();
    return m->reader && m->strips;
}

void block_maker_deinit(struct block_maker *m)
{
    framebuffer_unmap(m->reader);
    block_writer_destroy(m->strips);
    area_writer_destroy(m->areas);
}

bool block_maker_takes_areas(struct block_maker *m)
{
    m->areas = area_writer_create();
    return m->areas != NULL;
}

/* False: one row is to be made. */
static bool block_maker_rows(struct block_maker *m, const struct push_strip *strip,
                             const struct framebuffer_view *view, struct block *out)
{
    const struct rect r = {strip->x, strip->y, strip->w, strip->h};

    return strip->jpeg > 0 && strip->most_h > strip->h &&
           strip->y + strip->most_h <= view->height &&
           block_write_rows(m->strips, view->pixels, view->width, r, strip->most_h, strip->jpeg,
                            out);
}

bool block_maker_make(struct block_maker *m, const struct push_strip *strip, bool area, size_t room,
                      struct block *out)
{
    const struct rect r = {strip->x, strip->y, strip->w, strip->h};
    struct framebuffer_view view;
    bool ok;

    if (!framebuffer_lock(m->reader, &view, false))
        return false;
    block_writer_give_room(m->strips, room);
    ok = rect_inside(r, (struct rect){0, 0, view.width, view.height});
    if (ok && area)
        ok = area_write(m->areas, view.pixels, view.width, r, strip->jpeg, out);
    else if (ok && !block_maker_rows(m, strip, &view, out))
        ok = block_write_strip(m->strips, view.pixels, view.width, r, strip->jpeg, out);
    framebuffer_unlock(m->reader);
    return ok;
}
