// What the table says of a comparison, in its last line.
#include <cstdlib>
#include <string>

#include "tests/catch.hpp"
#include "viewer/headless/report.h"

namespace
{

// One half: how many frames, how many of them showed something new, in ten seconds.
struct summary half(uint64_t updates, uint64_t changes)
{
    struct summary s = {};
    meter_init(&s.stats.meter);
    s.stats.meter.updates = updates;
    s.stats.meter.changes = changes;
    s.stats.elapsed = 10 * TICK_S;
    s.stats.fps = updates < 2 ? 0 : static_cast<double>(updates) / 10;
    return s;
}

std::string last_line(const struct summary *plain, const struct summary &run)
{
    char *text = nullptr;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    REQUIRE(f);
    report_table(f, plain, &run);
    fclose(f);
    std::string all(text, size);
    free(text);
    REQUIRE(!all.empty());
    return all.substr(all.rfind('\n', all.size() - 2) + 1);
}

std::string compared(const struct summary &plain, const struct summary &run)
{
    return last_line(&plain, run);
}

} // namespace

TEST_CASE("report: where nothing moved a comparison says so, and what to do")
{
    for (uint64_t again : {0, 40}) { // the same pixels, sent again, are no movement
        std::string line = compared(half(2 + again, 1), half(3 + again, 0));
        INFO(line);
        CHECK(line.find("stood still") != std::string::npos);
        CHECK(line.find("let something move") != std::string::npos);
        CHECK(line.find("times") == std::string::npos);
    }
    CHECK(last_line(nullptr, half(1, 0)).find("stood still") != std::string::npos);
}

TEST_CASE("report: where the server is near, a comparison says that there is nothing to gain")
{
    auto near = [](double rtt_ms, uint64_t updates) {
        struct summary s = half(updates, updates);
        s.stats.rtt_ms = rtt_ms;
        return s;
    };
    auto explained = [](const std::string &line) {
        return line.find("nothing to gain") != std::string::npos;
    };
    CHECK(explained(compared(near(0.3, 300), near(0.3, 270))));
    CHECK(explained(compared(near(19, 300), near(19, 320))));
    CHECK_FALSE(explained(compared(near(0.3, 300), near(0.3, 450)))); // it has gained all the same
    CHECK_FALSE(explained(compared(near(100, 90), near(100, 85))));
    CHECK_FALSE(explained(compared(near(0, 300), near(0, 270)))); // not known
}

TEST_CASE("report: few real frames, over a slow link, are compared")
{
    CHECK(compared(half(4, 3), half(6, 5)) == "1.5 times the frame rate of plain VNC.\n");
    CHECK(compared(half(2, 1), half(8, 7)) == "4.0 times the frame rate of plain VNC.\n");
    CHECK(compared(half(1, 0), half(8, 7)).find("--duration") != std::string::npos);
    CHECK(last_line(nullptr, half(4, 3)).find("still") == std::string::npos);
}
