// A film in a window that is minimised, and shown again.
#include "tests/catch.hpp"

#include "tests/sim/scenarios.hpp"

namespace
{

struct Parts {
    Figures before, hidden, after;
};

Parts hide_and_show(const Scenario &s, rule_set without = 0)
{
    Without off(without);
    Simulation sim(s);
    Parts p;

    sim.run(20);
    p.before = sim.run(20);
    sim.at(40, [](Simulation &now) { now.hide(true); });
    sim.run(3); // what was asked for before comes
    p.hidden = sim.run(30);
    sim.at(73, [](Simulation &now) { now.hide(false); });
    p.after = sim.run(20);
    return p;
}

} // namespace

TEST_CASE("a film that nobody sees comes once a second, and at its rate when it is shown again")
{
    for (ServerModel server : {ServerModel::merging, ServerModel::counting, ServerModel::blocking})
        for (prp_policy policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
            Scenario s = film(server, 100, 100);
            s.policy = policy;
            s.prp_ms = policy == PRP_FIXED ? 40 : 0;
            Parts p = hide_and_show(s);

            INFO(server_name(server) << ", policy " << int(policy) << ": " << to_text(p.hidden)
                                     << "; after it " << to_text(p.after));
            CHECK(p.hidden.fps > 0.5); // the connection is alive, and the picture is not old
            CHECK(p.hidden.fps <= 1.05);
            CHECK(p.hidden.requests <= 1.05);
            CHECK(p.after.first_ms <= 100 + 33 + 20); // a round trip, and a frame
            CHECK(p.after.fps > p.before.fps * 0.95);
        }
}

TEST_CASE("without the rule a film that nobody sees comes as fast as any")
{
    Parts p = hide_and_show(film(ServerModel::merging, 100, 100), rule_set(1) << RULE_HIDDEN);

    CHECK(p.hidden.fps > 25);
}
