#include "viewer/desktop/input/chain.h"

#include <string.h>

/* Who took a press: NOBODY, or 1 + the handler's place in the array, or LET_GO when that handler
 * has let go of it since. */
enum { NOBODY = 0, LET_GO = UINT8_MAX };

void chain_init(struct chain *c, const struct chain_handler *handlers, int count)
{
    *c = (struct chain){.handlers = handlers, .count = count};
}

static void mark_let_go(uint8_t *takers, size_t count, int place)
{
    for (size_t i = 0; i < count; i++)
        if (takers[i] == place + 1)
            takers[i] = LET_GO;
}

static void chain_handler_lets_go(struct chain *c, int place)
{
    if (c->handlers[place].let_go)
        c->handlers[place].let_go(c->handlers[place].user);
    mark_let_go(c->keys, sizeof c->keys, place);
    mark_let_go(c->buttons, sizeof c->buttons, place);
    mark_let_go(&c->text, 1, place);
}

/* The handlers from place `first` on let go. */
static void let_go_from(struct chain *c, int first)
{
    for (int i = first; i < c->count; i++)
        chain_handler_lets_go(c, i);
}

/* A key that a page took stays the page's: its text and its release still come there. */
void chain_let_go(struct chain *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->handlers[i].let_go)
            chain_handler_lets_go(c, i);
}

/* From handler to handler; returns who took it. */
static uint8_t chain_offer(struct chain *c, const SDL_Event *e)
{
    for (int i = 0; i < c->count; i++)
        if (c->handlers[i].event(c->handlers[i].user, e))
            return (uint8_t)(i + 1);
    return NOBODY;
}

/* The same for what begins something: who takes it has the input now. */
static uint8_t offer_input(struct chain *c, const SDL_Event *e)
{
    uint8_t taker = chain_offer(c, e);

    if (taker != NOBODY)
        let_go_from(c, taker);
    return taker;
}

/* To the one handler whose it is. */
static void chain_pass(struct chain *c, uint8_t taker, const SDL_Event *e)
{
    if (taker != NOBODY && taker != LET_GO)
        c->handlers[taker - 1].event(c->handlers[taker - 1].user, e);
}

static void chain_key_down(struct chain *c, const SDL_Event *e)
{
    uint8_t *taker = &c->keys[e->key.keysym.scancode];

    if (e->key.repeat && *taker != NOBODY)
        chain_pass(c, *taker, e);
    else
        *taker = offer_input(c, e);
    c->text = *taker;
}

static void chain_key_up(struct chain *c, const SDL_Event *e)
{
    uint8_t *taker = &c->keys[e->key.keysym.scancode];

    chain_pass(c, *taker, e);
    *taker = NOBODY;
    c->text = NOBODY;
}

static void button_up(struct chain *c, const SDL_Event *e)
{
    uint8_t *taker = &c->buttons[e->button.button];

    chain_pass(c, *taker, e);
    *taker = NOBODY;
}

static void chain_text(struct chain *c, const SDL_Event *e)
{
    if (c->text != NOBODY)
        chain_pass(c, c->text, e);
    else
        offer_input(c, e);
}

static void chain_motion(struct chain *c, const SDL_Event *e)
{
    for (size_t i = 0; i < sizeof c->buttons; i++)
        if (c->buttons[i] != NOBODY && c->buttons[i] != LET_GO) {
            chain_pass(c, c->buttons[i], e);
            return;
        }
    chain_offer(c, e);
}

static void chain_window(struct chain *c, const SDL_Event *e)
{
    if (e->window.event == SDL_WINDOWEVENT_FOCUS_LOST ||
        e->window.event == SDL_WINDOWEVENT_HIDDEN) {
        let_go_from(c, 0);
        memset(c->keys, NOBODY, sizeof c->keys); /* a key that still repeats later begins anew */
        c->text = NOBODY;
    }
    chain_offer(c, e);
}

void chain_event(struct chain *c, const SDL_Event *e)
{
    switch (e->type) {
    case SDL_KEYDOWN:
        if (e->key.keysym.scancode < SDL_NUM_SCANCODES)
            chain_key_down(c, e);
        break;
    case SDL_KEYUP:
        if (e->key.keysym.scancode < SDL_NUM_SCANCODES)
            chain_key_up(c, e);
        break;
    case SDL_TEXTINPUT:
        chain_text(c, e);
        break;
    case SDL_MOUSEBUTTONDOWN:
        c->buttons[e->button.button] = offer_input(c, e);
        break;
    case SDL_MOUSEBUTTONUP:
        button_up(c, e);
        break;
    case SDL_MOUSEMOTION:
        chain_motion(c, e);
        break;
    case SDL_MOUSEWHEEL:
        offer_input(c, e);
        break;
    case SDL_WINDOWEVENT:
        chain_window(c, e);
        break;
    default:
        chain_offer(c, e);
        break;
    }
}
