#include "tests/sim/cubic.hpp"

#include <algorithm>
#include <cmath>

namespace
{

constexpr double scale = 0.4, reduced = 0.7;
constexpr uint64_t later = 3;

} // namespace

void CubicFlow::start(tick_t now)
{
    uint64_t next = next_;

    *this = CubicFlow();
    next_ = recovers_ = next;
    on_ = true;
    heard_ = now;
}

uint64_t CubicFlow::send(tick_t now)
{
    if (out_.empty())
        heard_ = now;
    out_.push_back({next_, now});
    return next_++;
}

void CubicFlow::grow(tick_t now)
{
    if (window_ < threshold_) {
        window_++;
        return;
    }
    if (epoch_ == TICK_NEVER) {
        epoch_ = now;
        reno_ = window_;
        most_ = std::max(most_, window_);
    }
    double k = std::cbrt(most_ * (1 - reduced) / scale);
    double t = tick_to_s(now - epoch_) + smoothed_ / 1e9 - k;
    double target = std::clamp(scale * t * t * t + most_, window_, 1.5 * window_);

    reno_ += (reno_ < most_ ? 3 * (1 - reduced) / (1 + reduced) : 1) / window_;
    window_ = std::max(reno_, window_ + (target - window_) / window_);
}

void CubicFlow::reduce(tick_t now)
{
    most_ = window_ < most_ ? window_ * (1 + reduced) / 2 : window_;
    window_ = threshold_ = std::max(2.0, reduced * window_);
    recovers_ = next_;
    epoch_ = TICK_NEVER;
    heard_ = now;
}

void CubicFlow::acknowledged(uint64_t number, tick_t now)
{
    auto it =
        std::find_if(out_.begin(), out_.end(), [&](const Out &o) { return o.number >= number; });

    if (it == out_.end() || it->number != number)
        return;
    auto rtt = double(now - it->sent);
    smoothed_ = smoothed_ > 0 ? smoothed_ + (rtt - smoothed_) / 8 : rtt;
    heard_ = now;
    // it grows only while it is used
    if (number >= recovers_ && double(out_.size()) >= window_ - 2)
        grow(now);
    out_.erase(it);
    while (!out_.empty() && out_.front().number + later <= number) {
        bool again = out_.front().number < recovers_;

        out_.pop_front();
        if (!again)
            reduce(now);
    }
}

tick_t CubicFlow::timer() const
{
    return out_.empty() ? TICK_NEVER : heard_ + tick_t(smoothed_ > 0 ? 2 * smoothed_ + 2e8 : 1e9);
}

void CubicFlow::timeout(tick_t now)
{
    if (timer() > now)
        return;
    out_.clear();
    reduce(now);
    window_ = 2;
}
