/* The PRP for `auto`, from the frame rate the server and the content really give.
 *
 * The thesis's rule of thumb (VNC-HL, section 4.8) is PRP = 1 / the frame rate reachable at 0 ms.
 * Nobody tells us that rate, so it is found. Once a second, with gap = 1 / measured frame rate:
 *
 *   frames keep up:   PRP >= 0.9 gap, every request brought a frame, there may be more
 *                     -> PRP *= 0.6, and at most TUNER_PRP_START
 *   requests wasted:  requests > 1.3 x frames, the server answered several with one update,
 *                     in two windows on end (one may be a hiccup of the link)
 *                     -> PRP = 0.8 gap, but at most twice the old one
 *   else              the PRP stays
 *
 * 0.8 gap is the rule with room for jitter: 1.25 requests arrive at the server per frame, so one
 * is there when the picture changes even if it is up to a fifth of a gap late. It lies between the
 * two conditions, so a steady content leaves the period alone.
 *
 * Pure; part of the scheduler, which feeds it.
 */
#ifndef VNCHL_TUNER_H
#define VNCHL_TUNER_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TUNER_RULE      0.8
#define TUNER_PRP_MIN   (10 * TICK_MS)
#define TUNER_PRP_MAX   (200 * TICK_MS)
#define TUNER_PRP_START (25 * TICK_MS) /* fast enough for a film from the start */
#define TUNER_WINDOW    TICK_S

struct tuner {
    tick_t prp;
    tick_t window_start; /* the frame that opened this window; TICK_NEVER when none has */
    tick_t last;         /* the newest frame */
    unsigned gaps;       /* frames since window_start, without the one that opened it */
    bool wasted;         /* the window before this one was wasteful */
    unsigned requests;   /* pre-requests sent since window_start */
};

void tuner_init(struct tuner *t);

/* The picture was still for a while: what was measured before says nothing about what comes now.
 * Starts measuring afresh, with a period no longer than TUNER_PRP_START. */
void tuner_wake(struct tuner *t);

/* The path is the limit: what arrives tells nothing about the content. Measures afresh after it. */
void tuner_pause(struct tuner *t);

/* A pre-request has been sent. Requests of other causes are not the period's doing. */
void tuner_request(struct tuner *t);

/* A frame has arrived. Re-tunes when the window is over. */
void tuner_frame(struct tuner *t, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
