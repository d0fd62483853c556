/* Three sizes that follow each other: the window's, the picture's in it, and the server's screen
 * (docs/display.md). Which follows which is decided here; when the server is asked, in
 * remote_size.h.
 *
 * UI thread. Value type; the screen outlives it.
 */
#ifndef VNCHL_SIZES_H
#define VNCHL_SIZES_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "viewer/desktop/display/remote_size.h"
#include "viewer/desktop/display/screen.h"
#include "viewer/options/window_options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sizes_options {
    struct scale scale;
    bool
        remote_resize; /* with SCALE_AUTO and SCALE_SYSTEM the server's screen follows the window */
    int desktop_w, desktop_h; /* that the server's screen is to have first; 0: its own */
};

struct sizes {
    struct screen *screen;
    struct sizes_options options; /* the scale: as it is now */
    struct remote_size remote;
    bool had_picture;       /* the window, since the options were set */
    int server_w, server_h; /* of the server's screen, */
    bool asked;             /* it was asked for a size, */
    int own_w, own_h;       /* and what it had before that */
};

void sizes_set_options(struct sizes *s, struct screen *screen, const struct sizes_options *options);

/* How large the picture is drawn from now on. */
void sizes_set_scale(struct sizes *s, struct scale scale);

/* A new session, whose picture is so large. True when the window has none yet: the size is new. */
bool sizes_meet(struct sizes *s, int width, int height, bool grab);

/* The server's screen has this size now. */
void sizes_server_changed(struct sizes *s, int width, int height);

/* The server can change it, and we may ask. */
void sizes_server_can(struct sizes *s);

/* The window has another size. */
void sizes_window_changed(struct sizes *s);

/* Whether the server is to be asked now, and for what; sizes_wait() says when. */
bool sizes_ask(struct sizes *s, tick_t now, int *width, int *height);
tick_t sizes_wait(const struct sizes *s);

/* The picture is drawn smaller than it is where nobody has asked for that, and the server's screen
 * does not follow the window. */
bool sizes_are_unwished(const struct sizes *s);

#ifdef __cplusplus
}
#endif
#endif
