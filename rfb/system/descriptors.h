/* Messages that carry descriptors, from one process of ours to another, on a SOCK_SEQPACKET socket.
 */
#ifndef VNCHL_DESCRIPTORS_H
#define VNCHL_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In one message. */
#define DESCRIPTORS_MOST 3

/* Sends 1 to DESCRIPTORS_MOST of them, which stay the caller's, with a body of at least a byte.
 * Does not wait. False, with errno: it was not sent. */
bool descriptors_send(int fd, const void *body, size_t size, const int *fds, unsigned count);

/* Receives a message with at most so many; they are closed on exec. Returns the bytes of the body;
 * 0: nobody sends any more; -1 with errno. `flags` as of recv(). Those of `fds` that did not come
 * are -1; where more came, all are. */
ssize_t descriptors_receive(int fd, void *body, size_t size, int *fds, unsigned count, int flags);

#ifdef __cplusplus
}
#endif
#endif
