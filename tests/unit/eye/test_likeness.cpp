// PSNR and SSIM: of pictures for which both can be told by hand, and of a film sent as JPEG.
#include "tests/catch.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <turbojpeg.h>
#include <vector>

#include "tools/lab/content/scene.h"
#include "tools/lab/eye/likeness.h"

namespace
{

struct Canvas {
    std::vector<uint32_t> pixels;
    mark_picture picture;

    Canvas(int width, int height, const std::function<uint32_t(int, int)> &at)
        : pixels(size_t(width) * size_t(height)), picture{pixels.data(), width, height, width}
    {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                pixels[size_t(y) * size_t(width) + size_t(x)] = at(x, y);
    }
    Canvas(const Canvas &) = delete;
    uint32_t &at(int x, int y)
    {
        return pixels[size_t(y) * size_t(picture.width) + size_t(x)];
    }
};

uint32_t grey(int level)
{
    return uint32_t(level) * 0x010101u;
}

likeness compare(const Canvas &a, const Canvas &b, std::vector<rect> without = {})
{
    likeness l{};
    rect all{0, 0, a.picture.width, a.picture.height};

    REQUIRE(likeness_of(&a.picture, &b.picture, all, without.data(), without.size(), &l));
    return l;
}

constexpr double C1 = 2.55 * 2.55, C2 = 7.65 * 7.65;

/* The scene's frame as somebody gets it who is sent a JPEG image of it. */
void compress(const mark_picture &from, Canvas &to, int quality)
{
    unsigned char *image = nullptr;
    unsigned long size = 0;
    tjhandle in = tjInitCompress(), out = tjInitDecompress();
    auto *bytes = reinterpret_cast<unsigned char *>(from.pixels);

    REQUIRE(tjCompress2(in, bytes, to.picture.width, from.stride * 4, to.picture.height, TJPF_BGRX,
                        &image, &size, TJSAMP_420, quality, 0) == 0);
    REQUIRE(tjDecompress2(out, image, size, reinterpret_cast<unsigned char *>(to.pixels.data()),
                          to.picture.width, 0, to.picture.height, TJPF_BGRX, 0) == 0);
    tjFree(image);
    tjDestroy(in);
    tjDestroy(out);
}

} // namespace

TEST_CASE("likeness: the same picture is exact, whatever is in the unused byte")
{
    auto film = [](int x, int y) { return uint32_t(x * 7 + y * 131) * 2654435761u >> 8; };
    Canvas a(64, 48, film), b(64, 48, [&](int x, int y) { return film(x, y) | 0xff000000u; });
    likeness l = compare(a, b);

    CHECK(l.exact);
    CHECK(l.psnr_db == LIKENESS_PSNR_EXACT);
    CHECK(l.ssim == Approx(1).margin(1e-12));
}

TEST_CASE("likeness: one value of one pixel is not exact")
{
    Canvas a(640, 360, [](int, int) { return grey(100); }),
        b(640, 360, [](int, int) { return grey(100); });

    b.at(320, 180) ^= 1;
    likeness l = compare(a, b);
    CHECK_FALSE(l.exact);
    CHECK(l.psnr_db == LIKENESS_PSNR_MOST); // else 106.5 dB
    CHECK(l.ssim <= 1);
}

TEST_CASE("likeness: two even greys")
{
    Canvas a(32, 32, [](int, int) { return grey(100); }),
        b(32, 32, [](int, int) { return grey(110); });
    likeness l = compare(a, b);

    CHECK_FALSE(l.exact);
    CHECK(l.psnr_db == Approx(20 * std::log10(255.0 / 10)));
    CHECK(l.ssim == Approx((2 * 100.0 * 110 + C1) / (100.0 * 100 + 110.0 * 110 + C1)));
}

TEST_CASE("likeness: PSNR is of all colours, SSIM of luma")
{
    Canvas a(32, 32, [](int, int) { return 0x000000u; }),
        red(32, 32, [](int, int) { return 0xff0000u; });

    CHECK(compare(a, red).psnr_db == Approx(10 * std::log10(3))); // one value of three is all wrong
    double y = 76;                                                // of red: 0.299 x 255
    CHECK(compare(a, red).ssim == Approx(C1 / (y * y + C1)));
}

TEST_CASE("likeness: less contrast, and the inverse")
{
    auto check = [](int contrast) {
        return
            [contrast](int x, int y) { return grey(128 + ((x + y) % 2 ? contrast : -contrast)); };
    };
    Canvas full(40, 40, check(40)), half(40, 40, check(20)), inverse(40, 40, check(-40));

    // means alike: only (2 covariance + C2) / (variances + C2) is left
    CHECK(compare(full, half).ssim == Approx((2 * 40.0 * 20 + C2) / (40.0 * 40 + 20.0 * 20 + C2)));
    CHECK(compare(full, inverse).ssim == Approx((-2 * 1600.0 + C2) / (2 * 1600.0 + C2)));
    CHECK(compare(full, inverse).ssim < -0.9);
}

TEST_CASE("likeness: what is left out does not count, its neighbours do")
{
    Canvas a(64, 64, [](int, int) { return grey(50); }),
        b(64, 64, [](int x, int y) { return grey(x < 10 && y < 9 ? 250 : 50); });

    CHECK_FALSE(compare(a, b).exact);
    CHECK(compare(a, b, {{0, 0, 10, 9}}).exact);
    b.at(12, 0) = 0; // the block after the last that the rectangle touches
    CHECK_FALSE(compare(a, b, {{0, 0, 10, 9}}).exact);
    CHECK(compare(a, b, {{0, 0, 10, 9}, {12, 0, 1, 1}}).exact);
}

TEST_CASE("likeness: nothing left is no answer")
{
    Canvas a(64, 64, [](int, int) { return 0u; });
    rect all{0, 0, 64, 64}, small{0, 0, 7, 64};
    likeness l{};

    CHECK_FALSE(likeness_of(&a.picture, &a.picture, all, &all, 1, &l));
    CHECK_FALSE(likeness_of(&a.picture, &a.picture, small, nullptr, 0, &l));
}

TEST_CASE("likeness: a film sent as JPEG is worse the lower its quality")
{
    scene *s = scene_create(scene_kind_find("video"), 640, 360, 1);
    REQUIRE(s);
    scene_draw(s, 1234, 5678);
    mark_picture drawn = scene_picture(s);
    rect without[] = {{s->frame_at.x, s->frame_at.y, MARK_WIDTH, MARK_HEIGHT},
                      {s->end_at.x, s->end_at.y, MARK_WIDTH, MARK_HEIGHT}};
    double psnr = LIKENESS_PSNR_MOST, ssim = 1;

    for (int quality : {95, 80, 50, 20, 5}) {
        INFO(quality);
        Canvas seen(640, 360, [](int, int) { return 0u; });
        likeness l{};
        compress(drawn, seen, quality);
        REQUIRE(likeness_of(&drawn, &seen.picture, s->area, without, 2, &l));
        CHECK(l.psnr_db < psnr - 0.3);
        CHECK(l.ssim < ssim - 0.01);
        CHECK_FALSE(l.exact);
        psnr = l.psnr_db;
        ssim = l.ssim;
    }
    CHECK(psnr > 15); // also the worst is that film, and
    CHECK(ssim > 0.1);

    Canvas before(640, 360, [](int, int) { return 0u; });
    likeness l{};
    compress(drawn, before, 95);
    scene_draw(s, 2000, 5678);
    REQUIRE(likeness_of(&drawn, &before.picture, s->area, without, 2, &l));
    CHECK(l.psnr_db < psnr); // another frame is another picture
    scene_destroy(s);
}
