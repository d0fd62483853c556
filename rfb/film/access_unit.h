/* Where the pictures of an H.264 stream begin and end (Annex B), and whether one stands on others.
 *
 * Pure: memory in, memory out. Bytes may be anything.
 */
#ifndef VNCHL_ACCESS_UNIT_H
#define VNCHL_ACCESS_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All of one picture: what is told before it, and its slices (ITU-T H.264, 7.4.1.2.3). */
struct access_unit {
    size_t size;  /* bytes, 1 at least */
    bool picture; /* it has slices; else it only tells what holds for later ones */
    bool alone;   /* the picture stands on no other one: all of its slices are I slices */
};

/* The first one of `size` bytes. False: there is none, because there are no bytes. */
bool access_unit_next(const uint8_t *bytes, size_t size, struct access_unit *out);

#ifdef __cplusplus
}
#endif
#endif
