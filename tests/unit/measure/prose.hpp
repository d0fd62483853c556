// Pictures of pages of prose, for what measures blocks.
#pragma once

#include "tests/unit/blocks.hpp"
extern "C" {
#include "tools/lab/content/text.h"
}

namespace blocks_test
{

// A whole screen of prose, each letter `times` as large.
inline Picture prose(int w, int h, int times, uint32_t seed = 1)
{
    Picture p(w * times, h * times, 0xffffff);
    canvas c = {p.pixels.data(), p.w, p.h};
    const face *f = times == 1 ? &face_body : &face_title;
    uint32_t number = 0;
    canvas_fill(&c, {0, 0, p.w, 28 * times}, 0x336699);
    for (int y = 40 * times; y + f->line < p.h; y += f->line)
        for (int x = 16 * times; x < p.w * 3 / 4;) {
            char word[TEXT_WORD_MAX];
            size_t length = text_word(seed, number++, word);
            x = text_draw(&c, f, x, y, p.w - 16 * times, word, length, 0x000000);
        }
    return p;
}

// Each pixel the mean of `times` by `times`: letters with soft edges.
inline Picture shrunk(const Picture &large, int times)
{
    Picture p(large.w / times, large.h / times);
    for (int y = 0; y < p.h; y++)
        for (int x = 0; x < p.w; x++)
            for (int shift = 0; shift < 24; shift += 8) {
                int sum = 0;
                for (int i = 0; i < times * times; i++)
                    sum += large.at(x * times + i % times, y * times + i / times) >> shift & 0xff;
                p.at(x, y) |= uint32_t(sum / (times * times)) << shift;
            }
    return p;
}

} // namespace blocks_test
