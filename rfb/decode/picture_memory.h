/* The memory of the shared picture: a file without a name (memfd) that several processes can map.
 * It begins with a header, then come figures, then the pixels.
 *
 * Any thread, any process. Two modules know this layout: framebuffer.c, which writes the picture,
 * and framebuffer_reader.c, which reads it. Others may only fill a picture that stays as it is. The
 * process that writes is not trusted by the one that reads
 * (docs/decisions/picture-in-shared-memory.md).
 *
 * The file has its full size, that of the largest picture, from the beginning and is sealed: nobody
 * can make it smaller, so a mapping never ends before its end. Pages that nobody wrote to take no
 * memory.
 */
#ifndef VNCHL_PICTURE_MEMORY_H
#define VNCHL_PICTURE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"
#include "rfb/region.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PICTURE_MAGIC   0x54434950u /* "PICT" */
#define PICTURE_VERSION 3u

/* Where the figures are, twice, and the most bytes that they may have. */
#define PICTURE_FIGURES_OFFSET 1024u
#define PICTURE_FIGURES_MAX    20480u

/* Bytes before the pixels, as the writer lays them out. */
#define PICTURE_OFFSET 49152u

/* No side of a picture may be longer; 8192 x 8192 at 4 bytes is 256 MiB. */
#define FRAMEBUFFER_MAX_SIDE 8192

#define PICTURE_MEMORY_BYTES                                                                       \
    (PICTURE_OFFSET + (size_t)FRAMEBUFFER_MAX_SIDE * FRAMEBUFFER_MAX_SIDE * sizeof(uint32_t))

/* The beginning of the file, in the byte order of the machine. */
struct picture_header {
    uint32_t magic, version; /* never change */
    uint32_t lock;           /* 0: free, 1: held, 2: held and somebody may wait; a futex */

    /* With the lock held: */
    uint32_t width, height; /* pixels; 0 before the first picture */
    uint32_t stride;        /* bytes from one row to the next */
    uint32_t offset;        /* bytes from the beginning of the file to the first pixel */
    struct region damage;   /* changed since a reader took it */
};

/* Whether this process may have such files: a limit for the size of files counts for them, too.
 * False with a reason. */
bool picture_memory_allowed(struct reason *why);

/* A new file with an empty picture; the caller closes it. -1, with errno, when there is no memory.
 */
int picture_memory_create(void);

/* Maps the whole file to read and write. NULL when it is no such file: not sealed, too small,
 * another magic or version. `size` gets the bytes that are mapped, at most PICTURE_MEMORY_BYTES. */
struct picture_header *picture_memory_map(int fd, size_t *size);
void picture_memory_unmap(struct picture_header *h, size_t size);

/* Says that the pixels are of this size, which there may be, and that all of them are new. With the
 * lock held, or before anybody else knows the file. Returns the pixels. */
uint32_t *picture_set_size(struct picture_header *h, int width, int height);

/* Takes the lock. False when it is not free within `patience` ns: 0 tries once, TICK_NEVER waits
 * without an end. Whatever another process writes into the lock meanwhile, this returns in time. */
bool picture_lock(struct picture_header *h, tick_t patience);
void picture_unlock(struct picture_header *h);

/* Figures beside the picture: bytes of one moment, whose meaning writer and reader agree on; a
 * multiple of 8, at most PICTURE_FIGURES_MAX. One thread writes. Nobody waits: a reader during
 * whose look they are put twice tries again some times. Where the writer stands still does not
 * matter. False: nothing was put yet, or they are put again and again. What an unfair writer has
 * put there may be of several moments, or cannot be: it is to be checked. */
void picture_put_figures(struct picture_header *h, const void *figures, size_t size);
bool picture_get_figures(struct picture_header *h, void *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
