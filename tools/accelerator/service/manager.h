/* What the service manager (systemd) and this program tell each other: sockets that it has opened,
 * that we are ready, that we are alive. Without libsystemd, or where nobody has started us so,
 * nothing happens.
 */
#ifndef VNCHL_ACCELERATOR_MANAGER_H
#define VNCHL_ACCELERATOR_MANAGER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A listening socket that was opened for this address, once; -1: there is none. */
int manager_socket(const struct sockaddr_storage *address);

void manager_ready(unsigned ports);
void manager_reloading(void);
void manager_stopping(void);
void manager_alive(unsigned clients);

/* How often it wants to hear that we are alive, ms; 0: it does not. */
uint64_t manager_beat(void);

#ifdef __cplusplus
}
#endif
#endif
