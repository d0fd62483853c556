/* Without a window: connect, receive, measure. Needs no display and never touches SDL.
 *
 * Main thread. */
#ifndef VNCHL_HEADLESS_H
#define VNCHL_HEADLESS_H

#include "rfb/session/session.h"
#include "viewer/headless/report.h"
#include "viewer/options/options.h"
#include "viewer/trust/credentials.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs one session, or two with --compare, until their duration is over, SIGINT or SIGTERM comes
 * or the server ends it. Returns the exit status; has said why on standard error. The callbacks of
 * `hooks` are not used. */
int headless_run(const struct options *o, struct session_options *session,
                 const struct session_hooks *hooks, struct credentials *credentials);

#ifdef __cplusplus
}
#endif
#endif
