// Named scenarios: what users, servers and networks do, each with a part that is measured.
//
// Link: without another word 100 ms and 100 Mbit/s. Content: without another word the lab's film,
// 640x360 of camera grain at 30 frames per second, 160 kB each at the best quality. In "film and
// keys" the user presses a key every 0.47 s. What is still is to come again without loss.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "prerequest/rules.h"
#include "tests/sim/simulation.hpp"

struct NamedScenario {
    std::string name;
    Scenario setup;
    double settle = 10, length = 20; // s; the part that is measured follows the one that is not
    double press_every = 0;          // s; 0: no keys
    // Tells the simulation, before it runs, what is to happen when. May be empty.
    std::function<void(Simulation &)> script = nullptr;
};

// "merging"
const char *server_name(ServerModel m);

// The film, with the server's usual rectangles and buffer.
Scenario film(ServerModel server, double rtt_ms, double rate_mbit);

const std::vector<NamedScenario> &scenarios();
// Throws when there is none.
const NamedScenario &scenario(std::string_view name);
// The same with another server.
NamedScenario with_server(NamedScenario n, ServerModel server);

// Runs it and tells what happened in the measured part. `extras` are handed on to the scheduler.
// The seed is that of jitter and loss, and shifts the film against the requests.
Figures run_scenario(const NamedScenario &n, const scheduler_options &extras, uint64_t seed);

// As long as it lives, these rules are switched off in this thread.
class Without
{
  public:
    explicit Without(rule_set rules)
    {
        rules_switch_off(rules);
    }
    ~Without()
    {
        rules_switch_off(0);
    }
    Without(const Without &) = delete;
    Without &operator=(const Without &) = delete;
};

// The same. `without`: rules that are switched off.
Figures run_scenario(const NamedScenario &n, rule_set without, uint64_t seed);

// One line for people.
std::string to_text(const Figures &f);
