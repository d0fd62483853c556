#include "tests/sim/connection.hpp"

#include <algorithm>
#include <stdexcept>

namespace
{

constexpr uint32_t overhead = 40, other_packet = 1500;
// What a packet on the link is: the lowest bits of its cookie. Above them: which one is
// acknowledged.
enum kind : uint64_t { is_data, is_acknowledgement, is_other };
constexpr unsigned kind_bits = 2;

Way opposite(Way way)
{
    return way == Way::up ? Way::down : Way::up;
}

} // namespace

Connection::Connection(const linkem_config &up, const linkem_config &down, bool tcp,
                       double other_bytes)
    : tcp_(tcp), other_window_(uint64_t(other_bytes))
{
    for (const linkem_config *c : {&up, &down})
        if (!tcp && (c->loss > 0 || c->burst_p > 0 || c->queue_bytes > 0))
            throw std::invalid_argument("what is lost needs TCP to send it again");
    if (!linkem_queue_init(&side(Way::up).link, &up) ||
        !linkem_queue_init(&side(Way::down).link, &down))
        throw std::invalid_argument("no such link");
}

Connection::~Connection()
{
    for (Side &s : sides_)
        linkem_queue_deinit(&s.link);
}

void Connection::change(Way way, const linkem_config &c, tick_t now)
{
    if (!linkem_queue_change(&side(way).link, &c, now))
        throw std::invalid_argument("no such link");
}

void Connection::write(Way way, uint32_t bytes, uint64_t cookie, tick_t now)
{
    Side &s = side(way);
    Segment segment = {s.written++, bytes, cookie};

    if (tcp_) {
        s.sender.write(segment);
        pump(way, now);
    } else {
        s.on_link.push_back({0, segment});
        linkem_queue_put(&s.link, bytes + overhead, is_data, now);
    }
}

void Connection::put_together()
{
    for (Side &s : sides_)
        s.sender.put_together();
}

void Connection::pace(double round_trip_ms)
{
    side(Way::down).sender.pace(round_trip_ms * 1e6);
}

// Sends what the window allows.
void Connection::pump(Way way, tick_t now)
{
    Side &s = side(way);

    while (s.sender.may_send(now)) {
        Segment segment = s.sender.take(now);
        uint64_t packet = s.sender.next_packet();
        bool dropped =
            linkem_queue_put(&s.link, segment.bytes + overhead, is_data, now) != LINKEM_QUEUED;

        if (!dropped)
            s.on_link.push_back({packet, segment});
        s.sender.sent(segment, dropped, now);
    }
}

void Connection::feed_other(tick_t now)
{
    while (other_on_link_ < other_window_ &&
           linkem_queue_put(&side(Way::down).link, other_packet, is_other, now) == LINKEM_QUEUED)
        other_on_link_ += other_packet;
}

// The next segment is there for the reader.
void Connection::hand_on(Side &s, const Segment &segment)
{
    s.expected++;
    s.arrived += segment.bytes;
    s.ready.push_back(segment);
}

// The link may lose this, too. Then the next one would say the same, so here it is put again.
void Connection::acknowledge(Way way, uint64_t packet, tick_t now)
{
    uint64_t cookie = is_acknowledgement | packet << kind_bits;

    while (linkem_queue_put(&side(way).link, overhead, cookie, now) == LINKEM_LOST)
        ;
}

// A packet of data has come through the link.
void Connection::data(Way way, tick_t now)
{
    Side &s = side(way);
    OnLink came = s.on_link.front();

    s.on_link.pop_front();
    if (came.segment.number == s.expected)
        hand_on(s, came.segment);
    else
        s.early.emplace(came.segment.number, came.segment);
    while (!s.early.empty() && s.early.begin()->first == s.expected) {
        hand_on(s, s.early.begin()->second);
        s.early.erase(s.early.begin());
    }
    if (tcp_)
        acknowledge(opposite(way), came.packet, now);
}

bool Connection::advance_one(Way way, tick_t now)
{
    linkem_packet p;

    if (!linkem_queue_take(&side(way).link, now, &p))
        return false;
    switch (p.cookie & ((1U << kind_bits) - 1)) {
    case is_data:
        data(way, now);
        break;
    case is_acknowledgement:
        side(opposite(way)).sender.acknowledged(p.cookie >> kind_bits, now);
        pump(opposite(way), now);
        break;
    default:
        other_on_link_ -= other_packet;
    }
    return true;
}

void Connection::advance(tick_t now)
{
    bool more = true;

    while (more) {
        more = false;
        for (Way way : {Way::up, Way::down}) {
            while (advance_one(way, now))
                more = true;
            side(way).sender.timeout(now);
            pump(way, now);
        }
        feed_other(now);
    }
}

tick_t Connection::next() const
{
    tick_t at = TICK_NEVER;

    for (const Side &s : sides_)
        at = std::min({at, linkem_queue_next_due(&s.link), s.sender.timer(), s.sender.pace_due()});
    return at;
}

bool Connection::take(Way way, Segment &out)
{
    std::deque<Segment> &ready = side(way).ready;

    if (ready.empty())
        return false;
    out = ready.front();
    ready.pop_front();
    return true;
}

uint64_t Connection::held(Way way, tick_t now)
{
    Side &s = side(way);

    return tcp_ ? s.sender.held() : linkem_queue_backlog(&s.link, now);
}

double Connection::room(Way way) const
{
    constexpr double packet = 2200, least = 46000;

    return tcp_ ? std::max(2 * side(way).sender.window() * packet, least) : 1e18;
}
