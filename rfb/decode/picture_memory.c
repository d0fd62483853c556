#include "rfb/decode/picture_memory.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rfb/system/clock.h"

/* The layout is what two processes agree on. */
_Static_assert(offsetof(struct picture_header, lock) == 8, "layout");
_Static_assert(offsetof(struct picture_header, width) == 12, "layout");
_Static_assert(offsetof(struct picture_header, offset) == 24, "layout");
_Static_assert(offsetof(struct picture_header, damage) == 28, "layout");
_Static_assert(offsetof(struct region, count) == REGION_MAX * 16, "layout");
_Static_assert(sizeof(struct picture_header) == 28 + REGION_MAX * 16 + 4, "layout");
_Static_assert(sizeof(struct picture_header) <= PICTURE_FIGURES_OFFSET, "layout");

/* A seqlock with two places. A writer that sleeps in the middle is in the place that nobody reads.
 * Each word is stored after the count before it and loaded before the count is looked at again, so
 * no fence is needed. */
struct figures {
    uint64_t count;                                            /* how often they were put */
    uint64_t words[2][PICTURE_FIGURES_MAX / sizeof(uint64_t)]; /* the newest: [count % 2] */
};
_Static_assert(PICTURE_FIGURES_OFFSET + sizeof(struct figures) <= PICTURE_OFFSET, "layout");

/* How often a reader tries. Chosen: to write takes some microseconds, 20 times a second at most. */
#define FIGURES_TRIES 8

enum { FREE = 0, HELD = 1, AWAITED = 2 };

bool picture_memory_allowed(struct reason *why)
{
    struct rlimit most;

    return getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur >= PICTURE_MEMORY_BYTES ||
           reason_set(why, "files may have %zu KiB here (ulimit -f), a picture needs %zu: raise it",
                      (size_t)most.rlim_cur / 1024, PICTURE_MEMORY_BYTES / 1024);
}

int picture_memory_create(void)
{
    const struct picture_header empty = {.magic = PICTURE_MAGIC, .version = PICTURE_VERSION};
    int fd = memfd_create("vnchl-picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)PICTURE_MEMORY_BYTES) != 0 ||
        pwrite(fd, &empty, sizeof empty, 0) != (ssize_t)sizeof empty ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

struct picture_header *picture_memory_map(int fd, size_t *size)
{
    int seals = fcntl(fd, F_GET_SEALS);
    struct picture_header *h;
    off_t end;

    /* the seal first: afterwards the size cannot become less */
    if (seals < 0 || !(seals & F_SEAL_SHRINK))
        return NULL;
    end = lseek(fd, 0, SEEK_END); /* not every fstat() is allowed in the session */
    if (end < (off_t)sizeof *h)
        return NULL;
    *size = end < (off_t)PICTURE_MEMORY_BYTES ? (size_t)end : PICTURE_MEMORY_BYTES;
    h = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED)
        return NULL;
    if (h->magic != PICTURE_MAGIC || h->version != PICTURE_VERSION) {
        munmap(h, *size);
        return NULL;
    }
    return h;
}

void picture_memory_unmap(struct picture_header *h, size_t size)
{
    if (h)
        munmap(h, size);
}

uint32_t *picture_set_size(struct picture_header *h, int width, int height)
{
    h->width = (uint32_t)width;
    h->height = (uint32_t)height;
    h->stride = (uint32_t)width * sizeof(uint32_t);
    h->offset = PICTURE_OFFSET;
    region_clear(&h->damage);
    region_add(&h->damage, (struct rect){0, 0, width, height});
    return (uint32_t *)(void *)((char *)h + PICTURE_OFFSET);
}

/* Sleeps until somebody unlocks, or until the time `end`; returns early now and then. */
static void sleep_until_free(uint32_t *lock, tick_t end)
{
    struct timespec at = tick_to_timespec(end);

    syscall(SYS_futex, lock, FUTEX_WAIT_BITSET, AWAITED, end == TICK_NEVER ? NULL : &at, NULL,
            FUTEX_BITSET_MATCH_ANY);
}

bool picture_lock(struct picture_header *h, tick_t patience)
{
    uint32_t was = FREE;
    tick_t end;

    if (__atomic_compare_exchange_n(&h->lock, &was, HELD, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
        return true;
    if (patience <= 0)
        return false;
    end = patience == TICK_NEVER ? TICK_NEVER : tick_now() + patience;
    /* who waits does not know whether others do: it says so, and wakes one for nothing at worst */
    while (__atomic_exchange_n(&h->lock, AWAITED, __ATOMIC_ACQUIRE) != FREE) {
        if (end != TICK_NEVER && tick_now() >= end)
            return false;
        sleep_until_free(&h->lock, end);
    }
    return true;
}

void picture_unlock(struct picture_header *h)
{
    if (__atomic_exchange_n(&h->lock, FREE, __ATOMIC_RELEASE) == AWAITED)
        syscall(SYS_futex, &h->lock, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* ---- figures ---- */

static struct figures *figures_of(struct picture_header *h)
{
    return (struct figures *)(void *)((char *)h + PICTURE_FIGURES_OFFSET);
}

void picture_put_figures(struct picture_header *h, const void *figures, size_t size)
{
    struct figures *f = figures_of(h);
    uint64_t count = __atomic_load_n(&f->count, __ATOMIC_RELAXED) + 1, word;

    for (size_t i = 0; i < size / sizeof word; i++) {
        memcpy(&word, (const char *)figures + i * sizeof word, sizeof word);
        __atomic_store_n(&f->words[count % 2][i], word, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&f->count, count, __ATOMIC_RELEASE);
}

bool picture_get_figures(struct picture_header *h, void *out, size_t size)
{
    struct figures *f = figures_of(h);

    for (int tries = 0; tries < FIGURES_TRIES; tries++) {
        uint64_t count = __atomic_load_n(&f->count, __ATOMIC_ACQUIRE), word;

        if (count == 0)
            return false;
        for (size_t i = 0; i < size / sizeof word; i++) {
            word = __atomic_load_n(&f->words[count % 2][i], __ATOMIC_ACQUIRE);
            memcpy((char *)out + i * sizeof word, &word, sizeof word);
        }
        if (__atomic_load_n(&f->count, __ATOMIC_RELAXED) == count)
            return true;
    }
    return false;
}
