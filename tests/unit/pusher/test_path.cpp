// The far end's way for datagrams, alone: how often it asks whether they arrive again.
#include "tests/catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "rfb/pusher/constants.h"
#include "rfb/pusher/path.h"
#include "rfb/system/clock.h"

TEST_CASE("path: where datagrams do not arrive any more it asks often, and then each second")
{
    const uint8_t secret[SEALED_SECRET] = {};
    const tick_t begin = tick_now();
    std::vector<tick_t> asked;
    char packet[SEALED_MAX];
    int pair[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0);
    path *p = path_create_on(secret, pair[1], true, 0, begin);
    REQUIRE(p);
    REQUIRE(path_works(p));
    for (tick_t at = begin; at < begin + 30 * TICK_S; at = path_due(p)) {
        path_ask(p, 0, at);
        while (recv(pair[0], packet, sizeof packet, MSG_DONTWAIT) > 0)
            asked.push_back(at - begin);
    }
    CHECK_FALSE(path_works(p));
    REQUIRE(asked.size() > 70);
    CHECK(asked.size() < 80);
    for (size_t i = 1; i < asked.size(); i++)
        CHECK(asked[i] - asked[i - 1] <= (asked[i] <= PATH_ASK_OFTEN ? PATH_ASK : PATH_ASK_MOST));
    path_destroy(p);
    close(pair[0]);
}
