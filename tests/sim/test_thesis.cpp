// The shape of the VNC-HL thesis's results, and what `auto` adds, in virtual time.
#include "tests/catch.hpp"

#include <random>

#include "tests/seed.hpp"
#include "tests/sim/simulation.hpp"

namespace
{

// The thesis's video: 20 fps at best (table 4.2, 0 ms).
Figures thesis(prp_policy policy, double prp_ms, double rtt_ms, double seconds = 20)
{
    Scenario s;

    s.policy = policy;
    s.prp_ms = prp_ms;
    s.rtt_ms = rtt_ms;
    Simulation sim(s);
    sim.run(3 * rtt_ms / 1000 + 5);
    return sim.run(seconds);
}

} // namespace

TEST_CASE("plain VNC shows one update a round trip")
{
    CHECK(thesis(PRP_OFF, 0, 500).fps == Approx(2).margin(0.15));
    CHECK(thesis(PRP_OFF, 0, 1000).fps == Approx(1).margin(0.1));
    for (double rtt : {100.0, 150.0, 300.0, 500.0, 1000.0})
        CHECK(thesis(PRP_OFF, 0, rtt).fps <= 1000 / rtt + 0.1);
}

TEST_CASE("a PRP of 50 ms keeps the frame rate at any distance")
{
    double near = thesis(PRP_FIXED, 50, 0).fps;

    for (double rtt : {50.0, 150.0, 500.0, 1000.0}) {
        INFO(rtt << " ms");
        CHECK(thesis(PRP_FIXED, 50, rtt).fps >= 15);
        CHECK(thesis(PRP_FIXED, 50, rtt).fps >= 0.9 * near);
    }
}

TEST_CASE("from 500 ms on pre-requesting is an order of magnitude faster")
{
    CHECK(thesis(PRP_FIXED, 40, 500).fps / thesis(PRP_OFF, 0, 500).fps > 9);
    CHECK(thesis(PRP_FIXED, 40, 1000).fps / thesis(PRP_OFF, 0, 1000).fps > 15);
}

TEST_CASE("a PRP longer than the round trip is plain VNC")
{
    CHECK(thesis(PRP_FIXED, 500, 150).fps == Approx(thesis(PRP_OFF, 0, 150).fps).epsilon(0.05));
}

TEST_CASE("a slower PRP asks less and shows less")
{
    double last = 100;

    for (double prp : {20.0, 50.0, 150.0, 500.0}) {
        Figures f = thesis(PRP_FIXED, prp, 1000);
        CHECK(f.fps <= last);
        last = f.fps + 0.1;
    }
}

TEST_CASE("to the letter of the thesis: the same frame rate where the socket has room")
{
    for (double rtt : {50.0, 150.0, 500.0, 1000.0}) {
        INFO(rtt << " ms");
        CHECK(thesis(PRP_THESIS, 50, rtt).fps ==
              Approx(thesis(PRP_FIXED, 50, rtt).fps).epsilon(0.05));
    }
}

TEST_CASE("to the letter of the thesis: requests pile up in a full socket")
{
    auto first_trip = [](prp_policy policy) {
        Scenario s;

        s.policy = policy;
        s.prp_ms = 1;
        s.rtt_ms = 1000;
        s.tcp = true; // ten packets may be on their way at first
        return Simulation(s).run(0.9);
    };
    Figures guarded = first_trip(PRP_FIXED), letter = first_trip(PRP_THESIS);

    CHECK(guarded.skipped > 0);
    CHECK(guarded.requests < 100);
    CHECK(letter.skipped == 0);
    CHECK(letter.requests > 900); // one each millisecond
}

TEST_CASE("auto finds the content's rate at any distance, with few requests to spare")
{
    for (double fps : {10.0, 20.0, 24.0, 30.0, 60.0})
        for (double rtt : {1.0, 100.0, 300.0, 500.0, 1000.0}) {
            Scenario s;
            s.fps = fps;
            s.rtt_ms = rtt;
            Simulation sim(s);
            sim.run(10);
            Figures f = sim.run(10);
            INFO(fps << " fps at " << rtt << " ms: " << f.fps << " fps, " << f.per_update
                     << " requests per update, PRP " << sim.prp_ms());
            CHECK(f.fps >= 0.97 * fps);
            CHECK(f.per_update <= 1.6);
        }
}

TEST_CASE("auto asks slow content slowly")
{
    for (double fps : {1.0, 2.0, 3.0}) {
        Scenario s;
        s.fps = fps;
        Simulation sim(s);
        sim.run(15);
        Figures f = sim.run(20);
        INFO(fps << " fps, PRP " << sim.prp_ms());
        CHECK(f.fps >= 0.97 * fps);
        CHECK(f.requests <= 6.5); // five by the timer, one and more by updates
    }
}

TEST_CASE("auto stands jitter")
{
    for (double jitter : {5.0, 20.0}) {
        Scenario s;
        s.fps = 30;
        s.rtt_ms = 300;
        s.jitter_ms = jitter;
        Simulation sim(s);
        sim.run(10);
        Figures f = sim.run(20);
        INFO("jitter " << jitter << " ms: " << f.fps << " fps");
        CHECK(f.fps >= 0.9 * s.fps);
    }
}

TEST_CASE("a still screen costs four requests a second and wakes by itself")
{
    Scenario s;

    s.fps = 30;
    s.rtt_ms = 300;
    s.moving = [](double t) { return t < 5 || t >= 20; };
    Simulation sim(s);
    sim.run(10);
    Figures still = sim.run(10);
    CHECK(still.fps == 0);
    CHECK(still.requests <= 4.5);

    Figures first_second = sim.run(1);
    CHECK(first_second.first_ms <= s.rtt_ms / 2 + 1000 / s.fps + 5); // a request was waiting there
    CHECK(sim.run(3).fps >= 0.93 * s.fps);
}

TEST_CASE("input on a still screen is asked for at once")
{
    Scenario s;

    s.rtt_ms = 300;
    s.moving = [](double t) { return t < 1 || t >= 10.15; };
    Simulation sim(s);
    sim.run(10);
    sim.input();
    CHECK(sim.run(0.02).requests > 0);
    CHECK(sim.prp_ms() <= 40);
}

TEST_CASE("no policy starves, whatever the link and the content do")
{
    auto seed = one_seed();
    std::mt19937 random(seed);
    auto between = [&](double low, double high) {
        return low + (high - low) * double(random()) / double(random.max());
    };

    for (int round = 0; round < 120; round++) {
        Scenario s;
        s.policy = prp_policy(round % 3);
        s.prp_ms = between(1, 600);
        s.rtt_ms = between(0, 1000);
        s.rate_mbit = round % 2 ? between(2, 100) : 0;
        s.jitter_ms = between(0, 50);
        s.fps = between(2, 60);
        s.update_bytes = between(100, 30000);
        s.encode_ms = between(0, 30);
        s.decode_ms = between(0, 30);
        s.seed = random();
        double on = between(0.2, 5), period = on + between(0.2, 5);
        s.moving = [=](double t) { return std::fmod(t, period) < on; };
        Simulation sim(s);
        sim.run(20);
        Figures f = sim.run(30);
        INFO("seed " << seed << " round " << round << " policy " << s.policy << " RTT " << s.rtt_ms
                     << " rate " << s.rate_mbit);
        CHECK(f.fps > 0);
        CHECK(f.requests < 1100);
    }
}
