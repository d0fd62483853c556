// A path of datagrams in virtual time: it loses, reorders and duplicates.
//
// Each direction is a queue of tools/linkem. Packets are lost at random behind it, so what is lost
// has used the link, too. A policer in front of it drops what is more than its rate, after a burst
// of so many ms, and lets nothing wait.
//
// A download may share the way down (cubic.hpp), behind the policer.
#pragma once

#include <random>

#include "tests/sim/connection.hpp"
#include "tests/sim/cubic.hpp"

struct DatagramLoss {
    double loss = 0, duplicated = 0;        // probabilities, each way
    double policer_mbit = 0, burst_ms = 20; // on the way down; 0: none
    uint64_t seed = 1;
};

class DatagramPath
{
  public:
    // UDP over IPv4, and what seals it.
    static constexpr uint32_t overhead = 28 + 32;

    DatagramPath(const linkem_config &up, const linkem_config &down, const DatagramLoss &l);
    ~DatagramPath();
    DatagramPath(const DatagramPath &) = delete;
    DatagramPath &operator=(const DatagramPath &) = delete;

    void send(Way way, uint32_t bytes, uint64_t cookie, tick_t now);
    // The next one that has arrived.
    bool take(Way way, uint64_t &cookie, tick_t now);
    // When one may arrive.
    tick_t next() const;
    void set_loss(double loss)
    {
        loss_.loss = loss;
    }
    void change(Way way, const linkem_config &c, tick_t now);

    // The download begins, and ends.
    void start_other(tick_t now);
    void stop_other()
    {
        other_.stop();
    }
    // Bytes of it that have arrived.
    uint64_t other_arrived() const
    {
        return other_arrived_;
    }

  private:
    bool police(uint32_t bytes, tick_t now);
    bool happens(double probability);
    void pump_other(tick_t now);
    bool is_other(Way way, const linkem_packet &p, tick_t now);

    DatagramLoss loss_;
    linkem_queue link_[2];
    std::mt19937 random_;
    double tokens_ = 0; // bytes
    tick_t policed_;
    std::deque<uint64_t> twice_[2]; // that arrive once more
    CubicFlow other_;
    uint64_t other_arrived_ = 0;
};
