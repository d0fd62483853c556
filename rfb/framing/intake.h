/* Bytes that come in pieces of any size: some are collected until a head is whole, others are
 * counted and passed over. It is what all of rfb/framing reads with. Pure; any thread.
 *
 * Nothing here grows with what a peer says: a head has INTAKE_HEAD_MAX bytes at most, and what is
 * passed over is a number.
 */
#ifndef VNCHL_INTAKE_H
#define VNCHL_INTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define INTAKE_HEAD_MAX 64

struct intake {
    uint64_t skip; /* bytes to pass over before the next head */
    uint8_t want;  /* bytes of the next head; it may have none */
    uint8_t have;  /* of them, those that have come */
    uint8_t head[INTAKE_HEAD_MAX];
};

/* After this the next `skip` bytes are passed over, and then a head of `want` bytes is collected.
 * What the last head was is forgotten. */
void intake_expect(struct intake *in, uint64_t skip, size_t want);

/* Takes of the `size` bytes behind *at as many as it needs, and moves *at. True: the head is
 * whole. */
bool intake_take(struct intake *in, const uint8_t *bytes, size_t size, size_t *at);

#ifdef __cplusplus
}
#endif
#endif
