/* The far end that pushes blocks (rfb/pusher/pusher.h) between two peers of a fuzz target: one says
 * the input, the other is tame. It is real, with its threads, over socket pairs.
 *
 * It is over when both peers have said all that they have, and were heard. */
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "must.hpp"
#include "rfb/blocks/block.h"
#include "rfb/framing/client_framing.h"
#include "rfb/proto/client_messages.h"
#include "rfb/proto/server_messages.h"
#include "rfb/pusher/pusher.h"
#include "rfb/system/descriptors.h"

namespace pushing
{

const int WIDTH = 64, HEIGHT = 48;
const size_t INPUT_MAX = 20000;
/* What may come of an input: more than that is without end. */
const size_t OUTPUT_MAX = 64 << 20;

template <typename Write> std::string written(Write write)
{
    uint8_t out[4096];
    size_t size = write(out);
    return std::string(reinterpret_cast<char *>(out), size);
}

inline std::string encodings()
{
    encoding_options o = {};
    encoding_list_all(&o.list);
    o.local_cursor = o.clipboard = o.key_codes = o.steps = o.sound = o.blocks = true;
    return written([&](uint8_t *out) { return client_write_set_encodings(out, &o); });
}

inline std::string acknowledgement(uint32_t sequence)
{
    blocks_message m = {};
    m.marks = 1;
    m.mark[0].sequence = sequence;
    return written([&](uint8_t *out) { return blocks_write(out, &m); });
}

inline std::string bell()
{
    return std::string(1, char(SERVER_BELL));
}

/* A peer's socket, which never waits. */
struct Side {
    int fd;
    std::string out, in;
    bool gone = false;

    void say(const std::string &bytes)
    {
        out += bytes;
    }
    void move()
    {
        char bytes[65536];
        ssize_t n;
        while (!gone && !out.empty() &&
               (n = send(fd, out.data(), out.size(), MSG_DONTWAIT | MSG_NOSIGNAL)) != 0) {
            if (n < 0) {
                gone = errno != EAGAIN && errno != EINTR;
                break;
            }
            out.erase(0, size_t(n));
        }
        while ((n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
            in.append(bytes, size_t(n));
        gone = gone || n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
    }
};

/* The process, and both sides' sockets. */
class Pushed
{
  public:
    Side server, viewer;

    /* `kept`: another viewer may come when this one has gone. `door`: that of datagrams, or -1. */
    explicit Pushed(bool kept = false, int door = -1)
    {
        int a[2], b[2], c[2] = {-1, -1};
        must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, a) == 0 &&
                 socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, b) == 0,
             "there are sockets");
        must(!kept || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, c) == 0,
             "there is a way for newcomers");
        server.fd = a[0];
        viewer.fd = b[0];
        keeper_ = c[0];
        options_ = {a[1], b[1], true,  WIDTH, HEIGHT, "bbr", false, 0, kept ? 3600 * TICK_S : 0,
                    c[1], door, [] {}, [] {}};
        thread_ = std::thread([this] { must(pusher_run(&options_, &why_), "it begins"); });
    }
    ~Pushed()
    {
        shutdown(viewer.fd, SHUT_RDWR);
        shutdown(server.fd, SHUT_RDWR);
        let_nobody_come();
        thread_.join();
        close(server.fd);
        close(viewer.fd);
    }
    Pushed(const Pushed &) = delete;
    Pushed &operator=(const Pushed &) = delete;

    /* Until `done`, or one of the two has gone. The peers hear what comes in between. */
    template <typename Hear> void run(const Hear &hear)
    {
        for (size_t heard = 0; !server.gone && !viewer.gone;) {
            pollfd fds[2] = {{server.fd, short(POLLIN | (server.out.empty() ? 0 : POLLOUT)), 0},
                             {viewer.fd, short(POLLIN | (viewer.out.empty() ? 0 : POLLOUT)), 0}};
            poll(fds, 2, -1);
            server.move();
            viewer.move();
            heard += server.in.size() + viewer.in.size();
            must(heard < OUTPUT_MAX, "it does not speak without end");
            if (hear())
                return;
            heard -= server.in.size() + viewer.in.size(); /* what is left is heard again */
        }
    }

    /* The viewer has gone, and another one comes. */
    void come()
    {
        int pair[2];
        must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "there are sockets");
        must(descriptors_send(keeper_, "vdesk", 6, &pair[1], 1), "it can come");
        close(pair[1]);
        close(viewer.fd);
        viewer = Side();
        viewer.fd = pair[0];
    }
    /* All that the server is still told, until the far end has gone. */
    void hear_out()
    {
        while (!server.gone) {
            pollfd fd = {server.fd, POLLIN, 0};
            poll(&fd, 1, -1);
            server.out.clear();
            server.move();
        }
    }
    void let_nobody_come()
    {
        if (keeper_ >= 0)
            close(keeper_);
        keeper_ = -1;
    }

  private:
    int keeper_ = -1;
    pusher_options options_ = {};
    reason why_ = {};
    std::thread thread_;
};

/* The message of a server or of a far end that is at the beginning, as a viewer of ours reads them,
 * for those that a tame server sends. 0: it is not whole. */
inline size_t block_at(const std::string &in, block &b)
{
    reason why = {};
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(in.data());

    if (in.size() < 1 + BLOCK_HEAD)
        return 0;
    must(block_unpack_head(&b, bytes + 1, &why), "a block that leaves is good");
    return in.size() < 1 + BLOCK_HEAD + b.size ? 0 : 1 + BLOCK_HEAD + b.size;
}

} // namespace pushing
