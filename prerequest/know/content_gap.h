/* The time between two frames of the content.
 *
 *   gap   = the mean time between frames while the path is not the limit, ns
 *           for example 33.3 ms for a film of 30 frames per second
 *   swing = the mean of |time between two frames - gap|, ns
 *
 * A frame shows the content's own pace when a request waited at the server for it and the downlink
 * had time to spare. Only such frames are learnt from. While the path is the limit, the content may
 * be faster than what arrives, so the last gap that was learnt is kept.
 *
 * The content is never slower than what arrives. So frames that arrive faster than the gap, in the
 * mean over CONTENT_GAP_WINDOW, correct it at once.
 *
 * Frames swing when the network delays one packet longer than the next (jitter), or when the server
 * looks at its screen at irregular times. Then a request that leaves in time may arrive late.
 *
 * Value type. Pure.
 */
#ifndef VNCHL_CONTENT_GAP_H
#define VNCHL_CONTENT_GAP_H

#include <stdbool.h>

#include "prerequest/know/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct content_gap {
    tick_t gap;      /* ns */
    tick_t swing;    /* ns */
    double window;   /* ns: since when frames are counted for a correction */
    unsigned frames; /* how many were counted since then */
};

/* A frame has arrived. */
struct content_frame {
    double since;   /* ns since the frame before */
    double service; /* ns that an update takes up the downlink (downlink.h) */
    double busy;    /* share of the downlink in use, 0..1 */
    bool waited;    /* a request waited at the server for it */
};

void content_gap_init(struct content_gap *g);

void content_gap_frame(struct content_gap *g, const struct content_frame *f);

#ifdef __cplusplus
}
#endif
#endif
