// What blocks take at the far end (push_simulation.hpp): a model of rfb/blocks/block_writer.h.
#include <algorithm>
#include <cmath>

#include "tests/sim/push_simulation.hpp"

namespace
{

// Share of the bytes of quality 92. Between 92 and 15 as measured (scenario.hpp), with a JPEG
// coder's bend.
double share(int jpeg)
{
    static const std::pair<int, double> points[] = {
        {1, 0.04},  {5, 0.06},  {10, 0.085}, {15, 0.11}, {20, 0.145}, {29, 0.20}, {42, 0.26},
        {50, 0.30}, {60, 0.35}, {70, 0.43},  {79, 0.55}, {86, 0.72},  {92, 1},    {100, 2.5}};

    for (size_t i = 1; i < std::size(points); i++)
        if (jpeg <= points[i].first) {
            auto [q0, b0] = points[i - 1];
            auto [q1, b1] = points[i];
            return b0 + (b1 - b0) * (jpeg - q0) / (q1 - q0);
        }
    return 2.5;
}

} // namespace

double PushSimulation::cell_bytes(const CellOf &c, int jpeg, int index) const
{
    double busy = 0.7 + 0.6 * ((unsigned(index) * 2654435761u >> 8) % 1000) / 1000.0;
    double film_cells = std::ceil(s_.film_w / 16.0) * std::ceil(s_.film_h / 16.0);

    if (!c.picture)
        return 9 * busy;
    return busy * (jpeg > 0 ? s_.film_bytes * share(jpeg) / film_cells : 420);
}

PushSimulation::Block PushSimulation::encode(const push_strip &strip, int &w)
{
    Block b{};
    double bytes = block_header;

    b.column = strip.x / PUSH_CELL;
    b.row = strip.y / PUSH_CELL;
    for (int column = b.column; column * PUSH_CELL < strip.x + strip.w; column++) {
        int index = b.row * columns() + column;
        CellOf c = have_[size_t(index)];

        if (!b.cells.empty() && c.picture != b.cells[0].picture)
            break;
        if (bytes + cell_bytes(c, strip.jpeg, index) > block_most && !b.cells.empty())
            break;
        bytes += cell_bytes(c, strip.jpeg, index);
        c.exact = !c.picture || strip.jpeg == 0;
        b.cells.push_back(c);
    }
    w = std::min(int(b.cells.size()) * PUSH_CELL, strip.w);
    if (w == strip.w && b.cells[0].picture && strip.jpeg > 0)
        bytes = add_rows(b, strip, bytes);
    b.bytes = uint32_t(bytes);
    return b;
}

// As many rows below it as fit.
double PushSimulation::add_rows(Block &b, const push_strip &strip, double bytes) const
{
    auto across = b.cells.size();

    for (int row = b.row + 1; row * PUSH_CELL < strip.y + strip.most_h; row++) {
        double more = 0;

        for (size_t i = 0; i < across; i++) {
            int index = row * columns() + b.column + int(i);

            if (!have_[size_t(index)].picture)
                return bytes;
            more += cell_bytes(have_[size_t(index)], strip.jpeg, index);
        }
        if (bytes + more > block_most)
            return bytes;
        bytes += more;
        b.across = int(across);
        for (size_t i = 0; i < across; i++) {
            b.cells.push_back(have_[size_t(row * columns() + b.column) + i]);
            b.cells.back().exact = false;
        }
    }
    return bytes;
}
