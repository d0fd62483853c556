/* The picture of an earlier session with the same server, which the user still sees when this one
 * begins. A far end that pushes may be told digests of it (BLOCKS_DIGESTS, rfb/proto/blocks.h).
 * What is as it was then comes in blocks without pixels (BLOCK_OLD). They are drawn from here.
 *
 * It is kept until the far end has said that it is not needed any more. Where nothing was said of
 * it, it is kept until the first whole picture.
 *
 * Any thread, but for what is the receiver's; it has a lock of its own.
 */
#ifndef VNCHL_OLD_PICTURE_H
#define VNCHL_OLD_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "rfb/bytes_held.h"
#include "rfb/decode/framebuffer_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

struct old_picture;

/* There is none yet. NULL when out of memory. */
struct old_picture *old_picture_create(void);
void old_picture_destroy(struct old_picture *o); /* safe on NULL */

/* This is it: copied, and its digests are made. Only the first one counts. True: the sender has to
 * be woken. */
bool old_picture_give(struct old_picture *o, struct framebuffer_reader *reader);

/* The far end takes digests. True: the sender has to be woken. */
bool old_picture_wanted(struct old_picture *o);

/* The sender: the messages with the digests, once. They are the caller's then. False: nothing is to
 * be said. */
bool old_picture_take(struct old_picture *o, struct bytes_held *out);

/* ---- the receiver ---- */

/* Its pixels, for blocks of a picture of this size: valid until the next two. NULL: nothing was
 * said of one of this size. */
const uint32_t *old_picture_pixels(struct old_picture *o, int width, int height);

/* The far end needs it no more. */
void old_picture_end(struct old_picture *o);

/* A whole picture is there. If nothing was said of the old one, nothing will be. */
void old_picture_shown(struct old_picture *o);

#ifdef __cplusplus
}
#endif
#endif
