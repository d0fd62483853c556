/* The relay under a fake clock, as its connection uses it. */
#pragma once

#include "tests/catch.hpp"
#include "tools/accelerator/exchange/relay.h"

namespace accelerator
{

constexpr rect SCREEN = {0, 0, 800, 600};
constexpr tick_t RTT = 300 * TICK_MS;

struct Relay {
    relay r;
    relay_view v = {0, 0, RTT};
    tick_t now = TICK_S;

    Relay()
    {
        relay_init(&r, 800, 600);
    }
    bool client_asks(bool incremental, rect where = SCREEN)
    {
        return relay_client_asks(&r, incremental, where, now);
    }
    relay_action next()
    {
        return relay_next(&r, &v, now);
    }
    // What the connection does with the answer.
    relay_action act()
    {
        relay_action what = next();
        if (what != RELAY_WAIT)
            relay_asked(&r, now);
        return what;
    }
    void update_comes(tick_t took = 10 * TICK_MS)
    {
        now += took;
        relay_update_begins(&r, now);
        relay_update_ends(&r, now);
    }
    void leaves(size_t bytes = 1000)
    {
        relay_update_left(&r, r.left + bytes, now);
    }
    void first_picture()
    {
        REQUIRE(client_asks(false));
        update_comes();
        leaves();
    }
};

} // namespace accelerator
