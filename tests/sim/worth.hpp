// What gets worse without a rule, and whether a user notices.
#pragma once

#include <vector>

#include "prerequest/rules.h"
#include "tests/sim/scenarios.hpp"

// A figure, how much of it is a difference that a user notices, and which direction is worse.
struct FigureKind {
    const char *name, *unit;
    double Figures::*value;
    bool more_is_worse;
    double share, least; // of the figure with all rules; in its own unit
};

const std::vector<FigureKind> &figure_kinds();

// How much worse a figure is without a rule than with it, in multiples of what a user notices.
// Above 1: he does. Below -1: it is better.
double worse(const FigureKind &k, double with, double without);
