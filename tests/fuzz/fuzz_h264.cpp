/* Open H.264 of a hostile server, as fuzzer input: rectangles of encoding 50, each behind a byte
 * that says which of eight places it has. All of it is read, and nothing is drawn outside of a
 * rectangle.
 *
 * Link with libFuzzer (clang -fsanitize=fuzzer), or with replay.cpp. */
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

#include "must.hpp"
#include "rfb/decode/decoder.h"
#include "rfb/film/decoder.h"
#include "rfb/net/sockets/socket.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace
{

const size_t INPUT_MAX = 100000; /* what a socket pair takes in one go */
const int W = 96, H = 64;
const rect PLACES[] = {{0, 0, 48, 32}, {48, 0, 48, 32}, {0, 32, 33, 17}, {40, 40, 16, 16},
                       {0, 0, W, H},   {95, 63, 1, 1},  {5, 5, 0, 9},    {7, 9, 50, 40}};

std::vector<uint32_t> pixels(framebuffer *fb)
{
    const uint32_t *p = framebuffer_private(fb);
    return {p, p + W * H};
}

bool same_outside(const std::vector<uint32_t> &a, const std::vector<uint32_t> &b, rect r)
{
    for (int i = 0; i < W * H; i++)
        if (a[size_t(i)] != b[size_t(i)] && !rect_inside({i % W, i / W, 1, 1}, r))
            return false;
    return true;
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ends[2];
    film_decoder_load();
    if (size > INPUT_MAX || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return 0;
    bool sent = send(ends[1], data, size, MSG_DONTWAIT | MSG_NOSIGNAL) == ssize_t(size);
    shutdown(ends[1], SHUT_WR);
    framebuffer *fb = framebuffer_create(-1);
    encoding_list offered = {{ENCODING_H264}, 1};
    stream *from = stream_create(socket_adopt(ends[0]));
    decoder *d = decoder_create(from, fb, &offered);
    must(d && framebuffer_resize(fb, W, H), "there is memory");
    decoder_use_picture(d, W, H);
    reason why = {};
    uint8_t place;
    while (sent && stream_read(from, &place, 1, &why)) {
        const rect r = PLACES[place % 8];
        const std::vector<uint32_t> before = pixels(fb);
        if (!decoder_decode(d, r, ENCODING_H264, &why)) {
            must(stream_ended(from), "only the end of the stream ends it");
            break;
        }
        must(same_outside(before, pixels(fb), r), "it is drawn inside");
    }
    decoder_destroy(d);
    stream_destroy(from);
    framebuffer_destroy(fb);
    close(ends[1]);
    return 0;
}
