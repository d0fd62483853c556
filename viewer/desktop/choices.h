/* What the user can choose, in the menu (menu.h) or by one of the viewer's own keys (hot_keys.h):
 * shows the menu's pages, and has done what was chosen.
 *
 * UI thread. Value type; `ui`, `front` and the options outlive it. The callback comes from inside
 * ui_event().
 */
#ifndef VNCHL_CHOICES_H
#define VNCHL_CHOICES_H

#include <stdbool.h>

#include <SDL_events.h>

#include "viewer/desktop/front.h"
#include "viewer/desktop/menu.h"
#include "viewer/menu_key.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct choices {
    struct ui *ui;
    struct front *front;
    const struct menu_key *menu_key; /* the user's */
    /* The menu's page, while one is open. */
    enum menu_page page;
    struct menu_entry entries[MENU_ENTRIES_MAX];
    /* Chosen: what is not the front's. MENU_OPTIONS, MENU_RECONNECT, MENU_DISCONNECT or
     * MENU_QUIT. */
    void (*choose)(void *user, enum menu_action action);
    void *user;
};

/* A handler of the chain (chain.h): the viewer's own keys. `choices` is a struct choices. */
bool choices_on_hot_key(void *choices, const SDL_Event *e);

#ifdef __cplusplus
}
#endif
#endif
