// The UDP sockets that the viewer gives a session's process: where they lead, and how many there
// are.
#include "tests/catch.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/worker/paths.h"

namespace
{

// The socket of a connection within this machine.
class Connection
{
  public:
    Connection()
    {
        sockaddr_in a = {};
        socklen_t size = sizeof a;
        a.sin_family = AF_INET;
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto *head = reinterpret_cast<sockaddr *>(&a);
        REQUIRE(bind(listener_, head, size) == 0);
        REQUIRE(listen(listener_, 1) == 0);
        REQUIRE(getsockname(listener_, head, &size) == 0);
        REQUIRE(connect(fd_, head, size) == 0);
    }
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;
    ~Connection()
    {
        close(fd_);
        close(listener_);
    }
    operator int() const
    {
        return fd_;
    }

  private:
    int listener_ = socket(AF_INET, SOCK_STREAM, 0), fd_ = socket(AF_INET, SOCK_STREAM, 0);
};

bool opens(struct paths &p, tick_t now, uint16_t port = 5000)
{
    int fd = paths_open(&p, port, now);
    if (fd < 0)
        return false;
    sockaddr_in to = {};
    socklen_t size = sizeof to;
    CHECK(getpeername(fd, reinterpret_cast<sockaddr *>(&to), &size) == 0);
    CHECK(ntohl(to.sin_addr.s_addr) == INADDR_LOOPBACK);
    CHECK(ntohs(to.sin_port) == port);
    close(fd);
    return true;
}

} // namespace

TEST_CASE("paths: there is a second between two of them, however many there are")
{
    Connection connection;
    struct paths p = {};
    tick_t now = 100 * TICK_S;
    paths_follow(&p, connection, true);
    CHECK(opens(p, now));
    CHECK_FALSE(opens(p, now));
    CHECK_FALSE(opens(p, now + TICK_S - 1));
    for (int i = 0; i < 200; i++)
        CHECK(opens(p, now += TICK_S));
    now += 3600 * TICK_S; // what was not used is not saved up
    CHECK(opens(p, now));
    CHECK_FALSE(opens(p, now));
}

TEST_CASE("paths: 64 ports may be named, and the newest as often as one likes")
{
    Connection connection;
    struct paths p = {};
    tick_t now = TICK_S;
    paths_follow(&p, connection, true);
    for (uint16_t i = 0; i < 64; i++)
        CHECK(opens(p, now += TICK_S, static_cast<uint16_t>(5000 + i)));
    CHECK_FALSE(opens(p, now += TICK_S, 5000));
    CHECK(opens(p, now += TICK_S, 5063));
    CHECK(opens(p, now += TICK_S, 5063));
}

TEST_CASE("paths: a connection made again does not make them quicker")
{
    Connection connection;
    struct paths p = {};
    paths_follow(&p, connection, true);
    CHECK(opens(p, TICK_S));
    paths_follow(&p, connection, true);
    CHECK_FALSE(opens(p, TICK_S));
    CHECK(opens(p, 2 * TICK_S));
}

TEST_CASE("paths: only a straight way by TCP says where the server is")
{
    Connection connection;
    int ends[2];
    struct paths p = {};
    CHECK_FALSE(opens(p, TICK_S));
    paths_follow(&p, connection, false);
    CHECK_FALSE(opens(p, TICK_S));
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    paths_follow(&p, ends[0], true);
    CHECK_FALSE(opens(p, TICK_S));
    close(ends[0]);
    close(ends[1]);
    paths_follow(&p, -1, true);
    CHECK_FALSE(opens(p, TICK_S));
    paths_follow(&p, connection, true);
    CHECK(opens(p, TICK_S));
}
