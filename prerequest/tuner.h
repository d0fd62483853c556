/* The PRP for `auto`, from the frame rate the server and the content really give.
 *
 * The thesis's rule of thumb (VNC-HL, section 4.8) is PRP = 1 / the frame rate reachable at 0 ms.
 * Nobody tells us that rate, so it is found. Once a second, with gap = 1 / measured frame rate:
 *
 *   frames keep up:   PRP >= 0.9 gap, every request brought a frame, there may be more
 *                     -> PRP *= 0.6, and at most TUNER_PRP_START
 *   requests wasted:  requests > 1.3 x frames, the server answered several with one update,
 *                     in two windows on end (one may be a hiccup of the link)
 *                     -> PRP = 0.8 gap, but at most four times the old one, on trial
 *   else              after 64 s without a trial PRP *= 0.6, on trial
 *
 * Some servers look for changes the more often the more they are asked (x11vnc, QEMU), so that
 * their rate at one PRP does not tell what another would give. So a trial ends after four seconds:
 * a slower PRP is undone if the gap has grown by more than 3 %, a faster one unless it has shrunk
 * by 5 %. A slower one that was undone is not tried again for 8 s, then 32 s, then 64 s each.
 *
 * 0.8 gap is the rule with room for jitter: 1.25 requests arrive at the server per frame, so one
 * is there when the picture changes even if it is up to a fifth of a gap late. It lies between the
 * first two conditions, so a steady content leaves the period alone but for the trials.
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
#define TUNER_PRP_START (16 * TICK_MS) /* fast enough for a film from the start, on any server */
#define TUNER_WINDOW    TICK_S

struct tuner {
    tick_t prp;
    tick_t window_start; /* the frame that opened this window; TICK_NEVER when none has */
    tick_t last;         /* the newest frame */
    unsigned gaps;       /* frames since window_start, without the one that opened it */
    bool wasted;         /* the window before this one was wasteful */
    double gap;          /* between its frames, ns; 0: there was none */
    bool near;           /* updates bring requests themselves: the PRP may be twice as long */
    unsigned requests;   /* pre-requests sent since window_start */
    tick_t ignored;      /* windows that began before this do not count */
    unsigned trial;      /* windows until this PRP is judged; 0: it is not on trial */
    tick_t before;       /* the PRP before the trial */
    double before_gap;   /* and what it gave, ns */
    unsigned calm;       /* windows since the last one */
    unsigned patience;   /* windows until a slower PRP is tried again */
};

void tuner_init(struct tuner *t);

/* The picture was still for a while: what was measured before says nothing about what comes now.
 * Starts measuring afresh, with a period no longer than TUNER_PRP_START. */
void tuner_wake(struct tuner *t);

/* The path is the limit: what arrives tells nothing about the content. Measures afresh after it; a
 * trial is given up. */
void tuner_pause(struct tuner *t);

/* No requests left for a while: what arrives until then tells nothing about the content. */
void tuner_ignore(struct tuner *t, tick_t until);

/* A request has been sent that is the period's doing. */
void tuner_request(struct tuner *t);

/* A frame has arrived. Re-tunes when the window is over. `near`: an update brings a request itself.
 */
void tuner_frame(struct tuner *t, bool near, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
