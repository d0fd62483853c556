/* Which parts of the picture go as foretold text (rfb/blocks/foretold.h), on the stream: cells of
 * text that wait, wherever they are. Small changes of one update so leave in one block.
 *
 * It takes ten times as long as deflate (docs/blocks.md). So it is used where little waits.
 *
 * Whoever uses it holds a lock.
 */
#ifndef VNCHL_FORETELLING_H
#define VNCHL_FORETELLING_H

#include <stdbool.h>

#include "prerequest/push/plan.h"
#include "rfb/blocks/block.h"
#include "rfb/blocks/shadow.h"
#include "rfb/pusher/constants.h"

#ifdef __cplusplus
extern "C" {
#endif

struct foretelling;

/* NULL when out of memory. */
struct foretelling *foretelling_create(void);
void foretelling_destroy(struct foretelling *f);

/* The picture has this size. False: out of memory. */
bool foretelling_picture(struct foretelling *f, int width, int height);

/* The picture that is shown is another one. */
void foretelling_shown(struct foretelling *f);

/* The viewer has refused a block. */
void foretelling_refused(struct foretelling *f);

/* Makes a block of the left of this strip, and of what waits elsewhere. `then`: what is known of
 * the viewer's picture. False: it does not work. */
bool foretelling_make(struct foretelling *f, const struct push_plan *p, const struct shadow *then,
                      const uint32_t *now, const struct push_strip *strip, struct block *out);

/* The parts of the block that was made last. */
unsigned foretelling_pieces(const struct foretelling *f, const struct rect **pieces);

#ifdef __cplusplus
}
#endif
#endif
