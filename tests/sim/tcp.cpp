#include "tests/sim/tcp.hpp"

#include <algorithm>

namespace
{

constexpr uint32_t full = 1448; // bytes
constexpr double window_first = 10, window_least = 2;
// A packet is lost when so many that were sent later have arrived.
constexpr uint64_t later = 3;
constexpr double pace_first = 2.89, pace_later = 1.25;
constexpr double ms = 1e6;

} // namespace

void TcpSender::write(const Segment &s)
{
    unsent_.push_back(s);
    unsent_bytes_ += s.bytes;
}

bool TcpSender::room() const
{
    return (!again_.empty() || !unsent_.empty()) && double(in_flight_) < std::max(window_, 1.0);
}

bool TcpSender::fits(tick_t now) const
{
    return together_ && again_.empty() && !unsent_.empty() && last_sent_ == now &&
           unsent_.front().bytes <= rest_;
}

bool TcpSender::may_send(tick_t now) const
{
    return fits(now) || (room() && pace_due_ <= now);
}

tick_t TcpSender::pace_due() const
{
    return room() ? pace_due_ : TICK_NEVER;
}

double TcpSender::timeout_after() const
{
    return smoothed_ + std::max(200 * ms, smoothed_ / 2);
}

Segment TcpSender::take(tick_t now)
{
    if (in_flight_ == 0 && paced_ == 0)
        for (double rest = double(now - last_sent_) - timeout_after();
             rest > 0 && window_ > window_first; rest -= timeout_after())
            window_ = std::max(window_ / 2, window_first);

    auto &from = again_.empty() ? unsent_ : again_;
    Segment s = from.front();
    from.pop_front();
    unsent_bytes_ -= s.bytes;
    return s;
}

void TcpSender::sent(const Segment &s, bool dropped, tick_t now)
{
    bool same = together_ && last_sent_ == now && s.bytes <= rest_;

    (dropped ? lost_ : flight_).push_back({packets_++, now, s, !same});
    flight_bytes_ += s.bytes;
    in_flight_ += !same;
    rest_ = (same ? rest_ : std::max(full, s.bytes)) - s.bytes;
    last_sent_ = now;
    if (paced_ > 0 && !same) {
        // in slow start half of the window is what the last round trip delivered
        bool starts = window_ < threshold_;
        double delivered = starts ? std::max(window_ / 2, window_first) : window_;

        pace_due_ = std::max(pace_due_, now) +
                    tick_t(paced_ / delivered / (starts ? pace_first : pace_later));
    }
}

void TcpSender::measure(tick_t round_trip)
{
    auto sample = double(round_trip);

    smoothed_ = smoothed_ > 0 ? smoothed_ + (sample - smoothed_) / 8 : sample;
    smallest_ = smallest_ > 0 ? std::min(smallest_, sample) : sample;
    round_smallest_ = std::min(round_smallest_, sample);
}

// The window grows only while it is used.
void TcpSender::grow(size_t acknowledged, size_t in_flight)
{
    bool starts = window_ < threshold_;

    if (double(in_flight) < (starts ? window_ / 2 : window_ - 1))
        return;
    window_ += starts ? double(acknowledged) : double(acknowledged) / window_;
}

void TcpSender::acknowledged(uint64_t packet, tick_t now)
{
    size_t before = in_flight_, count = 0;

    for (; !flight_.empty() && flight_.front().packet <= packet; flight_.pop_front()) {
        flight_bytes_ -= flight_.front().segment.bytes;
        count += flight_.front().packets;
        in_flight_ -= flight_.front().packets;
        if (flight_.front().packet == packet)
            measure(now - flight_.front().sent);
    }
    if (packet >= round_end_) {
        double rise = std::clamp(smallest_ / 8, 4 * ms, 16 * ms);

        if (window_ < threshold_ && window_ >= 16 && round_smallest_ > smallest_ + rise)
            threshold_ = window_;
        round_smallest_ = 1e18;
        round_end_ = packets_;
    }
    grow(count, before);
    while (!lost_.empty() && lost_.front().packet + later <= packet) {
        notice(lost_.front(), now);
        lost_.pop_front();
    }
}

void TcpSender::notice(const Flight &lost, tick_t now)
{
    again_.push_back(lost.segment);
    unsent_bytes_ += lost.segment.bytes;
    flight_bytes_ -= lost.segment.bytes;
    in_flight_ -= lost.packets;
    if (lost.sent <= reduced_at_)
        return;
    window_ = threshold_ = std::max(window_ / 2, window_least);
    reduced_at_ = now;
}

tick_t TcpSender::timer() const
{
    // before anything is known, a second, as the standard says
    double after = smoothed_ > 0 ? 2 * smoothed_ + 10 * ms : 1000 * ms;

    return lost_.empty() ? TICK_NEVER : lost_.front().sent + tick_t(after);
}

void TcpSender::timeout(tick_t now)
{
    while (timer() <= now) {
        notice(lost_.front(), now);
        lost_.pop_front();
    }
}
