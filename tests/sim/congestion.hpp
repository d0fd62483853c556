// How a server that pushes bounds what is on its way to the client.
//
// A fence follows each update. The client answers it when it has read that far. So an answer tells
// the round trip, and how many bytes have arrived while the fence was on its way: the rate. With
// the shortest round trip,
//
//   window = 2 x rate x round trip, and 16 kB at the least
//
// While the window is the limit, the rate is window / round trip: so it doubles each round trip
// until the link is the limit. No update is begun while so many bytes are on their way.
//
// TigerVNC's own control reaches about the same by other means. Here only its outside matters: an
// update leaves when the screen changes, and at most a round trip's worth waits in front of a link.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "prerequest/tick.h"

class Congestion
{
  public:
    bool full() const
    {
        return double(sent_ - arrived_) >= window();
    }

    double window() const
    {
        return std::max(16384.0, 2 * rate_ * shortest_);
    }

    // An update of so many bytes has been written, and a fence after it. Returns its number.
    uint64_t update(uint32_t bytes, tick_t now)
    {
        sent_ += bytes;
        fences_.push_back({now, sent_, arrived_});
        return ++count_;
    }

    // The answer to the oldest fence has come.
    void answered(tick_t now)
    {
        Fence f = fences_.front();
        double took = std::max(tick_to_s(now - f.at), 1e-4), rate;

        fences_.pop_front();
        arrived_ = f.sent;
        rate = double(arrived_ - f.arrived) / took;
        shortest_ = shortest_ > 0 ? std::min(shortest_, took) : took;
        rate_ = rate > rate_ ? rate : rate_ + (rate - rate_) / 8;
    }

  private:
    struct Fence {
        tick_t at;
        uint64_t sent, arrived; // bytes before it, and how many of them had arrived then
    };

    std::deque<Fence> fences_;
    uint64_t sent_ = 0, arrived_ = 0, count_ = 0;
    double rate_ = 0, shortest_ = 0; // bytes per second; s
};
