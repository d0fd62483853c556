/* The clipboard of this desktop and the server's, kept equal: ours goes to the server when it
 * changes while the window has the focus, and when the window gets it. The server's comes here
 * while the window has the focus, or when it gets it: a server must not replace what the user has
 * copied for another window. What was copied here meanwhile counts more than what the server has.
 *
 * UI thread. Remembers the text both sides last had, so that a text is never sent back to where it
 * came from. Lines end with LF.
 */
#ifndef VNCHL_CLIPBOARD_H
#define VNCHL_CLIPBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include <SDL.h>

#include "rfb/session/session_message.h"
#include "viewer/desktop/input/clipboard/selection.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Longer texts stay here, and the user is told. */
#define CLIPBOARD_MAX (SESSION_COPIED_MAX - 1)

struct clipboard_options {
    unsigned ways; /* enum clipboard_way (rfb/session/session.h) */
    /* The same for X11's primary selection, which is what the mouse has marked. It goes no way that
     * `ways` does not have. */
    unsigned primary;
    bool focus; /* the window has it already, as SDL knows */
    /* Tells the user one line. */
    void (*notice)(void *user, const char *text);
    void *user;
    SDL_Window *window; /* on X11, where the X server knows more of its focus; NULL: SDL counts */
};

struct clipboard {
    struct clipboard_options options;
    char *shared;                /* NULL: nothing yet */
    bool ours;                   /* it was copied here */
    bool focus;                  /* the window has it, where `selection` does not know */
    char *waiting;               /* the server's, until the window has the focus; NULL: none */
    size_t refused;              /* length of the text that was too long; 0: the newest was not */
    struct selection *selection; /* NULL: SDL tells what is copied */
    uint32_t news_event;         /* of SDL: `selection` has something, or it is to be asked again */
    SDL_TimerID timer;           /* until SDL is asked again; 0: none */
    int asked;                   /* times SDL was asked again for the newest text */
};

/* SDL's video must have been initialised, until clipboard_deinit(). */
void clipboard_init(struct clipboard *c, const struct clipboard_options *options);
void clipboard_deinit(struct clipboard *c);

/* Which ways texts go from now on. Returns the text that the server has to be told now, valid until
 * the next call; NULL: none. */
const char *clipboard_set_ways(struct clipboard *c, unsigned ways);

/* The server has a new text: put it into this desktop's clipboard, now or with the focus. */
void clipboard_from_server(struct clipboard *c, const char *utf8);

/* The text the server has to be told after this event, valid until the next call; NULL: none. Give
 * it every event. */
const char *clipboard_event(struct clipboard *c, const SDL_Event *e);

/* The text a new session has to be told, valid until the next call; NULL: none. */
const char *clipboard_text(const struct clipboard *c);

#ifdef __cplusplus
}
#endif
#endif
