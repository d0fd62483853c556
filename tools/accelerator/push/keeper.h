/* Keeps a far end that pushes when its viewer has gone: it lets in the viewer that comes next under
 * the same token, and hands it on, with a door for its datagrams (tools/accelerator/ssh/resume.h).
 * It reads nothing of what viewers or servers say, but for a ticket that the viewer uses which
 * comes again (tools/accelerator/push/ticket_door.h).
 *
 * Only processes of the same user are let in: these could do all that the viewer can anyway.
 *
 * It runs in the process of the spawner, once that has started the one process that pushes. So it
 * outlives the accelerator, which ends with ssh.
 */
#ifndef VNCHL_ACCELERATOR_KEEPER_H
#define VNCHL_ACCELERATOR_KEEPER_H

#include <stdbool.h>

#include "rfb/framing/handshake_framing.h"
#include "rfb/reason.h"
#include "tools/accelerator/push/rendezvous.h"
#include "tools/accelerator/push/ticket_door.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the viewer's tickets are used. */
struct keeper_way {
    bool tickets;                          /* there are some */
    struct sockaddr_storage local, viewer; /* the addresses of both, as ssh has found them */
    struct door_ports ports;
};

struct keeper {
    struct rendezvous rendezvous;
    struct ticket_door tickets;
    int pusher;       /* to the process that pushes: closed by it when all has ended */
    int comes;        /* who has come, and has not said with what; -1: nobody */
    int signals;      /* signalfd of those that end it */
    const char *name; /* the server's, which a viewer is told; outlives it */
};

/* Begins under this token. Where there is no port for tickets there are none. `newcomers` is for
 * the process that pushes (rfb/pusher/pusher.h), and the caller's to close. False with a reason. */
bool keeper_begin(struct keeper *k, const char *token, const char *name,
                  const struct keeper_way *way, int *newcomers, struct reason *why);

/* Runs until the process that pushes has ended, or a signal or the accelerator ends it. Then
 * nothing is left. `accelerator`: a SOCK_SEQPACKET socket to it. */
void keeper_run(struct keeper *k, int accelerator);

#ifdef __cplusplus
}
#endif
#endif
