/* When the picture that answered an input was on the display: the last part of a response
 * (prerequest/know/response_parts.h). The session says when the picture was drawn, by the same
 * clock; the window says when it brought pictures to the display.
 *
 * Value type. Pure. The window's thread owns it.
 */
#ifndef VNCHL_DISPLAYED_H
#define VNCHL_DISPLAYED_H

#include "rfb/session/session_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pictures that are kept. Chosen: those of a second, on a display of 240 Hz. */
#define DISPLAYED_PICTURES 256
/* ns: what was displayed later was not waited for. Chosen: the figures come once a second. */
#define DISPLAYED_LIMIT TICK_S

struct displayed {
    struct {
        tick_t begun, ended;
    } picture[DISPLAYED_PICTURES]; /* a ring */
    unsigned next;
    tick_t drawn;   /* when the picture of the newest response was, */
    tick_t display; /* and the display's part of it; 0: not known */
};

/* The window began then to draw a picture, and then it was on the display. */
void displayed_picture(struct displayed *d, tick_t begun, tick_t ended);

/* Adds the display's part to the newest response, and to response_ms if that is the same one. */
void displayed_add(struct displayed *d, struct session_stats *s);

#ifdef __cplusplus
}
#endif
#endif
