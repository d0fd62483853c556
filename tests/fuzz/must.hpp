/* What a fuzzer's input must not break. */
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

inline void must(bool holds, const char *what)
{
    if (holds)
        return;
    dprintf(2, "does not hold: %s\n", what);
    abort();
}

/* So that what is added up is really read. */
inline void is_read(uint32_t sum)
{
    static volatile uint32_t seen;

    seen = sum;
    (void)seen;
}
