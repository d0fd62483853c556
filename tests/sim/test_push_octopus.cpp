// Octopus's rules on whole paths, in virtual time, and what the paper says of them.
#include "tests/catch.hpp"

#include "tests/sim/push_simulation.hpp"

namespace
{

PushScenario octopus(double rtt_ms, double mbit, double loss, double update_ms)
{
    PushScenario s;

    s.datagrams = s.octopus = true;
    s.update_ms = update_ms;
    s.rtt_ms = rtt_ms;
    s.rate_mbit = mbit;
    s.loss = loss;
    s.queue_ms = 300;
    s.fps = 24;
    s.film_w = 320, s.film_h = 192; // 20x12 cells
    s.film_bytes = 40000;
    return s;
}

} // namespace

TEST_CASE("Octopus: what was lost comes, whatever is lost")
{
    for (double loss : {0.0, 0.05, 0.1, 0.3})
        for (double rtt : {1.0, 100.0, 500.0}) {
            PushScenario s = octopus(rtt, 11, loss, 50);

            s.moving = [](double t) { return t < 8; };
            PushSimulation m(s);
            m.run(16);
            INFO(rtt << " ms, loss " << loss);
            CHECK(m.wrong() == 0);
        }
}

TEST_CASE("Octopus: frames come at the same rate at each round trip (figure 2)")
{
    for (double rtt : {1.0, 50.0, 200.0, 500.0}) {
        PushSimulation m(octopus(rtt, 11, 0, 50));

        m.run(6);
        PushFigures f = m.run(10);
        INFO(rtt << " ms");
        CHECK(f.whole_fps > 18);
        CHECK(f.whole_fps < 20.5); // U is 50 ms
    }
}

TEST_CASE("Octopus: a key is answered within 0.2 s whatever is lost (figure 5)")
{
    for (double loss : {0.0, 0.1, 0.3}) {
        PushScenario s = octopus(1, 11, loss, 50);

        s.fps = 0;
        PushSimulation m(s);
        m.run(4);
        PushFigures f = m.run(20, 0.173);
        INFO("loss " << loss << ": " << f.response_ms);
        CHECK(f.response_ms < 200);
        CHECK(f.repeated <= 0);
    }
}

TEST_CASE("Octopus: bandwidth, sending rate and quality of table 1")
{
    for (double mbit : {0.5, 1.0, 5.0, 10.0}) {
        PushSimulation m(octopus(1, mbit, 0, 0));
        const push_octopus &o = m.datagrams().octopus;

        m.run(40);
        INFO(mbit << ": " << o.bandwidth * 8e-6 << ", " << o.rate * 8e-6 << ", " << o.fps << ", "
                  << o.level);
        // the paper's mean error is 15 %
        CHECK(o.bandwidth * 8e-6 == Approx(mbit).epsilon(0.2));
        CHECK(o.rate < 1.3 * o.bandwidth);
        if (mbit >= 5) {
            CHECK(o.fps == 24);
            CHECK(o.level == 7);
        } else {
            CHECK(o.fps < 24);
            CHECK(o.level < 7);
        }
    }
}
