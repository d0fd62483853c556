/* One direction of an emulated link, as a pure model.
 *
 * Used by the user-space link of the demo, by the packet-level emulator and by the simulation in
 * virtual time. No clock, socket or thread: time is an argument, in ns, and must not go back
 * (a `now` earlier than the last one counts as the last one). Not locked: one owner.
 *
 * A packet is a length in bytes and a cookie that only the caller understands. It may be lost at
 * random on entry; else it waits in a drop-tail queue, is serialised at `rate`, and arrives
 * `delay` plus a jitter of 0..`jitter` later, never before the packet ahead of it unless `reorder`
 * is set. The packet on the line does not count as queued, so an idle line takes a packet of any
 * length.
 *
 * Losses come in bursts with the Gilbert-Elliott model (Gilbert 1960, Elliott 1963): a chain of two
 * states moves from good to bad with probability `burst_p` after each packet, and back with
 * `burst_r`; a packet is lost with probability `loss` in the good state (1 - k in the literature)
 * and `burst_loss` in the bad one (1 - h). It starts good. The share of time in the bad state is
 * p / (p + r), a stay there lasts 1 / r packets on average. With `burst_p` 0 all of that is plain
 * random loss.
 *
 * Memory is a ring of packets (and a heap, when they may overtake each other) that doubles when it
 * is full and never shrinks; apart from those few moments no call allocates.
 */
#ifndef VNCHL_LINKEM_QUEUE_H
#define VNCHL_LINKEM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Packets in the order in which they are due: what a link that reorders needs instead of a ring.
 *
 * A binary heap; packets due at the same time come out in the order they went in. Part of the queue
 * model: no clock, not locked, one owner. Memory doubles when it is full and never shrinks.
 */

struct linkem_packet {
    uint64_t cookie;
    tick_t start;  /* when the line began, or will begin, to send it */
    tick_t due;    /* when it arrives */
    tick_t jitter; /* the part of the wait that was drawn for it */
    uint32_t bytes;
};

struct due_entry {
    struct linkem_packet packet;
    size_t number; /* counts the packets that were put */
};

struct due_heap {
    struct due_entry *entries;
    size_t count, capacity;
};

/* Longest packet, fastest rate, longest delay or jitter: the arithmetic is exact up to these. */
#define LINKEM_BYTES_MAX 0x3fffffffu
#define LINKEM_RATE_MAX  1000000000000u
#define LINKEM_DELAY_MAX (3600 * TICK_S)

struct linkem_config {
    uint64_t rate;        /* bits per second; 0: unlimited */
    uint64_t queue_bytes; /* room for packets that wait for the line; 0: unlimited */
    tick_t delay;         /* one way, ns; what an empty queue at unlimited rate gives */
    tick_t jitter;        /* ns; each packet is delayed by a uniform 0..jitter more */
    double loss;          /* probability 0..1 that a packet is lost on entry, in the good state */
    double burst_p;       /* probability 0..1 of going from good to bad, per packet */
    double burst_r;       /* probability 0..1 of going from bad to good, per packet */
    double burst_loss;    /* probability 0..1 that a packet is lost on entry, in the bad state */
    uint64_t udp_least; /* bytes: UDP packets with so many or more are not let in (link.h), and the
                           queue does not look at it; 0: all are */
    bool reorder;       /* jitter may let a packet overtake the ones ahead of it */
    uint64_t seed;      /* of jitter and loss: the same seed gives the same run */
};

enum linkem_put {
    LINKEM_QUEUED,
    LINKEM_FULL,   /* dropped at the tail */
    LINKEM_LOST,   /* lost at random */
    LINKEM_REFUSED /* no memory, or longer than LINKEM_BYTES_MAX: not part of the model */
};

struct linkem_queue {
    struct linkem_config config;
    struct linkem_packet *ring; /* in the order of entry: all held; with `reorder`, all waiting */
    size_t capacity;            /* a power of two, or 0 */
    size_t head, tail;          /* count up and are masked on use; tail - head are in the ring */
    size_t waiting;             /* index of the first packet whose start lies after `now` */
    struct due_heap heap;       /* with `reorder`: all packets held; `number` is the ring's index */
    bool bad;                   /* the state of the loss model */
    uint64_t held_bytes;        /* of all packets held */
    uint64_t waiting_bytes;     /* of packets [waiting, tail) */
    tick_t now;                 /* the latest time seen */
    tick_t line_free;           /* when the line has sent all that was put */
    tick_t last_due;
    uint64_t remainder; /* of the last division by rate: rounding must not change the rate */
    uint64_t random;
};

/* NULL when `c` is usable, else the name of the member that is out of range. */
const char *linkem_config_check(const struct linkem_config *c);

/* False when `c` is not usable. Allocates nothing yet. */
bool linkem_queue_init(struct linkem_queue *q, const struct linkem_config *c);

/* From now on `c` holds: for packets that wait as well as for later ones. The packet on the line
 * and those past it keep their time. The random numbers go on, whatever c->seed. False, and nothing
 * changes, when `c` is not usable or would change `reorder`. */
bool linkem_queue_change(struct linkem_queue *q, const struct linkem_config *c, tick_t now);

/* Frees the memory. Packets still held are forgotten; take their cookies first if they own
 * anything. Safe on a zeroed queue. */
void linkem_queue_deinit(struct linkem_queue *q);

/* A packet enters. Unless LINKEM_QUEUED comes back the cookie is still the caller's. */
enum linkem_put linkem_queue_put(struct linkem_queue *q, uint32_t bytes, uint64_t cookie,
                                 tick_t now);

/* When the next packet arrives; TICK_NEVER when none is held. May lie in the past. */
tick_t linkem_queue_next_due(const struct linkem_queue *q);

/* Takes the next packet that has arrived by `now`, in order. False when there is none. */
bool linkem_queue_take(struct linkem_queue *q, tick_t now, struct linkem_packet *out);

/* When a packet of `bytes` would find room if nothing else were put: `now` or later. */
tick_t linkem_queue_room_at(struct linkem_queue *q, uint32_t bytes, tick_t now);

/* Bytes that wait for the line: what a drop-tail queue would show. */
uint64_t linkem_queue_backlog(struct linkem_queue *q, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
