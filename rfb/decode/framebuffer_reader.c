#include "rfb/decode/framebuffer_reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "rfb/system/clock.h"
#include "rfb/system/log.h"

/* A writer holds the lock as long as it copies one update: far shorter, even for the largest. */
#define PATIENCE TICK_S
/* After one that has kept it for that time, in one piece or in several that are LONG. Chosen: the
 * owner's loop still turns. */
#define SHORT_PATIENCE (20 * TICK_MS)
#define LONG           (100 * TICK_MS)
/* So many times longer than a wait it takes until one may wait so long again. Chosen. */
#define RECOVERY 30

struct framebuffer_reader {
    int fd;
    struct picture_header *memory;
    size_t size;
    bool mapped_here; /* the memory: unmapped at the end */
    struct lock_patience patience;
    bool reported; /* what is wrong has been said */
};

struct framebuffer_reader *framebuffer_read_here(int fd, struct picture_header *memory, size_t size)
{
    struct framebuffer_reader *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->memory = memory;
    r->size = size;
    r->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (r->fd >= 0)
        return r;
    free(r);
    return NULL;
}

struct framebuffer_reader *framebuffer_map(int fd)
{
    size_t size = 0;
    struct picture_header *memory = picture_memory_map(fd, &size);
    struct framebuffer_reader *r = memory ? framebuffer_read_here(fd, memory, size) : NULL;

    if (r)
        r->mapped_here = true;
    else
        picture_memory_unmap(memory, size);
    return r;
}

int framebuffer_reader_fd(const struct framebuffer_reader *r)
{
    return r->fd;
}

void framebuffer_unmap(struct framebuffer_reader *r)
{
    if (!r)
        return;
    if (r->mapped_here)
        picture_memory_unmap(r->memory, r->size);
    close(r->fd);
    free(r);
}

static bool framebuffer_reader_report(struct framebuffer_reader *r, const char *what)
{
    if (!r->reported)
        log_line("the picture cannot be read: %s", what);
    r->reported = true;
    return false;
}

static bool is_inside(struct rect r, const struct framebuffer_view *view)
{
    return r.x >= 0 && r.y >= 0 && r.w > 0 && r.h > 0 && r.w <= view->width &&
           r.h <= view->height && r.x <= view->width - r.w && r.y <= view->height - r.h;
}

/* A damage that cannot be counts as all of the picture. */
static void read_damage(volatile struct picture_header *h, struct framebuffer_view *view)
{
    struct rect all = {0, 0, view->width, view->height};
    int count = h->damage.count;
    bool ok = count >= 0 && count <= REGION_MAX;

    for (int i = 0; ok && i < count; i++) {
        volatile struct rect *from = &h->damage.rects[i];
        struct rect r = {from->x, from->y, from->w, from->h};

        ok = is_inside(r, view);
        view->damage.rects[i] = r;
    }
    view->damage.count = ok ? count : 0;
    if (!ok)
        region_add(&view->damage, all);
}

/* The writer may change the header at any time, lock or not: volatile, so that each number is read
 * once, and what was checked is what is used. */
static bool read_header(struct framebuffer_reader *r, struct framebuffer_view *view)
{
    volatile struct picture_header *h = r->memory;
    uint32_t width = h->width, height = h->height, stride = h->stride, offset = h->offset;

    if (width == 0 && height == 0) /* no picture yet */
        return false;
    if (width < 1 || height < 1 || width > FRAMEBUFFER_MAX_SIDE || height > FRAMEBUFFER_MAX_SIDE ||
        stride != width * sizeof(uint32_t) || offset % sizeof(uint32_t) != 0 ||
        offset < sizeof *h || offset > r->size || (size_t)height * stride > r->size - offset)
        return framebuffer_reader_report(r, "its size or place is wrong");
    view->pixels = (const uint32_t *)((const char *)r->memory + offset);
    view->offset = offset;
    view->width = (int)width;
    view->height = (int)height;
    read_damage(h, view);
    return true;
}

tick_t lock_patience_next(struct lock_patience *p, tick_t now)
{
    p->left = tick_sooner(PATIENCE, p->left + (now - p->ended) / RECOVERY);
    return tick_later(p->left, SHORT_PATIENCE);
}

void lock_patience_used(struct lock_patience *p, tick_t begin, tick_t end)
{
    p->ended = end;
    if (end - begin >= LONG)
        p->left -= end - begin;
}

static bool lock_patiently(struct framebuffer_reader *r)
{
    tick_t begin = tick_now();
    bool ok = picture_lock(r->memory, lock_patience_next(&r->patience, begin));

    lock_patience_used(&r->patience, begin, tick_now());
    return ok;
}

bool framebuffer_lock(struct framebuffer_reader *r, struct framebuffer_view *view, bool take_damage)
{
    if (!lock_patiently(r))
        return framebuffer_reader_report(r, "the session's process does not give the lock back");
    if (!read_header(r, view)) {
        picture_unlock(r->memory);
        return false;
    }
    if (take_damage)
        region_clear(&r->memory->damage);
    return true;
}

void framebuffer_unlock(struct framebuffer_reader *r)
{
    picture_unlock(r->memory);
}

bool framebuffer_get_figures(struct framebuffer_reader *r, void *out, size_t size)
{
    return r->size >= PICTURE_OFFSET && picture_get_figures(r->memory, out, size);
}
