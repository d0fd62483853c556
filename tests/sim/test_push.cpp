// What the far end's decisions achieve on whole paths, in virtual time. Each run is the same every
// time, so the bounds are close to what comes out.
#include "tests/catch.hpp"

#include "tests/sim/push_simulation.hpp"

namespace
{

PushScenario path(double rtt_ms, double mbit)
{
    PushScenario s;

    s.rtt_ms = rtt_ms;
    s.rate_mbit = mbit;
    return s;
}

PushScenario text(double rtt_ms, double mbit)
{
    PushScenario s = path(rtt_ms, mbit);

    s.fps = 0;
    return s;
}

PushScenario over_tcp(PushScenario s, double loss)
{
    s.tcp = true;
    s.queue_ms = 200;
    s.loss = loss;
    return s;
}

// As on real machines: kernels with a TCP in slow start, a viewer whose acknowledgements wait for
// its own, and programs that run late. `paced`: as BBR does it; without: as CUBIC.
PushScenario real(double rtt_ms, double mbit, bool paced)
{
    PushScenario s = path(rtt_ms, mbit);

    s.tcp = s.put_together = true;
    s.paced = paced;
    s.queue_ms = 1000;
    s.cpu_ms = 5;
    s.film_bytes = 50000; // tools/lab's film of 640x360
    return s;
}

// What is typical of a path: the median of five seeds, figure by figure, of each of these stages
// (s). One run is one course of events: blocks of a few bytes more or less lead to another one.
std::vector<PushFigures> typical(PushScenario s, const std::vector<double> &stages,
                                 double press_every)
{
    std::vector<std::vector<PushFigures>> of(stages.size());

    for (s.seed = 1; s.seed <= 5; s.seed++) {
        PushSimulation m(s);
        for (size_t i = 0; i < stages.size(); i++)
            of[i].push_back(m.run(stages[i], press_every));
    }
    std::vector<PushFigures> medians;
    for (const auto &runs : of)
        medians.push_back(median_of(runs));
    return medians;
}

// All of the screen changes all the time, and is sent exact: there is always something to send.
struct Bulk : PushSimulation {
    explicit Bulk(PushScenario s, bool greedy = false) : PushSimulation(exact(s))
    {
        for (int i = 0; i < 1000; i++)
            at(i * 0.1, [this, greedy] {
                draw(0, 0, 1024, 768, true);
                if (greedy) { // what TCP does when nothing holds it back
                    plan().flow.state = PUSH_STARTS;
                    plan().flow.seek.window = 3e6;
                }
            });
    }

    static PushScenario exact(PushScenario s)
    {
        s.fps = 0;
        s.options.jpeg = false;
        return s;
    }
};

std::string named(double rtt_ms, double mbit)
{
    return std::to_string(rtt_ms) + " ms, " + std::to_string(mbit) + " Mbit/s";
}

} // namespace

TEST_CASE("a film is whole at its own rate, however far away")
{
    for (double rtt : {0.5, 20.0, 100.0, 300.0, 500.0}) {
        PushSimulation m(path(rtt, 100));
        // TCP's own slow start needs three round trips for a frame of the least quality each 33 ms
        m.run(rtt > 300 ? 3 : 2);
        PushFigures f = m.run(10);

        INFO(named(rtt, 100));
        CHECK(f.whole_fps >= 29);
        CHECK(f.queue_ms < 10);
        CHECK(f.jpeg == 92);
    }
}

TEST_CASE("on a fast link the quality is at its top within a second or two")
{
    for (double rtt : {0.5, 20.0, 100.0}) {
        PushSimulation m(path(rtt, 100));

        INFO(named(rtt, 100));
        CHECK(m.run(rtt > 50 ? 2 : 1).jpeg == 92);
    }
}

TEST_CASE("where the path is narrow the quality gives way, not the motion")
{
    for (double rtt : {1.0, 20.0, 100.0, 300.0}) {
        PushSimulation m(path(rtt, 8));
        m.run(3);
        PushFigures f = m.run(20);

        INFO(named(rtt, 8));
        CHECK(f.whole_fps >= 29);
        CHECK(f.queue_ms < 20);
        CHECK(f.used < 0.8);
        CHECK(f.used > 0.45);
    }
}

TEST_CASE("a slow film has more of the path for a frame, and a fast one less")
{
    for (double fps : {5.0, 10.0, 24.0, 60.0}) {
        PushScenario s = path(50, 8);

        s.fps = fps;
        PushSimulation m(s);
        m.run(8);
        PushFigures f = m.run(20);

        INFO(fps);
        CHECK(f.whole_fps > 0.97 * fps);
        CHECK(f.jpeg >= (fps < 8 ? 79 : fps < 20 ? 49 : fps < 30 ? 22 : 10));
        CHECK(f.queue_ms < 30);
    }
    PushScenario s = path(50, 2);

    s.fps = 5;
    PushSimulation m(s);
    m.run(10);
    CHECK(m.run(10).jpeg >= 22);
}

TEST_CASE("a film that goes on after a rest is whole again within a second or two")
{
    for (double mbit : {8.0, 50.0})
        for (double rtt : {20.0, 100.0}) {
            PushScenario s = over_tcp(path(rtt, mbit), 0); // it forgets its window in a rest

            s.moving = [](double t) { return t < 10 || t > 20; };
            PushSimulation m(s);
            m.run(20);
            PushFigures first = m.run(1), second = m.run(1);

            INFO(named(rtt, mbit));
            // the quality comes back with the window, and then takes more of the path (level.h)
            CHECK(first.whole_fps >= (rtt > 50 ? 18 : 28));
            CHECK(first.queue_ms < 40);
            CHECK(second.whole_fps >= 29);
        }
}

TEST_CASE("where TCP below keeps its window, a film that goes on after a rest is whole at once")
{
    for (double mbit : {8.0, 50.0})
        for (double rtt : {20.0, 100.0, 300.0}) {
            PushScenario s = over_tcp(path(rtt, mbit), 0);

            s.paced = true;
            s.moving = [](double t) { return t < 10 || t > 20; };
            PushSimulation m(s);
            m.run(20);
            double newest = m.run(0.001).jpeg;
            PushFigures first = m.run(1);

            INFO(named(rtt, mbit));
            // those that began a round trip before the end, but for one on its way and one's phase
            CHECK(first.whole_fps >= 30 * (1 - rtt / 1000) - 2);
            CHECK(first.queue_ms < 40);
            CHECK(first.jpeg >= newest);
        }
}

TEST_CASE("below the lowest quality frames are fewer, but whole")
{
    // 13.6 kB a frame: 2 Mbit/s hold 18 of them, 1 Mbit/s 9, 0.5 Mbit/s 4.6
    for (double rtt : {20.0, 100.0, 300.0}) {
        PushFigures two = typical(path(rtt, 2), {4, 20}, 0)[1];
        PushFigures one = typical(path(rtt, 1), {6, 20}, 0)[1];

        INFO(named(rtt, 2));
        CHECK(two.whole_fps > 15);
        CHECK(two.queue_ms < 30);
        CHECK(two.used > 0.85);
        CHECK(two.jpeg == 10);
        CHECK(one.whole_fps > 7);
    }
}

TEST_CASE("the link is used when there is enough, and what waits in front of it is short",
          "[heavy]")
{
    for (double mbit : {0.5, 2.0, 8.0, 100.0})
        for (double rtt : {0.1, 20.0, 100.0, 300.0}) {
            Bulk m(path(rtt, mbit));
            m.run(rtt > 200 ? 12 : 6);
            PushFigures f = m.run(20);
            double packet_ms = 1200 * 8e-3 / mbit; // at 0.5 Mbit/s two of them are 38 ms

            INFO(named(rtt, mbit));
            CHECK(f.used > 0.9);
            CHECK(f.queue_ms < 14 + 2 * packet_ms + (mbit < 1 ? 30 : 0) + (rtt > 200 ? 20 : 0));
        }
}

TEST_CASE("on a local network the flow is never the limit")
{
    Bulk m(path(0.1, 1000));
    m.run(2);
    // 1.3 MB ten times a second; each leaves in little more than the 10 ms that the link takes
    PushFigures f = m.run(5);

    CHECK(f.shown_fps >= 9.9);
    CHECK(m.plan().cells.changed == 0);
    CHECK(f.rate_mbit > 950); // as delivered: a block has 40 bytes of heads
}

TEST_CASE("what was typed comes at once, also while a film plays")
{
    for (double rtt : {20.0, 100.0, 300.0}) {
        for (double mbit : {0.1, 1.0, 8.0}) {
            PushSimulation m(text(rtt, mbit));
            m.run(4);
            PushFigures f = m.run(20, 0.21);

            INFO(named(rtt, mbit));
            CHECK(f.response_most_ms < rtt + 12); // 5 of them are the server's
        }
        for (double mbit : {8.0, 100.0}) {
            PushSimulation m(path(rtt, mbit));
            m.run(4);
            PushFigures f = m.run(20, 0.21);

            INFO(named(rtt, mbit));
            // a frame takes up to nine tenths of the path, so most keys meet one on its way
            CHECK(f.response_ms < rtt + 12);
            CHECK(f.response_most_ms < rtt + 20);
            CHECK(f.whole_fps >= 29);
        }
        // the path is full, and the film is torn for a key's sake now and then
        PushSimulation m(path(rtt, 2));
        m.run(4);
        PushFigures f = m.run(20, 0.21);

        INFO(named(rtt, 2));
        // a full path: what is promised is a round trip and a frame
        CHECK(f.response_ms < rtt + 1000.0 / 30);
        CHECK(f.response_most_ms < rtt + 65);
        CHECK(f.whole_fps > 12);
    }
}

TEST_CASE("text that scrolls is copied, and only its new lines are sent")
{
    for (double mbit : {1.0, 8.0}) {
        PushSimulation m(text(50, mbit));

        for (int i = 0; i < 100; i++)
            m.at(3 + i * 0.05, [&] { m.scroll(0, 0, 1024, 768, 16); });
        m.run(3);
        uint64_t before = m.bytes_sent();
        PushFigures f = m.run(6);
        CHECK(f.shown_fps * 6 >= 99);
        CHECK(f.queue_ms < 8);
        CHECK(m.wrong() == 0);
        CHECK(m.bytes_sent() - before < 100 * 1000);
    }
}

TEST_CASE("what stands still is exact soon")
{
    // half a second, a round trip, and the time of 390 kB
    for (double rtt : {20.0, 100.0, 300.0})
        for (double mbit : {2.0, 8.0, 100.0}) {
            PushScenario s = path(rtt, mbit);

            s.moving = [](double t) { return t < 6; };
            PushSimulation m(s);
            m.run(15);
            INFO(named(rtt, mbit));
            CHECK(m.wrong() == 0);
            CHECK(m.exact_since() > 6.4);
            CHECK(m.exact_since() < 6.75 + 2 * rtt / 1000 + 3.2 / mbit);
        }
}

TEST_CASE("refinement waits for what moves elsewhere, and does not disturb it")
{
    PushSimulation m(path(50, 8));

    m.run(3);
    m.draw(820, 100, 192, 500, true); // a photograph beside the film
    PushFigures f = m.run(6);
    CHECK(f.whole_fps >= 28.5);
    m.run(4);
    unsigned film = 40 * 24; // its cells, some of them only touched by it
    CHECK(m.blurred() <= film);
}

TEST_CASE("a rate that drops is followed within a second, and found again when it rises")
{
    for (double rtt : {20.0, 100.0}) {
        PushSimulation m(path(rtt, 20));
        m.run(6);
        m.set_rate(5);
        m.run(1);
        PushFigures f = m.run(3);

        INFO(named(rtt, 5));
        CHECK(f.whole_fps >= 29);
        CHECK(f.queue_ms < 25);
        m.set_rate(20);
        m.run(3);
        f = m.run(3);
        CHECK(f.whole_fps >= 29);
        CHECK(f.mbit > 10);

        Bulk b(path(rtt, 20));
        b.run(6);
        b.set_rate(5);
        b.run(1);
        CHECK(b.run(3).queue_ms < 25);
        b.set_rate(20);
        b.run(1.5);
        CHECK(b.run(3).used > 0.9);
    }
    // what is on its way when the rate drops takes two seconds alone
    Bulk far(path(500, 20));
    far.run(15);
    far.set_rate(5);
    far.run(4);
    CHECK(far.run(3).queue_ms < 60);
    far.set_rate(20);
    far.run(6);
    CHECK(far.run(3).used > 0.7);
}

TEST_CASE("a small film gives way as a large one does, and is better again when the rate rises")
{
    // more than twice what the path carries, then one or two packets a frame
    for (double rtt : {20.0, 100.0})
        for (auto [w, h, bytes] : {std::tuple(160, 128, 5000.0), std::tuple(320, 180, 14000.0)})
            for (bool tcp : {false, true}) {
                PushScenario small = tcp ? real(rtt, 0.5, false) : path(rtt, 0.5);

                small.film_w = w;
                small.film_h = h;
                small.film_bytes = bytes;
                PushSimulation m(small);
                m.run(3);
                PushFigures f = m.run(10);
                INFO(named(rtt, 0.5) << ", " << w << ", TCP below: " << tcp);
                CHECK(f.whole_fps >= 29);
                CHECK(f.queue_ms < 60); // 90 to 99 where the packets of a frame count as its rate
                CHECK(f.jpeg < 79);
                m.set_rate(20);
                CHECK(m.run(10).jpeg > f.jpeg);
                CHECK(m.run(20).jpeg >= 79);
            }
}

TEST_CASE("jitter is no full path")
{
    for (double rtt : {20.0, 100.0})
        for (double jitter : {5.0, 20.0}) {
            PushScenario s = path(rtt, 8);

            s.jitter_ms = jitter;
            PushSimulation m(s);
            m.run(5);
            PushFigures f = m.run(20);

            INFO(named(rtt, 8) << ", jitter " << jitter);
            CHECK(f.whole_fps >= 28.5);
            // small blocks leave by the packet, which is 1.2 ms of this path
            CHECK(f.queue_ms < jitter + 10 + 1.2);
        }
}

TEST_CASE("when TCP below loses packets, most of what it carries is used")
{
    for (double mbit : {2.0, 8.0, 50.0})
        for (double rtt : {20.0, 100.0})
            for (double loss : {0.001, 0.01}) {
                Bulk ours(over_tcp(path(rtt, mbit), loss));
                Bulk greedy(over_tcp(path(rtt, mbit), loss), true);
                ours.run(3);
                greedy.run(3);
                PushFigures f = ours.run(40);

                INFO(named(rtt, mbit) << ", loss " << loss);
                CHECK(f.mbit > 0.6 * greedy.run(40).mbit);
                CHECK(f.queue_ms < 2 * rtt + 40);
            }
}

TEST_CASE("a film over a TCP that loses nothing is as good as over a plain pipe")
{
    for (double rtt : {20.0, 100.0}) {
        PushSimulation m(over_tcp(path(rtt, 8), 0));
        m.run(3);
        CHECK(m.run(10).whole_fps >= 29);
    }
}

TEST_CASE("the user's limits hold")
{
    PushScenario s = path(50, 100);

    s.options.most_rate = 1e6;
    PushSimulation slow(s);
    slow.run(3);
    PushFigures f = slow.run(10);
    CHECK(f.mbit < 8);
    CHECK(f.whole_fps >= 29);

    s = path(50, 100);
    s.options.most_fps = 12;
    PushSimulation few(s);
    few.run(3);
    f = few.run(10);
    CHECK(f.whole_fps > 11.5);
    CHECK(f.whole_fps <= 12.1);
}

TEST_CASE("a window that was hidden shows the newest picture at once")
{
    PushSimulation m(path(100, 8));

    m.run(4);
    m.at(4, [&] { push_plan_hide(&m.plan(), true, 1000 * TICK_S + 4 * TICK_S); });
    m.run(1);
    PushFigures hidden = m.run(5);
    CHECK(hidden.mbit == 0);
    m.at(10, [&] { push_plan_hide(&m.plan(), false, 1000 * TICK_S + 10 * TICK_S); });
    CHECK(m.run(1).whole_fps > 24);
}

TEST_CASE("programs that run late and a TCP in slow start are no full path", "[heavy]")
{
    for (bool paced : {true, false})
        for (double rtt : {20.0, 100.0, 300.0, 500.0}) {
            auto runs = typical(real(rtt, 100, paced), {2, 2, 10}, 0.21);
            const PushFigures &first = runs[0], &then = runs[1], &rest = runs[2];

            INFO(named(rtt, 100) << (paced ? ", paced" : ""));
            // the first 14 kB take BBR a third of a round trip, and then TCP's window doubles
            CHECK(first.response_most_ms < 1.6 * rtt + 60);
            CHECK(then.whole_fps >= 27);
            CHECK(then.jpeg >= (rtt > 400 ? 32 : 67));
            CHECK(rest.whole_fps >= 29);
            CHECK(rest.jpeg == 92);
            CHECK(rest.queue_ms < 10);
            CHECK(rest.response_ms < rtt + 15);
            CHECK(rest.response_most_ms < rtt + 70); // a stall of 50 ms is the machine's
        }
}

TEST_CASE("real paths that are slow have a short queue, and most of them is used", "[heavy]")
{
    for (bool paced : {true, false})
        for (double mbit : {8.0, 2.0})
            for (double rtt : {20.0, 100.0, 300.0, 500.0}) {
                auto runs = typical(real(rtt, mbit, paced), {2, 2, 10}, 0.21);
                const PushFigures &first = runs[0], &then = runs[1], &rest = runs[2];

                INFO(named(rtt, mbit) << (paced ? ", paced" : ""));
                CHECK(first.response_most_ms < 1.6 * rtt + 90);
                // the rate may be passed while it is sought, for two round trips
                CHECK(then.queue_ms < (rtt > 200 ? 50 : 30));
                CHECK(rest.whole_fps >= 29);
                CHECK(rest.queue_ms < 26);
                CHECK(rest.used > 0.5);
                CHECK(rest.response_ms < rtt + 20);
                CHECK(rest.response_most_ms < rtt + 90);
                CHECK(rest.jpeg >= (mbit > 4 ? 67 : 10));
            }
}

TEST_CASE("figures of real paths", "[.figures]")
{
    printf(
        "   path            tcp   | until 2 s: most | 2 to 4 s: fps jpeg queue | then: fps jpeg  "
        "queue most  used   rate Mbit/s\n");
    for (double mbit : {100.0, 8.0, 2.0})
        for (double rtt : {20.0, 100.0, 300.0, 500.0})
            for (bool paced : {true, false}) {
                PushSimulation m(real(rtt, mbit, paced));
                PushFigures a = m.run(2, 0.21), b = m.run(2, 0.21), c = m.run(10, 0.21);

                printf("%4.0f Mbit/s %4.0f ms %5s  |  %8.0f       |       %6.1f %3d %6.1f  | %8.1f "
                       "%4d %6.1f %5.0f %5.2f %7.1f\n",
                       mbit, rtt, paced ? "paced" : "reno", a.response_most_ms, b.whole_fps, b.jpeg,
                       b.queue_ms, c.whole_fps, c.jpeg, c.queue_ms, c.response_most_ms, c.used,
                       c.rate_mbit);
            }
}

TEST_CASE("who connects again gets what has changed, and the rest for a round trip of the start")
{
    for (double rtt : {50.0, 100.0, 300.0})
        for (bool tcp : {false, true}) {
            PushScenario s = tcp ? over_tcp(text(rtt, 2), 0) : text(rtt, 2);
            s.photo = s.put_together = true; // what is said of the tiles leaves in one write
            PushSimulation anew(s);
            s.had = [](int, int) { return true; };
            PushSimulation still(s);
            // a window of 300x200 has another content
            s.had = [](int column, int row) {
                return column < 10 || column > 28 || row < 10 || row > 22;
            };
            PushSimulation other(s);
            for (PushSimulation *m : {&anew, &still, &other})
                m->run(20);

            INFO(named(rtt, 2) << (tcp ? ", TCP" : ""));
            INFO(anew.bytes_sent()
                 << " bytes, exact after " << anew.exact_since() << " s; still "
                 << still.bytes_sent() << ", " << still.exact_since() << "; another window "
                 << other.bytes_sent() << ", " << other.exact_since());
            CHECK(anew.bytes_sent() > 1200000);
            CHECK(anew.exact_since() > 5);
            CHECK(still.bytes_sent() < 30000);
            CHECK(still.exact_since() > 0);
            CHECK(still.exact_since() < 2.5 * rtt / 1000);
            CHECK(other.bytes_sent() < 250000);
            CHECK(other.exact_since() > 0);
            // pictures leave with loss first, in few bytes: TCP's window has hardly grown then
            CHECK(other.exact_since() < 2 + 5 * rtt / 1000);
        }
}

TEST_CASE("a large screen that has not changed is exact after two round trips and less than 64 KB")
{
    for (double rtt : {50.0, 100.0, 300.0})
        for (double mbit : {2.0, 8.0, 100.0})
            for (bool tcp : {false, true}) {
                PushScenario s = tcp ? over_tcp(text(rtt, mbit), 0) : text(rtt, mbit);
                s.width = 1920;
                s.height = 1080;
                s.photo = s.put_together = true;
                s.had = [](int, int) { return true; };
                PushSimulation m(s);
                m.run(5);

                const int up = 26 + 4 * 60 * 34 + 4 * 9; // digests
                INFO(named(rtt, mbit) << (tcp ? ", TCP" : ""));
                INFO(m.bytes_sent() << " bytes, exact after " << m.exact_since() << " s");
                CHECK(m.bytes_sent() + up < 64000);
                CHECK(m.exact_since() > 0);
                CHECK(m.exact_since() < 2 * rtt / 1000 + up * 8 / mbit / 1e6);
            }
}

TEST_CASE("with digests a film plays as without, and what it shows is right")
{
    PushScenario s = path(100, 8);
    s.photo = true;
    s.had = [](int column, int) { return column % 3 != 0; };
    PushSimulation m(s);
    m.run(3);
    PushFigures f = m.run(10);
    CHECK(f.whole_fps >= 28);
    CHECK(m.wrong() < 1000); // the film's frame that is on its way
}
