#include "rfb/decode/framebuffer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Wider than one row of the largest picture, so a decoder that draws row by row cannot step over
 * it. */
#define GUARD_BYTES (256 * 1024)

struct framebuffer {
    /* receiver thread only */
    uint32_t *private_pixels;
    size_t private_mapped;
    int private_width, private_height;
    struct region drawn; /* since the last publish */

    pthread_mutex_t lock; /* everything below */
    uint32_t *pixels;
    int width, height;
    struct region damage;
};

struct framebuffer *framebuffer_create(void)
{
    struct framebuffer *fb = calloc(1, sizeof *fb);

    if (fb)
        pthread_mutex_init(&fb->lock, NULL);
    return fb;
}

void framebuffer_destroy(struct framebuffer *fb)
{
    if (!fb)
        return;
    if (fb->private_pixels)
        munmap(fb->private_pixels, fb->private_mapped);
    free(fb->pixels);
    pthread_mutex_destroy(&fb->lock);
    free(fb);
}

void framebuffer_lock(struct framebuffer *fb, struct framebuffer_view *view, bool take_damage)
{
    pthread_mutex_lock(&fb->lock);
    view->pixels = fb->pixels;
    view->width = fb->width;
    view->height = fb->height;
    view->damage = fb->damage;
    if (take_damage)
        region_clear(&fb->damage);
}

void framebuffer_unlock(struct framebuffer *fb)
{
    pthread_mutex_unlock(&fb->lock);
}

/* A mapping whose usable part ends in memory that may not be touched. */
static uint32_t *map_guarded(size_t bytes, size_t *mapped)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t usable = (bytes + page - 1) / page * page;
    void *p = mmap(NULL, usable + GUARD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0);

    if (p == MAP_FAILED)
        return NULL;
    if (mprotect((char *)p + usable, GUARD_BYTES, PROT_NONE) != 0) {
        munmap(p, usable + GUARD_BYTES);
        return NULL;
    }
    *mapped = usable + GUARD_BYTES;
    return p;
}

bool framebuffer_resize(struct framebuffer *fb, int width, int height)
{
    size_t bytes = (size_t)width * (size_t)height * sizeof(uint32_t), mapped = 0;
    uint32_t *drawing, *shown;

    if (width < 1 || height < 1 || width > FRAMEBUFFER_MAX_SIDE || height > FRAMEBUFFER_MAX_SIDE)
        return false;
    drawing = map_guarded(bytes, &mapped);
    shown = calloc(1, bytes);
    if (!drawing || !shown) {
        if (drawing)
            munmap(drawing, mapped);
        free(shown);
        return false;
    }
    if (fb->private_pixels)
        munmap(fb->private_pixels, fb->private_mapped);
    fb->private_pixels = drawing;
    fb->private_mapped = mapped;
    fb->private_width = width;
    fb->private_height = height;
    region_clear(&fb->drawn);

    pthread_mutex_lock(&fb->lock);
    free(fb->pixels);
    fb->pixels = shown;
    fb->width = width;
    fb->height = height;
    region_clear(&fb->damage);
    region_add(&fb->damage, (struct rect){0, 0, width, height});
    pthread_mutex_unlock(&fb->lock);
    return true;
}

uint32_t *framebuffer_private(struct framebuffer *fb)
{
    return fb->private_pixels;
}

void framebuffer_drawn(struct framebuffer *fb, struct rect r)
{
    struct rect all = {0, 0, fb->private_width, fb->private_height};

    region_add(&fb->drawn, rect_intersect(r, all));
}

static void copy_rect(struct framebuffer *fb, struct rect r)
{
    size_t start = (size_t)r.y * (size_t)fb->width + (size_t)r.x;

    for (int y = 0; y < r.h; y++, start += (size_t)fb->width)
        memcpy(fb->pixels + start, fb->private_pixels + start, (size_t)r.w * sizeof(uint32_t));
}

bool framebuffer_publish(struct framebuffer *fb)
{
    bool wake;

    pthread_mutex_lock(&fb->lock);
    wake = fb->damage.count == 0 && fb->drawn.count > 0;
    for (int i = 0; i < fb->drawn.count; i++)
        copy_rect(fb, fb->drawn.rects[i]);
    region_union(&fb->damage, &fb->drawn);
    pthread_mutex_unlock(&fb->lock);
    region_clear(&fb->drawn);
    return wake;
}
