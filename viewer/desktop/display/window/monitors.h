/* Which of a display's monitors full screen covers.
 *
 * Monitors are numbered as TigerVNC's viewer does: from 1, the leftmost first, and of two that
 * begin at the same column the upper one. Pure. Any thread.
 */
#ifndef VNCHL_MONITORS_H
#define VNCHL_MONITORS_H

#include <stdbool.h>

#include "rfb/region.h"
#include "viewer/options/window_options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct monitors {
    int count;
    struct rect at[FULL_SCREEN_MONITORS_MAX]; /* in the order of the display's list */
};

/* A window over several monitors. It covers all that is between them, too. */
struct monitors_span {
    int count; /* of the monitors that were chosen */
    struct rect area;
    /* Which of the list are at its edges, as _NET_WM_FULLSCREEN_MONITORS wants to know. */
    int top, bottom, left, right;
    bool missing; /* a monitor was selected that is not there */
};

/* What this wish means. FULL_SCREEN_CURRENT is one monitor, and so is a selection of which there
 * is none: then the count is 0. */
struct monitors_span monitors_choose(const struct monitors *m, const struct full_screen *wish);

/* The one monitor with this point of the display, or the first. */
struct monitors_span monitors_one(const struct monitors *m, int x, int y);

#ifdef __cplusplus
}
#endif
#endif
