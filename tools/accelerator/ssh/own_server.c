#include "tools/accelerator/ssh/own_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tools/accelerator/transport/leg.h"

/* ---- sockets of this machine ---- */

#define STATE_LISTEN 0x0a

/* The kernel writes an address as words of 32 bits, each as this machine has it in memory. */
static bool listening_address(const char *hex, bool v6, struct in6_addr *out)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    uint32_t words[4];
    int count = v6 ? 4 : 1;

    if (strlen(hex) != (size_t)count * 8)
        return false;
    for (int i = 0; i < count; i++)
        if (sscanf(hex + 8 * i, "%8" SCNx32, &words[i]) != 1)
            return false;
    if (v6) {
        memcpy(out, words, sizeof *out);
    } else {
        memcpy(out->s6_addr, mapped, sizeof mapped);
        memcpy(out->s6_addr + 12, words, 4);
    }
    return true;
}

static bool listening_is_reached(const struct in6_addr *a)
{
    uint32_t v4;

    memcpy(&v4, a->s6_addr + 12, sizeof v4);
    if (IN6_IS_ADDR_V4MAPPED(a))
        return v4 == htonl(INADDR_ANY) || v4 == htonl(INADDR_LOOPBACK);
    return IN6_IS_ADDR_UNSPECIFIED(a) || IN6_IS_ADDR_LOOPBACK(a);
}

/* False: the line is not as the kernel writes them. */
static bool listening_line(struct listening *l, const char *line, bool v6)
{
    struct listening_socket s = {.v6 = v6};
    unsigned port, state, uid;
    char address[33];

    if (sscanf(line,
               " %*d: %32[0-9A-Fa-f]:%4x %*32[0-9A-Fa-f]:%*4x %2x %*x:%*x %*x:%*x %*x %u %*u "
               "%" SCNu64,
               address, &port, &state, &uid, &s.inode) != 5 ||
        !listening_address(address, v6, &s.address))
        return false;
    s.port = (uint16_t)port;
    s.uid = uid;
    if (state != STATE_LISTEN || !listening_is_reached(&s.address))
        return true;
    if (l->count == LISTENING_MAX)
        return false;
    l->at[l->count++] = s;
    return true;
}

void listening_add(struct listening *l, const char *text, bool v6)
{
    const char *line = strchr(text, '\n'); /* behind the head */

    for (; line && line[1]; line = strchr(line + 1, '\n'))
        if (!listening_line(l, line + 1, v6))
            l->doubtful = true;
}

struct listening_port listening_at(const struct listening *l, uint16_t port, uid_t uid)
{
    struct listening_port p = {.own = true, .trusted = true};

    for (int i = 0; i < l->count; i++) {
        const struct listening_socket *s = &l->at[i];

        if (s->port != port)
            continue;
        p.sockets++;
        p.own = p.own && s->uid == uid;
        p.trusted = p.trusted && (s->uid == uid || s->uid == 0);
        /* one of IPv6's for all addresses takes IPv4, too, unless it says otherwise */
        p.v4 = p.v4 || !s->v6 || IN6_IS_ADDR_UNSPECIFIED(&s->address);
        p.inodes += s->inode;
    }
    return p;
}

/* Of /proc/net/tcp. What is beyond is not looked at, and then nothing is believed. */
#define TABLE_MOST ((size_t)32 << 20)

/* ms for a connection within this machine. Only a server that accepts nobody takes so long. */
#define CONNECT_LIMIT 5000

/* ---- who listens ---- */

/* The file's text. NULL: it cannot be read, or is larger than that. The caller frees it. */
static char *own_server_table(const char *path)
{
    FILE *f = fopen(path, "re");
    char *text = f ? malloc(TABLE_MOST) : NULL;
    size_t size = text ? fread(text, 1, TABLE_MOST, f) : 0;

    if (f)
        fclose(f);
    if (size > 0 && size < TABLE_MOST) {
        text[size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

static bool own_server_look(struct listening *l, struct reason *why)
{
    char *v4 = own_server_table("/proc/net/tcp"), *v6 = own_server_table("/proc/net/tcp6");
    bool readable = v4 != NULL; /* there is no tcp6 without IPv6 */

    memset(l, 0, sizeof *l);
    if (v4)
        listening_add(l, v4, false);
    if (v6)
        listening_add(l, v6, true);
    free(v4);
    free(v6);
    return (readable && !l->doubtful) ||
           reason_set(why, "/proc/net/tcp does not tell here whose VNC servers run");
}

/* ---- which one ---- */

static const char *own_server_user(uid_t uid)
{
    const struct passwd *p = getpwuid(uid);

    return p ? p->pw_name : "this user";
}

bool own_server_find(const struct listening *l, uid_t uid, uint16_t *port, struct reason *why)
{
    char all[160] = "";
    int found = 0;

    for (int p = OWN_SERVER_PORT_FIRST; p <= OWN_SERVER_PORT_LAST; p++) {
        struct listening_port at = listening_at(l, (uint16_t)p, uid);
        size_t used = strlen(all);

        if (at.sockets == 0 || !at.own)
            continue;
        *port = (uint16_t)p;
        snprintf(all + used, sizeof all - used, "%s:%d", found++ ? ", " : "",
                 p - OWN_SERVER_PORT_FIRST);
    }
    if (found > 1)
        return reason_set(why, "%s has %d VNC servers here (%s): name one as ADDRESS",
                          own_server_user(uid), found, all);
    return found == 1 ||
           reason_set(
               why,
               "%s has no VNC server here: start one, such as tigervncserver (a new desktop) "
               "or x0vncserver, x11vnc or wayvnc (the screen's), or name one as ADDRESS",
               own_server_user(uid));
}

/* ---- the connection ---- */

/* The socket; -1 with a reason. */
static int own_server_reach(const struct sockaddr *address, socklen_t size, const char *name,
                            struct reason *why)
{
    bool connected = false;
    int fd = leg_connect(address, size, &connected), error = fd < 0 ? errno : 0;
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    socklen_t length = sizeof error;

    if (fd >= 0 && !connected && poll(&ready, 1, CONNECT_LIMIT) <= 0)
        error = ETIMEDOUT;
    else if (fd >= 0 && !connected)
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    reason_set(why, "cannot connect to the VNC server at %s: %s", name, strerror(error));
    return -1;
}

static struct target *own_server_target(int fd, const struct sockaddr *address, socklen_t size,
                                        const char *name, struct reason *why)
{
    struct target *t = target_connected(fd, address, size, name);

    if (!t)
        reason_set(why, "out of memory");
    return t;
}

/* Before and after, the port has the same sockets: so it is one of these that was reached. */
static struct target *own_server_at_port(const struct listening_port *before, uint16_t port,
                                         const char *name, struct reason *why)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    const struct sockaddr *address = before->v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
    socklen_t size = before->v4 ? sizeof v4 : sizeof v6;
    struct listening *l = malloc(sizeof *l);
    int fd;

    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = l ? own_server_reach(address, size, name, why) : -1;
    if (!l)
        reason_set(why, "out of memory");
    if (fd >= 0 &&
        (!own_server_look(l, why) || listening_at(l, port, geteuid()).inodes != before->inodes)) {
        reason_set(why, "the server at %s was replaced meanwhile: try again", name);
        close(fd);
        fd = -1;
    }
    free(l);
    return fd >= 0 ? own_server_target(fd, address, size, name, why) : NULL;
}

/* ---- TCP ---- */

static bool own_server_may_be(const struct listening_port *p, bool named, const char *name,
                              struct reason *why)
{
    if (p->sockets == 0)
        return reason_set(why, "no VNC server listens at %s", name);
    return p->own || (named && p->trusted) ||
           reason_set(why,
                      "the server at %s is another user's: only one that %s or root has started "
                      "is connected to",
                      name, own_server_user(geteuid()));
}

static bool own_server_choose(const struct listening *l, const struct address *a, uint16_t *port,
                              struct reason *why)
{
    if (!a)
        return own_server_find(l, geteuid(), port, why);
    *port = a->port;
    return address_is_localhost(a->host) ||
           reason_set(why,
                      "'%s' is not this machine: --stdio takes a server that runs here, such "
                      "as :1",
                      a->host);
}

/* `a`: NULL, it is to be found. */
static struct target *own_server_tcp(const struct address *a, struct reason *why)
{
    struct listening *l = malloc(sizeof *l);
    struct listening_port at;
    struct target *t = NULL;
    char name[32];
    uint16_t port;

    if (!l) {
        reason_set(why, "out of memory");
    } else if (own_server_look(l, why) && own_server_choose(l, a, &port, why)) {
        at = listening_at(l, port, geteuid());
        snprintf(name, sizeof name, "port %u", (unsigned)port);
        if (own_server_may_be(&at, a != NULL, name, why))
            t = own_server_at_port(&at, port, name, why);
    }
    free(l);
    return t;
}

/* ---- Unix sockets ---- */

/* The kernel says who has begun to listen. */
static bool own_server_is_peer_ours(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
}

static struct target *own_server_unix(const char *path, struct reason *why)
{
    struct sockaddr_un u = {.sun_family = AF_UNIX};
    int fd;

    snprintf(u.sun_path, sizeof u.sun_path, "%s", path);
    fd = own_server_reach((struct sockaddr *)&u, sizeof u, path, why);
    if (fd < 0)
        return NULL;
    if (own_server_is_peer_ours(fd))
        return own_server_target(fd, (struct sockaddr *)&u, sizeof u, path, why);
    close(fd);
    reason_set(why,
               "the server at %s is another user's: only one that %s or root has started is "
               "connected to",
               path, own_server_user(geteuid()));
    return NULL;
}

struct target *own_server_connect(const char *name, struct reason *why)
{
    struct address a;

    if (name && !address_parse(&a, name, why))
        return NULL;
    if (name && *a.path)
        return own_server_unix(a.path, why);
    return own_server_tcp(name ? &a : NULL, why);
}
