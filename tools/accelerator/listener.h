/* One port that is listened on. Only the loop's thread. */
#ifndef VNCHL_ACCELERATOR_LISTENER_H
#define VNCHL_ACCELERATOR_LISTENER_H

#include "tools/accelerator/service.h"

#ifdef __cplusplus
extern "C" {
#endif

struct listener {
    struct listener *next;
    struct service *service;
    int fd;
    uv_poll_t poll;
    struct sockaddr_storage address;
    const struct config_port *port; /* of the service's configuration */
};

/* Listens, on a socket that the service manager has opened if it has one for this address. NULL
 * with a reason. */
struct listener *listener_open(struct service *s, const struct config_port *port,
                               struct reason *why);

/* Listens no more, and frees itself. */
void listener_shut(struct listener *l);

#ifdef __cplusplus
}
#endif
#endif
