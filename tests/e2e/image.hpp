/* A picture of 32-bit 0x00RRGGBB pixels, and how two of them differ. */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace e2e
{

struct Image {
    int width = 0, height = 0;
    std::vector<uint32_t> pixels;

    Image() = default;
    Image(int w, int h, uint32_t colour = 0)
        : width(w), height(h), pixels(static_cast<size_t>(w) * h, colour)
    {
    }
    uint32_t at(int x, int y) const
    {
        return pixels[static_cast<size_t>(y) * width + x];
    }
    /* How many pixels have this colour: all, or those of the rows `from` to before `to`. */
    long count(uint32_t colour) const
    {
        return count(colour, 0, height);
    }
    long count(uint32_t colour, int from, int to) const;
    bool operator==(const Image &o) const
    {
        return width == o.width && height == o.height && pixels == o.pixels;
    }
    bool operator!=(const Image &o) const
    {
        return !(*this == o);
    }
};

/* "equal", or how many pixels differ, inside which rectangle, and the first one. */
std::string difference(const Image &a, const Image &b);

/* Mean absolute error per colour component, 0..255; 255 when the sizes differ. */
double mean_error(const Image &a, const Image &b);

/* How many different colours there are (stops at `enough`): is there a picture at all? */
int colours(const Image &image, int enough = 64);

/* Binary PPM (P6, 8 bits), as QEMU's screendump writes it. */
Image read_ppm(const std::string &path);
void write_ppm(const std::string &path, const Image &image);

} // namespace e2e
