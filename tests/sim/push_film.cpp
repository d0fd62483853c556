// The film as H.264 at both ends (push_simulation.hpp): as rfb/pusher/viewer/viewer_side_blocks.c
// and rfb/session/pictures/picture_film.c, around a model of x264.
//
// A frame takes as many bytes as it is to take, but no fewer than `h264_bytes`, at a quantiser of
// 42; a key frame so many times more. Six steps of the quantiser are a factor of two.
#include <algorithm>
#include <cmath>

#include "prerequest/push/picture/film_cut.h"
#include "tests/sim/push_simulation.hpp"

namespace
{

constexpr tick_t encoding = 5 * TICK_MS;
constexpr double key_times = 4, coarsest = 42;

} // namespace

void PushSimulation::send_next(const push_strip &strip)
{
    if (strip.why == PUSH_FRAME)
        take_frame();
    else if (strip.why == PUSH_FRAME_PART)
        send_part();
    else
        send_strip(strip);
}

void PushSimulation::take_frame()
{
    push_film_order order;

    push_plan_take_frame(plan_.get(), ++sequence_, &order, now_);
    Frame &f = frames_[order.id];

    f.before = order.key ? 0 : order.id - order.before;
    for (int i = 0; i < order.area.columns * order.area.rows; i++) {
        size_t at = size_t((order.area.row + i / order.area.columns) * columns() +
                           order.area.column + i % order.area.columns);
        CellOf c = have_[at];

        c.exact = false;
        if (order.shows[i / 8] >> i % 8 & 1)
            f.cells.push_back({at, c});
    }
    f.bytes = unsigned(std::max(double(order.bytes), s_.h264_bytes * (order.key ? key_times : 1)));
    coding_ = order.id;
    coded_at_ = now_ + encoding;
    if (!pending_.empty() && push_plan_wants(plan_.get(), now_))
        take_update();
}

void PushSimulation::code_frame()
{
    if (coded_at_ > now_)
        return;
    Frame &f = frames_.at(coding_);
    double qp = coarsest - 6 * std::log2(f.bytes / s_.h264_bytes);

    coded_at_ = TICK_NEVER;
    part_ = 0;
    f.parts = push_plan_cut_frame(plan_.get(), f.bytes, std::max(1, int(qp)));
    push_plan_frame_coded(plan_.get(), coding_, f.parts, now_);
}

void PushSimulation::send_part()
{
    const Frame &f = frames_.at(coding_);
    Block b{};

    part_++;
    b.frame = coding_;
    b.bytes = (f.bytes + f.parts - 1) / f.parts + PUSH_FILM_HEAD;
    b.last = push_plan_part_left(plan_.get(), sequence_ + 1, b.bytes, now_);
    if (datagrams_)
        keep(b);
    send(std::move(b));
    if (!pending_.empty() && push_plan_wants(plan_.get(), now_))
        take_update();
}

// Of a frame that is whole, newer than what was drawn, and stands on one that was.
void PushSimulation::came_part(const Block &b)
{
    frames_.at(b.frame).there.insert(b.sequence);
    for (auto &[id, f] : frames_) {
        if (f.parts == 0 || f.there.size() < f.parts || f.decoded || id <= newest_frame_ ||
            (f.before > 0 && !frames_.at(f.before).decoded))
            continue;
        f.decoded = true;
        newest_frame_ = id;
        for (const auto &[at, cell] : f.cells)
            show_cell(at, cell, id);
        unsigned before = whole_;
        count_whole();
        whole_frames_ += whole_ - before;
    }
}
