/* How fast blocks leave.
 *
 * What carries them is reliable and ordered: TCP, or ssh's pipe over TCP. Kernel and ssh would take
 * megabytes, and what is typed would wait behind them. So this end bounds what is on its way:
 *
 *   window = rate x (round trip + PUSH_QUEUE + jitter + late) + 2 packets, bytes
 *   pace   = PUSH_PACE x rate, bytes per second
 *
 * For example: at 1 MB/s over 100 ms, with acknowledgements that come in lumps of up to 5 ms, the
 * window is 112 kB. That keeps a queue of 10 ms in front of the slowest link, so that it never runs
 * dry and TCP's own window stays in use. The pace keeps a burst from waiting in the network. It
 * waits here, where newer and more urgent blocks overtake it. `late` is how late we hear that a
 * block was read: the viewer's messages wait for room in its own TCP, and say how long they waited.
 * Without it the window would be too small then, and the path would never deliver the rate.
 *
 * `rate` is what the path delivers. It is measured over the time between acknowledgements. The time
 * before a block that followed a rest of the sender does not count. So a film that leaves the path
 * half idle is measured in its frames, and a rest shrinks nothing. The first packet of a frame does
 * not count, either: its blocks arrive together. Each measurement (PUSH_MEASURE, or an eighth of a
 * round trip) is one of three:
 *
 *   full   each block waited in the network: its round trip was longer than the smallest by most of
 *          PUSH_QUEUE, and what a far path's own unrest is. Or the blocks came apart on their way:
 *          they arrived more slowly than they left, and the last one of a run waited longer than
 *          its first one, in the mean of the runs (packet trains: Dovrolis et al., "What do packet
 *          dispersion techniques measure?", INFOCOM 2001). The mean, as a busy machine is late by
 *          some ms now and then. Then the path delivers what was delivered. If that is more than
 *          the rate, the rate goes half of the way up. If it is less, the rate goes half of the
 *          way down, but only where a queue stands.
 *   clear  hardly anything waited, and blocks had to wait for us: for the window, or for the pace
 *          while what was delivered bears out the rate. So the path may deliver more. The rate
 *          grows by PUSH_GROW, by less on far paths, and by twice as much each time in a row. The
 *          next growth waits until a block that left after this one has been acknowledged.
 *   else   it says nothing: jitter has spread a burst.
 *
 * A film of a packet or two a frame is not limited by the window, and shows no rate. So where the
 * path was not full for PUSH_FLOW_TRY_AFTER, not all blocks wait, and the rate is used, it grows by
 * PUSH_FLOW_TRY in a second.
 *
 * A rate that has grown is a guess until blocks have left at it. So what others are told
 * (push_flow_rate(), push_flow_known_rate()) is no more than what runs of blocks were delivered at,
 * a little above; where they did not come apart, or it was tried without a queue, the rate counts
 * as shown.
 *
 * No loss has to be noticed. When TCP below stalls for a lost packet, what comes after the stall in
 * a burst belongs to the time of the stall, and the mean of both is the rate. When TCP halves its
 * window, the path is full at half of the rate.
 *
 * BBR (Cardwell et al., ACM Queue 2016) has its window from the same two, rate and round trip. BBR
 * takes the largest rate of the last ten round trips. So when a path becomes slower, BBR's queue
 * stays for ten round trips. The window of rate x round trip and a constant is FAST's (Wei et al.,
 * IEEE/ACM ToN 2006).
 *
 * At first the rate is sought with a window that doubles (push/rate/seek.h). A film of a packet a
 * frame fills no window and shows no rate, and takes 3/4 of what it is told. So meanwhile half of
 * the window is enough for a film, and it is told more than was delivered.
 *
 * After a rest of PUSH_RESTS TCP below begins with ten packets again (RFC 2861). More would wait in
 * its socket and be old when it leaves. So the window begins anew, too, and doubles up to what was
 * known before. Nothing is measured meanwhile. BBR keeps its window and its rate over a rest: where
 * that is known (push_flow_keep_window()), ours stays as it is.
 *
 * Blocks may also be datagrams, which are lost on their way (push_flow_may_lose()). The viewer
 * acknowledges the newest one that has come, and those before it that are lost count as arrived. So
 * the rate is what the path carries with what it loses: no loss slows it. What is lost because the
 * rate is too much is found by its share (push/rate/loss.h). There is no TCP below that stalls, or
 * that begins anew after a rest.
 *
 * Beside somebody who keeps the queue full all this yields nearly everything. Then the window is
 * another one (push/rate/competitor.h), and the rate is what it makes. A stream finds out by a rate
 * that falls in vain (push/rate/fall.h).
 *
 * The smallest round trip is that of the last 5 to 10 s (know/round_trip.h). On a path that is full
 * all the time none would be free of our own queue. So after each PUSH_LOOK without a round trip
 * near the smallest, the window is a little less than the path holds, for a round trip.
 *
 * Known limits: as datagrams a frame of one or two packets leaves as one burst, and its bytes show
 * no rate. So after the path has become faster, the quality of a very small film comes back only in
 * part. Jitter of 20 ms spreads a frame that takes 2 ms as far as a path does that is ten times
 * slower. The rate of such a path is found only when there is more to send.
 *
 * Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_FLOW_H
#define VNCHL_PUSH_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/know/round_trip.h"
#include "prerequest/push/constants.h"
#include "prerequest/push/rate/competitor.h"
#include "prerequest/push/rate/fall.h"
#include "prerequest/push/rate/loss.h"
#include "prerequest/push/rate/marks.h"
#include "prerequest/push/rate/pace.h"
#include "prerequest/push/rate/seek.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A measurement. Only times between two acknowledgements with work for the path all along. */
struct push_measure {
    double bytes;
    double took;   /* ns between acknowledgements */
    double left;   /* ns between the departures of the same blocks */
    double waited; /* ns above the smallest round trip, the least */
    unsigned runs; /* that began in it */
    bool limited;  /* the window was used up in it */
};

enum push_flow_state {
    PUSH_STARTS, /* the rate is sought: the window doubles */
    PUSH_GOES,
    PUSH_WAKES /* after a rest the window doubles up to what was known */
};

enum push_haste { PUSH_SPARE, PUSH_NORMAL, PUSH_AT_ONCE };

struct push_flow {
    struct round_trip round_trip;
    double jitter;   /* ns: by how much one round trip differs from the next; smoothed */
    double rate;     /* bytes per second */
    double most;     /* bytes per second that the user allows; 0: no limit */
    double delivers; /* bytes per second: what runs have shown; smoothed */
    double grow;     /* of the next clear measurement */
    enum push_flow_state state;
    struct push_seek seek; /* at first, and after a rest */
    bool keeps;            /* what carries the blocks keeps its window over a rest */
    bool loses;            /* what carries the blocks loses some of them */
    bool film;             /* what moves is a film, and takes a share of the rate it is told */
    struct push_loss loss;
    struct push_competitor competitor;
    /* A round trip. */
    struct {
        uint32_t upto;    /* it ends when this block has arrived */
        tick_t begun;     /* and began then, */
        uint64_t arrived; /* when so many bytes had arrived */
        double waited;    /* ns above the smallest round trip, the least in it */
        bool limited;     /* the window was used up in it */
        bool first;       /* nothing was known of the path when its blocks left */
        double newest;    /* bytes per second: what the one before delivered, */
        double delivered; /* and the better one of the two before */
        double late;      /* ns: how late we heard that a block was read, the most in it */
    } round;
    double late;                /* ns: the same, of the round trip before */
    bool blocked;               /* blocks waited for us since the last measurement */
    bool held;                  /* the next block has waited for us */
    bool rested;                /* nothing has to be sent */
    uint64_t sent, arrived;     /* bytes */
    uint32_t newest, oldest;    /* sequence numbers: sent; acknowledged */
    uint32_t settles;           /* a measurement of later blocks may grow the rate */
    tick_t arrived_at, left_at; /* the newest acknowledgement, in a run's first packet the first
                                   one; and when its block left */
    bool follows;               /* the next acknowledgement may be measured from that one */
    uint64_t run_before;        /* bytes that had been sent before the run */
    uint64_t counted;           /* bytes that are not measured again, or at all */
    tick_t stalled_at;          /* the newest stall that was not measured */
    struct push_measure measure;
    tick_t full_at;        /* when the path was full */
    struct push_fall fall; /* of a stream */
    tick_t low_at;         /* when the round trip was seen without a queue */
    tick_t empties;        /* the window is small until then */
    struct push_pace pace;
    struct push_marks marks;
};

void push_flow_init(struct push_flow *f, double most, tick_t now);

/* What carries the blocks keeps its window over a rest. */
void push_flow_keep_window(struct push_flow *f);

/* What carries the blocks loses some of them, or no longer. */
void push_flow_may_lose(struct push_flow *f, bool on);

/* Something else carries the blocks from now on, of which nothing is known. */
void push_flow_begin_anew(struct push_flow *f, tick_t now);

/* What moves is a film, or no longer. */
void push_flow_film(struct push_flow *f, bool on);

/* The user allows so many bytes per second; 0: no limit. */
void push_flow_limit(struct push_flow *f, double most);

/* Something is to be sent. True when that is after a rest: the window begins anew. */
bool push_flow_wake(struct push_flow *f, tick_t now);

/* A block has left. */
void push_flow_sent(struct push_flow *f, uint32_t sequence, uint64_t bytes, tick_t now);

/* All up to this block had been read at `at`, as is known now. */
void push_flow_acknowledged(struct push_flow *f, uint32_t sequence, tick_t at, tick_t now);

/* This block was lost, and all before it have come or were lost. It takes no room any more. */
void push_flow_lost(struct push_flow *f, uint32_t sequence, tick_t now);

/* When a block may leave: `now`, or a later time, or TICK_NEVER: when something is acknowledged.
 * PUSH_SPARE leaves the window's queue free for others. PUSH_AT_ONCE takes two packets more than
 * the window, and waits for no pace. */
tick_t push_flow_due(const struct push_flow *f, enum push_haste haste, tick_t now);

/* A block waits because of push_flow_due(); there is nothing to send; there was, after all. */
void push_flow_blocked(struct push_flow *f, tick_t now);
void push_flow_idle(struct push_flow *f);
void push_flow_busy(struct push_flow *f);

/* Bytes that may be on their way, and that are. */
double push_flow_window(const struct push_flow *f, tick_t now);
uint64_t push_flow_on_way(const struct push_flow *f);

/* What the path and the user allow, bytes per second. */
double push_flow_rate(const struct push_flow *f);
/* The same of a path that is awake: what is known of it does not shrink where little may leave
 * after a rest. 0: not known, the rate is still sought. */
double push_flow_known_rate(const struct push_flow *f);

/* The smallest round trip, ns; 0: not known. */
tick_t push_flow_round_trip(const struct push_flow *f);

#ifdef __cplusplus
}
#endif
#endif
