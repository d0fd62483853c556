// What of the picture the viewer does not have yet, against a model that has the pixels.
#include "tests/catch.hpp"

#include <memory>
#include <random>

#include "prerequest/push/picture/order.h"
#include "tests/seed.hpp"

static bool operator==(const push_run &a, const push_run &b)
{
    return a.column == b.column && a.row == b.row && a.count == b.count;
}

namespace
{

const tick_t T0 = 1000 * TICK_S;

struct Map {
    std::unique_ptr<push_cells> c = std::make_unique<push_cells>();
    std::vector<push_cell> memory;
    tick_t now = T0;

    Map(int width, int height) : memory(push_cells_count(width, height))
    {
        push_cells_init(c.get(), memory.data(), width, height, now);
        push_cells_shown(c.get());
    }

    void all_sent(bool exact = true)
    {
        push_run r;

        while (push_order_changed(c.get(), &r))
            push_cells_sent(c.get(), &r, 1, exact);
    }

    void change(int x, int y, int w, int h, bool urgent = false)
    {
        push_cells_change(c.get(), x, y, w, h, urgent, now);
    }

    push_run changed()
    {
        push_run r{-1, -1, 0};

        push_order_changed(c.get(), &r);
        return r;
    }

    push_run still()
    {
        push_run r{-1, -1, 0};

        push_order_still(c.get(), now, &r);
        return r;
    }
};

// The server's picture and the viewer's, pixel by pixel.
struct Pixels {
    int width, height;
    std::vector<uint32_t> source, viewer;
    std::vector<bool> lossy; // of the viewer's

    Pixels(int w, int h)
        : width(w), height(h), source(size_t(w * h), 1), viewer(size_t(w * h), 0),
          lossy(size_t(w * h), false)
    {
    }

    size_t at(int x, int y) const
    {
        return size_t(y * width + x);
    }

    template <typename F> void each(int x, int y, int w, int h, F f)
    {
        for (int row = y; row < std::min(y + h, height); row++)
            for (int column = x; column < std::min(x + w, width); column++)
                f(at(column, row));
    }

    template <typename P> void copy(P &picture, int from_x, int from_y, int x, int y, int w, int h)
    {
        P before = picture;

        for (int row = 0; row < h; row++)
            for (int column = 0; column < w; column++)
                picture[at(x + column, y + row)] = before[at(from_x + column, from_y + row)];
    }
};

// A map, its pixels, and a person who does anything.
struct Run {
    Map map;
    Pixels pixels;
    std::mt19937 random;
    uint32_t value = 1;
    std::vector<unsigned> marked, sent; // times, of each cell: changed, and sent
    int loses = 0;                      // of ten blocks
    uint32_t sequence = 0;
    std::vector<std::pair<uint32_t, push_run>> lost;

    Run(int w, int h, unsigned seed)
        : map(w, h), pixels(w, h), random(seed), marked(map.memory.size(), 1),
          sent(map.memory.size(), 0)
    {
    }

    int below(int n)
    {
        return int(random() % unsigned(n));
    }

    void change()
    {
        int x = below(pixels.width), y = below(pixels.height);
        int w = 1 + below(60), h = 1 + below(60);

        value++;
        pixels.each(x, y, w, h, [&](size_t i) { pixels.source[i] = value; });
        map.change(x, y, w, h, below(4) == 0);
        mark(x, y, w, h);
    }

    void mark(int x, int y, int w, int h)
    {
        for (int row = y / 16; row * 16 < std::min(y + h, pixels.height); row++)
            for (int column = x / 16; column * 16 < std::min(x + w, pixels.width); column++)
                marked[size_t(row * map.c->columns + column)]++;
    }

    void copy()
    {
        int w = 1 + below(pixels.width / 2), h = 1 + below(pixels.height / 2);
        int fx = below(pixels.width - w), fy = below(pixels.height - h);
        int x = std::min(pixels.width - w, std::max(0, fx + below(81) - 40));
        int y = std::min(pixels.height - h, std::max(0, fy + below(81) - 40));

        pixels.copy(pixels.source, fx, fy, x, y, w, h);
        // all of it may be lossy then
        mark(x, y, w, h);
        if (push_cells_copy(map.c.get(), fx, fy, x, y, w, h, map.now)) {
            pixels.copy(pixels.viewer, fx, fy, x, y, w, h);
            pixels.copy(pixels.lossy, fx, fy, x, y, w, h);
        } else {
            map.change(x, y, w, h);
        }
    }

    void send(push_run r, bool exact)
    {
        bool gone = below(10) < loses;

        r.count = 1 + below(r.count);
        sequence++;
        if (gone)
            lost.emplace_back(sequence, r);
        for (int i = 0; i < r.count; i++) {
            auto cell = size_t(r.row * map.c->columns + r.column + i);

            sent[cell]++;
            if (gone)
                continue;
            pixels.each((r.column + i) * 16, r.row * 16, 16, 16, [&](size_t p) {
                pixels.viewer[p] = pixels.source[p];
                pixels.lossy[p] = !exact;
            });
        }
        push_cells_sent(map.c.get(), &r, sequence, exact);
    }

    void tell_lost()
    {
        for (auto [number, r] : lost)
            push_cells_lost(map.c.get(), r.column * 16, r.row * 16, r.count * 16, 16, number);
        lost.clear();
    }

    bool send_any()
    {
        push_run r;

        if (push_order_urgent(map.c.get(), below(pixels.height), &r) ||
            push_order_changed(map.c.get(), &r))
            send(r, below(2) == 0);
        else if (push_order_still(map.c.get(), map.now, &r))
            send(r, true);
        else
            return false;
        return true;
    }

    // What the map says of each cell holds, and so do its sums.
    void check()
    {
        unsigned changed = 0, urgent = 0, refinable = 0, again = 0, wrong = 0;

        for (int row = 0; row < map.c->rows; row++)
            for (int column = 0; column < map.c->columns; column++) {
                uint8_t state = push_cells_at(map.c.get(), column, row)->state;

                changed += (state & PUSH_CHANGED) != 0;
                urgent += (state & PUSH_URGENT) != 0;
                refinable += state == PUSH_LOSSY;
                again += (state & PUSH_LOST) != 0;
                wrong += (state & (PUSH_URGENT | PUSH_LOST)) && !(state & PUSH_CHANGED);
                if (state & PUSH_CHANGED)
                    continue;
                pixels.each(column * 16, row * 16, 16, 16, [&](size_t p) {
                    wrong += pixels.viewer[p] != pixels.source[p];
                    wrong += pixels.lossy[p] && !(state & PUSH_LOSSY);
                });
            }
        CHECK(wrong == 0);
        CHECK(map.c->changed == changed);
        CHECK(map.c->urgent == urgent);
        CHECK(map.c->lossy == refinable);
        CHECK(map.c->lost == again);
    }
};

} // namespace

TEST_CASE("a new picture has changed, row by row, to its very edge")
{
    Map m(100, 40); // 7 x 3 cells

    CHECK(m.c->changed == 21);
    CHECK(m.changed() == push_run{0, 0, 7});
    push_run r{0, 0, 5};
    push_cells_sent(m.c.get(), &r, 1, true);
    CHECK(m.changed() == push_run{5, 0, 2});
    m.all_sent();
    CHECK(m.c->changed == 0);
    CHECK(m.changed().count == 0);
}

TEST_CASE("only the cells that a change touches go, and no more of it than is in the picture")
{
    Map m(640, 480);

    m.all_sent();
    m.change(17, 33, 14, 1);
    CHECK(m.c->changed == 1);
    CHECK(m.changed() == push_run{1, 2, 1});
    m.all_sent();
    m.change(-5, 470, 30, 100);
    CHECK(m.changed() == push_run{0, 29, 2});
    m.all_sent();
    m.change(640, 0, 10, 10);
    m.change(0, -20, 10, 20);
    m.change(10, 10, 0, 5);
    CHECK(m.c->changed == 0);
}

TEST_CASE("the oldest change goes first, and what changes again keeps its place")
{
    Map m(640, 480);

    m.all_sent();
    m.change(0, 320, 640, 16);
    push_cells_shown(m.c.get());
    m.change(0, 0, 640, 16);
    push_cells_shown(m.c.get());
    m.change(0, 320, 640, 16);
    CHECK(m.changed() == push_run{0, 20, 40});
    CHECK(push_order_oldest(m.c.get()) == m.c->turn - 2);
}

TEST_CASE("each part of a film has its turn when only half of it can be sent between its frames")
{
    Map m(640, 480);
    std::vector<unsigned> sent(30, 0);

    m.all_sent();
    for (int frame = 0; frame < 100; frame++) {
        m.now += 33 * TICK_MS;
        m.change(0, 0, 640, 480);
        push_cells_shown(m.c.get());
        for (int i = 0; i < 15; i++) {
            push_run r = m.changed();

            REQUIRE(r.count == 40);
            sent[size_t(r.row)]++;
            push_cells_sent(m.c.get(), &r, 1, false);
        }
    }
    for (unsigned times : sent)
        CHECK(times == 50);
}

TEST_CASE("what moves is never urgent, what is typed is")
{
    Map m(640, 480);

    m.all_sent();
    m.change(100, 100, 12, 14, true);
    CHECK(m.c->urgent > 0);
    m.all_sent();
    for (int i = 0; i < 10; i++, m.now += 33 * TICK_MS) {
        m.change(100, 100, 12, 14, true);
        m.all_sent();
    }
    m.change(100, 100, 12, 14, true);
    CHECK(m.c->urgent == 0);
    m.now += 2 * TICK_S;
    m.change(100, 100, 12, 14, true);
    CHECK(m.c->urgent > 0);
}

TEST_CASE("of what is urgent the row nearest to the pointer goes first")
{
    Map m(640, 480);
    push_run r;

    m.all_sent();
    m.change(32, 32, 16, 16, true);
    m.change(64, 400, 16, 16, true);
    REQUIRE(push_order_urgent(m.c.get(), 300, &r));
    CHECK(r == push_run{4, 25, 1});
    REQUIRE(push_order_urgent(m.c.get(), 100, &r));
    CHECK(r == push_run{2, 2, 1});
    REQUIRE(push_order_urgent(m.c.get(), -100000, &r));
    CHECK(r == push_run{2, 2, 1});
}

TEST_CASE("what was sent with loss comes again when it has been still for half a second")
{
    Map m(640, 480);

    m.all_sent(false);
    CHECK(m.c->lossy == m.memory.size());
    CHECK(m.still().count == 0);
    CHECK(push_order_still_at(m.c.get(), m.now) == T0 + 500 * TICK_MS);
    m.now = T0 + 400 * TICK_MS;
    m.change(0, 0, 320, 16); // and this is sent with loss again
    m.all_sent(false);
    m.now = T0 + 500 * TICK_MS;
    CHECK(m.still() == push_run{20, 0, 20});
    for (push_run r = m.still(); r.count > 0; r = m.still())
        push_cells_sent(m.c.get(), &r, 1, true);
    CHECK(m.c->lossy == 20);
    CHECK(push_order_still_at(m.c.get(), m.now) == T0 + 900 * TICK_MS);
    m.now = T0 + 900 * TICK_MS;
    CHECK(m.still() == push_run{0, 0, 20});
}

TEST_CASE("a copy is safe where the viewer has the source")
{
    Map m(640, 480);

    CHECK_FALSE(push_cells_copy(m.c.get(), 0, 16, 0, 0, 640, 464, m.now));
    m.all_sent();
    CHECK(push_cells_copy(m.c.get(), 0, 16, 0, 0, 640, 464, m.now));
    CHECK(m.c->changed == 0);
    m.change(0, 464, 640, 16);
    CHECK_FALSE(push_cells_copy(m.c.get(), 0, 16, 0, 0, 640, 464, m.now));
    // up to the changed part, and over it
    CHECK(push_cells_copy(m.c.get(), 0, 16, 0, 0, 640, 448, m.now));
    CHECK(m.c->changed == 40);
    CHECK(push_cells_copy(m.c.get(), 0, 0, 0, 464, 640, 16, m.now));
    CHECK(m.c->changed == 0);
    // no copy from or to what is no part of the picture
    CHECK_FALSE(push_cells_copy(m.c.get(), 0, -1, 0, 0, 10, 10, m.now));
    CHECK_FALSE(push_cells_copy(m.c.get(), 0, 0, 635, 0, 10, 10, m.now));
    CHECK_FALSE(push_cells_copy(m.c.get(), 0, 0, 0, 100, 0, 10, m.now));
}

TEST_CASE("a copy takes the loss of its source along, and leaves that of what it covers")
{
    Map m(640, 480);
    push_run r{0, 0, 40};

    m.all_sent();
    m.change(0, 0, 640, 16);
    push_cells_sent(m.c.get(), &r, 1, false);
    CHECK(push_cells_copy(m.c.get(), 0, 0, 0, 100, 640, 16, m.now)); // two rows of cells get a part
    CHECK(m.c->lossy == 120);
    CHECK(push_cells_copy(m.c.get(), 0, 300, 0, 0, 640, 16, m.now));
    CHECK(m.c->lossy == 80);
}

TEST_CASE("what the viewer has from before may be copied at once, and is as good as sent")
{
    Map m(640, 480);

    CHECK_FALSE(push_cells_copy(m.c.get(), 0, 64, 0, 0, 640, 64, m.now));
    push_cells_has(m.c.get(), 0, 64, 640, 64, 2);
    CHECK(m.c->changed == 40 * 26);
    CHECK(m.c->row[4].changed == 0);
    CHECK(push_cells_copy(m.c.get(), 0, 64, 0, 0, 640, 64, m.now));
    CHECK(m.c->changed == 40 * 22);
    m.change(0, 64, 16, 16);
    CHECK(m.c->changed == 40 * 22 + 1);
    push_cells_has(m.c.get(), 0, 0, 640, 480, 3);
    CHECK(m.c->changed == 0);
}

TEST_CASE("whatever happens, the viewer has what the map says, and in the end all of it exact")
{
    unsigned seed = any_seed();

    for (unsigned round = 0; round < 60; round++) {
        Run run(150 + int(round % 3) * 33, 100 + int(round % 5) * 7, seed + round);

        for (int i = 0; i < 400; i++) {
            int what = run.below(10);

            if (what < 3)
                run.change();
            else if (what < 5)
                run.copy();
            else if (what < 6)
                push_cells_shown(run.map.c.get());
            else if (what < 7)
                run.map.now += run.below(300) * TICK_MS;
            else
                run.send_any();
            if (i % 20 == 0)
                run.check();
        }
        run.check();
        for (int i = 0; i < 3; i++, run.map.now += 600 * TICK_MS)
            while (run.send_any())
                continue;
        run.check();
        REQUIRE(run.pixels.viewer == run.pixels.source);
        REQUIRE(std::count(run.pixels.lossy.begin(), run.pixels.lossy.end(), true) == 0);
        // once for each change, and once more exact
        for (size_t i = 0; i < run.sent.size(); i++)
            REQUIRE(run.sent[i] <= 2 * run.marked[i]);
    }
}

TEST_CASE("whatever is lost, the viewer has what the map says once that is told")
{
    unsigned seed = any_seed();

    for (unsigned round = 0; round < 40; round++) {
        Run run(150 + int(round % 3) * 33, 100 + int(round % 5) * 7, seed + round);

        run.loses = 1 + int(round % 6);
        for (int i = 0; i < 600; i++) {
            int what = run.below(10);

            if (what < 3)
                run.change();
            else if (what < 4)
                push_cells_shown(run.map.c.get());
            else if (what < 5)
                run.map.now += run.below(300) * TICK_MS;
            else
                run.send_any();
            if (i % 20 == 0) {
                run.tell_lost();
                run.check();
            }
        }
        for (int i = 0; i < 200; i++, run.map.now += 600 * TICK_MS) {
            run.tell_lost();
            while (run.send_any())
                continue;
        }
        REQUIRE(run.lost.empty());
        run.check();
        REQUIRE(run.pixels.viewer == run.pixels.source);
        REQUIRE(std::count(run.pixels.lossy.begin(), run.pixels.lossy.end(), true) == 0);
    }
}
