/* Tight, and Tight with PNG: a control byte, and what it says follows. For rectangle_framing.c.
 * Pure. */
#ifndef VNCHL_TIGHT_FRAMING_H
#define VNCHL_TIGHT_FRAMING_H

#include "rfb/framing/server_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rectangle begins. */
void tight_begin(struct server_framing *f);

/* What the head at f->step says: STEP_TIGHT .. STEP_TIGHT_LENGTH_3. */
void tight_step(struct server_framing *f);

#ifdef __cplusplus
}
#endif
#endif
