// JPEG rectangles, and which library decodes them.
#include "tests/catch.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <turbojpeg.h>
#include <vector>

#include "rfb/decode/jpeg.h"

namespace
{

std::vector<uint8_t> compressed(int width, int height, uint32_t colour)
{
    std::vector<uint32_t> pixels(size_t(width) * size_t(height), colour);
    unsigned char *out = nullptr;
    unsigned long size = 0;
    tjhandle handle = tjInitCompress();

    REQUIRE(tjCompress2(handle, reinterpret_cast<unsigned char *>(pixels.data()), width, 0, height,
                        TJPF_BGRX, &out, &size, TJSAMP_444, 95, 0) == 0);
    std::vector<uint8_t> result(out, out + size);
    tjDestroy(handle);
    tjFree(out);
    return result;
}

} // namespace

TEST_CASE("turbojpeg's own functions are called, not libvncclient's copies of them")
{
    Dl_info where;

    REQUIRE(dladdr(reinterpret_cast<void *>(&tjDecompress2), &where));
    INFO(where.dli_fname);
    CHECK(std::string(where.dli_fname).find("turbojpeg") != std::string::npos);
}

TEST_CASE("a JPEG image fills its rectangle and nothing else")
{
    jpeg *j = jpeg_create();
    std::vector<uint32_t> picture(64 * 48, 0x123456);
    auto image = compressed(20, 10, 0x4080c0);

    REQUIRE_FALSE(jpeg_decode(j, image.data(), image.size(), picture.data(), 64, {30, 20, 20, 10}));
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 64; x++) {
            bool inside = x >= 30 && x < 50 && y >= 20 && y < 30;
            uint32_t pixel = picture[size_t(y * 64 + x)];
            if (!inside)
                REQUIRE(pixel == 0x123456);
            else
                REQUIRE(std::abs(int(pixel & 0xff) - 0xc0) <= 3);
        }
    jpeg_destroy(j);
    jpeg_destroy(nullptr);
}

TEST_CASE("a JPEG image of another size, or none at all, is refused")
{
    jpeg *j = jpeg_create();
    std::vector<uint32_t> picture(64 * 48);
    auto image = compressed(20, 10, 0x4080c0);
    uint8_t noise[] = {0xff, 0xd8, 0xff, 0x00, 0x12};

    CHECK(jpeg_decode(j, image.data(), image.size(), picture.data(), 64, {0, 0, 10, 20}));
    CHECK(jpeg_decode(j, image.data(), image.size(), picture.data(), 64, {0, 0, 0, 0}));
    CHECK(jpeg_decode(j, noise, sizeof noise, picture.data(), 64, {0, 0, 20, 10}));
    CHECK(jpeg_decode(j, image.data(), 20, picture.data(), 64, {0, 0, 20, 10}));
    jpeg_destroy(j);
}
