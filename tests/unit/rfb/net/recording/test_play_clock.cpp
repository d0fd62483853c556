/* When a recording's bytes are due (rfb/net/recording/play_clock.h), and its place in words. */
#include <string>

#include "rfb/net/recording/play_clock.h"
#include "rfb/net/recording/playback.h"
#include "tests/catch.hpp"

namespace
{

const tick_t START = 100 * TICK_S;

struct play_clock begun(double speed, const struct play_wish &wish = {})
{
    struct play_clock c;

    play_clock_init(&c, speed, START);
    play_clock_wish(&c, &wish, START);
    return c;
}

} // namespace

TEST_CASE("play clock: bytes are due at their times, divided by the speed")
{
    auto c = begun(2);
    CHECK(play_clock_due(&c) == 0);
    play_clock_next(&c, 4000, START);
    CHECK(play_clock_due(&c) == START + 2 * TICK_S);
    CHECK(play_clock_place(&c, START) == 0);
    CHECK(play_clock_place(&c, START + TICK_S) == 2000);
    CHECK(play_clock_place(&c, START + 9 * TICK_S) == 4000); /* not beyond what is read next */
    play_clock_next(&c, 3000, START + 2 * TICK_S);           /* its times go back */
    CHECK(play_clock_due(&c) <= START + 2 * TICK_S);
    CHECK(play_clock_place(&c, START + 2 * TICK_S) == 4000);
    play_clock_next(&c, 6000, START + 2 * TICK_S);
    CHECK(play_clock_due(&c) == START + 3 * TICK_S);
}

TEST_CASE("play clock: as fast as it can be read")
{
    auto c = begun(PLAYBACK_MAX);
    play_clock_next(&c, 4000, START);
    CHECK(play_clock_due(&c) == 0);
    CHECK(play_clock_place(&c, START) == 4000);
    const struct play_wish pause = {true, false, 0};
    play_clock_wish(&c, &pause, START);
    CHECK(play_clock_due(&c) == TICK_NEVER);
}

TEST_CASE("play clock: as fast as it can be read, its place never goes back, and stands in a pause")
{
    auto c = begun(PLAYBACK_MAX);
    const struct play_wish pause = {true, false, 0};
    play_clock_next(&c, 4000, START);
    play_clock_next(&c, 3000, START);
    CHECK(play_clock_place(&c, START) == 4000);
    play_clock_wish(&c, &pause, START);
    play_clock_next(&c, 9000, START);
    CHECK(play_clock_place(&c, START) == 4000);
}

TEST_CASE("play clock: before the first wish all is due, and its place is what has come")
{
    struct play_clock c;
    const struct play_wish wish = {true, true, 0};
    play_clock_init(&c, 1, START);
    play_clock_next(&c, 60000, START);
    CHECK(play_clock_due(&c) == 0);
    play_clock_wish(&c, &wish, START + TICK_S);
    CHECK(play_clock_due(&c) == TICK_NEVER);
    CHECK(play_clock_place(&c, START + 9 * TICK_S) == 60000);
}

TEST_CASE("play clock: at the end it stands where the last bytes came")
{
    for (bool sought : {false, true}) {
        INFO(sought);
        auto c = begun(1, {false, sought, sought ? 90000u : 0});
        play_clock_next(&c, 8000, START);
        play_clock_end(&c, START + 8 * TICK_S);
        CHECK_FALSE(c.seeking);
        CHECK(play_clock_place(&c, START + 9 * TICK_S) == 8000);
    }
}

TEST_CASE("play clock: a pause costs no time of the recording")
{
    auto c = begun(1);
    const struct play_wish pause = {true, false, 0}, on = {};
    play_clock_next(&c, 10000, START);
    play_clock_wish(&c, &pause, START + 4 * TICK_S);
    CHECK(play_clock_due(&c) == TICK_NEVER);
    CHECK(play_clock_place(&c, START + 50 * TICK_S) == 4000);
    play_clock_wish(&c, &pause, START + 60 * TICK_S); /* once more is the same */
    play_clock_wish(&c, &on, START + 100 * TICK_S);
    CHECK(play_clock_due(&c) == START + 106 * TICK_S);
    CHECK(play_clock_place(&c, START + 101 * TICK_S) == 5000);
}

TEST_CASE("play clock: all up to the place that is sought is due at once")
{
    const struct play_wish wish = {false, true, 5000};
    for (bool later : {false, true}) {
        INFO(later);
        auto c = later ? begun(1) : begun(1, wish);
        if (later) {
            play_clock_next(&c, 1000, START);
            play_clock_wish(&c, &wish, START);
        }
        CHECK(c.seeking);
        CHECK(play_clock_place(&c, START) == 5000);
        for (uint32_t ms : {2000, 5000}) {
            play_clock_next(&c, ms, START + TICK_S);
            CHECK(play_clock_due(&c) == 0);
        }
        play_clock_next(&c, 8000, START + 2 * TICK_S);
        CHECK_FALSE(c.seeking);
        CHECK(play_clock_due(&c) == START + 5 * TICK_S);
        CHECK(play_clock_place(&c, START + 3 * TICK_S) == 6000);
    }
}

TEST_CASE("play clock: where nothing comes before the place that is sought, it is there")
{
    auto c = begun(1);
    const struct play_wish wish = {false, true, 5000}, back = {false, true, 1000};
    play_clock_next(&c, 8000, START);
    play_clock_wish(&c, &wish, START + TICK_S);
    CHECK_FALSE(c.seeking);
    CHECK(play_clock_due(&c) == START + 4 * TICK_S);
    play_clock_wish(&c, &back, START + TICK_S); /* what has passed is not sought */
    CHECK(play_clock_place(&c, START + TICK_S) == 5000);
}

TEST_CASE("play clock: it waits at the place that is sought where it is paused")
{
    const struct play_wish wish = {true, true, 5000};
    auto c = begun(1, wish);
    play_clock_next(&c, 5000, START);
    CHECK(play_clock_due(&c) == 0);
    play_clock_next(&c, 5001, START);
    CHECK(play_clock_due(&c) == TICK_NEVER);
    CHECK(play_clock_place(&c, START + 9 * TICK_S) == 5000);
}
