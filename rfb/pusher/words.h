/* What vnchl-accel says to the process that pushes, which is a far end: the words that start it,
 * what a keeper tells it later, and how it gets a way to its viewer as datagrams. Both are of the
 * same build: another one refuses to start.
 */
#ifndef VNCHL_PUSHER_WORDS_H
#define VNCHL_PUSHER_WORDS_H

#include <stdint.h>

#include "rfb/datagrams/sealed.h"

/* ---- the words behind the name of vnchl-session ---- */

/* Where each stands. */
enum push_word {
    PUSH_AT_PUSH,
    PUSH_AT_VERSION,    /* PUSH_VERSION */
    PUSH_AT_SERVER,     /* PUSH_SERVER_NEAR or ..._FAR: of this machine, or not */
    PUSH_AT_SIZE,       /* of the screen: 1024x768 */
    PUSH_AT_CONGESTION, /* TCP's towards the viewer; may be empty */
    PUSH_AT_KEEP,       /* seconds; not 0: newcomers come by the third descriptor */
    PUSH_AT_DOOR,       /* PUSH_DOOR: the fourth is one (below); or PUSH_NO_DOOR */
    PUSH_AT_POLICY,     /* PUSH_AUTO; or PUSH_OCTOPUS and U in ms, 0: it follows the bandwidth */
    PUSH_WORDS
};

#define PUSH_WORD        "push"
#define PUSH_VERSION     "5"
#define PUSH_SERVER_NEAR "near"
#define PUSH_SERVER_FAR  "far"
#define PUSH_DOOR        "door"
#define PUSH_NO_DOOR     "-"
#define PUSH_AUTO        "auto"
#define PUSH_OCTOPUS     "octopus:"

/* ---- the keeper (tools/accelerator/push/keeper.h) ---- */

/* By a SOCK_SEQPACKET socket: a letter, what goes with it, and descriptors. */

/* A viewer comes. The server's name follows; with its connection, and its door (below) if it has
 * one. */
#define KEEPER_VIEWER 'v'
/* A ticket for the visit behind the one that is there, or comes next: struct door_opening follows.
 * Port 0: there is none. The one before is void. */
#define KEEPER_TICKET 't'
/* The ticket was used: a byte follows, 1 if a viewer of this host has been there before, and two
 * with how often he had tried it before, the higher one first; with a UDP socket that is connected
 * to who has used it. */
#define KEEPER_USED       'u'
#define KEEPER_USED_BYTES 4

/* ---- the door: a SOCK_SEQPACKET socket to vnchl-accel, which has the network ---- */

/* The first message. Each later one brings the descriptor of a UDP socket that is connected to the
 * viewer. A newer one takes the place of the one before: the viewer's address has changed. */
struct door_opening {
    uint8_t secret[SEALED_SECRET];
    uint16_t port; /* at which hellos are awaited */
};

#endif
