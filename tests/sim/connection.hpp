// The TCP connection between client and server over an emulated link, in virtual time.
//
// Each direction is a queue of tools/linkem: rate, delay, jitter, loss, and room for packets that
// wait. Without `tcp` packets go there as soon as they are written: what TCP would keep in the
// sender's socket waits in front of the link. With it the senders of tcp.hpp decide.
// Acknowledgements cross the link, too, so that a full or slow uplink delays them.
//
// Another sender may share the downlink: a download with a fixed window. It sends a packet whenever
// one of its own has arrived, so it keeps what waits in front of the link at about its window.
#pragma once

#include <deque>
#include <map>

#include "tests/sim/tcp.hpp"
#include "tools/linkem/link/queue.h"

enum class Way { up, down };

class Connection
{
  public:
    Connection(const linkem_config &up, const linkem_config &down, bool tcp, double other_bytes);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    // Both senders put together what waits (tcp.hpp).
    void put_together();
    // What the server sends is paced (tcp.hpp).
    void pace(double round_trip_ms);

    // Writes into the socket. At most a packet's worth of bytes.
    void write(Way way, uint32_t bytes, uint64_t cookie, tick_t now);

    // Moves on to this time.
    void advance(tick_t now);
    // When something happens next by itself.
    tick_t next() const;

    // Whether a write has arrived and was not taken.
    bool waits(Way way) const
    {
        return !side(way).ready.empty();
    }
    // Takes the next write that has arrived, in order.
    bool take(Way way, Segment &out);
    // Bytes that have arrived in order since the beginning, taken or not.
    uint64_t arrived(Way way) const
    {
        return side(way).arrived;
    }

    // Bytes in the sender's socket that have not been sent. Without tcp: none.
    uint64_t unsent(Way way) const
    {
        return side(way).sender.unsent();
    }
    // Bytes that take up room in the sender's socket, and how much room it has. Linux gives about
    // twice the window, with what it adds to each packet. Without tcp there is no end of it.
    uint64_t held(Way way, tick_t now);
    double room(Way way) const;

    // What the client's kernel knows of the round trip, ns. With tcp only.
    double smoothed_round_trip() const
    {
        return side(Way::up).sender.smoothed_round_trip();
    }
    double smallest_round_trip() const
    {
        return side(Way::up).sender.smallest_round_trip();
    }

    void change(Way way, const linkem_config &c, tick_t now);

  private:
    struct OnLink {
        uint64_t packet;
        Segment segment;
    };
    struct Side {
        linkem_queue link{};
        std::deque<OnLink> on_link; // packets of data, as they were put
        TcpSender sender;
        uint64_t written = 0, expected = 0, arrived = 0;
        std::map<uint64_t, Segment> early; // what came after a lost packet
        std::deque<Segment> ready;
    };

    Side &side(Way way)
    {
        return sides_[int(way)];
    }
    const Side &side(Way way) const
    {
        return sides_[int(way)];
    }
    bool advance_one(Way way, tick_t now);
    static void hand_on(Side &s, const Segment &segment);
    void acknowledge(Way way, uint64_t packet, tick_t now);
    void data(Way way, tick_t now);
    void pump(Way way, tick_t now);
    void feed_other(tick_t now);

    bool tcp_;
    uint64_t other_window_, other_on_link_ = 0;
    Side sides_[2];
};
