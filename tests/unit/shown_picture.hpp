// A picture that somebody else shows.
#ifndef VNCHL_TESTS_SHOWN_PICTURE_HPP
#define VNCHL_TESTS_SHOWN_PICTURE_HPP

#include "tests/catch.hpp"

#include <algorithm>

#include "blocks.hpp"
#include "rfb/decode/framebuffer.h"

namespace blocks_test
{

struct Shown {
    framebuffer *fb = framebuffer_create(-1);
    framebuffer_reader *reader = framebuffer_reader_of(fb);

    explicit Shown(const Picture &p)
    {
        REQUIRE(framebuffer_resize(fb, p.w, p.h));
        std::copy(p.pixels.begin(), p.pixels.end(), framebuffer_private(fb));
        framebuffer_drawn(fb, {0, 0, p.w, p.h});
        framebuffer_publish(fb);
    }
    Shown(const Shown &) = delete;
    ~Shown()
    {
        framebuffer_unmap(reader);
        framebuffer_destroy(fb);
    }
};

} // namespace blocks_test
#endif
