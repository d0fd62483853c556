/* The period of pre-requests that the content needs, for `auto`.
 *
 * The thesis's rule of thumb (VNC-HL, section 4.8) is PRP = 1 / the frame rate reachable at 0 ms.
 * Nobody tells that rate, so it has to be found. Once a second, with gap = the mean time between
 * the frames of that second:
 *
 *   frames keep up    PRP >= 0.9 gap: every request brought a frame, there may be more
 *                     -> PRP = 0.6 PRP, and at most PERIOD_START
 *   requests wasted   requests > 1.3 frames: the server answered several with one update, in two
 *                     seconds in a row (one may be a hiccup of the link)
 *                     -> PRP = 0.8 gap, but at most four times the old one, on trial
 *
 * Why trials: some servers (x11vnc, QEMU) look at their screen more often when they are asked more
 * often. Their rate at one PRP does not tell what another PRP would give. A trial lasts four
 * seconds. Then the slower PRP is undone if the gap has grown by more than 3 %. It is tried again
 * after 8 s, then 32 s, then every 64 s.
 *
 * Why 0.8: that is 1.25 requests per frame. So one is at the server when the picture changes, also
 * when the change is up to a fifth of a gap late. And 0.8 gap lies between the first two
 * conditions, so that steady content leaves the period alone.
 *
 * Where frames come irregularly (content_gap.h) it is 0.5 gap instead: two requests per frame, so
 * that one is there even if the other comes late. Where each update brings a request itself it is
 * 1.6 gap, because the timer is needed only when an update is missing. The condition for "frames
 * keep up" changes in proportion.
 *
 * For example: a film of 30 frames per second begins with a PRP of 16 ms. That is 2.1 requests per
 * frame. After three seconds 26.7 ms are tried, and four seconds later they stay.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PERIOD_H
#define VNCHL_PERIOD_H

#include <stdbool.h>

#include "prerequest/decide/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct period {
    tick_t prp;          /* ns */
    tick_t window_start; /* when the frame came that opened this second; TICK_NEVER: none has */
    tick_t last;         /* when the newest frame came */
    unsigned gaps;       /* frames of this second, without the one that opened it */
    unsigned requests;   /* pre-requests sent in this second */
    bool wasted;         /* in the second before this one requests were wasted */
    double gap;          /* the mean gap of the second before, ns; 0: there was no such second */
    bool updates_ask;    /* as in struct period_frames */
    bool swing;          /* as in struct period_frames */
    tick_t ignored;      /* seconds that began before this time do not count */
    unsigned trial;      /* seconds until this PRP is judged; 0: it is not on trial */
    tick_t before;       /* the PRP before the trial, ns */
    double before_gap;   /* the gap that it gave, ns */
    unsigned calm;       /* seconds since the last trial */
    unsigned patience;   /* seconds until one follows */
};

void period_init(struct period *p);

/* The screen was still, and moves again. What was measured before says nothing now, so this
 * measures afresh, with a PRP no longer than PERIOD_START. */
void period_wake(struct period *p);

/* The path is the limit now, so what arrives tells nothing about the content. A trial is given up,
 * and a new second begins with the next frame. */
void period_restart(struct period *p);

/* Requests leave too slowly for a while (a probe). What arrives until `until` tells nothing about
 * the content. */
void period_ignore(struct period *p, tick_t until);

/* A request has been sent because of the period, not because of input. */
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
