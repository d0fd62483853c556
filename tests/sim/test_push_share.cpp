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
    double quiet_after; // s from its end until the queue is quiet; 9: it is not
    PushFigures after;  // 5 s from the fourth second after its end
};

// The later one begins after 5 s, and it is looked at 15 s later.
Shared share(const PushScenario &s, bool download_first)
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
    m.run(15);
    r.beside = m.run(60);
    m.stop_other();
    r.quiet_after = 9;
    for (int i = 0; i < 16; i++)
        if (m.run(0.25).queue_ms > 30)
            r.quiet_after = 9;
        else if (r.quiet_after > 8)
            r.quiet_after = i * 0.25;
    r.after = m.run(5);
    return r;
}

} // namespace

TEST_CASE("figures beside a download", "[.share]")
{
    printf("beside a download: share of ours (of both), queue p95, lost; quiet after, used then\n");
    for (double queue : {50.0, 250.0})
        for (double mbit : {2.0, 8.0, 20.0})
            for (double rtt : {40.0, 100.0})
                for (bool first : {false, true}) {
                    Shared r = share(link(mbit, rtt, queue), first);

                    printf("%4.0f ms queue %3.0f Mbit/s %4.0f ms, %s first: %3.0f %% (%3.0f %%) "
                           "%4.0f ms %5.3f; %4.2f s %3.0f %%\n",
                           queue, mbit, rtt, first ? "download" : "ours    ",
                           100 * r.beside.used / (r.beside.used + r.beside.other),
                           100 * (r.beside.used + r.beside.other), r.beside.queue_ms, r.beside.lost,
                           r.quiet_after, 100 * r.after.used);
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

TEST_CASE("trace", "[.trace]")
{
    const char *e = getenv("TRACE");
    double mbit = 8, rtt = 40, queue = 250;
    int first = 1;
    sscanf(e, "%lf,%lf,%lf,%d", &mbit, &rtt, &queue, &first);
    Saturated m(link(mbit, rtt, queue), 110);
    if (first == 1) {
        m.hold(5);
        m.start_other();
        m.run(5);
    } else {
        m.run(5);
        if (first == 0)
            m.start_other();
    }
    for (int i = 0; i < 340; i++) {
        if (i == 300)
            m.stop_other();
        PushFigures f = m.run(0.25);
        const push_flow &w = m.plan().flow;
        printf("%5.1f used %3.0f other %3.0f queue %5.1f | state %d on %d rate %5.0f window %6.0f base %3.0f jit "
               "%4.1f known %5.0f most %3.0f rtt %3.0f reached %6.0f hold %u lim %d loss %.3f\n",
               m.now_s(), 100 * f.used, 100 * f.other, f.queue_ms, w.state, w.competitor.on,
               w.rate / 125, push_flow_window(&w, 0), w.round_trip.smallest / 1e6, w.jitter / 1e6,
               w.competitor.known / 125, w.competitor.most / 1e6, w.competitor.rtt / 1e6,
               w.competitor.reached, w.loss.hold, w.round.limited, f.lost);
    }
}
