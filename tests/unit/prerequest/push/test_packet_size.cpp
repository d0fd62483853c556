// How large packets may be, under a fake clock: a path that carries so many bytes, and both ends.
#include "prerequest/push/packets/packet_size.h"

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "prerequest/push/packets/arrivals.h"
#include "tests/catch.hpp"
#include "tests/seed.hpp"

namespace
{

struct Path {
    std::unique_ptr<packet_size> s = std::make_unique<packet_size>();
    tick_t now = 1000 * TICK_S;
    unsigned carries;
    bool answers = true; // the other end knows probes
    std::vector<unsigned> probes;

    explicit Path(unsigned bytes) : carries(bytes)
    {
        packet_size_begin(s.get());
    }
    // What is due leaves, and is told of if it comes.
    void probe()
    {
        for (unsigned bytes; (bytes = packet_size_probe(s.get(), now)) > 0;) {
            probes.push_back(bytes);
            if (bytes <= carries && answers)
                packet_size_told(s.get(), s->search, bytes);
        }
    }
    void search()
    {
        for (int i = 0; i < PACKET_SIZE_PROBES; i++, now += PACKET_SIZE_WAIT)
            probe();
    }
    // A packet leaves; later all of them are told of, as they came.
    void send(unsigned bytes, bool lost = false)
    {
        packet_size_sent(s.get(), next, bytes);
        came.push_back(bytes <= carries && !lost);
        next++;
    }
    void tell(tick_t after = 10 * TICK_MS)
    {
        uint8_t before[ARRIVALS_BEFORE] = {};
        uint32_t newest = 0;
        now += after;
        for (uint32_t n = 1; n < next; n++)
            if (came[n - 1])
                newest = n;
        for (uint32_t n = 1; n < newest; n++)
            if (came[n - 1] && newest - n <= 8 * sizeof before)
                before[(newest - n - 1) / 8] |= uint8_t(1u << (newest - n - 1) % 8);
        if (newest > 0)
            packet_size_came(s.get(), newest, before, sizeof before, now);
    }
    unsigned bytes() const
    {
        return s->bytes;
    }

    uint32_t next = 1;
    std::vector<bool> came;
};

} // namespace

TEST_CASE("packet size: the largest probe that was told of holds")
{
    const unsigned carries = GENERATE(1200, 1279, 1280, 1399, 1400, 1451, 1452, 9000);
    Path p(carries);
    CHECK(p.bytes() == PACKET_SIZE_LEAST);
    p.search();
    CHECK(p.bytes() == (carries < 1280   ? 1200
                        : carries < 1400 ? 1280
                        : carries < 1452 ? 1400
                                         : 1452));
    // those that are too large leave three times, the others once
    std::vector<unsigned> all;
    for (int i = 0; i < PACKET_SIZE_PROBES; i++)
        for (unsigned bytes : {1280, 1400, 1452})
            if (i == 0 || bytes > carries)
                all.push_back(bytes);
    CHECK(p.probes == all);
}

TEST_CASE("packet size: a search ends, and another one begins much later")
{
    Path p(1300);
    p.search();
    CHECK(p.bytes() == 1280);
    p.probe();
    const size_t before = p.probes.size();
    const tick_t due = packet_size_due(p.s.get());
    CHECK(due > p.now + PACKET_SIZE_AGAIN / 2);
    p.now = due - 1;
    p.probe();
    CHECK(p.probes.size() == before);
    p.now = due;
    p.carries = 1500;
    p.probe();
    CHECK(p.bytes() == 1452);
    CHECK(packet_size_due(p.s.get()) == TICK_NEVER); // there is nothing larger
}

TEST_CASE("packet size: who knows no probes gets the least, and few probes")
{
    Path p(1500);
    p.answers = false;
    for (int i = 0; i < 3600; i++, p.now += TICK_S)
        p.probe();
    CHECK(p.bytes() == PACKET_SIZE_LEAST);
    CHECK(p.probes.size() <= 9 * (3600 / 600 + 1));
}

TEST_CASE("packet size: only a probe of this search counts, and only its sizes")
{
    Path p(0);
    p.probe();
    const uint8_t search = p.s->search;
    for (unsigned bytes : {0u, 1u, 1200u, 1201u, 1453u, 65535u})
        packet_size_told(p.s.get(), search, bytes);
    packet_size_told(p.s.get(), uint8_t(search + 1), 1452);
    packet_size_told(p.s.get(), uint8_t(search - 1), 1452);
    CHECK(p.bytes() == PACKET_SIZE_LEAST);
    packet_size_told(p.s.get(), search, 1400);
    CHECK(p.bytes() == 1400);
    packet_size_told(p.s.get(), search, 1280); // a late one
    CHECK(p.bytes() == 1400);
    packet_size_begin(p.s.get()); // another path
    CHECK(p.bytes() == PACKET_SIZE_LEAST);
    packet_size_told(p.s.get(), search, 1452);
    CHECK(p.bytes() == PACKET_SIZE_LEAST);
}

TEST_CASE("packet size: what this machine refuses is not tried, and does not hold")
{
    Path p(1500);
    SECTION("a probe")
    {
        packet_size_refused(p.s.get(), 1400);
        p.search();
        CHECK(p.bytes() == 1280);
        CHECK(std::count(p.probes.begin(), p.probes.end(), 1280) == 1);
        CHECK(p.probes.size() == 1);
    }
    SECTION("a packet: what is smaller is tried at once")
    {
        p.search();
        CHECK(p.bytes() == 1452);
        packet_size_refused(p.s.get(), 1430);
        CHECK(p.bytes() == PACKET_SIZE_LEAST);
        CHECK(packet_size_due(p.s.get()) <= p.now);
        p.probe();
        CHECK(p.bytes() == 1400);
    }
    SECTION("even one that passes everywhere")
    {
        p.search();
        packet_size_refused(p.s.get(), 1100);
        p.search();
        CHECK(p.bytes() == PACKET_SIZE_LEAST);
        CHECK(p.probes.size() == 3); // those of before
    }
    SECTION("not for ever")
    {
        packet_size_refused(p.s.get(), 1280);
        p.search();
        CHECK(p.bytes() == PACKET_SIZE_LEAST);
        p.now += PACKET_SIZE_AGAIN;
        p.probe();
        CHECK(p.bytes() == 1452);
    }
}

TEST_CASE("packet size: a path that becomes narrower is a black hole for the larger ones")
{
    Path p(1500);
    p.search();
    REQUIRE(p.bytes() == 1452);
    for (int i = 0; i < 100; i++) {
        p.send(1452);
        p.send(700);
        p.tell();
    }
    REQUIRE(p.bytes() == 1452);
    p.carries = 1300;
    int sent = 0;
    while (p.bytes() == 1452 && sent < 1000) {
        p.send(1452);
        p.send(700);
        p.tell();
        sent++;
    }
    CHECK(p.bytes() == PACKET_SIZE_LEAST);
    CHECK(sent >= PACKET_SIZE_LOST);
    CHECK(sent <= PACKET_SIZE_LOST + 15); // 100 ms, and what is told behind
    const size_t before = p.probes.size();
    p.now += PACKET_SIZE_AGAIN / 2;
    p.probe();
    CHECK(p.probes.size() == before);
    p.now += PACKET_SIZE_AGAIN;
    p.search();
    CHECK(p.bytes() == 1280);
}

TEST_CASE("packet size: a path that becomes narrower than all packets does, too, but later")
{
    Path p(1500);
    p.search();
    p.carries = 1000;
    int sent = 0;
    for (; p.bytes() == 1452 && sent < 1000; sent++) {
        p.send(1452);
        p.send(1100);
        p.send(1150);
        p.send(500);
        p.tell();
    }
    CHECK(sent >= PACKET_SIZE_LOST_MANY);
    CHECK(p.bytes() == PACKET_SIZE_LEAST);
}

TEST_CASE("packet size: a queue that overflows is no black hole")
{
    Path p(1500);
    p.search();
    for (int i = 0; i < 3000; i++) {
        p.send(i % 3 ? 1452 : 500, i % 11 > 0); // one comes after ten that are lost
        if (i % 10 == 9)
            p.tell();
    }
    p.tell(TICK_S);
    CHECK(p.bytes() == 1452);
}

TEST_CASE("packet size: loss that does not mind the size is no black hole")
{
    std::mt19937 random(one_seed()); // at 30 % it looks so once in some hundred runs
    const double loss = GENERATE(0.01, 0.1, 0.3);
    Path p(1500);
    p.search();
    for (int i = 0; i < 3000; i++) {
        p.send(i % 3 ? 1452 : 500, double(random()) / double(random.max()) < loss);
        if (i % 10 == 9)
            p.tell();
    }
    p.tell(TICK_S);
    CHECK(p.bytes() == 1452);
}

TEST_CASE("packet size: an outage is no black hole, and neither is another order")
{
    Path p(1500);
    p.search();
    SECTION("all that leaves for a while is lost")
    {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 50; i++)
                p.send(i % 2 ? 1452 : 500, true);
            p.send(1452); // what comes behind it
            for (int i = 0; i < 10; i++)
                p.send(500);
            for (int i = 0; i < 20; i++)
                p.tell();
        }
    }
    SECTION("larger ones are overtaken by less than 100 ms")
    {
        for (int round = 0; round < 20; round++) {
            const uint32_t first = p.next;
            for (int i = 0; i < 30; i++)
                p.send(1452, true);
            for (int i = 0; i < 10; i++)
                p.send(500);
            p.tell();
            p.tell(80 * TICK_MS);
            for (uint32_t n = first; n < p.next; n++)
                p.came[n - 1] = true;
            p.tell();
        }
    }
    CHECK(p.bytes() == 1452);
}

TEST_CASE("packet size: whatever is told, the size is one of those that were tried")
{
    std::mt19937 random(any_seed());
    Path p(1500);
    for (int i = 0; i < 20000; i++) {
        uint8_t before[ARRIVALS_BEFORE];
        for (uint8_t &b : before)
            b = uint8_t(random());
        p.now += tick_t(random() % 50) * TICK_MS;
        p.carries = random() % 2 ? 1500 : 1300;
        p.probe();
        p.send(500 + random() % 953);
        packet_size_told(p.s.get(), uint8_t(random()), random() % 65536);
        packet_size_came(p.s.get(), random() % 2 ? p.next - random() % 300 : uint32_t(random()),
                         before, sizeof before, p.now);
        if (random() % 500 == 0)
            packet_size_refused(p.s.get(), 1 + random() % 1452);
        REQUIRE((p.bytes() == 1200 || p.bytes() == 1280 || p.bytes() == 1400 || p.bytes() == 1452));
    }
}
