// A shared picture with its header at hand, for the tests of what lies between two processes.
#ifndef VNCHL_TESTS_PICTURE_HPP
#define VNCHL_TESTS_PICTURE_HPP

#include "tests/catch.hpp"

#include "rfb/decode/framebuffer.h"
#include "rfb/decode/framebuffer_reader.h"
#include "rfb/decode/picture_memory.h"

namespace picture_test
{

// The colour of a picture that has one; UINT32_MAX when it has two.
inline uint32_t colour_of(const framebuffer_view &view)
{
    size_t count = size_t(view.width) * size_t(view.height);

    for (size_t i = 1; i < count; i++)
        if (view.pixels[i] != view.pixels[0])
            return UINT32_MAX;
    return view.pixels[0];
}

// A picture, and a second mapping of its memory for a test to write nonsense to.
struct Memory {
    framebuffer *fb = framebuffer_create(-1);
    size_t size = 0;
    picture_header *header = picture_memory_map(framebuffer_fd(fb), &size);
    framebuffer_reader *reader = framebuffer_map(framebuffer_fd(fb));

    Memory(int width, int height)
    {
        REQUIRE(header);
        REQUIRE(framebuffer_resize(fb, width, height));
    }
    ~Memory()
    {
        framebuffer_unmap(reader);
        picture_memory_unmap(header, size);
        framebuffer_destroy(fb);
    }

    // Whether the picture can be read, and reads all of it.
    bool readable(framebuffer_view *view)
    {
        if (!framebuffer_lock(reader, view, false))
            return false;
        colour_of(*view);
        framebuffer_unlock(reader);
        return true;
    }
    bool readable()
    {
        framebuffer_view view;
        return readable(&view);
    }
};

} // namespace picture_test

#endif
