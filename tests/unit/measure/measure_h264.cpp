// What H.264 of a server (encoding 50) costs to decode, and what it saves beside Tight
// (docs/decisions/open-h264.md).
//
//   measure-h264
//
// Films of 1920x1080. First as H.264 of 2 Mbit/s at 30 pictures a second, as a server sends it
// (x264, baseline profile): CPU time of a picture from the socket to its pixels, bytes, PSNR. Then
// as JPEG, which is what Tight makes of a film: bytes, and how many pictures a second 2 Mbit/s
// carry.
#include "tests/h264_stream.hpp"

#include <sys/socket.h>
#include <turbojpeg.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <thread>

#include "rfb/decode/decoder.h"
#include "rfb/film/decoder.h"
#include "rfb/net/sockets/socket.h"
#include "rfb/system/thread.h"
extern "C" {
#include "tools/demo/film.h"
#include "tools/lab/content/photo.h"
}

using namespace h264;

namespace
{

constexpr int W = 1920, H = 1080, PICTURES = 90, FPS = 30, KBIT = 2000;
constexpr int JPEG[] = {15, 41, 77};

using Film = std::function<Image(int)>;

// A camera that goes over a photograph.
Film photo()
{
    auto large = std::make_shared<Image>(W + 5 * PICTURES, H + 3 * PICTURES);
    canvas c = {large->pixels.data(), large->w, large->h};
    photo_draw(&c, {0, 0, large->w, large->h}, 1);
    return [large](int n) { return large->part(5 * n, 3 * n, W, H); };
}

Film demo()
{
    std::shared_ptr<film> f(film_create(W, H), film_destroy);
    return [f](int n) {
        Image i(W, H);
        film_draw(f.get(), i.pixels.data(), W, uint64_t(n));
        for (uint32_t &c : i.pixels)
            c &= 0xffffff;
        return i;
    };
}

// A viewer's decoder; the server is a thread.
struct Viewer {
    int ends[2];
    framebuffer *fb = framebuffer_create(-1);
    encoding_list offered = {{ENCODING_H264}, 1};
    stream *from = nullptr;
    decoder *d = nullptr;

    Viewer()
    {
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        from = stream_create(socket_adopt(ends[0]));
        d = decoder_create(from, fb, &offered);
        REQUIRE(framebuffer_resize(fb, W, H));
        decoder_use_picture(d, W, H);
    }
    ~Viewer()
    {
        decoder_destroy(d);
        stream_destroy(from);
        close(ends[1]);
        framebuffer_destroy(fb);
    }
    // Returns CPU time, ms.
    double take(const std::string &body)
    {
        reason why = {};
        std::thread server([&] {
            for (size_t at = 0; at < body.size();)
                at += size_t(
                    std::max<ssize_t>(0, write(ends[1], body.data() + at, body.size() - at)));
        });
        double before = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
        REQUIRE(decoder_decode(d, {0, 0, W, H}, ENCODING_H264, &why));
        double took = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - before;
        server.join();
        return took * 1e3;
    }
    Image seen() const
    {
        Image i(W, H);
        std::copy_n(framebuffer_private(fb), i.pixels.size(), i.pixels.begin());
        return i;
    }
};

void measure_h264(const Film &film)
{
    Look look;
    look.kbit = KBIT;
    Coder c(W, H, look);
    Viewer v;
    double ms = 0, bytes = 0, good = 0;
    for (int n = 0; n < PICTURES; n++) {
        const Image i = film(n);
        const std::string stream = body(c.code(i));
        ms += v.take(stream);
        bytes += double(stream.size());
        good += psnr(i, v.seen());
    }
    printf("  H.264, %d kbit/s   %7.1f kB a picture, %5.1f dB, %.1f pictures a second; %.2f ms of "
           "CPU time each, %.0f %% of a core at %d a second\n",
           KBIT, bytes / PICTURES / 1e3, good / PICTURES,
           std::min(double(FPS), KBIT * 125.0 / (bytes / PICTURES)), ms / PICTURES,
           ms / PICTURES * FPS / 10, FPS);
}

void measure_jpeg(const Film &film, int quality)
{
    tjhandle to = tjInitCompress(), from = tjInitDecompress();
    double bytes = 0, good = 0;
    Image again(W, H);
    for (int n = 0; n < PICTURES; n += 10) {
        Image i = film(n);
        unsigned char *file = nullptr;
        unsigned long size = 0;
        tjCompress2(to, reinterpret_cast<unsigned char *>(i.pixels.data()), W, 0, H, TJPF_BGRX,
                    &file, &size, TJSAMP_420, quality, 0);
        tjDecompress2(from, file, size, reinterpret_cast<unsigned char *>(again.pixels.data()), W,
                      0, H, TJPF_BGRX, 0);
        tjFree(file);
        bytes += double(size);
        good += psnr(i, again);
    }
    tjDestroy(to);
    tjDestroy(from);
    const int count = (PICTURES + 9) / 10;
    printf("  Tight, JPEG %3d      %7.1f kB a picture, %5.1f dB, %.1f pictures a second\n", quality,
           bytes / count / 1e3, good / count, KBIT * 125.0 / (bytes / count));
}

} // namespace

TEST_CASE("h264: what it costs, and what it saves")
{
    const std::pair<const char *, Film> films[] = {{"a photograph that moves", photo()},
                                                   {"the demo's film, with grain", demo()}};
    film_decoder_load();
    REQUIRE(film_decoder_works());
    for (const auto &[name, film] : films) {
        printf("%s, %dx%d\n", name, W, H);
        measure_h264(film);
        for (int quality : JPEG)
            measure_jpeg(film, quality);
    }
}
