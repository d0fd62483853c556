#include "tests/sim/worth.hpp"

#include <algorithm>
#include <cmath>

const std::vector<FigureKind> &figure_kinds()
{
    static const std::vector<FigureKind> kinds = {
        {"frames", "fps", &Figures::fps, false, 0.03, 0.5},
        {"response p50", "ms", &Figures::response_p50, true, 0.05, 8},
        {"response p95", "ms", &Figures::response_p95, true, 0.08, 15},
        {"longest gap", "ms", &Figures::gap_max_ms, true, 0.25, 30},
        {"age p95", "ms", &Figures::age_p95, true, 0.08, 15},
        {"start", "ms", &Figures::start_ms, true, 0.1, 20},
        {"sharp after", "ms", &Figures::lossless_ms, true, 0.15, 200},
        {"quality step", "", &Figures::step, true, 0, 0.7},
        {"requests", "per s", &Figures::requests, true, 0.25, 5},
        {"most wake-ups", "per s", &Figures::wakeups_max, true, 0.5, 100},
    };

    return kinds;
}

double worse(const FigureKind &k, double with, double without)
{
    double noticed = std::max(k.share * std::fabs(with), k.least);

    if (with < 0 && without < 0) // neither has happened
        return 0;
    if (with < 0 || without < 0) // one has: a start, a sharp picture
        return without < 0 ? 10 : -10;
    return (k.more_is_worse ? without - with : with - without) / noticed;
}
