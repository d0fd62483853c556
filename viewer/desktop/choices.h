/* What the user can choose, in the menu (menu.h), by one of the viewer's own keys (hot_keys.h) or
 * in the bar of full screen (top_bar.h): shows the menu's pages, and has done what was chosen.
 *
 * UI thread. Value type; `ui`, `front` and the options outlive it. The callback comes from inside
 * ui_event().
 */
#ifndef VNCHL_CHOICES_H
#define VNCHL_CHOICES_H

#include <stdbool.h>

#include <SDL_events.h>

#include "viewer/desktop/front.h"
#include "viewer/desktop/pages/menu/menu.h"
#include "viewer/desktop/pages/menu/top_bar.h"
#include "viewer/desktop/pages/modes/player.h"
#include "viewer/desktop/pages/modes/pointer_grab.h"
#include "viewer/desktop/pages/modes/typing.h"
#include "viewer/options/menu_key.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct choices {
    struct ui *ui;
    struct front *front;
    const struct menu_key *menu_key; /* the user's */
    struct typing typing;            /* of the clipboard's text */
    struct top_bar bar;
    struct pointer_grab grab;
    struct player player;
    /* The menu's page, while one is open. */
    enum menu_page page;
    struct menu_entry entries[MENU_ENTRIES_MAX];
    /* Chosen: what is not the front's. MENU_OPTIONS, MENU_RECONNECT, MENU_DISCONNECT or
     * MENU_QUIT. */
    void (*choose)(void *user, enum menu_action action);
    void *user;
};

/* `choices` is a zeroed struct choices. */
void choices_init(struct choices *choices, struct ui *ui, struct front *front,
                  struct connection *connection,
                  void (*choose)(void *user, enum menu_action action), void *user);

/* Does what is due; choices_wait() says when something is next, or TICK_NEVER. */
void choices_time(struct choices *c, tick_t now);
tick_t choices_wait(const struct choices *c);

/* A handler of the chain (chain.h): the viewer's own keys. `choices` is a struct choices. */
bool choices_on_hot_key(void *choices, const SDL_Event *e);

#ifdef __cplusplus
}
#endif
#endif
