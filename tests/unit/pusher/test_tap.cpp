// The tap that keeps what was read, so that it can be passed on.
#include "tests/catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "rfb/net/sockets/socket.h"
#include "rfb/net/transport.h"
#include "rfb/pusher/server/tap.h"
#include "tests/seed.hpp"

namespace
{

// A tap on one end of a socket pair.
struct Tapped {
    int far;
    tap *t = nullptr;
    transport *top;
    uint64_t read_to = 0;

    Tapped()
    {
        int ends[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        far = ends[1];
        top = tap_create(socket_adopt(ends[0]), &t);
        REQUIRE(top);
    }
    ~Tapped()
    {
        top->ops->destroy(top);
        close(far);
    }
    Tapped(const Tapped &) = delete;
    Tapped &operator=(const Tapped &) = delete;

    void come(const std::string &bytes)
    {
        for (size_t at = 0; at < bytes.size();) {
            const size_t n = std::min<size_t>(bytes.size() - at, 30000);
            std::string out(n, '\0');
            REQUIRE(send(far, bytes.data() + at, n, 0) == ssize_t(n));
            for (size_t got = 0; got < n;) {
                ssize_t more = top->ops->read(top, &out[got], n - got);
                REQUIRE(more > 0);
                got += size_t(more);
            }
            REQUIRE(out == bytes.substr(at, n));
            at += n;
            read_to += n;
        }
    }
    bool has(uint64_t from, uint64_t to) const
    {
        return tap_bytes(t, from, to) != nullptr;
    }
    std::string bytes(uint64_t from, uint64_t to) const
    {
        const uint8_t *b = tap_bytes(t, from, to);
        return b ? std::string(reinterpret_cast<const char *>(b), size_t(to - from)) : "gone";
    }
};

std::string noise(size_t size, std::mt19937 &random)
{
    std::string s(size, '\0');
    for (char &c : s)
        c = char(random());
    return s;
}

} // namespace

TEST_CASE("tap: what was read is kept until it is dropped")
{
    Tapped t;
    CHECK_FALSE(t.has(0, 1));
    t.come("0123456789");
    CHECK(t.bytes(0, 10) == "0123456789");
    CHECK(t.bytes(3, 5) == "34");
    CHECK(t.bytes(7, 7) == "");
    CHECK_FALSE(t.has(5, 11)); // not come yet
    tap_drop(t.t, 4);
    CHECK(t.bytes(4, 10) == "456789");
    CHECK_FALSE(t.has(3, 10));
    tap_drop(t.t, 2); // it is gone already
    CHECK(t.bytes(4, 6) == "45");
    t.come("ab");
    CHECK(t.bytes(8, 12) == "89ab");
    tap_drop(t.t, 12);
    CHECK_FALSE(t.has(11, 12));
    t.come("c");
    CHECK(t.bytes(12, 13) == "c");
}

TEST_CASE("tap: while little is kept, it is the newest")
{
    std::mt19937 random(any_seed());
    Tapped t;
    const std::string all = noise(3 * TAP_LITTLE, random);
    tap_keep_little(t.t, true);
    t.come(all);
    CHECK(t.bytes(2 * TAP_LITTLE, 3 * TAP_LITTLE) == all.substr(2 * TAP_LITTLE));
    CHECK_FALSE(t.has(2 * TAP_LITTLE - 1, 3 * TAP_LITTLE));
    tap_keep_little(t.t, false); // what comes from now on
    t.come(all);
    CHECK(t.bytes(2 * TAP_LITTLE, 3 * TAP_LITTLE) == all.substr(2 * TAP_LITTLE));
    CHECK(t.bytes(3 * TAP_LITTLE, 6 * TAP_LITTLE) == all);
}

TEST_CASE("tap: no more is kept than a message may have")
{
    Tapped t;
    const std::string part(1 << 20, 'x');
    for (size_t come = 0; come < 2 * TAP_MOST; come += part.size())
        t.come(part);
    CHECK(t.has(TAP_MOST, 2 * TAP_MOST));
    CHECK_FALSE(t.has(TAP_MOST - 1, 2 * TAP_MOST));
    tap_drop(t.t, t.read_to);
    t.come("next");
    CHECK(t.bytes(t.read_to - 4, t.read_to) == "next");
}

TEST_CASE("tap: what has not come cannot be dropped")
{
    Tapped t;
    t.come("abc");
    tap_drop(t.t, 5);
    CHECK_FALSE(t.has(2, 3));
    CHECK_FALSE(t.has(3, 4));
    CHECK_FALSE(t.has(UINT64_MAX - 1, UINT64_MAX));
    t.come("de");
    CHECK(t.bytes(3, 5) == "de");
}
