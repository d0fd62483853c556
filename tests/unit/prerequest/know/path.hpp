// A path and its clock, as tests of it like to write them.
#pragma once

#include "tests/catch.hpp"

#include "prerequest/know/path.h"

struct Path {
    path p{};
    tick_t now = 1000 * TICK_S;

    explicit Path(double rtt_ms, double most = 0)
    {
        path_init(&p, most);
        path_round_trip(&p, tick_from_ms(rtt_ms), now);
    }

    void wait(double ms)
    {
        now += tick_from_ms(ms);
    }

    void request()
    {
        path_request_sent(&p, now);
    }

    void begin()
    {
        path_update_begun(&p, now);
    }

    // An update that takes so long to arrive; `more`: the next one is right behind it.
    void update(double ms, uint64_t bytes = 100000, bool more = false)
    {
        begin();
        wait(ms);
        path_update_finished(&p, bytes, more, true, now);
    }

    // How many more requests there is room for, if they leave every `period` ns.
    unsigned room_at(tick_t period, unsigned trips = 1) const
    {
        Path after = *this;
        unsigned sent = 0;

        while (path_room_from(&after.p, period, trips) <= now) {
            after.request();
            REQUIRE(++sent < 100);
        }
        return sent;
    }

    unsigned room(double period_ms, unsigned trips = 1) const
    {
        return room_at(tick_from_ms(period_ms), trips);
    }

    double period() const // ms
    {
        return tick_to_ms(path_period(&p));
    }
};
