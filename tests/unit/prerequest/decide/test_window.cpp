// The receive window of `--window auto`, fed with what arrives.
#include "tests/catch.hpp"

#include "prerequest/decide/window.h"

namespace
{

const int64_t TUNED = 3 << 20, ALLOWED = 64 << 20;

// `rate` bytes per second for so many seconds; looks once a second. Returns what was set last.
int64_t receive(window *w, double rate, tick_t rtt, int seconds)
{
    tick_t now = w->looked == TICK_NEVER ? TICK_S : w->looked;
    int64_t set = 0;

    if (w->looked == TICK_NEVER)
        CHECK(window_look(w, 1 << 30, rtt, now) == 0); // the past has no rate
    for (int i = 0; i < seconds; i++) {
        now += TICK_S;
        int64_t bytes = window_look(w, w->received + (int64_t)rate, rtt, now);
        set = bytes > 0 ? bytes : set;
    }
    return set;
}

window made(int64_t tuned = TUNED, int64_t allowed = ALLOWED)
{
    window w;

    window_init(&w, tuned, allowed);
    return w;
}

} // namespace

TEST_CASE("the kernel is left alone while its own tuning suffices")
{
    window w = made();

    CHECK(receive(&w, 0.49 * TUNED, TICK_S, 10) == 0);
    CHECK(receive(&w, 4.9 * TUNED, TICK_S / 10, 10) == 0);
    CHECK(receive(&w, 1e12, 0, 10) == 0); // no round trip is known
    CHECK(w.wanted == 0);
}

TEST_CASE("the window holds what the path needs, with room to show more")
{
    window w = made();
    double rate = 2.0 * TUNED, path = rate * 0.3;
    int64_t set = receive(&w, rate, 3 * TICK_S / 10, 1);

    CHECK(set > TUNED);
    CHECK(set >= WINDOW_HEADROOM * path);
    CHECK(receive(&w, rate, 3 * TICK_S / 10, 10) == 0); // once is enough
    CHECK(w.wanted <= w.bytes);
}

TEST_CASE("a window that is the limit grows until it is not")
{
    window w = made();
    const double line = 20e6, rtt = 0.5;

    for (int i = 0; i < 10; i++)
        receive(&w, std::min(line, (double)w.bytes / rtt), tick_from_ms(rtt * 1e3), 1);
    CHECK(w.bytes >= line * rtt);
    CHECK(w.bytes < ALLOWED);
    CHECK(w.wanted <= w.bytes);
}

TEST_CASE("the window never becomes smaller")
{
    window w = made();
    int64_t set = receive(&w, 5e6, TICK_S, 2);

    REQUIRE(set > 0);
    CHECK(receive(&w, 1e3, TICK_S / 10, 10) == 0);
    CHECK(w.bytes == set);
}

TEST_CASE("what may not be set is wanted only")
{
    window w = made(TUNED, 2 * TUNED);
    CHECK(receive(&w, 10.0 * TUNED, TICK_S, 3) == 2 * TUNED);
    CHECK(w.wanted > w.bytes);

    w = made(TUNED, TUNED); // less than the tuning is never set
    CHECK(receive(&w, 10.0 * TUNED, TICK_S, 3) == 0);
    CHECK(w.wanted > w.bytes);

    w = made(INT64_MAX, ALLOWED); // nobody knows what the kernel would do
    CHECK(receive(&w, 1e15, 10 * TICK_S, 20) == 0);
    CHECK(w.wanted == 0);
}

TEST_CASE("no more is wanted than TCP can have")
{
    window w = made(TUNED, INT64_MAX);

    CHECK(receive(&w, 1e15, TICK_S, 2) == WINDOW_MAX);
    CHECK(w.wanted == WINDOW_MAX);
}

TEST_CASE("a burst within a second or a round trip is no rate")
{
    window w = made();
    tick_t now = TICK_S;

    window_look(&w, 0, TICK_S / 10, now);
    CHECK(window_look(&w, TUNED, TICK_S / 10, now + 10 * TICK_MS) == 0);
    CHECK(window_look(&w, TUNED, TICK_S / 10, now + TICK_S) == 0);

    // one window's worth in each round trip of three seconds
    w = made();
    window_look(&w, 0, 3 * TICK_S, now);
    for (int i = 1; i < 20; i++)
        CHECK(window_look(&w, TUNED / 3 * (i / 3), 3 * TICK_S, now + i * TICK_S) == 0);
    CHECK(w.wanted == 0);
}
