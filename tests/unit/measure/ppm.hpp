// Pictures from files, for the programs that measure.
#pragma once

#include <fstream>
#include <string>

#include "tests/unit/blocks.hpp"

namespace blocks_test
{

// False: it is no PPM (P6) with 8 bits a colour, or too large.
inline bool read_ppm(const char *file, Picture *out)
{
    std::ifstream in(file, std::ios::binary);
    std::string magic;
    int w = 0, h = 0, most = 0;
    in >> magic >> w >> h >> most;
    in.get();
    if (!in || magic != "P6" || most != 255 || w < 1 || h < 1 || w > 8192 || h > 8192)
        return false;
    *out = Picture(w, h);
    for (auto &pixel : out->pixels) {
        int r = in.get(), g = in.get(), b = in.get();
        pixel = uint32_t(r) << 16 | uint32_t(g) << 8 | uint32_t(b);
    }
    return bool(in);
}

} // namespace blocks_test
