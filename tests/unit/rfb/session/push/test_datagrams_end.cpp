// The viewer's end of the datagram path: when it says hello, and what it tells a far end that wants
// to know of each block.
#include "tests/catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "rfb/datagrams/sealed.h"
#include "rfb/session/constants.h"
#include "rfb/session/push/datagrams.h"
#include "rfb/system/clock.h"

namespace
{

unsigned sockets_asked; // how often another socket was asked for

// Both ends; the far end reads what has come.
struct Ends {
    datagrams *viewer = datagrams_create(true);
    int fd;
    uint8_t secret[SEALED_SECRET];
    sealer *down;
    opener *up;
    std::vector<body_up> told;
    std::vector<std::string> said;
    unsigned hellos = 0;

    explicit Ends(bool each)
    {
        accelerator_shown shown = {};
        int pair[2];
        memset(secret, 's', sizeof secret);
        memcpy(shown.datagrams_secret, secret, sizeof secret);
        shown.datagrams_port = 60000;
        shown.each = each;
        down = sealer_create(secret, SEALED_TO_VIEWER);
        up = opener_create(secret, SEALED_TO_FAR_END);
        REQUIRE((viewer && down && up));
        REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0);
        fd = pair[0];
        REQUIRE(datagrams_begin(viewer, &shown, [](uint16_t) { sockets_asked++; }));
        REQUIRE(datagrams_take_count(viewer));
        datagrams_count(viewer);
        REQUIRE(datagrams_give(viewer, pair[1]));
    }
    ~Ends()
    {
        datagrams_destroy(viewer);
        sealer_destroy(down);
        opener_destroy(up);
        close(fd);
    }
    Ends(const Ends &) = delete;
    Ends &operator=(const Ends &) = delete;

    // A packet of the far end comes, with a block of this number; 0: with none.
    void come(uint16_t mark, uint32_t number)
    {
        uint8_t block[BLOCK_MAX] = {}, body[SEALED_BODY_MAX], packet[SEALED_MAX];
        const body_down d = {mark, 0, block, number > 0 ? size_t(BLOCK_HEAD) : 0, 0, 0};
        size_t size = sealer_seal(down, body, body_write_down(body, &d), packet);
        body_down taken;

        REQUIRE(send(fd, packet, size, 0) == ssize_t(size));
        REQUIRE(datagrams_take(viewer, body, &taken));
        if (number > 0)
            datagrams_came(viewer, number, true, tick_now());
    }
    void hear()
    {
        uint8_t packet[SEALED_MAX + 1], body[SEALED_BODY_MAX];
        size_t size;
        bool newest;
        body_up u;

        for (ssize_t n; (n = recv(fd, packet, sizeof packet, MSG_DONTWAIT)) > 0;)
            if (opener_open(up, packet, size_t(n), body, &size, &newest) &&
                body_read_up(body, size, &u)) {
                told.push_back(u);
                said.emplace_back(reinterpret_cast<const char *>(u.said), u.size);
            } else {
                hellos++;
            }
    }
};

// The sender runs for so long: when it says hello, in ns from now on.
std::vector<tick_t> run(Ends &e, tick_t now, tick_t time)
{
    std::vector<tick_t> hellos;
    for (tick_t at = now; at < now + time; at = std::max(at, datagrams_due(e.viewer))) {
        unsigned before = e.hellos;
        datagrams_send(e.viewer, at);
        e.hear();
        if (e.hellos > before)
            hellos.push_back(at - now);
    }
    return hellos;
}

} // namespace

TEST_CASE("datagrams: hello is said ever less often where nothing ever answers")
{
    Ends e(false);
    sockets_asked = 0;
    std::vector<tick_t> at = run(e, datagrams_due(e.viewer), 120 * TICK_S);
    REQUIRE(at.size() > 8);
    CHECK(at.size() < 16);
    CHECK(at[1] - at[0] == DATAGRAMS_HELLO);
    CHECK(at[2] - at[1] == 2 * DATAGRAMS_HELLO);
    CHECK(at[3] - at[2] == 4 * DATAGRAMS_HELLO);
    CHECK((sockets_asked > 2 && sockets_asked < 8));
}

TEST_CASE("datagrams: a path that has worked is tried often, and then each second")
{
    Ends e(false);
    sockets_asked = 0;
    e.come(1, 0);
    std::vector<tick_t> at = run(e, tick_now(), 60 * TICK_S);
    REQUIRE(at.size() > 90);
    for (size_t i = 1; i < at.size(); i++) {
        bool often = at[i] - at[0] <= DATAGRAMS_HELLO_OFTEN;
        CHECK(at[i] - at[i - 1] <= (often ? DATAGRAMS_HELLO : DATAGRAMS_HELLO_SECOND));
    }
    CHECK((sockets_asked > 2 && sockets_asked < 8));
}

TEST_CASE("datagrams: a far end that wants it is told of each block that comes, in its own packet")
{
    Ends e(true);

    for (uint32_t n = 1; n <= 20; n++) // in one go: the sender does not run meanwhile
        e.come(1, n);
    e.hear();
    REQUIRE(e.told.size() == 20);
    for (uint32_t n = 1; n <= 20; n++)
        CHECK((e.told[n - 1].tells && e.told[n - 1].newest == n));

    Ends other(false);
    for (uint32_t n = 1; n <= 20; n++)
        other.come(1, n);
    other.hear();
    CHECK(other.told.empty()); // the sender's
}

TEST_CASE("datagrams: a far end that wants each block is said nothing twice")
{
    for (bool each : {true, false}) {
        Ends e(each);

        e.come(1, 1);
        datagrams_said(e.viewer, "a key", 5);
        datagrams_send(e.viewer, tick_now());
        e.hear();
        REQUIRE_FALSE(e.said.empty());
        CHECK(e.said.back() == "a key");
        // that is not due again soon; and what is told next does not have it
        CHECK((datagrams_due(e.viewer) > tick_now() + TICK_S) == each);
        e.come(2, 0);
        datagrams_send(e.viewer, tick_now());
        e.hear();
        CHECK(e.told.back().mark == 2);
        CHECK(e.said.back() == (each ? "" : "a key"));
        datagrams_said(e.viewer, "another", 7);
        datagrams_send(e.viewer, tick_now());
        e.hear();
        CHECK(e.said.back() == (each ? "another" : "a keyanother"));
        CHECK(e.told.back().at == (each ? 5 : 0));
    }
}
