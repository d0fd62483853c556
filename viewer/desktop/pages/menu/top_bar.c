#include "viewer/desktop/pages/menu/top_bar.h"

#include <SDL.h>

#include "rfb/system/clock.h"

/* ---- the edge ---- */

void top_edge_move(struct top_edge *e, int y, int bottom, tick_t now)
{
    const bool at_edge = y < TOP_EDGE_LINES;

    e->elsewhere = e->elsewhere || !at_edge;
    if (at_edge && !e->at_edge && !e->shown)
        e->since = now;
    e->at_edge = e->elsewhere && at_edge;
    e->spent = e->spent && e->at_edge;
    /* a hand is not steady: the bar stays a little below it, too */
    e->shown = e->shown && y < 2 * bottom;
}

void top_edge_leave(struct top_edge *e)
{
    *e = (struct top_edge){.elsewhere = e->elsewhere};
}

void top_edge_reset(struct top_edge *e)
{
    *e = (struct top_edge){.elsewhere = false};
}

void top_edge_spend(struct top_edge *e)
{
    e->spent = e->at_edge;
    e->shown = false;
}

bool top_edge_takes_clicks(const struct top_edge *e)
{
    return e->shown && e->armed && !e->at_edge;
}

tick_t top_edge_wait(const struct top_edge *e)
{
    if (!e->shown)
        return e->at_edge && !e->spent ? e->since + TOP_EDGE_REST : TICK_NEVER;
    if (!e->armed)
        return e->since + TOP_EDGE_ARMING;
    return e->at_edge ? e->since + TOP_EDGE_STAY : TICK_NEVER;
}

void top_edge_time(struct top_edge *e, tick_t now)
{
    if (now < top_edge_wait(e))
        return;
    if (!e->shown) {
        e->shown = true;
        e->armed = false;
        e->since = now;
    } else if (!e->armed) {
        e->armed = true;
    } else {
        top_edge_spend(e);
    }
}

/* ---- the bar ---- */

#define TOP_BAR_BUTTONS 4

static const struct {
    const char *label;
    enum menu_action action;
    int value;
} top_bar_buttons[TOP_BAR_BUTTONS] = {
    {"Menu", MENU_OPEN, MENU_MAIN},
    {"Leave full screen", MENU_FULL_SCREEN, 0},
    {"Minimise", MENU_MINIMISE, 0},
    {"Disconnect", MENU_DISCONNECT, 0},
};

/* Only where the pointer is this window's, and nothing else is in front. */
static bool top_bar_may_come(const struct top_bar *b)
{
    return screen_is_full_screen(b->screen) && !ui_is_open(b->ui) && !SDL_GetRelativeMouseMode();
}

static void top_bar_show(struct top_bar *b)
{
    const char *labels[TOP_BAR_BUTTONS];
    struct ui_strip strip = {.labels = labels, .count = TOP_BAR_BUTTONS};

    for (int i = 0; i < TOP_BAR_BUTTONS; i++)
        labels[i] = top_bar_buttons[i].label;
    SDL_GetMouseState(&strip.x, NULL);
    ui_show_strip(b->ui, &strip);
}

/* A button is marked when a click is meant for it. */
static void top_bar_mark(struct top_bar *b)
{
    int x, y;

    SDL_GetMouseState(&x, &y);
    ui_light_strip(b->ui, top_edge_takes_clicks(&b->edge) ? ui_strip_button(b->ui, x, y) : -1);
}

/* What is to be seen follows the pointer and the window. */
static void top_bar_follow(struct top_bar *b)
{
    if (!top_bar_may_come(b))
        top_edge_reset(&b->edge);
    if (b->edge.shown && !b->shown)
        top_bar_show(b);
    else if (!b->edge.shown && b->shown)
        ui_show_strip(b->ui, NULL);
    b->shown = b->edge.shown;
    if (b->shown)
        top_bar_mark(b);
}

static bool top_bar_takes(const struct top_bar *b, int x, int y)
{
    return top_edge_takes_clicks(&b->edge) && ui_strip_has(b->ui, x, y);
}

static bool top_bar_moved(struct top_bar *b, const SDL_MouseMotionEvent *e)
{
    if (e->state && !b->pressed)
        top_edge_leave(&b->edge);
    else
        top_edge_move(&b->edge, e->y, ui_strip_bottom(b->ui), tick_now());
    top_bar_follow(b);
    return b->pressed || top_bar_takes(b, e->x, e->y);
}

static bool top_bar_press(struct top_bar *b, const SDL_MouseButtonEvent *e)
{
    if (top_bar_takes(b, e->x, e->y)) {
        b->pressed = true;
        b->button = e->button == SDL_BUTTON_LEFT ? ui_strip_button(b->ui, e->x, e->y) : -1;
        return true;
    }
    top_edge_spend(&b->edge);
    top_bar_follow(b);
    return false;
}

/* It comes here only when the press was taken here. */
static bool top_bar_release(struct top_bar *b, const SDL_MouseButtonEvent *e)
{
    const int button = b->button;

    b->pressed = false;
    if (button < 0 || ui_strip_button(b->ui, e->x, e->y) != button)
        return true;
    top_edge_reset(&b->edge);
    top_bar_follow(b);
    b->choose(b->user, top_bar_buttons[button].action, top_bar_buttons[button].value);
    return true;
}

bool top_bar_on_input(void *bar, const SDL_Event *e)
{
    struct top_bar *b = bar;

    switch (e->type) {
    case SDL_MOUSEMOTION:
        return top_bar_may_come(b) && top_bar_moved(b, &e->motion);
    case SDL_MOUSEBUTTONDOWN:
        return top_bar_may_come(b) && top_bar_press(b, &e->button);
    case SDL_MOUSEBUTTONUP:
        return top_bar_release(b, &e->button);
    case SDL_KEYDOWN:
        top_edge_spend(&b->edge);
        return false;
    case SDL_WINDOWEVENT:
        if (e->window.event == SDL_WINDOWEVENT_LEAVE)
            top_edge_leave(&b->edge);
        return false;
    default:
        return false;
    }
}

void top_bar_let_go(void *bar)
{
    ((struct top_bar *)bar)->pressed = false;
}

void top_bar_time(struct top_bar *b, tick_t now)
{
    top_edge_time(&b->edge, now);
    top_bar_follow(b);
}

tick_t top_bar_wait(const struct top_bar *b)
{
    return top_edge_wait(&b->edge);
}
