// A download beside us: one TCP flow with CUBIC (RFC 9438), that always has something to send.
//
//   window   in packets. It doubles in a round trip until something is lost. From then on
//            W(t) = 0.4 (t - K)^3 + Wmax, or what Reno would have, whichever is more
//   loss     a packet is lost when one that left three later has arrived. Once in a round trip the
//            window becomes 0.7 of what it was
//
// Nothing is sent again: what is in a packet does not matter. No HyStart, no pacing.
#pragma once

#include <cstdint>
#include <deque>

#include "prerequest/tick.h"

class CubicFlow
{
  public:
    static constexpr uint32_t packet = 1500; // bytes, with headers

    void start(tick_t now);
    void stop()
    {
        on_ = false;
        out_.clear();
    }

    // Whether a packet may leave, and its number. It leaves, though the link may drop it.
    bool may_send() const
    {
        return on_ && double(out_.size()) < window_;
    }
    uint64_t send(tick_t now);
    // This packet has arrived, as is known now.
    void acknowledged(uint64_t number, tick_t now);
    // When all counts as lost, as nothing has been acknowledged; TICK_NEVER: nothing is out.
    tick_t timer() const;
    void timeout(tick_t now);

  private:
    struct Out {
        uint64_t number;
        tick_t sent;
    };

    void grow(tick_t now);
    void reduce(tick_t now);

    bool on_ = false;
    std::deque<Out> out_;
    uint64_t next_ = 0, recovers_ = 0;
    double window_ = 10, threshold_ = 1e9, most_ = 0, reno_ = 0; // packets
    double smoothed_ = 0;                                        // ns: the round trip
    tick_t epoch_ = TICK_NEVER, heard_ = 0;
};
