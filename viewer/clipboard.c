#include "viewer/clipboard.h"

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

const char *clipboard_event(struct clipboard *c, const SDL_Event *e)
{
    const char *news = NULL;
    char *text;

    if (!may_have_changed(e) || !SDL_HasClipboardText())
        return NULL;
    text = SDL_GetClipboardText();
    if (text && strlen(text) > CLIPBOARD_MAX) {
        log_debug("the clipboard's text is too long to send");
    } else if (text && *text && (!c->shared || strcmp(text, c->shared) != 0)) {
        share(c, text);
        news = c->shared;
    }
    SDL_free(text);
    return news;
}
