#include "tests/sim/client.hpp"

#include <algorithm>
#include <stdexcept>

namespace
{

// Longer than a host waits before it acknowledges a small message, as in pacing.c.
constexpr double delayed_ack_ms = 50;
// Bytes: the receiver asks the kernel after so many, not for each rectangle.
constexpr uint64_t told_every = 12000;
constexpr int screen_width = 1024, screen_height = 768;

} // namespace

Client::Client(const Scenario &s, const scheduler_options &options, Connection &connection,
               Talk &talk, Measure &measure, tick_t now)
    : connection_(connection), talk_(talk), measure_(measure), rtt_ms_(s.rtt_ms),
      decode_ms_(s.decode_ms), tcp_(s.tcp), refreshes_(options.lossless_refresh)
{
    scheduler_init(&core_, &options);
    push_init(&push_, s.push);
    tell_round_trip(now);
    told_ = wanted(now);
    tell_encodings(now);
    flush(now);
    if (refreshes_ && !lossy_resize(&lossy_, screen_width, screen_height))
        throw std::bad_alloc();
    tell_core(EVENT_NEW_PICTURE, now);
    next_watch_ = sleeping_until_ = now;
}

Client::~Client()
{
    lossy_deinit(&lossy_);
}

void Client::tell_core(const scheduler_event &e, tick_t now)
{
    scheduler_tell(&core_, &e, now);
    if (watcher_)
        watcher_(e, now);
}

Client::Told Client::wanted(tick_t now) const
{
    return {scheduler_quality(&core_, now), scheduler_refreshing(&core_), push_listed(&push_)};
}

tick_t Client::next() const
{
    return std::min(decoded_at_, writing_ ? next_watch_ : sleeping_until_);
}

void Client::step(tick_t now)
{
    Segment s;

    while (connection_.take(Way::down, s))
        ; // arrived() counts it
    while (receive(now))
        if (woken_)
            send(now);
    send(now);
}

// ---- the receiver ----

// Wakes the sender if the scheduler wants something sooner than it would look.
void Client::look(tick_t now)
{
    if (!held_ && (scheduler_next(&core_).at < sleeping_until_ || untold(now)))
        woken_ = true;
}

// Reads on. False: it has to wait for bytes, or for the decoder.
bool Client::receive(tick_t now)
{
    if (talk_.down.empty() || connection_.arrived(Way::down) <= message_at_)
        return false;

    const ServerMessage &m = talk_.down.front();
    uint64_t end = message_at_ + m.bytes;

    if (m.type == ServerMessage::update) {
        if (read_update(m, now))
            return false;
        read_ = end;
        update_finished(m, now);
    } else {
        if (connection_.arrived(Way::down) < end)
            return false;
        read_ = end;
        if (m.type == ServerMessage::fence)
            fence(m, now);
        else
            may_push(m, now);
    }
    if (waiting() == 0)
        tell_core(EVENT_RAN_DRY, now);
    begun_ = false;
    message_at_ = end;
    talk_.down.pop_front();
    return true;
}

// True while the update is not complete.
bool Client::read_update(const ServerMessage &u, tick_t now)
{
    if (!begun_) {
        begun_ = true;
        rectangle_ = 0;
        rectangle_end_ = message_at_;
        update_begun(now);
        show_kind(u, now);
    }
    while (rectangle_ < u.rectangles.size()) {
        const ServerMessage::Rectangle &r = u.rectangles[rectangle_];

        if (decoded_at_ == TICK_NEVER) {
            if (connection_.arrived(Way::down) < rectangle_end_ + r.bytes)
                return true;
            rectangle_end_ += r.bytes;
            decoded_at_ = now + tick_from_ms(decode_ms_ / double(u.rectangles.size()));
        }
        if (decoded_at_ > now)
            return true;
        decoded_at_ = TICK_NEVER;
        rectangle_++;
        rectangle(r, now);
    }
    return false;
}

// `taken`: bytes that have been read.
void Client::tell_arrived(uint64_t taken, tick_t now)
{
    scheduler_event e = core_event(EVENT_ARRIVED);

    told_at_ = taken;
    e.arrived = connection_.arrived(Way::down);
    tell_core(e, now);
}

void Client::update_begun(tick_t now)
{
    update_begun_ = now;
    news_ = again_with_loss_ = false;
    tell_core(EVENT_UPDATE_BEGUN, now);
    tell_arrived(message_at_, now);
    look(now);
}

// The first rectangle may be one that tells who the server is.
void Client::show_kind(const ServerMessage &u, tick_t now)
{
    scheduler_event e = core_event(EVENT_SERVER_KIND);

    e.counts = u.kind == ServerMessage::counts;
    if (u.kind != ServerMessage::hidden)
        tell_core(e, now);
}

void Client::rectangle(const ServerMessage::Rectangle &r, tick_t now)
{
    bool asked = lossy_asked_for(&lossy_, r.area);

    if (rectangle_end_ - told_at_ >= told_every)
        tell_arrived(rectangle_end_, now);
    news_ = news_ || !asked;
    if (!asked || lossy_answers(&lossy_, update_begun_ - scheduler_facts(&core_).round_trip)) {
        again_with_loss_ = again_with_loss_ || (asked && r.jpeg);
        lossy_drawn(&lossy_, r.area, r.jpeg);
    }
    look(now);
}

void Client::tell_round_trip(tick_t now)
{
    double ms = rtt_ms_;
    scheduler_event e = core_event(EVENT_ROUND_TRIP);

    if (tcp_ && connection_.smallest_round_trip() > 0)
        ms = std::max(connection_.smallest_round_trip() / 1e6,
                      connection_.smoothed_round_trip() / 1e6 - delayed_ack_ms);
    e.round_trip = tick_from_ms(ms);
    if (ms > 0)
        tell_core(e, now);
}

// The order is that of tell_update() in pacing.c.
void Client::tell_update(uint64_t bytes, tick_t now)
{
    scheduler_event update = core_event(EVENT_UPDATE_FINISHED), loss = core_event(EVENT_LOSS);
    bool news;

    update.update = {true, push_more(&push_, int(waiting())), news_, bytes};
    tell_arrived(read_, now);
    tell_round_trip(now);
    tell_core(update, now);
    news = scheduler_had_news(&core_);
    if (news)
        lossy_give_up(&lossy_);
    else
        lossy_answered(&lossy_, update_begun_ - scheduler_facts(&core_).round_trip);
    loss.loss = {lossy_pixels(&lossy_), lossy_.asked > 0, again_with_loss_ && !news};
    tell_core(loss, now);
}

void Client::update_finished(const ServerMessage &u, tick_t now)
{
    tell_update(read_ - used_, now);
    used_ = read_;
    push_update(&push_);
    look(now);
    measure_.update(u, now);
    if (u.frame)
        shown_ = u.drawn;
    if (refreshes_ && !lossy_any(&lossy_) && lossy_.asked == 0)
        measure_.clean(shown_, now);
}

void Client::fence(const ServerMessage &m, tick_t now)
{
    const uint8_t nothing = 0;

    if (!push_fence(&push_, FENCE_REQUEST, &nothing, m.announces ? 0 : 1))
        return;
    fences_.push_back(m.number);
    woken_ = true;
}

void Client::may_push(const ServerMessage &m, tick_t now)
{
    scheduler_event e = core_event(EVENT_PUSH);

    push_ended(&push_);
    e.pushed = push_.state == PUSH_ON;
    tell_core(e, now);
    woken_ = true;
}
