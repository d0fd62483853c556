/* The link between two TUN devices: reads IP packets from one, passes them through the queue model
 * and writes them to the other, in both directions.
 *
 * The only place where the model meets real packets and the clock. One thread. Only unicast
 * crosses: what the kernels say to multicast groups by themselves (IPv6 does) is no part of an
 * experiment.
 */
#ifndef VNCHL_LINKEM_LINK_H
#define VNCHL_LINKEM_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/linkem/link/change.h"

/* What one direction may hold, so that a flood into an unlimited queue does not take all memory. */
#define LINKEM_HELD_MAX (UINT64_C(512) << 20)

struct linkem_count {
    uint64_t packets_in, bytes_in;   /* read from the sending host: all below but `multicast` */
    uint64_t packets_out, bytes_out; /* written to the receiving host */
    uint64_t full, full_bytes;       /* dropped at the queue's tail */
    uint64_t lost, lost_bytes;       /* lost at random or in a burst */
    uint64_t udp;                    /* dropped because they were UDP */
    uint64_t refused;                /* no memory, or LINKEM_HELD_MAX: not part of the model */
    uint64_t write_failed;           /* the receiving device did not take it; neither */
    uint64_t multicast;              /* left out */
    uint64_t queue_max_bytes;        /* high-water mark of what waited for the line */
    tick_t late_sum, late_max;       /* written after it was due */
    uint64_t late_1ms;               /* packets written more than 1 ms late */
};

struct linkem_way {
    struct linkem_queue queue;
    int from, to; /* TUN devices; not owned */
    struct linkem_count count;
};

struct linkem_buffer;
struct packet_log;

struct linkem_link {
    tick_t (*clock)(void);
    struct linkem_way ways[LINKEM_DIRECTIONS];
    struct linkem_buffer *spare; /* list of buffers not in use */
    unsigned mtu;
    struct linkem_config configs[LINKEM_DIRECTIONS];
    bool queue_given[LINKEM_DIRECTIONS];
    const struct linkem_changes *changes; /* sorted; not owned */
    int applied;                          /* so many of them hold already */
    tick_t begin;                         /* what their times count from; TICK_NEVER: not yet */
    struct packet_log *packets;           /* NULL: none; not owned */
};

/* The devices are nonblocking. `changes` must stay. The changes of the start hold at once. `clock`
 * never goes back: tick_now(), or a test's. */
void linkem_link_init(struct linkem_link *l, int client_tun, int server_tun, unsigned mtu,
                      const struct linkem_changes *changes, bool reorder, uint64_t seed,
                      tick_t (*clock)(void));

/* Packets still held are gone. Safe on a zeroed link. */
void linkem_link_deinit(struct linkem_link *l);

/* From now on each packet whose fate becomes known has a line there. It is open, and must stay. */
void linkem_link_log(struct linkem_link *l, struct packet_log *packets);

/* From now on the times of the changes count. */
void linkem_link_begin(struct linkem_link *l, tick_t now);

/* A setting that holds from now on. */
void linkem_link_change(struct linkem_link *l, const struct linkem_change *change);

/* Reads a batch of the packets that `direction`'s device has. What is read when a change is due
 * already meets the new settings, however late it is read. */
void linkem_link_read(struct linkem_link *l, enum linkem_direction direction);

/* Applies the changes and delivers a batch of the packets that are due, both ways. Returns when it
 * has to be called again. */
tick_t linkem_link_deliver(struct linkem_link *l);

#endif
