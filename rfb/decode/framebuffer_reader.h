/* The reader's side of the finished picture: maps the memory that framebuffer.h writes, in this or
 * in another process, and gives out whole pictures.
 *
 * A reader belongs to one thread at a time. Nothing in the memory is trusted: the process that
 * writes it decodes what a server sent, and may be dead, broken or hostile. What the header says is
 * read once and checked; a lock that is not given back is waited for once for a second,
 * and later for 20 ms.
 *
 * The one who draws takes the damage. Others may look, without taking it.
 */
#ifndef VNCHL_FRAMEBUFFER_READER_H
#define VNCHL_FRAMEBUFFER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/decode/picture_memory.h" /* FRAMEBUFFER_MAX_SIDE */
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct framebuffer_reader;

/* What a reader sees while it holds the lock. */
struct framebuffer_view {
    const uint32_t *pixels; /* 0x??RRGGBB, rows without a gap; an unfair writer may change them */
    size_t offset;          /* bytes from the beginning of the file to the first pixel */
    int width, height;      /* 1..FRAMEBUFFER_MAX_SIDE */
    struct region damage;   /* inside the picture: changed since it was taken last */
};

/* Maps the file of picture_memory_create(); the caller keeps `fd` and may close it. NULL when this
 * is no such file or out of memory. */
struct framebuffer_reader *framebuffer_map(int fd);

/* The same in the process of the writer, which has mapped it already: pages that are mapped twice
 * would count twice. The writer's mapping stays until after framebuffer_unmap(). */
struct framebuffer_reader *framebuffer_read_here(int fd, struct picture_header *memory,
                                                 size_t size);
void framebuffer_unmap(struct framebuffer_reader *r); /* safe on NULL */

/* The file: for who is to map it, too. It stays the reader's. */
int framebuffer_reader_fd(const struct framebuffer_reader *r);

/* Locks the shared picture and fills in `view`. Keep the lock only as long as a copy takes.
 * `take_damage` empties the damage; only one reader may pass true. False, and nothing to unlock,
 * when there is no picture yet, when the writer does not give the lock back, or when what the
 * header says cannot be. */
bool framebuffer_lock(struct framebuffer_reader *r, struct framebuffer_view *view,
                      bool take_damage);
void framebuffer_unlock(struct framebuffer_reader *r);

/* Reads the figures beside the picture, without the lock: picture_get_figures(). Nothing in them is
 * to be trusted. */
bool framebuffer_get_figures(struct framebuffer_reader *r, void *out, size_t size);

/* How long a reader waits for the lock. Long waits use its patience up, time brings it back.
 * Zeroed: it has all of it once some time has passed since time 0. */
struct lock_patience {
    tick_t left;  /* ns */
    tick_t ended; /* the end of the newest wait */
};

/* How long the wait that begins now may last: a second at first, never less than 20 ms. */
tick_t lock_patience_next(struct lock_patience *p, tick_t now);
void lock_patience_used(struct lock_patience *p, tick_t begin, tick_t end);

#ifdef __cplusplus
}
#endif
#endif
