/* The bar at the top edge of full screen (struct top_edge), by which the pointer finds the menu.
 *
 * UI thread. Value type; `ui` and `screen` outlive it. The callback comes from inside the handler.
 */
#ifndef VNCHL_TOP_BAR_H
#define VNCHL_TOP_BAR_H

#include <stdbool.h>

#include <SDL_events.h>

#include "prerequest/tick.h"
#include "viewer/desktop/display/screen.h"
#include "viewer/desktop/pages/menu/menu.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

/* When the bar at the top edge of full screen comes, and when it goes.
 *
 * It comes when the pointer has rested at the edge, and lies below it: it never comes under the
 * pointer. So a click at the edge is the server's, and so is one right after it has come, which was
 * meant for what was there before. Such a click takes the bar away. It does not come again before
 * the pointer has left the edge: the next click is the server's, too.
 *
 * It comes only when the pointer has come to the edge from elsewhere, and goes when nobody wants
 * it: a pointer may be parked there.
 *
 * Pure: is told the time. Value type; a zeroed one is at rest.
 */

/* Lines of the window that are its edge: a pointer between two lines may be rounded down. */
#define TOP_EDGE_LINES 2
/* ns that the pointer is at the edge before the bar comes. */
#define TOP_EDGE_REST (500 * TICK_MS)
/* ns from then on until a click can be meant for it. Chosen: nobody answers sooner to what he sees.
 */
#define TOP_EDGE_ARMING (300 * TICK_MS)
/* ns that it stays while the pointer rests at the edge. Chosen. */
#define TOP_EDGE_STAY (5 * TICK_S)

struct top_edge {
    bool elsewhere; /* the pointer has been elsewhere in the window */
    bool at_edge;
    bool spent; /* nothing comes before the pointer has left the edge */
    bool shown;
    bool armed;   /* a click can be meant for it */
    tick_t since; /* at the edge, or shown */
};

/* The pointer is at line `y` of the window, from 0. `bottom`: the line below the bar, while it is
 * shown. */
void top_edge_move(struct top_edge *e, int y, int bottom, tick_t now);

/* The pointer has left the window, or is held: there is no bar. */
void top_edge_leave(struct top_edge *e);

/* There is no edge: the pointer has to come to it anew. */
void top_edge_reset(struct top_edge *e);

/* Something is done that is the server's: the bar goes. */
void top_edge_spend(struct top_edge *e);

/* Whether a click may be meant for the bar. */
bool top_edge_takes_clicks(const struct top_edge *e);

/* When top_edge_time() has something to do; TICK_NEVER: it has not. */
tick_t top_edge_wait(const struct top_edge *e);
void top_edge_time(struct top_edge *e, tick_t now);

struct top_bar {
    struct ui *ui;
    const struct screen *screen;
    void (*choose)(void *user, enum menu_action action, int value);
    void *user;
    struct top_edge edge;
    bool shown;
    bool pressed; /* a button, */
    int button;   /* this one */
};

/* A handler of the chain (chain.h); `bar` is a struct top_bar. Takes what is done to the bar. */
bool top_bar_on_input(void *bar, const SDL_Event *e);
void top_bar_let_go(void *bar);

/* Shows it and takes it away; top_bar_wait() says when that is due, or TICK_NEVER. */
void top_bar_time(struct top_bar *b, tick_t now);
tick_t top_bar_wait(const struct top_bar *b);

#ifdef __cplusplus
}
#endif
#endif
