#include "rfb/worker/paths.h"

#include "rfb/net/datagram_socket.h"

void paths_follow(struct paths *p, int fd, bool straight, tick_t now)
{
    p->known = straight && datagram_socket_host(fd, &p->host);
    if (!p->begun)
        p->since = now;
    p->begun = true;
}

int paths_open(struct paths *p, uint16_t port, tick_t now)
{
    if (!p->known || p->opened >= PATHS_MAX || (tick_t)p->opened * PATHS_PERIOD > now - p->since)
        return -1;
    p->opened++;
    return datagram_socket_open(&p->host, port);
}
