// How blocks share a link with a download (cubic.hpp), and how much of a link they have alone, in
// virtual time. There is always something to send. Each run is the same every time, so the bounds
// are close to what comes out. `test-sim-push "[.share]"` prints the tables of docs/push.md.
#include "tests/catch.hpp"

#include "tests/sim/push_simulation.hpp"

namespace
{

// All of the screen changes all the time, and is sent exact.
struct Saturated : PushSimulation {
    explicit Saturated(PushScenario s, double seconds = 120) : PushSimulation(exact(s))
    {
        for (int i = 0; i < int(seconds * 10); i++)
            at(i * 0.1, [this] { draw(0, 0, 1024, 768, true); });
    }

    static PushScenario exact(PushScenario s)
    {
        s.fps = 0;
        s.options.jpeg = false;
        return s;
    }
};

PushScenario link(double mbit, double rtt_ms, double queue_ms, double loss = 0)
{
    PushScenario s;

    s.datagrams = true;
    s.rate_mbit = mbit;
    s.rtt_ms = rtt_ms;
    s.queue_ms = queue_ms;
    s.loss = loss;
    return s;
}

struct Shared {
    PushFigures beside; // the download, 60 s
    PushFigures soon;   // two seconds, from the second one after its end
    PushFigures after;  // and five seconds after that
};

// The later one begins after 5 s, and it is looked at `settles` s later.
Shared share(const PushScenario &s, bool download_first, double settles)
{
    Saturated m(s, 110);
    Shared r{};

    if (download_first) {
        // nothing of ours leaves before
        m.hold(5);
        m.start_other();
        m.run(5);
    } else {
        m.run(5);
        m.start_other();
    }
    m.run(settles);
    r.beside = m.run(60);
    m.stop_other();
    m.run(2);
    r.soon = m.run(2);
    r.after = m.run(5);
    return r;
}

// When the download ends matters for what follows: so the median of five ends, figure by figure.
Shared typical(const PushScenario &s, bool download_first)
{
    std::vector<PushFigures> beside, soon, after;

    for (double settles : {15.0, 16.0, 17.0, 18.0, 19.0}) {
        Shared r = share(s, download_first, settles);
        beside.push_back(r.beside);
        soon.push_back(r.soon);
        after.push_back(r.after);
    }
    return {median_of(beside), median_of(soon), median_of(after)};
}

} // namespace

TEST_CASE("beside a download both have their share, and when it ends the queue is short again",
          "[heavy]")
{
    for (double queue : {50.0, 250.0})
        for (double mbit : {2.0, 8.0, 20.0})
            for (double rtt : {40.0, 100.0})
                for (bool first : {false, true}) {
                    Shared r = typical(link(mbit, rtt, queue), first);

                    INFO(queue << " ms of queue, " << mbit << " Mbit/s, " << rtt << " ms, "
                               << (first ? "download" : "ours") << " first: " << r.beside.used
                               << ", " << r.beside.other << "; then " << r.soon.queue_median_ms
                               << " ms, " << r.after.used);
                    CHECK(r.beside.used > 0.2);
                    CHECK(r.beside.used < 0.75);
                    CHECK(r.beside.used + r.beside.other > 0.97);
                    CHECK(r.soon.queue_median_ms < 25);
                    CHECK(r.after.used > 0.6);
                    CHECK(r.after.queue_median_ms < 25);
                }
}

TEST_CASE("a film beside a download keeps its frames, and is as good as its share allows",
          "[heavy]")
{
    for (double mbit : {8.0, 20.0}) {
        PushScenario s = link(mbit, 100, 250);
        s.film_w = 960;
        s.film_h = 540;
        s.film_bytes = 100000;
        s.h264_bytes = 1700;
        PushSimulation m(s);
        m.run(6);
        m.start_other();
        m.run(15);
        PushFigures f = m.run(30);

        INFO(mbit << " Mbit/s");
        CHECK(f.whole_fps > 24);
        CHECK(f.used > 0.28);
        CHECK(f.used < 0.6);
    }
}

TEST_CASE("alone the link is used whatever is lost of it, and the queue is short", "[heavy]")
{
    struct {
        double mbit, loss, used, queue_ms;
    } goals[] = {{0.5, 0, 0.8, 75}, {0.5, 0.05, 0.75, 75}, {0.5, 0.1, 0.7, 80}, {0.5, 0.3, 0.6, 85},
                 {2, 0, 0.9, 32},   {2, 0.05, 0.88, 45},   {2, 0.1, 0.8, 45},   {2, 0.3, 0.6, 70},
                 {8, 0, 0.9, 50},   {8, 0.05, 0.88, 55},   {8, 0.1, 0.8, 58},   {8, 0.3, 0.6, 62}};

    for (auto g : goals)
        for (double rtt : {20.0, 100.0, 300.0}) {
            Saturated m(link(g.mbit, rtt, 250, g.loss));
            m.run(15);
            PushFigures f = m.run(30);

            INFO(g.mbit << " Mbit/s, " << rtt << " ms, loss " << g.loss);
            CHECK(f.used / (1 - g.loss) > g.used);
            CHECK(f.queue_ms < g.queue_ms);
            if (g.loss <= 0 && g.mbit > 1 && rtt < 200)
                CHECK(f.queue_ms < 26);
            CHECK_FALSE(m.plan().flow.competitor.on);
        }
}

TEST_CASE("a link that becomes slower is no competitor")
{
    for (double rtt : {20.0, 100.0, 300.0}) {
        Saturated m(link(20, rtt, 400), 20);
        m.run(10);
        m.set_rate(5);
        m.run(rtt < 200 ? 1 : 1.75); // no sooner is the full queue's round trip over
        PushFigures f = m.run(2);

        INFO(rtt << " ms");
        CHECK(f.queue_ms < 45);
        CHECK(f.queue_median_ms < 25);
        CHECK(f.used > 0.8);
    }
}

TEST_CASE("a route that becomes longer is no competitor for long")
{
    for (double mbit : {2.0, 8.0, 20.0}) {
        Saturated m(link(mbit, 40, 250), 60);
        m.run(10);
        m.set_round_trip(140);
        m.run(12);
        PushFigures f = m.run(8);

        INFO(mbit << " Mbit/s");
        CHECK(f.used > 0.9);
        CHECK(f.queue_ms < 45);
        CHECK_FALSE(m.plan().flow.competitor.on);
    }
}

TEST_CASE("figures beside a download", "[.share]")
{
    printf("share of ours, of both, queue p95 | then: queue median and p95, used\n");
    for (double queue : {50.0, 250.0})
        for (double mbit : {2.0, 8.0, 20.0})
            for (double rtt : {40.0, 100.0})
                for (bool first : {false, true}) {
                    Shared r = typical(link(mbit, rtt, queue), first);

                    printf("%4.0f ms queue %3.0f Mbit/s %4.0f ms, %s first: %3.0f %% %4.0f %% "
                           "%4.0f ms | %3.0f ms %3.0f ms %3.0f %%\n",
                           queue, mbit, rtt, first ? "download" : "ours    ", 100 * r.beside.used,
                           100 * (r.beside.used + r.beside.other), r.beside.queue_ms,
                           r.soon.queue_median_ms, r.soon.queue_ms, 100 * r.after.used);
                    fflush(stdout);
                }
}

TEST_CASE("figures alone", "[.share]")
{
    printf("alone: share of link x (1 - loss), queue p95\n");
    for (double mbit : {0.5, 2.0, 8.0})
        for (double rtt : {20.0, 100.0, 300.0}) {
            PushScenario tcp = link(mbit, rtt, 0);
            tcp.datagrams = false;
            Saturated stream(tcp);
            stream.run(15);
            PushFigures t = stream.run(30);
            printf("%4.1f Mbit/s %4.0f ms: stream %3.0f %% %4.1f ms |", mbit, rtt, 100 * t.used,
                   t.queue_ms);
            for (double loss : {0.0, 0.05, 0.1, 0.3}) {
                Saturated m(link(mbit, rtt, 250, loss));
                m.run(15);
                PushFigures f = m.run(30);
                printf(" %2.0f %%: %3.0f %% %4.1f ms %5.3f |", 100 * loss,
                       100 * f.used / (1 - loss), f.queue_ms, f.lost);
            }
            printf("\n");
            fflush(stdout);
        }
}

TEST_CASE("figures of a drop from 20 to 5 Mbit/s", "[.share]")
{
    for (double rtt : {20.0, 100.0, 300.0})
        for (bool datagrams : {false, true}) {
            PushScenario s = link(20, rtt, datagrams ? 400 : 0);
            s.datagrams = datagrams;
            Saturated m(s, 20);
            m.run(10);
            m.set_rate(5);
            printf("%s %4.0f ms:", datagrams ? "datagrams" : "stream   ", rtt);
            for (int i = 0; i < 12; i++) {
                PushFigures f = m.run(0.25);
                printf(" %4.2f s %3.0f ms %3.0f %% |", 0.25 * (i + 1), f.queue_ms, 100 * f.used);
            }
            printf("\n");
        }
}

TEST_CASE("figures of a route that becomes longer", "[.share]")
{
    for (double mbit : {2.0, 8.0, 20.0}) {
        Saturated m(link(mbit, 40, 250), 60);
        m.run(10);
        m.set_round_trip(140);
        printf("%3.0f Mbit/s:", mbit);
        for (int i = 0; i < 20; i++) {
            PushFigures f = m.run(1);
            printf(" %3.0f ms %3.0f %% |", f.queue_ms, 100 * f.used);
        }
        printf("\n");
    }
}
