#include "tests/sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace
{

constexpr uint32_t segment = 1460, overhead = 40;
constexpr uint32_t request_bytes = 10, key_bytes = 16, encodings_bytes = 60;
enum cookie : uint64_t { middle = 0, first = 1, last = 2 }; // down
// Up; above these bits: when a key was pressed, which step of quality is wanted.
enum message : uint64_t { request, key, encodings };
constexpr unsigned message_bits = 2;
constexpr double whole_picture = 20000; // at least
constexpr tick_t tick_short = 30 * TICK_MS, tick_more = 50 * TICK_MS, tick_long = 3 * TICK_S;

linkem_config one_way(const Scenario &s, uint64_t seed)
{
    linkem_config c{};

    c.delay = tick_from_ms(s.rtt_ms / 2);
    c.jitter = tick_from_ms(s.jitter_ms);
    c.seed = seed;
    return c;
}

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[size_t(share * double(values.size() - 1) + 0.5)];
}

} // namespace

Simulation::Simulation(const Scenario &s)
    : scenario_(s), up_config_(one_way(s, s.seed)), down_config_(one_way(s, s.seed + 1)),
      frame_at_(now_), tick_(tick_short)
{
    down_config_.rate = uint64_t(s.rate_mbit * 1e6);
    if (!linkem_queue_init(&up_, &up_config_) || !linkem_queue_init(&down_, &down_config_))
        throw std::invalid_argument("no such link");
    scheduler_options options = core_options(s.policy, s.prp_ms);
    scheduler_init(&client_, &options);
    tell_round_trip(client_, s.rtt_ms, now_);
    tell(client_, EVENT_NEW_PICTURE, now_);
}

Simulation::~Simulation()
{
    linkem_queue_deinit(&up_);
    linkem_queue_deinit(&down_);
}

void Simulation::set_rate(double mbit)
{
    down_config_.rate = uint64_t(mbit * 1e6);
    linkem_queue_change(&down_, &down_config_, now_);
}

void Simulation::set_rtt(double ms)
{
    scenario_.rtt_ms = ms;
    up_config_.delay = down_config_.delay = tick_from_ms(ms / 2);
    linkem_queue_change(&up_, &up_config_, now_);
    linkem_queue_change(&down_, &down_config_, now_);
}

void Simulation::send_request()
{
    request_cause cause = scheduler_next(&client_).cause;

    linkem_queue_put(&up_, request_bytes + overhead, request, now_);
    tell_request(client_, EVENT_REQUEST_SENT, cause, now_);
    requests_++;
}

void Simulation::input()
{
    linkem_queue_put(&up_, key_bytes + overhead, key | uint64_t(now_) << message_bits, now_);
    tell_input(client_, true, now_);
}

void Simulation::tell_quality()
{
    int wanted = scheduler_quality(&client_, now_);

    if (wanted == told_)
        return;
    told_ = wanted;
    linkem_queue_put(&up_, encodings_bytes + overhead, encodings | uint64_t(told_) << message_bits,
                     now_);
}

// ---- the server ----

// Room in the socket: what the line has not taken yet waits there.
bool Simulation::may_write()
{
    uint64_t waiting = linkem_queue_backlog(&down_, now_);

    if (double(waiting) < scenario_.buffer_bytes)
        return true;
    look_at_ = now_ + TICK_MS;
    return false;
}

void Simulation::read_messages()
{
    linkem_packet p;

    if (scenario_.server == ServerModel::blocking && !may_write())
        return;
    while (linkem_queue_take(&up_, now_, &p)) {
        auto value = int64_t(p.cookie >> message_bits);
        switch (p.cookie & ((1U << message_bits) - 1)) {
        case request:
            asked_++;
            break;
        case key:
            if (effect_at_ == TICK_NEVER) {
                pressed_ = tick_t(value);
                effect_at_ = now_ + tick_from_ms(scenario_.effect_ms);
            }
            tick_ = tick_short;
            break;
        default:
            step_ = int(value);
        }
        if (scenario_.server == ServerModel::blocking) {
            if (linkem_queue_next_due(&up_) <= now_)
                look_at_ = now_; // the rest in later rounds
            break;
        }
    }
}

void Simulation::draw()
{
    if (effect_at_ <= now_) {
        effect_at_ = TICK_NEVER;
        effect_ = std::min(effect_, pressed_);
        dirty_ = true;
    }
    if (frame_at_ > now_)
        return;
    if (scenario_.moving(tick_to_s(now_ - TICK_S))) {
        if (!dirty_ && scenario_.defer_ms > 0)
            look_at_ = now_ + tick_from_ms(scenario_.defer_ms);
        dirty_ = true;
        drawn_ = frame_at_;
    }
    frame_at_ += tick_from_ms(1000 / scenario_.fps);
}

void Simulation::send_update()
{
    double smaller = scenario_.lossy ? std::pow(scenario_.step, step_) : 1;
    double size = scenario_.update_bytes * smaller * scenario_.scale(tick_to_s(now_ - TICK_S));
    if (updates_.empty())
        size = std::max(size, whole_picture);
    auto left = uint32_t(std::max(1L, std::lround(size)));
    uint64_t mark = first;

    updates_.push_back({encoding_.drawn, encoding_.pressed, left});
    while (left > 0) {
        uint32_t part = std::min(left, segment);
        left -= part;
        linkem_queue_put(&down_, part + overhead, mark | (left == 0 ? uint64_t(last) : 0), now_);
        mark = middle;
    }
}

void Simulation::server()
{
    read_messages();
    draw();
    if (encoded_at_ <= now_) {
        encoded_at_ = TICK_NEVER;
        send_update();
    }
    if (look_at_ > now_ || encoded_at_ != TICK_NEVER)
        return;
    if (scenario_.server == ServerModel::ticking) {
        tick_ = asked_ && dirty_ ? std::max(tick_ / 2, tick_short)
                                 : std::min(tick_ + tick_more, tick_long);
        look_at_ = now_ + tick_;
    }
    if (!asked_ || !dirty_ || !may_write())
        return;
    asked_ = scenario_.server == ServerModel::counting ? asked_ - 1 : 0;
    dirty_ = false;
    encoding_ = {drawn_, effect_, 0};
    effect_ = TICK_NEVER;
    encoded_at_ = now_ + tick_from_ms(scenario_.encode_ms);
}

// ---- the client ----

void Simulation::shown(const Update &u)
{
    shown_++;
    if (first_update_ == TICK_NEVER)
        first_update_ = now_;
    else
        gap_max_ = std::max(gap_max_, now_ - last_update_);
    last_update_ = now_;
    ages_.push_back(tick_to_ms(now_ - u.drawn));
    if (u.pressed != TICK_NEVER)
        responses_.push_back(tick_to_ms(now_ - u.pressed));
}

void Simulation::receive()
{
    linkem_packet p;

    if (decoded_at_ <= now_) {
        const Update &u = updates_[arriving_++];
        scheduler_update done = {true, linkem_queue_next_due(&down_) <= now_, true, u.bytes};

        decoded_at_ = TICK_NEVER;
        received_ += u.bytes;
        tell_round_trip(client_, scenario_.rtt_ms, now_);
        tell_finished(client_, done, now_);
        shown(u);
    }
    // one update at a time: the next waits in the socket until this one is shown
    while (decoded_at_ == TICK_NEVER && linkem_queue_take(&down_, now_, &p)) {
        if (p.cookie & first)
            tell(client_, EVENT_UPDATE_BEGUN, now_);
        arrived_ += p.bytes - overhead;
        tell_arrived(client_, arrived_, now_);
        if (p.cookie & last)
            decoded_at_ = now_ + tick_from_ms(scenario_.decode_ms);
    }
}

// ---- time ----

tick_t Simulation::next() const
{
    // packets that wait for the decoder, or for a server that is blocked, lie in the past
    tick_t down = decoded_at_ == TICK_NEVER ? linkem_queue_next_due(&down_) : TICK_NEVER;
    tick_t up = linkem_queue_next_due(&up_);

    if (up <= now_)
        up = TICK_NEVER;
    return std::max(now_,
                    std::min({scheduler_next(&client_).at, up, down, frame_at_, encoded_at_,
                              decoded_at_, effect_at_, look_at_ > now_ ? look_at_ : TICK_NEVER}));
}

void Simulation::step()
{
    tick_t look = look_at_;

    server();
    while (look_at_ == now_ && look_at_ != look) { // a round after another
        look = TICK_NEVER;
        look_at_ = 0;
        server();
    }
    receive();
    tell_quality();
    if (scheduler_next(&client_).at <= now_)
        send_request();
}

Figures Simulation::run(double seconds, double press_every)
{
    tick_t start = now_, end = start + tick_t(seconds * 1e9);
    tick_t press = press_every > 0 ? start + tick_t(press_every * 0.37e9) : TICK_NEVER;
    uint64_t received = received_;
    Figures f;

    shown_ = requests_ = 0;
    first_update_ = TICK_NEVER;
    gap_max_ = 0;
    ages_.clear();
    responses_.clear();
    for (;;) {
        tick_t at = std::min(next(), press);
        if (at >= end)
            break;
        now_ = at;
        if (press <= now_) {
            input();
            press += tick_t(press_every * 1e9);
        }
        step();
    }
    now_ = end;
    f.fps = shown_ / seconds;
    f.requests = requests_ / seconds;
    f.per_update = shown_ ? double(requests_) / shown_ : 0;
    if (first_update_ != TICK_NEVER)
        f.first_ms = tick_to_ms(first_update_ - start);
    f.gap_max_ms = tick_to_ms(gap_max_);
    f.age_p50 = quantile(ages_, 0.5);
    f.age_p95 = quantile(ages_, 0.95);
    f.response_p50 = quantile(responses_, 0.5);
    f.response_p95 = quantile(responses_, 0.95);
    if (down_config_.rate)
        f.utilisation = double(received_ - received) * 8 / seconds / double(down_config_.rate);
    return f;
}

double Simulation::prp_ms() const
{
    return tick_to_ms(scheduler_prp(&client_, now_));
}
