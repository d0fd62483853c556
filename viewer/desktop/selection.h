/* Reads what is copied on an X11 desktop: the selection CLIPBOARD, and PRIMARY if asked for.
 *
 * SDL 2 tells nothing of what another program copies, waits in the window's thread for the other
 * program, and cannot read a text that comes in parts (INCR), which large ones do. So this has a
 * thread with a connection to the X server of its own. It reads each new text while the window has
 * the focus, and the newest one when the window gets it. To set the clipboard stays with SDL.
 *
 * All functions are for the UI thread. The thread calls `wake`.
 */
#ifndef VNCHL_SELECTION_H
#define VNCHL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct selection;

struct selection_options {
    bool primary;             /* PRIMARY, too: what is marked counts as copied */
    bool focus;               /* the window has it already */
    size_t most;              /* longer texts are not kept, bytes */
    void (*wake)(void *user); /* the reader's thread: there is something to take; must not block */
    void *user;
};

/* NULL: there is no X server with the XFixes extension, or no memory. */
struct selection *selection_create(const struct selection_options *options);

/* `wake` is not called any more. Safe on NULL. */
void selection_destroy(struct selection *s);

/* The window has got the focus, or lost it. `wake` is called when it is known what was copied
 * before it got it, also when that is nothing. */
void selection_focus(struct selection *s, bool focus);

/* The newest text that was read, as its owner gave it; the caller frees it. NULL: there is none, or
 * it is too long: then *too_long is its length in bytes, else 0. */
char *selection_take(struct selection *s, size_t *too_long);

#ifdef __cplusplus
}
#endif
#endif
