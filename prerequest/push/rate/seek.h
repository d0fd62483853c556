/* How the rate of a path of which nothing is known is sought, and the window meanwhile.
 *
 * The window is PUSH_FIRST at first and grows by what is acknowledged: it doubles in a round trip,
 * as in TCP's slow start, while it is used and little waits, up to some times of what a round trip
 * has delivered. That goes on until three round trips in a row have delivered no more, though
 * blocks waited: BBR's way to find a full path (Cardwell et al., ACM Queue 2016). One alone says
 * little: TCP below has its slow start at the same time. TCP's slow start begins with ten packets:
 * so small blocks leave together, as many as a packet holds. TCP below may be BBR. If its socket is
 * never empty, BBR ends its own start, and grows by only a quarter in eight round trips from then
 * on. So this end stays below BBR's pace.
 *
 * After a rest the window begins anew, too, and doubles up to what was known before.
 *
 * `holds`: ns that a byte may be on its way when the path is full. Rates are bytes per second.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_SEEK_H
#define VNCHL_PUSH_SEEK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct push_seek {
    double window;   /* bytes */
    double best;     /* what the best round trip delivered */
    unsigned same;   /* round trips in a row that did not deliver more than that */
    bool waits;      /* all blocks of the round trip before waited in the network */
    double apart;    /* so fast blocks came apart twice in a row; 0: they did not */
    bool came_apart; /* they did in the newest measurement */
};

void push_seek_init(struct push_seek *s);

/* The window begins anew after a rest. */
void push_seek_wake(struct push_seek *s);

/* A measurement of this rate. `apart`: its blocks came apart. */
void push_seek_measured(struct push_seek *s, bool apart, double rate);

/* A round trip delivered this rate. `waits`: all its blocks waited in the network. `limited`: the
 * window was used up. True: the path is full, and its rate is push_seek_found(). */
bool push_seek_round(struct push_seek *s, double rate, bool waits, bool limited, double holds);
double push_seek_found(const struct push_seek *s);

/* So many bytes were acknowledged while the window was used: it grows, to a rate of `most` at most.
 */
void push_seek_grow(struct push_seek *s, double bytes, double most, double holds);

/* What push_seek_grow() takes for the most while the rate is sought. */
double push_seek_most(const struct push_seek *s, double holds);

/* The rate that the window makes, and the pace for it. */
double push_seek_window_rate(const struct push_seek *s, double holds);
double push_seek_pace(const struct push_seek *s, double holds);

/* This rate, or less: what measurements bear out. */
double push_seek_borne_out(const struct push_seek *s, double rate);

#ifdef __cplusplus
}
#endif
#endif
