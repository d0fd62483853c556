/* What is said to a viewer that takes references (PSEUDO_REFERENCES): blocks that say that
 * something looks as what the viewer has. They are found when an update of the server has come:
 *
 *   moved    a rectangle of cells looks as another one of the viewer's picture (blocks/moves.h)
 *   kept     tiles look as tiles that the viewer was told to keep: a window that is shown again
 *   prefix   text that resembles what the viewer has in the same row of cells (blocks/prefix.h)
 *
 * Only what left exactly is referred to. On the stream it has come when the block comes. Where
 * datagrams are lost, the viewer has to have told of it; where hardly any are (PUSH_LOSS_LEAST), it
 * is believed to come. The viewer compares digests: so a wrong belief costs a round trip, and never
 * shows something wrong. When the viewer refuses one, nothing is believed of its picture any more,
 * and for ten seconds nothing that it has not told of.
 *
 * Tiles that will be changed by much, and stood for a while, are the ones that are kept: they leave
 * the picture, and may come back. The viewer says how many (rfb/blocks/kept.h).
 *
 * Whoever uses it holds a lock. Functions take NULL: the viewer takes no references.
 */
#ifndef VNCHL_REFERENCES_H
#define VNCHL_REFERENCES_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/push/datagrams.h"
#include "prerequest/push/plan.h"
#include "rfb/blocks/block.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/pusher/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct references;

/* What a viewer takes: blocks that refer to what it has, and of these foretold text; and how many
 * MiB it has for tiles. */
struct references_taken {
    bool any, foretold;
    unsigned kept_mib;
};

/* The same, by the encodings that it lists. */
struct references_taken references_taken(bool (*takes)(void *user, int32_t encoding), void *user);

/* For the picture that `reader` shows, and a viewer that takes any. NULL when out of memory. */
struct references *references_create(struct framebuffer_reader *reader,
                                     const struct references_taken *taken);
void references_destroy(struct references *r);

/* The picture has this size; nothing of it has left. What the viewer keeps stays. */
void references_picture(struct references *r, int width, int height);

/* The viewer has read the stream up to this block. */
void references_heard(struct references *r, uint32_t sequence);

/* An update is shown, and the plan was told of it: finds what can be referred to. */
void references_shown(struct references *r, const struct push_plan *p,
                      const struct push_datagrams *d, tick_t now);

/* The next reference, to leave instead of a strip, under this sequence number. Its payload is valid
 * until the next call. False: there is none. */
bool references_next(struct references *r, const struct push_plan *p, uint32_t sequence,
                     struct block *out);

/* It leaves, or one that was grown: tells the plan. Returns what push_plan_sent() would. */
bool references_tell(const struct block *b, struct push_plan *p, size_t bytes, tick_t now);

/* Makes one block of foretold text (rfb/pusher/foretelling.h), for the stream, and tells the plan
 * that it leaves. */
bool references_foretell(struct references *r, const struct push_plan *p,
                         const struct push_strip *strip, struct block *out);
bool references_tell_pieces(struct references *r, const struct block *b, struct push_plan *p,
                            size_t bytes, tick_t now);

/* Makes one block of the strip and of what waits below it, as many rows of cells as fit: then the
 * block is higher than the strip. False: it does not work. */
bool references_grow(struct references *r, const struct push_plan *p,
                     const struct push_strip *strip, struct block *out);

/* Makes a block of a strip shorter, if it can. */
void references_shorten(struct references *r, struct block *b);

/* This block has left, on the stream or as a datagram. The other one is for who has locked the
 * picture already. */
void references_left(struct references *r, const struct block *b, bool stream, tick_t now);
void references_left_of(struct references *r, const struct block *b,
                        const struct framebuffer_view *view, bool stream, tick_t now);

/* The viewer copies, by a block of the stream. */
void references_copied(struct references *r, struct rect area, int from_x, int from_y);

/* The viewer has refused a block with this area. */
void references_refused(struct references *r, struct rect area, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
