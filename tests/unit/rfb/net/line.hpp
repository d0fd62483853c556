/* A stream to a server that the test plays, over each transport there is: TCP on loopback, a Unix
 * socket, and TLS on both. */
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rfb/net/sockets/socket.h"
#include "rfb/net/stream.h"
#include "tests/rfb_peer.hpp"
#include "tests/temp_dir.hpp"

namespace line
{

const tick_t LONG = 1000 * TICK_S; /* nobody waits so long: a test that would has failed */

struct Kind {
    const char *name;
    bool tcp, tls;
};
extern const std::vector<Kind> KINDS;

/* A socket that listens, and its address. */
class Listener
{
  public:
    explicit Listener(bool tcp, int backlog = 1);
    ~Listener();
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;
    struct address address() const;
    int accept() const;

  private:
    int fd_;
    std::optional<TempDir> dir_; /* of a Unix socket */
    std::string text_;
};

struct Event {
    const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    ~Event()
    {
        close(fd);
    }
};

/* A transport that counts what is asked of the one below it. */
struct Counting {
    transport base;
    transport *below;
    std::atomic<int> reads, writes, waits;
};

/* A stream and the server's end of it. */
struct Line {
    explicit Line(const Kind &kind, const transport_options &options = {});
    ~Line();
    Line(const Line &) = delete;
    Line &operator=(const Line &) = delete;

    std::string read(size_t size);
    transport_info info();
    transport_window window();
    /* Until so many bytes have arrived, at least. */
    void await(size_t size);
    /* Writes as long as there is room, and never waits while it writes. Returns the bytes written
     * in all. */
    size_t fill();
    /* The same, and waits for room until the time `until`, or a wake-up. Tells what ended it. */
    transport_wake fill_until(int wake_fd, tick_t until);

    Counting counting = {};
    stream *s;
    std::unique_ptr<peer::Peer> server;

  private:
    size_t written_ = 0;
    bool waited_ = false; /* in spite of the room that there was to be */
};

/* A thread that has come to sleep inside `work`, or is through with it: on a busy machine what it
 * is to wait for may be there at once. */
class Sleeper
{
  public:
    explicit Sleeper(std::function<void()> work);
    void join()
    {
        thread_.join();
    }

  private:
    char state() const;

    std::atomic<pid_t> id_{0};
    std::atomic<bool> ended_{false};
    std::thread thread_;
};

} // namespace line
