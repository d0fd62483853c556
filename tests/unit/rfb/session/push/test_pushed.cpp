// What a far end that pushes is told: when it hears how far was read, and what the user wishes.
#include "tests/catch.hpp"

#include <string>

#include "rfb/session/push/pushed.h"

namespace
{

struct Told {
    pushed *p;

    explicit Told(bool begun = true, int quality = LEVEL_AUTO)
    {
        encoding_options e = {};
        scheduler_options s = {};
        e.quality = quality;
        e.jpeg = true;
        s.lossless_refresh = true;
        s.max_fps = 12.34;
        s.max_rate = 5e9; // more than the message has room for: no limit
        p = pushed_create(&e, &s);
        REQUIRE(p);
        if (begun) {
            CHECK(pushed_begin(p, false));
            CHECK(write() == "wishes -1 jpeg exact 123 0; ");
        }
    }
    ~Told()
    {
        pushed_destroy(p);
    }
    Told(const Told &) = delete;
    Told &operator=(const Told &) = delete;

    tick_t now = 0;

    bool read(uint32_t sequence, size_t bytes)
    {
        const pushed_block b = {sequence, bytes, 0, false};
        return pushed_read(p, &b, now);
    }
    // With the newest block that is acknowledged, and the ages of others, ms.
    static std::string marks(const blocks_message &m)
    {
        std::string all = "read";
        for (unsigned i = 0; i < m.marks; i++) {
            all += " " + std::to_string(m.mark[i].sequence);
            if (m.mark[i].age_us > 0)
                all += "-" + std::to_string(m.mark[i].age_us / 1000) + "ms";
        }
        return all;
    }
    std::string write(bool room = true)
    {
        uint8_t out[PUSHED_WRITE_MAX];
        std::string all;
        size_t size = pushed_write(p, out, room, now);
        for (size_t at = 0; at < size; at += BLOCKS_HEAD + blocks_body(out + at)) {
            blocks_message m;
            REQUIRE(blocks_read(out + at, &m));
            const blocks_wishes &w = m.wishes;
            const rect &r = m.refused;
            if (m.kind == BLOCKS_REFUSED) {
                all += "refused " + std::to_string(r.x) + "," + std::to_string(r.y) + " " +
                       std::to_string(r.w) + "x" + std::to_string(r.h) + "; ";
                continue;
            }
            all += m.kind == BLOCKS_ACKNOWLEDGE
                       ? marks(m)
                       : "wishes " + std::to_string(w.quality) + (w.jpeg ? " jpeg" : "") +
                             (w.exact_at_rest ? " exact" : "") + (w.hidden ? " hidden" : "") + " " +
                             std::to_string(w.max_fps10) + " " + std::to_string(w.max_rate);
            all += "; ";
        }
        return all;
    }
};

} // namespace

TEST_CASE("pushed: nothing is said before a far end pushes")
{
    Told t(false);
    CHECK_FALSE(t.read(1, PUSHED_EVERY));
    CHECK_FALSE(pushed_ran_dry(t.p));
    session_tuning tuning = {};
    pushed_tune(t.p, &tuning);
    pushed_hide(t.p, true);
    CHECK(t.write() == "");
    CHECK(t.write(false) == "");
    CHECK_FALSE(pushed_waits_for_room(t.p));
    pushed_begin(t.p, false); // what was wished before counts
    CHECK(t.write() == "wishes 0 jpeg exact hidden 123 0; read 1; ");
}

TEST_CASE("pushed: what was read is acknowledged when nothing more is here, once")
{
    Told t;
    CHECK_FALSE(t.read(1, 1000));
    CHECK(t.write() == "");
    CHECK(pushed_ran_dry(t.p));
    CHECK(t.write() == "read 1; ");
    CHECK_FALSE(pushed_ran_dry(t.p));
    CHECK(t.write() == "");
    CHECK_FALSE(t.read(2, 1000));
    CHECK_FALSE(t.read(3, 1000));
    CHECK(pushed_ran_dry(t.p));
    CHECK(t.write() == "read 3; ");
}

TEST_CASE("pushed: in a long run of blocks every 16 KiB are acknowledged")
{
    Told t;
    CHECK_FALSE(t.read(1, PUSHED_EVERY - 1));
    CHECK(t.write() == "");
    CHECK(t.read(2, 1));
    CHECK(t.write() == "read 2; ");
    CHECK_FALSE(t.read(3, 1)); // they are counted anew
    CHECK(t.write() == "");
    CHECK(t.read(4, PUSHED_EVERY));
    CHECK(t.read(5, 1)); // the sender may not have come yet
    CHECK(t.write() == "read 5; ");
}

TEST_CASE("pushed: without room it waits, wakes nobody, and then says the newest")
{
    Told t;
    CHECK_FALSE(t.read(1, 10));
    CHECK(t.write(false) == "");
    CHECK_FALSE(pushed_waits_for_room(t.p)); // nothing is due
    CHECK(pushed_ran_dry(t.p));
    CHECK(t.write(false) == "");
    CHECK(pushed_waits_for_room(t.p));
    CHECK_FALSE(t.read(2, PUSHED_EVERY)); // room will wake it
    CHECK_FALSE(pushed_ran_dry(t.p));
    CHECK(t.write() == "read 2; ");
    CHECK_FALSE(pushed_waits_for_room(t.p));
    pushed_hide(t.p, true);
    CHECK(t.write(false) == "");
    CHECK(pushed_waits_for_room(t.p));
    CHECK(t.write() == "wishes -1 jpeg exact hidden 123 0; ");
}

TEST_CASE("pushed: wishes are said when they change")
{
    Told t;
    session_tuning tuning = {};
    tuning.quality = 7;
    pushed_tune(t.p, &tuning);
    CHECK(t.write() == "wishes 7 jpeg exact 123 0; ");
    tuning.quality = TUNING_AUTO;
    pushed_tune(t.p, &tuning);
    pushed_hide(t.p, true);
    CHECK(t.write() == "wishes -1 jpeg exact hidden 123 0; ");
    CHECK(t.write() == "");
    pushed_hide(t.p, false);
    CHECK(t.write() == "wishes -1 jpeg exact 123 0; ");
    CHECK(pushed_begin(t.p, false)); // the far end has shown itself again: it may be another one
    CHECK(t.write() == "wishes -1 jpeg exact 123 0; ");
}

TEST_CASE("pushed: numbers of blocks go round")
{
    Told t;
    t.read(UINT32_MAX, 10);
    pushed_ran_dry(t.p);
    CHECK(t.write() == "read 4294967295; ");
    t.read(0, 10);
    pushed_ran_dry(t.p);
    CHECK(t.write() == "read 0; ");
}

TEST_CASE("pushed: a message that had to wait tells when blocks were read")
{
    Told t;
    for (uint32_t i = 1; i <= 5; i++, t.now += TICK_MS)
        t.read(i, 100); // two share a mark
    pushed_ran_dry(t.p);
    CHECK(t.write(false) == "");
    t.now += 5 * TICK_MS; // 10 ms after the first
    CHECK(t.write() == "read 2-9ms 4-7ms 5-6ms; ");
    for (uint32_t i = 6; i < 6 + 2 * BLOCKS_MARKS_MAX; i++, t.now += 10 * TICK_MS)
        t.read(i, 100);
    pushed_ran_dry(t.p);
    std::string said = t.write(); // the last mark is of the newest block all the same
    CHECK(said.find("read 6-") == 0);
    CHECK(said.find(" 37-10ms; ") != std::string::npos);
    t.read(100, 1);
    t.now += 5000 * TICK_S; // more than the message has room for
    pushed_ran_dry(t.p);
    CHECK(t.write() == "read 100-4294967ms; ");
}

TEST_CASE("pushed: the quality is that of the newest block with loss, for as long as it is new")
{
    Told t;
    struct pushed_figures figures;
    auto quality = [&](tick_t since) {
        CHECK(pushed_figures(t.p, since, &figures));
        return figures.quality;
    };
    CHECK(quality(0) == 0);
    const pushed_block lossy = {1, 10, 60, false}, exact = {2, 10, 0, false};
    pushed_read(t.p, &lossy, t.now);
    pushed_read(t.p, &exact, t.now);
    CHECK(quality(t.now) == 60);
    CHECK(quality(t.now + 1) == 0);
    Told none(false);
    CHECK_FALSE(pushed_figures(none.p, -1, &figures));
}

TEST_CASE("pushed: what the far end said last of how it pushes is kept")
{
    Told t;
    struct pushed_figures figures;
    const accelerator_pushing octopus = {"octopus", 900, 858, 110, 60, 0}, nothing = {};

    CHECK(pushed_figures(t.p, 0, &figures));
    CHECK(figures.pushing.policy == std::string());
    pushed_hear(t.p, &octopus);
    pushed_hear(t.p, &nothing); // a text that says nothing of it
    CHECK(pushed_figures(t.p, 0, &figures));
    CHECK(figures.pushing.policy == std::string("octopus"));
    CHECK(figures.pushing.rate_kbit == 900);
    CHECK(figures.pushing.jpeg == 60);
}

TEST_CASE("pushed: what was refused is told once, and several as one part that has them all")
{
    Told t;
    struct resolver_counts counts = {1, 2, 3, 0, 4};
    pushed_referred(t.p, counts, {});
    CHECK(t.write() == "");
    pushed_referred(t.p, counts, {16, 32, 64, 16});
    CHECK(pushed_ran_dry(t.p)); // the sender is to be woken
    CHECK(t.write(false) == "");
    CHECK(pushed_waits_for_room(t.p));
    pushed_referred(t.p, counts, {});
    CHECK(t.write() == "refused 16,32 64x16; ");
    CHECK(t.write() == "");
    pushed_referred(t.p, counts, {16, 32, 64, 16});
    pushed_referred(t.p, counts, {0, 64, 16, 16});
    CHECK(t.write() == "refused 0,32 80x48; ");
    struct pushed_figures figures;
    REQUIRE(pushed_figures(t.p, 0, &figures));
    CHECK(figures.references.refused == 4);
}
