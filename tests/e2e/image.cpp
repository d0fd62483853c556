#include "image.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

namespace e2e
{

long Image::count(uint32_t colour, int from, int to) const
{
    const auto row = [&](int y) { return pixels.begin() + static_cast<long>(y) * width; };
    return std::count(row(from), row(to), colour);
}

std::string difference(const Image &a, const Image &b)
{
    char text[200];
    if (a.width != b.width || a.height != b.height) {
        snprintf(text, sizeof text, "%dx%d against %dx%d", a.width, a.height, b.width, b.height);
        return text;
    }
    int left = a.width, top = a.height, right = -1, bottom = -1;
    size_t count = 0;
    for (int y = 0; y < a.height; y++)
        for (int x = 0; x < a.width; x++)
            if (a.at(x, y) != b.at(x, y)) {
                count++;
                left = std::min(left, x);
                right = std::max(right, x);
                top = std::min(top, y);
                bottom = std::max(bottom, y);
            }
    if (!count)
        return "equal";
    int x = left, y = top;
    while (a.at(x, y) == b.at(x, y))
        if (++x > right)
            x = left, y++;
    snprintf(text, sizeof text,
             "%zu pixels of %dx%d differ, within %dx%d+%d+%d; at (%d,%d) %06x against %06x", count,
             a.width, a.height, right - left + 1, bottom - top + 1, left, top, x, y, a.at(x, y),
             b.at(x, y));
    return text;
}

double mean_error(const Image &a, const Image &b)
{
    if (a.width != b.width || a.height != b.height || a.pixels.empty())
        return 255;
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); i++)
        for (int shift = 0; shift < 24; shift += 8)
            sum += std::abs(static_cast<int>(a.pixels[i] >> shift & 255) -
                            static_cast<int>(b.pixels[i] >> shift & 255));
    return sum / (3.0 * static_cast<double>(a.pixels.size()));
}

int colours(const Image &image, int enough)
{
    std::set<uint32_t> seen;
    for (uint32_t p : image.pixels)
        if (seen.insert(p).second && static_cast<int>(seen.size()) >= enough)
            break;
    return static_cast<int>(seen.size());
}

Image read_ppm(const std::string &path)
{
    std::ifstream f(path, std::ios::binary);
    std::string magic;
    int w = 0, h = 0, max = 0;
    f >> magic >> w >> h >> max;
    f.get();
    if (!f || magic != "P6" || max != 255 || w <= 0 || h <= 0)
        return Image();
    Image image(w, h);
    std::vector<unsigned char> row(static_cast<size_t>(w) * 3);
    for (int y = 0; y < h; y++) {
        f.read(reinterpret_cast<char *>(row.data()), static_cast<std::streamsize>(row.size()));
        if (!f)
            return Image();
        for (int x = 0; x < w; x++)
            image.pixels[static_cast<size_t>(y) * w + x] =
                static_cast<uint32_t>(row[x * 3] << 16 | row[x * 3 + 1] << 8 | row[x * 3 + 2]);
    }
    return image;
}

void write_ppm(const std::string &path, const Image &image)
{
    std::ofstream f(path, std::ios::binary);
    f << "P6\n" << image.width << " " << image.height << "\n255\n";
    for (uint32_t p : image.pixels) {
        char rgb[3] = {static_cast<char>(p >> 16), static_cast<char>(p >> 8), static_cast<char>(p)};
        f.write(rgb, 3);
    }
}

} // namespace e2e
