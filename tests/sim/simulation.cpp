#include "tests/sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace
{

constexpr uint32_t segment = 1460, overhead = 40, request_bytes = 10;
enum cookie : uint64_t { middle = 0, first = 1, last = 2 };

linkem_config one_way(const Scenario &s, uint64_t seed)
{
    linkem_config c{};

    c.rate = uint64_t(s.rate_mbit * 1e6);
    c.delay = tick_from_ms(s.rtt_ms / 2);
    c.jitter = tick_from_ms(s.jitter_ms);
    c.seed = seed;
    return c;
}

} // namespace

Simulation::Simulation(const Scenario &s) : scenario_(s), frame_at_(now_)
{
    linkem_config up = one_way(s, s.seed), down = one_way(s, s.seed + 1);

    if (!linkem_queue_init(&up_, &up) || !linkem_queue_init(&down_, &down))
        throw std::invalid_argument("no such link");
    scheduler_init(&client_, s.policy, tick_from_ms(s.prp_ms));
    scheduler_new_picture(&client_, now_);
}

Simulation::~Simulation()
{
    linkem_queue_deinit(&up_);
    linkem_queue_deinit(&down_);
}

tick_t Simulation::next() const
{
    return std::max(now_,
                    std::min({scheduler_due(&client_), linkem_queue_next_due(&up_),
                              linkem_queue_next_due(&down_), frame_at_, encoded_at_, decoded_at_}));
}

void Simulation::send_request()
{
    request_cause cause = scheduler_cause(&client_);

    linkem_queue_put(&up_, request_bytes + overhead, 0, now_);
    scheduler_request_sent(&client_, cause, now_);
    requests_++;
}

void Simulation::send_update()
{
    auto left = uint32_t(std::lround(scenario_.update_bytes));
    uint64_t mark = first;

    while (left > 0) {
        uint32_t part = std::min(left, segment);
        left -= part;
        linkem_queue_put(&down_, part + overhead, mark | (left == 0 ? uint64_t(last) : 0), now_);
        mark = middle;
    }
}

void Simulation::server()
{
    linkem_packet p;

    while (linkem_queue_take(&up_, now_, &p))
        asked_ = true; // one update answers all requests received so far
    if (frame_at_ <= now_) {
        dirty_ |= scenario_.moving(tick_to_s(now_ - TICK_S));
        frame_at_ += tick_from_ms(1000 / scenario_.fps);
    }
    if (encoded_at_ <= now_) {
        encoded_at_ = TICK_NEVER;
        send_update();
    }
    if (asked_ && dirty_ && encoded_at_ == TICK_NEVER) {
        asked_ = dirty_ = false;
        encoded_at_ = now_ + tick_from_ms(scenario_.encode_ms);
    }
}

void Simulation::receive()
{
    linkem_packet p;

    if (decoded_at_ <= now_) {
        decoded_at_ = TICK_NEVER;
        scheduler_update_finished(&client_, true, now_);
        updates_++;
        if (first_update_ == TICK_NEVER)
            first_update_ = now_;
        else
            gap_max_ = std::max(gap_max_, now_ - last_update_);
        last_update_ = now_;
    }
    // one update at a time: the next waits in the socket until this one is shown
    while (decoded_at_ == TICK_NEVER && linkem_queue_take(&down_, now_, &p)) {
        if (p.cookie & first)
            scheduler_update_begun(&client_, now_);
        if (p.cookie & last)
            decoded_at_ = now_ + tick_from_ms(scenario_.decode_ms);
    }
}

void Simulation::step()
{
    server();
    receive();
    if (scheduler_due(&client_) <= now_)
        send_request();
}

Figures Simulation::run(double seconds)
{
    tick_t start = now_, end = start + tick_t(seconds * 1e9);
    Figures f;

    updates_ = requests_ = 0;
    first_update_ = TICK_NEVER;
    gap_max_ = 0;
    for (;;) {
        // packets that wait for the decoder lie in the past: time moves on to something else
        tick_t at = next();
        if (at == now_ && decoded_at_ != TICK_NEVER && linkem_queue_next_due(&down_) <= now_)
            at = std::max(now_, std::min({scheduler_due(&client_), linkem_queue_next_due(&up_),
                                          frame_at_, encoded_at_, decoded_at_}));
        if (at >= end)
            break;
        now_ = at;
        step();
    }
    now_ = end;
    f.fps = updates_ / seconds;
    f.requests = requests_ / seconds;
    f.per_update = updates_ ? double(requests_) / updates_ : 0;
    if (first_update_ != TICK_NEVER)
        f.first_ms = tick_to_ms(first_update_ - start);
    f.gap_max_ms = tick_to_ms(gap_max_);
    return f;
}

void Simulation::input()
{
    scheduler_input_sent(&client_, now_);
}

double Simulation::prp_ms() const
{
    return tick_to_ms(scheduler_prp(&client_, now_));
}
