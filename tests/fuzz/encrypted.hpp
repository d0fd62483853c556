// What the fuzz targets of encrypted connections have in common: a server in a thread, a client
// that has a password, and what may be read behind the handshake.
#pragma once

#include <sys/socket.h>

#include <cstring>
#include <string>
#include <thread>

#include "must.hpp"
#include "rfb/net/stream.h"
#include "rfb/proto/handshake/handshake.h"
#include "tests/rfb_peer.hpp"

// As the credentials of struct handshake_options.
inline bool give(void *, bool want_user, const struct security *, char **name, char **password,
                 reason *)
{
    *name = want_user ? strdup("me") : nullptr;
    *password = strdup("secret");
    return *password && (*name || !want_user);
}

// The server's end is `fd`; `serve` plays it.
template <class F> std::thread serve_in_thread(int fd, F serve)
{
    return std::thread([fd, serve] {
        peer::Peer p(fd); // closes it at the end
        try {
            serve(p);
        } catch (const peer::Gone &) {
        }
        // all that was sent is to arrive, so nothing may be unread at the end
        char unread[256];
        shutdown(fd, SHUT_WR);
        while (recv(fd, unread, sizeof unread, 0) > 0)
            ;
    });
}

// What is read is what was said inside, from the place on where the handshake has ended. `before`:
// bytes in front of what is encrypted.
inline void check_rest(stream *s, size_t before, const std::string &inside, const std::string &rest)
{
    size_t at = stream_taken(s) - rest.size() - before;
    must(at <= inside.size() && inside.compare(at, rest.size(), rest) == 0,
         "what was said inside is read, and nothing else");
}
