#include "viewer/desktop/pages/modes/pointer_grab.h"

#include <stdio.h>

#include <SDL.h>

#include "rfb/system/clock.h"
#include "viewer/desktop/input/keyboard/hot_keys.h"
#include "viewer/desktop/pages/told/told.h"

static bool pointer_grab_may_catch(const struct pointer_grab *g)
{
    return seat_takes_steps(g->seat) && !ui_is_open(g->ui) &&
           !connection_is_silent(g->connection); /* its bar has buttons */
}

bool pointer_grab_is_caught(const struct pointer_grab *g)
{
    return g->caught;
}

static void pointer_grab_say(struct pointer_grab *g, const char *text)
{
    ui_message_while(g->ui, UI_POINTER, text, tick_now());
}

void pointer_grab_give_back(struct pointer_grab *g)
{
    if (!g->caught)
        return;
    g->caught = false;
    seat_catch_pointer(g->seat, false);
    SDL_SetRelativeMouseMode(SDL_FALSE);
    pointer_grab_say(g, NULL);
}

static void pointer_grab_catch(struct pointer_grab *g)
{
    char text[96];

    if (SDL_SetRelativeMouseMode(SDL_TRUE) != 0) {
        told_say(g->ui, "This desktop does not let a window catch the pointer. This server needs "
                        "that, unless it has a tablet: QEMU has one with -device usb-tablet.");
        return;
    }
    g->caught = true;
    seat_catch_pointer(g->seat, true);
    snprintf(text, sizeof text, "The server has the pointer. %s gives it back.",
             hot_key_name(HOT_KEY_GRAB));
    pointer_grab_say(g, text);
}

bool pointer_grab_on_input(void *grab, const SDL_Event *e)
{
    struct pointer_grab *g = grab;

    if (e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
        pointer_grab_give_back(g);
    if (e->type != SDL_MOUSEBUTTONDOWN || g->caught || !pointer_grab_may_catch(g))
        return false;
    pointer_grab_catch(g);
    return true;
}

void pointer_grab_look(struct pointer_grab *g)
{
    const bool steps = seat_takes_steps(g->seat);

    if (!pointer_grab_may_catch(g))
        pointer_grab_give_back(g);
    if (steps && !g->told)
        pointer_grab_say(g, "This server takes only how far the pointer moves. A click gives it "
                            "the pointer.");
    else if (!steps && g->told)
        pointer_grab_say(g, NULL);
    g->told = steps;
}
