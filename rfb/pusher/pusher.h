/* The far end of a viewer that takes blocks (rfb/proto/blocks.h): it stands between the viewer and
 * its own connection to the server, pulls the server's picture as a viewer nearby would, and pushes
 * what changed. All else that the two say to each other is passed on.
 *
 * It runs in a process of its own, one for each viewer, which is confined (the program
 * vnchl-session, rfb/worker/confined/main.c). Both connections are behind their handshakes.
 */
#ifndef VNCHL_PUSHER_H
#define VNCHL_PUSHER_H

#include <stdbool.h>

#include "prerequest/tick.h"
#include "rfb/proto/server_messages.h"
#include "rfb/texts/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pusher_options {
    int server, viewer;                      /* stream sockets; the pusher closes them */
    bool near;                               /* the server is a process of this machine */
    int width, height;                       /* of its screen, as ServerInit said */
    char congestion[ACCELERATOR_CONGESTION]; /* of TCP towards the viewer; empty: none */
    /* Datagrams follow Octopus's rules (prerequest/push/octopus.h), with this U, ns; 0: it follows
     * the bandwidth. */
    bool octopus;
    tick_t interval;
    /* A viewer that has gone without a goodbye may come again within this time; 0: it may not. */
    tick_t keep;
    /* How another viewer comes, which takes the place of one that is there: a SOCK_SEQPACKET socket
     * by which the keeper speaks (rfb/pusher/words.h). When its other end is closed all ends. -1:
     * none comes. The pusher closes it. */
    int newcomers;
    /* How the first viewer comes to datagrams (rfb/pusher/words.h): a SOCK_SEQPACKET socket, in
     * which the opening waits already. -1: none. The pusher closes it. */
    int door;
    /* Shut the process in: before there is another thread, and when all are there that it needs.
     * Nothing was read of either side before. */
    void (*confine_begin)(void);
    void (*confine_finish)(void);
};

/* Serves the viewer until it has gone for good, or the server has gone. False: it could not begin.
 * `why` says how the server has gone, what the viewer did wrong, or what was missing. It is empty
 * where only the viewer has gone.
 *
 * While no viewer is there the keys and buttons that it held down are released, the server is asked
 * for no pictures and no sound, and what it says is read. */
bool pusher_run(const struct pusher_options *options, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
