/* Where the pictures of an H.264 stream begin and end (Annex B), whether one stands on others, and
 * what a decoder has to note of them.
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

/* Picture parameter sets that there may be (7.4.2.2). */
#define ACCESS_UNIT_SETS 256

/* What a decoder notes of an access unit, besides its picture. */
struct access_unit_notes {
    size_t bytes;
    size_t units;   /* NAL units */
    size_t escapes; /* bytes of one that only keep a start code from coming about, at most */
    size_t sets;    /* 1 + the highest number of a picture parameter set; 0: there is none */
};

/* Copies an access unit without its SEI, which no picture needs; decoders keep it with each.
 * `out` has room for `size` bytes. Says what is in the copy. */
void access_unit_copy(uint8_t *out, const uint8_t *bytes, size_t size,
                      struct access_unit_notes *notes);

#ifdef __cplusplus
}
#endif
#endif
