/* Lossless refresh: what came with loss is asked for again once it is still, for `auto`.
 *
 *              something is lossy, and the screen has been still for long enough
 *    WATCHING ------------------------------------------------------------------> ASKING
 *       ^ ^                                                                        |  |
 *       | +------ all of it has come, or there is news (an update, input) ---------+  |
 *       |                                                                             |
 *       +---- news ---- IN_VAIN <---- it came with loss again, or nothing came -------+
 *
 * While ASKING, the server is told to send without loss, and parts of the picture ("slices") are
 * asked for one after another. It ends with news: what moves is to come with loss, and quickly.
 *
 * How long is long enough: REFRESH_STILL, or as long as the refresh itself will take if that is
 * longer (at most REFRESH_STILL_MOST). The reason: when the screen moves again during a refresh,
 * the first picture of the motion comes without loss, too, and that costs as much as waiting did.
 *
 * For example: 500,000 lossy pixels are 1 MB without loss. At 1 MB per second they take 1 s. So the
 * refresh begins when the screen has been still for 1 s. It asks for 50,000 pixels every 0.1 s.
 *
 * Which parts are lossy, the receiver knows (rfb/decode/lossy.h). Value type. Pure.
 */
#ifndef VNCHL_REFRESH_H
#define VNCHL_REFRESH_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/decide/constants.h"
#include "prerequest/event.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

enum refresh_state { REFRESH_WATCHING, REFRESH_ASKING, REFRESH_IN_VAIN };

struct refresh {
    enum refresh_state state;
    bool wanted;       /* the user wants refreshes */
    tick_t takes;      /* how long it would take to send all that is lossy, ns; 0: nothing is */
    tick_t not_before; /* the next slice is not due before this time */
    tick_t seen;       /* when the newest slice was sent, or the newest update came */
};

void refresh_init(struct refresh *r, bool wanted);

static inline bool refresh_asking(const struct refresh *r)
{
    return r->state == REFRESH_ASKING;
}

/* There is news: an update that no refresh has asked for, or input. True when ASKING ends by it. */
bool refresh_news(struct refresh *r);

/* An update has come, and `loss` is lossy now. The path delivers `rate` bytes per second (0: not
 * known). True when ASKING ends by it. */
bool refresh_loss(struct refresh *r, const struct scheduler_loss *loss, double rate, tick_t now);

/* The slice that was due has been sent. `pixels`: its size; 0: there was nothing to ask for. */
void refresh_sent(struct refresh *r, uint64_t pixels, tick_t now);

/* Time has passed. True when ASKING ends by it: no answer has come. */
bool refresh_time(struct refresh *r, tick_t now);

/* When refresh_time() is to be called at the latest; TICK_NEVER: it need not. */
tick_t refresh_deadline(const struct refresh *r);

/* When the next slice is due; TICK_NEVER: none is. The screen moved last at `moved_at`.
 * `receiving`: an update is coming now. */
tick_t refresh_due(const struct refresh *r, tick_t moved_at, bool receiving);

/* How many pixels the slice that is due is to have, at `rate` bytes per second (0: not known). */
uint64_t refresh_pixels(double rate);

#ifdef __cplusplus
}
#endif
#endif
