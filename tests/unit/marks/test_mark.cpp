// Marks: drawn, compressed, found, read.
#include "tests/catch.hpp"

#include <random>
#include <turbojpeg.h>
#include <vector>

#include "tests/seed.hpp"
#include "tools/marks/lookout.h"
#include "tools/marks/mark.h"

namespace
{

struct Canvas {
    std::vector<uint32_t> pixels;
    mark_picture picture;

    Canvas(int width, int height, uint32_t colour = 0x808080)
        : pixels(size_t(width) * size_t(height), colour), picture{pixels.data(), width, height,
                                                                  width}
    {
    }
    Canvas(const Canvas &) = delete;
    void noise(std::mt19937 &random)
    {
        for (auto &p : pixels)
            p = random() & 0xffffff;
    }
};

/* The picture as a viewer gets it that was sent a JPEG image of it. */
void compress(Canvas &c, int quality, int subsampling)
{
    auto *bytes = reinterpret_cast<unsigned char *>(c.pixels.data());
    unsigned char *image = nullptr;
    unsigned long size = 0;
    tjhandle in = tjInitCompress(), out = tjInitDecompress();

    REQUIRE(tjCompress2(in, bytes, c.picture.width, 0, c.picture.height, TJPF_BGRX, &image, &size,
                        subsampling, quality, 0) == 0);
    REQUIRE(tjDecompress2(out, image, size, bytes, c.picture.width, 0, c.picture.height, TJPF_BGRX,
                          0) == 0);
    tjFree(image);
    tjDestroy(in);
    tjDestroy(out);
}

bool same(const mark &a, const mark &b)
{
    return a.kind == b.kind && a.number == b.number && a.time == b.time;
}

} // namespace

TEST_CASE("a mark is read back, and nowhere else")
{
    Canvas c(200, 150);
    mark m{MARK_FRAME_END, 123456789, 0xfedcba98}, got{};

    mark_draw(&c.picture, 57, 31, &m);
    REQUIRE(mark_read(&c.picture, 57, 31, &got));
    CHECK(same(got, m));
    CHECK(mark_read(&c.picture, 60, 28, &got)); // three pixels off still reads
    for (auto [x, y] : {std::pair{49, 31},
                        {65, 31},
                        {57, 23},
                        {57, 39},
                        {-1, 31},
                        {57, -1},
                        {121, 31},
                        {57, 79},
                        {2000, 2000}})
        CHECK_FALSE(mark_read(&c.picture, x, y, &got));
}

TEST_CASE("a number of 28 bits and a time of 32")
{
    Canvas c(MARK_WIDTH, MARK_HEIGHT);
    mark got{};

    for (uint32_t number : {0u, 1u, MARK_NUMBER_MAX, MARK_NUMBER_MAX + 2})
        for (uint32_t time : {0u, 1u, 0xffffffffu}) {
            mark m{MARK_INPUT, number, time};
            mark_draw(&c.picture, 0, 0, &m);
            REQUIRE(mark_read(&c.picture, 0, 0, &got));
            CHECK(got.number == (number & MARK_NUMBER_MAX));
            CHECK(got.time == time);
        }
}

TEST_CASE("one wrong cell, or half of another mark, is no mark")
{
    Canvas c(MARK_WIDTH, MARK_HEIGHT);
    mark m{MARK_FRAME, 1000, 77}, next{MARK_FRAME, 1001, 78}, got{};

    for (int row = 0; row < MARK_ROWS; row++)
        for (int column = 0; column < MARK_COLUMNS; column++) {
            mark_draw(&c.picture, 0, 0, &m);
            for (int i = 0; i < MARK_CELL * MARK_CELL; i++)
                c.pixels[size_t((row * MARK_CELL + i / MARK_CELL) * MARK_WIDTH +
                                column * MARK_CELL + i % MARK_CELL)] ^= 0xffffff;
            CHECK_FALSE(mark_read(&c.picture, 0, 0, &got));
        }
    std::vector<uint32_t> old;
    mark_draw(&c.picture, 0, 0, &m);
    old = c.pixels;
    mark_draw(&c.picture, 0, 0, &next);
    /* of the rows that differ, some are still old */
    std::copy(old.begin() + 5 * MARK_CELL * MARK_WIDTH, old.end(),
              c.pixels.begin() + 5 * MARK_CELL * MARK_WIDTH);
    CHECK_FALSE(mark_read(&c.picture, 0, 0, &got));
}

TEST_CASE("JPEG of quality 4 and more, with and without subsampling, at any place")
{
    unsigned seed = any_seed();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Canvas c(150, 140);

    for (int quality = 4; quality <= 100; quality++)
        for (int subsampling : {TJSAMP_444, TJSAMP_420})
            for (int i = 0; i < 4; i++) {
                int x = 16 + int(random() % 16), y = 16 + int(random() % 16), found_x, found_y;
                mark m{MARK_FRAME, uint32_t(random()) & MARK_NUMBER_MAX, uint32_t(random())}, got{};
                if (i % 2)
                    c.noise(random);
                mark_draw(&c.picture, x, y, &m);
                compress(c, quality, subsampling);
                INFO("quality " << quality << " subsampling " << subsampling << " at " << x << ","
                                << y);
                REQUIRE(mark_read(&c.picture, x, y, &got));
                REQUIRE(same(got, m));
                REQUIRE(mark_find(&c.picture, MARK_FRAME, &found_x, &found_y, &got));
                REQUIRE(same(got, m));
                REQUIRE(found_x == x);
                REQUIRE(found_y == y);
            }
}

TEST_CASE("a place settles on a mark that is up to three pixels away, else it stays")
{
    Canvas c(200, 150);
    mark m{MARK_FRAME, 5, 6}, got{};

    mark_draw(&c.picture, 57, 31, &m);
    for (int from_x = 54; from_x <= 60; from_x++)
        for (int from_y = 28; from_y <= 34; from_y++) {
            int x = from_x, y = from_y;
            REQUIRE(mark_settle(&c.picture, &x, &y, &got));
            CHECK((x == 57 && y == 31 && same(got, m)));
        }
    for (auto [from_x, from_y] : {std::pair{49, 31}, {57, 40}, {-1, 31}, {57, -3}, {121, 0}}) {
        int x = from_x, y = from_y;
        CHECK_FALSE(mark_settle(&c.picture, &x, &y, &got));
        CHECK((x == from_x && y == from_y));
    }
}

TEST_CASE("a mark is found wherever it is, also at the edges")
{
    const int width = 103, height = 95;

    for (int y = 0; y <= height - MARK_HEIGHT; y++)
        for (int x = 0; x <= width - MARK_WIDTH; x++) {
            Canvas c(width, height);
            mark m{MARK_INPUT, uint32_t(x), uint32_t(y)}, got{};
            int found_x = -1, found_y = -1;
            mark_draw(&c.picture, x, y, &m);
            REQUIRE(mark_find(&c.picture, MARK_INPUT, &found_x, &found_y, &got));
            REQUIRE(found_x == x);
            REQUIRE(found_y == y);
            REQUIRE_FALSE(mark_find(&c.picture, MARK_FRAME, &found_x, &found_y, &got));
        }
}

TEST_CASE("no mark is found in noise, nor in a picture smaller than one")
{
    std::mt19937 random(1);
    Canvas c(640, 480), small(MARK_WIDTH - 1, MARK_HEIGHT);
    mark got{};
    int x, y;

    c.noise(random);
    CHECK_FALSE(mark_find(&c.picture, MARK_FRAME, &x, &y, &got));
    CHECK_FALSE(mark_find(&small.picture, MARK_FRAME, &x, &y, &got));
}

TEST_CASE("the age of a mark, also when its clock wraps")
{
    tick_t now = 5 * TICK_S;
    mark m{MARK_FRAME, 1, mark_time(now)};

    CHECK(tick_to_ms(mark_age(&m, now + 25 * TICK_MS)) == Approx(25));
    CHECK(tick_to_ms(mark_age(&m, now - TICK_MS)) == Approx(-1));
    now = (tick_t(1) << 32) * (TICK_MS / 100) - TICK_MS; // just before it wraps
    m.time = mark_time(now);
    CHECK(tick_to_ms(mark_age(&m, now + 25 * TICK_MS)) == Approx(25));
    CHECK(mark_time(0) != 0);
}

TEST_CASE("the lookout finds the marks, keeps their places and finds them again")
{
    Canvas c(400, 300);
    mark frame{MARK_FRAME, 7, 1}, end{MARK_FRAME_END, 7, 1}, input{MARK_INPUT, 0, 1};
    lookout l;
    sighting s;
    tick_t now = TICK_S;

    lookout_init(&l);
    lookout_look(&l, &c.picture, now, &s);
    CHECK_FALSE(s.seen[SIGHTING_FRAME]);
    mark_draw(&c.picture, 5, 6, &frame);
    lookout_look(&l, &c.picture, now += TICK_MS, &s);
    CHECK_FALSE(s.seen[SIGHTING_FRAME]); // it has just searched
    lookout_look(&l, &c.picture, now += LOOKOUT_SEARCH_SOON, &s);
    CHECK(s.seen[SIGHTING_FRAME]);
    CHECK(s.marks[SIGHTING_FRAME].number == 7);
    CHECK_FALSE(s.seen[SIGHTING_FRAME_END]);

    mark_draw(&c.picture, 200, 200, &end);
    mark_draw(&c.picture, 300, 6, &input);
    lookout_look(&l, &c.picture, now += LOOKOUT_SEARCH_OFTEN, &s);
    for (int i = 0; i < SIGHTING_KINDS; i++)
        CHECK(s.seen[i]);

    /* a new window moves: its marks are missed soon */
    std::fill(c.pixels.begin(), c.pixels.end(), 0);
    lookout_look(&l, &c.picture, now += TICK_MS, &s);
    for (int i = 0; i < SIGHTING_KINDS; i++)
        CHECK_FALSE(s.seen[i]);
    mark_draw(&c.picture, 55, 66, &frame);
    lookout_look(&l, &c.picture, now += LOOKOUT_LOST_AFTER / 4, &s);
    CHECK(s.seen[SIGHTING_FRAME]);
    CHECK(l.places[SIGHTING_FRAME].x == 55);
    CHECK(l.places[SIGHTING_FRAME].y == 66);

    /* later a mark that cannot be read for a moment is a torn frame, not a moved window */
    now += 10 * TICK_S;
    lookout_look(&l, &c.picture, now, &s);
    std::fill(c.pixels.begin(), c.pixels.end(), 0);
    mark_draw(&c.picture, 75, 86, &frame);
    lookout_look(&l, &c.picture, now += LOOKOUT_LOST_AFTER / 2, &s);
    CHECK_FALSE(s.seen[SIGHTING_FRAME]);
    lookout_look(&l, &c.picture, now += LOOKOUT_LOST_AFTER, &s);
    CHECK(s.seen[SIGHTING_FRAME]);
    CHECK(l.places[SIGHTING_FRAME].x == 75);

    /* a picture of another size */
    Canvas smaller(90, 80);
    lookout_look(&l, &smaller.picture, now += TICK_MS, &s);
    CHECK_FALSE(s.seen[SIGHTING_FRAME]);
    mark_draw(&smaller.picture, 0, 0, &frame);
    lookout_look(&l, &smaller.picture, now += LOOKOUT_SEARCH_OFTEN, &s);
    CHECK(s.seen[SIGHTING_FRAME]);
}

TEST_CASE("the lookout notices a window that moves by a pixel or two")
{
    mark frame{MARK_FRAME, 7, 1};
    lookout l;
    sighting s;
    tick_t now = TICK_S;

    lookout_init(&l);
    for (auto [x, y] : {std::pair{20, 21}, {20, 22}, {18, 22}, {19, 21}}) {
        Canvas c(120, 110);

        mark_draw(&c.picture, x, y, &frame);
        lookout_look(&l, &c.picture, now += LOOKOUT_SEARCH_RARELY, &s);
        CHECK(s.seen[SIGHTING_FRAME]);
        CHECK(l.places[SIGHTING_FRAME].x == x);
        CHECK(l.places[SIGHTING_FRAME].y == y);
    }
}

TEST_CASE("the lookout searches a picture that changes all the time no more than 20 times a second")
{
    Canvas c(400, 300);
    mark frame{MARK_FRAME, 7, 1};
    lookout l;
    sighting s;
    tick_t now = TICK_S, late = now + TICK_S / 2;

    lookout_init(&l);
    for (; now < late; now += TICK_MS) { // the content has no mark
        c.pixels[0]++;
        lookout_look(&l, &c.picture, now, &s);
    }
    tick_t searched = l.searched;
    mark_draw(&c.picture, 5, 6, &frame);
    lookout_look(&l, &c.picture, searched + LOOKOUT_SEARCH_OFTEN - 1, &s);
    CHECK_FALSE(s.seen[SIGHTING_FRAME]);
    lookout_look(&l, &c.picture, searched + LOOKOUT_SEARCH_OFTEN, &s);
    CHECK(s.seen[SIGHTING_FRAME]);
}
