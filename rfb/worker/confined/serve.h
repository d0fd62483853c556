/* The process of a session, from its beginning to its end: shuts itself in, runs the session
 * (rfb/session/session.h), and speaks with the viewer through the channel.
 */
#ifndef VNCHL_SERVE_H
#define VNCHL_SERVE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the exit status of the process. */
int serve(int channel_fd, int picture_fd);

#ifdef __cplusplus
}
#endif
#endif
