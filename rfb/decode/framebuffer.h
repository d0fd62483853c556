/* The picture to be shown, the decoder's side. framebuffer_reader.h is the other side.
 *
 * Two pictures. The decoder draws into the private one, which no other process sees.
 * framebuffer_publish() copies what changed into the shared one under its lock, and adds it to the
 * damage. A reader sees nothing that the decoder has drawn since. Updates are published when they
 * are complete: of these a reader never sees a half. Blocks of a far end are also published before
 * their update is complete. The shared picture lies in a memfd (picture_memory.h), so that a reader
 * in another process can map it.
 *
 * Receiver thread, all of it. The writer trusts its readers: it waits as long as one holds the
 * lock.
 *
 * Pixels are native 32-bit 0x??RRGGBB (the top byte means nothing), stride = width. The private
 * picture ends at a page without access: a decoder that runs past its end ends the process of the
 * session instead of writing on.
 */
#ifndef VNCHL_FRAMEBUFFER_H
#define VNCHL_FRAMEBUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/decode/framebuffer_reader.h"
#include "rfb/decode/picture_memory.h" /* FRAMEBUFFER_MAX_SIDE */
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct framebuffer;

/* `memory` is a file of picture_memory_create(), for the shared picture; the caller keeps it and
 * may close it. -1: a new one. NULL when out of memory. */
struct framebuffer *framebuffer_create(int memory);
void framebuffer_destroy(struct framebuffer *fb); /* safe on NULL; who has mapped it keeps it */

/* The memfd, for framebuffer_map(). It stays the framebuffer's, and the same whatever the size. */
int framebuffer_fd(const struct framebuffer *fb);

/* A reader in this process. It is unmapped before the framebuffer is destroyed. NULL when out of
 * memory. */
struct framebuffer_reader *framebuffer_reader_of(struct framebuffer *fb);

/* A new picture of this size, black, all of it damaged. False when out of memory or larger than
 * FRAMEBUFFER_MAX_SIDE; the old picture then stays. */
bool framebuffer_resize(struct framebuffer *fb, int width, int height);

/* The size of both pictures; 0 before the first. */
void framebuffer_size(const struct framebuffer *fb, int *width, int *height);

/* The private picture, and what has been drawn into it. */
uint32_t *framebuffer_private(struct framebuffer *fb);
void framebuffer_drawn(struct framebuffer *fb, struct rect r);

/* Shows what has been drawn. True when the damage was empty before and is not now, that is, when
 * the reader has to be woken. */
bool framebuffer_publish(struct framebuffer *fb);

/* Puts figures beside the shared picture: picture_put_figures(). */
void framebuffer_put_figures(struct framebuffer *fb, const void *figures, size_t size);

#ifdef __cplusplus
}
#endif
#endif
