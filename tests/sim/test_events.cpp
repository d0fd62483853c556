// The simulation tells the scheduler what the product tells it, in the same order. The order is
// that of rfb/session/pacing/pacing.c and rfb/session/threads/sender.c; recorded traces of real
// servers keep it, too.
#include "tests/catch.hpp"

#include <vector>

#include "tests/sim/scenarios.hpp"

namespace
{

struct Told {
    scheduler_event event;
    tick_t at;
};

std::vector<Told> events(Simulation &sim, double seconds, double press_every = 0)
{
    std::vector<Told> all;

    sim.watch([&](const scheduler_event &e, tick_t now) { all.push_back({e, now}); });
    sim.run(seconds, press_every);
    sim.watch(nullptr);
    return all;
}

unsigned count(const std::vector<Told> &all, scheduler_event_type type)
{
    unsigned n = 0;

    for (const Told &t : all)
        n += t.event.type == type;
    return n;
}

bool of_the_sender(scheduler_event_type t)
{
    return t == EVENT_INPUT_SENT || t == EVENT_REQUEST_SENT || t == EVENT_REQUEST_SKIPPED ||
           t == EVENT_REFRESH_SENT || t == EVENT_TIME;
}

} // namespace

TEST_CASE("an update is told as the receiver tells it")
{
    for (bool push : {false, true}) {
        Scenario s = film(ServerModel::merging, 100, 8);

        s.push = push;
        Simulation sim(s);
        std::vector<Told> all = events(sim, 10, 0.47);
        bool receiving = false;
        scheduler_event_type last = EVENT_TIME;
        uint64_t arrived = 0, arrived_at_begin = 0;
        unsigned pieces = 0, updates = 0;

        for (const Told &t : all) {
            scheduler_event_type type = t.event.type;

            if (of_the_sender(type))
                continue;
            switch (type) {
            case EVENT_UPDATE_BEGUN:
                CHECK(!receiving);
                receiving = true;
                pieces = 0;
                break;
            case EVENT_ARRIVED: // a few times in an update
                CHECK(receiving);
                CHECK(t.event.arrived >= arrived);
                arrived = t.event.arrived;
                if (last == EVENT_UPDATE_BEGUN)
                    arrived_at_begin = arrived;
                else
                    pieces++;
                break;
            case EVENT_ROUND_TRIP: // the first one comes before all updates
                CHECK((last == EVENT_ARRIVED || updates == 0));
                break;
            case EVENT_UPDATE_FINISHED:
                CHECK(last == EVENT_ROUND_TRIP);
                CHECK(receiving);
                receiving = false;
                CHECK(pieces >= 1);
                CHECK(pieces <= 6 + 1); // rectangles, and the end
                if (!t.event.update.more && updates > 0)
                    CHECK(t.event.update.bytes >= 10000);
                CHECK(arrived > arrived_at_begin); // it did not come at once
                updates++;
                break;
            case EVENT_LOSS:
                CHECK(last == EVENT_UPDATE_FINISHED);
                break;
            case EVENT_RAN_DRY: // after an update, or after a fence
                CHECK((last == EVENT_LOSS || push));
                break;
            case EVENT_PUSH:
                CHECK(push);
                CHECK(updates == 0);
                CHECK(t.event.pushed);
                break;
            default:
                CHECK(type == EVENT_NEW_PICTURE);
            }
            last = type;
        }
        CHECK(updates > 250);
        CHECK(count(all, EVENT_PUSH) == push);
        CHECK(count(all, EVENT_RAN_DRY) > 100);
    }
}

TEST_CASE("all bytes are told in the end, and each once")
{
    Scenario s = film(ServerModel::merging, 100, 100);

    s.moving = [](double t) { return t < 3; };
    s.refresh = false;
    Simulation sim(s);
    uint64_t sum = 0, arrived = 0;
    for (const Told &t : events(sim, 10)) {
        if (t.event.type == EVENT_UPDATE_FINISHED)
            sum += t.event.update.bytes;
        if (t.event.type == EVENT_ARRIVED)
            arrived = t.event.arrived;
    }
    CHECK(sum == arrived);
    CHECK(sum > 1000000);
}

TEST_CASE("the time is told once a second at least, whatever else happens")
{
    for (const char *name : {"film, 1 ms, merging", "typing in bursts", "the uplink stalls"}) {
        const NamedScenario &n = scenario(name);
        Simulation sim(n.setup);
        tick_t last = beginning;

        if (n.script)
            n.script(sim);
        for (const Told &t : events(sim, 20)) {
            if (t.event.type != EVENT_TIME)
                continue;
            CHECK(tick_to_ms(t.at - last) <= 1001);
            last = t.at;
        }
        CHECK(tick_to_s(last - beginning) >= 18.9);
    }
}

TEST_CASE("nothing is asked while our own socket is full")
{
    Scenario s = film(ServerModel::merging, 40, 20);

    s.tcp = true;
    s.up_mbit = 5;
    Simulation sim(s);
    sim.run(5);
    CHECK(count(events(sim, 5), EVENT_REQUEST_SKIPPED) == 0);
    sim.set_up_rate(0.002); // a request takes 0.2 s
    std::vector<Told> all = events(sim, 3);
    CHECK(count(all, EVENT_REQUEST_SKIPPED) >= 1);
    CHECK(count(all, EVENT_REQUEST_SENT) <= 60); // what fits into the window
    sim.set_up_rate(5);
    all = events(sim, 3);
    CHECK(count(all, EVENT_ROOM) >= 1);
    all = events(sim, 5);
    CHECK(count(all, EVENT_REQUEST_SKIPPED) == 0);
    CHECK(count(all, EVENT_REQUEST_SENT) > 100);
}

TEST_CASE("between a request that was skipped and the next one the socket gets room")
{
    const NamedScenario &n = scenario("the uplink stalls");
    Simulation sim(n.setup);
    bool full = false;
    unsigned times = 0;

    n.script(sim);
    for (const Told &t : events(sim, 30)) {
        if (t.event.type == EVENT_REQUEST_SKIPPED) {
            CHECK(!full);
            full = true;
            times++;
        } else if (t.event.type == EVENT_ROOM) {
            CHECK(full);
            full = false;
        } else if (t.event.type == EVENT_REQUEST_SENT) {
            CHECK(!full);
        }
    }
    CHECK(times >= 3);
}

TEST_CASE("a server may show what it does with requests")
{
    for (ServerModel server : {ServerModel::counting, ServerModel::blocking}) {
        Scenario s = film(server, 100, 100);

        s.shows_kind = true;
        Simulation sim(s);
        std::vector<Told> all = events(sim, 2);
        REQUIRE(count(all, EVENT_SERVER_KIND) > 0);
        for (const Told &t : all)
            if (t.event.type == EVENT_SERVER_KIND)
                CHECK(t.event.counts == (server == ServerModel::counting));
    }
}

TEST_CASE("a server that pushes is asked for nothing but the first picture")
{
    Scenario s = film(ServerModel::merging, 100, 100);

    s.push = true;
    s.refresh = false;
    Simulation sim(s);
    sim.run(1);
    std::vector<Told> all = events(sim, 10, 0.47);
    CHECK(count(all, EVENT_REQUEST_SENT) == 0);
    CHECK(count(all, EVENT_UPDATE_FINISHED) >= 290);
}

TEST_CASE("what came with loss is asked for again when it is still, in slices")
{
    for (ServerModel server : {ServerModel::merging, ServerModel::counting, ServerModel::blocking,
                               ServerModel::ticking}) {
        Scenario s = film(server, 100, 8);

        s.moving = [](double t) { return t < 5; };
        Simulation sim(s);
        uint64_t lossy = 0;
        for (const Told &t : events(sim, 5))
            if (t.event.type == EVENT_LOSS)
                lossy = t.event.loss.pixels;
        // tiles of 16 x 16 pixels that the film touches: 40 x 24, as it does not begin at a tile
        CHECK(lossy == 40 * 24 * 256);

        uint64_t asked = 0;
        unsigned slices = 0;
        tick_t first = TICK_NEVER;
        scheduler_loss last{};
        INFO(server_name(server));
        for (const Told &t : events(sim, 8)) {
            if (t.event.type == EVENT_REFRESH_SENT && t.event.pixels > 0) {
                first = std::min(first, t.at);
                asked += t.event.pixels;
                slices++;
            }
            if (t.event.type == EVENT_LOSS) {
                last = t.event.loss;
                CHECK(!last.again);
            }
        }
        CHECK(tick_to_s(first - beginning) >= 5.5);
        CHECK(slices >= 5);
        CHECK(asked >= lossy);
        CHECK(last.pixels == 0);
        CHECK(!last.asked);
    }
}
