/* A viewer's first words by datagram, to a real vnchl-accel. */
#pragma once

#include <arpa/inet.h>

#include "rfb/datagrams/sealed.h"
#include "rfb/proto/server_messages.h"
#include "tests/accelerator/pushing.hpp"

namespace accelerator
{

inline accelerator_shown shown(const BlockClient &client)
{
    accelerator_shown out;
    server_read_accelerator(client.seen.accelerator.c_str(), &out);
    return out;
}

/* A socket that leads to a port of this machine. */
struct Udp {
    explicit Udp(uint16_t port)
    {
        sockaddr_in a = {};
        a.sin_family = AF_INET;
        a.sin_port = htons(port);
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
    }
    ~Udp()
    {
        close(fd);
    }
    Udp(const Udp &) = delete;
    Udp &operator=(const Udp &) = delete;
    /* False: the one before has met nobody. */
    bool say(const std::string &bytes) const
    {
        return send(fd, bytes.data(), bytes.size(), 0) >= 0 || errno != ECONNREFUSED;
    }

    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
};

/* Until packets meet nobody any more. */
inline bool is_closed_to(const Udp &one)
{
    return e2e::wait_until(e2e::PATIENCE, [&] { return !one.say("x"); });
}

inline std::string hello(const uint8_t *secret)
{
    std::unique_ptr<sealer, void (*)(sealer *)> s(sealer_create(secret, SEALED_HELLO),
                                                  sealer_destroy);
    uint8_t out[SEALED_MAX];
    size_t size = sealer_seal(s.get(), "", 0, out);
    REQUIRE(size > 0);
    return std::string(reinterpret_cast<char *>(out), size);
}

} // namespace accelerator
