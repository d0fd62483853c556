#include "rfb/session/old_picture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/blocks/tile_digest.h"

struct old_picture {
    pthread_mutex_t lock; /* everything below */
    uint32_t *pixels;     /* NULL: it was not given, or is not needed any more */
    int width, height;
    struct bytes_held messages; /* until they are taken */
    bool wanted;                /* the far end takes digests */
    bool said;                  /* they were taken */
    bool over;                  /* nothing more is said, and nothing kept */
};

struct old_picture *old_picture_create(void)
{
    struct old_picture *o = calloc(1, sizeof *o);

    if (o)
        pthread_mutex_init(&o->lock, NULL);
    return o;
}

void old_picture_destroy(struct old_picture *o)
{
    if (!o)
        return;
    free(o->pixels);
    bytes_deinit(&o->messages);
    pthread_mutex_destroy(&o->lock);
    free(o);
}

/* ---- its owner ---- */

/* A copy: who has drawn it may still be there, and draw. */
static uint32_t *old_picture_copy(struct framebuffer_reader *reader, int *width, int *height)
{
    struct framebuffer_view view;
    uint32_t *pixels;
    size_t size;

    if (!framebuffer_lock(reader, &view, false))
        return NULL;
    size = (size_t)view.width * (size_t)view.height * sizeof *pixels;
    pixels = malloc(size);
    if (pixels)
        memcpy(pixels, view.pixels, size);
    framebuffer_unlock(reader);
    *width = view.width;
    *height = view.height;
    return pixels;
}

/* The next message. */
static bool old_picture_digest(const uint32_t *pixels, struct blocks_message *m,
                               struct bytes_held *out)
{
    uint8_t digests[BLOCKS_DIGESTS_MOST * BLOCKS_DIGEST_BYTES], bytes[BLOCKS_DIGESTS_MAX];
    struct blocks_digests *d = &m->digests;
    uint32_t left = blocks_tiles(d->width, d->height) - d->first;

    d->count = left < BLOCKS_DIGESTS_MOST ? left : BLOCKS_DIGESTS_MOST;
    d->digest = digests;
    for (unsigned i = 0; i < d->count; i++)
        tile_digest(pixels, d->width, tile_at(d->width, d->height, d->first + i),
                    digests + (size_t)i * BLOCKS_DIGEST_BYTES);
    return bytes_append(out, bytes, blocks_write(bytes, m));
}

static bool old_picture_digest_all(const uint32_t *pixels, int width, int height,
                                   struct bytes_held *out)
{
    struct blocks_message m = {.kind = BLOCKS_DIGESTS,
                               .digests = {.width = width, .height = height}};
    uint32_t tiles = blocks_tiles(width, height);
    bool ok = true;

    for (; ok && m.digests.first < tiles; m.digests.first += m.digests.count)
        ok = old_picture_digest(pixels, &m, out);
    return ok;
}

/* With the lock held. */
static bool old_picture_due(const struct old_picture *o)
{
    return o->pixels && o->wanted && !o->said && !o->over;
}

bool old_picture_give(struct old_picture *o, struct framebuffer_reader *reader)
{
    struct bytes_held messages = {0};
    int width, height;
    uint32_t *pixels = old_picture_copy(reader, &width, &height);
    bool taken, wake;

    if (!pixels)
        return false;
    taken = old_picture_digest_all(pixels, width, height, &messages);
    pthread_mutex_lock(&o->lock);
    taken = taken && !o->pixels && !o->over;
    if (taken) {
        o->pixels = pixels;
        o->width = width;
        o->height = height;
        o->messages = messages;
    }
    wake = taken && old_picture_due(o);
    pthread_mutex_unlock(&o->lock);
    if (!taken) {
        free(pixels);
        bytes_deinit(&messages);
    }
    return wake;
}

/* ---- what is said ---- */

bool old_picture_wanted(struct old_picture *o)
{
    bool wake;

    pthread_mutex_lock(&o->lock);
    o->wanted = true;
    wake = old_picture_due(o);
    pthread_mutex_unlock(&o->lock);
    return wake;
}

bool old_picture_take(struct old_picture *o, struct bytes_held *out)
{
    bool due;

    pthread_mutex_lock(&o->lock);
    due = old_picture_due(o);
    if (due) {
        *out = o->messages;
        o->messages = (struct bytes_held){0};
        o->said = true;
    }
    pthread_mutex_unlock(&o->lock);
    return due;
}

/* ---- what is drawn ---- */

const uint32_t *old_picture_pixels(struct old_picture *o, int width, int height)
{
    const uint32_t *pixels;

    pthread_mutex_lock(&o->lock);
    pixels = o->said && o->width == width && o->height == height ? o->pixels : NULL;
    pthread_mutex_unlock(&o->lock);
    return pixels;
}

/* With the lock held. */
static void old_picture_forget(struct old_picture *o)
{
    free(o->pixels);
    o->pixels = NULL;
    bytes_deinit(&o->messages);
    o->over = true;
}

void old_picture_end(struct old_picture *o)
{
    pthread_mutex_lock(&o->lock);
    old_picture_forget(o);
    pthread_mutex_unlock(&o->lock);
}

void old_picture_shown(struct old_picture *o)
{
    pthread_mutex_lock(&o->lock);
    if (!o->said)
        old_picture_forget(o);
    pthread_mutex_unlock(&o->lock);
}
