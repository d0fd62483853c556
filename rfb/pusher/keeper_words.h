/* What a keeper (tools/accelerator/keeper.h) tells the process that pushes, by a SOCK_SEQPACKET
 * socket: a letter, what goes with it, and descriptors. Both are of the same build.
 */
#ifndef VNCHL_KEEPER_WORDS_H
#define VNCHL_KEEPER_WORDS_H

/* A viewer comes. The server's name follows; with its connection, and its door
 * (rfb/datagrams/door.h) if it has one. */
#define KEEPER_VIEWER 'v'
/* A ticket for the visit behind the one that is there, or comes next: struct door_opening follows.
 * Port 0: there is none. The one before is void. */
#define KEEPER_TICKET 't'
/* The ticket was used: a byte follows, 1 if a viewer of this host has been there before, and two
 * with how often he had tried it before, the higher one first; with a UDP socket that is connected
 * to who has used it. */
#define KEEPER_USED       'u'
#define KEEPER_USED_BYTES 4

#endif
