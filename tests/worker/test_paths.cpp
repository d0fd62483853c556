// The UDP sockets that the viewer gives a session's process: where they lead, and how many there
// are.
#include "tests/catch.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rfb/worker/paths.h"

namespace
{

const uint16_t port = 5000;

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

bool opens(struct paths &p, tick_t now)
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

TEST_CASE("paths: there is one a second in the mean, and 64 in all")
{
    Connection connection;
    struct paths p = {};
    const tick_t begin = 100 * TICK_S;
    paths_follow(&p, connection, true, begin);
    CHECK(opens(p, begin));
    CHECK_FALSE(opens(p, begin));
    CHECK_FALSE(opens(p, begin + TICK_S - 1));
    CHECK(opens(p, begin + TICK_S));
    CHECK_FALSE(opens(p, begin + TICK_S));
    int all = 2;
    while (all < 1000 && opens(p, begin + 3600 * TICK_S))
        all++;
    CHECK(all == 64);
}

TEST_CASE("paths: a connection made again does not begin the count again")
{
    Connection connection;
    struct paths p = {};
    paths_follow(&p, connection, true, TICK_S);
    CHECK(opens(p, TICK_S));
    paths_follow(&p, connection, true, TICK_S);
    CHECK_FALSE(opens(p, TICK_S));
    CHECK(opens(p, 2 * TICK_S));
}

TEST_CASE("paths: only a straight way by TCP says where the server is")
{
    Connection connection;
    int ends[2];
    struct paths p = {};
    CHECK_FALSE(opens(p, TICK_S));
    paths_follow(&p, connection, false, TICK_S);
    CHECK_FALSE(opens(p, TICK_S));
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    paths_follow(&p, ends[0], true, TICK_S);
    CHECK_FALSE(opens(p, TICK_S));
    close(ends[0]);
    close(ends[1]);
    paths_follow(&p, -1, true, TICK_S);
    CHECK_FALSE(opens(p, TICK_S));
    paths_follow(&p, connection, true, TICK_S);
    CHECK(opens(p, TICK_S));
}
