// Client, link and server in virtual time: the real scheduler and the real queue model around
// models of servers. What TCP keeps in the server's socket buffer waits in the link's queue
// instead.
#pragma once

#include <functional>
#include <vector>

#include "prerequest/meter.h"
#include "tests/core.hpp"
#include "tools/linkem/queue.h"

enum class ServerModel {
    merging,  // one update answers all requests received; none is begun while the buffer is full
    counting, // one update per request
    blocking, // merging, but writing blocks while the buffer is full: nothing is read meanwhile,
              // and then one message a round
    ticking,  // merging, but it looks only every 30 ms, and less often while it finds nothing
};

struct Scenario {
    prp_policy policy = PRP_AUTO;
    double prp_ms = 0;
    ServerModel server = ServerModel::merging;
    double rtt_ms = 100;
    double rate_mbit = 0;                  // downlink; 0: unlimited
    double jitter_ms = 0;                  // each way
    double buffer_bytes = 4 * 1024 * 1024; // of the server's socket
    double fps = 20;                       // of the content
    double update_bytes = 20000;           // at the best quality
    bool lossy = true;                     // whether quality makes updates smaller
    double step = 0.755;                   // what a step leaves: 160 kB to 17 kB, as measured
    double encode_ms = 1, decode_ms = 1, defer_ms = 0;
    double effect_ms = 5; // from the arrival of a key to its effect on the server's screen
    uint64_t seed = 1;
    // Whether the content moves at this time (s), and how large its updates are.
    std::function<bool(double)> moving = [](double) { return true; };
    std::function<double(double)> scale = [](double) { return 1.0; };
};

struct Figures {
    double fps = 0;        // updates finished per second, over the measured part
    double requests = 0;   // per second
    double per_update = 0; // requests per update
    double first_ms = -1;  // from the beginning of the measured part to its first update
    double gap_max_ms = 0;
    double age_p50 = 0, age_p95 = 0;           // drawn on the server -> shown, ms
    double response_p50 = 0, response_p95 = 0; // input sent -> shown, ms
    double utilisation = 0;                    // of the downlink; 0 when it is unlimited
};

class Simulation
{
  public:
    explicit Simulation(const Scenario &s);
    ~Simulation();
    Simulation(const Simulation &) = delete;
    Simulation &operator=(const Simulation &) = delete;

    // Runs on for so many seconds and tells what happened in them. With `press_every` (s) the user
    // presses a key that often.
    Figures run(double seconds, double press_every = 0);

    // The user presses a key now.
    void input();

    // The link changes. Another sender's share of the line is a lower rate.
    void set_rate(double mbit);
    void set_rtt(double ms);

    double prp_ms() const;
    const scheduler &client() const
    {
        return client_;
    }

  private:
    struct Update {
        tick_t drawn;   // its newest frame
        tick_t pressed; // the oldest input it shows the result of; TICK_NEVER: none
        uint32_t bytes;
    };

    tick_t next() const;
    void step();
    void send_request();
    void tell_quality();
    void server();
    void read_messages();
    bool may_write();
    void draw();
    void send_update();
    void receive();
    void shown(const Update &u);

    Scenario scenario_;
    scheduler client_{};
    linkem_config up_config_{}, down_config_{};
    linkem_queue up_{}, down_{};
    tick_t now_ = TICK_S;
    tick_t frame_at_;                // the content's next frame
    tick_t encoded_at_ = TICK_NEVER; // the update being encoded is ready
    tick_t decoded_at_ = TICK_NEVER; // the update being decoded is shown
    tick_t look_at_ = 0;             // server: not before (deferral, ticks, room in the buffer)
    tick_t tick_ = 0;                // ticking: the present period
    unsigned asked_ = 0;             // requests received and not answered
    int told_ = 0, step_ = 0;        // quality: the client's word, what the server does
    bool dirty_ = true;
    tick_t drawn_ = TICK_S;
    tick_t pressed_ = TICK_NEVER,
           effect_at_ = TICK_NEVER; // a press that has arrived, until it shows
    tick_t effect_ = TICK_NEVER;    // the press that shows on the screen
    Update encoding_{};
    std::vector<Update> updates_; // all that were sent
    size_t arriving_ = 0;         // index of the one that arrives
    uint64_t arrived_ = 0;        // bytes
    uint64_t received_ = 0;       // bytes of updates shown

    unsigned shown_ = 0, requests_ = 0;
    tick_t first_update_ = TICK_NEVER, last_update_ = TICK_NEVER;
    tick_t gap_max_ = 0;
    std::vector<double> ages_, responses_;
};
