// What vnchl-linkem does with its settings, packets and clock, in virtual time: delay, jitter,
// rate, queue, loss, all of them together, and settings that change under way.
#include "tests/catch.hpp"

#include <algorithm>

#include "tests/linkem/queue.hpp"
#include "tests/linkem/virtual_link.hpp"

namespace
{

constexpr linkem_direction UP = LINKEM_UP, DOWN = LINKEM_DOWN, BOTH[] = {UP, DOWN};

// What the plain model makes of the same packets.
std::vector<Arrival> by_the_model(const linkem_config &c,
                                  const std::vector<std::pair<tick_t, uint32_t>> &packets)
{
    Queue q(c);
    std::vector<Arrival> all;
    for (size_t i = 0; i < packets.size(); i++)
        q.put(packets[i].second, packets[i].first, i);
    for (const auto &p : q.drain())
        all.push_back({static_cast<uint32_t>(p.cookie), packets[p.cookie].first, p.due});
    return all;
}

void check_same(const std::vector<Arrival> &got, const std::vector<Arrival> &expected)
{
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); i++) {
        REQUIRE(got[i].number == expected[i].number);
        REQUIRE(got[i].sent == expected[i].sent);
        REQUIRE(got[i].at == expected[i].at);
    }
}

} // namespace

TEST_CASE("link: settings are what they say, for one way or both", "[link]")
{
    VirtualLink l({{"up-rate", "1mbit"},
                   {"rate", "8mbit"},
                   {"rtt", "300ms"},
                   {"down-delay", "20us"},
                   {"jitter", "1.5ms"},
                   {"down-queue", "256k"},
                   {"up-loss", "1.5%"},
                   {"down-gemodel", "1%,25%"}});
    const linkem_config &up = l.link.configs[UP], &down = l.link.configs[DOWN];
    CHECK(up.rate == 1000000);
    CHECK(down.rate == 8000000);
    CHECK(up.delay == 150 * TICK_MS);
    CHECK(down.delay == 20000);
    CHECK(up.jitter == 1500000);
    CHECK(down.jitter == 1500000);
    CHECK(up.queue_bytes == 65536); // 100 ms of the rate, at least 64k
    CHECK(down.queue_bytes == 262144);
    CHECK(up.loss == Approx(0.015));
    CHECK(down.loss == 0);
    CHECK(up.burst_p == 0);
    CHECK(down.burst_p == Approx(0.01));
    CHECK(down.burst_r == Approx(0.25));
    CHECK(down.burst_loss == 1);
}

TEST_CASE("link: a packet takes the delay of its way", "[link]")
{
    for (auto both : {"30ms", "60ms"}) {
        VirtualLink l({{"up-delay", "5ms"}, {"delay", both}});
        tick_t down = tick_from_ms(atof(both));
        for (uint32_t i = 0; i < 50; i++) {
            l.run_until(i * 7 * TICK_MS / 3);
            l.send(UP, i);
            l.send(DOWN, i, 60);
        }
        l.run_until(TICK_S);
        REQUIRE(l.arrived[UP].size() == 50);
        REQUIRE(l.arrived[DOWN].size() == 50);
        for (const auto &a : l.arrived[UP])
            REQUIRE(a.at - a.sent == 5 * TICK_MS);
        for (const auto &a : l.arrived[DOWN])
            REQUIRE(a.at - a.sent == down);
        CHECK(l.count(DOWN).bytes_out == 50 * 60);
        CHECK(l.count(DOWN).late_max == 0);
    }
}

TEST_CASE("link: each way has its rate, and never gives more", "[link]")
{
    VirtualLink l({{"delay", "10ms"}, {"up-rate", "1mbit"}, {"down-rate", "100mbit"}});
    for (uint32_t i = 0; i < 40; i++)
        for (auto way : BOTH)
            l.send(way, i);
    l.run_until(10 * TICK_S);
    for (auto way : BOTH) {
        tick_t each = way == UP ? 12 * TICK_MS : 120000; // 1500 bytes
        REQUIRE(l.arrived[way].size() == 40);
        for (size_t i = 0; i < 40; i++)
            REQUIRE(l.arrived[way][i].at == 10 * TICK_MS + static_cast<tick_t>(i + 1) * each);
    }
}

TEST_CASE("link: a full queue delays by its length and drops the rest", "[link]")
{
    // Three times the rate. A packet that just fits finds between a queue less itself and a full
    // queue with a whole packet on the line ahead of its own end.
    const int count = 1500;
    const tick_t line = 1428 * 1000; // ns for a packet at 8 Mbit/s
    VirtualLink l({{"delay", "10ms"}, {"down-rate", "8mbit"}, {"down-queue", "50000"}});
    for (uint32_t i = 0; i < count; i++) {
        l.run_until(i * line / 3);
        l.send(DOWN, i, 1428);
    }
    l.run_until(10 * TICK_S);
    const auto &n = l.count(DOWN);
    CHECK(n.packets_in == count);
    CHECK(n.full > 900);
    CHECK(n.packets_out + n.full == count);
    CHECK(n.full_bytes == n.full * 1428);
    CHECK(n.queue_max_bytes <= 50000);
    CHECK(n.queue_max_bytes > 50000 - 1428);
    REQUIRE(l.arrived[DOWN].size() == n.packets_out);
    const tick_t least = 10 * TICK_MS + (50000 - 1428) * 1000, most = least + 2 * line;
    for (size_t i = 100; i < l.arrived[DOWN].size(); i++) { // it is full by then
        tick_t took = l.arrived[DOWN][i].at - l.arrived[DOWN][i].sent;
        REQUIRE(took >= least);
        REQUIRE(took <= most);
    }
}

TEST_CASE("link: the seed says which packets are lost, others each way", "[link]")
{
    for (const char *loss : {"loss", "gemodel"}) {
        INFO(loss);
        const uint32_t count = 5000;
        VirtualLink l({{loss, strcmp(loss, "loss") == 0 ? "10%" : "3%,25%"}}, {}, false, 42);
        std::vector<std::pair<tick_t, uint32_t>> packets;
        for (uint32_t i = 0; i < count; i++) {
            l.run_until(i * TICK_MS);
            packets.push_back({virtual_now, 64});
            for (auto way : BOTH)
                l.send(way, i, 64);
        }
        l.run_until(2 * count * TICK_MS);
        for (auto way : BOTH) {
            linkem_config c = l.link.configs[way];
            CHECK(c.seed == 84u + static_cast<unsigned>(way));
            check_same(l.arrived[way], by_the_model(c, packets));
            const auto &n = l.count(way);
            CHECK(n.lost > count / 20);
            CHECK(n.lost < count / 5);
            CHECK(n.lost + n.packets_out == count);
            CHECK(n.lost_bytes == n.lost * 64);
        }
        auto number = [](const Arrival &a) { return a.number; };
        std::vector<uint32_t> up, down;
        std::transform(l.arrived[UP].begin(), l.arrived[UP].end(), std::back_inserter(up), number);
        std::transform(l.arrived[DOWN].begin(), l.arrived[DOWN].end(), std::back_inserter(down),
                       number);
        CHECK(up != down);
    }
}

TEST_CASE("link: jitter overtakes with --reorder only", "[link]")
{
    for (bool reorder : {false, true}) {
        INFO(reorder);
        VirtualLink l({{"delay", "10ms"}, {"jitter", "10ms"}}, {}, reorder);
        for (uint32_t i = 0; i < 2000; i++) {
            l.run_until(i * TICK_MS / 2);
            l.send(DOWN, i, 64);
        }
        l.run_until(2 * TICK_S);
        REQUIRE(l.arrived[DOWN].size() == 2000);
        int overtaken = 0;
        uint32_t highest = 0;
        for (const auto &a : l.arrived[DOWN]) {
            REQUIRE(a.at - a.sent >= 10 * TICK_MS);
            REQUIRE(a.at - a.sent <= 20 * TICK_MS);
            overtaken += a.number < highest;
            highest = std::max(highest, a.number);
        }
        CHECK((reorder ? overtaken > 500 : overtaken == 0));
    }
}

TEST_CASE("link: all of it together is the model, packet by packet", "[link]")
{
    for (bool reorder : {false, true}) {
        INFO(reorder);
        VirtualLink l({{"rtt", "80ms"},
                       {"jitter", "5ms"},
                       {"up-rate", "2mbit"},
                       {"down-rate", "10mbit"},
                       {"queue", "20000"},
                       {"loss", "2%"},
                       {"gemodel", "1%,25%,50%"}},
                      {}, reorder, 7);
        std::vector<std::pair<tick_t, uint32_t>> packets;
        for (uint32_t i = 0; i < 3000; i++) {
            l.run_until(i * 900000);
            packets.push_back({virtual_now, 100 + i * 37 % 1300});
            for (auto way : BOTH)
                l.send(way, i, packets.back().second);
        }
        l.run_until(10 * TICK_S);
        for (auto way : BOTH) {
            check_same(l.arrived[way], by_the_model(l.link.configs[way], packets));
            const auto &n = l.count(way);
            CHECK(n.lost > 50);
            CHECK(n.lost + n.full + n.packets_out == 3000);
            CHECK((way == UP) == (n.full > 100));
        }
    }
}

TEST_CASE("link: a change holds from its time on, for what waits too", "[link]")
{
    // 1000 bytes take 1 ms, then 10 ms.
    VirtualLink l({{"rate", "8mbit"}, {"delay", "5ms"}},
                  {"1500us:rate=800kbit", "1500us:down-delay=7ms", "3s:rtt=60ms", "3s:loss=100%"});
    for (uint32_t i = 0; i < 4; i++)
        l.send(DOWN, i, 1000);
    CHECK(l.link.configs[DOWN].queue_bytes == 100000);
    l.run_until(TICK_S);
    const tick_t expected[] = {6, 7, 19, 29}; // the second was on the line
    REQUIRE(l.arrived[DOWN].size() == 4);
    for (size_t i = 0; i < 4; i++)
        CHECK(l.arrived[DOWN][i].at == expected[i] * TICK_MS);
    CHECK(l.link.configs[DOWN].queue_bytes == 65536); // it follows the rate
    CHECK(l.link.configs[UP].delay == 5 * TICK_MS);
    l.run_until(3 * TICK_S);
    CHECK(l.link.configs[UP].delay == 30 * TICK_MS);
    l.send(DOWN, 4);
    l.run_until(4 * TICK_S);
    CHECK(l.arrived[DOWN].size() == 4);
    CHECK(l.count(DOWN).lost == 1);
}

TEST_CASE("link: a packet meets the settings of the moment, however late the link looks", "[link]")
{
    VirtualLink l({{"rtt", "20ms"}}, {"200ms:rtt=60ms"});
    l.run_until(100 * TICK_MS);
    l.send(UP, 0);
    virtual_now = 300 * TICK_MS; // no turn at 200 ms
    l.send(UP, 1);
    l.turn();
    REQUIRE(l.arrived[UP].size() == 1);
    CHECK(l.count(UP).late_max == 190 * TICK_MS);
    CHECK(l.count(UP).late_1ms == 1);
    l.run_until(TICK_S);
    REQUIRE(l.arrived[UP].size() == 2);
    CHECK(l.arrived[UP][1].at == 330 * TICK_MS);
    CHECK(l.count(UP).late_1ms == 1);
}

TEST_CASE("link: a batch at a time, and nothing is left behind", "[link]")
{
    VirtualLink l({{"delay", "1ms"}});
    for (uint32_t i = 0; i < 150; i++)
        l.send(DOWN, i, 64, false);
    for (int i = 0; i < 3; i++)
        linkem_link_read(&l.link, DOWN);
    CHECK(l.count(DOWN).packets_in == 150);
    l.run_until(TICK_MS);
    REQUIRE(l.arrived[DOWN].size() == 150);
    for (uint32_t i = 0; i < 150; i++)
        REQUIRE(l.arrived[DOWN][i].number == i);
    CHECK(l.turn() == TICK_NEVER);
}

TEST_CASE("link: what is said to groups does not cross", "[link]")
{
    VirtualLink l({{"loss", "0%"}});
    l.send(DOWN, 0, 64, true, 0xe0);
    l.send(DOWN, 1, 64, true, 0xff);
    l.send(DOWN, 2, 64);
    l.run_until(TICK_S);
    REQUIRE(l.arrived[DOWN].size() == 1);
    CHECK(l.arrived[DOWN][0].number == 2);
    CHECK(l.count(DOWN).multicast == 2);
    CHECK(l.count(DOWN).packets_in == 1);
}

TEST_CASE("link: UDP packets that are larger than the link lets in vanish, and no others", "[link]")
{
    VirtualLink l({{"down-udp", "1300"}});
    const auto send = [&](uint32_t number, uint32_t bytes, unsigned char protocol) {
        for (auto way : BOTH)
            l.send(way, number, bytes, true, 10, protocol);
    };
    send(0, 1300, IPPROTO_UDP);
    send(1, 1301, IPPROTO_UDP);
    send(2, 1301, IPPROTO_TCP);
    l.run_until(TICK_S);
    CHECK(l.arrived[UP].size() == 3);
    REQUIRE(l.arrived[DOWN].size() == 2);
    CHECK(l.arrived[DOWN][1].number == 2);
    CHECK(l.count(DOWN).udp == 1);
}

TEST_CASE("link: what drops UDP drops nothing else, from its time on and in its way", "[link]")
{
    VirtualLink l({{"up-udp", "drop"}}, {"1s:udp=drop", "2s:udp=pass"});
    auto send_both = [&](uint32_t number) {
        for (auto way : BOTH) {
            l.send(way, number, 64, true, 10, IPPROTO_UDP);
            l.send(way, number + 1, 64);
        }
    };
    send_both(0);
    l.run_until(TICK_S);
    CHECK(l.arrived[UP].size() == 1);
    CHECK(l.arrived[UP][0].number == 1);
    CHECK(l.arrived[DOWN].size() == 2);
    send_both(2);
    l.run_until(2 * TICK_S);
    for (auto way : BOTH)
        CHECK(l.arrived[way].back().number == 3);
    CHECK(l.count(UP).udp == 2);
    CHECK(l.count(DOWN).udp == 1);
    send_both(4);
    l.run_until(3 * TICK_S);
    for (auto way : BOTH) {
        CHECK(l.count(way).packets_in == 6);
        CHECK(l.count(way).packets_out == 6 - l.count(way).udp);
    }
}
