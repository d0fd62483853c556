/* Ports of this machine that a test names before somebody listens there, or at which nobody ever
 * does. Tests that run at the same time get different ones. */
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

namespace ports
{

/* Below the ports that the kernel gives to whoever connects: one of those may be taken again before
 * a server listens, or be the very port from which a test connects to nobody. */
constexpr unsigned FIRST = 10000, PER_PROCESS = 200, PROCESSES = 100;

/* The first port of those that are this process's as long as it lives. Of a name that is not in the
 * file system there is one, and the kernel takes it back from whoever has ended. */
inline unsigned own()
{
    static const unsigned first = [] {
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); /* kept open */
        const unsigned begin = static_cast<unsigned>(getpid());
        for (unsigned i = 0; fd >= 0 && i < PROCESSES; i++) {
            const unsigned number = (begin + i) % PROCESSES;
            sockaddr_un name = {};
            name.sun_family = AF_UNIX;
            const int size = snprintf(name.sun_path + 1, sizeof name.sun_path - 1,
                                      "vnchl-test-ports-%u", number);
            const size_t whole = offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(size);
            if (bind(fd, reinterpret_cast<sockaddr *>(&name), static_cast<socklen_t>(whole)) == 0)
                return FIRST + number * PER_PROCESS;
        }
        throw std::runtime_error("too many tests want ports");
    }();
    return first;
}

/* A TCP port nobody listens on right now (IPv4 loopback). One that was given before comes again
 * only after all others. */
inline uint16_t unused()
{
    static unsigned next;
    for (unsigned tries = 0; tries < PER_PROCESS; tries++) {
        const auto port = static_cast<uint16_t>(own() + next++ % PER_PROCESS);
        sockaddr_in a = {};
        a.sin_family = AF_INET;
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        a.sin_port = htons(port);
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const bool is_unused = fd >= 0 && bind(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0;
        if (fd >= 0)
            close(fd);
        if (is_unused)
            return port;
    }
    throw std::runtime_error("no free port");
}

} // namespace ports
