#include "tools/accelerator/ssh/listening.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
