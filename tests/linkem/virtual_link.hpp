// The link of vnchl-linkem between two hosts that are sockets, in virtual time: nothing moves
// unless the test says so, and every time is exact.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

extern "C" {
#include "tools/linkem/link/link.h"
}

inline tick_t virtual_now = 0;

inline tick_t virtual_clock()
{
    return virtual_now;
}

struct Arrival {
    uint32_t number;
    tick_t sent, at;
};

class VirtualLink
{
  public:
    static constexpr uint32_t MTU = 1500, SHORTEST = 40;
    using Settings = std::initializer_list<std::pair<const char *, const char *>>;

    // Names and values of options, without the dashes; `later` as --at takes them.
    explicit VirtualLink(Settings settings, std::initializer_list<const char *> later = {},
                         bool reorder = false, uint64_t seed = 1)
    {
        int client[2], server[2];
        virtual_now = 0;
        for (int *pair : {client, server})
            REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) ==
                    0);
        host[LINKEM_UP] = client[1];
        host[LINKEM_DOWN] = server[1];
        tun[LINKEM_UP] = client[0];
        tun[LINKEM_DOWN] = server[0];
        for (auto [name, value] : settings)
            REQUIRE(linkem_changes_add(&changes, name, name, value, LINKEM_AT_START));
        for (const char *text : later)
            REQUIRE(linkem_changes_add_later(&changes, text));
        linkem_changes_sort(&changes);
        linkem_link_init(&link, client[0], server[0], MTU, &changes, reorder, seed, virtual_clock);
        linkem_link_begin(&link, 0);
    }
    ~VirtualLink()
    {
        linkem_link_deinit(&link);
        for (int way : {LINKEM_UP, LINKEM_DOWN}) {
            close(host[way]);
            close(tun[way]);
        }
    }
    VirtualLink(const VirtualLink &) = delete;
    VirtualLink &operator=(const VirtualLink &) = delete;

    // The host that sends in this direction does so now; the link reads it at once unless told to
    // be late.
    void send(linkem_direction way, uint32_t number, uint32_t bytes = MTU, bool read = true,
              unsigned char to = 10, unsigned char protocol = IPPROTO_TCP)
    {
        std::vector<unsigned char> data(bytes, 0);
        data[0] = 0x45; // IPv4
        data[9] = protocol;
        data[16] = to; // the first byte of the destination's address
        memcpy(&data[20], &number, sizeof number);
        memcpy(&data[24], &virtual_now, sizeof virtual_now);
        REQUIRE(write(host[way], data.data(), bytes) == static_cast<ssize_t>(bytes));
        if (read)
            linkem_link_read(&link, way);
    }
    // The link has its turn now. When it wants the next one.
    tick_t turn()
    {
        tick_t next = linkem_link_deliver(&link);
        for (int way : {LINKEM_UP, LINKEM_DOWN}) {
            unsigned char data[MTU];
            while (recv(host[1 - way], data, sizeof data, 0) > 0) {
                Arrival a{0, 0, virtual_now};
                memcpy(&a.number, data + 20, sizeof a.number);
                memcpy(&a.sent, data + 24, sizeof a.sent);
                arrived[way].push_back(a);
            }
        }
        return next;
    }
    // Time goes on; the link always has its turn when it wants it.
    void run_until(tick_t end)
    {
        for (tick_t next; (next = turn()) <= end;)
            virtual_now = std::max(virtual_now, next);
        virtual_now = end;
    }
    const linkem_count &count(linkem_direction way) const
    {
        return link.ways[way].count;
    }

    linkem_changes changes{};
    linkem_link link{};
    std::vector<Arrival> arrived[LINKEM_DIRECTIONS];

  private:
    int host[LINKEM_DIRECTIONS]; // by the direction in which it sends
    int tun[LINKEM_DIRECTIONS];
};
