/* The other end of the datagram path (docs/datagrams.md) in a fuzz target: it knows the secret, so
 * that what it says is read behind the seal, too. The socket never waits. */
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "must.hpp"
#include "rfb/datagrams/sealed.h"

class Sealing
{
  public:
    int fd;    /* ours */
    int given; /* who is tested gets and closes it */

    /* It says packets of `says`, and hears those of `hears`. */
    Sealing(sealed_kind says, sealed_kind hears)
        : says_(sealer_create(secret(), says)), hears_(opener_create(secret(), hears)),
          hello_(opener_create(secret(), SEALED_HELLO))
    {
        int pair[2];
        must(says_ && hears_ && hello_, "there are keys");
        must(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0, "there are sockets");
        fd = pair[0];
        given = pair[1];
    }
    ~Sealing()
    {
        close(fd);
        sealer_destroy(says_);
        opener_destroy(hears_);
        opener_destroy(hello_);
    }
    Sealing(const Sealing &) = delete;
    Sealing &operator=(const Sealing &) = delete;

    static const uint8_t *secret()
    {
        static const uint8_t bytes[SEALED_SECRET] = {'s', 'e', 'c', 'r', 'e', 't'};
        return bytes;
    }
    std::string seal(const std::string &body)
    {
        uint8_t out[SEALED_MAX];
        size_t size = sealer_seal(says_, body.data(), body.size(), out);
        return std::string(reinterpret_cast<char *>(out), size);
    }
    /* False: there is no room now. */
    bool put(const std::string &packet)
    {
        return send(fd, packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
    }
    /* Takes the next packet. A hello has no body. False: there is none now. */
    bool hear(std::string &body)
    {
        uint8_t packet[SEALED_MAX + 1], out[SEALED_BODY_MAX];
        ssize_t n = recv(fd, packet, sizeof packet, MSG_DONTWAIT);
        size_t size = 0;
        bool newest;

        if (n < 0)
            return false;
        must(opener_open(hears_, packet, size_t(n), out, &size, &newest) ||
                 opener_open(hello_, packet, size_t(n), out, &size, &newest),
             "what leaves is sealed, and new");
        body.assign(reinterpret_cast<char *>(out), size);
        return true;
    }

  private:
    sealer *says_;
    opener *hears_, *hello_;
};
