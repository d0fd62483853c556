/* Puts the frames of a film together from their parts, which come in any order, and says which one
 * can be decoded next: the oldest one that is whole, is newer than what was decoded, and stands on
 * a frame that was.
 *
 * A frame that is not whole when a newer one is decoded is dropped. CODED_FRAMES of them are kept
 * at a time; a newer one takes the oldest one's place.
 *
 * One owner. Memory is bounded: about 600 KB.
 */
#ifndef VNCHL_FILM_CODED_FRAMES_H
#define VNCHL_FILM_CODED_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/film/frame_part.h"
#include "rfb/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Chosen: a quarter of a second. */
#define CODED_FRAMES 8
/* Decoded ones that others may stand on: more than H.264 keeps. */
#define CODED_FRAMES_DONE 32
/* Chosen: two seconds of most films. Where parts are lost the far end knows it sooner. */
#define CODED_FRAMES_STUCK 64

struct coded_frames;

/* NULL when out of memory. */
struct coded_frames *coded_frames_create(void);
void coded_frames_destroy(struct coded_frames *f);

/* None is there, and none was decoded. */
void coded_frames_forget(struct coded_frames *f);

/* A part has come, of a frame for this rectangle. False: the frame's parts do not agree. */
bool coded_frames_add(struct coded_frames *f, const struct frame_part *p, struct rect area);

struct coded_frame {
    uint32_t id;
    bool key; /* it stands on none */
    struct rect area;
    const uint8_t *bytes; /* all parts; valid until the next part is added */
    size_t size;
};

/* The next one to decode. It is gone then. False: there is none. */
bool coded_frames_next(struct coded_frames *f, struct coded_frame *out);

/* CODED_FRAMES_STUCK frames have begun to come since one was decoded, since all were forgotten, or
 * since this was true: what they stand on does not come. */
bool coded_frames_take_stuck(struct coded_frames *f);

/* It was decoded: others may stand on it. */
void coded_frames_decoded(struct coded_frames *f, uint32_t id);

#ifdef __cplusplus
}
#endif
#endif
