#include "tests/sim/scenarios.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace
{

constexpr double press_every = 0.47; // s; in no simple ratio to anything else here

// ---- what happens ----

void press(Simulation &s)
{
    s.input();
}

void move_pointer(Simulation &s)
{
    s.motion();
}

void repeat(Simulation &s, double from, double to, double every, void (*what)(Simulation &))
{
    for (int i = 0; from + i * every < to; i++)
        s.at(from + i * every, what);
}

std::function<void(Simulation &)> rate(double mbit)
{
    return [=](Simulation &s) { s.set_rate(mbit); };
}

// Content that moves for `on` seconds, then rests until `period` is over.
std::function<bool(double)> moves(double on, double period)
{
    return [=](double t) { return std::fmod(t, period) < on; };
}

bool long_rest(double t)
{
    return t < 15 || t > 135;
}

// Another rate every second or two, from 2 to 20 Mbit/s.
void vary_rate(Simulation &s)
{
    constexpr double rates[] = {20, 3, 9, 2, 14, 6, 18, 4, 11, 2.5, 16, 7};
    double at = 0;

    for (int i = 0; at < 60; i++) {
        s.at(at, rate(rates[i % 12]));
        at += 1 + 0.25 * (i % 5);
    }
}

// For a second of every five nothing gets through the uplink.
void stall_uplink(Simulation &s)
{
    for (double at = 5; at < 60; at += 5) {
        s.at(at, [](Simulation &s) { s.set_up_rate(0.002); });
        s.at(at + 1, [](Simulation &s) { s.set_up_rate(5); });
    }
}

void type_in_bursts(Simulation &s)
{
    for (double at = 1; at < 60; at += 3)
        repeat(s, at, at + 1.2, 0.12, press);
}

// ---- links ----

// What a real network adds: TCP's window, and room for 100 ms in front of the link.
Scenario real(Scenario s)
{
    s.tcp = true;
    s.queue_ms = 100;
    return s;
}

Scenario lossy_link(ServerModel server, double rtt_ms, double rate_mbit, double loss)
{
    Scenario s = real(film(server, rtt_ms, rate_mbit));

    s.loss = loss;
    return s;
}

// A download beside us keeps 300 kB in front of a link of 8 Mbit/s: 300 ms.
Scenario bloat(ServerModel server)
{
    Scenario s = real(film(server, 40, 8));

    s.queue_ms = 600;
    s.other_bytes = 300000;
    return s;
}

// ---- content ----

Scenario film_60(ServerModel server, double rtt_ms, double rate_mbit)
{
    Scenario s = film(server, rtt_ms, rate_mbit);

    s.fps = 60;
    s.update_bytes = 80000;
    return s;
}

// Nothing moves but for what the user types: a letter is 600 bytes.
Scenario desk(ServerModel server, double rtt_ms, double rate_mbit)
{
    Scenario s = film(server, rtt_ms, rate_mbit);

    s.effect_bytes = 600;
    s.moving = [](double t) { return t < 0.5; };
    return s;
}

Scenario moving(Scenario s, std::function<bool(double)> when)
{
    s.moving = std::move(when);
    return s;
}

Scenario shows_kind(Scenario s)
{
    s.shows_kind = true;
    return s;
}

// The film stops after six seconds, for good.
Scenario stops(Scenario s)
{
    return moving(std::move(s), [](double t) { return t < 6; });
}

// ---- the table ----

constexpr ServerModel merging = ServerModel::merging, counting = ServerModel::counting,
                      blocking = ServerModel::blocking, ticking = ServerModel::ticking;

using Table = std::vector<NamedScenario>;

std::string title(const std::string &what, ServerModel server)
{
    return what + ", " + server_name(server);
}

void add_links(Table &t)
{
    Scenario near = real(film(merging, 1, 5));

    // a film as the lab's is at 24 frames per second, and TigerVNC's deferral
    near.update_bytes = 39000;
    near.fps = 24;
    near.defer_ms = 16;
    near.hurries = true;
    t.push_back({"film, 1 ms, merging", film(merging, 1, 100), 2, 28});
    t.push_back({"film, 100 ms, merging", film(merging, 100, 100), 2, 28});
    t.push_back({"film of 60, 1 ms, merging", film_60(merging, 1, 100), 2, 28});
    t.push_back({"film of 60, 100 ms, merging", film_60(merging, 100, 100), 2, 28});
    for (ServerModel m : {counting, ticking})
        t.push_back({title("film and keys, 1 ms", m), film(m, 1, 100), 10, 20, press_every});
    t.push_back({"film and keys, 1 ms, 5 Mbit/s", near, 10, 20, press_every});
    for (ServerModel m : {merging, counting, ticking})
        t.push_back({title("film and keys, 100 ms", m), film(m, 100, 100), 10, 20, press_every});
    for (ServerModel m : {merging, counting, ticking})
        t.push_back({title("film and keys, 500 ms", m), film(m, 500, 100), 10, 20, press_every});
    for (ServerModel m : {merging, counting, blocking, ticking})
        t.push_back({title("film and keys, 8 Mbit/s", m), film(m, 100, 8), 15, 20, press_every});
    for (ServerModel m : {merging, counting})
        t.push_back({title("film and keys, 2 Mbit/s", m), film(m, 100, 2), 15, 20, press_every});
    for (ServerModel m : {merging, counting, blocking})
        t.push_back(
            {title("film and keys, 0.5 Mbit/s", m), film(m, 100, 0.5), 15, 20, press_every});
}

void add_troubles(Table &t)
{
    Scenario jitter = film(merging, 100, 100), jitter_60 = film_60(merging, 100, 100);
    Scenario bursts = real(film(merging, 40, 20)), own_queue = real(film(merging, 100, 2));
    Scenario uplink = real(film(merging, 40, 20)), slow_uplink = real(film(merging, 40, 16));

    jitter.jitter_ms = 20;
    jitter_60.jitter_ms = 50;
    bursts.burst_p = 0.001;
    bursts.burst_r = 0.05;
    own_queue.queue_ms = 2000;
    uplink.up_mbit = 5;
    slow_uplink.up_mbit = 0.3;
    t.push_back({"jitter of 20 ms", jitter, 10, 20, press_every});
    t.push_back({"jitter of 50 ms, film of 60", jitter_60, 10, 20, press_every});
    t.push_back({"loss of 0.1 %", lossy_link(merging, 100, 100, 0.001), 10, 20, press_every});
    for (ServerModel m : {merging, counting})
        t.push_back({title("loss of 1 %", m), lossy_link(m, 100, 100, 0.01), 10, 20, press_every});
    t.push_back({"loss of 5 %", lossy_link(merging, 100, 100, 0.05), 10, 20, press_every});
    t.push_back({"bursts of loss, 40 ms, 20 Mbit/s", bursts, 10, 20, press_every});
    for (ServerModel m : {merging, counting})
        t.push_back({title("beside a download, 8 Mbit/s", m), bloat(m), 10, 20, press_every});
    t.push_back({"a queue of 2 s, 2 Mbit/s", own_queue, 0, 10, press_every});
    for (ServerModel m : {merging, counting})
        t.push_back(
            {title("2 to 20 Mbit/s", m), real(film(m, 40, 20)), 10, 30, press_every, vary_rate});
    t.push_back({"the uplink stalls", uplink, 4, 20, press_every, stall_uplink});
    t.push_back({"an uplink of 0.3 Mbit/s", slow_uplink, 10, 20, press_every});
}

void add_changes(Table &t)
{
    Scenario jumps = film(merging, 100, 8);
    auto drops = [](Simulation &s) { s.at(10, rate(5)); };

    jumps.scale = [](double s) { return std::fmod(s, 2) < 1 ? 0.002 : 1.0; };
    t.push_back({"the rate drops by twenty", film(merging, 100, 100), 12, 5, press_every, drops});
    t.push_back({"the rate drops by twenty, counting", film(counting, 100, 100), 12, 5, press_every,
                 drops});
    t.push_back({"the rate is back", film(merging, 100, 100), 17, 20, press_every,
                 [](Simulation &s) { s.at(10, rate(5)), s.at(17, rate(100)); }});
    t.push_back({"slower after a long rest", moving(film(merging, 100, 100), long_rest), 140, 10, 0,
                 [](Simulation &s) {
                     s.at(134, rate(4));
                     repeat(s, 134.2, 150, press_every, press);
                 }});
    t.push_back({"typing for long, then a film, counting",
                 moving(film(counting, 100, 4), long_rest), 136, 10, press_every});
    t.push_back({"the same, and it shows that it counts",
                 shows_kind(moving(film(counting, 100, 4), long_rest)), 136, 10, press_every});
    t.push_back({"the line hangs", film(merging, 100, 8), 28, 3, 0,
                 [](Simulation &s) { s.at(15, rate(0.05)), s.at(25, rate(8)); }});
    t.push_back({"the line hangs, 20 ms", film(merging, 20, 8), 28, 3, 0,
                 [](Simulation &s) { s.at(15, rate(0.05)), s.at(25, rate(8)); }});
    t.push_back({"another sender takes most", film(merging, 100, 8), 20, 10, press_every,
                 [](Simulation &s) { s.at(15, rate(2)); }});
    t.push_back({"the route becomes longer", film(merging, 50, 8), 30, 10, press_every,
                 [](Simulation &s) { s.at(15, [](Simulation &s) { s.set_rtt(400); }); }});
    t.push_back({"a window, then a pointer", jumps, 15, 20, press_every});
    t.push_back(
        {"rest and start, 1 ms", real(moving(film(merging, 1, 100), moves(4, 10))), 15, 40});
    t.push_back(
        {"rest and start, 100 ms", real(moving(film(merging, 100, 100), moves(4, 10))), 15, 40});
    t.push_back(
        {"rest and start, 500 ms", real(moving(film(merging, 500, 100), moves(4, 10))), 15, 40});
    t.push_back({"rest and start, 1 Mbit/s, keys, counting",
                 moving(film(counting, 100, 1), moves(1, 5)), 15, 40, press_every});
}

void add_hands(Table &t)
{
    Scenario scrolls = film(merging, 100, 8), slides = film(merging, 100, 2);

    scrolls.moving = moves(0.5, 2);
    scrolls.update_bytes = 60000;
    slides.moving = moves(0.034, 4); // one frame
    t.push_back({"typing in bursts", desk(merging, 100, 100), 10, 30, 0, type_in_bursts});
    t.push_back(
        {"typing in bursts, 0.5 Mbit/s", desk(merging, 100, 0.5), 10, 30, 0, type_in_bursts});
    t.push_back({"the pointer moves", desk(merging, 100, 100), 10, 10, 0,
                 [](Simulation &s) { repeat(s, 8, 60, 0.008, move_pointer); }});
    t.push_back({"scrolling in bursts, 8 Mbit/s", scrolls, 10, 30});
    t.push_back({"slides, 2 Mbit/s", slides, 10, 40});
    // a clock with hundredths of a second, and then a film without a rest before it
    t.push_back({"slow content, then a film",
                 moving(film(merging, 100, 100),
                        [](double s) { return s > 20 || std::fmod(s, 0.4) < 0.034; }),
                 20, 3});
    // from the first request on
    t.push_back({"connects, 2 Mbit/s", real(film(merging, 20, 2)), 0, 6, press_every});
    // a server that looks the more often the more it is asked, after content that was slow
    t.push_back({"a minute and a half, ticking", film(ServerModel::ticking, 100, 100), 10, 90});
}

void add_pushed(Table &t)
{
    Scenario far = real(film(merging, 100, 100)), slow = real(film(merging, 100, 2));
    Scenario rests = real(moving(film(merging, 100, 8), moves(4, 12)));

    far.push = slow.push = rests.push = true;
    t.push_back({"pushed", far, 10, 20, press_every});
    t.push_back({"pushed, 2 Mbit/s", slow, 10, 20, press_every});
    t.push_back({"pushed, rests, 8 Mbit/s", rests, 10, 40});
}

void add_still(Table &t)
{
    Scenario caret = stops(film(merging, 100, 8)), keys = stops(film(merging, 100, 2));

    caret.caret_ms = 530;
    keys.effect_bytes = 600;
    t.push_back({"still, 100 ms, 8 Mbit/s", stops(film(merging, 100, 8)), 4, 20});
    t.push_back({"still, 0.5 Mbit/s", stops(film(merging, 100, 0.5)), 4, 40});
    t.push_back({"still, a caret blinks", caret, 4, 20});
    // the refresh takes 1.9 s there
    t.push_back({"still, and moves again, 2 Mbit/s",
                 real(moving(film(merging, 100, 2), moves(4, 7.5))), 15, 30});
    t.push_back({"still, and a key in the middle", keys, 4, 20, 0,
                 [](Simulation &s) { repeat(s, 8.5, 9, 1, press); }});
}

Table make_table()
{
    Table t;

    add_links(t);
    add_troubles(t);
    add_changes(t);
    add_hands(t);
    add_pushed(t);
    add_still(t);
    return t;
}

} // namespace

const char *server_name(ServerModel m)
{
    switch (m) {
    case ServerModel::merging:
        return "merging";
    case ServerModel::counting:
        return "counting";
    case ServerModel::blocking:
        return "blocking";
    default:
        return "ticking";
    }
}

Scenario film(ServerModel server, double rtt_ms, double rate_mbit)
{
    Scenario s;

    s.server = server;
    s.rtt_ms = rtt_ms;
    s.rate_mbit = rate_mbit;
    s.fps = 30;
    s.update_bytes = 160000;
    s.encode_ms = 4;
    s.decode_ms = 3;
    s.refresh = true;
    if (server == ServerModel::counting) // neatvnc's tiles have 64 x 64 pixels
        s.rectangles = 60;
    if (server == ServerModel::blocking)
        s.buffer_bytes = 200000;
    return s;
}

const std::vector<NamedScenario> &scenarios()
{
    static const Table table = make_table();

    return table;
}

const NamedScenario &scenario(std::string_view name)
{
    for (const NamedScenario &n : scenarios())
        if (n.name == name)
            return n;
    throw std::out_of_range("no scenario is called " + std::string(name));
}

NamedScenario with_server(NamedScenario n, ServerModel server)
{
    Scenario usual = film(server, 0, 0);

    n.setup.server = server;
    n.setup.rectangles = usual.rectangles;
    n.setup.buffer_bytes = usual.buffer_bytes;
    n.name = title(n.name, server);
    return n;
}

Figures run_scenario(const NamedScenario &n, const scheduler_options &extras, uint64_t seed)
{
    Scenario setup = n.setup;

    setup.seed = seed;
    setup.phase = std::fmod(double(seed % 1000) * 0.618, 1);
    Simulation sim(setup, extras);
    if (n.script)
        n.script(sim);
    sim.run(n.settle, n.press_every);
    return sim.run(n.length, n.press_every);
}

Figures run_scenario(const NamedScenario &n, rule_set without, uint64_t seed)
{
    Without off(without);

    return run_scenario(n, scheduler_options{}, seed);
}

std::string to_text(const Figures &f)
{
    char text[400];

    snprintf(text, sizeof text,
             "%5.1f fps %5.1f req/s %4.2f req/upd, start %5.0f gap %5.0f, age %4.0f/%-4.0f "
             "resp %4.0f/%-4.0f ms, used %.2f step %.1f, wake %3.0f/%-3.0f skip %4.1f, sharp %5.0f",
             f.fps, f.requests, f.per_update, f.start_ms, f.gap_max_ms, f.age_p50, f.age_p95,
             f.response_p50, f.response_p95, f.utilisation, f.step, f.wakeups, f.wakeups_max,
             f.skipped, f.lossless_ms);
    return text;
}
