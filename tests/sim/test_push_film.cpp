// A film as H.264 over a thin link, and text beside it, in virtual time. Each run is the same every
// time, so the bounds are close to what comes out.
#include "tests/catch.hpp"

#include "prerequest/push/report.h"
#include "tests/sim/push_simulation.hpp"

namespace
{

// The lab's film takes so many bytes a frame at the coarsest (rfb/film/encoder.c).
constexpr double coarsest_bytes = 720;

PushScenario over(double mbit, double loss, uint64_t seed = 1)
{
    PushScenario s;

    s.datagrams = true;
    s.rate_mbit = mbit;
    s.loss = loss;
    s.queue_ms = 200;
    s.seed = seed;
    s.h264_bytes = coarsest_bytes;
    return s;
}

// The film, and 2 kB of text below it that change every `every` seconds.
struct Captioned : PushSimulation {
    explicit Captioned(const PushScenario &s, double every = 1) : PushSimulation(s)
    {
        for (double t = 0; t < 60; t += every)
            at(t, [this] { draw_text(160, 560, 640, 96); });
    }
};

} // namespace

TEST_CASE("a film over a thin link has its frames, and text beside it is exact at once")
{
    struct {
        double mbit, loss, whole, text, text_most;
    } goals[] = {{2, 0, 29.5, 75, 90},
                 {2, 0.05, 29, 75, 400},
                 {0.5, 0, 29, 100, 150},
                 {0.5, 0.05, 27, 110, 400}};

    for (auto g : goals) {
        std::vector<PushFigures> runs;

        for (uint64_t seed = 1; seed <= 5; seed++) {
            Captioned m(over(g.mbit, g.loss, seed));
            m.run(6);
            PushFigures f = m.run(30, 0.47);

            INFO(g.mbit << " Mbit/s, " << g.loss << " lost, seed " << seed << ": " << f.whole_fps
                        << " whole, text " << f.text_ms << ", " << f.text_most_ms << ", key "
                        << f.response_ms << ", " << f.response_most_ms << ", queue " << f.queue_ms
                        << ", QP " << m.plan().film.qp << ", used " << f.used);
            CHECK(f.film_share > 0.99);
            CHECK(f.texts >= 29);
            CHECK(f.text_most_ms < g.text_most);
            push_report r{};
            push_report_figures told{};
            REQUIRE(push_report_make(&r, &m.datagrams(), &m.plan(), &told, 5000 * TICK_S));
            CHECK(told.film_qp == m.plan().film.qp);
            CHECK(told.film_qp > 0);
            runs.push_back(f);
        }
        PushFigures f = median_of(runs);
        INFO(g.mbit << " Mbit/s, " << g.loss << " lost");
        CHECK(f.whole_fps > g.whole);
        CHECK(f.text_ms < g.text);
        CHECK(f.response_ms < 140);
    }
}

TEST_CASE("text beside a film is exact at once, however often it changes")
{
    for (double every : {0.25, 0.47, 0.9}) {
        Captioned m(over(0.5, 0, 7), every);
        m.run(6);
        PushFigures f = m.run(20);

        INFO("every " << every << " s: " << f.text_ms << ", " << f.text_most_ms << ", "
                      << f.whole_fps);
        CHECK(f.film_share > 0.99);
        CHECK(f.text_most_ms < 200);
    }
}

TEST_CASE("a film over a fast link is good after some round trips, however far away")
{
    for (bool datagrams : {false, true}) {
        for (double rtt : {100, 300, 500, 800}) {
            PushScenario s = over(100, 0);

            s.rtt_ms = rtt;
            s.datagrams = datagrams;
            s.tcp = s.put_together = !datagrams;
            PushSimulation m(s);
            PushFigures first = m.run(18), f = m.run(5);

            INFO(rtt << " ms, " << (datagrams ? "datagrams" : "a stream") << ": " << f.whole_fps
                     << " whole, " << f.rate_mbit << " Mbit/s, level " << f.jpeg << ", queue "
                     << first.queue_ms);
            CHECK(f.whole_fps > 29.5);
            CHECK(f.jpeg == 92);
            CHECK(f.film_share < 0.01);
        }
    }
}

TEST_CASE("a film over a far and thin link finds the rate, and its queue is short from then on")
{
    struct {
        double mbit;
        int qp; // at most
    } goals[] = {{0.5, 37}, {2, 24}, {8, 12}};

    for (double rtt : {300, 500, 800}) {
        for (auto g : goals) {
            PushScenario s = over(g.mbit, 0);

            s.rtt_ms = rtt;
            PushSimulation m(s);
            m.run(18);
            PushFigures f = m.run(10);

            INFO(rtt << " ms, " << g.mbit << " Mbit/s: " << f.whole_fps << " whole, queue "
                     << f.queue_ms << ", QP " << m.plan().film.qp);
            CHECK(f.whole_fps > 29.5);
            CHECK(f.queue_ms < 20);
            CHECK(m.plan().film.qp <= g.qp);
        }
    }
}

TEST_CASE("a film goes on after a loss that is heard of more than a second later")
{
    PushScenario s = over(2, 0.001);

    s.rtt_ms = 1200;
    PushSimulation m(s);
    m.run(20);
    PushFigures f = m.run(60);

    INFO(f.whole_fps << " whole, " << f.lost << " lost");
    CHECK(f.lost > 0);
    CHECK(f.whole_fps > 20);
}
