#include "viewer/desktop/input/clipboard/clipboard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rfb/proto/extensions/clipboard_text.h"
#include "rfb/session/session.h"
#include "rfb/system/log.h"
#include "viewer/desktop/display/drawing/x_window.h"

#define HAVE_PRIMARY SDL_VERSION_ATLEAST(2, 26, 0)

/* On Wayland SDL gives a program 14 ms to hand its text over. One that needs longer is asked again,
 * each time after twice as long: for 6.3 s altogether. */
#define CLIPBOARD_ASK_AGAIN  100 /* ms, the first time */
#define CLIPBOARD_ASKED_MOST 6   /* times, behind the first */

static void clipboard_share(struct clipboard *c, const char *utf8, bool ours)
{
    free(c->shared);
    c->shared = strdup(utf8);
    c->ours = ours;
}

/* The reader's thread calls this. */
static void clipboard_wake(void *user)
{
    struct clipboard *c = user;
    SDL_Event e = {.user = {.type = c->news_event}};

    SDL_PushEvent(&e);
}

static bool on_x11(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();

    return driver && strcmp(driver, "x11") == 0;
}

static void keep_waiting(struct clipboard *c, const char *utf8)
{
    free(c->waiting);
    c->waiting = utf8 ? strdup(utf8) : NULL;
}

static void clipboard_put(struct clipboard *c, const char *utf8)
{
    clipboard_share(c, utf8, false);
    if (SDL_SetClipboardText(utf8) != 0)
        log_debug("cannot set the clipboard: %s", SDL_GetError());
#if HAVE_PRIMARY
    if (c->options.primary & CLIPBOARD_RECEIVE && SDL_SetPrimarySelectionText(utf8) != 0)
        log_debug("cannot set the primary selection: %s", SDL_GetError());
#endif
}

static bool clipboard_has_focus(const struct clipboard *c)
{
    return c->selection ? selection_has_focus(c->selection) : c->focus;
}

void clipboard_from_server(struct clipboard *c, const char *utf8)
{
    bool focus = clipboard_has_focus(c);

    if (!(c->options.ways & CLIPBOARD_RECEIVE))
        return;
    keep_waiting(c, focus ? NULL : utf8);
    if (focus)
        clipboard_put(c, utf8);
}

/* The window has the focus, and this is known of what was copied here meanwhile: `news`, or that it
 * is `too_long`. Else the server's text is the newest. */
static const char *clipboard_settle(struct clipboard *c, const char *news, bool too_long)
{
    if (c->waiting && !news && !too_long)
        clipboard_put(c, c->waiting);
    keep_waiting(c, NULL);
    return news;
}

/* The window gets the focus again and again: of one text it is said once. */
static void clipboard_refuse(struct clipboard *c, size_t length)
{
    char text[SESSION_REASON_MAX];

    if (length != c->refused && c->options.ways & CLIPBOARD_SEND) {
        snprintf(text, sizeof text,
                 "the clipboard's text was not sent: it has %zu bytes, more than %d", length,
                 CLIPBOARD_MAX);
        c->options.notice(c->options.user, text);
    }
    c->refused = length;
}

/* This text is in the desktop's clipboard: is it new to the server? */
static const char *clipboard_offer(struct clipboard *c, char *text)
{
    size_t length = text ? strlen(text) : 0;

    if (length == 0)
        return NULL;
    if (length > CLIPBOARD_MAX) {
        clipboard_refuse(c, length);
        return NULL;
    }
    c->refused = 0;
    line_ends_to_lf(text);
    if (c->shared && strcmp(text, c->shared) == 0)
        return NULL;
    clipboard_share(c, text, true);
    return c->shared;
}

static bool is_focus(const SDL_Event *e)
{
    return e->type == SDL_WINDOWEVENT && (e->window.event == SDL_WINDOWEVENT_FOCUS_GAINED ||
                                          e->window.event == SDL_WINDOWEVENT_FOCUS_LOST);
}

static const char *selection_event(struct clipboard *c, const SDL_Event *e)
{
    const char *news;
    size_t too_long;
    char *text;

    if (e->type != c->news_event)
        return NULL;
    text = selection_take(c->selection, &too_long);
    if (too_long > 0)
        clipboard_refuse(c, too_long);
    news = clipboard_offer(c, text);
    free(text);
    return clipboard_has_focus(c) ? clipboard_settle(c, news, too_long > 0) : news;
}

/* The timer's thread calls this. */
static uint32_t ask_again(uint32_t interval, void *user)
{
    (void)interval;
    clipboard_wake(user);
    return 0;
}

/* SDL has no text, or a part of it. False: it was asked often enough. */
static bool will_ask_again(struct clipboard *c)
{
    SDL_RemoveTimer(c->timer);
    c->timer = 0;
    if (c->asked == CLIPBOARD_ASKED_MOST)
        return false;
    c->timer = SDL_AddTimer(CLIPBOARD_ASK_AGAIN << c->asked++, ask_again, c);
    return c->timer != 0;
}

/* The text in the desktop's clipboard, as SDL tells it. The caller frees it with SDL_free(). NULL:
 * the program that has it did not hand it over. */
static char *text_from_sdl(void)
{
    char *text;

    SDL_ClearError();
    text = SDL_GetClipboardText();
    if (!*SDL_GetError())
        return text;
    log_debug("cannot read the clipboard: %s", SDL_GetError());
    SDL_free(text);
    return NULL;
}

/* What is new to the server in the desktop's clipboard. */
static const char *read_clipboard(struct clipboard *c)
{
    const char *news;
    char *text;

    if (!(c->options.ways & CLIPBOARD_SEND))
        return clipboard_settle(c, NULL, false);
    text = text_from_sdl();
    if (!text && will_ask_again(c))
        return NULL;
    news = clipboard_settle(c, clipboard_offer(c, text), c->refused > 0);
    SDL_free(text);
    return news;
}

static bool may_have_changed(const SDL_Event *e)
{
    if (e->type == SDL_CLIPBOARDUPDATE)
        return SDL_GetKeyboardFocus() != NULL;
    return e->type == SDL_WINDOWEVENT && e->window.event == SDL_WINDOWEVENT_FOCUS_GAINED;
}

const char *clipboard_event(struct clipboard *c, const SDL_Event *e)
{
    if (c->selection)
        return selection_event(c, e);
    if (is_focus(e))
        c->focus = e->window.event == SDL_WINDOWEVENT_FOCUS_GAINED;
    if (may_have_changed(e))
        c->asked = 0;
    else if (e->type != c->news_event || !c->focus)
        return NULL;
    return read_clipboard(c);
}

const char *clipboard_set_ways(struct clipboard *c, unsigned ways)
{
    bool sends_now = ways & ~c->options.ways & CLIPBOARD_SEND;

    c->options.ways = ways;
    if (!(ways & CLIPBOARD_RECEIVE))
        keep_waiting(c, NULL);
    if (sends_now && !c->selection && c->focus)
        read_clipboard(c);
    return sends_now ? clipboard_text(c) : NULL;
}

void clipboard_init(struct clipboard *c, const struct clipboard_options *options)
{
    const struct selection_options selection = {.primary = options->primary & CLIPBOARD_SEND,
                                                .window = x_window_id(options->window),
                                                .most = CLIPBOARD_MAX,
                                                .wake = clipboard_wake,
                                                .user = c};

    *c = (struct clipboard){.options = *options, .focus = options->focus};
    c->news_event = SDL_RegisterEvents(1);
    if (options->ways && selection.window)
        c->selection = selection_create(&selection);
    if (!c->selection && c->focus) /* no event will tell of what is there already */
        read_clipboard(c);
    if (options->primary && (!HAVE_PRIMARY || !on_x11()))
        options->notice(options->user,
                        "--primary on does nothing here: it needs X11, and SDL 2.26 or later");
}

void clipboard_deinit(struct clipboard *c)
{
    SDL_RemoveTimer(c->timer);
    selection_destroy(c->selection);
    free(c->shared);
    free(c->waiting);
    c->selection = NULL;
    c->shared = c->waiting = NULL;
}

const char *clipboard_text(const struct clipboard *c)
{
    return c->ours ? c->shared : NULL;
}
