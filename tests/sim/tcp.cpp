#include "tests/sim/tcp.hpp"

#include <algorithm>

namespace
{

constexpr double window_first = 10, window_least = 2;
// A packet is lost when so many that were sent later have arrived.
constexpr uint64_t later = 3;
constexpr double ms = 1e6;

} // namespace

void TcpSender::write(const Segment &s)
{
    unsent_.push_back(s);
    unsent_bytes_ += s.bytes;
}

bool TcpSender::may_send() const
{
    return (!again_.empty() || !unsent_.empty()) && double(in_flight()) < std::max(window_, 1.0);
}

double TcpSender::timeout_after() const
{
    return smoothed_ + std::max(200 * ms, smoothed_ / 2);
}

Segment TcpSender::take(tick_t now)
{
    if (in_flight() == 0)
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
    (dropped ? lost_ : flight_).push_back({packets_++, now, s});
    flight_bytes_ += s.bytes;
    last_sent_ = now;
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
    size_t before = in_flight(), count = 0;

    for (; !flight_.empty() && flight_.front().packet <= packet; flight_.pop_front(), count++) {
        flight_bytes_ -= flight_.front().segment.bytes;
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
