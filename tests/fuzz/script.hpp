/* A fuzzer's input as a script, for targets where several things happen in turn: steps of a kind
 * (a byte), a length (two bytes, big endian; what is left at most), and so many bytes. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct Step {
    unsigned kind;
    std::string bytes;
    /* The number at this place, 0 behind the end. */
    uint32_t number(size_t at, size_t size) const
    {
        uint32_t n = 0;

        for (size_t i = at; i < at + size; i++)
            n = n << 8 | (i < bytes.size() ? uint8_t(bytes[i]) : 0);
        return n;
    }
};

inline std::vector<Step> script_of(const uint8_t *data, size_t size, unsigned kinds)
{
    std::vector<Step> steps;

    for (size_t at = 0; at + 3 <= size;) {
        size_t length = std::min<size_t>(size_t(data[at + 1]) << 8 | data[at + 2], size - at - 3);

        steps.push_back(
            {data[at] % kinds, std::string(reinterpret_cast<const char *>(data) + at + 3, length)});
        at += 3 + length;
    }
    return steps;
}
