// Pictures, and blocks of them, for the tests of blocks.
#ifndef VNCHL_TESTS_BLOCKS_HPP
#define VNCHL_TESTS_BLOCKS_HPP

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "rfb/blocks/block.h"
#include "rfb/blocks/block_newest.h"
#include "rfb/blocks/block_reader.h"
#include "rfb/blocks/block_writer.h"
#include "rfb/blocks/pixels/strip_jpeg.h"

namespace blocks_test
{

constexpr uint32_t RGB = 0xffffff;

struct Picture {
    int w, h;
    std::vector<uint32_t> pixels;

    Picture(int width, int height, uint32_t colour = 0)
        : w(width), h(height), pixels(size_t(width) * size_t(height), colour)
    {
    }
    uint32_t &at(int x, int y)
    {
        return pixels[size_t(y) * size_t(w) + size_t(x)];
    }
    uint32_t at(int x, int y) const
    {
        return pixels[size_t(y) * size_t(w) + size_t(x)] & RGB;
    }
    bool operator==(const Picture &o) const
    {
        if (w != o.w || h != o.h)
            return false;
        for (size_t i = 0; i < pixels.size(); i++)
            if ((pixels[i] ^ o.pixels[i]) & RGB)
                return false;
        return true;
    }
};

// dB, over all three colours.
inline double psnr(const Picture &a, const Picture &b)
{
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); i++)
        for (int shift = 0; shift < 24; shift += 8) {
            int d = int(a.pixels[i] >> shift & 0xff) - int(b.pixels[i] >> shift & 0xff);
            sum += d * d;
        }
    return sum > 0 ? 10 * std::log10(255.0 * 255 * 3 * double(a.pixels.size()) / sum) : 99;
}

struct Writer {
    block_writer *w = block_writer_create();
    Writer() = default;
    Writer(const Writer &) = delete;
    ~Writer()
    {
        block_writer_destroy(w);
    }
};

struct Reader {
    block_reader *r = block_reader_create();
    Reader() = default;
    Reader(const Reader &) = delete;
    ~Reader()
    {
        block_reader_destroy(r);
    }
};

// All blocks of a picture, in order.
inline std::vector<std::string> pack(Writer &writer, const Picture &p, int jpeg,
                                     uint32_t sequence = 1)
{
    std::vector<std::string> all;
    for (int y = 0; y < p.h; y += BLOCK_CELL)
        for (int x = 0; x < p.w;) {
            rect strip = {x, y, p.w - x, std::min(BLOCK_CELL, p.h - y)};
            block b = {};
            uint8_t wire[BLOCK_MAX];
            if (!block_write_strip(writer.w, p.pixels.data(), p.w, strip, jpeg, &b) ||
                b.area.w <= 0 || b.size > BLOCK_PAYLOAD_MAX)
                return {};
            b.sequence = sequence++;
            x += b.area.w;
            size_t size = block_pack(&b, wire);
            all.emplace_back(reinterpret_cast<char *>(wire), size);
        }
    return all;
}

inline bool unpack(const std::string &wire, block *b, reason *why)
{
    return block_unpack(b, reinterpret_cast<const uint8_t *>(wire.data()), wire.size(), why);
}

// Draws one; "" or why not.
inline std::string draw(Reader &reader, const std::string &wire, Picture &p)
{
    reason why = {};
    block b;
    if (unpack(wire, &b, &why) && block_read(reader.r, &b, p.pixels.data(), p.w, p.h, &why))
        return "";
    return why.text[0] ? why.text : "no reason";
}

using Random = std::mt19937;

inline Picture noise(int w, int h, Random &random)
{
    Picture p(w, h);
    for (auto &pixel : p.pixels)
        pixel = uint32_t(random()); // the top byte, too
    return p;
}

inline Picture few_colours(int w, int h, int colours, Random &random)
{
    Picture p(w, h);
    std::vector<uint32_t> palette;
    for (int i = 0; i < colours; i++)
        palette.push_back(uint32_t(random()));
    for (auto &pixel : p.pixels)
        pixel = palette[random() % palette.size()];
    return p;
}

// Soft shades with a little grain, like a photograph.
inline Picture shades(int w, int h, Random &random)
{
    Picture p(w, h);
    double fx = 5 + random() % 40, fy = 5 + random() % 40;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            uint32_t pixel = 0;
            for (int c = 0; c < 3; c++) {
                double v = 128 + 60 * std::sin(x / fx + c) + 50 * std::cos(y / fy - c) +
                           int(random() % 9) - 4;
                pixel = pixel << 8 | uint32_t(v);
            }
            p.at(x, y) = pixel;
        }
    return p;
}

inline Picture gradient(int w, int h, Random &random)
{
    Picture p(w, h);
    bool across = random() % 2;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            p.at(x, y) = uint32_t((across ? x : y) & 0xff) * 0x010101u;
    return p;
}

// Letters that are strokes, sharp or with soft edges, on an even ground.
inline Picture text(int w, int h, bool soft, Random &random)
{
    Picture p(w, h, RGB);
    std::vector<uint64_t> letters;
    for (int i = 0; i < 20; i++)
        letters.push_back(uint64_t(random()) << 32 | random());
    for (int y = 2; y + 12 < h; y += 14)
        for (int x = 2; x + 8 < w; x += 7) {
            if (random() % 6 == 0)
                continue; // a blank
            uint64_t letter = letters[random() % letters.size()];
            for (int i = 0; i < 60; i++) {
                bool on = letter >> i % 64 & 1;
                uint32_t grey = soft ? uint32_t(letter >> i % 59 & 15) * 17 : 0;
                if (on)
                    p.at(x + i % 6, y + i / 6) = grey * 0x010101u;
            }
        }
    return p;
}

// A window of text beside a photograph and even areas.
inline Picture mixed(int w, int h, Random &random)
{
    Picture p = text(w, h, random() % 2, random), photo = shades(w, h, random);
    for (int y = h / 3; y < h; y++)
        for (int x = w / 4; x < w * 3 / 4; x++)
            p.at(x, y) = photo.at(x, y);
    for (int y = h * 2 / 3; y < h; y++)
        for (int x = w / 2; x < w; x++)
            p.at(x, y) = 0x336699;
    return p;
}

// Each cell of another kind: none knows what is beside it.
inline Picture mosaic(int w, int h, Random &random)
{
    Picture p(w, h), photo = shades(w, h, random), letters = text(w, h, random() % 2, random);
    for (int top = 0; top < h; top += BLOCK_CELL)
        for (int left = 0; left < w; left += BLOCK_CELL) {
            unsigned kind = random() % 7, colours = 1 + random() % 200;
            uint32_t ground = random() % 3 * 0x112233;
            for (int y = top; y < std::min(h, top + BLOCK_CELL); y++)
                for (int x = left; x < std::min(w, left + BLOCK_CELL); x++) {
                    bool half = kind == 2 && x % BLOCK_CELL < 8;
                    p.at(x, y) = kind < 2 || half ? ground
                                 : kind < 4       ? photo.at(x, y)
                                 : kind == 4      ? letters.at(x, y)
                                 : kind == 5      ? ground + uint32_t(random() % colours)
                                                  : uint32_t(random());
                }
        }
    return p;
}

struct Kind {
    const char *name;
    std::function<Picture(int, int, Random &)> make;
};

inline const std::vector<Kind> &kinds()
{
    static const std::vector<Kind> all = {
        {"noise", noise},
        {"one colour", [](int w, int h, Random &r) { return few_colours(w, h, 1, r); }},
        {"two colours", [](int w, int h, Random &r) { return few_colours(w, h, 2, r); }},
        {"three colours", [](int w, int h, Random &r) { return few_colours(w, h, 3, r); }},
        {"sixteen colours", [](int w, int h, Random &r) { return few_colours(w, h, 16, r); }},
        {"300 colours", [](int w, int h, Random &r) { return few_colours(w, h, 300, r); }},
        {"shades", shades},
        {"gradient", gradient},
        {"text", [](int w, int h, Random &r) { return text(w, h, false, r); }},
        {"soft text", [](int w, int h, Random &r) { return text(w, h, true, r); }},
        {"mixed", mixed},
        {"mosaic", mosaic},
    };
    return all;
}

} // namespace blocks_test

#endif
