// When the server's screen is to follow the window.
#include "tests/catch.hpp"

#include "viewer/desktop/display/sizes.h"
#include "viewer/options/window_options.h"

namespace
{

struct Follower {
    remote_size r;
    int w = 0, h = 0;

    explicit Follower(bool follow = true, int first_w = 0, int first_h = 0)
    {
        remote_size_init(&r, follow, first_w, first_h);
    }
    bool asks(tick_t now)
    {
        return remote_size_take(&r, now, &w, &h);
    }
};

} // namespace

TEST_CASE("remote size: asked for once the window has been still")
{
    Follower f;
    remote_size_able(&f.r, 0);
    CHECK_FALSE(f.asks(0));         // the window is as the server needs it
    for (int i = 0; i < 100; i++) { // a hand drags the edge
        tick_t now = i * 50 * TICK_MS;
        remote_size_window(&f.r, 800 + i, 600, now);
        CHECK_FALSE(f.asks(now));
    }
    tick_t still = 99 * 50 * TICK_MS;
    CHECK_FALSE(f.asks(still + REMOTE_SIZE_DELAY - 1));
    CHECK(remote_size_is_due(&f.r));
    REQUIRE(f.asks(still + REMOTE_SIZE_DELAY));
    CHECK_FALSE(remote_size_is_due(&f.r));
    CHECK(f.w == 899);
    CHECK(f.h == 600);
    CHECK_FALSE(f.asks(still + 10 * REMOTE_SIZE_DELAY)); // once
}

TEST_CASE("remote size: the window that follows the server asks for nothing")
{
    Follower f;
    remote_size_able(&f.r, 0);
    for (int i = 0; i < 1000; i++) { // a server that changes its size again and again
        tick_t now = i * 10 * TICK_MS;
        remote_size_window(&f.r, 800 + i % 2, 600, now); // news of an older size come late
        remote_size_window(&f.r, 0, 0, now + TICK_MS);
        CHECK_FALSE(f.asks(now + TICK_MS));
    }
    CHECK_FALSE(f.asks(100 * TICK_S));
}

TEST_CASE("remote size: a server that can is asked at once for the window's size")
{
    Follower f;
    remote_size_window(&f.r, 1920, 1080, 0); // full screen from the start
    CHECK_FALSE(f.asks(TICK_S));             // nobody is there who could
    remote_size_able(&f.r, 2 * TICK_S);
    REQUIRE(f.asks(2 * TICK_S));
    CHECK(f.w == 1920);
    remote_size_new_session(&f.r);
    CHECK_FALSE(f.asks(9 * TICK_S));
    remote_size_able(&f.r, 10 * TICK_S); // and so is the next one
    CHECK(f.asks(10 * TICK_S));
}

TEST_CASE("remote size: the first size waits for the server, whatever the window does before")
{
    Follower f(true, 720, 540);
    remote_size_window(&f.r, 0, 0, 0); // the first picture gives it its size
    remote_size_able(&f.r, 1);
    REQUIRE(f.asks(1));
    CHECK((f.w == 720 && f.h == 540));
    remote_size_window(&f.r, 900, 600, 2);
    CHECK(f.asks(2 + REMOTE_SIZE_DELAY));
}

TEST_CASE("remote size: off, but for the first size")
{
    Follower off(false);
    remote_size_able(&off.r, 0);
    remote_size_window(&off.r, 800, 600, 0);
    CHECK_FALSE(off.asks(TICK_S));

    Follower first(false, 1280, 800);
    remote_size_able(&first.r, 0);
    REQUIRE(first.asks(0));
    CHECK(first.w == 1280);
    CHECK(first.h == 800);
    remote_size_window(&first.r, 900, 700, 0);
    CHECK_FALSE(first.asks(TICK_S));
}

TEST_CASE("remote size: what is asked for is a size that a screen can have")
{
    Follower f;
    remote_size_able(&f.r, 0);
    remote_size_window(&f.r, 1, 100000, 0);
    REQUIRE(f.asks(TICK_S));
    CHECK(f.w == DESKTOP_SIDE_MIN);
    CHECK(f.h == 8192);
}

TEST_CASE("remote size: switched off and on again while it runs")
{
    Follower f;
    remote_size_able(&f.r, 0);
    remote_size_window(&f.r, 800, 600, 0);
    remote_size_follow(&f.r, false);
    remote_size_window(&f.r, 900, 700, TICK_MS);
    CHECK_FALSE(f.asks(TICK_S)); // neither what was due, nor what came later
    remote_size_follow(&f.r, true);
    remote_size_window(&f.r, 900, 700, TICK_S);
    REQUIRE(f.asks(2 * TICK_S));
    CHECK(f.w == 900);
}

TEST_CASE("remote size: what a server cannot have is known after a while")
{
    Follower f(true, 1280, 800), without;
    CHECK_FALSE(remote_size_is_in_vain(&f.r, REMOTE_SIZE_PATIENCE - 1));
    CHECK(remote_size_is_in_vain(&f.r, REMOTE_SIZE_PATIENCE));
    CHECK_FALSE(remote_size_is_in_vain(&without.r, REMOTE_SIZE_PATIENCE)); // nobody wishes one
    remote_size_able(&f.r, 0);
    CHECK_FALSE(remote_size_is_in_vain(&f.r, REMOTE_SIZE_PATIENCE));
    REQUIRE(f.asks(0));
    remote_size_new_session(&f.r); // it was asked for
    CHECK_FALSE(remote_size_is_in_vain(&f.r, REMOTE_SIZE_PATIENCE));
}
