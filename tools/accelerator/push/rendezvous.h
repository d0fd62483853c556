/* Where a far end that is kept is found again: a Unix socket in a folder of this user alone,
 * $XDG_RUNTIME_DIR/vnchl, whose name is the viewer's token. Both sides look who the other one is.
 *
 * Not for a process that is confined.
 */
#ifndef VNCHL_ACCELERATOR_RENDEZVOUS_H
#define VNCHL_ACCELERATOR_RENDEZVOUS_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "rfb/net/far_end.h"
#include "rfb/reason.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Far ends of a user that are kept at a time. */
#define RENDEZVOUS_MOST 8

struct rendezvous {
    int folder, listener; /* -1: none */
    char token[FAR_END_TOKEN + 1];
    ino_t inode; /* of the socket's file, which another one may have replaced */
};

/* Whether this is a token: FAR_END_TOKEN hexadecimal digits. */
bool rendezvous_takes(const char *token);

/* Listens under this token. What a killed process has left there is replaced. False, with a
 * reason: nothing can be kept. */
bool rendezvous_begin(struct rendezvous *r, const char *token, struct reason *why);
/* Takes the file away. */
void rendezvous_end(struct rendezvous *r);

/* The next one who comes, and is this user: a socket to it; -1: somebody else, or nobody. */
int rendezvous_accept(const struct rendezvous *r);
/* What it has come with: its viewer's connection, and the end of a door for datagrams; -1: there is
 * none. *known: at `from` is its viewer, who may have a ticket. False: it has not said that yet. */
bool rendezvous_hear(int fd, int fds[2], struct sockaddr_storage *from, bool *known);

/* Connects to who keeps a far end under this token. -1: there is none. */
int rendezvous_find(const char *token);
/* Hands it one end of the viewer's connection, and of a door (rfb/pusher/words.h) unless that is
 * -1. Both stay the caller's. `from`: where the viewer is, who may have a ticket; NULL: he gets
 * none. False: it has gone. */
bool rendezvous_come(int fd, int viewer, int door, const struct sockaddr_storage *from);
/* Waits until the far end has said something on the other end. One that ends says nothing, and one
 * that does not keep is silent. */
bool rendezvous_speaks(int viewer);

#ifdef __cplusplus
}
#endif
#endif
