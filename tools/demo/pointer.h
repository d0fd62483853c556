/* The shape of the demo server's pointer: an arrow. */
#ifndef VNCHL_DEMO_POINTER_H
#define VNCHL_DEMO_POINTER_H

#include <rfb/rfb.h>

/* For clients that draw the pointer themselves. NULL when memory is short; rfbFreeCursor() ends
 * it. */
rfbCursorPtr pointer_create(rfbScreenInfoPtr screen);

#endif
