// What a user, and a network, would see of a part of a simulation.
#pragma once

#include <map>
#include <vector>

#include "tests/sim/talk.hpp"

// Times in ms.
struct Figures {
    double fps = 0;        // frames of what moves, shown per second
    double requests = 0;   // per second
    double per_update = 0; // requests per update, whatever it shows
    double first_ms = -1;  // from the beginning of the part to its first frame
    double start_ms = -1;  // from the end of a rest to the first frame after it; the longest
    double gap_max_ms = 0; // between two frames while the content moves; the longest one
    double age_p50 = 0, age_p95 = 0;           // drawn on the server -> shown
    double response_p50 = 0, response_p95 = 0; // key sent -> its effect shown
    double utilisation = 0;                    // of the downlink; 0 when it is unlimited
    double step = 0;                           // of quality, the mean over time
    double wakeups = 0;                        // of the sender per second
    double wakeups_max = 0;                    // in the worst second
    double skipped = 0;                        // requests per second: our own socket was full
    double lossless_ms = -1; // from the last frame to a picture without loss; the longest
};

// Counts what happens. A part begins with begin().
class Measure
{
  public:
    void begin(tick_t now, int step, double rate);
    Figures end(tick_t now);

    // An update has been shown.
    void update(const ServerMessage &u, tick_t now);
    // All that is shown has come without loss. The newest frame was drawn at `drawn`.
    void clean(tick_t drawn, tick_t now);
    void request()
    {
        requests_++;
    }
    void skipped()
    {
        skipped_++;
    }
    void woken(tick_t now)
    {
        wakeups_[(now - start_) / TICK_S]++;
    }
    void step(int step, tick_t now);
    // The downlink's rate, bits per second.
    void rate(double rate, tick_t now);

  private:
    void pass(tick_t now);

    tick_t start_ = 0, passed_ = 0;
    int step_ = 0;
    double rate_ = 0, steps_ = 0, room_ = 0; // step x ns; bits
    unsigned frames_ = 0, updates_ = 0, requests_ = 0, skipped_ = 0;
    double received_ = 0;
    tick_t first_ = TICK_NEVER, last_ = TICK_NEVER, start_most_ = -1, gap_most_ = 0;
    tick_t cleaned_ = TICK_NEVER, clean_most_ = -1; // cleaned_: `drawn` when it last was
    std::map<tick_t, unsigned> wakeups_;            // in each second
    std::vector<double> ages_, responses_;
};
