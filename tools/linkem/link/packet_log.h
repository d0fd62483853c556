/* A table of all packets that the link took in: when, which way, how long, what they carried, and
 * what became of them (--packets, docs/linkem.md). What a packet monitor at either end would see
 * can be read from it, for any program and protocol.
 *
 * One thread. A line is written when the fate of its packet is known. Lines wait in a buffer, so
 * that the link does not wait for the disk at each packet. A write that fails is told once, at the
 * end; from it on there are no lines.
 */
#ifndef VNCHL_LINKEM_PACKET_LOG_H
#define VNCHL_LINKEM_PACKET_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "prerequest/tick.h"
#include "tools/linkem/link/change.h"

#define PACKET_LOG_BUFFER 65536

enum packet_fate {
    FATE_HELD,     /* on its way; the next two have no line */
    FATE_LEFT_OUT, /* to a group: no part of the link's traffic */
    FATE_DELIVERED,
    FATE_FULL,   /* dropped at the queue's tail */
    FATE_LOSS,   /* lost at random or in a burst */
    FATE_UDP,    /* dropped because it was UDP */
    FATE_MEMORY, /* no memory; this and the next: not part of the model */
    FATE_WRITE,  /* the receiving device did not take it */
    FATE_COUNT
};

/* A packet whose fate is known. */
struct packet_entry {
    tick_t taken; /* when it was read from the sending host */
    tick_t left;  /* when it was delivered or dropped */
    enum linkem_direction direction;
    enum packet_fate fate;
    const unsigned char *data; /* from the head of IP on */
    uint32_t bytes;
};

struct packet_log {
    FILE *file; /* NULL: there is none */
    const char *path;
    int error;                      /* errno of the first write that failed; 0: none has */
    char buffer[PACKET_LOG_BUFFER]; /* the file's: this stays where it is while it is open */
};

/* Starts the table with its head. NULL as the path: there is none. False after a line on stderr. */
bool packet_log_open(struct packet_log *l, const char *path);

/* Adds a line. `l` is open. */
void packet_log_add(struct packet_log *l, const struct packet_entry *e);

/* Writes what still waits. False, after a line on stderr, where a part of the table is missing.
 * Safe on a zeroed log. */
bool packet_log_close(struct packet_log *l);

#endif
