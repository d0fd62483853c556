#include "tests/sim/figures.hpp"

#include <algorithm>

namespace
{

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[size_t(share * double(values.size() - 1) + 0.5)];
}

// Not known: -1
double ms_or_unknown(tick_t t)
{
    return t < 0 ? -1 : tick_to_ms(t);
}

} // namespace

void Measure::begin(tick_t now, int step, double rate)
{
    // what was clean before is not news in this part
    tick_t last = last_, cleaned = cleaned_;

    *this = Measure();
    start_ = passed_ = now;
    step_ = step;
    rate_ = rate;
    last_ = last;
    cleaned_ = cleaned;
}

// What lasts is counted up to now.
void Measure::pass(tick_t now)
{
    steps_ += double(step_) * double(now - passed_);
    room_ += rate_ * tick_to_s(now - passed_);
    passed_ = now;
}

void Measure::step(int step, tick_t now)
{
    pass(now);
    step_ = step;
}

void Measure::rate(double rate, tick_t now)
{
    pass(now);
    rate_ = rate;
}

void Measure::update(const ServerMessage &u, tick_t now)
{
    received_ += u.bytes;
    updates_++;
    if (u.pressed != TICK_NEVER)
        responses_.push_back(tick_to_ms(now - u.pressed));
    if (!u.frame)
        return;
    if (frames_++ == 0)
        first_ = now;
    if (u.began != TICK_NEVER)
        start_most_ = std::max(start_most_, now - u.began);
    if (u.follows)
        gap_most_ = std::max(gap_most_, now - last_);
    last_ = now;
    ages_.push_back(tick_to_ms(now - u.drawn));
}

void Measure::clean(tick_t drawn, tick_t now)
{
    if (drawn == cleaned_)
        return;
    cleaned_ = drawn;
    clean_most_ = std::max(clean_most_, now - drawn);
}

Figures Measure::end(tick_t now)
{
    double seconds = tick_to_s(now - start_);
    unsigned woken = 0;
    Figures f;

    pass(now);
    f.fps = frames_ / seconds;
    f.requests = requests_ / seconds;
    f.per_update = updates_ ? double(requests_) / updates_ : 0;
    if (first_ != TICK_NEVER)
        f.first_ms = tick_to_ms(first_ - start_);
    f.start_ms = ms_or_unknown(start_most_);
    f.gap_max_ms = tick_to_ms(gap_most_);
    f.age_p50 = quantile(ages_, 0.5);
    f.age_p95 = quantile(ages_, 0.95);
    f.response_p50 = quantile(responses_, 0.5);
    f.response_p95 = quantile(responses_, 0.95);
    if (room_ > 0)
        f.utilisation = received_ * 8 / room_;
    f.step = steps_ / double(now - start_);
    for (auto [second, count] : wakeups_) {
        woken += count;
        f.wakeups_max = std::max(f.wakeups_max, double(count));
    }
    f.wakeups = woken / seconds;
    f.skipped = skipped_ / seconds;
    f.lossless_ms = ms_or_unknown(clean_most_);
    return f;
}
