/* What the packets of the datagram path say (docs/datagrams.md): the far end sends blocks, the
 * viewer tells which of them have come, and repeats what it has said on the reliable stream.
 *
 * Pure. All numbers are big endian. Numbers of bytes and of blocks count modulo 2^32.
 */
#ifndef VNCHL_DATAGRAM_BODY_H
#define VNCHL_DATAGRAM_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/datagrams/parity.h"
#include "rfb/datagrams/sealed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the far end. */
struct body_down {
    uint16_t mark;        /* the viewer says it back: so it is known that packets arrive */
    uint32_t heard;       /* bytes of the viewer's stream, since it was counted */
    const uint8_t *block; /* a block (rfb/blocks/block.h), or a parity (rfb/datagrams/parity.h) */
    size_t size;          /* its bytes; 0: there is none */
    size_t probe;   /* bytes of the body, which is to show whether so many pass; 0: it is not */
    uint8_t search; /* of such a one: which search it is of (push/packets/packet_size.h) */
};
#define BODY_DOWN_HEAD 6
/* What a probe begins with behind the head, as no block and no parity does, and its least bytes. */
#define BODY_PROBE       0x41
#define BODY_PROBE_LEAST (BODY_DOWN_HEAD + 2)

/* Blocks before the newest one, of which is told whether they have come. */
#define BODY_BEFORE 256

/* Of the viewer. */
struct body_up {
    uint16_t mark;                   /* of the newest packet that has come */
    bool tells;                      /* of blocks, and of parities, which are numbered with them */
    bool makes;                      /* it has made some of parities */
    bool asks;                       /* for a packet: whether the path still works */
    uint32_t newest;                 /* the one with the highest number */
    uint32_t age_us;                 /* it came so long ago */
    uint8_t before[BODY_BEFORE / 8]; /* bit i, the lowest first: number newest - 1 - i has come */
    uint8_t made[BODY_BEFORE / 8];   /* the same for those that were made; 0 if not `makes` */
    uint16_t largest;                /* packet of probes that has come; 0: none has, */
    uint8_t search;                  /* of this search */
    uint32_t at;                     /* the number of the first byte */
    const uint8_t *said;             /* of the stream, from there on */
    size_t size;                     /* bytes; 0: there are none */
    uint32_t waited_us;              /* not on the wire: in the socket of who reads it */
};
#define BODY_UP_HEAD (11 + BODY_BEFORE / 8 + 4)
/* And so many more if it makes some, and if probes have come. */
#define BODY_UP_MADE   (BODY_BEFORE / 8)
#define BODY_UP_PROBED 3
/* Bytes of the stream in one body at most: all of it passes everywhere. */
#define BODY_SAID_MAX                                                                              \
    (SEALED_ANYWHERE - SEALED_HEAD - SEALED_TAG - BODY_UP_HEAD - BODY_UP_MADE - BODY_UP_PROBED)

/* `out` has SEALED_BODY_MAX bytes. Return the body's. */
size_t body_write_down(uint8_t *out, const struct body_down *d);
size_t body_write_up(uint8_t *out, const struct body_up *u);

/* What is read lies in the body's own bytes. False: no such end may say it. */
bool body_read_down(const uint8_t *body, size_t size, struct body_down *d);
bool body_read_up(const uint8_t *body, size_t size, struct body_up *u);

#ifdef __cplusplus
}
#endif
#endif
