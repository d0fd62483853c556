/* The period of pre-requests that the content needs, for `auto`.
 *
 * The thesis's rule of thumb (VNC-HL, section 4.8) is PRP = 1 / the frame rate reachable at 0 ms.
 * Nobody tells that rate, so it is found. Once a second, with gap = the mean time between frames in
 * that second:
 *
 *   frames keep up    PRP >= 0.9 gap: every request brought a frame, there may be more
 *                     -> PRP = 0.6 PRP, and at most PERIOD_START
 *   requests wasted   requests > 1.3 frames: the server answered several with one update, in two
 *                     seconds on end (one may be a hiccup of the link)
 *                     -> PRP = 0.8 gap, but at most four times the old one, on trial
 *   else              after 64 s without a trial: PRP = 0.6 PRP, on trial
 *
 * Trials, because some servers look for changes the more often the more they are asked (x11vnc,
 * QEMU): their rate at one PRP does not tell what another PRP would give. A trial ends after four
 * seconds. A slower PRP is undone if the gap has grown by more than 3 %, a faster one unless the
 * gap has shrunk by 5 %. A slower one that was undone is tried again after 8 s, then 32 s, then
 * every 64 s.
 *
 * 0.8 gap means 1.25 requests per frame: one is at the server when the picture changes even if the
 * change is up to a fifth of a gap late. It lies between the first two conditions, so that steady
 * content leaves the period alone. Where frames come irregularly (content_gap.h) it is 0.5 gap: two
 * requests per frame, so that one is there even if the other comes late.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PERIOD_H
#define VNCHL_PERIOD_H

#include <stdbool.h>

#include "prerequest/rules.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The PRP in gaps of the content. */
#define PERIOD_RULE 0.8
/* The PRP is within these, ns. 10 ms: x11vnc handles four messages in 20 ms, and faster requests
 * keep it from input. 200 ms: content with fewer than four frames per second is no film. */
#define PERIOD_MIN (10 * TICK_MS)
#define PERIOD_MAX (200 * TICK_MS)
/* To begin with, ns: fast enough for a film, on any server. */
#define PERIOD_START (16 * TICK_MS)

struct period {
    rule_set without;    /* rules that are switched off */
    tick_t prp;          /* ns */
    tick_t window_start; /* the frame that opened this second; TICK_NEVER: none has */
    tick_t last;         /* the newest frame */
    unsigned gaps;       /* frames since window_start, without the one that opened it */
    unsigned requests;   /* pre-requests sent since window_start */
    bool wasted;         /* in the second before this one requests were wasted */
    double gap;          /* the mean in it, ns; 0: there was none */
    bool updates_ask;    /* as in struct period_frames */
    bool swing;
    tick_t ignored;    /* seconds that began before this do not count */
    unsigned trial;    /* seconds until this PRP is judged; 0: it is not on trial */
    tick_t before;     /* the PRP before the trial, ns */
    double before_gap; /* and the gap that it gave, ns */
    unsigned calm;     /* seconds since the last trial */
    unsigned patience; /* seconds until a slower PRP is tried again */
};

/* `without`: rules that are switched off. */
void period_init(struct period *p, rule_set without);

/* The screen was still, and moves again: what was measured before says nothing now. Measures
 * afresh, with a PRP no longer than PERIOD_START. */
void period_wake(struct period *p);

/* The path is the limit now, so what arrives tells nothing about the content. Gives up a trial;
 * measures afresh with the next frame. */
void period_restart(struct period *p);

/* No requests left for a while: what arrives until `until` tells nothing about the content. */
void period_ignore(struct period *p, tick_t until);

/* A request has been sent that is the period's doing. */
void period_request(struct period *p);

/* How frames arrive. */
struct period_frames {
    bool updates_ask; /* each update brings a request itself */
    bool swing;       /* they come irregularly */
};

/* A frame has arrived. */
void period_frame(struct period *p, const struct period_frames *frames, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
