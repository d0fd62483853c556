/* Whether others keep the queue in front of the link full, and the window beside them.
 *
 * The flow (push/rate/flow.h) leaves a queue of some ms. A flow that goes on until the queue is
 * full, as TCP's CUBIC does, would take nearly all of the link beside it. So, as Copa does (Arun
 * and Balakrishnan, "Copa: Practical Delay-Based Congestion Control for the Internet", NSDI 2018,
 * section 5): when the queue was not nearly empty in PUSH_COMPETES_ROUNDS round trips, though the
 * flow yields, somebody else fills it. Nearly empty: what the flow itself leaves there, or
 * PUSH_COMPETES_EMPTY of the longest wait.
 *
 * From then on the window is CUBIC's (RFC 9438), so that both have the same share in the end:
 *
 *   W(t) = 0.4 (t - K)^3 + Wmax packets, K = cbrt(Wmax x 0.2 / 0.4), t: s since it was reduced;
 *   or what Reno would have, whichever is more
 *
 * It begins with half of the link, as far as that was known. It grows while at least half of it is
 * used, as RFC 7661 lets senders do that are limited by what they have to send: a film is. A block
 * that was lost while a queue stands reduces it to 0.8, once in a round trip. What is lost while
 * the queue is short is the path's own loss. A wait of PUSH_COMPETES_WAIT reduces it, too: more is
 * not borne.
 *
 * A stream's window is bounded by the wait alone, as only TCP below knows what is lost; the share
 * is TCP's concern. TCP leaves a queue of its own, so a stream's may be longer by
 * PUSH_COMPETES_STREAM. TCP also waits when it has lost something, so a queue of a few round trips
 * shows nothing there. Somebody competes with a stream when its rate falls in vain
 * (push/rate/fall.h). A rate that is low from the beginning cannot fall, so somebody competes, too,
 * when the queue has not been nearly empty for PUSH_COMPETES_STREAM_LEAST.
 *
 * Each PUSH_COMPETES_LOOK the flow looks whether anybody else is there: nothing leaves until the
 * path would be empty if there was only our own queue. If the queue is empty then, it looks again a
 * round trip later. A round trip that is the shortest by PUSH_COMPETES_SHORTER begins a look at
 * once: then somebody may have gone. When PUSH_COMPETES_ALONE looks in a row have found that,
 * nobody competes.
 *
 * A route that has become longer looks like somebody who competes. The smallest round trip is
 * forgotten after 10 s (know/round_trip.h); then the looks find the queue empty. A stream forgets
 * it more slowly, by PUSH_COMPETES_FORGETS, and not at all while somebody competes. For a
 * download's queue may never be empty. Then all round trips of 10 s have some of it in them, and a
 * stream's nearly empty queue is so long that the rest would not be seen. Here the looks show a
 * longer route: PUSH_COMPETES_ROUTE_LOOKS in a row find the same round trip. A download's queue has
 * not the same length for so long.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_COMPETITOR_H
#define VNCHL_PUSH_COMPETITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/push/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct push_competitor {
    bool stream;     /* TCP is below */
    bool on;         /* somebody competes */
    tick_t empty_at; /* when the queue was nearly empty */
    tick_t told_at;  /* of a stream: when a round trip was seen */
    double doubts;   /* so many times longer must it be so: it was our own queue the last time */
    double known;    /* bytes per second: the rate then; it fades */
    tick_t ended;    /* when somebody competed the last time */
    double most;     /* ns: the longest wait; it fades */
    double wait;     /* ns: the newest one */
    double rtt;      /* ns: the round trip, smoothed */
    double base;     /* ns: the smallest round trip, of a stream forgotten slowly */
    /* ---- while somebody competes ---- */
    double window, reached, reno; /* bytes; `reached`: Wmax */
    tick_t since;                 /* when the window was reduced */
    uint32_t recovers;            /* it is reduced by the loss of a later block only */
    unsigned crowded, alone;      /* looks in a row that found it not empty, and empty */
    tick_t look;                  /* when the next look begins */
    /* ---- of a stream: looks in a row that found about the same round trip ---- */
    unsigned same;
    double same_least, same_most; /* ns */
    /* ---- a look ---- */
    bool looks;  /* the first block of it has not left yet */
    bool looked; /* and it has not been acknowledged yet */
    uint32_t look_block;
    double look_window; /* bytes: the window until the block has left */
    double look_rate;   /* bytes per second: the rate before */
};

/* `stream`: TCP is below. */
void push_competitor_init(struct push_competitor *c, bool stream, tick_t now);

/* Somebody competes. `rate`: what the flow sent, bytes per second; `newest` has left. */
void push_competitor_begin(struct push_competitor *c, double rate, uint32_t newest, tick_t now);

/* A round trip of `rtt` ns was seen for all blocks up to `sequence`; `newest` has left. `smallest`:
 * ns, the smallest round trip of the last seconds. `own`: ns that the flow itself would leave in
 * the queue, besides a packet. `rate`: what the flow sends, bytes per second. True: somebody begins
 * to compete, or there is nobody any more (`on`). */
bool push_competitor_told(struct push_competitor *c, double rtt, double smallest, double own,
                          double rate, uint32_t sequence, uint32_t newest, tick_t now);

/* So many bytes were acknowledged. `used`: the window was, at least half of it. */
void push_competitor_grow(struct push_competitor *c, double bytes, bool used, tick_t now);

/* This block was lost when `newest` had left. */
void push_competitor_lost(struct push_competitor *c, uint32_t sequence, uint32_t newest,
                          tick_t now);

/* This block has left. */
void push_competitor_sent(struct push_competitor *c, uint32_t sequence);

/* Whether somebody competed not long ago. */
bool push_competitor_was(const struct push_competitor *c, tick_t now);

/* Bytes that may be on their way: `window`, if nobody competes and it is not looked for that. */
double push_competitor_window(const struct push_competitor *c, double window);

/* While somebody competes: bytes per second. */
double push_competitor_rate(const struct push_competitor *c);

#ifdef __cplusplus
}
#endif
#endif
