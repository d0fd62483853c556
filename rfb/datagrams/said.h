/* The newest bytes that the viewer has written on the reliable stream, for repeating them in
 * datagrams until the far end has heard them. So what is typed does not wait until TCP has sent
 * again a segment that was lost.
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

#ifdef __cplusplus
}
#endif
#endif
