// What both ends do with datagrams (push_simulation.hpp).
#include <algorithm>
#include <stdexcept>

#include "tests/sim/push_simulation.hpp"

namespace
{

constexpr tick_t says_every = 10 * TICK_MS;
constexpr uint32_t said_bytes = 60;
constexpr uint32_t parity_head = 11;
constexpr size_t groups_most = 16; // that the viewer keeps

} // namespace

// The newest block, which of those before have come, and the keys.
void PushSimulation::say_datagrams()
{
    Said m{newest_read_, {}, {}, now_ - newest_at_, keys_};

    for (uint32_t i = 0; i < 8 * ARRIVALS_BEFORE && i + 1 < newest_read_; i++) {
        if (has_[newest_read_ - 1 - i])
            m.before[i / 8] = uint8_t(m.before[i / 8] | 1 << i % 8);
        if (made_[newest_read_ - 1 - i])
            m.made[i / 8] = uint8_t(m.made[i / 8] | 1 << i % 8);
    }
    said_[++acks_] = m;
    datagrams_->send(Way::up, said_bytes, acks_, now_);
    ack_at_ = keys_ > keys_heard_ ? now_ + says_every : TICK_NEVER;
}

void PushSimulation::read_datagrams()
{
    uint64_t cookie;

    while (datagrams_->take(Way::down, cookie, now_)) {
        auto sequence = uint32_t(cookie);

        has_.resize(std::max(has_.size(), size_t(sequence) + 1));
        made_.resize(has_.size());
        if (!has_[sequence]) {
            came(sent_.at(sequence));
            has_[sequence] = true;
            make(sequence);
        }
        if (sequence > newest_read_) {
            newest_read_ = sequence;
            newest_at_ = now_;
        }
        if (s_.octopus)
            say_datagrams();
        // also for what has come twice: what was said of it may be lost
        ack_at_ = std::min(ack_at_, now_ + says_every);
    }
    if (ack_at_ <= now_)
        say_datagrams();
}

// This one has come: what can be made of its groups by now?
void PushSimulation::make(uint32_t sequence)
{
    const Block &b = sent_.at(sequence);
    auto same = [&](const auto &g) { return g.first.parity_of == b.parity_of; };

    if (b.parity_blocks > 0) {
        auto g = std::find_if(groups_.begin(), groups_.end(), same);

        if (g != groups_.end())
            g->second++;
        else
            groups_.push_back({b, 1});
        if (groups_.size() > groups_most)
            groups_.pop_front();
    }
    for (const auto &[g, parities] : groups_) {
        uint32_t end = g.parity_of + g.parity_blocks;
        auto has = [&](uint32_t s) { return has_[s] || made_[s]; };
        unsigned missing = 0;

        for (uint32_t s = g.parity_of; s < end; s++)
            missing += !has(s);
        for (uint32_t s = g.parity_of; s < end && missing <= parities; s++)
            if (!has(s)) {
                made_[s] = true;
                makes_++;
                show(sent_.at(s));
            }
    }
}

void PushSimulation::hear_datagrams()
{
    uint64_t cookie;

    while (datagrams_->take(Way::up, cookie, now_)) {
        const Said &m = said_.at(cookie);

        retry_ = now_;
        for (; keys_heard_ < m.keys; keys_heard_++) {
            push_plan_input(plan_.get(), now_);
            effects_.push_back(now_ + tick_from_ms(s_.effect_ms));
        }
        if (m.newest == 0)
            continue;
        heard_at_ = std::max(heard_at_, now_ - m.age);
        push_datagrams_told(far_.get(), plan_.get(), m.newest, m.before.data(), m.made.data(),
                            heard_at_, now_);
    }
}

// As viewer_side_take_datagram(), until nothing may leave.
void PushSimulation::push_datagrams_out()
{
    push_strip strip;

    for (unsigned n = 0; push_datagrams_ready(far_.get(), plan_.get(), now_); n++) {
        if (n > 200000)
            throw std::logic_error("it never ends");
        if (!push_datagrams_next(far_.get(), plan_.get(), &sequence_, &strip, now_)) {
            bool insured = plan_->film.state == PUSH_FILM_INSURES;

            // when nothing insures a frame any more the next one may be taken
            if (!send_more() && (!insured || plan_->film.state == PUSH_FILM_INSURES))
                break;
        } else {
            s_.octopus ? send_area(strip) : send_next(strip);
        }
    }
}

// Its bytes are kept, for it may leave again.
void PushSimulation::keep(const Block &b)
{
    arrivals_block a = {sequence_ + 1, b.column * PUSH_CELL, b.row * PUSH_CELL,
                        int(b.cells.size()) * PUSH_CELL, PUSH_CELL};
    if (b.frame > 0) {
        const push_area &film = plan_->film.area;

        a = {sequence_ + 1, film.column * PUSH_CELL, film.row * PUSH_CELL, film.columns * PUSH_CELL,
             film.rows * PUSH_CELL};
    } else if (b.across > 0) {
        a.w = b.across * PUSH_CELL;
        a.h = a.h * int(b.cells.size()) / b.across;
    }
    int kept = push_datagrams_sent(far_.get(), plan_.get(), &a, b.bytes, now_);

    if (kept >= 0)
        kept_[size_t(kept)] = b;
}

// All of it as one block, or it is cut.
void PushSimulation::send_area(const push_strip &area)
{
    Block b{};
    double bytes = block_header;
    bool exact = true;

    b.column = area.x / PUSH_CELL;
    b.row = area.y / PUSH_CELL;
    b.across = (area.w + PUSH_CELL - 1) / PUSH_CELL;
    for (int row = b.row; row * PUSH_CELL < area.y + area.h; row++)
        for (int column = b.column; column < b.column + b.across; column++) {
            int index = row * columns() + column;
            CellOf c = have_[size_t(index)];

            bytes += cell_bytes(c, area.jpeg, index);
            c.exact = !c.picture || area.jpeg == 0;
            exact = exact && c.exact;
            b.cells.push_back(c);
        }
    b.bytes = uint32_t(bytes);
    if (b.bytes > block_most) {
        push_octopus_cut(&far_->octopus, b.bytes, block_most);
        return;
    }
    b.last = push_datagrams_left(far_.get(), plan_.get(), &area, area.w, area.h, sequence_ + 1,
                                 b.bytes, exact, now_);
    keep(b);
    send(std::move(b));
}

bool PushSimulation::send_more()
{
    bool waits = plan_->cells.changed > 0;
    push_more more;
    Block b{};

    if (!push_datagrams_more(far_.get(), plan_.get(), sequence_ + 1, parity_head, &more, now_))
        return false;
    repeats_++;
    impolite_ += waits;
    if (!more.parity) {
        send(kept_[more.kept]);
        return true;
    }
    b.parity_of = far_->block[more.group.first].sequence;
    b.parity_blocks = more.group.count;
    for (unsigned i = more.group.first; i < more.group.first + more.group.count; i++)
        b.bytes = std::max(b.bytes, kept_[i].bytes + parity_head);
    send(b);
    return true;
}
