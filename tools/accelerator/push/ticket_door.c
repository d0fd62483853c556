#include "tools/accelerator/push/ticket_door.h"

#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* Packets in a row, before others have their turn. */
#define TICKET_DOOR_PACKETS 32
/* Where the tries stand in a packet's number: it begins with 2^32 times as many. */
#define TICKET_DOOR_TRIES (SEALED_HEAD - 6)

bool ticket_door_open(struct ticket_door *t, const struct sockaddr_storage *local,
                      const struct door_ports *ports, struct reason *why)
{
    *t = (struct ticket_door){.udp = -1};
    t->udp = door_socket_open(local, ports, &t->port, why);
    return t->udp >= 0;
}

static void ticket_door_void(struct ticket_door *t)
{
    opener_destroy(t->opener);
    t->opener = NULL;
}

void ticket_door_close(struct ticket_door *t)
{
    ticket_door_void(t);
    if (t->udp >= 0)
        close(t->udp);
    t->udp = -1;
}

void ticket_door_issue(struct ticket_door *t, const struct sockaddr_storage *viewer,
                       struct door_opening *out)
{
    *out = (struct door_opening){.port = 0};
    ticket_door_void(t);
    if (t->udp < 0 || !viewer ||
        getrandom(out->secret, sizeof out->secret, 0) != (ssize_t)sizeof out->secret)
        return;
    t->opener = opener_create(out->secret, SEALED_HELLO);
    if (!t->opener)
        return;
    door_socket_plain(viewer, &t->viewer);
    out->port = t->port;
}

/* Whether the ticket was used by who is at `from`. False, and *none: nothing has come. */
static bool ticket_door_take(struct ticket_door *t, struct sockaddr_storage *from, socklen_t *size,
                             uint16_t *tries, bool *none)
{
    uint8_t packet[SEALED_MAX], body[SEALED_BODY_MAX];
    size_t body_size;
    bool newest;
    ssize_t n;

    *size = sizeof *from;
    n = recvfrom(t->udp, packet, sizeof packet, MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)from,
                 size);
    *none = n < 0;
    *tries = n >= SEALED_HEAD
                 ? (uint16_t)(packet[TICKET_DOOR_TRIES] << 8 | packet[TICKET_DOOR_TRIES + 1])
                 : 0;
    return n > 0 && (size_t)n <= sizeof packet && t->opener &&
           opener_open(t->opener, packet, (size_t)n, body, &body_size, &newest);
}

int ticket_door_read(struct ticket_door *t, struct ticket_use *use)
{
    for (int i = 0; i < TICKET_DOOR_PACKETS; i++) {
        struct sockaddr_storage from;
        socklen_t size;
        bool none;

        if (ticket_door_take(t, &from, &size, &use->tries, &none)) {
            int fd = door_socket_connect(t->udp, &from, size);

            if (fd >= 0) /* else the next hello tries it again */
                ticket_door_void(t);
            use->proved = door_socket_same_host(&t->viewer, &from);
            return fd;
        }
        if (none)
            break;
        t->refused++;
    }
    return -1;
}
