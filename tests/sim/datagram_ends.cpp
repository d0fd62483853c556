// What both ends do with datagrams (push_simulation.hpp).
#include <algorithm>
#include <stdexcept>

#include "tests/sim/push_simulation.hpp"

namespace
{

constexpr tick_t says_every = 10 * TICK_MS;
constexpr uint32_t said_bytes = 60;

} // namespace

// The newest block, which of those before have come, and the keys.
void PushSimulation::say_datagrams()
{
    Said m{newest_read_, {}, now_ - newest_at_, keys_};

    for (uint32_t i = 0; i < 8 * ARRIVALS_BEFORE && i + 1 < newest_read_; i++)
        if (has_[newest_read_ - 1 - i])
            m.before[i / 8] = uint8_t(m.before[i / 8] | 1 << i % 8);
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
        if (!has_[sequence])
            came(sent_.at(sequence));
        has_[sequence] = true;
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
        push_datagrams_told(far_.get(), plan_.get(), m.newest, m.before.data(), heard_at_, now_);
    }
}

// As viewer_side_take_datagram(), until nothing may leave.
void PushSimulation::push_datagrams_out()
{
    push_strip strip;

    for (unsigned n = 0; push_datagrams_ready(far_.get(), plan_.get(), now_); n++) {
        if (n > 200000)
            throw std::logic_error("it never ends");
        if (push_datagrams_next(far_.get(), plan_.get(), &sequence_, &strip, now_))
            s_.octopus ? send_area(strip) : send_strip(strip);
        else if (!send_again())
            break;
    }
}

// Its bytes are kept, for it may leave again.
void PushSimulation::keep(const Block &b)
{
    arrivals_block a = {sequence_ + 1, b.column * PUSH_CELL, b.row * PUSH_CELL,
                        int(b.cells.size()) * PUSH_CELL, PUSH_CELL};
    if (b.across > 0) {
        a.w = b.across * PUSH_CELL;
        a.h = a.h * int(b.cells.size()) / b.across;
    }
    int kept = push_datagrams_sent(far_.get(), plan_.get(), &a, now_);

    if (kept < 0)
        return;
    kept_[size_t(kept)] = b;
    kept_bytes_[size_t(kept)] = b.bytes;
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
    b.last = push_datagrams_left(far_.get(), plan_.get(), &area, area.w, sequence_ + 1, b.bytes,
                                 exact, now_);
    keep(b);
    send(std::move(b));
}

bool PushSimulation::send_again()
{
    bool waits = plan_->cells.changed > 0;
    int kept =
        push_datagrams_repeat(far_.get(), plan_.get(), sequence_ + 1, kept_bytes_.data(), 0, now_);

    if (kept < 0)
        return false;
    repeats_++;
    impolite_ += waits;
    send(kept_[size_t(kept)]);
    return true;
}
