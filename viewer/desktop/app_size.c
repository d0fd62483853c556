/* The server's screen follows the window (remote_size.h), and the pointer the picture. */
#define XK_XKB_KEYS
#include <rfb/keysym.h>

#include "rfb/clock.h"
#include "viewer/desktop/app_state.h"

void app_window_sized(struct app *a)
{
    int w, h;

    if (!screen_users_size(a->screen, &w, &h))
        w = h = 0;
    remote_size_window(&a->remote_size, w, h, tick_now());
}

void app_server_resizable(struct app *a)
{
    if (a->wishes.view_only)
        return;
    if (a->ui->desktop_width == 0)
        app_window_sized(a);
    remote_size_able(&a->remote_size, tick_now());
}

void app_ask_size(struct app *a, tick_t now)
{
    int w, h;

    if (remote_size_take(&a->remote_size, now, &w, &h) && a->live && !a->wishes.view_only)
        session_resize(a->live, w, h);
}

void app_point_again(struct app *a)
{
    SDL_Event e = {.type = SDL_MOUSEMOTION};

    SDL_GetMouseState(&e.motion.x, &e.motion.y);
    input_set_map(&a->input, screen_get_map(a->screen));
    if (!ui_is_open(a->pages))
        input_event(&a->input, &e);
}

/* It has come to the server's keyboard, and was not released. What SDL knows of the keys is newer
 * than the event. The right Alt key may be AltGr, which is another key. */
static bool is_held(const struct app *a, SDL_Scancode left, SDL_Scancode right)
{
    uint32_t keysym = a->input.held[right].keysym;

    return a->input.held[left].keysym || (keysym && keysym != XK_ISO_Level3_Shift);
}

bool app_on_drag(void *user, const SDL_Event *e)
{
    struct app *a = user;

    if (!screen_drag(a->screen, e,
                     is_held(a, SDL_SCANCODE_LCTRL, SDL_SCANCODE_RCTRL) &&
                         is_held(a, SDL_SCANCODE_LALT, SDL_SCANCODE_RALT)))
        return false;
    if (e->type == SDL_MOUSEBUTTONUP)
        app_point_again(a);
    return true;
}

void app_let_go_of_picture(void *user)
{
    struct app *a = user;

    screen_drag_ends(a->screen);
}
