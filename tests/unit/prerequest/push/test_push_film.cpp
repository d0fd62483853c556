// When what moves goes as a film, and what becomes of its frames, under a fake clock.
#include "tests/catch.hpp"

#include <cmath>
#include <memory>

#include "prerequest/push/datagrams.h"
#include "prerequest/push/packets/insurance.h"
#include "prerequest/push/picture/film.h"
#include "prerequest/push/picture/film_cut.h"
#include "prerequest/push/picture/level.h"

namespace
{

const tick_t T0 = 1000 * TICK_S;
const tick_t GAP = TICK_S / 30;
const push_film_path THIN = {60e3, double(GAP), 5000, 1.2, LEVEL_STEPS - 1};

// A picture of 800x480, whose part at 160,96 of 480x320 moves.
struct Film {
    std::unique_ptr<push_film> f = std::make_unique<push_film>();
    std::unique_ptr<push_cells> c = std::make_unique<push_cells>();
    std::vector<push_cell> memory = std::vector<push_cell>(push_cells_count(800, 480));
    tick_t now = T0;
    uint32_t number = 0; // of blocks
    push_film_order order{};

    Film()
    {
        push_film_init(f.get());
        push_cells_init(c.get(), memory.data(), 800, 480, now);
        push_film_allow(f.get(), c.get(), true);
        for (int row = 0; row < c->rows; row++)
            strip({0, row, c->columns});
    }
    void strip(push_run r, bool exact = true)
    {
        push_cells_sent(c.get(), &r, ++number, exact);
    }
    // A frame is shown; what of it is no film leaves at once.
    void show(const push_film_path &path = THIN, int x = 160, int y = 96, int w = 480, int h = 320)
    {
        now += GAP;
        push_cells_change(c.get(), x, y, w, h, false, now);
        push_film_shown(f.get(), c.get(), true, &path, now);
        push_cells_shown(c.get());
        push_run r{};
        for (int row = 0; !f->on && row < c->rows; row++)
            strip({0, row, c->columns}, false);
        while (f->on && push_film_beside(f.get(), c.get(), &r))
            strip(r, false);
    }
    void begin()
    {
        for (int i = 0; i < 60 && !f->on; i++)
            show();
        REQUIRE(f->on);
    }
    // Takes a frame and sends it in so many blocks. Returns the first one.
    uint32_t frame(unsigned parts = 3, bool insures = false)
    {
        push_run beside;
        uint32_t first = number + 2;
        REQUIRE(push_film_next(f.get(), c.get(), &beside, 0) == PUSH_FILM_TAKE);
        push_film_take(f.get(), c.get(), ++number, &order, now);
        REQUIRE(push_film_next(f.get(), c.get(), &beside, 0) == PUSH_FILM_NOTHING);
        REQUIRE(push_film_coded(f.get(), c.get(), order.id, parts, now));
        for (unsigned i = 0; i < parts; i++) {
            REQUIRE(push_film_next(f.get(), c.get(), &beside, 0) == PUSH_FILM_PART);
            CHECK(push_film_left(f.get(), ++number, insures) == (i + 1 == parts));
        }
        return first;
    }
    unsigned shown() const
    {
        unsigned n = 0;
        for (int i = 0; i < PUSH_FILM_CELLS; i++)
            n += order.shows[i / 8] >> i % 8 & 1;
        return n;
    }
};

} // namespace

TEST_CASE("film: what moves for half a second, and is too much as JPEG, is one")
{
    Film e;
    tick_t first = e.now + GAP;
    e.begin();
    CHECK(e.now - first >= PUSH_FILM_MOVED);
    CHECK(e.now - first < PUSH_FILM_MOVED + 3 * GAP);
    CHECK((e.f->area.column == 10 && e.f->area.row == 6));
    CHECK((e.f->area.columns == 30 && e.f->area.rows == 20));
}

TEST_CASE("film: there is none where one end cannot, JPEG does, or the user has chosen the quality")
{
    Film e;
    push_film_path path = THIN;
    bool may = GENERATE(false, true);
    int which = GENERATE(0, 1, 2, 3);
    if (may && which == 0)
        path.need = 0.5; // there is room for a better quality
    if (may && which == 1)
        path.step = PUSH_FILM_STEP - 1;
    if (may && which == 2)
        path.step = -1;
    if (may && which == 3)
        path.rate = 0; // it is not known
    push_film_allow(e.f.get(), e.c.get(), may);
    for (int i = 0; i < 60; i++)
        e.show(path);
    CHECK_FALSE(e.f->on);
}

TEST_CASE("film: a picture that is too large, and two far from each other, are none")
{
    Film e;
    for (int i = 0; i < 60; i++) {
        push_cells_change(e.c.get(), 0, 0, 160, 160, false, e.now + GAP);
        e.show(THIN, 640, 320, 160, 160);
    }
    CHECK_FALSE(e.f->on);
    std::vector<push_cell> more(push_cells_count(1600, 1200));
    push_cells_init(e.c.get(), more.data(), 1600, 1200, e.now);
    for (int i = 0; i < 60; i++)
        e.show(THIN, 0, 0, 1600, 1200);
    CHECK_FALSE(e.f->on);
}

TEST_CASE("film: it ends where it rests, moves away, or the rate carries good JPEG")
{
    Film e;
    push_film_path path = THIN;
    e.begin();
    SECTION("rests")
    {
        e.frame();
        e.now += PUSH_FILM_REST;
        push_cells_change(e.c.get(), 0, 0, 16, 16, false, e.now);
        push_film_shown(e.f.get(), e.c.get(), false, &THIN, e.now);
        CHECK_FALSE(e.f->on);
    }
    SECTION("moves away")
    {
        for (int i = 0; i < 30 && e.f->on; i++) {
            e.show(THIN, 0, 96, 480, 320);
            push_run beside;
            if (e.f->on && push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_TAKE)
                e.frame();
        }
        CHECK_FALSE(e.f->on);
    }
    SECTION("the rate")
    {
        path.rate = 1e6;
        tick_t since = e.now;
        while (e.f->on && e.now - since < 10 * TICK_S) {
            e.show(path);
            if (e.f->on)
                e.frame();
        }
        CHECK_FALSE(e.f->on);
        CHECK(e.now - since >= PUSH_FILM_CARRIED);
        CHECK(e.now - since < PUSH_FILM_CARRIED + 4 * GAP);
    }
}

TEST_CASE("film: a frame shows what has changed in it, and stands on the one before")
{
    Film e;
    e.begin();
    e.frame();
    CHECK(e.order.key);
    CHECK(e.shown() == 600);
    uint32_t before = e.order.id;
    e.now += GAP;
    push_cells_change(e.c.get(), 160, 96, 32, 16, false, e.now);
    e.frame();
    CHECK_FALSE(e.order.key);
    CHECK(e.order.id - e.order.before == before);
    CHECK(e.shown() == 2);
    CHECK(e.order.shows[0] == 3);
    CHECK(e.c->changed == 0);
}

TEST_CASE("film: what moves beside it goes in its turn")
{
    Film e;
    push_run beside;
    e.begin();
    for (int i = 0; i < 14; i++) { // as often as the film
        push_cells_change(e.c.get(), 0, 0, 32, 16, false, e.now + GAP);
        e.show();
        push_film_take(e.f.get(), e.c.get(), ++e.number, &e.order, e.now);
        push_film_coded(e.f.get(), e.c.get(), e.order.id, 1, e.now);
        push_film_left(e.f.get(), ++e.number, false);
    }
    e.show();
    push_cells_change(e.c.get(), 0, 0, 32, 16, false, e.now);
    push_cells_shown(e.c.get());
    push_cells_change(e.c.get(), 160, 96, 480, 320, false, e.now);
    // the film's cells wait for longer
    REQUIRE(push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_TAKE);
    push_film_take(e.f.get(), e.c.get(), ++e.number, &e.order, e.now);
    REQUIRE(push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_BESIDE);
    CHECK((beside.column == 0 && beside.row == 0 && beside.count == 2));
    REQUIRE(push_film_coded(e.f.get(), e.c.get(), e.order.id, 1, e.now));
    CHECK(push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_PART);
    push_film_left(e.f.get(), ++e.number, false);
    CHECK(push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_BESIDE);
}

TEST_CASE("film: text beside it goes before all of it")
{
    Film e;
    push_run beside;
    e.begin();
    push_cells_change(e.c.get(), 0, 0, 32, 16, false, e.now);
    CHECK(push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_BESIDE);
    e.strip({0, 0, 2});
    push_film_take(e.f.get(), e.c.get(), ++e.number, &e.order, e.now);
    REQUIRE(push_film_coded(e.f.get(), e.c.get(), e.order.id, 3, e.now));
    push_film_left(e.f.get(), ++e.number, false);
    push_cells_shown(e.c.get());
    CHECK(push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_PART);
    push_cells_change(e.c.get(), 640, 16, 32, 16, false, e.now);
    CHECK(push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_BESIDE);
    CHECK((beside.column == 40 && beside.row == 1));
}

TEST_CASE("film: what changes beside it less often is no part of it")
{
    Film e;
    int every = GENERATE(5, 14, 27); // of its frames
    for (int i = 0; i < 200; i++) {
        if (i % every == 0) { // text below it, as two rectangles that share cells
            push_cells_change(e.c.get(), 160, 432, 480, 8, false, e.now + GAP);
            push_cells_change(e.c.get(), 160, 440, 480, 8, false, e.now + GAP);
        }
        if (i % every == 1) // a part of it comes later
            push_cells_change(e.c.get(), 160, 432, 480, 4, false, e.now + GAP);
        e.show();
        if (e.f->on)
            e.frame();
        if (e.f->on) {
            REQUIRE(e.f->area.row == 6);
            REQUIRE(e.f->area.rows == 20);
        }
    }
    CHECK(e.f->on);
    CHECK(e.f->frames > 180);
}

TEST_CASE("film: a lost block makes its frame void, and those that stand on it")
{
    Film e;
    e.begin();
    e.frame();
    uint32_t good = e.order.id;
    e.show();
    uint32_t lost = e.frame();
    e.show();
    uint32_t on_it = e.frame();
    CHECK(push_film_has(e.f.get(), lost + 1));
    push_film_lost(e.f.get(), e.c.get(), lost + 1);
    CHECK_FALSE(push_film_has(e.f.get(), lost + 1));
    CHECK_FALSE(push_film_has(e.f.get(), on_it));
    CHECK(e.c->lost == 600); // all its cells have to go again
    e.frame();
    CHECK(e.order.id - e.order.before == good);
    CHECK(e.order.forgets);
    CHECK(e.order.forget_from == 1);
    CHECK(e.shown() == 600);
    // what of them is lost, too, says nothing new
    push_film_lost(e.f.get(), e.c.get(), on_it);
    CHECK(e.c->lost == 0);
    e.show();
    e.frame();
    CHECK_FALSE(e.order.forgets);
}

TEST_CASE("film: a frame that is void before it was encoded does not leave")
{
    Film e;
    push_run beside;
    e.begin();
    uint32_t first = e.frame();
    e.show();
    push_film_take(e.f.get(), e.c.get(), ++e.number, &e.order, e.now);
    push_film_lost(e.f.get(), e.c.get(), first);
    CHECK_FALSE(push_film_coded(e.f.get(), e.c.get(), e.order.id, 3, e.now));
    CHECK(push_film_next(e.f.get(), e.c.get(), &beside, 0) == PUSH_FILM_TAKE);
    e.frame();
    CHECK(e.order.key); // nothing is left that it could stand on
}

TEST_CASE("film: one that could not be encoded, or that ends on its way, goes otherwise")
{
    Film e;
    e.begin();
    push_film_take(e.f.get(), e.c.get(), ++e.number, &e.order, e.now);
    CHECK(e.c->changed == 0);
    SECTION("not encoded")
    {
        unsigned parts = GENERATE(0u, unsigned(PUSH_FILM_PARTS) + 1);
        CHECK_FALSE(push_film_coded(e.f.get(), e.c.get(), e.order.id, parts, e.now));
    }
    SECTION("ends")
    {
        push_film_end(e.f.get(), e.c.get());
        CHECK_FALSE(push_film_coded(e.f.get(), e.c.get(), e.order.id, 3, e.now));
    }
    CHECK(e.c->changed == 600);
}

TEST_CASE("film: a viewer that asks anew gets a frame that stands alone")
{
    Film e;
    e.begin();
    e.frame();
    push_film_anew(e.f.get(), e.c.get());
    CHECK(e.c->changed == 600);
    e.frame();
    CHECK(e.order.key);
}

TEST_CASE("film: datagrams overtake what has left on the stream, so their first frame stands alone")
{
    auto p = std::make_unique<push_plan>();
    auto d = std::make_unique<push_datagrams>();
    const push_options options{0, 0, -1, true, true};
    std::vector<push_cell> memory(push_cells_count(800, 480));
    push_film_order order{};
    uint32_t number = 0;
    auto next_is_key = [&] {
        push_plan_take_frame(p.get(), ++number, &order, T0);
        REQUIRE(push_plan_frame_coded(p.get(), order.id, 1, T0));
        push_plan_part_left(p.get(), ++number, 500, T0);
        push_plan_frame_insured(p.get());
        return order.key;
    };
    push_plan_init(p.get(), &options, T0);
    push_datagrams_init(d.get());
    push_plan_picture(p.get(), memory.data(), 800, 480, T0);
    p->film.on = true;
    p->film.area = {0, 0, 30, 20};
    CHECK(next_is_key());
    CHECK_FALSE(next_is_key());
    push_datagrams_switch(d.get(), p.get(), true, T0);
    CHECK(p->film.on);
    CHECK(next_is_key());
    CHECK_FALSE(next_is_key());
}

TEST_CASE("film: where encoding takes too long there is none for a while")
{
    Film e;
    e.begin();
    for (int i = 0; i < PUSH_FILM_TOO_SLOW && e.f->on; i++) {
        push_film_take(e.f.get(), e.c.get(), ++e.number, &e.order, e.now);
        e.now += PUSH_FILM_SLOW + TICK_MS;
        REQUIRE(push_film_coded(e.f.get(), e.c.get(), e.order.id, 1, e.now));
        push_film_left(e.f.get(), ++e.number, false);
        e.show();
    }
    CHECK_FALSE(e.f->on);
    tick_t ended = e.now;
    while (!e.f->on && e.now - ended < 2 * PUSH_FILM_PAUSE)
        e.show();
    CHECK(e.now - ended >= PUSH_FILM_PAUSE);
}

TEST_CASE("film: parity follows a frame, however few blocks it has")
{
    auto s = std::make_unique<push_insurance>();
    push_group g;
    unsigned parities = 0;
    push_insurance_begin_film(s.get(), PUSH_FILM_FAILS_LEAST);
    push_insurance_sent(s.get(), 7, 1000);
    push_insurance_sent(s.get(), 8, 1000);
    push_insurance_close(s.get(), 0.05);
    CHECK(push_insurance_copy(s.get()) < 0);
    while (push_insurance_parity(s.get(), &g))
        parities++;
    CHECK(parities == push_insurance_parities(2, 0.05, PUSH_FILM_FAILS_LEAST));
    CHECK(push_insurance_takes(s.get(), 0.05) == Approx(1 + parities / 2.0));
    push_insurance_begin(s.get()); // other blocks are copied
    push_insurance_sent(s.get(), 9, 1000);
    push_insurance_close(s.get(), 0.1);
    CHECK_FALSE(push_insurance_parity(s.get(), &g));
}

TEST_CASE("film: a lost part is in doubt until it would be known that it was made")
{
    push_doubts d;
    uint32_t block = 0;
    push_doubts_init(&d);
    CHECK(push_doubts_due(&d) == TICK_NEVER);
    for (uint32_t i = 0; i < PUSH_DOUBTS; i++)
        REQUIRE(push_doubts_add(&d, i, T0 + tick_t(i)));
    CHECK_FALSE(push_doubts_add(&d, 1000, T0 + 1000));
    CHECK(push_doubts_due(&d) == T0);
    CHECK_FALSE(push_doubts_next(&d, &block, T0 - 1));
    for (uint32_t i = 0; i < 3; i++) {
        REQUIRE(push_doubts_next(&d, &block, T0 + 2));
        CHECK(block == i);
    }
    CHECK_FALSE(push_doubts_next(&d, &block, T0 + 2));
    CHECK(push_doubts_add(&d, 1000, T0 + 1000));
}

TEST_CASE("film: text that left just before a frame is insured, too, and better")
{
    auto s = std::make_unique<push_insurance>();
    push_group g;
    push_insurance_sent(s.get(), 3, 600);
    push_insurance_sent(s.get(), 4, 600);
    push_insurance_begin_film(s.get(), PUSH_FILM_FAILS_MOST);
    push_insurance_sent(s.get(), 6, 900); // 5 is the frame itself
    push_insurance_close(s.get(), 0.05);
    CHECK(push_insurance_copy(s.get()) < 0);
    REQUIRE(push_insurance_parity(s.get(), &g));
    CHECK((g.first == 0 && g.count == 2));
    CHECK(g.parities == push_insurance_parities(2, 0.05, PUSH_BESIDE_FAILS));
    REQUIRE(push_insurance_parity(s.get(), &g));
    CHECK((g.first == 2 && g.count == 1));
    CHECK(g.parities == push_insurance_parities(1, 0.05, PUSH_FILM_FAILS_MOST));
    while (push_insurance_parity(s.get(), &g))
        CHECK(g.first == 0);
    push_insurance_begin_film(s.get(), PUSH_FILM_FAILS_MOST); // it is decided
    CHECK(s->blocks == 0);
    for (uint32_t i = 0; i <= PUSH_BESIDE_MOST; i++) // a page
        push_insurance_sent(s.get(), 10 + i, 600);
    push_insurance_begin_film(s.get(), PUSH_FILM_FAILS_MOST);
    CHECK(s->blocks == 0);
}

TEST_CASE("film: a frame is cut so that it takes least with its parity")
{
    for (double loss : {0.0, 0.01, 0.05, 0.1, 0.3})
        for (double fails : {PUSH_FILM_FAILS_LEAST, PUSH_FILM_FAILS_MOST})
            for (size_t bytes : {1, 400, 900, 1121, 1122, 5000, 40000}) {
                auto takes = [&](unsigned n) {
                    double m = loss > 0 ? push_insurance_parities(n, loss, fails) : 0;
                    return (n + m) * (std::ceil(double(bytes) / n) + PUSH_FILM_HEAD);
                };
                unsigned n = push_film_cut(bytes, loss, fails);
                INFO(loss << " lost, " << bytes << " bytes in " << n);
                REQUIRE(n <= PUSH_FILM_PARTS);
                CHECK(n * PUSH_FILM_ROOM >= bytes);
                for (unsigned k = 1; k <= PUSH_FILM_PARTS; k++)
                    if (k * PUSH_FILM_ROOM >= bytes)
                        CHECK(takes(n) <= takes(k));
                // as many bytes fit as take so much
                CHECK(push_film_fits(takes(n), loss, fails) + n >= bytes);
                if (bytes > PUSH_FILM_HEAD)
                    CHECK(push_film_fits(takes(n) / 2, loss, fails) < bytes);
            }
    CHECK(push_film_cut(900, 0, 0.02) == 1);
    CHECK(push_film_cut(900, 0.05, 0.02) == 3);
    CHECK(push_film_cut(100000, 0.05, 0.02) > PUSH_FILM_PARTS);
    CHECK(push_film_fits(PUSH_FILM_HEAD, 0, 0.02) == 0);
}

TEST_CASE("film: more frames may fail where the picture is as coarse as it may be")
{
    CHECK(push_film_fails(0) == Approx(PUSH_FILM_FAILS_LEAST));
    CHECK(push_film_fails(PUSH_FILM_QP_GOOD) == Approx(PUSH_FILM_FAILS_LEAST));
    CHECK(push_film_fails(PUSH_FILM_QP_COARSE) == Approx(PUSH_FILM_FAILS_MOST));
    CHECK(push_film_fails(51) == Approx(PUSH_FILM_FAILS_MOST));
    for (int qp = PUSH_FILM_QP_GOOD; qp < PUSH_FILM_QP_COARSE; qp++)
        CHECK(push_film_fails(qp) < push_film_fails(qp + 1));
}
