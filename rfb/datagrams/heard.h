/* How far the far end has heard what the viewer says on the reliable stream. What datagrams repeat
 * (said.h) may be heard before it comes there; then it is skipped there.
 *
 * Pure. Numbers of bytes count modulo 2^32.
 */
#ifndef VNCHL_DATAGRAM_HEARD_H
#define VNCHL_DATAGRAM_HEARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/datagrams/body.h"

#ifdef __cplusplus
extern "C" {
#endif

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
