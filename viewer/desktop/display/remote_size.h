/* When the server's screen is to follow the window: the arithmetic of --remote-resize.
 *
 * The server is asked after the user has given the window a size: by its edges, by full screen, by
 * the window manager. It is not asked because the server's own screen has changed: so two viewers,
 * or a server that changes its size by itself, cannot drive each other round in circles. While the
 * user drags an edge the size is not asked for; it is when the window has been still for a moment.
 *
 * Pure value type, UI thread. Sizes are in pixels.
 */
#ifndef VNCHL_REMOTE_SIZE_H
#define VNCHL_REMOTE_SIZE_H

#include <stdbool.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ns: so long the window is still before the server is asked. Chosen: longer than the pauses of a
 * hand that drags. */
#define REMOTE_SIZE_DELAY (300 * TICK_MS)

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

#ifdef __cplusplus
}
#endif
#endif
