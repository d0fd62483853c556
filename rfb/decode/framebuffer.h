/* The finished picture: what the server's screen looked like at the end of the last update.
 *
 * Two pictures. The decoder draws into the private one (receiver thread only); at the end of an
 * update framebuffer_publish() copies what changed into the shared one under the lock and adds it
 * to the damage. A reader therefore never sees half an update.
 *
 * Pixels are native 32-bit 0x??RRGGBB (the top byte means nothing), stride = width. The private
 * picture ends at a page without access: a decoder that runs past its end stops the program instead
 * of writing on.
 */
#ifndef VNCHL_FRAMEBUFFER_H
#define VNCHL_FRAMEBUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No side of a picture may be longer; 8192 x 8192 at 4 bytes is 256 MiB. */
#define FRAMEBUFFER_MAX_SIDE 8192

struct framebuffer;

/* What a reader sees while it holds the lock. */
struct framebuffer_view {
    const uint32_t *pixels; /* NULL before the first picture */
    int width, height;
    struct region damage; /* changed since the previous framebuffer_lock() that took it */
};

struct framebuffer *framebuffer_create(void);
void framebuffer_destroy(struct framebuffer *fb);

/* Any thread. Locks the shared picture and fills in `view`. `take_damage` empties the damage, so
 * only one reader (the one that draws) may pass true. Keep the lock only as long as a copy takes.
 */
void framebuffer_lock(struct framebuffer *fb, struct framebuffer_view *view, bool take_damage);
void framebuffer_unlock(struct framebuffer *fb);

/* Receiver thread. A new picture of this size, black, all of it damaged. False when out of memory
 * or larger than FRAMEBUFFER_MAX_SIDE; the old picture then stays. */
bool framebuffer_resize(struct framebuffer *fb, int width, int height);

/* Receiver thread: the private picture, and what has been drawn into it. */
uint32_t *framebuffer_private(struct framebuffer *fb);
void framebuffer_drawn(struct framebuffer *fb, struct rect r);

/* Receiver thread: the update is complete; show it. True when the damage was empty before and is
 * not now, that is, when the reader has to be woken. */
bool framebuffer_publish(struct framebuffer *fb);

#ifdef __cplusplus
}
#endif
#endif
