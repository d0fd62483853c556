// The model of TCP over the link: it has to be right before the figures of scenarios mean anything.
#include "tests/catch.hpp"

#include <cmath>
#include <vector>

#include "tests/sim/connection.hpp"

namespace
{

constexpr uint32_t packet = 1460; // bytes

linkem_config link(double mbit, double one_way_ms)
{
    linkem_config c{};

    c.rate = uint64_t(mbit * 1e6);
    c.delay = tick_from_ms(one_way_ms);
    c.seed = 1;
    return c;
}

// A sender that always has something to send, for so many seconds. Returns bits per second.
double pour(Connection &c, Way way, tick_t from, double seconds)
{
    tick_t now = from, end = from + tick_t(seconds * 1e9);
    uint64_t before = c.arrived(way), number = 0;
    Segment s;

    while (now < end) {
        while (c.held(way, now) < 4000000)
            c.write(way, packet, number++, now);
        now = std::min(c.next(), end);
        c.advance(now);
        while (c.take(way, s))
            ;
    }
    return double(c.arrived(way) - before) * 8 / seconds;
}

// Runs until nothing more happens. Returns when each write arrived, in ms.
std::vector<double> drain(Connection &c, Way way)
{
    std::vector<double> at;
    Segment s;

    for (tick_t now = 0; c.next() != TICK_NEVER;) {
        now = std::max(now, c.next());
        c.advance(now);
        while (c.take(way, s)) {
            CHECK(s.cookie == at.size()); // in order
            at.push_back(tick_to_ms(now));
        }
    }
    return at;
}

} // namespace

TEST_CASE("without TCP what is written waits in front of the link")
{
    Connection c(link(0, 50), link(8, 50), false, 0);

    for (int i = 0; i < 100; i++)
        c.write(Way::down, packet, uint64_t(i), 0);
    CHECK(c.unsent(Way::down) == 0);
    CHECK(c.held(Way::down, 0) == 99 * 1500); // the first one is on the line
    std::vector<double> at = drain(c, Way::down);
    REQUIRE(at.size() == 100);
    CHECK(at[0] == Approx(50 + 1.5)); // 1500 bytes take 1.5 ms at 8 Mbit/s
    CHECK(at[99] == Approx(50 + 150));
}

TEST_CASE("what can be lost needs TCP")
{
    linkem_config loses = link(8, 50);

    loses.loss = 0.01;
    CHECK_THROWS(Connection(link(0, 50), loses, false, 0));
    CHECK_NOTHROW(Connection(link(0, 50), loses, true, 0));
}

TEST_CASE("TCP begins with ten packets and doubles them every round trip")
{
    Connection c(link(0, 50), link(0, 50), true, 0);

    for (int i = 0; i < 71; i++)
        c.write(Way::down, packet, uint64_t(i), 0);
    CHECK(c.unsent(Way::down) == 61 * packet);
    std::vector<double> at = drain(c, Way::down);
    REQUIRE(at.size() == 71);
    CHECK(at[9] == Approx(50)); // 10, then 20, then 40
    CHECK(at[10] == Approx(150));
    CHECK(at[29] == Approx(150));
    CHECK(at[30] == Approx(250));
    CHECK(at[69] == Approx(250));
    CHECK(at[70] == Approx(350));
}

TEST_CASE("TCP fills a link, and does not fill a deep queue for ever")
{
    linkem_config down = link(8, 50);

    down.queue_bytes = 100000; // 100 ms
    Connection c(link(0, 50), down, true, 0);
    pour(c, Way::down, 0, 10);
    // 40 of 1500 bytes are headers
    CHECK(pour(c, Way::down, 10 * TICK_S, 20) >= 0.9 * 8e6 * 1460 / 1500);
}

TEST_CASE("a lost packet holds up those behind it for about a round trip")
{
    // every packet is lost in the first half second of a link that then is whole
    linkem_config down = link(0, 50), dead = down;

    dead.loss = 1;
    Connection c(link(0, 50), down, true, 0);
    Segment s;
    uint64_t number = 0;
    double waited = 0;
    for (tick_t now = 0; now < 3 * TICK_S; now += TICK_MS) {
        bool lost = now == TICK_S;

        if (lost)
            c.change(Way::down, dead, now);
        if (now % (10 * TICK_MS) == 0)
            c.write(Way::down, 100, uint64_t(now), now);
        if (lost)
            c.change(Way::down, down, now);
        c.advance(now);
        while (c.take(Way::down, s)) {
            double late = tick_to_ms(now - tick_t(s.cookie)) - 50;

            waited = std::max(waited, late);
            CHECK(s.number == number++);
            CHECK((late <= 1 || tick_t(s.cookie) >= TICK_S)); // none before it
        }
    }
    // it is missed when the third packet after it has been acknowledged: 30 ms and a round trip
    CHECK(waited == Approx(130).margin(2));
}

TEST_CASE("the last packet of all is missed, too")
{
    linkem_config down = link(0, 50), dead = down;

    dead.loss = 1;
    Connection c(link(0, 50), down, true, 0);
    c.write(Way::down, 100, 0, 0);
    drain(c, Way::down); // the round trip is known then
    c.change(Way::down, dead, TICK_S);
    c.write(Way::down, 100, 0, TICK_S);
    c.change(Way::down, down, TICK_S);
    std::vector<double> at = drain(c, Way::down);
    REQUIRE(at.size() == 1);
    CHECK(at[0] - 1000 >= 50 + 100); // a round trip late
    CHECK(at[0] - 1000 <= 50 + 300); // and not three
}

TEST_CASE("loss makes TCP as slow as it does in the world")
{
    // packets per round trip = sqrt(3/2 / loss): Mathis, Semke, Mahdavi and Ott, 1997. That holds
    // for small losses; at larger ones TCP waits for time-outs, which the model makes short.
    for (double loss : {0.001, 0.01}) {
        linkem_config down = link(0, 50);

        down.loss = loss;
        Connection c(link(0, 50), down, true, 0);
        pour(c, Way::down, 0, 60);
        double rate = pour(c, Way::down, 60 * TICK_S, 600);
        INFO("loss " << loss << ": " << rate / 1e6 << " Mbit/s");
        CHECK(rate == Approx(std::sqrt(1.5 / loss) * packet * 8 / 0.1).epsilon(0.25));
    }
}

TEST_CASE("another sender makes the round trip as long as its window says")
{
    Connection c(link(0, 20), link(8, 20), true, 300000);
    Segment s;
    double last = 0;

    for (tick_t now = 0; now < 10 * TICK_S; now += TICK_MS) {
        if (now % (100 * TICK_MS) == 0)
            c.write(Way::up, 100, uint64_t(now), now);
        c.advance(now);
        while (c.take(Way::up, s))
            last = double(s.cookie);
    }
    CHECK(last > 9e9);
    // 300 kB at 8 Mbit/s are 300 ms, and 20 of them are on their way
    CHECK(c.smoothed_round_trip() / 1e6 == Approx(40 + 280).margin(10));
}

TEST_CASE("a slow uplink leaves bytes in our own socket")
{
    Connection c(link(0.02, 50), link(0, 50), true, 0);
    uint64_t most = 0;

    for (tick_t now = 0; now < 5 * TICK_S; now += TICK_MS) {
        if (now % (10 * TICK_MS) == 0)
            c.write(Way::up, 10, 0, now); // 50 bytes with headers, which take 20 ms
        c.advance(now);
        most = std::max(most, c.unsent(Way::up));
    }
    CHECK(most > 100 * 10);
}
