/* How the window and the picture in it are to be on the display, as options say it: its place, the
 * monitors of full screen, the scale. Pure. */
#ifndef VNCHL_WINDOW_OPTIONS_H
#define VNCHL_WINDOW_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a window is to be, as X programs say it: WIDTHxHEIGHT+X+Y.
 *
 * Screen units, as SDL counts them. All zero: nothing is asked for. */
struct window_place {
    int width, height; /* of what is inside the window's frame; 0: as the picture needs it */
    bool placed;       /* x and y count */
    int x, y;          /* from the edges of the screen */
    bool from_right, from_bottom;
};

/* "800x600", "+0+0", "800x600-10+20". False: it is none of these. */
bool window_place_parse(struct window_place *place, const char *text);

/* The position of a side of `size` units on a screen that begins at `begin` and has `room`. */
int window_place_at(int offset, bool from_end, int size, int begin, int room);

/* Of the server's screen: no smaller one is asked for. Servers and their desktops need some room.
 * Chosen. */
#define DESKTOP_SIDE_MIN 64

/* Which monitors full screen takes, as TigerVNC's viewer names them. */
enum full_screen_mode {
    FULL_SCREEN_CURRENT, /* the one with the window */
    FULL_SCREEN_ALL,
    FULL_SCREEN_SELECTED,
};

#define FULL_SCREEN_MONITORS_MAX 32

struct full_screen {
    enum full_screen_mode mode;
    uint32_t selected; /* bit n: monitor n + 1 (monitors.h) */
};

/* "current", "all", "selected". False: it is none of these. */
bool full_screen_mode_parse(enum full_screen_mode *mode, const char *text);

/* "1,3": numbers from 1 to FULL_SCREEN_MONITORS_MAX. False: it is something else, or empty. */
bool full_screen_monitors_parse(uint32_t *selected, const char *text);

/* How large the picture is drawn, as --scale says it. */

#define SCALE_RATIO_MIN 0.1
#define SCALE_RATIO_MAX 10.0

enum scale_kind {
    SCALE_AUTO,    /* as FIT, and the server's screen may follow the window (sizes.h) */
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
