/* What a far end tells of an input that was answered, as bytes: an update with one rectangle of the
 * pseudo-encoding PSEUDO_TURNAROUND, to a viewer that lists it (docs/push.md).
 *
 * Pure.
 */
#ifndef VNCHL_PROTO_TURNAROUND_H
#define VNCHL_PROTO_TURNAROUND_H

#include <stddef.h>
#include <stdint.h>

#include "prerequest/know/response_parts.h"
#include "rfb/proto/server_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes behind the rectangle's head, and of the whole update. */
#define TURNAROUND_BYTES  24
#define TURNAROUND_UPDATE (SERVER_UPDATE_HEAD + RECTANGLE_HEAD + TURNAROUND_BYTES)

/* Writes the whole update for the input of this number, in whole µs; more than the wire has room
 * for is cut. Returns its bytes. */
size_t turnaround_write(uint8_t *out, uint16_t number, const struct response_far *far);

/* Reads what stands behind the rectangle's head. Returns the input's number. */
uint16_t turnaround_read(const uint8_t *payload, struct response_far *far);

#ifdef __cplusplus
}
#endif
#endif
