/* Hextile, ZlibHex and TRLE: tiles without a length, which have to be read one by one. For
 * rectangle_framing.c. Pure. */
#ifndef VNCHL_TILE_FRAMING_H
#define VNCHL_TILE_FRAMING_H

#include "rfb/framing/server_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first tile of a rectangle, Hextile, ZlibHex or TRLE. */
void tile_begin(struct server_framing *f);

/* What the head at f->step says: STEP_HEXTILE .. STEP_TRLE_RUN. */
void tile_step(struct server_framing *f);

#ifdef __cplusplus
}
#endif
#endif
