// How many bytes may be on their way, on a path of a known rate, under a fake clock.
#include "tests/catch.hpp"

#include "tools/accelerator/exchange/flight.h"

namespace
{

// A link with a queue without end, and a sender that always has something to send.
struct Path {
    flight f;
    double rate; // bytes per second
    tick_t round_trip = 100 * TICK_MS;
    tick_t now = TICK_S;
    double sent = 0, delivered = 0, served = 0;
    double window = 14600; // TCP's slow start
    std::vector<std::pair<tick_t, double>> acks;
    double largest = 0; // queue, s

    explicit Path(double bytes_per_second) : rate(bytes_per_second)
    {
        flight_init(&f);
    }
    void run(tick_t time, bool busy = true)
    {
        for (tick_t end = now + time; now < end; now += TICK_MS) {
            served = std::min(sent, served + rate / 1000);
            acks.push_back({now + round_trip, served});
            double before = delivered;
            while (!acks.empty() && acks.front().first <= now) {
                delivered = acks.front().second;
                acks.erase(acks.begin());
            }
            window += delivered - before;
            flight_sample s = {(uint64_t)delivered, (size_t)(sent - delivered), round_trip, busy};
            flight_tell(&f, &s, now);
            size_t limit = flight_limit(&f);
            double most = limit == SIZE_MAX ? window : (double)limit;
            if (busy && delivered + most > sent)
                sent = delivered + most;
            largest = std::max(largest, (sent - served) / rate);
        }
    }
};

} // namespace

TEST_CASE("the rate of the path is found, and what waits in it is bounded")
{
    for (double mbit : {2.0, 8.0, 100.0}) {
        INFO(mbit << " Mbit/s");
        Path p(mbit * 1e6 / 8);
        p.run(4 * TICK_S);
        CHECK(p.f.found);
        CHECK(p.f.rate > 0.9 * p.rate);
        CHECK(p.f.rate < 1.3 * p.rate);
        p.run(2 * TICK_S);
        p.largest = 0;
        double before = p.delivered;
        p.run(10 * TICK_S);
        CHECK(p.largest < 0.075);                         // s
        CHECK(p.delivered - before > 0.97 * 10 * p.rate); // the path is not idle
    }
}

TEST_CASE("a path that becomes slower or faster is followed")
{
    Path p(1e6);

    p.run(5 * TICK_S);
    p.rate = 0.25e6;
    p.run(10 * TICK_S);
    CHECK(p.f.rate < 0.35e6);
    p.largest = 0;
    p.run(5 * TICK_S);
    CHECK(p.largest < 0.1);
    p.rate = 2e6;
    p.run(15 * TICK_S);
    CHECK(p.f.rate > 1.8e6);
}

TEST_CASE("a sender that has nothing to send learns nothing of the path")
{
    Path p(1e6);

    p.run(5 * TICK_S);
    double rate = p.f.rate;
    p.run(60 * TICK_S, false);
    CHECK(p.f.rate == rate);
    flight f;
    flight_init(&f);
    CHECK(flight_limit(&f) == SIZE_MAX);
    CHECK(flight_wait(&f, 1 << 20) == TICK_MS);
}

TEST_CASE("a sample in which less has arrived than before says nothing")
{
    Path p(1e6);

    p.run(5 * TICK_S);
    double rate = p.f.rate;
    flight_sample s = {(uint64_t)p.delivered, 0, p.round_trip, true};
    for (int i = 0; i < 50; i++) { // half of them fall
        s.delivered += i % 2 ? 1000 : -1000;
        p.now += p.round_trip;
        flight_tell(&p.f, &s, p.now);
    }
    CHECK(p.f.rate <= rate);
    p.f.rate = 1e30; // nor is any rate too large
    CHECK(flight_limit(&p.f) == SIZE_MAX);
}

TEST_CASE("there are always ten packets, and a wait that ends soon")
{
    flight f;

    flight_init(&f);
    f.found = true;
    f.rate = 100;
    CHECK(flight_limit(&f) == FLIGHT_LEAST);
    CHECK(flight_wait(&f, 0) == TICK_MS);
    CHECK(flight_wait(&f, SIZE_MAX / 2) == 20 * TICK_MS);
}
