/* The clipboard of this desktop and the server's, kept equal: ours goes to the server while the
 * window has the focus, the server's comes here at any time.
 *
 * UI thread. Remembers the text both sides last had, so that a text is never sent back to where it
 * came from.
 */
#ifndef VNCHL_CLIPBOARD_H
#define VNCHL_CLIPBOARD_H

#include <stdbool.h>

#include <SDL.h>

#include "rfb/session/session_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Longer texts stay here, and a line says so: they would hold up the keys behind them. */
#define CLIPBOARD_MAX (SESSION_COPIED_MAX - 1)

struct clipboard {
    char *shared;   /* NULL: nothing yet */
    size_t refused; /* length of the text that was too long; 0: the newest was not */
};

void clipboard_deinit(struct clipboard *c);

/* The server has a new text: put it into this desktop's clipboard. */
void clipboard_from_server(struct clipboard *c, const char *utf8);

/* The text the server has to be told after this event, valid until the next call; NULL: none. */
const char *clipboard_event(struct clipboard *c, const SDL_Event *e);

#ifdef __cplusplus
}
#endif
#endif
