/* Rectangles of an update: how many bytes follow the head of each. For server_framing.c. Pure. */
#ifndef VNCHL_RECTANGLE_FRAMING_H
#define VNCHL_RECTANGLE_FRAMING_H

#include "rfb/framing/server_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this encoding is known, or never comes. */
bool rectangle_knows(int32_t encoding);

/* What the head at f->step says, from STEP_RECTANGLE on (rfb/framing/server_steps.h). */
void rectangle_step(struct server_framing *f);

#ifdef __cplusplus
}
#endif
#endif
