// The far end's decisions over datagrams that are lost, in virtual time. Each run is the same every
// time, so the bounds are close to what comes out.
#include "tests/catch.hpp"

#include "tests/sim/push_simulation.hpp"

namespace
{

PushScenario over(double rtt_ms, double mbit, double loss, uint64_t seed = 1)
{
    PushScenario s;

    s.datagrams = true;
    s.rtt_ms = rtt_ms;
    s.rate_mbit = mbit;
    s.loss = loss;
    s.queue_ms = 100;
    s.seed = seed;
    return s;
}

// All of the screen changes all the time, and is sent exact: there is always something to send.
struct Bulk : PushSimulation {
    explicit Bulk(PushScenario s) : PushSimulation(exact(s))
    {
        for (int i = 0; i < 1000; i++)
            at(i * 0.1, [this] { draw(0, 0, 1024, 768, true); });
    }

    static PushScenario exact(PushScenario s)
    {
        s.fps = 0;
        s.options.jpeg = false;
        return s;
    }
};

std::string named(double rtt_ms, double mbit, double loss)
{
    return std::to_string(rtt_ms) + " ms, " + std::to_string(mbit) + " Mbit/s, loss " +
           std::to_string(loss);
}

} // namespace

TEST_CASE("whatever is lost, the picture is exact soon after a film has stopped", "[heavy]")
{
    for (double loss : {0.0, 0.01, 0.05, 0.1, 0.3})
        for (double mbit : {2.0, 8.0, 50.0})
            for (double rtt : {20.0, 100.0, 300.0})
                for (uint64_t seed : {1, 2}) {
                    PushScenario s = over(rtt, mbit, loss, seed);

                    s.moving = [](double t) { return t < 8; };
                    s.duplicated = 0.01;
                    PushSimulation m(s);
                    m.run(26);
                    INFO(named(rtt, mbit, loss)
                         << ", seed " << seed << ": exact after " << m.exact_since() - 8);
                    CHECK(m.wrong() == 0);
                    CHECK(m.exact_since() > 8.4);
                    // half a second, 390 kB and what of them is lost, and what is lost again and
                    // again
                    CHECK(m.exact_since() < 10.3 + 3.2 / mbit / (1 - loss) + rtt / 1000 * 8);
                }
}

TEST_CASE("the link is used whatever is lost of it", "[heavy]")
{
    for (double loss : {0.0, 0.01, 0.05, 0.1, 0.3})
        for (double mbit : {2.0, 8.0, 50.0})
            for (double rtt : {20.0, 100.0, 300.0})
                for (uint64_t seed : {1, 2}) {
                    Bulk m(over(rtt, mbit, loss, seed));
                    m.run(6);
                    PushFigures f = m.run(10);

                    INFO(named(rtt, mbit, loss) << ", seed " << seed);
                    CHECK(f.used / (1 - loss) > 0.75);
                    CHECK(f.queue_ms < 80);
                    CHECK(f.lost < loss + 0.04);
                }
}

TEST_CASE("a film over datagrams has most of the path", "[heavy]")
{
    for (double loss : {0.0, 0.01, 0.05, 0.1, 0.3})
        for (double mbit : {2.0, 8.0})
            for (double rtt : {20.0, 100.0, 300.0}) {
                PushSimulation m(over(rtt, mbit, loss));
                m.run(6);
                PushFigures f = m.run(20);

                INFO(named(rtt, mbit, loss));
                CHECK(f.used / (1 - loss) > 0.3);
                CHECK(f.queue_ms < 80);
                if (loss <= 0 && mbit > 4)
                    CHECK(f.whole_fps >= 29);
            }
}

TEST_CASE("what was typed comes within a round trip, or two if it was lost")
{
    for (double mbit : {2.0, 8.0, 50.0})
        for (double rtt : {20.0, 100.0, 300.0}) {
            PushScenario s = over(rtt, mbit, 0.05);

            s.fps = 0;
            PushSimulation m(s);
            m.run(8);
            PushFigures f = m.run(40, 0.21);

            INFO(named(rtt, mbit, 0.05) << ": " << f.response_ms << ", " << f.response_most_ms);
            CHECK(f.response_ms < rtt + 12); // 5 of them are the server's
            CHECK(f.response_most_ms < 3 * rtt + 160);
        }
}

TEST_CASE("what comes in another order is not lost")
{
    PushScenario s = over(100, 8, 0);

    s.jitter_ms = 8; // an eighth of the round trip is 12
    Bulk m(s);
    m.run(6);
    PushFigures f = m.run(20);
    CHECK(f.lost < 0.01);
    CHECK(f.used > 0.8);
}

TEST_CASE("a policer that drops what is too much is found, and its rate is used", "[heavy]")
{
    for (double rtt : {20.0, 100.0, 300.0})
        for (uint64_t seed : {1, 2, 3}) {
            PushScenario s = over(rtt, 0, 0, seed);

            s.policer_mbit = 8;
            Bulk bulk(s);
            bulk.run(15);
            PushFigures f = bulk.run(15);
            PushSimulation film(s);
            film.run(15);

            INFO(rtt << " ms, seed " << seed << ": lost " << f.lost << ", used " << f.used);
            CHECK(f.lost < 0.15);
            CHECK(f.used > 0.8);
            CHECK(film.run(15).lost < 0.15);
        }
}

TEST_CASE("a queue that holds a few packets is no reason to send too much, or far too little")
{
    for (double rtt : {20.0, 100.0}) {
        PushScenario s = over(rtt, 8, 0);

        s.queue_ms = 6; // five packets
        Bulk m(s);
        m.run(15);
        PushFigures f = m.run(15);

        INFO(rtt << " ms: lost " << f.lost << ", used " << f.used);
        CHECK(f.lost < 0.15);
        CHECK(f.used > 0.7);
    }
}

TEST_CASE("frames of a film are whole though blocks are lost: parity makes them so", "[heavy]")
{
    struct {
        double mbit, loss, whole;
        int jpeg;
    } least[] = {{8, 0.05, 27, 15},  {8, 0.1, 25, 10},  {8, 0.3, 20, 10},
                 {50, 0.05, 27, 87}, {50, 0.1, 23, 32}, {50, 0.3, 23, 67}};

    for (auto l : least) {
        std::vector<PushFigures> runs;

        for (uint64_t seed = 201; seed <= 205; seed++) {
            PushSimulation m(over(100, l.mbit, l.loss, seed));
            m.run(6);
            PushFigures f = m.run(15);

            INFO(named(100, l.mbit, l.loss)
                 << ", seed " << seed << ": " << f.whole_fps << " whole, " << f.made << " made, "
                 << f.repeated << " parity, quality " << f.jpeg << ", queue " << f.queue_ms);
            CHECK(f.whole_fps > l.whole);
            CHECK(f.made > 0.3 * l.loss);
            CHECK(f.repeated < (l.loss > 0.2 ? 0.5 : 0.3));
            CHECK(f.impolite == 0);
            CHECK(f.queue_ms < 80);
            runs.push_back(f);
        }
        CHECK(median_of(runs).jpeg >= l.jpeg); // the quality of one moment
    }
}

TEST_CASE("a path that loses nothing, or hardly anything, is as fast and good as a stream",
          "[heavy]")
{
    for (double mbit : {2.0, 8.0, 50.0})
        for (double rtt : {20.0, 100.0, 300.0}) {
            PushScenario s = over(rtt, mbit, 0);

            s.datagrams = false;
            s.queue_ms = 0; // none is needed
            PushSimulation stream(s);
            stream.run(10);
            PushFigures as = stream.run(15);

            for (double loss : {0.0, 0.001}) {
                PushSimulation m(over(rtt, mbit, loss, 206));
                m.run(10);
                PushFigures f = m.run(15);

                INFO(named(rtt, mbit, loss));
                CHECK(f.jpeg >= as.jpeg);
                CHECK(f.mbit > 0.95 * as.mbit);
                CHECK(f.shown_fps > 0.95 * as.shown_fps);
                CHECK(f.queue_median_ms < as.queue_median_ms + 10);
                if (loss <= 0)
                    CHECK(f.repeated <= 0);
                CHECK(f.repeated < 0.1);
            }
        }
}

TEST_CASE("what is lost because it is too much is not made more by repeating", "[heavy]")
{
    for (double rtt : {20.0, 100.0, 300.0})
        for (double mbit : {6.0, 9.0, 13.0}) {
            PushScenario s = over(rtt, 0, 0);

            s.policer_mbit = mbit;
            PushSimulation policed(s);
            policed.run(15);
            PushFigures f = policed.run(15);

            INFO(rtt << " ms, " << mbit << " Mbit/s, policer: lost " << f.lost);
            CHECK(f.lost < 0.15);
        }
    for (double rtt : {20.0, 100.0})
        for (double mbit : {6.0, 9.0, 13.0}) {
            PushScenario s = over(rtt, mbit, 0);

            s.queue_ms = 6;
            PushSimulation m(s);
            m.run(15);
            PushFigures f = m.run(15);

            INFO(rtt << " ms, " << mbit << " Mbit/s, tiny queue: lost " << f.lost);
            CHECK(f.lost < 0.13);
        }
}

TEST_CASE("what is typed beside a film does not wait for what is repeated", "[heavy]")
{
    for (double mbit : {8.0, 50.0})
        for (double rtt : {20.0, 100.0, 300.0}) {
            PushSimulation m(over(rtt, mbit, 0.05, 207));
            m.run(8);
            PushFigures f = m.run(30, 0.21);

            INFO(named(rtt, mbit, 0.05) << ": " << f.response_ms << ", " << f.response_most_ms);
            CHECK(f.repeated > 0.06);
            CHECK(f.impolite == 0);
            CHECK(f.response_ms < rtt + 25); // 5 of them are the server's
        }
}

TEST_CASE("a loss that begins later, and is not the rate's, slows nothing for long")
{
    PushScenario s = over(100, 8, 0);
    Bulk m(s);

    m.run(8);
    m.set_loss(0.2);
    m.run(8);
    CHECK(m.run(10).used / 0.8 > 0.8);
}

TEST_CASE("figures of datagrams", "[.figures]")
{
    // shares are of what the link carries without its loss
    printf("  Mbit/s   ms loss | bulk: share queue  lost | film: share fps jpeg queue lost "
           "repeated | exact after\n");
    for (double mbit : {2.0, 8.0, 50.0})
        for (double rtt : {20.0, 100.0, 300.0})
            for (double loss : {0.0, 0.01, 0.05, 0.1, 0.3}) {
                Bulk bulk(over(rtt, mbit, loss));
                bulk.run(6);
                PushFigures b = bulk.run(20);
                PushScenario s = over(rtt, mbit, loss);
                s.moving = [](double t) { return t < 26; };
                PushSimulation film(s);
                film.run(6);
                PushFigures f = film.run(20);
                film.run(20);

                printf("%6.0f %6.0f %4.0f | %10.2f %6.1f %5.3f | %9.2f %5.1f %3d %6.1f %5.3f %5.2f "
                       "| %.2f\n",
                       mbit, rtt, loss * 100, b.used / (1 - loss), b.queue_ms, b.lost,
                       f.used / (1 - loss), f.whole_fps, f.jpeg, f.queue_ms, f.lost, f.repeated,
                       film.exact_since() - 26);
                fflush(stdout);
            }
    printf("  policer of 8 Mbit/s | bulk: share lost | film: share lost\n");
    for (double rtt : {20.0, 100.0, 300.0})
        for (double loss : {0.0, 0.1}) {
            PushScenario s = over(rtt, 0, loss);

            s.policer_mbit = 8;
            Bulk bulk(s);
            PushSimulation film(s);
            bulk.run(15);
            film.run(15);
            PushFigures b = bulk.run(15), f = film.run(15);
            printf("%9.0f ms %4.0f %% | %9.2f %5.3f | %9.2f %5.3f\n", rtt, loss * 100,
                   b.used / (1 - loss), b.lost, f.used / (1 - loss), f.lost);
        }
}

TEST_CASE("figures of a film over datagrams that are lost", "[.figures]")
{
    printf("  Mbit/s loss | jpeg whole lost insured\n");
    for (double mbit : {2.0, 8.0, 11.0, 20.0, 100.0})
        for (double loss : {0.0, 0.05, 0.1, 0.3}) {
            double jpeg = 0, whole = 0, lost = 0, repeated = 0;

            for (uint64_t seed : {201, 202, 203}) {
                PushSimulation m(over(100, mbit, loss, seed));
                m.run(6);
                for (int i = 0; i < 5; i++) {
                    PushFigures f = m.run(4);
                    jpeg += f.jpeg / 15.0, whole += f.whole_fps / 15, lost += f.lost / 15;
                    repeated += f.repeated / 15;
                }
            }
            printf("%8.0f %3.0f %% | %4.1f %5.1f %.3f %.2f\n", mbit, loss * 100, jpeg, whole, lost,
                   repeated);
            fflush(stdout);
        }
}
