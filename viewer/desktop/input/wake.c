#include "viewer/desktop/input/wake.h"

void wake_begin(struct wake *w)
{
    w->event = SDL_RegisterEvents(1);
    SDL_AtomicSet(&w->begun, 1);
    SDL_AtomicSet(&w->pending, 0);
    wake_up(w);
}

void wake_up(void *wake)
{
    struct wake *w = wake;

    if (!SDL_AtomicCAS(&w->pending, 0, 1) || !SDL_AtomicGet(&w->begun))
        return;
    SDL_Event e = {.user = {.type = w->event}};
    if (SDL_PushEvent(&e) < 0)
        SDL_AtomicSet(&w->pending, 0);
}

bool wake_is(struct wake *w, const SDL_Event *e)
{
    if (e->type != w->event)
        return false;
    SDL_AtomicSet(&w->pending, 0);
    return true;
}
