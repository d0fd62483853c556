/* How large the picture is drawn, as --scale says it. Pure. */
#ifndef VNCHL_SCALE_H
#define VNCHL_SCALE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCALE_RATIO_MIN 0.1
#define SCALE_RATIO_MAX 10.0

enum scale_kind {
    SCALE_AUTO,    /* as FIT, and the server's screen may follow the window (remote_size.h) */
    SCALE_SYSTEM,  /* as AUTO, in pixels as large as the display's scale makes them */
    SCALE_FIT,     /* as large as the window has room for, with the shape of the picture */
    SCALE_INTEGER, /* the same in whole steps: 1, 2, 3; smaller than 1 it is FIT */
    SCALE_RATIO,   /* `ratio`, whatever the window's size is */
};

struct scale {
    enum scale_kind kind;
    /* RATIO: SCALE_RATIO_MIN to SCALE_RATIO_MAX; output pixels per picture pixel. SYSTEM: the same,
     * filled in where the display is known (screen.c). */
    double ratio;
};

/* "auto", "fit", "fixedratio" (TurboVNC's name of fit), "integer", "system", "1", "0.5", "150%".
 * False: it is none of these. */
bool scale_parse(struct scale *s, const char *text);

#ifdef __cplusplus
}
#endif
#endif
