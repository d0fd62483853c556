/* The pointer, caught in the window: for a server that takes steps of the pointer and no places
 * (SESSION_STEPS). A click into the picture catches it, and is not the server's: nobody could know
 * where it would land. Ctrl+Alt+G gives the pointer back, and so does all that needs it: a page, a
 * window that loses the focus, the end of the session.
 *
 * UI thread. Value type; what it points to outlives it.
 */
#ifndef VNCHL_POINTER_GRAB_H
#define VNCHL_POINTER_GRAB_H

#include <stdbool.h>

#include <SDL_events.h>

#include "viewer/desktop/connection/connection.h"
#include "viewer/desktop/input/seat.h"
#include "viewer/ui/ui.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pointer_grab {
    struct ui *ui;
    struct seat *seat;
    const struct connection *connection;
    bool caught;
    bool told; /* how it is caught, of this server */
};

bool pointer_grab_is_caught(const struct pointer_grab *g);
void pointer_grab_give_back(struct pointer_grab *g);

/* A handler of the chain (chain.h); `grab` is a struct pointer_grab. Takes the click that catches.
 */
bool pointer_grab_on_input(void *grab, const SDL_Event *e);

/* Follows what has changed: gives the pointer back, or says how it is caught. */
void pointer_grab_look(struct pointer_grab *g);

#ifdef __cplusplus
}
#endif
#endif
