// The sending end of a TCP connection, as simple as questions about requests allow.
//
//   window   so many packets may be on their way. 10 at first. While all of it is used each
//            acknowledged packet adds one ("slow start": it doubles in a round trip), until the
//            round trip grows or a packet is lost. From then on it adds one in a round trip.
//   loss     is noticed when three packets that were sent later have been acknowledged, or after
//            two round trips. The packet is sent again, and the window halves, once in a round
//            trip. The receiver hands on what came after the lost packet when it has that one.
//   pacing   if paced: packets leave 2.89 times as fast as a window in a round trip, as BBR's do at
//            first ("startup", Cardwell et al., ACM Queue 2016): the first ten take a third of it.
//            Once the link is full, a quarter faster than what is delivered.
//   rest     after a rest the window is what it was halved for each time-out in the rest, and 10 at
//            the least. If paced it is what it was.
//
// The model knows which packets the link has dropped. So nothing is sent twice that is only late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "prerequest/tick.h"

// What one write puts into the connection: it fits into a packet.
struct Segment {
    uint64_t number; // in the order of writing, from 0
    uint32_t bytes;
    uint64_t cookie;
};

class TcpSender
{
  public:
    void write(const Segment &s);

    // What waits is put together into full packets, as kernels do. What is written when it may
    // leave is a packet of its own, however small.
    void put_together()
    {
        together_ = true;
    }

    // Paced from now on. The handshake has told the round trip, ns.
    void pace(double round_trip)
    {
        paced_ = round_trip;
    }

    // Whether a segment waits, and may be sent now. If pacing is all that it waits for, until when;
    // TICK_NEVER: nothing waits for that.
    bool may_send(tick_t now) const;
    tick_t pace_due() const;

    // Takes it. The caller sends it, and says whether the link has dropped it.
    Segment take(tick_t now);
    void sent(const Segment &s, bool dropped, tick_t now);

    // The packet that was the `packet`th to be sent, from 0, has arrived, and all before it that
    // were not dropped.
    void acknowledged(uint64_t packet, tick_t now);

    // When a lost packet is noticed by the time that has passed; TICK_NEVER: none is.
    tick_t timer() const;
    void timeout(tick_t now);

    // The number of the next packet to be sent.
    uint64_t next_packet() const
    {
        return packets_;
    }

    // Bytes that wait to be sent, and these and those that have not been acknowledged.
    uint64_t unsent() const
    {
        return unsent_bytes_;
    }
    uint64_t held() const
    {
        return unsent_bytes_ + flight_bytes_;
    }

    double window() const
    {
        return window_;
    }

    // ns; 0: no packet has been acknowledged
    double smoothed_round_trip() const
    {
        return smoothed_;
    }
    double smallest_round_trip() const
    {
        return smallest_;
    }

  private:
    struct Flight {
        uint64_t packet;
        tick_t sent;
        Segment segment;
        unsigned packets; // 0: in the packet of the one before
    };

    bool fits(tick_t now) const;
    bool room() const;
    void measure(tick_t round_trip);
    void grow(size_t acknowledged, size_t in_flight);
    void notice(const Flight &lost, tick_t now);
    double timeout_after() const;

    std::deque<Segment> again_, unsent_;
    std::deque<Flight> flight_, lost_; // lost: not yet noticed
    uint64_t unsent_bytes_ = 0, flight_bytes_ = 0, packets_ = 0;
    double window_ = 10, threshold_ = 1e9;
    tick_t last_sent_ = 0, reduced_at_ = -1;
    double smoothed_ = 0, smallest_ = 0;
    bool together_ = false;
    uint32_t rest_ = 0;    // bytes that fit into the newest packet
    size_t in_flight_ = 0; // packets
    double paced_ = 0;     // ns: the round trip; 0: it is not
    tick_t pace_due_ = 0;
    // slow start: the smallest round trip of the packets sent in the present round, and its end
    double round_smallest_ = 1e18;
    uint64_t round_end_ = 0;
};
