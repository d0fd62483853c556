/* A VNC server of the user who runs this: found, or named, and connected to. Never another user's:
 * whoever listens there would get the keys, and the proof of the password.
 *
 * In the beginning, before the process is confined. Waits for the connection, which is this
 * machine's.
 */
#ifndef VNCHL_ACCELERATOR_OWN_SERVER_H
#define VNCHL_ACCELERATOR_OWN_SERVER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "rfb/texts/reason.h"
#include "tools/accelerator/connection/targets.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who listens at which TCP port of this machine, from the text of /proc/net/tcp and tcp6. Pure.
 */

#define LISTENING_MAX 512

/* Sockets that somebody who connects to the loopback interface can reach. */
struct listening {
    int count;
    bool doubtful; /* there are more than LISTENING_MAX, or a line was not understood */
    struct listening_socket {
        uint16_t port;
        bool v6;
        struct in6_addr address; /* IPv4 is mapped into IPv6 */
        uid_t uid;               /* whose it is */
        uint64_t inode;          /* another socket has another one */
    } at[LISTENING_MAX];
};

/* Adds those of one file's text; `v6`: it is tcp6. Begin with all zero. */
void listening_add(struct listening *l, const char *text, bool v6);

/* What may be said of all sockets of a port. */
struct listening_port {
    int sockets;     /* 0: nobody listens */
    bool own;        /* all are the user's, */
    bool trusted;    /* or the user's and root's */
    bool v4;         /* 127.0.0.1 leads there, as far as can be seen; else ::1 */
    uint64_t inodes; /* their sum: another one when a socket has been replaced */
};

struct listening_port listening_at(const struct listening *l, uint16_t port, uid_t uid);

/* Where servers are looked for: displays 0 to 99. */
#define OWN_SERVER_PORT_FIRST 5900
#define OWN_SERVER_PORT_LAST  5999

/* The one port at which a server of this user listens. False, with a reason: there is none, or
 * there are several. */
bool own_server_find(const struct listening *l, uid_t uid, uint16_t *port, struct reason *why);

/* Connects to the server that is named (as address_parse() takes it), which root may have started,
 * or to the one that is found (NULL). NULL with a reason. */
struct target *own_server_connect(const char *name, struct reason *why);

#ifdef __cplusplus
}
#endif
#endif
