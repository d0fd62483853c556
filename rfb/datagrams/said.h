/* What the viewer says on the reliable stream, repeated in datagrams until the far end has heard
 * it. So what is typed does not wait until TCP has sent again a segment that was lost.
 *
 * Pure. Numbers of bytes count modulo 2^32.
 */
#ifndef VNCHL_DATAGRAM_SAID_H
#define VNCHL_DATAGRAM_SAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/datagrams/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The viewer's end: the newest bytes that it has written on the stream. */
struct said {
    uint32_t written, heard;
    uint8_t bytes[2048]; /* a ring: byte n is at n modulo its size */
};

/* These bytes were written. */
void said_add(struct said *s, const void *bytes, size_t size);

/* The far end has heard so many. Less than before, or more than were written, is ignored. True:
 * that is news. */
bool said_heard(struct said *s, uint32_t heard);

/* Whether bytes are to be repeated. More than a body holds are not: TCP carries a long text. */
bool said_waits(const struct said *s);

/* Fills in what is repeated; `room` has BODY_SAID_MAX bytes, and has to stay. */
void said_tell(const struct said *s, struct body_up *u, uint8_t *room);

/* The far end: how far it has heard. What datagrams repeat may be heard before it comes on the
 * stream; then it is skipped there. */
struct heard {
    bool counts;    /* the viewer counts what it says: */
    uint32_t bytes; /* so many were heard since; */
    size_t early;   /* so many of them are still to come on the stream */
};

/* The viewer counts from here on. */
void heard_begin(struct heard *h);

/* So many bytes were heard, in whatever way they came. */
void heard_add(struct heard *h, size_t size);

/* So many bytes have come on the stream. Returns how many of them, from the first on, were heard
 * before. */
size_t heard_skip(struct heard *h, size_t size);

/* What is new in a packet: returns the bytes, which are to be heard now. 0: nothing, or a gap lies
 * before it. */
size_t heard_news(struct heard *h, const struct body_up *up, const uint8_t **news);

#ifdef __cplusplus
}
#endif
#endif
