// What became of the blocks that left as datagrams, under a fake clock.
#include "tests/catch.hpp"

#include <array>
#include <memory>
#include <random>
#include <set>

#include "prerequest/push/packets/arrivals.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;

struct Ledger {
    std::unique_ptr<arrivals> a = std::make_unique<arrivals>();
    std::set<uint32_t> has; // the viewer
    tick_t now = T0;

    Ledger()
    {
        arrivals_init(a.get());
    }

    void sent(uint32_t sequence)
    {
        arrivals_block b = {sequence, int(sequence % 1000), 16, 32, 16};

        arrivals_sent(a.get(), &b, now);
    }

    // All from the first to the last, 1 ms apart.
    void sent(uint32_t first, uint32_t last)
    {
        for (uint32_t s = first; s <= last; s++, now += TICK_MS)
            sent(s);
    }

    // The viewer has these, and says so; it had the newest `age_ms` before.
    void told(std::set<uint32_t> more, double age_ms = 0)
    {
        uint8_t before[ARRIVALS_BEFORE] = {};

        has.insert(more.begin(), more.end());
        uint32_t newest = *has.rbegin();
        for (uint32_t s : has)
            if (s < newest && newest - 1 - s < 8 * ARRIVALS_BEFORE)
                before[(newest - 1 - s) / 8] |= uint8_t(1 << (newest - 1 - s) % 8);
        arrivals_told(a.get(), newest, before, now - tick_from_ms(age_ms), now);
    }

    std::vector<uint32_t> lost()
    {
        std::vector<uint32_t> all;
        arrivals_block b;

        while (arrivals_lost(a.get(), &b, now)) {
            CHECK(b.x == int(b.sequence % 1000));
            CHECK((b.y == 16 && b.w == 32 && b.h == 16));
            all.push_back(b.sequence);
        }
        return all;
    }

    // A round trip of 100 ms is known, and steady.
    void know()
    {
        for (uint32_t s = 1; s <= 40; s++) {
            sent(s);
            now += 100 * TICK_MS;
            told({s});
        }
    }
};

using list = std::vector<uint32_t>;

} // namespace

TEST_CASE("what was told is not lost, and the round trip is without the viewer's delay")
{
    Ledger l;

    CHECK(arrivals_due(l.a.get()) == TICK_NEVER);
    CHECK(arrivals_round_trip(l.a.get()) == 0);
    l.sent(1);
    l.now += 60 * TICK_MS;
    l.told({1}, 10);
    CHECK(arrivals_round_trip(l.a.get()) == 50 * TICK_MS);
    CHECK(arrivals_due(l.a.get()) == TICK_NEVER);
    CHECK(l.a->sent == 1);
    CHECK(l.a->received == 1);
    l.now += TICK_S;
    l.told({1}, 1010); // the same once more is no news, and no sample
    CHECK(arrivals_round_trip(l.a.get()) == 50 * TICK_MS);
    CHECK(l.a->received == 1);
    CHECK(l.lost().empty());
}

TEST_CASE("three later ones, and an eighth of a round trip, make a block lost")
{
    Ledger l;

    l.know();
    l.sent(41, 45);
    l.now += 100 * TICK_MS;
    l.told({42, 43}, 3); // two later ones only
    l.now += 2 * TICK_MS;
    CHECK(l.lost().empty());
    l.told({44}, 4);
    CHECK(arrivals_due(l.a.get()) == l.now + 100 * TICK_MS / 8);
    CHECK(l.lost().empty());
    l.now += 100 * TICK_MS / 8 - 1;
    CHECK(l.lost().empty());
    l.now += 1;
    CHECK(l.lost() == list{41});
    CHECK(l.lost().empty());
    CHECK(l.a->lost == 1);
}

TEST_CASE("a block that comes in another order is not lost")
{
    Ledger l;

    l.know();
    l.sent(41, 45);
    l.now += 100 * TICK_MS;
    l.told({42, 43, 44, 45});
    l.now += 10 * TICK_MS;
    l.told({41});
    CHECK(arrivals_due(l.a.get()) == TICK_NEVER);
    l.now += TICK_S;
    CHECK(l.lost().empty());
}

TEST_CASE("blocks between that left by another way do not count as later ones")
{
    Ledger l;

    l.know();
    l.sent(50);
    l.sent(60); // 51 to 59 went by TCP, and the viewer has them
    l.now += 100 * TICK_MS;
    l.told({51, 52, 53, 54, 60});
    l.now += 20 * TICK_MS - 1;
    CHECK(l.lost().empty());
    l.now += 20 * TICK_MS; // the RTO
    CHECK(l.lost() == list{50});
}

TEST_CASE("the last block is lost when the RTO has passed")
{
    Ledger first;
    first.sent(1);
    CHECK(arrivals_due(first.a.get()) == T0 + TICK_S);
    first.now += TICK_S - 1;
    CHECK(first.lost().empty());
    first.now += 1;
    CHECK(first.lost() == list{1});

    Ledger l;
    l.know();
    l.sent(41);
    tick_t rto = arrivals_due(l.a.get()) - l.now;
    CHECK(rto >= 120 * TICK_MS);
    CHECK(rto < 125 * TICK_MS);
    l.now += rto;
    CHECK(l.lost() == list{41});
}

TEST_CASE("where messages of the viewer are lost, the RTO is longer")
{
    Ledger l;

    for (uint32_t s = 1; s <= 400; s++) {
        l.sent(s);
        l.has.insert(s);
        l.now += 10 * TICK_MS;
        if (s > 10 && s % 4 == 0) // three of four do not come
            l.told({s - 10});
        CHECK((s < 40 || l.lost().empty()));
    }
}

TEST_CASE("what was lost and is told later has come, and a longer round trip is seen")
{
    Ledger l;

    l.know();
    for (uint32_t s = 41; s <= 60; s++) {
        l.sent(s);
        l.now += 300 * TICK_MS;
        l.lost();
        l.told({s});
    }
    CHECK(arrivals_round_trip(l.a.get()) > 250 * TICK_MS);
    CHECK(l.a->lost == 0);
    CHECK(l.a->received == l.a->sent);
    l.sent(61);
    l.now += 300 * TICK_MS;
    CHECK(l.lost().empty());
}

TEST_CASE("nothing is told: how long, and less is sent again each time")
{
    Ledger l;
    tick_t silent, waited = 0;

    l.know();
    CHECK(arrivals_silent(l.a.get(), l.now + TICK_S) == 0);
    l.now += 10 * TICK_S; // nothing was sent
    tick_t begun = l.now;
    for (uint32_t s = 41; s <= 46; s++) {
        l.sent(s);
        tick_t wait = arrivals_due(l.a.get()) - l.now;
        CHECK(wait >= waited);
        CHECK(wait <= TICK_S);
        waited = wait;
        silent = arrivals_silent(l.a.get(), l.now);
        CHECK(silent == l.now - begun);
        l.now += wait;
        CHECK(l.lost() == list{s}); // and goes again at once
    }
    CHECK(waited == TICK_S);
    CHECK(arrivals_silent(l.a.get(), l.now) == 0); // none is out
    l.sent(47);
    l.now += 100 * TICK_MS;
    CHECK(arrivals_silent(l.a.get(), l.now) > TICK_S);
    l.told({47});
    CHECK(arrivals_silent(l.a.get(), l.now) == 0);
    l.now += 5 * TICK_S;
    l.sent(48);
    CHECK(arrivals_silent(l.a.get(), l.now) == 0);
}

TEST_CASE("a full ledger takes no more until the oldest has come or is lost")
{
    Ledger l;

    for (uint32_t s = 1; s <= ARRIVALS_BLOCKS; s++) {
        CHECK_FALSE(arrivals_full(l.a.get()));
        l.sent(s);
    }
    CHECK(arrivals_full(l.a.get()));
    CHECK(l.lost().empty());
    l.told({1});
    CHECK_FALSE(arrivals_full(l.a.get()));
    l.sent(ARRIVALS_BLOCKS + 1);
    CHECK(arrivals_full(l.a.get()));
    l.now += TICK_S;
    CHECK(l.lost().size() == ARRIVALS_BLOCKS);
    CHECK(arrivals_due(l.a.get()) == TICK_NEVER);
}

TEST_CASE("numbers wrap around, and nonsense of the viewer does nothing")
{
    Ledger l;
    uint8_t all[ARRIVALS_BEFORE], none[ARRIVALS_BEFORE] = {};
    uint32_t near = UINT32_MAX - 2;

    memset(all, 0xff, sizeof all);
    arrivals_told(l.a.get(), 7, all, l.now, l.now); // nothing was sent
    for (uint32_t s = near; s != 4; s++)
        l.sent(s);
    l.now += 50 * TICK_MS;
    arrivals_told(l.a.get(), 1000, none, l.now, l.now); // was not sent
    CHECK(l.a->received == 0);
    arrivals_told(l.a.get(), 3, none, l.now, l.now);
    l.now += 7 * TICK_MS;
    CHECK(l.lost() == list{UINT32_MAX - 2, UINT32_MAX - 1, UINT32_MAX, 0});
    arrivals_told(l.a.get(), 3, all, l.now, l.now);
    CHECK(l.a->received == 7);
    CHECK(l.a->lost == 0);
}

TEST_CASE("each block is told, lost or out, once; losses come in the order of leaving")
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        std::mt19937 random(seed);
        Ledger l;
        uint32_t sequence = 0, newest_lost = 0;
        std::set<uint32_t> out, lost;

        for (int i = 0; i < 20000; i++, l.now += TICK_MS / 2) {
            if (random() % 3 && !arrivals_full(l.a.get())) {
                sequence += 1 + random() % 3;
                l.sent(sequence);
                out.insert(sequence);
            }
            if (random() % 10 == 0 && sequence > 200) {
                std::set<uint32_t> more;
                for (uint32_t s : out)
                    if (s < sequence - 100 && random() % 2)
                        more.insert(s);
                for (uint32_t s : more)
                    out.erase(s);
                if (!more.empty())
                    l.told(more);
            }
            for (uint32_t s : l.lost()) {
                CHECK(s > newest_lost);
                newest_lost = s;
                lost.insert(s);
            }
        }
        l.now += 2 * TICK_S;
        for (uint32_t s : l.lost())
            lost.insert(s);
        for (uint32_t s : out)
            if (sequence - s > 100) // or the viewer may have told it
                CHECK(lost.count(s) == 1);
        CHECK(arrivals_due(l.a.get()) == TICK_NEVER);
        CHECK(l.a->received + l.a->lost == l.a->sent);
    }
}

TEST_CASE("what carried the same has come if one of them has")
{
    Ledger l;
    arrivals_block copy = {4, 4, 16, 32, 16};

    l.sent(1, 3);
    arrivals_sent_again(l.a.get(), &copy, 2, l.now);
    copy.sequence = 5;
    arrivals_sent_again(l.a.get(), &copy, 4, l.now);
    CHECK_FALSE(arrivals_came(l.a.get(), 5));
    l.told({1, 3});
    CHECK(arrivals_came(l.a.get(), 1));
    CHECK_FALSE(arrivals_came(l.a.get(), 2));
    CHECK_FALSE(arrivals_came(l.a.get(), 5));
    l.told({2});
    CHECK(arrivals_came(l.a.get(), 5));
    CHECK_FALSE(arrivals_came(l.a.get(), 6)); // it was not sent
    CHECK_FALSE(arrivals_came(l.a.get(), 0));
}

TEST_CASE("what the ledger has forgotten has not come, as far as is known")
{
    Ledger l;
    arrivals_block copy = {2 * ARRIVALS_BLOCKS + 1, 1, 16, 32, 16};

    for (uint32_t s = 1; s <= 2 * ARRIVALS_BLOCKS; s++) {
        l.sent(s);
        arrivals_told(l.a.get(), s, std::array<uint8_t, ARRIVALS_BEFORE>{}.data(), l.now, l.now);
    }
    arrivals_sent_again(l.a.get(), &copy, 5, l.now);
    CHECK(arrivals_came(l.a.get(), 2 * ARRIVALS_BLOCKS));
    CHECK_FALSE(arrivals_came(l.a.get(), copy.sequence));
}
