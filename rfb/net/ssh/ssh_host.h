/* Where ssh goes to: for what goes beside it, such as datagrams.
 *
 * Only where it goes there by itself. A jump host, or a program that makes the connection, may be
 * the only way, or may have been chosen so that nobody sees another one.
 */
#ifndef VNCHL_SSH_HOST_H
#define VNCHL_SSH_HOST_H

#include <stdbool.h>
#include <sys/socket.h>

#include "prerequest/tick.h"
#include "rfb/net/ssh/gateway.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first address of the gateway's host, as ssh's configuration names it (`ssh -G`). False: there
 * is none, or ssh does not go there by itself; after `deadline`; or `cancel_fd` became readable. */
bool ssh_host(const struct gateway *gateway, tick_t deadline, int cancel_fd,
              struct sockaddr_storage *host);

/* Finds the name of the host in what `ssh -G` says, which is cut into lines. NULL: there is
 * none, or ssh does not go there by itself. */
const char *ssh_host_name(char *said);

#ifdef __cplusplus
}
#endif
#endif
