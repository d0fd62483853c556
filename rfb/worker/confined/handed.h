/* A connection that the viewer has made and handed over, as a transport (rfb/net/transport.h).
 *
 * It reads and writes the socket. The limits of the receive window come with it, because this
 * process may not read them. On a way through ssh it counts the bytes itself. Why the connection
 * has ended it asks the viewer, which runs ssh.
 */
#ifndef VNCHL_HANDED_H
#define VNCHL_HANDED_H

#include "rfb/net/transport.h"
#include "rfb/worker/worker_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is told to the viewer, and asked. Threads of the session call these. */
struct handed_owner {
    void (*heard)(void); /* the server has sent its first bytes */
    bool (*explain)(struct reason *why);
};

/* Takes over the connected socket. NULL when out of memory; the socket is closed then. */
struct transport *handed_create(int fd, const struct worker_link *link,
                                const struct handed_owner *owner);

#ifdef __cplusplus
}
#endif
#endif
