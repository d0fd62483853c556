/* JPEG images that no encoder of a VNC server makes. */
#include <turbojpeg.h>

#include "attacked.hpp"
#include "tests/catch.hpp"

using namespace e2e;

namespace
{

const int SIDE = 64;

std::string jpeg(int w, int h, TJSAMP sampling, int flags = 0)
{
    std::vector<unsigned char> pixels(static_cast<size_t>(w * h * 3), 77);
    unsigned char *out = nullptr;
    unsigned long size = 0;
    tjhandle handle = tjInitCompress();
    REQUIRE(tjCompress2(handle, pixels.data(), w, 0, h, TJPF_RGB, &out, &size, sampling, 80,
                        flags) == 0);
    std::string bytes(reinterpret_cast<char *>(out), size);
    tjFree(out);
    tjDestroy(handle);
    return bytes;
}

/* A Tight rectangle of the whole screen, with an image of this length in front of it. */
std::string tight(const std::string &image, unsigned w = SIDE, unsigned h = SIDE)
{
    auto size = static_cast<unsigned>(image.size());
    return update(1) + rectangle(0, 0, w, h, ENCODING_TIGHT) + u8(0x90) + u8(0x80 | (size & 0x7f)) +
           u8(0x80 | (size >> 7 & 0x7f)) + u8(size >> 14) + image;
}

/* Where the image says its size, or its number of components. */
size_t frame(const std::string &image)
{
    for (char kind : {'\xc0', '\xc1', '\xc2'}) {
        size_t at = image.find(std::string("\xff") + kind);
        if (at != std::string::npos)
            return at;
    }
    return std::string::npos;
}

/* Whatever becomes of the image: what follows it is refused, or it is itself. */
void try_image(const std::string &image)
{
    check_refused(handshake(SIDE, SIDE) +
                  Script{await_request(), send_step(tight(image) + "\x63"), stall()});
}

} // namespace

TEST_CASE("attack: JPEG of every sampling and form", "[attack]")
{
    for (int sampling = 0; sampling < TJ_NUMSAMP; sampling++)
        for (int flags : {0, int(TJFLAG_PROGRESSIVE), int(TJFLAG_ACCURATEDCT)}) {
            INFO("sampling " << sampling << ", flags " << flags);
            try_image(jpeg(SIDE, SIDE, TJSAMP(sampling), flags));
        }
}

TEST_CASE("attack: JPEG of another size than its rectangle", "[attack]")
{
    for (auto [w, h] :
         {std::pair<int, int>{1, 1}, {SIDE + 1, SIDE}, {SIDE, SIDE - 1}, {2000, 2000}}) {
        INFO(w << "x" << h);
        try_image(jpeg(w, h, TJSAMP_420));
    }
    for (uint32_t size : {0u, 0xffffffffu, 0x0040ffffu, 0xffff0040u}) {
        INFO(size);
        std::string image = jpeg(SIDE, SIDE, TJSAMP_444);
        try_image(image.replace(frame(image) + 5, 4, u32(size)));
    }
    for (auto [w, h] : {std::pair<unsigned, unsigned>{0, 0}, {0, SIDE}, {SIDE, 0}})
        check_refused(handshake(SIDE, SIDE) +
                      Script{await_request(),
                             send_step(tight(jpeg(SIDE, SIDE, TJSAMP_444), w, h) + "\x63"),
                             stall()});
}

TEST_CASE("attack: JPEG that is cut, or has bytes changed", "[attack]")
{
    std::string image = jpeg(SIDE, SIDE, TJSAMP_420);
    for (size_t n = 0; n < image.size(); n += n < 32 ? 1 : 29) {
        INFO(n << " bytes of " << image.size());
        try_image(image.substr(0, n));
        try_image(image.substr(0, n) + std::string(image.size() - n, '\xff'));
    }
    for (unsigned value : {0u, 1u, 2u, 4u, 5u, 255u}) { /* components, and bits of each */
        INFO(value);
        std::string other = image;
        other[frame(image) + 9] = static_cast<char>(value);
        try_image(other);
        other = image;
        other[frame(image) + 4] = static_cast<char>(value);
        try_image(other);
    }
    for (char kind : {'\xc1', '\xc2', '\xc3', '\xc9', '\xca', '\xcb', '\xd8', '\xd9', '\xff'}) {
        std::string other = image; /* lossless, arithmetic and other kinds of frames */
        other[frame(image) + 1] = kind;
        try_image(other);
    }
    try_image(image + image);
    try_image(std::string(100000, '\xff'));
}
