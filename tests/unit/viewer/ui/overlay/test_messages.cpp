// Messages in the window: one after another, out of the way, and what they hide.
#include "tests/catch.hpp"

#include <vector>

#include "viewer/desktop/display/drawing/screen_memory.h"
#include "viewer/ui/overlay/notices.hpp"

using kit::Messages;

namespace
{

const int W = 200, H = 30, GAP = 8;

kit::Around window(struct rect picture = {0, 0, 1280, 800})
{
    return {1280, 800, picture, {}, {}, {}};
}

struct rect place(const kit::Around &a, const struct rect &before = {})
{
    return kit::notice_place(W, H, GAP, a, before);
}

bool meet(const struct rect &a, const struct rect &b)
{
    const struct rect both = rect_intersect(a, b);

    return both.w > 0 && both.h > 0;
}

bool is(const struct rect &a, int x, int y)
{
    return a.x == x && a.y == y && a.w == W && a.h == H;
}

} // namespace

TEST_CASE("messages: each waits for its turn, and none is lost")
{
    Messages m;

    CHECK(m.wait() == TICK_NEVER);
    CHECK(m.set(UI_EVENT, "one", 0));
    CHECK(m.wait() == Messages::ALONE);
    CHECK_FALSE(m.set(UI_EVENT, "two", TICK_S));
    CHECK_FALSE(m.set(UI_EVENT, "three", TICK_S));
    CHECK(m.shown() == "one");
    CHECK(m.wait() == Messages::OTHERS_WAIT);
    CHECK_FALSE(m.time(Messages::OTHERS_WAIT - 1));
    tick_t now = Messages::OTHERS_WAIT;
    CHECK(m.time(now));
    CHECK(m.shown() == "two");
    CHECK(m.wait() == now + Messages::OTHERS_WAIT);
    now += Messages::OTHERS_WAIT;
    CHECK(m.time(now));
    CHECK(m.shown() == "three");
    CHECK(m.wait() == now + Messages::ALONE);
    CHECK(m.time(now + Messages::ALONE));
    CHECK(m.shown().empty());
    CHECK(m.wait() == TICK_NEVER);
}

TEST_CASE("messages: what is not true any more goes, whether it is shown or waits")
{
    Messages m;

    m.set(UI_FULL_SCREEN, "leave it so", 0);
    m.set(UI_VIEW_ONLY, "no keys", 0);
    m.set(UI_EVENT, "saved", 0);
    CHECK_FALSE(m.set(UI_VIEW_ONLY, "", 1));
    CHECK(m.shown() == "leave it so");
    CHECK(m.set(UI_FULL_SCREEN, "", TICK_S));
    CHECK(m.shown() == "saved");
    CHECK(m.wait() == TICK_S + Messages::ALONE); // its own time begins now
    CHECK_FALSE(m.set(UI_SLOW, "", 2));
    CHECK(m.shown() == "saved");
}

TEST_CASE("messages: the time that nobody can see one does not count")
{
    Messages m;

    m.set(UI_EVENT, "saved", 0);
    for (tick_t now = 0; now < 10 * Messages::ALONE; now += TICK_S) { // a page lies above it
        m.hold(now);
        CHECK_FALSE(m.time(now));
    }
    CHECK(m.shown() == "saved");
    CHECK(m.time(m.wait()));
    CHECK(m.shown().empty());
}

TEST_CASE("messages: another text about the same replaces it, the same event comes once")
{
    Messages m;

    m.set(UI_SLOW, "network", 0);
    CHECK(m.set(UI_SLOW, "server", 1));
    CHECK(m.shown() == "server");
    CHECK_FALSE(m.set(UI_SLOW, "server", 2));
    for (int i = 0; i < 3; i++)
        m.set(UI_EVENT, "again", 3);
    m.set(UI_SLOW, "", 4);
    CHECK(m.shown() == "again");
    CHECK(m.set(UI_EVENT, "again", 5) == false);
    m.time(4 + Messages::ALONE);
    CHECK(m.shown().empty());
}

TEST_CASE("messages: a server that never stops does not fill the memory")
{
    Messages m;
    size_t shown = 0;
    tick_t now = 0;

    for (size_t i = 0; i < 3 * Messages::MOST; i++)
        m.set(UI_EVENT, std::to_string(i), 0);
    for (; !m.shown().empty(); now = m.wait(), m.time(now))
        CHECK(m.shown() == std::to_string(shown++));
    CHECK(shown == Messages::MOST);
}

TEST_CASE("place: beside the picture where the window has room for it")
{
    const struct rect pictures[] = {
        {0, 60, 1280, 680}, {0, 0, 1280, 760}, {0, 60, 1280, 740}, {300, 0, 680, 800}};

    for (const struct rect &picture : pictures) {
        kit::Around a = window(picture);
        a.pointer = {640, 790, 1, 1};
        INFO("picture at " << picture.x << "," << picture.y);
        CHECK_FALSE(meet(place(a), picture));
    }
    // too narrow: a corner
    CHECK(is(place(window({0, 10, 1280, 780})), 1280 - GAP - W, 800 - GAP - H));
}

TEST_CASE("place: the corner farthest from the pointer and from what changes")
{
    const int right = 1280 - GAP - W, bottom = 800 - GAP - H;
    kit::Around a = window();

    CHECK(is(place(a), right, bottom)); // menus and tabs are at the top
    a.pointer = {1200, 700, 1, 1};
    CHECK(is(place(a), GAP, GAP));
    a.change = {20, 20, 100, 20}; // typing there
    a.pointer = {1200, 60, 1, 1};
    CHECK(place(a).y == bottom);
    a.pointer = {1200, 700, 1, 1};
    CHECK_FALSE(is(place(a), GAP, GAP));
    CHECK_FALSE(is(place(a), right, bottom));
    a.pointer = {};
    a.change = {};
    a.taken = {right - 50, bottom - 300, 300, 400}; // figures
    CHECK(is(place(a), GAP, bottom));
}

TEST_CASE("place: it stays until pointer or change come near")
{
    kit::Around a = window();
    const struct rect first = place(a);

    a.pointer = {900, 500, 1, 1}; // another corner is farther away now
    CHECK(is(place(a, first), first.x, first.y));
    a.pointer = {first.x + 10, first.y - H, 1, 1};
    CHECK_FALSE(is(place(a, first), first.x, first.y));
    a.pointer = {};
    a.change = {first.x, first.y + 10, 20, 10};
    CHECK_FALSE(is(place(a, first), first.x, first.y));
}

TEST_CASE("covers: what is left of a part of the window is all that they do not hide, once")
{
    const struct rect parts[] = {
        {0, 0, 60, 50}, {10, 10, 5, 5}, {12, 0, 3, 50}, {0, 20, 60, 1}, {50, 40, 10, 10}};
    struct covers c = {};
    c.at[0] = {10, 10, 20, 10};
    c.at[1] = {25, 15, 30, 20}; // over the first one, too
    c.at[2] = {-5, 40, 20, 30};
    c.at[3] = {40, 0, 5, 20};

    for (c.count = 0; c.count <= UI_COVERS; c.count++)
        for (const struct rect &part : parts) {
            struct rect out[COVERS_PIECES];
            const int n = covers_leave(&c, part, out);

            for (int y = 0; y < 50; y++)
                for (int x = 0; x < 60; x++) {
                    const struct rect pixel = {x, y, 1, 1};
                    bool wanted = meet(part, pixel);
                    int found = 0;
                    for (int i = 0; i < c.count; i++)
                        wanted = wanted && !meet(c.at[i], pixel);
                    for (int i = 0; i < n; i++)
                        found += meet(out[i], pixel);
                    if (found != wanted)
                        FAIL("pixel " << x << "," << y << " is drawn " << found << " times");
                }
        }
}
