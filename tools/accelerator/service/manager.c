#include "tools/accelerator/service/manager.h"

#ifdef VNCHL_SYSTEMD

#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <time.h>
#include <unistd.h>

static bool manager_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    const struct sockaddr_in *a4 = (const void *)a, *b4 = (const void *)b;
    const struct sockaddr_in6 *a6 = (const void *)a, *b6 = (const void *)b;

    if (a->ss_family != b->ss_family)
        return false;
    if (a->ss_family == AF_INET)
        return a4->sin_port == b4->sin_port && a4->sin_addr.s_addr == b4->sin_addr.s_addr;
    return a6->sin6_port == b6->sin6_port &&
           memcmp(&a6->sin6_addr, &b6->sin6_addr, sizeof a6->sin6_addr) == 0;
}

int manager_socket(const struct sockaddr_storage *address)
{
    int count = sd_listen_fds(0);

    for (int fd = SD_LISTEN_FDS_START; fd < SD_LISTEN_FDS_START + count; fd++) {
        struct sockaddr_storage own = {0};
        socklen_t size = sizeof own;

        if (getsockname(fd, (struct sockaddr *)&own, &size) == 0 && manager_same(&own, address)) {
            /* one that was closed since may come again after a reload: a copy stays */
            return fcntl(fd, F_DUPFD_CLOEXEC, SD_LISTEN_FDS_START + count);
        }
    }
    return -1;
}

void manager_ready(unsigned ports)
{
    sd_notifyf(0, "READY=1\nSTATUS=Listening on %u port%s", ports, ports == 1 ? "" : "s");
}

void manager_reloading(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%lld",
               (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
}

void manager_stopping(void)
{
    sd_notify(0, "STOPPING=1");
}

void manager_alive(unsigned clients)
{
    sd_notifyf(0, "WATCHDOG=1\nSTATUS=%u client%s", clients, clients == 1 ? "" : "s");
}

uint64_t manager_beat(void)
{
    uint64_t us = 0;

    return sd_watchdog_enabled(0, &us) > 0 ? us / 3000 : 0;
}

#else

int manager_socket(const struct sockaddr_storage *address)
{
    (void)address;
    return -1;
}

void manager_ready(unsigned ports)
{
    (void)ports;
}

void manager_reloading(void) {}

void manager_stopping(void) {}

void manager_alive(unsigned clients)
{
    (void)clients;
}

uint64_t manager_beat(void)
{
    return 0;
}

#endif
