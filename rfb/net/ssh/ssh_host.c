#include "rfb/net/ssh/ssh_host.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rfb/net/address/lookup.h"
#include "rfb/net/ssh/child.h"
#include "rfb/system/clock.h"

/* Bytes of what `ssh -G` says; it says about 5,000. */
#define SSH_HOST_SAYS (32u << 10)

const char *ssh_host_name(char *said)
{
    const char *name = NULL;
    char *rest = NULL;

    for (char *line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "proxyjump ", 10) == 0 || strncmp(line, "proxycommand ", 13) == 0)
            return NULL;
        if (strncmp(line, "hostname ", 9) == 0)
            name = line + 9;
    }
    return name;
}

/* Reads up to the end. False: there is too much, or no time. */
static bool ssh_host_read(int fd, char said[SSH_HOST_SAYS], tick_t deadline, int cancel_fd)
{
    struct pollfd p[2] = {{fd, POLLIN, 0}, {cancel_fd, POLLIN, 0}};
    size_t used = 0;

    while (used < SSH_HOST_SAYS - 1) {
        tick_t left_ns = deadline - tick_now();
        struct timespec left = tick_to_timespec(left_ns);
        ssize_t n;

        if (left_ns <= 0 || ppoll(p, 2, &left, NULL) <= 0 || p[1].revents)
            return false;
        n = read(fd, said + used, SSH_HOST_SAYS - 1 - used);
        if (n < 0)
            return false;
        used += (size_t)n;
        said[used] = '\0';
        if (n == 0)
            return true;
    }
    return false;
}

/* What ssh would do for this host. */
static bool ssh_host_ask(const struct gateway *gateway, char said[SSH_HOST_SAYS], tick_t deadline,
                         int cancel_fd)
{
    const char *const argv[] = {"ssh", "-G", "--", gateway->host, NULL};
    char **environment = child_environment(NULL, 0);
    struct child_options options = {.name = "ssh", .argv = argv, .environment = environment};
    struct child *child = NULL;
    struct reason never;
    int pair[2];
    bool ok = false;

    if (environment && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        options.io = pair[1];
        child = child_start(&options, &never);
        close(pair[1]);
        ok = child && ssh_host_read(pair[0], said, deadline, cancel_fd);
        close(pair[0]);
    }
    child_destroy(child, 0);
    free(environment);
    return ok;
}

bool ssh_host(const struct gateway *gateway, tick_t deadline, int cancel_fd,
              struct sockaddr_storage *host)
{
    struct address a = {.port = 1}; /* any: only the host counts */
    struct addrinfo *found = NULL;
    struct reason never;
    char *said = malloc(SSH_HOST_SAYS);
    const char *name = NULL;
    bool ok;

    if (said && ssh_host_ask(gateway, said, deadline, cancel_fd))
        name = ssh_host_name(said);
    ok = name && strlen(name) < sizeof a.host;
    if (ok)
        memcpy(a.host, name, strlen(name) + 1);
    free(said);
    ok = ok && lookup(&a, deadline, cancel_fd, &found, &never);
    if (ok) {
        memset(host, 0, sizeof *host);
        memcpy(host, found->ai_addr, found->ai_addrlen);
        freeaddrinfo(found);
    }
    return ok;
}
