// Client, link and server in virtual time: the real scheduler and the real queue model around a
// model of a server that answers all requests received so far with one update (a merging server).
#pragma once

#include <functional>

#include "prerequest/meter.h"
#include "prerequest/scheduler.h"
#include "tools/linkem/queue.h"

struct Scenario {
    prp_policy policy = PRP_AUTO;
    double prp_ms = 0;
    double rtt_ms = 100;
    double rate_mbit = 0; // 0: unlimited
    double jitter_ms = 0; // each way
    double fps = 20;      // of the content
    double update_bytes = 20000;
    double encode_ms = 1, decode_ms = 1;
    uint64_t seed = 1;
    // Whether the content moves at this time (s).
    std::function<bool(double)> moving = [](double) { return true; };
};

struct Figures {
    double fps = 0;        // updates finished per second, over the measured part
    double requests = 0;   // per second
    double per_update = 0; // requests per update
    double first_ms = -1;  // from the beginning of the measured part to its first update
    double gap_max_ms = 0;
};

class Simulation
{
  public:
    explicit Simulation(const Scenario &s);
    ~Simulation();
    Simulation(const Simulation &) = delete;
    Simulation &operator=(const Simulation &) = delete;

    // Runs on for so many seconds and tells what happened in them.
    Figures run(double seconds);

    // The user presses a key now.
    void input();

    double prp_ms() const;

  private:
    tick_t next() const;
    void step();
    void send_request();
    void server();
    void receive();
    void send_update();

    Scenario scenario_;
    scheduler client_{};
    linkem_queue up_{}, down_{};
    tick_t now_ = TICK_S;
    tick_t frame_at_;                // the content's next frame
    tick_t encoded_at_ = TICK_NEVER; // the update being encoded is ready
    tick_t decoded_at_ = TICK_NEVER; // the update being decoded is shown
    bool asked_ = false, dirty_ = true;
    unsigned updates_ = 0, requests_ = 0;
    tick_t first_update_ = TICK_NEVER, last_update_ = TICK_NEVER;
    tick_t gap_max_ = 0;
};
