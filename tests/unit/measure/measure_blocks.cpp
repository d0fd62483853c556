// What blocks weigh, and how long they take (docs/blocks.md).
//
//   measure-blocks                 pictures of its own: text, and films of 640x360
//   measure-blocks FILE.ppm...     frames of one film, or pictures of a desktop
//
// Each frame is sent whole. A line for each quality (0: exact) has, of a frame: bytes of blocks
// with their heads, blocks, how often an encoder ran for one, bytes of one JPEG file of the frame,
// ms to write and to read the blocks, PSNR of the blocks and of the JPEG file; then the blocks and
// the bytes of each codec.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <turbojpeg.h>

#include "ppm.hpp"
#include "prose.hpp"
#include "tests/unit/blocks.hpp"
extern "C" {
#include "tools/demo/film.h"
#include "tools/lab/content/photo.h"
}

using namespace blocks_test;

namespace
{

constexpr int FRAMES = 30;
constexpr int QUALITIES[] = {0, 10, 30, 60, 90};

struct Film {
    std::string name;
    std::vector<Picture> frames;
};

double now_ms()
{
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// The same for a screen whose pixels are three stripes: red, green and blue have edges of their
// own.
Picture striped(const Picture &large)
{
    Picture p(large.w / 3, large.h / 3);
    for (int y = 0; y < p.h; y++)
        for (int x = 0; x < p.w; x++)
            for (int c = 0; c < 3; c++) {
                int sum = 0, from = std::max(0, x * 3 + c - 1), shift = 16 - 8 * c;
                for (int i = 0; i < 9; i++)
                    sum += large.at(std::min(large.w - 1, from + i % 3), y * 3 + i / 3) >> shift &
                           0xff;
                p.at(x, y) |= uint32_t(sum / 9) << shift;
            }
    return p;
}

// A camera that goes over a photograph.
Film photo_film()
{
    Film film = {"film: a photograph that moves, 640x360", {}};
    Picture large(1600, 960);
    canvas c = {large.pixels.data(), large.w, large.h};
    photo_draw(&c, {0, 0, large.w, large.h}, 1);
    for (int n = 0; n < FRAMES; n++) {
        Picture p(640, 360);
        double scale = 1.3 + 0.01 * n;
        for (int y = 0; y < p.h; y++)
            for (int x = 0; x < p.w; x++)
                p.at(x, y) = large.at(int(x * scale) + 5 * n, int(y * scale) + 3 * n);
        film.frames.push_back(p);
    }
    return film;
}

Film grain_film()
{
    Film film = {"film: the demo's, with grain, 640x360", {}};
    struct film *f = film_create(640, 360);
    for (int n = 0; n < FRAMES; n++) {
        Picture p(640, 360);
        film_draw(f, p.pixels.data(), p.w, uint64_t(n));
        film.frames.push_back(p);
    }
    film_destroy(f);
    return film;
}

struct Figures {
    double bytes = 0, blocks = 0, jpeg = 0, write = 0, read = 0, good = 0, jpeg_good = 0;
};

// One JPEG file of the whole frame.
void measure_jpeg(const Picture &p, int quality, Figures *f)
{
    unsigned char *file = nullptr;
    unsigned long size = 0;
    tjhandle to = tjInitCompress(), from = tjInitDecompress();
    Picture again(p.w, p.h);
    auto *in = const_cast<uint32_t *>(p.pixels.data());
    tjCompress2(to, reinterpret_cast<unsigned char *>(in), p.w, 0, p.h, TJPF_BGRX, &file, &size,
                quality >= BLOCK_FULL_CHROMA ? TJSAMP_444 : TJSAMP_420, quality, 0);
    tjDecompress2(from, file, size, reinterpret_cast<unsigned char *>(again.pixels.data()), p.w, 0,
                  p.h, TJPF_BGRX, 0);
    f->jpeg += double(size);
    f->jpeg_good += psnr(p, again);
    tjFree(file);
    tjDestroy(to);
    tjDestroy(from);
}

void measure(const Film &film, int quality)
{
    Figures f;
    Writer writer;
    Reader reader;
    size_t kinds[BLOCK_CODECS] = {}, bytes[BLOCK_CODECS] = {};
    pack(writer, film.frames.front(), quality); // what encoders have learnt
    for (const Picture &p : film.frames) {
        Picture drawn(p.w, p.h);
        double start = now_ms();
        auto blocks = pack(writer, p, quality);
        double written = now_ms();
        for (const auto &wire : blocks)
            if (std::string why = draw(reader, wire, drawn); !why.empty())
                fprintf(stderr, "%s\n", why.c_str());
        f.read += now_ms() - written;
        f.write += written - start;
        f.blocks += double(blocks.size());
        for (const auto &wire : blocks) {
            f.bytes += double(wire.size());
            kinds[wire[0] & 15]++;
            bytes[wire[0] & 15] += wire.size();
        }
        f.good += psnr(p, drawn);
        if (quality)
            measure_jpeg(p, quality, &f);
    }
    uint64_t tries, made;
    block_writer_tries(writer.w, &tries, &made);
    double n = double(film.frames.size());
    printf("%3d %9.0f B %6.1f blocks %4.2f tries %9.0f B JPEG %6.2f ms %6.2f ms %5.1f dB %5.1f dB ",
           quality, f.bytes / n, f.blocks / n, double(tries) / double(made), f.jpeg / n,
           f.write / n, f.read / n, f.good / n, f.jpeg_good / n);
    static const char *const names[] = {"solid", "copy",  "pal", "pal-d",
                                        "pix",   "pix-d", "420", "444"};
    for (int i = 0; i < BLOCK_CODECS; i++)
        if (kinds[i])
            printf(" %s %.1f/%.0f", names[i], double(kinds[i]) / n, double(bytes[i]) / n);
    printf("\n");
}

void measure(const Film &film)
{
    printf("%s, %zu frames of %dx%d\n", film.name.c_str(), film.frames.size(),
           film.frames.front().w, film.frames.front().h);
    for (int quality : QUALITIES)
        measure(film, quality);
}

} // namespace

int main(int argc, char **argv)
{
    Film given = {"the files", {}};
    for (int i = 1; i < argc; i++) {
        Picture p(1, 1);
        if (!read_ppm(argv[i], &p)) {
            fprintf(stderr, "measure-blocks: %s is no PPM file that can be read\n", argv[i]);
            return 1;
        }
        given.frames.push_back(p);
    }
    if (argc > 1) {
        measure(given);
        return 0;
    }
    measure({"text with sharp edges", std::vector<Picture>(5, prose(1024, 768, 1))});
    measure({"text with soft edges", std::vector<Picture>(5, shrunk(prose(1024, 768, 3), 3))});
    measure({"text with edges in colour", std::vector<Picture>(5, striped(prose(1024, 768, 3)))});
    measure(photo_film());
    measure(grain_film());
    return 0;
}
