/* The picture of an earlier session with the same server. A far end that pushes may be told digests
 * of it (BLOCKS_DIGESTS, rfb/proto/blocks.h). What is as it was then comes in blocks without pixels
 * (BLOCK_OLD). They are drawn from here. At the end the far end says a sum of what it took for the
 * same: if that is another one here, something wrong was drawn, and all is asked for.
 *
 * It is kept until the far end has said that it is not needed any more. Where nothing was said of
 * it, it is kept until the first whole picture.
 *
 * Any thread, but for what is the receiver's or the sender's; it has a lock of its own.
 */
#ifndef VNCHL_OLD_PICTURE_H
#define VNCHL_OLD_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/bytes_held.h"
#include "rfb/decode/framebuffer_reader.h"
#include "rfb/proto/blocks.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct old_picture;

/* How finely the picture is said: the side of a tile in pixels, and the bytes of a digest. */
struct old_picture_grain {
    int side;
    unsigned bytes;
};

/* The one for a picture of this size (docs/push.md has what each weighs). */
struct old_picture_grain old_picture_grain_of(int width, int height);

/* There is none yet. NULL when out of memory. */
struct old_picture *old_picture_create(void);
void old_picture_destroy(struct old_picture *o); /* safe on NULL */

/* This is it: copied. Only the first one counts. `grain` NULL: that of its size. True: the sender
 * has to be woken. */
bool old_picture_give(struct old_picture *o, struct framebuffer_reader *reader,
                      const struct old_picture_grain *grain);

/* The far end takes digests, and this is its key. True: the sender has to be woken. */
bool old_picture_wanted(struct old_picture *o, const uint8_t key[BLOCKS_KEY_BYTES]);

/* The sender: what is to be said now. The messages with the digests, once, which are made here; or
 * a request for all of the picture. The bytes are the caller's then. False: nothing is. */
bool old_picture_take(struct old_picture *o, struct bytes_held *out);

/* ---- the receiver ---- */

/* A block draws this area of a picture of this size from it. Returns its pixels: valid until the
 * next three. NULL: nothing was said of one of this size. */
const uint32_t *old_picture_use(struct old_picture *o, int width, int height, struct rect area);

/* The far end needs it no more. Its sum of what it took for the same. If ours is another one, there
 * is something to be said: the sender looks for it when it acknowledges the block. */
void old_picture_end(struct old_picture *o, const uint8_t *sum);

/* A whole picture is there. If nothing was said of the old one, nothing will be. */
void old_picture_shown(struct old_picture *o);

#ifdef __cplusplus
}
#endif
#endif
