/* Three sizes that follow each other: the window's, the picture's in it, and the server's screen
 * (docs/display.md). Which follows which is decided here, and when the server is
 * asked.
 *
 * UI thread. Value type; the screen outlives it.
 */
#ifndef VNCHL_SIZES_H
#define VNCHL_SIZES_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "viewer/desktop/display/screen.h"
#include "viewer/options/window_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* When the server's screen is to follow the window: the arithmetic of --remote-resize.
 *
 * The server is asked after the user has given the window a size: by its edges, by full screen, by
 * the window manager. It is not asked because the server's own screen has changed: so two viewers,
 * or a server that changes its size by itself, cannot drive each other round in circles. While the
 * user drags an edge the size is not asked for; it is when the window has been still for a moment.
 *
 * Pure value type, UI thread. Sizes are in pixels.
 */

/* ns: so long the window is still before the server is asked. Chosen: longer than the pauses of a
 * hand that drags. */
#define REMOTE_SIZE_DELAY (300 * TICK_MS)

/* ns: a server that has not said for so long that it can change its size cannot. Chosen: those that
 * can say so with their first picture. */
#define REMOTE_SIZE_PATIENCE (10 * TICK_S)

struct remote_size {
    bool follow;            /* the server's screen is to follow the window */
    bool able;              /* the server can, and we may */
    bool first;             /* the size to ask for at the beginning was not asked for yet */
    int window_w, window_h; /* what the user's window has room for; 0: the window is as the server
                             * needs it */
    tick_t due;             /* when the server is to be asked; TICK_NEVER: it is not */
};

/* `first_w` x `first_h`: the size to ask for at the beginning; 0: none. */
void remote_size_init(struct remote_size *r, bool follow, int first_w, int first_h);

/* From now on the server's screen is to follow the window, or not. Tell the window's size next. */
void remote_size_follow(struct remote_size *r, bool follow);

/* A new session: nothing is known of its server. */
void remote_size_new_session(struct remote_size *r);

/* The server can change its size. */
void remote_size_able(struct remote_size *r, tick_t now);

/* The window has another size now; 0 x 0: it is as the server needs it, nobody gave it a size. */
void remote_size_window(struct remote_size *r, int w, int h, tick_t now);

/* The server is about to be asked for the window's size. What size it has now does not matter. */
bool remote_size_is_due(const struct remote_size *r);

/* Whether to ask now, and for what. Then it is no longer due. */
bool remote_size_take(struct remote_size *r, tick_t now, int *w, int *h);

/* The size for the beginning cannot be asked for: a session is up since `passed` ns, and its server
 * has not said that it can change its own. */
bool remote_size_is_in_vain(const struct remote_size *r, tick_t passed);

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
    tick_t met_at;          /* the newest session */
    bool vain_told;         /* sizes_are_in_vain() has been true */
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

/* True once: the size that the user wishes for the server's screen cannot be had. */
bool sizes_are_in_vain(struct sizes *s, tick_t now);

/* The picture is drawn smaller than it is where nobody has asked for that, and the server's screen
 * does not follow the window. */
bool sizes_are_unwished(const struct sizes *s);

#ifdef __cplusplus
}
#endif
#endif
