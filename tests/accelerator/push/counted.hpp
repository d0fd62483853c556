/* Passes connections on, counts what comes from the server, and can break them. Always at the same
 * address, wherever it leads. */
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/accelerator/accelerator.hpp"

namespace accelerator
{

class Counted
{
  public:
    Counted()
    {
        REQUIRE(pipe(stop_) == 0);
        listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in a = loopback(0);
        socklen_t size = sizeof a;
        REQUIRE(bind(listener_, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
        REQUIRE(listen(listener_, 8) == 0);
        REQUIRE(getsockname(listener_, reinterpret_cast<sockaddr *>(&a), &size) == 0);
        port_ = ntohs(a.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~Counted()
    {
        close(stop_[1]);
        thread_.join();
        close(stop_[0]);
        close(listener_);
    }
    Counted(const Counted &) = delete;
    Counted &operator=(const Counted &) = delete;

    std::string address() const
    {
        return "127.0.0.1::" + std::to_string(port_);
    }
    /* Who comes from now on is led there. 0: nobody is let in. */
    void lead_to(int port)
    {
        to_ = port;
    }
    /* While nobody is connected: so many bytes of a server's come through from now on, and no more
     * before all may. */
    void hold_after(uint64_t bytes)
    {
        most_ = bytes_ + bytes;
    }
    void release()
    {
        most_ = UINT64_MAX;
        tell(LOOK);
    }
    /* Both ends see their connections close, and nobody is let in. */
    void cut()
    {
        to_ = 0;
        tell(CUT);
        REQUIRE(e2e::wait_until(e2e::PATIENCE, [&] { return open_ == 0; }));
    }
    /* Bytes from the server, of all connections. */
    uint64_t bytes() const
    {
        return bytes_;
    }

  private:
    static constexpr char CUT = 'c', LOOK = 'l';
    struct Pair {
        int viewer, server;
    };
    /* The thread hears it. */
    void tell(char what)
    {
        REQUIRE(write(stop_[1], &what, 1) == 1);
    }
    static sockaddr_in loopback(int port)
    {
        sockaddr_in a = {};
        a.sin_family = AF_INET;
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        a.sin_port = htons(static_cast<uint16_t>(port));
        return a;
    }
    void serve()
    {
        for (;;) {
            std::vector<pollfd> fds = {{stop_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
            const short from_server = bytes_ < most_ ? short{POLLIN} : short{0};
            for (const Pair &p : pairs_) {
                fds.push_back({p.viewer, POLLIN, 0});
                fds.push_back({p.server, from_server, 0});
            }
            poll(fds.data(), fds.size(), -1);
            char told = LOOK;
            const bool ends = fds[0].revents && read(stop_[0], &told, 1) <= 0;
            std::vector<Pair> kept;
            for (size_t i = 0; i < pairs_.size(); i++) {
                const Pair p = pairs_[i];
                if (ends || told == CUT ||
                    (fds[2 + 2 * i].revents && !pass(p.viewer, p.server, false)) ||
                    (fds[3 + 2 * i].revents && !pass(p.server, p.viewer, true)))
                    shut(p);
                else
                    kept.push_back(p);
            }
            pairs_ = kept;
            if (ends)
                return;
            if (fds[1].revents)
                let_in();
            open_ = pairs_.size();
        }
    }
    static void shut(const Pair &p)
    {
        close(p.viewer);
        close(p.server);
    }
    void let_in()
    {
        int viewer = accept(listener_, nullptr, nullptr), to = to_;
        int server = to ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
        sockaddr_in a = loopback(to);
        if (server >= 0 && connect(server, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0) {
            pairs_.push_back({viewer, server});
            return;
        }
        close(viewer);
        if (server >= 0)
            close(server);
    }
    bool pass(int from, int to, bool counts)
    {
        char bytes[16384];
        const uint64_t most = most_, left = most > bytes_ ? most - bytes_ : sizeof bytes;
        const size_t size = counts ? std::min<uint64_t>(left, sizeof bytes) : sizeof bytes;
        ssize_t n = recv(from, bytes, size, 0);
        for (ssize_t done = 0; done < n;) {
            ssize_t k = send(to, bytes + done, static_cast<size_t>(n - done), MSG_NOSIGNAL);
            if (k <= 0)
                return false;
            done += k;
        }
        if (counts && n > 0)
            bytes_ += static_cast<uint64_t>(n);
        return n > 0;
    }

    int stop_[2], listener_, port_ = 0;
    std::atomic<int> to_{0};
    std::atomic<uint64_t> bytes_{0}, most_{UINT64_MAX};
    std::atomic<size_t> open_{0};
    std::vector<Pair> pairs_; /* the thread's */
    std::thread thread_;
};

} // namespace accelerator
