/* The film of what goes to the viewer (viewer_side.h): its frames are taken from the picture that
 * is shown, encoded (film_maker.h), and leave in blocks.
 *
 * The loop, with the lock of the viewer's side held. viewer_film.c also has the functions of
 * viewer_side.h that concern films only: viewer_side_make_films(), viewer_side_takes_film().
 */
#ifndef VNCHL_VIEWER_FILM_H
#define VNCHL_VIEWER_FILM_H

#include "rfb/pusher/viewer/viewer_side_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The viewer takes films, or not. */
void viewer_film_allow(struct viewer_side *v, bool takes);

/* Whether a frame was made that can leave. */
void viewer_film_look(struct viewer_side *v, tick_t now);

/* Begins a frame: the picture as it is now. */
void viewer_film_begin(struct viewer_side *v, tick_t now);

/* Makes the block for the next part of the newest frame. */
void viewer_film_part(struct viewer_side *v, struct block *out);

#ifdef __cplusplus
}
#endif
#endif
