// What was seen of marks, with a clock that stands still until told otherwise.
#include "tests/catch.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include "tools/marks/press_clock.h"
#include "tools/marks/sightings.h"

namespace
{

constexpr tick_t START = 100 * TICK_S;

struct Watched {
    sightings s;
    tick_t now = START;

    Watched()
    {
        REQUIRE(sightings_init(&s));
    }
    ~Watched()
    {
        sightings_deinit(&s);
    }
    Watched(const Watched &) = delete;

    using Number = std::optional<uint32_t>;

    /* Looks; a mark's draw time is `age_ms` ago, or not known. */
    void look(Number frame, Number end = {}, Number input = {}, double age_ms = -1)
    {
        sighting what{};
        uint32_t time = age_ms < 0 ? 0 : mark_time(now - tick_from_ms(age_ms));
        set(what, SIGHTING_FRAME, frame, time);
        set(what, SIGHTING_FRAME_END, end, time);
        set(what, SIGHTING_INPUT, input, time);
        sightings_look(&s, &what, now);
    }
    void after(double ms)
    {
        now += tick_from_ms(ms);
    }
    std::string json()
    {
        char *text = nullptr;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        sightings_write(&s, f);
        fclose(f);
        std::string result = text;
        free(text);
        return result;
    }
    bool says(const std::string &part)
    {
        std::string all = json();
        INFO(all);
        CHECK(all.find(part) != std::string::npos);
        return all.find(part) != std::string::npos;
    }

  private:
    static void set(sighting &what, int kind, Number number, uint32_t time)
    {
        what.seen[kind] = number.has_value();
        if (number)
            what.marks[kind] = {mark_kind(MARK_FRAME + kind), *number, time};
    }
};

} // namespace

TEST_CASE("frames, rate, ages and gaps")
{
    Watched w;

    w.look(9, 9, {}, 5);
    sightings_begin(&w.s, w.now, 2 * TICK_S);
    for (uint32_t i = 0; i < 20; i++) {
        w.after(50);
        w.look(10 + i, 10 + i, {}, 10.0 + i);
        w.after(50);
        w.look(10 + i, 10 + i, {}, 60.0 + i); // the same again
    }
    sightings_end(&w.s, w.now);
    CHECK(w.s.frames == 20);
    CHECK(w.s.first_number == 10);
    CHECK(w.s.last_number == 29);
    CHECK(sightings_fps(&w.s) == Approx(10));
    CHECK(w.s.ages.kept == 20);
    CHECK(samples_percentile(&w.s.ages, 0.5) == Approx(19));
    CHECK(samples_percentile(&w.s.ages, 0.05) == Approx(10));
    CHECK(w.s.ages.max == Approx(29));
    CHECK(samples_percentile(&w.s.gaps, 0.5) == Approx(100));
    CHECK(w.s.gaps.kept == 19);
    CHECK(w.s.looked_torn == 0);
    CHECK(w.s.looked == 2 * TICK_S);
    w.says("\"duration_s\":2.000,");
    w.says("\"looks_per_s\":19.5,");
    w.says("\"frames\":20,\"fps\":10.000,\"halves\":0,\"partial_fps\":10.000,\"still_ms\":100.0,");
    w.says("\"first_number\":10,\"last_number\":29,");
    w.says("\"age_ms\":{\"p5\":10.00,");
    w.says("\"ages_ms\":[10.0,11.0,");
    w.says("\"seen_ms\":[50.0,150.0,");
    w.says("\"numbers\":[0,1,2,");
    w.says("\"response_ms\":null,\"responses_lost\":0,\"lost_share\":null}");
}

TEST_CASE("only frames first seen within the period count")
{
    Watched w;

    w.look(1, 1);
    w.after(10);
    sightings_begin(&w.s, w.now, TICK_S);
    w.look(1, 1); // was there before
    w.after(999);
    w.look(2, 2);
    w.after(1);
    w.look(3, 3); // the very end is outside
    w.after(500);
    w.look(4, 4);
    sightings_end(&w.s, w.now);
    CHECK(w.s.frames == 1);
    CHECK(sightings_fps(&w.s) == Approx(1));
    CHECK(sightings_still(&w.s) == Approx(999));
    CHECK(w.s.end - w.s.begin == TICK_S);
    w.says("\"gap_ms\":null");
}

TEST_CASE("time in which nothing came counts")
{
    Watched early, late, none;

    sightings_begin(&early.s, early.now, 10 * TICK_S);
    sightings_begin(&late.s, late.now, 10 * TICK_S);
    sightings_begin(&none.s, none.now, 10 * TICK_S);
    early.after(50);
    late.after(9300);
    for (uint32_t i = 1; i <= 4; i++) { // four frames in 0.6 s, and nothing else
        early.look(i, i);
        early.after(200);
        late.look(i, i);
        late.after(200);
    }
    for (Watched *w : {&early, &late, &none}) {
        w->now = START + 10 * TICK_S;
        sightings_end(&w->s, w->now);
    }
    CHECK(sightings_fps(&early.s) == Approx(0.4));
    CHECK(sightings_still(&early.s) == Approx(9350));
    CHECK(sightings_fps(&late.s) == Approx(0.4));
    CHECK(sightings_still(&late.s) == Approx(9300));
    CHECK(sightings_fps(&none.s) == 0);
    CHECK(sightings_still(&none.s) == Approx(10000));
}

TEST_CASE("a mark that is far ahead of the other one counts once")
{
    Watched w;
    auto look = [&](uint32_t frame, uint32_t end) {
        w.after(1);
        w.look(frame, end);
    };
    look(1, 1);
    sightings_begin(&w.s, w.now, TICK_S);
    for (int i = 0; i < 100; i++)
        look(63, 1);
    CHECK(w.s.halves == 1);
    for (uint32_t end = 2; end <= 62; end++) // what was held back comes: old pictures are no news
        look(63, end);
    CHECK(w.s.halves == 16);
    look(63, 63);
    CHECK(w.s.frames == 1);
    CHECK(w.s.halves == 15);
    for (int i = 0; i < 3; i++)
        look(0, 63); // a new pass
    look(0, 0);
    CHECK(w.s.frames == 2);
    CHECK(w.s.halves == 15);
}

TEST_CASE("a frame that was never seen whole is a half of one")
{
    Watched w;

    w.look(1, 1);
    w.after(10);
    w.look(2, 1); // its half came before the period, the whole in it
    w.after(10);
    sightings_begin(&w.s, w.now, TICK_S);
    w.look(2, 2);
    w.after(100);
    w.look(3, 2); // becomes whole
    w.after(100);
    w.look(3, 3);
    w.after(100);
    w.look(4, 3); // never whole: the next one comes
    w.after(100);
    w.look(5, 3);
    w.after(100);
    w.look(5, 4); // the other half of the same, late
    w.after(100);
    w.look(5, {}); // nor is this one
    w.after(100);
    w.look(6, 6);
    w.after(100);
    w.look(5, 6); // an old one again
    w.after(100);
    w.look(7, 6); // only after the period whole: a half
    w.after(100);
    sightings_end(&w.s, w.now);
    w.look(7, 7);
    CHECK(w.s.frames == 3);
    CHECK(w.s.halves == 3);
    CHECK(sightings_partial_fps(&w.s) == Approx(4.5));
    w.says("\"fps\":3.000,\"halves\":3,\"partial_fps\":4.500,");
}

TEST_CASE("a run that is cut short")
{
    Watched w;

    sightings_begin(&w.s, w.now, TICK_NEVER);
    w.look(1);
    w.after(100);
    w.look(2);
    w.after(400);
    sightings_end(&w.s, w.now);
    CHECK(w.s.end - w.s.begin == 500 * TICK_MS);
    CHECK(w.s.looked == 500 * TICK_MS);
    w.after(10);
    w.look(3);
    CHECK(w.s.frames == 2);
    CHECK(w.s.looked == 500 * TICK_MS);
}

TEST_CASE("a picture whose marks disagree is torn and no frame")
{
    Watched w;

    w.look(1, 1);
    sightings_begin(&w.s, w.now, TICK_S);
    w.after(100);
    w.look(2, 1); // torn for 200 ms
    w.after(200);
    w.look(2, 2);
    w.after(300);
    w.look(3, {}); // for 100 ms
    w.after(100);
    w.look(3, 3);
    w.after(100);
    w.look({}, 3); // for 200 ms, to the end
    w.after(500);
    w.look(4, 4);
    sightings_end(&w.s, w.now);
    CHECK(w.s.frames == 2);
    CHECK(w.s.looked == TICK_S);
    CHECK(w.s.looked_torn == 500 * TICK_MS);
    CHECK(w.s.gaps.max == Approx(400));
    w.says("\"torn_share\":0.5000");
}

TEST_CASE("one mark is enough until an end mark has been seen")
{
    Watched w;

    sightings_begin(&w.s, w.now, TICK_S);
    w.look(1);
    w.after(10);
    w.look(2);
    CHECK(w.s.frames == 2);
    CHECK_FALSE(w.s.torn);
    w.after(10);
    w.look(3, 2);
    w.after(10);
    w.look(4);
    CHECK(w.s.frames == 2);
    CHECK(w.s.torn);
}

TEST_CASE("when the first whole picture was there")
{
    Watched with, without;

    CHECK(sightings_first(&with.s, with.now) == TICK_NEVER);
    with.look(1);
    with.after(1500);
    with.look(2, 1);
    CHECK(sightings_first(&with.s, with.now) == TICK_NEVER);
    with.after(100);
    with.look(2, 2);
    CHECK(sightings_first(&with.s, with.now) == with.now);

    without.look(1);
    tick_t first = without.now;
    without.after(100);
    without.look(2);
    CHECK(sightings_first(&without.s, without.now) == TICK_NEVER); // there may be an end mark
    without.now += SIGHTINGS_COMPLETE;
    without.look(3);
    CHECK(sightings_first(&without.s, without.now) == first);
}

TEST_CASE("a content without frames")
{
    Watched w;

    w.look({}, {}, 0);
    tick_t first = w.now;
    CHECK(sightings_first(&w.s, w.now) == TICK_NEVER);
    w.now += SIGHTINGS_COMPLETE;
    w.look({}, {}, 0);
    CHECK(sightings_first(&w.s, w.now) == first);
    sightings_begin(&w.s, w.now, TICK_S);
    sightings_press(&w.s, w.now);
    w.after(100);
    w.look({}, {}, 1);
    sightings_end(&w.s, w.now);
    CHECK(w.s.responses.kept == 1);
    CHECK(w.s.looked_torn == 0); // nothing there that could be
}

TEST_CASE("a film that begins again, and an old picture that shows again")
{
    Watched w;

    sightings_begin(&w.s, w.now, 10 * TICK_S);
    for (uint32_t number : {297u, 298u, 297u, 299u, 0u, 1u, 2u}) {
        w.look(number, number);
        w.after(40);
    }
    sightings_end(&w.s, w.now);
    CHECK(w.s.frames == 6); // without the second 297
    CHECK(w.s.first_number == 297);
    CHECK(w.s.last_number == 2);
    CHECK(w.s.ages.kept == 0); // a film does not know when it was drawn
    w.says("\"age_ms\":null");
}

TEST_CASE("numbers wrap")
{
    Watched w;

    sightings_begin(&w.s, w.now, 10 * TICK_S);
    for (uint32_t number : {MARK_NUMBER_MAX - 1, MARK_NUMBER_MAX, 0u, 1u, MARK_NUMBER_MAX}) {
        w.look(number, number);
        w.after(40);
    }
    CHECK(w.s.frames == 4);
    w.says("\"numbers\":[0,1,2,3],");
}

TEST_CASE("presses are answered by number")
{
    Watched w;

    CHECK_FALSE(sightings_press(&w.s, w.now)); // nothing counts them yet
    w.look(1, 1, 41);
    CHECK(sightings_press(&w.s, w.now)); // warming up
    w.after(30);
    w.look(2, 2, 42);
    CHECK(sightings_waiting(&w.s) == 0);

    sightings_begin(&w.s, w.now, TICK_S);
    for (int i = 0; i < 3; i++) { // three on their way at once
        CHECK(sightings_press(&w.s, w.now));
        w.after(10);
    }
    w.look(3, 3, 42);
    CHECK(w.s.responses.kept == 0);
    w.after(70);
    w.look(4, 4, 44); // two show together
    CHECK(w.s.responses.kept == 2);
    CHECK(w.s.responses.values[0] == Approx(100));
    CHECK(w.s.responses.values[1] == Approx(90));
    w.after(5);
    w.look(5, 5); // the mark is torn for a moment
    w.after(5);
    w.look(5, 5, 45);
    CHECK(w.s.responses.values[2] == Approx(90));

    w.now = START + 30 * TICK_MS + TICK_S - TICK_MS;
    CHECK(sightings_press(&w.s, w.now)); // just within
    w.after(1);
    sightings_end(&w.s, w.now);
    CHECK(sightings_press(&w.s, w.now)); // just outside
    CHECK(w.s.measured == 4);
    w.says("\"presses\":4,\"responses\":3,\"responses_ms\":[100.0,90.0,90.0],\"pressed_ms\":[0.0,"
           "10.0,20.0],");
    w.says("\"responses_lost\":1,\"lost_share\":0.2500}");
    w.after(500);
    w.look(6, 6, 47);
    CHECK(w.s.responses.kept == 4);
    CHECK(w.s.frames == 3);
    CHECK(sightings_waiting(&w.s) == 0);
    w.says("\"responses_lost\":0,\"lost_share\":0.0000}");
}

TEST_CASE("an input mark that something covers")
{
    Watched w;

    w.look(1, 1);
    sightings_begin(&w.s, w.now, TICK_S);
    w.after(300); // not seen yet is not hidden
    w.look(1, 1, 0);
    w.after(300);
    w.look(1, 1);
    w.after(400);
    sightings_end(&w.s, w.now);
    CHECK(w.s.looked_hidden == 400 * TICK_MS);
    w.says("\"input_hidden_share\":0.4000");
}

TEST_CASE("presses whose count wraps")
{
    Watched w;

    w.look(1, 1, MARK_NUMBER_MAX);
    sightings_begin(&w.s, w.now, TICK_S);
    CHECK(sightings_press(&w.s, w.now));
    CHECK(sightings_press(&w.s, w.now));
    w.after(10);
    w.look(1, 1, 0);
    CHECK(w.s.responses.kept == 1);
    w.after(10);
    w.look(1, 1, 1);
    CHECK(w.s.responses.kept == 2);
}

TEST_CASE("nothing was seen at all")
{
    Watched w;

    sightings_begin(&w.s, w.now, TICK_S);
    w.look({});
    w.after(2000);
    sightings_end(&w.s, w.now);
    CHECK(w.json() == "{\"duration_s\":1.000,\"looks_per_s\":1.0,\"frames\":0,\"fps\":0.000,"
                      "\"halves\":0,\"partial_fps\":0.000,\"still_ms\":1000.0,"
                      "\"first_number\":null,\"last_number\":null,\"torn_share\":0.0000,"
                      "\"input_hidden_share\":0.0000,"
                      "\"age_ms\":null,\"gap_ms\":null,\"ages_ms\":[],\"seen_ms\":[],\"numbers\":[]"
                      ",\"presses\":0,"
                      "\"responses\":0,\"responses_ms\":[],\"pressed_ms\":[],\"response_ms\":null,"
                      "\"responses_lost\":0,\"lost_share\":null}");
}

TEST_CASE("presses keep their period, but not time")
{
    press_clock a, b;
    tick_t now = START, last = START, longest = 0, shortest = TICK_NEVER;

    press_clock_init(&a, 100 * TICK_MS, 7);
    press_clock_init(&b, 100 * TICK_MS, 7);
    CHECK_FALSE(press_clock_due(&a, now));
    press_clock_start(&a, now);
    press_clock_start(&b, now);
    for (int presses = 0; presses < 1000; now += TICK_MS / 10) {
        bool due = press_clock_due(&a, now);
        REQUIRE(press_clock_due(&b, now) == due); // the same seed, the same moments
        if (!due)
            continue;
        presses++;
        longest = std::max(longest, now - last);
        shortest = std::min(shortest, now - last);
        last = now;
    }
    CHECK(tick_to_ms(last - START) / 1000 == Approx(100).epsilon(0.03));
    CHECK(tick_to_ms(shortest) == Approx(75).margin(1.5));
    CHECK(tick_to_ms(longest) == Approx(125).margin(1.5));
    CHECK_FALSE(press_clock_due(&a, now));
    CHECK(press_clock_due(&a, now + TICK_S)); // missed ones are not made up for
    CHECK_FALSE(press_clock_due(&a, now + TICK_S));
    press_clock_stop(&a);
    CHECK_FALSE(press_clock_due(&a, now + 100 * TICK_S));
}
