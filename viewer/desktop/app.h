/* The desktop program: one session in one window.
 *
 * UI (main) thread: app_run() is its main loop. It sleeps in SDL_WaitEvent until there is input,
 * the session's wake-up or the next tick, so an idle viewer uses no CPU. Initialises and quits SDL.
 */
#ifndef VNCHL_APP_H
#define VNCHL_APP_H

#include <stdbool.h>

#include "rfb/session/session.h"
#include "viewer/credentials.h"

#ifdef __cplusplus
extern "C" {
#endif

struct app_options {
    bool view_only;   /* sends no keys and no pointer */
    unsigned primary; /* X11's primary selection, too: enum clipboard_way */
    bool full_screen;
    bool vsync; /* show pictures in step with the screen */
    struct credentials *credentials;
    /* Called about once a second from SESSION_CONNECTED on, and a last time before the session is
     * destroyed (`last`). */
    void (*tick)(void *user, struct session *s, bool last);
    void *user;
};

/* Connects, runs until the session or the user ends it, and returns the exit status: 0 when the
 * user closed the window (or SIGINT or SIGTERM did); 1, after one line on
 * stderr, when the connection failed or ended. The callbacks of the options are ignored.
 */
int app_run(const struct session_options *options, const struct app_options *ui);

#ifdef __cplusplus
}
#endif
#endif
