#include "viewer/desktop/clipboard.h"

#include <stdlib.h>
#include <string.h>

#include "rfb/log.h"

static void share(struct clipboard *c, const char *utf8)
{
    free(c->shared);
    c->shared = strdup(utf8);
}

void clipboard_deinit(struct clipboard *c)
{
    free(c->shared);
    c->shared = NULL;
}

void clipboard_from_server(struct clipboard *c, const char *utf8)
{
    share(c, utf8);
    if (SDL_SetClipboardText(utf8) != 0)
        log_debug("cannot set the clipboard: %s", SDL_GetError());
}

static bool may_have_changed(const SDL_Event *e)
{
    if (e->type == SDL_CLIPBOARDUPDATE)
        return SDL_GetKeyboardFocus() != NULL;
    return e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_GAINED;
}

/* The window gets the focus again and again: of one text it is said once. */
static void refuse(struct clipboard *c, size_t length)
{
    if (length != c->refused)
        log_line("the clipboard's text was not sent: it has %zu bytes, more than %d", length,
                 CLIPBOARD_MAX);
    c->refused = length;
}

const char *clipboard_event(struct clipboard *c, const SDL_Event *e)
{
    const char *news = NULL;
    size_t length;
    char *text;

    if (!may_have_changed(e) || !SDL_HasClipboardText())
        return NULL;
    text = SDL_GetClipboardText();
    length = text ? strlen(text) : 0;
    if (length > CLIPBOARD_MAX) {
        refuse(c, length);
    } else if (length > 0) {
        c->refused = 0;
        if (!c->shared || strcmp(text, c->shared) != 0) {
            share(c, text);
            news = c->shared;
        }
    }
    SDL_free(text);
    return news;
}
