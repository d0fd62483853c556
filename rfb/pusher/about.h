/* What the far end says of itself to the viewer (struct accelerator_shown): what it takes, at
 * first; and how it pushes, from time to time.
 */
#ifndef VNCHL_PUSHER_ABOUT_H
#define VNCHL_PUSHER_ABOUT_H

#include "rfb/bytes_held.h"
#include "rfb/pusher/path.h"
#include "rfb/pusher/pusher.h"
#include "rfb/pusher/viewer/viewer_side.h"
#include "rfb/pusher/visits/ahead.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds it to `out`, with the viewer's key of digests. False: out of memory. */
bool about_show(const struct pusher_options *o, const struct path *path, const struct ahead *ahead,
                struct viewer_side *v, struct bytes_held *out);

/* Adds how it pushes, if that is due: for a viewer that lists PSEUDO_PUSHING. False: out of memory.
 */
bool about_report(const struct pusher_options *o, struct viewer_side *v, struct bytes_held *out,
                  tick_t now);

/* Adds what an input took at this end, if that is due: for a viewer that lists PSEUDO_TURNAROUND.
 * False: out of memory. */
bool about_turnaround(struct viewer_side *v, struct bytes_held *out, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
