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

/* Pictures that are kept, and ns between two of them at least. Chosen: a second of pictures, for so
 * often figures come; without vsync parts of pictures may be drawn more often. */
#define DISPLAYED_PICTURES 1024
#define DISPLAYED_APART    TICK_MS
/* ns: what was displayed later was not waited for. Chosen: the figures come once a second. */
#define DISPLAYED_LIMIT TICK_S

struct displayed {
    struct {
        tick_t begun, ended;
    } picture[DISPLAYED_PICTURES]; /* a ring */
    unsigned next;                 /* the place of the next one, or of the oldest */
    tick_t drawn;                  /* when the picture of the newest response was, */
    tick_t display;                /* and the display's part of it; 0: not known */
};

/* The window began then to draw a picture, and then it was on the display. */
void displayed_picture(struct displayed *d, tick_t begun, tick_t ended);

/* Adds the display's part to the newest response, and to response_ms if that is the same one. */
void displayed_add(struct displayed *d, struct session_stats *s);

#ifdef __cplusplus
}
#endif
#endif
