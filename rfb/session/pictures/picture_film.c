#include "rfb/session/pictures/picture_film.h"

#include <stdlib.h>

#include "rfb/film/coded_frames.h"
#include "rfb/film/decoder.h"

struct picture_film {
    struct coded_frames *frames; /* NULL: no film has come yet */
    struct film_decoder *decoder;
    uint8_t shows[FILM_PIXELS_MOST / (BLOCK_CELL * BLOCK_CELL) / 8 + 1];
};

struct picture_film *picture_film_create(void)
{
    return calloc(1, sizeof(struct picture_film));
}

void picture_film_destroy(struct picture_film *f)
{
    if (!f)
        return;
    coded_frames_destroy(f->frames);
    film_decoder_destroy(f->decoder);
    free(f);
}

void picture_film_forget(struct picture_film *f)
{
    if (f->frames)
        coded_frames_forget(f->frames);
}

static bool picture_film_film_begin(struct picture_film *f)
{
    if (!f->frames)
        f->frames = coded_frames_create();
    if (!f->decoder)
        f->decoder = film_decoder_create();
    return f->frames && f->decoder;
}

static int film_count(int pixels)
{
    return (pixels + BLOCK_CELL - 1) / BLOCK_CELL;
}

static bool film_draw_cell(const struct picture_film_target *t, const struct coded_frame *frame,
                           const struct film_planes *planes, int column, int row)
{
    struct rect cell = {column * BLOCK_CELL, row * BLOCK_CELL, BLOCK_CELL, BLOCK_CELL}, part;

    part = rect_intersect(
        (struct rect){frame->area.x + cell.x, frame->area.y + cell.y, cell.w, cell.h}, frame->area);
    if (!newest_take_cell(t->newest, t->generation, frame->id, part.x / BLOCK_CELL,
                          part.y / BLOCK_CELL))
        return false;
    film_picture_draw(planes, cell.x, cell.y, t->pixels + (ptrdiff_t)part.y * t->width + part.x,
                      t->width, part.w, part.h);
    return true;
}

/* Those of the cells that it shows, and is the newest of. */
static void film_draw(const struct picture_film *f, const struct picture_film_target *t,
                      const struct coded_frame *frame, const struct film_planes *planes,
                      struct region *drawn)
{
    int columns = film_count(frame->area.w), rows = film_count(frame->area.h);
    bool any = false;

    for (int i = 0; i < columns * rows; i++)
        if (f->shows[i / 8] >> i % 8 & 1)
            any = film_draw_cell(t, frame, planes, i % columns, i / columns) || any;
    if (any)
        region_add(drawn, frame->area);
}

/* False: it is broken. */
static bool film_decode_frame(struct picture_film *f, const struct coded_frame *frame,
                              struct film_planes *planes)
{
    unsigned cells = (unsigned)(film_count(frame->area.w) * film_count(frame->area.h));
    size_t head = frame_shows_read(f->shows, cells, frame->bytes, frame->size);

    return head > 0 && film_decode(f->decoder, frame->bytes + head, frame->size - head, frame->key,
                                   frame->area.w, frame->area.h, planes);
}

static void film_show(struct picture_film *f, const struct picture_film_target *t,
                      struct picture_film_drawn *drawn)
{
    struct coded_frame frame;
    struct film_planes planes;

    while (coded_frames_next(f->frames, &frame)) {
        if (!film_decode_frame(f, &frame, &planes)) {
            coded_frames_forget(f->frames); /* only a key frame can be decoded now */
            drawn->broken = true;
            continue;
        }
        coded_frames_decoded(f->frames, frame.id);
        drawn->frames++;
        film_draw(f, t, &frame, &planes, &drawn->region);
    }
    if (coded_frames_take_stuck(f->frames))
        drawn->broken = true;
}

bool picture_film_take(struct picture_film *f, const struct picture_film_target *t,
                       const struct block *b, struct picture_film_drawn *drawn, struct reason *why)
{
    struct frame_part part;
    bool begun;

    region_clear(&drawn->region);
    drawn->broken = false;
    drawn->frames = 0;
    begun = film_decoder_works() && picture_film_film_begin(f);
    drawn->gone = !film_decoder_works();
    if (drawn->gone)
        return true;
    if (!begun)
        return reason_set(why, "there is no memory for a film");
    if (film_side(b->area.w) * film_side(b->area.h) > FILM_PIXELS_MOST ||
        !newest_is_whole(t->newest, b))
        return reason_set(why, "a film is too large, or not of whole cells of the picture");
    if (!frame_part_read(&part, b->payload, b->size) ||
        !coded_frames_add(f->frames, &part, b->area))
        return reason_set(why, "the server sent a part of a film that there cannot be");
    film_show(f, t, drawn);
    drawn->gone = !film_decoder_works();
    return true;
}
