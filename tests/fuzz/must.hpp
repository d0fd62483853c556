/* What a fuzzer's input must not break. */
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

inline void must(bool holds, const char *what)
{
    if (holds)
        return;
    dprintf(2, "does not hold: %s\n", what);
    abort();
}
