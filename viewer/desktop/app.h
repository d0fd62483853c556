/* The desktop program: one connection in one window.
 *
 * UI (main) thread: app_run() is its main loop. It sleeps in SDL_WaitEvent until there is input,
 * the session's wake-up or the next tick, so an idle viewer uses no CPU. Initialises and quits SDL.
 */
#ifndef VNCHL_APP_H
#define VNCHL_APP_H

#include "viewer/desktop/app_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Connects, runs until the connection or the user ends it, and returns the exit status: 0 when the
 * user closed the window (or SIGINT or SIGTERM did); 1, after one line on stderr, when the
 * connection has failed or ended for good. With `alert` the window stays then until the user closes
 * it. The callbacks of the options are ignored.
 */
int app_run(const struct session_options *options, const struct session_hooks *hooks,
            const struct app_options *ui);

#ifdef __cplusplus
}
#endif
#endif
