#include "rfb/worker/paths.h"

#include "rfb/net/sockets/datagram_socket.h"

void paths_follow(struct paths *p, int fd, bool straight)
{
    p->known = straight && datagram_socket_host(fd, &p->host);
}

void paths_lead(struct paths *p, const struct sockaddr_storage *host)
{
    p->known = true;
    p->host = *host;
}

int paths_open(struct paths *p, uint16_t port, tick_t now)
{
    bool other = port != p->port;

    if (!p->known || (other && p->ports >= PATHS_PORTS) ||
        (p->port > 0 && now - p->opened_at < PATHS_PERIOD))
        return -1;
    p->ports += other;
    p->port = port;
    p->opened_at = now;
    return datagram_socket_open(&p->host, port);
}
