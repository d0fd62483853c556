// A link behind a gateway that keeps what its link does not take, under a fake clock.
#include <algorithm>
#include <deque>
#include <vector>

#include "relay.hpp"

using namespace accelerator;

namespace
{

constexpr tick_t WAY = 110 * TICK_MS; // there and back, and the client's own time
constexpr tick_t SERVER = 10 * TICK_MS;

struct Link {
    Relay t;
    double rate; // bytes per second
    size_t bytes;
    tick_t free_at = 0, comes = 0;
    std::deque<tick_t> read;    // when we hear of each update that it was read
    std::vector<tick_t> waited; // of each update, in the gateway

    Link(double rate_, size_t bytes_) : rate(rate_), bytes(bytes_)
    {
        t.v.round_trip = TICK_MS / 10; // to the gateway
        t.first_picture();
        t.now += WAY;
        t.client_asks(true);
        relay_push(&t.r, true, SCREEN);
    }
    // Returns the updates per second.
    double run(tick_t time)
    {
        waited.clear();
        for (tick_t end = t.now + time; t.now < end; t.now += TICK_MS) {
            if (comes == 0 && t.act() == RELAY_ASK)
                comes = t.now + SERVER;
            if (comes != 0 && t.now >= comes) {
                t.update_comes(0);
                t.leaves(bytes);
                comes = 0;
                waited.push_back(std::max<tick_t>(free_at - t.now, 0));
                free_at = std::max(free_at, t.now) + (tick_t)((double)bytes / rate * TICK_S);
                read.push_back(free_at + WAY);
            }
            for (; !read.empty() && read.front() <= t.now; read.pop_front())
                relay_client_has_read(&t.r, (unsigned)read.size() - 1, t.now);
        }
        return (double)waited.size() / tick_to_s(time);
    }
    // ms: the median.
    double waiting()
    {
        std::sort(waited.begin(), waited.end());
        return waited.empty() ? 0 : tick_to_ms(waited[waited.size() / 2]);
    }
    double full() const
    {
        return rate / (double)bytes;
    }
};

} // namespace

TEST_CASE("a gateway gets the next update when its link has carried those before")
{
    // fast and slow links: an update takes from 8 ms to 2 s
    const double rate = GENERATE(5e6, 1e6, 250e3, 20e3);
    Link link(rate, 40000);
    CAPTURE(rate);

    link.run(40 * TICK_S);
    CHECK(link.run(40 * TICK_S) > 0.9 * std::min(link.full(), 1e9 / SERVER));
    CHECK(link.waiting() <= 40);
}

TEST_CASE("a link behind a gateway that becomes faster or slower is followed")
{
    Link link(250e3, 40000);

    link.run(20 * TICK_S);
    link.rate *= 4;
    link.run(40 * TICK_S);
    CHECK(link.run(20 * TICK_S) > 0.9 * link.full());
    CHECK(link.waiting() <= 40);
    link.rate /= 8;
    link.run(60 * TICK_S);
    CHECK(link.run(20 * TICK_S) > 0.9 * link.full());
    CHECK(link.waiting() <= 60);
}

TEST_CASE("a client that stops asking behind a gateway is waited for")
{
    Link link(250e3, 40000);

    link.run(20 * TICK_S);
    link.rate = 1e-3; // nothing arrives any more
    link.run(TICK_S);
    CHECK(link.run(60 * TICK_S) <= 0.1);
    CHECK(relay_lead(&link.t.r) <= 4);
}
