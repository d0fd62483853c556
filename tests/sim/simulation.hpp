// Client, link and server in virtual time: the real scheduler and the real queue model around
// models of servers (server.hpp), of TCP (tcp.hpp) and of the viewer's threads (client.hpp).
#pragma once

#include "tests/sim/client.hpp"
#include "tests/sim/server.hpp"

class Simulation
{
  public:
    // `extras`: what the user asked for besides the scenario; its policy and period do not count.
    explicit Simulation(const Scenario &s, const scheduler_options &extras = {});

    // Runs on for so many seconds and tells what happened in them. With `press_every` (s) the user
    // presses a key that often.
    Figures run(double seconds, double press_every = 0);

    // Calls `what` when so many seconds have passed since the beginning, within run().
    void at(double seconds, std::function<void(Simulation &)> what);

    // The user presses a key, or moves the pointer, now.
    void input();
    void motion();
    // The window is minimised, or shown again, now.
    void hide(bool on);

    // The link changes. Another sender's share of the line is a lower rate.
    void set_rate(double mbit);
    void set_up_rate(double mbit);
    void set_rtt(double ms);

    // Calls `watcher` with each event that the scheduler is told from now on.
    void watch(std::function<void(const scheduler_event &, tick_t)> watcher)
    {
        client_.watch(std::move(watcher));
    }

    double prp_ms() const;
    const scheduler &client() const
    {
        return client_.core();
    }

  private:
    tick_t next() const;
    void step();

    tick_t now_ = beginning;
    linkem_config up_, down_;
    Talk talk_;
    Measure measure_;
    Connection connection_;
    Server server_;
    Client client_;
    std::multimap<tick_t, std::function<void(Simulation &)>> script_;
};
