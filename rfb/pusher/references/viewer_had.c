#include "rfb/pusher/references/viewer_had.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "rfb/decode/picture_memory.h" /* FRAMEBUFFER_MAX_SIDE */

void viewer_had_deinit(struct viewer_had *h)
{
    free(h->digests);
    h->digests = NULL;
}

void viewer_had_begin(struct viewer_had *h)
{
    viewer_had_deinit(h);
    *h = (struct viewer_had){.keyed = false};
    h->keyed = getrandom(h->key, sizeof h->key, 0) == (ssize_t)sizeof h->key;
}

void viewer_had_show(const struct viewer_had *h, struct accelerator_shown *shown)
{
    shown->digests = h->keyed;
    memcpy(shown->digest_key, h->key, sizeof shown->digest_key);
}

/* The first message. */
static bool viewer_had_take(struct viewer_had *h, const struct blocks_digests *d)
{
    if (!h->keyed || h->tiles > 0 || d->width > FRAMEBUFFER_MAX_SIDE ||
        d->height > FRAMEBUFFER_MAX_SIDE)
        return false;
    h->width = d->width;
    h->height = d->height;
    h->side = d->side;
    h->bytes = d->bytes;
    h->tiles = blocks_tiles(d->width, d->height, d->side);
    h->digests = malloc((size_t)h->tiles * d->bytes);
    tile_digest_begin(&h->digest, h->key, d->key);
    return h->digests;
}

bool viewer_had_hear(struct viewer_had *h, const struct blocks_digests *d)
{
    if (d->count == 0)
        return viewer_had_take(h, d);
    if (!h->digests || d->bytes != h->bytes || d->count > h->tiles - h->heard)
        return false;
    memcpy(h->digests + (size_t)h->heard * h->bytes, d->digest, (size_t)d->count * h->bytes);
    h->heard += d->count;
    return true;
}

bool viewer_had_waits(const struct viewer_had *h)
{
    return h->compared < h->heard;
}

/* Compares the next tile. */
static bool viewer_had_same(struct viewer_had *h, const uint32_t *pixels, struct rect area)
{
    const uint8_t *had = h->digests + (size_t)h->compared * h->bytes;
    uint8_t ours[TILE_DIGEST_BYTES];
    bool same;

    tile_digest_make(&h->digest, pixels, h->width, area, h->compared, ours);
    h->compared++;
    same = memcmp(had, ours, h->bytes) == 0;
    if (same)
        tile_digest_add(&h->digest, ours);
    return same;
}

/* The next tiles beside each other that are the same. */
static bool viewer_had_next(struct viewer_had *h, const uint32_t *pixels, int width, int height,
                            struct rect *out)
{
    bool any = false;

    if (width != h->width || height != h->height)
        h->compared = h->heard;
    while (viewer_had_waits(h)) {
        struct rect area = tile_at(width, height, h->side, h->compared);

        if (any && area.y != out->y) /* the next one begins a row */
            break;
        if (!viewer_had_same(h, pixels, area)) {
            if (any)
                break;
            continue;
        }
        if (any)
            out->w += area.w;
        else
            *out = area;
        any = true;
    }
    return any;
}

bool viewer_had_answer(struct viewer_had *h, const uint32_t *pixels, int width, int height,
                       struct had_answer *out)
{
    *out = (struct had_answer){.area = {0, 0, 1, 1}};
    if (viewer_had_next(h, pixels, width, height, &out->area))
        return true;
    out->ends = h->digests && h->compared == h->tiles;
    if (!out->ends)
        return false;
    tile_digest_sum(&h->digest, out->sum);
    viewer_had_deinit(h);
    return true;
}
