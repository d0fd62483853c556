#include "tests/sim/datagram_path.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/sim/scenario.hpp"

namespace
{

// of the download's packets, and of their acknowledgements
constexpr uint64_t other_cookie = 1ull << 62;
constexpr uint32_t other_acknowledgement = 40;

} // namespace

DatagramPath::DatagramPath(const linkem_config &up, const linkem_config &down,
                           const DatagramLoss &l)
    : loss_(l), random_(unsigned(l.seed)), policed_(beginning)
{
    if (!linkem_queue_init(&link_[int(Way::up)], &up) ||
        !linkem_queue_init(&link_[int(Way::down)], &down))
        throw std::invalid_argument("no such link");
}

DatagramPath::~DatagramPath()
{
    for (linkem_queue &l : link_)
        linkem_queue_deinit(&l);
}

void DatagramPath::change(Way way, const linkem_config &c, tick_t now)
{
    if (!linkem_queue_change(&link_[int(way)], &c, now))
        throw std::invalid_argument("no such link");
}

bool DatagramPath::happens(double probability)
{
    return probability > 0 && std::uniform_real_distribution<>(0, 1)(random_) < probability;
}

// Whether the policer lets it through.
bool DatagramPath::police(uint32_t bytes, tick_t now)
{
    double rate = loss_.policer_mbit * 1e6 / 8;

    if (rate <= 0)
        return true;
    tokens_ = std::min(loss_.burst_ms / 1e3 * rate, tokens_ + tick_to_s(now - policed_) * rate);
    policed_ = now;
    if (tokens_ < bytes)
        return false;
    tokens_ -= bytes;
    return true;
}

void DatagramPath::send(Way way, uint32_t bytes, uint64_t cookie, tick_t now)
{
    bytes += overhead;
    if (way == Way::up || police(bytes, now))
        linkem_queue_put(&link_[int(way)], bytes, cookie, now);
}

void DatagramPath::start_other(tick_t now)
{
    other_.start(now);
    pump_other(now);
}

void DatagramPath::pump_other(tick_t now)
{
    other_.timeout(now);
    while (other_.may_send())
        linkem_queue_put(&link_[int(Way::down)], CubicFlow::packet, other_cookie | other_.send(now),
                         now);
}

// Whether it is the download's. Then it was taken.
bool DatagramPath::is_other(Way way, const linkem_packet &p, tick_t now)
{
    if (!(p.cookie & other_cookie))
        return false;
    if (way == Way::down) {
        other_arrived_ += p.bytes;
        linkem_queue_put(&link_[int(Way::up)], other_acknowledgement, p.cookie, now);
        return true;
    }
    other_.acknowledged(p.cookie & ~other_cookie, now);
    pump_other(now);
    return true;
}

bool DatagramPath::take(Way way, uint64_t &cookie, tick_t now)
{
    std::deque<uint64_t> &twice = twice_[int(way)];
    linkem_packet p;

    if (!twice.empty()) {
        cookie = twice.front();
        twice.pop_front();
        return true;
    }
    pump_other(now);
    while (linkem_queue_take(&link_[int(way)], now, &p)) {
        if (happens(loss_.loss) || is_other(way, p, now))
            continue;
        if (happens(loss_.duplicated))
            twice.push_back(p.cookie);
        cookie = p.cookie;
        return true;
    }
    return false;
}

tick_t DatagramPath::next() const
{
    return std::min(
        {linkem_queue_next_due(&link_[0]), linkem_queue_next_due(&link_[1]), other_.timer()});
}
