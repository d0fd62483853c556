#include "tests/sim/server.hpp"

#include <algorithm>
#include <cmath>

namespace
{

constexpr uint32_t segment = 1460;
constexpr int screen_width = 1024, screen_height = 768;
constexpr double whole_picture = 20000; // bytes, at least
constexpr double photograph = 2;        // bytes for a pixel without loss
constexpr double caret_bytes = 100, fence_bytes = 10;
constexpr rect caret = {16, 740, 2, 16}, typed = {32, 740, 8, 16};
constexpr tick_t tick_short = 30 * TICK_MS, tick_more = 50 * TICK_MS, tick_long = 3 * TICK_S;

tick_t after_ms(tick_t now, double ms)
{
    return now + tick_from_ms(ms);
}

} // namespace

Server::Server(const Scenario &s, Connection &connection, Talk &talk, tick_t now)
    : scenario_(s), connection_(connection),
      talk_(talk), film_{(screen_width - s.width) / 2, (screen_height - s.height) / 2, s.width,
                         s.height},
      frame_at_(after_ms(now, s.phase * 1000 / s.fps)),
      caret_at_(s.caret_ms > 0 ? after_ms(now, s.caret_ms) : TICK_NEVER), drawn_(now),
      tick_(tick_short)
{
    dirty_.film = dirty_.whole = true;
}

double Server::seconds(tick_t now) const
{
    return tick_to_s(now - beginning);
}

bool Server::waits(const Shows &s) const
{
    return s.film || s.effect || s.caret || s.whole || !s.again.empty();
}

// Room in the socket.
bool Server::may_write(tick_t now)
{
    double room = std::min(scenario_.buffer_bytes, connection_.room(Way::down));

    if (double(connection_.held(Way::down, now)) < room)
        return true;
    look_at_ = now + TICK_MS;
    return false;
}

// ---- what the client says ----

void Server::arrive()
{
    Segment s;

    // one write may hold several messages
    while (connection_.take(Way::up, s)) {
        for (uint64_t i = 0; i < s.cookie; i++) {
            inbox_.push_back(std::move(talk_.up.front()));
            talk_.up.pop_front();
        }
    }
}

// True when there are more to be read at once.
bool Server::read_messages(tick_t now)
{
    bool blocks = scenario_.server == ServerModel::blocking;

    if (blocks && !may_write(now))
        return false;
    while (!inbox_.empty()) {
        read(inbox_.front(), now);
        inbox_.pop_front();
        if (blocks)
            return !inbox_.empty();
    }
    return false;
}

void Server::read(const ClientMessage &m, tick_t now)
{
    switch (m.type) {
    case ClientMessage::request:
        asked_++;
        if (scenario_.hurries)
            look_at_ = now;
        dirty_.whole = dirty_.whole || m.whole;
        break;
    case ClientMessage::refresh:
        asked_++;
        dirty_.again.push_back(m.area);
        break;
    case ClientMessage::key:
        if (effect_at_ == TICK_NEVER) {
            pressed_ = m.pressed;
            effect_at_ = after_ms(now, scenario_.effect_ms);
        }
        tick_ = tick_short;
        break;
    case ClientMessage::motion:
        tick_ = tick_short;
        break;
    case ClientMessage::encodings:
        step_ = m.step;
        lossless_ = m.lossless;
        if (m.listed && !announced_)
            announce(now);
        break;
    case ClientMessage::fence:
        if (m.number > 0)
            congestion_.answered(now);
        break;
    case ClientMessage::push:
        pushes_ = true;
    }
}

// Fences are known, and updates can come without requests.
void Server::announce(tick_t now)
{
    ServerMessage m;

    announced_ = true;
    m.bytes = fence_bytes;
    m.announces = true;
    m.type = ServerMessage::fence;
    say(m, now);
    m.type = ServerMessage::end_of_updates;
    say(m, now);
}

// ---- the screen ----

void Server::draw(tick_t now)
{
    if (effect_at_ <= now) {
        effect_at_ = TICK_NEVER;
        effect_ = std::min(effect_, pressed_);
        dirty_.effect = true;
    }
    if (caret_at_ <= now) {
        dirty_.caret = true;
        caret_at_ = after_ms(caret_at_, scenario_.caret_ms);
    }
    if (frame_at_ > now)
        return;
    if (scenario_.moving(seconds(now))) {
        if (!waits(dirty_) && scenario_.defer_ms > 0)
            look_at_ = after_ms(now, scenario_.defer_ms);
        if (rests_)
            began_ = frame_at_;
        rests_ = false;
        dirty_.film = true;
        drawn_ = frame_at_;
    } else {
        rests_ = rested_ = true;
    }
    frame_at_ = after_ms(frame_at_, 1000 / scenario_.fps);
}

// ---- updates ----

bool Server::may_answer(tick_t now)
{
    if (!waits(dirty_))
        return false;
    if (pushes_ ? congestion_.full() && dirty_.again.empty() : asked_ == 0)
        return false;
    return may_write(now);
}

void Server::begin_update(tick_t now)
{
    asked_ = scenario_.server == ServerModel::counting && asked_ > 0 ? asked_ - 1 : 0;
    encoded_ = dirty_;
    encoding_ = {};
    if (scenario_.shows_kind)
        encoding_.kind = scenario_.server == ServerModel::counting ? ServerMessage::counts
                                                                   : ServerMessage::merges;
    encoding_.frame = dirty_.film;
    encoding_.drawn = drawn_;
    encoding_.pressed = effect_;
    if (encoding_.frame) {
        encoding_.follows = !rested_;
        encoding_.began = began_;
        rested_ = rests_;
        began_ = TICK_NEVER;
    }
    dirty_ = {};
    effect_ = TICK_NEVER;
    encoded_at_ = after_ms(now, scenario_.encode_ms);
}

void Server::add(const rect &area, bool jpeg, double bytes)
{
    auto size = uint32_t(std::max(1L, std::lround(bytes)));

    encoding_.rectangles.push_back({area, jpeg, size});
    encoding_.bytes += size;
}

// What moves: as many rectangles as Scenario says, fewer of what is small.
void Server::add_film(tick_t now)
{
    double scale = scenario_.scale(seconds(now));
    double smaller = scenario_.lossy ? std::pow(scenario_.step, step_) : 1;
    double size = scenario_.update_bytes * smaller * scale;
    int height = std::clamp(int(film_.h * scale), 1, film_.h);
    bool jpeg = scenario_.lossy && !lossless_;

    if (scenario_.lossy && lossless_)
        size = std::max(size, photograph * film_.w * height);
    if (encoded_.whole)
        size = std::max(size, whole_picture);

    int parts = std::clamp(int(size / 2000) + 1, 1, int(scenario_.rectangles));
    parts = std::min(parts, height);
    for (int i = 0, y = 0; i < parts; i++) {
        int below = height * (i + 1) / parts;
        add({film_.x, film_.y + y, film_.w, below - y}, jpeg, size / parts);
        y = below;
    }
}

void Server::send_update(tick_t now)
{
    bool all_for_a_key = encoded_.effect && scenario_.effect_bytes <= 0;

    if (encoded_.whole)
        add({0, 0, screen_width, screen_height}, false, 100);
    if (encoded_.film || encoded_.whole || all_for_a_key)
        add_film(now);
    if (encoded_.effect && scenario_.effect_bytes > 0)
        add(typed, false, scenario_.effect_bytes);
    if (encoded_.caret)
        add(caret, false, caret_bytes);
    for (const rect &r : encoded_.again) {
        double full = photograph * r.w * r.h;
        double jpeg = scenario_.update_bytes * std::pow(scenario_.step, step_) * r.w * r.h /
                      (double(film_.w) * film_.h);

        add(r, !lossless_, lossless_ ? full : jpeg);
    }

    uint32_t bytes = encoding_.bytes;
    say(std::move(encoding_), now);
    if (pushes_) {
        ServerMessage m;

        m.type = ServerMessage::fence;
        m.bytes = fence_bytes;
        m.number = congestion_.update(bytes, now);
        say(m, now);
    }
}

void Server::say(ServerMessage m, tick_t now)
{
    uint32_t left = m.bytes;

    talk_.down.push_back(std::move(m));
    while (left > 0) {
        uint32_t part = std::min(left, segment);
        connection_.write(Way::down, part, 0, now);
        left -= part;
    }
}

// ---- time ----

// True: there is more to do at once.
bool Server::round(tick_t now)
{
    bool more = read_messages(now);

    draw(now);
    if (encoded_at_ <= now) {
        encoded_at_ = TICK_NEVER;
        send_update(now);
    }
    if (look_at_ > now || encoded_at_ != TICK_NEVER)
        return more;
    if (scenario_.server == ServerModel::ticking) {
        tick_ = asked_ && waits(dirty_) ? std::max(tick_ / 2, tick_short)
                                        : std::min(tick_ + tick_more, tick_long);
        look_at_ = now + tick_;
    }
    if (may_answer(now))
        begin_update(now);
    return more;
}

void Server::step(tick_t now)
{
    arrive();
    while (round(now))
        ;
}

tick_t Server::next(tick_t now) const
{
    tick_t look = look_at_ > now ? look_at_ : TICK_NEVER;

    return std::min({frame_at_, caret_at_, encoded_at_, effect_at_, look});
}
