// What a simulation is made of: the server, its content, and the link to it. Plain values.
#pragma once

#include <cstdint>
#include <functional>

#include "prerequest/event.h"

enum class ServerModel {
    merging,  // one update answers all requests received; none is begun while the buffer is full
    counting, // one update per request
    blocking, // merging, but writing blocks while the buffer is full: nothing is read meanwhile,
              // and then one message a round
    ticking,  // merging, but it looks only every 30 ms, and less often while it finds nothing
};

// When a simulation begins. Late enough for the scheduler to see that nothing has moved before, as
// on a machine that has been running for a while.
constexpr tick_t beginning = 1000 * TICK_S;

struct Scenario {
    // ---- the user ----
    prp_policy policy = PRP_AUTO;
    double prp_ms = 0;
    bool refresh = false; // what is still is to come again without loss
    bool push = false;    // the server is asked to send updates by itself, and does

    // ---- the server ----
    ServerModel server = ServerModel::merging;
    bool shows_kind = false; // whether it tells that it counts or merges, as newer ones do
    double buffer_bytes = 4 * 1024 * 1024; // of its socket
    double encode_ms = 1, defer_ms = 0;
    bool hurries = false; // a request ends the deferral, as at TigerVNC and TightVNC
    double effect_ms = 5; // from the arrival of a key to its effect on the server's screen

    // ---- the content ----
    double fps = 20;
    double update_bytes = 20000;   // at the best quality
    bool lossy = true;             // whether it comes as JPEG, so that quality makes it smaller
    double step = 0.755;           // what a step leaves: 160 kB to 17 kB, as measured
    unsigned rectangles = 6;       // of a large update; TigerVNC's have 5 to 10
    double effect_bytes = 0;       // a key changes so much, without loss; 0: all that moves
    double caret_ms = 0;           // a caret blinks this often; 0: there is none
    int width = 640, height = 360; // what moves, pixels
    // Whether the content moves at this time (s), and how large its updates are: 1 is all of it.
    std::function<bool(double)> moving = [](double) { return true; };
    std::function<double(double)> scale = [](double) { return 1.0; };

    // ---- the client ----
    double decode_ms = 1; // of an update

    // ---- the link ----
    double rtt_ms = 100;
    double rate_mbit = 0; // downlink; 0: unlimited
    double up_mbit = 0;   // uplink; 0: unlimited
    double jitter_ms = 0; // each way
    // Whether a congestion window bounds what is on its way (tcp.hpp). Without it all that is
    // written waits in front of the link. The rest needs it.
    bool tcp = false;
    double loss = 0;        // probability that a packet is lost, each way
    double burst_p = 0;     // probability that a burst of loss begins, for each packet,
    double burst_r = 0;     // and that it ends; within it every second packet is lost
    double queue_ms = 0;    // room in front of the downlink, at `rate_mbit`; 0: unlimited
    double other_bytes = 0; // another sender keeps so much in front of the downlink, or in it
    uint64_t seed = 1;      // of jitter and loss
    double phase = 0;       // when the content's first frame comes, in frames
};
