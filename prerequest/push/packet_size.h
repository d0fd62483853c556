/* How many bytes a packet of datagrams may have. PACKET_SIZE_LEAST pass everywhere; most paths
 * carry more. Nobody tells how much: what routers say of it can be forged, and many say nothing. So
 * it is tried, as RFC 8899 has it (Datagram Packetization Layer Path MTU Discovery).
 *
 * A search sends a *probe* of each size, up to PACKET_SIZE_PROBES times. A size holds once the
 * other end has told that its probe has come. What leaves by then is not larger than what holds.
 *
 * A path may become narrower, and then larger packets vanish without a word (a *black hole*):
 * PACKET_SIZE_LOST of them are lost in a row, and between these PACKET_SIZE_SMALL others or more
 * came, and hardly any others were lost. Then only PACKET_SIZE_LEAST holds, and after
 * PACKET_SIZE_AGAIN a new search begins. Random loss does not look so: at 30 % ten in a row are
 * lost once in 170000. Neither does a queue that overflows: it drops the others, too. A path that
 * is narrower than PACKET_SIZE_LEAST does so as well, for until then nothing may be fragmented, and
 * one that loses much may: there PACKET_SIZE_LOST_MANY in a row count. Where nothing comes at all
 * the path is taken for dead (push/datagrams.h), and begins anew.
 *
 * Sizes are of UDP's payload: 48 bytes less than those of the link's, with IPv6; with IPv4 it could
 * be 28. One owner, not locked. Pure: no clock, no allocation.
 */
#ifndef VNCHL_PUSH_PACKET_SIZE_H
#define VNCHL_PUSH_PACKET_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "prerequest/push/constants.h"
#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Packets of which it is not decided yet; a power of two. Of more the oldest are forgotten. */
#define PACKET_SIZE_OUT 1024

struct packet_size_out {
    uint32_t sequence;
    bool large, came;
    tick_t overtaken; /* TICK_NEVER: it was not */
};

struct packet_size {
    unsigned bytes;   /* that a packet may have now */
    unsigned refused; /* so many are too much for this machine; 0: not known */
    uint8_t search;   /* its number, modulo 256 */
    unsigned rounds;  /* of probes in it, that have left */
    unsigned next;    /* size of this round */
    tick_t due;       /* when the next probe leaves */
    /* Packets that have left while larger ones may. */
    struct packet_size_out out[PACKET_SIZE_OUT];
    uint32_t first, end;        /* numbers of entries: from the first that is not decided yet */
    unsigned lost;              /* larger ones, in a row, */
    unsigned small, small_lost; /* and others that have come between them, or not */
};

/* A path begins: PACKET_SIZE_LEAST, and a search. At first the object is zeroed. */
void packet_size_begin(struct packet_size *s);

/* Bytes of a probe that is to leave now, which is of the search s->search; 0: none is. */
unsigned packet_size_probe(struct packet_size *s, tick_t now);
/* When packet_size_probe() gives one; TICK_NEVER: not at all. */
tick_t packet_size_due(const struct packet_size *s);
/* The other end has got this probe of this search. It may say anything. */
void packet_size_told(struct packet_size *s, uint8_t search, unsigned bytes);

/* This machine refuses to send so many bytes: that is too much for its own link. */
void packet_size_refused(struct packet_size *s, unsigned bytes);

/* A packet that is told of has left under this number; numbers rise. */
void packet_size_sent(struct packet_size *s, uint32_t sequence, unsigned bytes);
/* The other end has this one, and those before it as arrivals_told() has it. */
void packet_size_came(struct packet_size *s, uint32_t newest, const uint8_t *before,
                      unsigned before_bytes, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
