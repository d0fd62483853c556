// The queue model as its tests use it.
#pragma once

#include <vector>

#include "tests/catch.hpp"
#include "tools/linkem/link/queue.h"

// A queue that frees itself, with the calls shortened to what the tests ask.
struct Queue {
    linkem_queue q{};

    explicit Queue(const linkem_config &c)
    {
        REQUIRE(linkem_queue_init(&q, &c));
    }
    ~Queue()
    {
        linkem_queue_deinit(&q);
    }
    Queue(const Queue &) = delete;
    Queue &operator=(const Queue &) = delete;

    linkem_put put(uint32_t bytes, tick_t now, uint64_t cookie = 0)
    {
        return linkem_queue_put(&q, bytes, cookie, now);
    }
    tick_t due() const
    {
        return linkem_queue_next_due(&q);
    }
    std::vector<linkem_packet> drain(tick_t now = TICK_NEVER)
    {
        std::vector<linkem_packet> all;
        linkem_packet p;
        while (linkem_queue_take(&q, now, &p)) {
            all.push_back(p);
        }
        return all;
    }
};

inline linkem_config config(uint64_t rate, uint64_t queue_bytes, tick_t delay)
{
    linkem_config c{};
    c.rate = rate;
    c.queue_bytes = queue_bytes;
    c.delay = delay;
    return c;
}
