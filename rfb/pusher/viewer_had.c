#include "rfb/pusher/viewer_had.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/tile_digest.h"
#include "rfb/decode/picture_memory.h" /* FRAMEBUFFER_MAX_SIDE */

void viewer_had_deinit(struct viewer_had *h)
{
    free(h->digests);
    h->digests = NULL;
}

static bool viewer_had_begin(struct viewer_had *h, const struct blocks_digests *d)
{
    if (d->width > FRAMEBUFFER_MAX_SIDE || d->height > FRAMEBUFFER_MAX_SIDE)
        return false;
    h->width = d->width;
    h->height = d->height;
    h->tiles = blocks_tiles(d->width, d->height);
    h->digests = malloc((size_t)h->tiles * BLOCKS_DIGEST_BYTES);
    return h->digests;
}

bool viewer_had_hear(struct viewer_had *h, const struct blocks_digests *d)
{
    if (h->tiles == 0 && !viewer_had_begin(h, d))
        return false;
    if (d->width != h->width || d->height != h->height || d->first != h->heard || !h->digests)
        return false;
    memcpy(h->digests + (size_t)h->heard * BLOCKS_DIGEST_BYTES, d->digest,
           (size_t)d->count * BLOCKS_DIGEST_BYTES);
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
    const uint8_t *had = h->digests + (size_t)h->compared * BLOCKS_DIGEST_BYTES;
    uint8_t ours[BLOCKS_DIGEST_BYTES];

    tile_digest(pixels, h->width, area, ours);
    h->compared++;
    return memcmp(had, ours, sizeof ours) == 0;
}

bool viewer_had_next(struct viewer_had *h, const uint32_t *pixels, int width, int height,
                     struct rect *out)
{
    bool any = false;

    if (width != h->width || height != h->height)
        h->compared = h->heard;
    while (viewer_had_waits(h)) {
        struct rect area = tile_at(width, height, h->compared);

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

bool viewer_had_ends(struct viewer_had *h)
{
    bool ends = h->digests && h->compared == h->tiles;

    if (ends)
        viewer_had_deinit(h);
    return ends;
}
