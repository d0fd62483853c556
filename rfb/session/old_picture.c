#include "rfb/session/old_picture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "rfb/blocks/tile_digest.h"
#include "rfb/log.h"
#include "rfb/proto/client_messages.h"
#include "rfb/session/constants.h"

struct old_picture {
    pthread_mutex_t lock; /* everything below */
    uint32_t *pixels;     /* NULL: it was not given, or is not needed any more */
    int width, height;
    struct old_picture_grain grain;
    uint8_t far_end[BLOCKS_KEY_BYTES];
    bool wanted; /* the far end takes digests */
    bool reads;  /* the sender makes digests, without the lock: the pixels stay */
    bool said;   /* they were taken */
    bool over;   /* nothing more is said of it, and nothing kept */
    bool again;  /* something wrong was drawn */
    struct tile_digest digest;
    uint8_t *digests; /* TILE_DIGEST_BYTES of each tile, once they were said */
};

struct old_picture_grain old_picture_grain_of(int width, int height)
{
    struct old_picture_grain grain = {OLD_PICTURE_SIDE, OLD_PICTURE_BYTES};

    while (grain.side < BLOCKS_SIDE_MAX &&
           blocks_tiles(width, height, grain.side) > OLD_PICTURE_TILES)
        grain.side *= 2;
    return grain;
}

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
    free(o->digests);
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

/* With the lock held. */
static bool old_picture_due(const struct old_picture *o)
{
    return o->pixels && o->wanted && !o->reads && !o->said && !o->over;
}

bool old_picture_give(struct old_picture *o, struct framebuffer_reader *reader,
                      const struct old_picture_grain *grain)
{
    int width, height;
    uint32_t *pixels = old_picture_copy(reader, &width, &height);
    bool taken, wake;

    if (!pixels)
        return false;
    pthread_mutex_lock(&o->lock);
    taken = !o->pixels && !o->over;
    if (taken) {
        o->pixels = pixels;
        o->width = width;
        o->height = height;
        o->grain = grain ? *grain : old_picture_grain_of(width, height);
    }
    wake = taken && old_picture_due(o);
    pthread_mutex_unlock(&o->lock);
    if (!taken)
        free(pixels);
    return wake;
}

/* With the lock held. */
static void old_picture_forget(struct old_picture *o)
{
    o->over = true;
    if (o->reads)
        return;
    free(o->pixels);
    free(o->digests);
    o->pixels = NULL;
    o->digests = NULL;
}

/* ---- what is said ---- */

bool old_picture_wanted(struct old_picture *o, const uint8_t key[BLOCKS_KEY_BYTES])
{
    bool wake;

    pthread_mutex_lock(&o->lock);
    memcpy(o->far_end, key, sizeof o->far_end);
    o->wanted = true;
    wake = old_picture_due(o);
    pthread_mutex_unlock(&o->lock);
    return wake;
}

static bool old_picture_put(const struct blocks_digests *d, struct bytes_held *out)
{
    const struct blocks_message m = {.kind = BLOCKS_DIGESTS, .digests = *d};
    uint8_t bytes[BLOCKS_DIGESTS_MAX];

    return bytes_append(out, bytes, blocks_write(bytes, &m));
}

static bool old_picture_say_tiles(struct old_picture *o, uint32_t tiles, struct bytes_held *out)
{
    uint8_t said[BLOCKS_DIGESTS_MOST * BLOCKS_DIGEST_MAX];
    struct blocks_digests d = {.bytes = o->grain.bytes, .digest = said};
    bool ok = true;

    for (uint32_t tile = 0; ok && tile < tiles; tile++) {
        uint8_t *digest = o->digests + (size_t)tile * TILE_DIGEST_BYTES;

        tile_digest_make(&o->digest, o->pixels, o->width,
                         tile_at(o->width, o->height, o->grain.side, tile), tile, digest);
        memcpy(said + (size_t)d.count * d.bytes, digest, d.bytes);
        d.count++;
        if (d.count < BLOCKS_DIGESTS_MOST && tile + 1 < tiles)
            continue;
        ok = old_picture_put(&d, out);
        d.count = 0;
    }
    return ok;
}

/* Without random bytes nothing is said. */
static bool old_picture_say(struct old_picture *o, struct bytes_held *out)
{
    struct blocks_digests d = {
        .bytes = o->grain.bytes, .width = o->width, .height = o->height, .side = o->grain.side};
    uint32_t tiles = blocks_tiles(o->width, o->height, o->grain.side);

    o->digests = malloc((size_t)tiles * TILE_DIGEST_BYTES);
    if (!o->digests || getrandom(d.key, sizeof d.key, 0) != (ssize_t)sizeof d.key)
        return false;
    tile_digest_begin(&o->digest, o->far_end, d.key);
    return old_picture_put(&d, out) && old_picture_say_tiles(o, tiles, out);
}

/* Digests take some time: nobody waits for the lock meanwhile. */
static bool old_picture_take_digests(struct old_picture *o, struct bytes_held *out)
{
    struct bytes_held messages = {0};
    bool ok = old_picture_say(o, &messages);

    pthread_mutex_lock(&o->lock);
    o->reads = false;
    o->said = ok && !o->over;
    if (!o->said)
        old_picture_forget(o);
    ok = o->said;
    pthread_mutex_unlock(&o->lock);
    if (ok)
        *out = messages;
    else
        bytes_deinit(&messages);
    return ok;
}

static bool old_picture_take_request(const struct old_picture *o, struct bytes_held *out)
{
    uint8_t bytes[CLIENT_WRITE_MAX];
    size_t size =
        client_write_update_request(bytes, false, (struct rect){0, 0, o->width, o->height});

    *out = (struct bytes_held){0};
    return bytes_append(out, bytes, size);
}

bool old_picture_take(struct old_picture *o, struct bytes_held *out)
{
    bool due, again;

    pthread_mutex_lock(&o->lock);
    due = old_picture_due(o);
    o->reads = o->reads || due;
    again = o->again;
    o->again = false;
    pthread_mutex_unlock(&o->lock);
    if (again)
        return old_picture_take_request(o, out);
    if (!due || !old_picture_take_digests(o, out))
        return false;
    log_debug("the far end is told digests of the picture of before");
    return true;
}

/* ---- what is drawn ---- */

/* The far end took these tiles for the same. With the lock held. */
static void old_picture_add(struct old_picture *o, struct rect area)
{
    int side = o->grain.side;
    uint32_t columns = blocks_tiles(o->width, 1, side);

    for (int y = area.y / side; y * side < area.y + area.h && y * side < o->height; y++)
        for (int x = area.x / side; x * side < area.x + area.w && x * side < o->width; x++)
            tile_digest_add(&o->digest,
                            o->digests + ((size_t)y * columns + (size_t)x) * TILE_DIGEST_BYTES);
}

const uint32_t *old_picture_use(struct old_picture *o, int width, int height, struct rect area)
{
    const uint32_t *pixels;

    pthread_mutex_lock(&o->lock);
    pixels = o->said && o->width == width && o->height == height ? o->pixels : NULL;
    if (pixels)
        old_picture_add(o, area);
    pthread_mutex_unlock(&o->lock);
    return pixels;
}

void old_picture_end(struct old_picture *o, const uint8_t *sum)
{
    uint8_t ours[TILE_DIGEST_BYTES];

    pthread_mutex_lock(&o->lock);
    if (o->said && o->pixels) {
        tile_digest_sum(&o->digest, ours);
        o->again = memcmp(ours, sum, sizeof ours) != 0;
    }
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
