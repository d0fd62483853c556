/* Reads what is copied on an X11 desktop: the selection CLIPBOARD, and PRIMARY if asked for.
 *
 * SDL 2 tells nothing of what another program copies, waits in the window's thread for the other
 * program, and cannot read a text that comes in parts (INCR), which large ones do. It also tells of
 * a lost focus up to 0.2 s late, or not at all when the focus comes back meanwhile. So this has a
 * thread with a connection to the X server of its own. It reads each new text while the window has
 * the focus, and the newest one when the window gets it. To set the clipboard stays with SDL.
 *
 * All functions are for the UI thread. The thread calls `wake`.
 */
#ifndef VNCHL_SELECTION_H
#define VNCHL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct selection;

struct selection_options {
    bool primary;    /* PRIMARY, too: what is marked counts as copied */
    uint32_t window; /* the viewer's, whose focus counts */
    size_t most;     /* longer texts are not kept, bytes */
    /* The reader's thread: there is something to take, or the window has got the focus, and nothing
     * new was copied before. Must not block. */
    void (*wake)(void *user);
    void *user;
};

/* NULL: there is no X server with the XFixes extension, or no memory. */
struct selection *selection_create(const struct selection_options *options);

/* `wake` is not called any more. Safe on NULL. */
void selection_destroy(struct selection *s);

/* Whether the window has the focus now: asks the X server, and waits for its answer. */
bool selection_has_focus(struct selection *s);

/* The newest text that was read, as its owner gave it; the caller frees it. NULL: there is none, or
 * it is too long: then *too_long is its length in bytes, else 0. */
char *selection_take(struct selection *s, size_t *too_long);

#ifdef __cplusplus
}
#endif
#endif
