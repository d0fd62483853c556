// Whether blocks are lost because too much is sent, under a fake clock.
#include "tests/catch.hpp"

#include <random>

#include "prerequest/push/rate/loss.h"

namespace
{

// A sender that uses all of its rate over a path of 100 ms, which loses at random, and what is more
// than its own rate.
struct Path {
    push_loss l{};
    std::mt19937 random;
    tick_t now = 1000 * TICK_S;
    double carries, loss, rate; // bytes per second
    double credit = 0;
    uint32_t sequence = 0;
    unsigned changes = 0;

    Path(double c, double p, double r, unsigned seed = 1)
        : random(seed), carries(c), loss(p), rate(r)
    {
        push_loss_init(&l);
    }

    void round(unsigned blocks = 400)
    {
        for (unsigned i = 0; i < blocks; i++) {
            tick_t gap = tick_t(1000 / rate * 1e9);
            double become;

            push_loss_sent(&l, ++sequence, 1000, rate, false, 100 * TICK_MS, now);
            credit = std::min(credit + carries / rate, 10.0);
            if (credit < 1 || std::uniform_real_distribution<>(0, 1)(random) < loss)
                push_loss_lost(&l, sequence);
            if (credit >= 1)
                credit--;
            now += gap;
            if (push_loss_judge(&l, sequence, 100 * TICK_MS, &become, now)) {
                rate = become;
                changes++;
            }
        }
    }

    void rounds(unsigned n)
    {
        while (n-- > 0)
            round();
    }

    double grow(double most)
    {
        double growth = push_loss_growth(&l, most);

        if (growth > 0)
            push_loss_grown(&l, rate);
        rate *= 1 + growth;
        return growth;
    }
};

} // namespace

TEST_CASE("a growth that loses more is taken back, and the next one waits and is smaller")
{
    Path p(1e6, 0, 1e6);

    p.rounds(6);
    CHECK(p.changes == 0);
    CHECK(p.grow(0.25) == 0.25);
    CHECK(p.grow(0.25) == 0); // it has to be judged
    while (p.changes == 0 && p.sequence < 8000)
        p.round(10);
    CHECK(p.rate > 0.9e6);
    CHECK(p.rate < 1.06e6);
    CHECK(push_loss_growth(&p.l, 0.25) == 0);
    p.rounds(12);
    CHECK(push_loss_growth(&p.l, 0.25) == PUSH_LOSS_GROW);
    CHECK(push_loss_growth(&p.l, 0.05) == 0.05);
}

TEST_CASE("a growth that loses nothing more stays")
{
    for (double loss : {0.0, 0.05, 0.3}) {
        unsigned back = 0;

        for (unsigned seed = 1; seed <= 20; seed++) {
            Path p(1e9, loss, 1e6, seed);

            p.rounds(20);
            double before = p.rate;
            while (p.grow(0.25) <= 0)
                p.round(100);
            p.rounds(3);
            back += p.rate < 1.2 * before;
        }
        INFO(loss);
        CHECK(back <= (loss > 0 ? 2 : 0));
    }
}

TEST_CASE("what is too much from the beginning is found by a look at a lower rate")
{
    for (double loss : {0.0, 0.05}) {
        Path p(1e6, loss, 1.6e6);

        p.rounds(40);
        INFO(loss);
        CHECK(p.rate < 1.15e6);
        CHECK(p.rate > 0.7e6);
    }
}

TEST_CASE("a loss that has become more by itself is not held against a growth for long")
{
    Path p(1e9, 0, 1e6);

    p.rounds(10);
    p.loss = 0.2;
    p.grow(0.25);
    p.rounds(40);
    CHECK(p.rate > 0.9e6);
}

TEST_CASE("one round that loses much is no reason to look at a lower rate")
{
    Path p(1e9, 0.03, 1e6);

    p.rounds(40);
    p.loss = 0.3;
    p.round();
    p.loss = 0.03;
    p.rounds(20);
    CHECK(p.changes == 0);
    CHECK(push_loss_usual(&p.l) < 0.06);
    CHECK_FALSE(p.l.checks);
}

TEST_CASE("the usual loss is that of the path")
{
    for (double loss : {0.0, 0.05, 0.3}) {
        Path p(1e9, loss, 1e6);

        CHECK(push_loss_usual(&p.l) <= 0);
        p.rounds(20);
        CHECK(push_loss_usual(&p.l) == Approx(loss).margin(0.03));
    }
}

TEST_CASE("what was lost while the rate was sought is not insured against for long")
{
    Path p(1e9, 0.09, 1e6);

    p.round();
    p.round(20);
    CHECK(push_loss_insured(&p.l) > 0.05);
    p.loss = 0;
    for (int i = 0; i < 40; i++) { // no round is quiet
        p.round(60);
        p.grow(0.01);
    }
    CHECK(p.l.quiets < 4);
    CHECK(push_loss_usual(&p.l) > 0.05);
    CHECK(push_loss_insured(&p.l) <= 0);
}

TEST_CASE("what is insured against is the usual loss")
{
    for (double loss : {0.002, 0.05, 0.3}) {
        Path p(1e9, loss, 1e6);

        p.rounds(20);
        CHECK(push_loss_insured(&p.l) ==
              Approx(std::max(0.0, loss - PUSH_LOSS_LEAST)).margin(0.03));
    }
}
