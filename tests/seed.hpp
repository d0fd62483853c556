// The seeds of random tests. VNCHL_SEED=N in the environment repeats a run, or tries another one.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <random>

// For what must hold for every seed: another one each time, printed before anything can crash.
inline unsigned any_seed()
{
    const char *given = getenv("VNCHL_SEED");
    unsigned seed =
        given ? static_cast<unsigned>(strtoul(given, nullptr, 10)) : std::random_device{}();
    fprintf(stderr, "VNCHL_SEED=%u\n", seed);
    return seed;
}

// For what holds for nearly all, such as a figure with a bound: the same one each time.
inline unsigned one_seed()
{
    const char *given = getenv("VNCHL_SEED");
    return given ? static_cast<unsigned>(strtoul(given, nullptr, 10)) : 0;
}
