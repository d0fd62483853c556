#include "tests/sim/simulation.hpp"

#include <algorithm>
#include <stdexcept>

namespace
{

uint64_t bits(double mbit)
{
    return uint64_t(mbit * 1e6);
}

linkem_config one_way(const Scenario &s, double mbit, uint64_t seed)
{
    linkem_config c{};

    c.rate = bits(mbit);
    c.delay = tick_from_ms(s.rtt_ms / 2);
    c.jitter = tick_from_ms(s.jitter_ms);
    c.loss = s.loss;
    c.burst_p = s.burst_p;
    c.burst_r = s.burst_r;
    c.burst_loss = s.burst_p > 0 ? 0.5 : 0;
    c.seed = seed;
    return c;
}

linkem_config down_link(const Scenario &s)
{
    linkem_config c = one_way(s, s.rate_mbit, s.seed + 1);

    c.queue_bytes = uint64_t(s.queue_ms / 1e3 * s.rate_mbit * 1e6 / 8);
    return c;
}

scheduler_options with(scheduler_options o, const Scenario &s)
{
    o.policy = s.policy;
    o.fixed_prp = tick_from_ms(s.prp_ms);
    o.lossless_refresh = o.lossless_refresh || s.refresh;
    return o;
}

} // namespace

Simulation::Simulation(const Scenario &s, const scheduler_options &extras)
    : up_(one_way(s, s.up_mbit, s.seed)), down_(down_link(s)),
      connection_(up_, down_, s.tcp, s.other_bytes), server_(s, connection_, talk_, now_),
      client_(s, with(extras, s), connection_, talk_, measure_, now_)
{
}

void Simulation::set_rate(double mbit)
{
    down_.rate = bits(mbit);
    connection_.change(Way::down, down_, now_);
    measure_.rate(double(down_.rate), now_);
}

void Simulation::set_up_rate(double mbit)
{
    up_.rate = bits(mbit);
    connection_.change(Way::up, up_, now_);
}

void Simulation::set_rtt(double ms)
{
    client_.set_rtt(ms);
    up_.delay = down_.delay = tick_from_ms(ms / 2);
    connection_.change(Way::up, up_, now_);
    connection_.change(Way::down, down_, now_);
}

void Simulation::input()
{
    client_.key(now_);
}

void Simulation::motion()
{
    client_.motion(now_);
}

void Simulation::hide(bool on)
{
    client_.hide(on, now_);
}

void Simulation::at(double seconds, std::function<void(Simulation &)> what)
{
    script_.emplace(beginning + tick_t(seconds * 1e9), std::move(what));
}

tick_t Simulation::next() const
{
    tick_t script = script_.empty() ? TICK_NEVER : script_.begin()->first;

    return std::max(now_,
                    std::min({script, connection_.next(), server_.next(now_), client_.next()}));
}

void Simulation::step()
{
    while (!script_.empty() && script_.begin()->first <= now_) {
        auto what = std::move(script_.begin()->second);

        script_.erase(script_.begin());
        what(*this);
    }
    connection_.advance(now_);
    server_.step(now_);
    client_.step(now_);
}

Figures Simulation::run(double seconds, double press_every)
{
    tick_t start = now_, end = start + tick_t(seconds * 1e9);
    tick_t press = press_every > 0 ? start + tick_t(press_every * 0.37e9) : TICK_NEVER;
    unsigned turns = 0;

    measure_.begin(now_, scheduler_quality(&client(), now_), double(down_.rate));
    for (;;) {
        tick_t at = std::min(next(), press);

        if (at >= end)
            break;
        turns = at == now_ ? turns + 1 : 0;
        if (turns > 100000)
            throw std::logic_error("time stands still");
        now_ = at;
        if (press <= now_) {
            client_.key(now_);
            press += tick_t(press_every * 1e9);
        }
        step();
    }
    now_ = end;
    return measure_.end(now_);
}

double Simulation::prp_ms() const
{
    return tick_to_ms(scheduler_prp(&client()));
}
