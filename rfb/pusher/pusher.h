/* The far end of a viewer that takes blocks (rfb/proto/blocks.h): it stands between the viewer and
 * its own connection to the server, pulls the server's picture as a viewer nearby would, and pushes
 * what changed. All else that the two say to each other is passed on.
 *
 * It runs in a process of its own, one for each viewer, which is shut in (the program
 * vnchl-session, rfb/worker/confined/main.c). Both connections are behind their handshakes.
 */
#ifndef VNCHL_PUSHER_H
#define VNCHL_PUSHER_H

#include <stdbool.h>

#include "rfb/proto/server_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pusher_options {
    int server, viewer;                      /* stream sockets; the pusher closes them */
    bool near;                               /* the server is a process of this machine */
    int width, height;                       /* of its screen, as ServerInit said */
    char congestion[ACCELERATOR_CONGESTION]; /* of TCP towards the viewer; empty: none */
    /* Shut the process in: before there is another thread, and when all are there that it needs.
     * Nothing was read of either side before. */
    void (*confine_begin)(void);
    void (*confine_finish)(void);
};

/* Serves the viewer until one of the two has gone. False: it could not begin. */
bool pusher_run(const struct pusher_options *options);

#ifdef __cplusplus
}
#endif
#endif
