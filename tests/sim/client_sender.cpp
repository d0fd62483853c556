// The sender's half of the client.
#include <algorithm>
#include <stdexcept>

#include "tests/sim/client.hpp"

namespace
{

constexpr uint32_t request_bytes = 10, input_bytes = 8, encodings_bytes = 60, fence_bytes = 10;
constexpr tick_t watch_every = TICK_S;

} // namespace

void Client::key(tick_t now)
{
    woken_ = woken_ || commands_.empty();
    commands_.push_back({false, now});
}

void Client::hide(bool on, tick_t now)
{
    scheduler_event e = core_event(EVENT_HIDDEN);

    e.hidden = on;
    tell_core(e, now);
    woken_ = true;
}

// Newer motion replaces what waits.
void Client::motion(tick_t now)
{
    woken_ = woken_ || commands_.empty();
    if (commands_.empty() || !commands_.back().motion)
        commands_.push_back({true, now});
}

// Whether all that is due may leave: all that was written before has left, or the policy does not
// look at that.
bool Client::room() const
{
    return scheduler_facts(&core_).unguarded || connection_.unsent(Way::up) == 0;
}

// Whether the sender still waits in the middle of writing. The watchdog looks on meanwhile.
bool Client::writes(tick_t now)
{
    if (writing_ && room())
        flush(now);
    if (writing_ && now >= next_watch_) {
        tell_core(EVENT_TIME, now);
        next_watch_ = now + watch_every;
    }
    return writing_;
}

// The sender's loop: what it does until it sleeps.
void Client::send(tick_t now)
{
    if (writes(now))
        return;
    if (held_ && room())
        woken_ = true;
    for (int turns = 0; woken_ || sleeping_until_ <= now; turns++) {
        if (turns == 100)
            throw std::logic_error("the sender does not come to rest");
        woken_ = false;
        measure_.woken(now);
        send_what_is_due(now);
        if (writing_)
            return;
        if (now >= next_watch_) {
            tell_core(EVENT_TIME, now);
            next_watch_ = now + watch_every;
        }
        sleeping_until_ = std::min(next_watch_, next_look(now));
    }
}

// When the scheduler wants to be looked at.
tick_t Client::next_look(tick_t now)
{
    tick_t at = scheduler_wait(&core_, now);

    if (at > now || scheduler_next(&core_).at <= now)
        return at;
    tell_core(EVENT_TIME, now);
    return scheduler_wait(&core_, now);
}

void Client::gather_input(tick_t now)
{
    scheduler_event e = core_event(EVENT_INPUT_SENT);

    if (commands_.empty())
        return;
    for (const Command &c : commands_) {
        ClientMessage m;

        m.type = c.motion ? ClientMessage::motion : ClientMessage::key;
        m.bytes = input_bytes;
        m.pressed = c.at;
        out_.push_back(m);
        e.acts = e.acts || !c.motion;
    }
    commands_.clear();
    tell_core(e, now);
}

void Client::tell_encodings(tick_t now)
{
    ClientMessage m;

    told_ = wanted(now);
    m.type = ClientMessage::encodings;
    m.bytes = encodings_bytes;
    m.step = told_.step;
    m.lossless = told_.lossless;
    m.listed = told_.push;
    out_.push_back(m);
    measure_.step(told_.step, now);
}

// The order is that of send_what_is_due() in sender.c.
void Client::send_what_is_due(tick_t now)
{
    bool room = this->room();
    bool motion = !room && commands_.size() == 1 && commands_[0].motion;

    if (room && scheduler_blocked(&core_))
        tell_core(EVENT_ROOM, now);
    if (!motion)
        gather_input(now);
    for (uint64_t number : fences_) {
        ClientMessage m;

        m.type = ClientMessage::fence;
        m.bytes = fence_bytes;
        m.number = number;
        out_.push_back(m);
    }
    fences_.clear();
    if (room && untold(now))
        tell_encodings(now);
    if (room && push_.enable_due) {
        ClientMessage m;

        m.type = ClientMessage::push;
        push_.enable_due = false;
        out_.push_back(m);
    }

    struct scheduler_next next = scheduler_next(&core_);
    if (next.at <= now && room)
        request(next.cause, now);
    else if (next.at <= now)
        skip(next.cause, now);
    held_ = !room && (motion || scheduler_blocked(&core_) || untold(now) || push_.enable_due);
    flush(now);
}

void Client::skip(request_cause cause, tick_t now)
{
    scheduler_event e = core_event(EVENT_REQUEST_SKIPPED);

    e.cause = cause;
    tell_core(e, now);
    measure_.skipped();
}

void Client::request(request_cause cause, tick_t now)
{
    scheduler_event e = core_event(EVENT_REQUEST_SENT);
    ClientMessage m;

    if (cause == REQUEST_REFRESH) {
        refresh(now);
        return;
    }
    e.cause = cause;
    tell_core(e, now);
    measure_.request();
    m.whole = cause == REQUEST_FIRST;
    out_.push_back(m);
}

void Client::refresh(tick_t now)
{
    scheduler_event e = core_event(EVENT_REFRESH_SENT);
    ClientMessage m;
    bool any = lossy_take(&lossy_, scheduler_refresh_pixels(&core_), now, &m.area);

    if (any)
        e.pixels = uint64_t(m.area.w) * uint64_t(m.area.h);
    tell_core(e, now);
    if (!any)
        return;
    measure_.request();
    if (untold(now))
        tell_encodings(now);
    m.type = ClientMessage::refresh;
    out_.push_back(m);
}

// One write. It waits until there is room.
void Client::flush(tick_t now)
{
    uint32_t bytes = 0;

    writing_ = !out_.empty() && !room();
    if (out_.empty() || writing_)
        return;
    for (ClientMessage &m : out_) {
        bytes += m.bytes;
        talk_.up.push_back(std::move(m));
    }
    connection_.write(Way::up, bytes, out_.size(), now);
    out_.clear();
}
