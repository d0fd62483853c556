/* Servers that send little and ask for much: time, memory, pixels that are not theirs. */
#include <turbojpeg.h>
#include <zlib.h>

#include <fstream>

#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

using namespace e2e;

namespace
{

const int W = 64, H = 48;
const milliseconds HANG = seconds(90); /* far more than any of this takes on a slow machine */

ViewerOptions all_encodings(const FakeServer &server, const char *encodings)
{
    ViewerOptions o;
    o.address = server.address();
    o.encodings = encodings;
    o.jpeg = true;
    return o;
}

/* Why the session ends that gets this update. */
std::string end_of(int width, int height, const std::string &update,
                   const char *encodings = "tight,zrle,corre,rre,raw")
{
    FakeServer server(handshake(width, height) +
                      Script{await_request(), send_step(update), stall()});
    Viewer viewer(all_encodings(server, encodings));
    auto why = viewer.wait_closed(HANG);
    INFO(viewer.describe());
    REQUIRE(why);
    return *why;
}

/* The bytes, `times` times, as a deflate stream. */
std::string deflated(const std::string &in, size_t times = 1)
{
    z_stream z = {};
    std::string out, part(1 << 20, '\0');
    deflateInit(&z, Z_BEST_SPEED);
    for (size_t i = 0; i < times; i++) {
        z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(in.data()));
        z.avail_in = static_cast<uInt>(in.size());
        do {
            z.next_out = reinterpret_cast<Bytef *>(&part[0]);
            z.avail_out = static_cast<uInt>(part.size());
            deflate(&z, i + 1 < times ? Z_NO_FLUSH : Z_SYNC_FLUSH);
            out.append(part, 0, part.size() - z.avail_out);
        } while (z.avail_out == 0);
    }
    deflateEnd(&z);
    return out;
}

std::string with_length(const std::string &bytes)
{
    return u32(static_cast<uint32_t>(bytes.size())) + bytes;
}

std::string one(unsigned w, unsigned h, int32_t encoding)
{
    return update(1) + rectangle(0, 0, w, h, encoding);
}

std::string pixel(uint32_t colour)
{
    return u8(colour & 255) + u8(colour >> 8 & 255) + u8(colour >> 16 & 255) + u8(0);
}

/* The most memory this process has had since the last call, in MB. */
double peak_mb()
{
    std::ifstream f("/proc/self/status");
    double kb = 0;
    for (std::string line; std::getline(f, line);)
        if (line.rfind("VmHWM:", 0) == 0)
            kb = atof(line.c_str() + 6);
    f.close();
    std::ofstream("/proc/self/clear_refs") << "5";
    return kb / 1024;
}

std::string jpeg(int side, int flags)
{
    std::vector<unsigned char> pixels(static_cast<size_t>(side) * static_cast<size_t>(side), 77);
    unsigned char *out = nullptr;
    unsigned long size = 0;
    tjhandle handle = tjInitCompress();
    REQUIRE(tjCompress2(handle, pixels.data(), side, 0, side, TJPF_GRAY, &out, &size, TJSAMP_GRAY,
                        100, flags) == 0);
    std::string bytes(reinterpret_cast<char *>(out), size);
    tjFree(out);
    tjDestroy(handle);
    return bytes;
}

/* A Tight rectangle of JPEG: its length is three bytes of 7, 7 and 8 bits. */
std::string tight_jpeg(const std::string &bytes)
{
    auto size = static_cast<unsigned>(bytes.size());
    return u8(0x90) + u8(0x80 | (size & 0x7f)) + u8(0x80 | (size >> 7 & 0x7f)) + u8(size >> 14) +
           bytes;
}

} // namespace

TEST_CASE("a subrectangle stays inside its rectangle", "[hostile]")
{
    std::string rre = update(1) + rectangle(8, 8, 8, 8, ENCODING_RRE) + u32(1) + pixel(0x101010) +
                      pixel(0xff0000) + u16(4) + u16(4) + u16(40) + u16(30);
    FakeServer server(handshake(W, H) + Script{await_request(),
                                               send_step(raw_screen(W, H, 0x445566) + rre),
                                               stall()});
    Viewer viewer(all_encodings(server, "rre,raw"));
    require_connected(viewer);
    Image expected(W, H, 0x445566);
    for (int y = 8; y < 16; y++)
        for (int x = 8; x < 16; x++)
            expected.pixels[static_cast<size_t>(y * W + x)] =
                x < 12 || y < 12 ? 0x101010 : 0xff0000;
    check_picture(viewer, expected);
}

TEST_CASE("a rectangle that fills its pixels again and again ends the session", "[hostile]")
{
    const unsigned side = 2048;
    std::string rre = one(side, side, ENCODING_RRE) + u32(0xffffffff) + pixel(0);
    for (uint32_t i = 0; i < 100000; i++)
        rre += pixel(i) + u16(0) + u16(0) + u16(side) + u16(side);
    CHECK(end_of(side, side, rre).find("fills more pixels") != std::string::npos);
    std::string corre = one(255, 255, ENCODING_CORRE) + u32(30000) + pixel(0);
    for (uint32_t i = 0; i < 30000; i++)
        corre += pixel(i) + u8(0) + u8(0) + u8(255) + u8(255);
    CHECK(end_of(side, side, corre).find("fills more pixels") != std::string::npos);
}

TEST_CASE("a JPEG image of many scans is refused where it is large", "[hostile]")
{
    /* as a server that is not hostile might send it */
    std::string small = one(512, 512, ENCODING_TIGHT) + tight_jpeg(jpeg(512, TJFLAG_PROGRESSIVE));
    FakeServer server(handshake(512, 512) + Script{await_request(), send_step(small), stall()});
    Viewer viewer(all_encodings(server, "tight"));
    require_connected(viewer);
    check_picture(viewer, Image(512, 512, 0x4d4d4d));

    std::string large = one(4096, 4096, ENCODING_TIGHT);
    /* markers that stand alone do not hide the scans behind them */
    std::string hidden = jpeg(4096, TJFLAG_PROGRESSIVE);
    for (size_t at = 0; (at = hidden.find("\xff\xda", at)) != std::string::npos; at += 4)
        hidden.insert(at, "\xff\x01");
    CHECK(end_of(4096, 4096, large + tight_jpeg(hidden)).find("too many scans") !=
          std::string::npos);
    /* an image that is cut after its first scan is kept as a whole, too */
    std::string first = jpeg(8192, TJFLAG_PROGRESSIVE);
    first.resize(first.find("\xff\xda", first.find("\xff\xda") + 2));
    CHECK(end_of(8192, 8192, one(8192, 8192, ENCODING_TIGHT) + tight_jpeg(first + "\xff\xd9"))
              .find("too many scans") != std::string::npos);
    CHECK(end_of(4096, 4096, large + tight_jpeg(jpeg(4096, TJFLAG_PROGRESSIVE))).find("JPEG") !=
          std::string::npos);
    /* the same in one scan is no harm: the session goes on to what follows */
    CHECK(end_of(4096, 4096, large + tight_jpeg(jpeg(4096, 0)) + u8(99)).find("99") !=
          std::string::npos);
}

TEST_CASE("a broken ZRLE rectangle ends the session", "[hostile]")
{
    /* a raw tile, a palette and runs that end too soon */
    for (unsigned subencoding : {0u, 2u, 16u, 128u, 130u}) {
        INFO(subencoding);
        CHECK(
            end_of(W, H, one(W, H, ENCODING_ZRLE) + with_length(deflated(u8(subencoding) + "abcd")))
                .find("zrle") != std::string::npos);
    }
    /* tiles that are missing */
    CHECK(end_of(256, 256, one(256, 256, ENCODING_ZRLE) + with_length(deflated(u8(1) + "abc")))
              .find("zrle") != std::string::npos);
}

TEST_CASE("a zlib rectangle that is too short ends the session", "[hostile]")
{
    for (int missing : {1, 4, W * H * 4}) {
        INFO(missing << " bytes are missing");
        std::string pixels(static_cast<size_t>(W * H * 4 - missing), '\1');
        CHECK(end_of(W, H, one(W, H, ENCODING_ZLIB) + with_length(deflated(pixels)), "zlib,raw")
                  .find("zlib") != std::string::npos);
    }
    CHECK(end_of(W, H, one(W, H, ENCODING_ZLIB) + u32(0), "zlib,raw").find("zlib") !=
          std::string::npos);
    /* a whole one is drawn */
    std::string pixels;
    for (int i = 0; i < W * H; i++)
        pixels += pixel(0x123456);
    FakeServer server(handshake(W, H) +
                      Script{await_request(),
                             send_step(one(W, H, ENCODING_ZLIB) + with_length(deflated(pixels))),
                             stall()});
    Viewer viewer(all_encodings(server, "zlib,raw"));
    require_connected(viewer);
    check_picture(viewer, Image(W, H, 0x123456));
}

TEST_CASE("a few bytes do not take more than 200 MB beside the picture", "[hostile]")
{
    /* zeros deflate to a thousandth; as ZRLE they are raw black tiles, and then too many bytes */
    for (int side : {5000, 8192}) {
        std::string bomb =
            one(static_cast<unsigned>(side), static_cast<unsigned>(side), ENCODING_ZRLE) +
            with_length(deflated(std::string(static_cast<size_t>(side) * 6, '\0'),
                                 static_cast<size_t>(side))) +
            u8(99);
        double picture = 2.0 * side * side * 4 / (1 << 20);
        FakeServer server(handshake(side, side) +
                          Script{await_request(), send_step(bomb), stall()});
        peak_mb();
        double before = peak_mb();
        Viewer viewer(all_encodings(server, "zrle,raw"));
        auto why = viewer.wait_closed(HANG);
        REQUIRE(why);
        double taken = peak_mb() - before;
        INFO(side << ": " << taken << " MB, of them at most " << picture << " the picture's; "
                  << *why);
        CHECK(taken < picture + 200);
    }
}

TEST_CASE("the end of a session does not wait for a receiver that is busy", "[hostile]")
{
    FakeServer server(handshake(W, H) + Script{await_request(), repeat(raw_screen(W, H, 1))});
    int threads = live_threads(); /* the server's among them */
    struct framebuffer_view view;
    struct framebuffer_reader *reader;
    {
        Viewer viewer(all_encodings(server, "raw"));
        require_connected(viewer);
        check_picture(viewer, Image(W, H, 1));
        /* What a decoder does for minutes, this lock does for certain: the receiver waits for it
         * to show its next update. */
        reader = session_framebuffer(viewer.raw());
        REQUIRE(framebuffer_lock(reader, &view, false));
        unsigned long long updates = 0, seen;
        do {
            seen = updates;
            viewer.wait_for(milliseconds(50), [] { return false; });
            updates = viewer.stats().meter.updates;
        } while (updates != seen);
    }                           /* the session is destroyed here */
    framebuffer_unlock(reader); /* the receiver has it still, and frees it now */
    CHECK(wait_until(HANG, [&] { return live_threads() <= threads; }));
}
