#include "viewer/desktop/pages/modes/typing.h"

#include <stdio.h>
#include <string.h>

#include <SDL.h>

#include "rfb/system/clock.h"
#include "viewer/desktop/pages/told/told.h"

/* Bytes of a list of characters, with its NUL. */
#define TYPING_LIST_MAX 96

static void typing_key(void *user, uint32_t keysym, bool down)
{
    const struct typing *t = user;

    seat_type(t->seat, keysym, down);
}

/* ---- what is told ---- */

static void typing_tell(struct typing *t, const char *text)
{
    ui_message_while(t->ui, UI_TYPING, NULL, tick_now());
    if (*text)
        told_say(t->ui, text);
}

/* "U+0007, U+001B": letters that have no key may not be fit to be shown. */
static void typing_list(const struct typist_set *set, char out[TYPING_LIST_MAX])
{
    size_t size = 0;

    *out = '\0';
    for (size_t i = 0; i < set->count && i < TYPIST_NAMED; i++)
        size += (size_t)snprintf(out + size, TYPING_LIST_MAX - size, "%sU+%04X", i ? ", " : "",
                                 (unsigned)set->first[i]);
    if (set->count > TYPIST_NAMED)
        snprintf(out + size, TYPING_LIST_MAX - size, ", ...");
}

static const char *typing_characters(size_t n)
{
    return n == 1 ? "character" : "characters";
}

/* What of the text the server has not got, or perhaps not. */
static void typing_tell_missing(struct typing *t)
{
    const struct typist_set *keyless = &t->typist.keyless, *foreign = &t->typist.foreign;
    const bool by_codes = seat_server_takes_codes(t->seat);
    char list[TYPING_LIST_MAX], text[256];

    typing_list(keyless, list);
    snprintf(text, sizeof text, "%zu %s of the text %s no key, and %s not typed: %s.",
             keyless->count, typing_characters(keyless->count),
             keyless->count == 1 ? "has" : "have", keyless->count == 1 ? "was" : "were", list);
    if (keyless->count > 0)
        told_say(t->ui, text);
    typing_list(foreign, list);
    snprintf(text, sizeof text,
             "This server may go by the keys of a keyboard. Look whether %zu %s arrived there: %s.",
             foreign->count, typing_characters(foreign->count), list);
    if (foreign->count > 0 && by_codes)
        told_say(t->ui, text);
}

/* What a server does not read waits here, and at last it would be dropped. */
static bool typing_arrives(const struct typing *t)
{
    return seat_takes_keys(t->seat) && !connection_is_silent(t->connection);
}

/* ---- its beginning and its end ---- */

/* The characters that come with it are the text's own: not those of keys that are held. */
static void typing_begin_with(struct typing *t, const char *text)
{
    struct reason why;
    char told[128];

    t->typist.key = typing_key;
    t->typist.user = t;
    if (!typist_begin(&t->typist, text, tick_now(), &why)) {
        typing_tell(t, why.text);
        return;
    }
    seat_let_go_of_held(t->seat);
    snprintf(told, sizeof told, "Typing %zu %s of the clipboard. Any key stops it.",
             t->typist.characters, typing_characters(t->typist.characters));
    ui_message_while(t->ui, UI_TYPING, told, tick_now());
}

void typing_begin(struct typing *t)
{
    char *text;

    if (!seat_takes_keys(t->seat))
        return;
    text = SDL_GetClipboardText();
    typing_begin_with(t, text ? text : "");
    if (text) /* it may be a password */
        explicit_bzero(text, strlen(text));
    SDL_free(text);
}

void typing_end(struct typing *t)
{
    typist_stop(&t->typist);
}

static void typing_stop(struct typing *t)
{
    char text[128];

    typist_stop(&t->typist);
    snprintf(text, sizeof text, "Typing was stopped after %zu of %zu %s.", t->typist.typed,
             t->typist.characters, typing_characters(t->typist.characters));
    typing_tell(t, text);
    typing_tell_missing(t);
}

/* ---- input and time ---- */

bool typing_on_input(void *typing, const SDL_Event *e)
{
    struct typing *t = typing;
    const bool key = e->type == SDL_KEYDOWN, click = e->type == SDL_MOUSEBUTTONDOWN,
               leaves = e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_LOST;

    if (!typist_is_busy(&t->typist) || !(key || click || leaves))
        return false;
    typing_stop(t);
    return key;
}

void typing_time(struct typing *t, tick_t now)
{
    if (typist_is_busy(&t->typist) && !typing_arrives(t)) {
        typing_stop(t);
    } else if (typist_time(&t->typist, now)) {
        typing_tell(t, "");
        typing_tell_missing(t);
    }
}

tick_t typing_wait(const struct typing *t)
{
    return typist_wait(&t->typist);
}
