// How many copies and parities insure an update.
#include "tests/catch.hpp"

#include <cmath>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "prerequest/push/packets/insurance.h"

namespace
{

struct Insured {
    std::unique_ptr<push_insurance> s = std::make_unique<push_insurance>();

    Insured()
    {
        push_insurance_begin(s.get());
    }
    void send(uint32_t first, unsigned count, size_t bytes = 1000)
    {
        for (unsigned i = 0; i < count; i++)
            push_insurance_sent(s.get(), first + i, bytes);
    }
    std::vector<push_group> parities()
    {
        std::vector<push_group> all;
        push_group g;
        while (push_insurance_parity(s.get(), &g))
            all.push_back(g);
        return all;
    }
    std::vector<int> copies()
    {
        std::vector<int> all;
        for (int i; (i = push_insurance_copy(s.get())) >= 0;)
            all.push_back(i);
        return all;
    }
};

} // namespace

TEST_CASE("insurance: as many parities as the binomial distribution has it")
{
    // Worked out apart: the smallest m with sum of C(k + m, i) p^i (1 - p)^(k + m - i), i = 0..m,
    // of at least 0.95
    struct {
        unsigned blocks;
        double loss;
        unsigned parities;
    } cases[] = {
        {6, 0.05, 1},    {12, 0.05, 2},  {24, 0.05, 3},  {46, 0.05, 5},  {64, 0.05, 7},
        {128, 0.05, 11}, {6, 0.1, 2},    {12, 0.1, 4},   {24, 0.1, 6},   {46, 0.1, 9},
        {64, 0.1, 12},   {128, 0.1, 21}, {6, 0.3, 6},    {12, 0.3, 10},  {24, 0.3, 17},
        {46, 0.3, 29},   {64, 0.3, 38},  {128, 0.3, 70}, {10, 0.001, 0}, {10, 0, 0},
        {128, 0.6, 96},  {128, 1, 96},
    };

    for (auto &c : cases) {
        INFO(c.blocks << " blocks, " << c.loss);
        CHECK(push_insurance_parities(c.blocks, c.loss, 0.05) == c.parities);
    }
}

TEST_CASE("insurance: so many groups are whole as is said")
{
    std::mt19937 random(1);
    std::uniform_real_distribution<> share(0, 1);

    for (unsigned blocks : {6u, 20u, 50u, 120u})
        for (double loss : {0.02, 0.1, 0.3})
            for (double fails : {0.2, 0.05}) {
                unsigned m = push_insurance_parities(blocks, loss, fails), whole = 0, less = 0;

                for (int round = 0; round < 20000; round++) {
                    unsigned came = 0;
                    for (unsigned i = 0; i < blocks + m; i++) {
                        came += share(random) >= loss;
                        less += i + 2 == blocks + m && came >= blocks;
                    }
                    whole += came >= blocks;
                }
                INFO(blocks << " blocks, " << loss << ", " << fails << ": " << m);
                CHECK(whole > 20000 * (1 - fails) - 300); // five standard deviations
                CHECK((m == 0 || less < 20000 * (1 - fails) + 300));
            }
}

TEST_CASE("insurance: a large update has even groups, and their parities leave by turns")
{
    Insured s;

    s.send(100, 250);
    push_insurance_close(s.s.get(), 0.1);
    auto all = s.parities();
    unsigned each = push_insurance_parities(125, 0.1, PUSH_FAILS_MOST / 2);
    REQUIRE(all.size() == 2 * each);
    for (size_t i = 0; i < all.size(); i++) {
        CHECK(all[i].first == (i % 2 ? 125u : 0u));
        CHECK(all[i].count == 125);
        CHECK(all[i].index == i / 2);
    }
    CHECK(s.copies().empty());
    CHECK_FALSE(push_insurance_waits(s.s.get()));
}

TEST_CASE("insurance: a group is of numbers that follow each other")
{
    Insured s;

    s.send(100, 10);
    s.send(111, 3);
    s.send(200, 8);
    s.send(0, 6); // modulo 2^32
    CHECK(push_insurance_waits(s.s.get()));
    push_insurance_close(s.s.get(), 0.1);
    std::set<std::pair<unsigned, unsigned>> groups;
    for (const push_group &g : s.parities())
        groups.insert({g.first, g.count});
    CHECK(groups == std::set<std::pair<unsigned, unsigned>>{{0, 10}, {13, 8}, {21, 6}});
    for (int i : s.copies())
        CHECK((i >= 10 && i < 13));
}

TEST_CASE("insurance: of an update that is too large the last blocks are insured")
{
    Insured s;

    s.send(1, PUSH_INSURED);
    CHECK(push_insurance_sent(s.s.get(), PUSH_INSURED + 1, 1000) == 0);
    s.send(PUSH_INSURED + 2, 9);
    push_insurance_close(s.s.get(), 0.1);
    auto all = s.parities();
    REQUIRE(all.size() == push_insurance_parities(10, 0.1, PUSH_FAILS_MOST));
    CHECK(all[0].first == 0);
    CHECK(all[0].count == 10);
}

TEST_CASE("insurance: of an update that is over nothing leaves any more")
{
    Insured s;

    s.send(1, 20);
    push_insurance_close(s.s.get(), 0.1);
    push_insurance_begin(s.s.get());
    CHECK_FALSE(push_insurance_waits(s.s.get()));
    CHECK(s.parities().empty());
    s.send(1000, 6);
    push_insurance_close(s.s.get(), 0.1);
    CHECK(s.parities().size() == 3);
}

TEST_CASE("insurance: as many groups as there can be")
{
    Insured s;

    for (uint32_t i = 0; i < PUSH_INSURED / 6; i++)
        s.send(100 * i, 6);
    push_insurance_close(s.s.get(), 0.3);
    CHECK(s.parities().size() ==
          PUSH_INSURED / 6 * push_insurance_parities(6, 0.3, PUSH_FAILS_MOST));
}

TEST_CASE("insurance: what it takes is told in bytes, parities being as long as the longest block")
{
    Insured s;

    CHECK(push_insurance_takes(s.s.get(), 0.1) <= 1);
    s.send(1, 12, 500);
    s.send(13, 12, 1000);
    CHECK(push_insurance_takes(s.s.get(), 0.1) == Approx(1 + 7 * 1000.0 / 18000));
    CHECK(push_insurance_takes(s.s.get(), 0) <= 1);
}
