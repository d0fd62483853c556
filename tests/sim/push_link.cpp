// The link of a simulated far end, which changes (push_simulation.hpp).
#include "tests/sim/push_simulation.hpp"

void PushSimulation::set_rate(double mbit)
{
    s_.rate_mbit = mbit;
    down_.rate = uint64_t(mbit * 1e6);
    change_down();
}

void PushSimulation::set_round_trip(double ms)
{
    linkem_config up = up_;

    s_.rtt_ms = ms;
    up.delay = up_.delay = down_.delay = tick_from_ms(ms / 2);
    up.loss = 0;
    up.reorder = true;
    datagrams_->change(Way::up, up, now_);
    change_down();
}

void PushSimulation::change_down()
{
    if (datagrams_) {
        linkem_config c = down_;

        c.loss = 0;
        c.reorder = true;
        datagrams_->change(Way::down, c, now_);
        return;
    }
    connection_.change(Way::down, down_, now_);
}
