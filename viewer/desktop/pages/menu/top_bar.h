/* The bar at the top edge of full screen (top_edge.h), by which the pointer finds the menu.
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
#include "viewer/desktop/pages/menu/top_edge.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

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
