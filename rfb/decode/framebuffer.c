#include "rfb/decode/framebuffer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Wider than one row of the largest picture, so a decoder that draws row by row cannot step over
 * it. */
#define GUARD_BYTES (256 * 1024)

struct framebuffer {
    uint32_t *private_pixels;
    size_t private_mapped;
    int width, height;   /* of both pictures */
    struct region drawn; /* since the last publish */

    int fd;                        /* the shared picture */
    struct picture_header *shared; /* its mapping; NULL until framebuffer_create() has made it */
    size_t shared_mapped;
};

struct framebuffer *framebuffer_create(int memory)
{
    struct framebuffer *fb = calloc(1, sizeof *fb);

    if (!fb)
        return NULL;
    fb->fd = memory < 0 ? picture_memory_create() : fcntl(memory, F_DUPFD_CLOEXEC, 0);
    if (fb->fd >= 0)
        fb->shared = picture_memory_map(fb->fd, &fb->shared_mapped);
    if (!fb->shared) {
        framebuffer_destroy(fb);
        return NULL;
    }
    return fb;
}

void framebuffer_destroy(struct framebuffer *fb)
{
    if (!fb)
        return;
    if (fb->private_pixels)
        munmap(fb->private_pixels, fb->private_mapped);
    picture_memory_unmap(fb->shared, fb->shared_mapped);
    if (fb->fd >= 0)
        close(fb->fd);
    free(fb);
}

int framebuffer_fd(const struct framebuffer *fb)
{
    return fb->fd;
}

struct framebuffer_reader *framebuffer_reader_of(struct framebuffer *fb)
{
    return framebuffer_read_here(fb->fd, fb->shared, fb->shared_mapped);
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

/* Makes the shared picture black, and gives its memory back. */
static bool framebuffer_blacken(struct framebuffer *fb)
{
    return fallocate(fb->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, PICTURE_OFFSET,
                     (off_t)(fb->shared_mapped - PICTURE_OFFSET)) == 0;
}

static bool resize_shared(struct framebuffer *fb, int width, int height)
{
    struct picture_header *h = fb->shared;
    bool ok;

    picture_lock(h, TICK_NEVER);
    ok = framebuffer_blacken(fb);
    if (ok)
        picture_set_size(h, width, height);
    picture_unlock(h);
    return ok;
}

bool framebuffer_resize(struct framebuffer *fb, int width, int height)
{
    size_t bytes = (size_t)width * (size_t)height * sizeof(uint32_t), mapped = 0;
    uint32_t *drawing;

    if (width < 1 || height < 1 || width > FRAMEBUFFER_MAX_SIDE || height > FRAMEBUFFER_MAX_SIDE)
        return false;
    drawing = map_guarded(bytes, &mapped);
    if (!drawing)
        return false;
    if (!resize_shared(fb, width, height)) {
        munmap(drawing, mapped);
        return false;
    }
    if (fb->private_pixels)
        munmap(fb->private_pixels, fb->private_mapped);
    fb->private_pixels = drawing;
    fb->private_mapped = mapped;
    fb->width = width;
    fb->height = height;
    region_clear(&fb->drawn);
    return true;
}

void framebuffer_size(const struct framebuffer *fb, int *width, int *height)
{
    *width = fb->width;
    *height = fb->height;
}

uint32_t *framebuffer_private(struct framebuffer *fb)
{
    return fb->private_pixels;
}

void framebuffer_drawn(struct framebuffer *fb, struct rect r)
{
    struct rect all = {0, 0, fb->width, fb->height};

    region_add(&fb->drawn, rect_intersect(r, all));
}

static void copy_rect(struct framebuffer *fb, struct rect r)
{
    uint32_t *to = (uint32_t *)((char *)fb->shared + PICTURE_OFFSET);
    size_t start = (size_t)r.y * (size_t)fb->width + (size_t)r.x;

    for (int y = 0; y < r.h; y++, start += (size_t)fb->width)
        memcpy(to + start, fb->private_pixels + start, (size_t)r.w * sizeof(uint32_t));
}

bool framebuffer_publish(struct framebuffer *fb)
{
    struct picture_header *h = fb->shared;
    bool wake;

    picture_lock(h, TICK_NEVER);
    wake = h->damage.count == 0 && fb->drawn.count > 0;
    for (int i = 0; i < fb->drawn.count; i++)
        copy_rect(fb, fb->drawn.rects[i]);
    region_union(&h->damage, &fb->drawn);
    picture_unlock(h);
    region_clear(&fb->drawn);
    return wake;
}

void framebuffer_put_figures(struct framebuffer *fb, const void *figures, size_t size)
{
    picture_put_figures(fb->shared, figures, size);
}
