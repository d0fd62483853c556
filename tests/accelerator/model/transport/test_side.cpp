// One end of a connection: what is its end, and what is only a moment without bytes.
#include "tests/catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "tools/accelerator/transport/side.h"

namespace
{

struct Pair {
    side ours = {};
    int theirs = -1;
    Pair()
    {
        int fds[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
        side_init(&ours, fds[0]);
        theirs = fds[1];
    }
    ~Pair()
    {
        side_close(&ours);
        if (theirs >= 0)
            close(theirs);
    }
    std::string read()
    {
        char bytes[64];
        return std::string(bytes, side_read(&ours, bytes, sizeof bytes));
    }
};

} // namespace

TEST_CASE("a side from which nothing comes now has not ended", "[side]")
{
    Pair p;
    CHECK(p.read().empty());
    CHECK_FALSE(p.ours.ended);
    REQUIRE(write(p.theirs, "here", 4) == 4);
    CHECK(p.read() == "here");
    CHECK(p.read().empty());
    CHECK_FALSE(p.ours.ended);
    close(p.theirs);
    p.theirs = -1;
    CHECK(p.read().empty());
    CHECK(p.ours.ended);
}

TEST_CASE("a side that has no room now takes nothing, and one that has gone never again", "[side]")
{
    Pair p;
    std::string much(1 << 20, 'x');
    iovec piece = {&much[0], much.size()};
    ssize_t n;
    while ((n = side_write(&p.ours, &piece, 1)) > 0)
        ;
    CHECK(n == 0);
    close(p.theirs);
    p.theirs = -1;
    CHECK(side_write(&p.ours, &piece, 1) == -1);
}
