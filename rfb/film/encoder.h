/* Encodes the pictures of a film as H.264, each at once and whole, with x264.
 *
 * One thread at a time. x264 has none of its own here, and takes all its memory when the size of
 * the pictures is known.
 */
#ifndef VNCHL_FILM_ENCODER_H
#define VNCHL_FILM_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rfb/film/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

struct film_encoder;

/* Whether it was built with x264. */
bool film_encoder_works(void);

/* NULL when out of memory, or without x264. */
struct film_encoder *film_encoder_create(void);
void film_encoder_destroy(struct film_encoder *e);

/* How the next picture is to be. */
struct film_demand {
    int64_t number; /* of the picture; they rise */
    bool key;       /* it stands on none */
    bool forgets;   /* it stands on none of those from this one on */
    int64_t forget_from;
    size_t bytes; /* about so many */
    double fps;   /* pictures per second */
};

struct film_coded {
    const uint8_t *bytes; /* an access unit (Annex B); valid until the next one */
    size_t size;
    bool key; /* it stands on none */
    int qp;   /* its quantiser (H.264's QP), 1..51; 1 also for 0, which is a little finer */
};

/* Without `key` it stands on the newest one before it that was not forgotten. False: it does not
 * work, or there is no memory. */
bool film_encode(struct film_encoder *e, const struct film_picture *p, const struct film_demand *d,
                 struct film_coded *out);

#ifdef __cplusplus
}
#endif
#endif
