/* One port that is listened on, for viewers or for who asks for figures. Only the loop's thread.
 *
 * When there is no descriptor left, a spare one is given up for a moment, so that who comes can be
 * sent away. Where that is lost, too, all ports rest until it is regained: one that is listened on
 * and not accepted from would keep the loop busy.
 */
#ifndef VNCHL_ACCELERATOR_LISTENER_H
#define VNCHL_ACCELERATOR_LISTENER_H

#include "tools/accelerator/service/service.h"

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

/* Accepts again, if it had stopped. */
void listener_goes_on(struct listener *l);

/* A descriptor that is of no use but to be given up. -1: there are none left. */
int listener_spare(void);

/* The service's timer: the ports rest no more if the spare descriptor is there. */
void listener_rested(uv_timer_t *timer);

#ifdef __cplusplus
}
#endif
#endif
