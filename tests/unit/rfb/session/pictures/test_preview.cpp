// A session's picture before its connection stands: by a ticket, from a far end that may be
// hostile.
#include "tests/catch.hpp"

#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rfb/datagrams/body.h"
#include "rfb/proto/bytes.h"
#include "rfb/session/pictures/preview.h"
#include "tests/seed.hpp"
#include "tests/unit/blocks.hpp"

using namespace blocks_test;

namespace
{

constexpr int W = 100, H = 60;

// The preview's end of a way, for its hook.
int given;

// A hang is a test that times out.
template <class F> void until(F f)
{
    while (!f())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

uint32_t size_of(int w, int h)
{
    return uint32_t(w) << 16 | uint32_t(h);
}

// A block of one colour.
std::string block_of(rect area, uint32_t sequence, uint32_t colour, uint8_t generation = 1)
{
    Picture p(area.x + area.w, area.y + area.h, colour);
    Writer writer;
    block b = {};
    uint8_t wire[BLOCK_MAX];
    REQUIRE(block_write_strip(writer.w, p.pixels.data(), p.w, area, 0, &b));
    REQUIRE(b.area.w == area.w);
    b.sequence = sequence;
    b.generation = generation;
    return std::string(reinterpret_cast<char *>(wire), block_pack(&b, wire));
}

// A session's parts, and the far end.
class Scene
{
  public:
    explicit Scene(uint16_t tries = 0)
    {
        const session_callbacks callbacks = {[](void *) {}, nullptr};
        int pair[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0);
        given = pair[0];
        far_ = pair[1];
        ticket.port = 60125;
        ticket.tries = tries;
        memset(ticket.secret, 's', sizeof ticket.secret);
        down_ = sealer_create(ticket.secret, SEALED_TO_VIEWER);
        sealer_begin_at(down_, uint64_t(tries) << 32);
        hello_ = opener_create(ticket.secret, SEALED_HELLO);
        up_ = opener_create(ticket.secret, SEALED_TO_FAR_END);
        fb = framebuffer_create(-1);
        events_ = events_create(&callbacks);
        preview = preview_create(fb, events_);
        REQUIRE((down_ && hello_ && up_ && fb && preview));
        REQUIRE(preview_start(preview, &ticket, [] { return given; }));
    }
    ~Scene()
    {
        preview_destroy(preview);
        events_destroy(events_);
        framebuffer_destroy(fb);
        sealer_destroy(down_);
        opener_destroy(hello_);
        opener_destroy(up_);
        close(far_);
    }
    std::string say(const std::string &block, uint32_t size = size_of(W, H))
    {
        uint8_t body[SEALED_BODY_MAX], packet[SEALED_MAX];
        body_down d = {};
        d.mark = 7;
        d.heard = size;
        d.block = reinterpret_cast<const uint8_t *>(block.data());
        d.size = block.size();
        size_t n = sealer_seal(down_, body, body_write_down(body, &d), packet);
        put(std::string(reinterpret_cast<char *>(packet), n));
        return std::string(reinterpret_cast<char *>(packet), n);
    }
    void put(const std::string &packet)
    {
        send(far_, packet.data(), packet.size(), MSG_NOSIGNAL);
    }
    // The next packet, of any kind: the number that it has.
    uint64_t hear()
    {
        uint8_t packet[SEALED_MAX], body[SEALED_BODY_MAX];
        size_t size;
        bool newest;
        ssize_t n = -1;
        until([&] { return (n = recv(far_, packet, sizeof packet, 0)) > 0; });
        if (opener_open(hello_, packet, size_t(n), body, &size, &newest)) {
            hellos++;
            CHECK(size == 0);
        } else {
            REQUIRE(opener_open(up_, packet, size_t(n), body, &size, &newest));
            REQUIRE(body_read_up(body, size, &up));
            CHECK(up.size == 0); // nothing is said, not even input
            ups++;
        }
        return uint64_t(get32(packet + 8)) << 32 | get32(packet + 12);
    }
    // All that was said has been read.
    void is_read()
    {
        int waits = 1;
        until([&] { return ioctl(far_, SIOCOUTQ, &waits) == 0 && waits == 0; });
    }
    Picture picture()
    {
        Picture p(1, 1);
        framebuffer_size(fb, &p.w, &p.h);
        p.pixels.assign(framebuffer_private(fb), framebuffer_private(fb) + p.w * p.h);
        return p;
    }

    session_ticket ticket = {};
    framebuffer *fb;
    struct preview *preview;
    unsigned hellos = 0, ups = 0;
    body_up up = {};

  private:
    int far_;
    events *events_;
    sealer *down_;
    opener *hello_, *up_;
};

} // namespace

TEST_CASE("preview: the picture is whole once all of it has come, in any order")
{
    Scene s;
    Random random(any_seed());
    const Picture p = mixed(W, H, random);
    Writer writer;
    std::vector<std::string> blocks = pack(writer, p, 0);
    REQUIRE(blocks.size() > 1);
    s.hear();
    CHECK_FALSE(preview_is_answered(s.preview));
    for (size_t i = blocks.size() - 1; i > 0; i--)
        s.say(blocks[i]);
    until([&] { return s.hear(), s.up.tells && s.up.newest == blocks.size(); });
    CHECK(s.up.mark == 7);
    CHECK(preview_is_answered(s.preview));
    CHECK_FALSE(preview_is_whole(s.preview));
    s.say(blocks[0]);
    until([&] { return preview_is_whole(s.preview); });
    preview_end(s.preview);
    CHECK(s.picture() == p);
    CHECK(preview_is_whole(s.preview));
}

TEST_CASE(
    "preview: it says hello, and nothing else before there is an answer; each try by numbers of "
    "its own")
{
    const uint16_t tries = GENERATE(uint16_t(0), uint16_t(3), UINT16_MAX);
    Scene s(tries);
    CHECK(s.hear() == uint64_t(tries) << 32);
    CHECK(s.hear() == (uint64_t(tries) << 32) + 1);
    CHECK(s.hellos == 2);
    s.say(block_of({0, 0, 16, 16}, 1, 0x123456));
    uint64_t number = 0;
    until([&] { return number = s.hear(), s.ups > 0; });
    CHECK(number == uint64_t(tries) << 32);
}

TEST_CASE("preview: what was said to an earlier try is not taken for an answer")
{
    Scene early;
    early.hear(); // it has its socket
    Scene s(1);
    const std::string packet = early.say(block_of({0, 0, 16, 16}, 1, 0x123456));
    s.put(packet);
    s.is_read();
    s.hear(); // it still says hello
    s.hear();
    CHECK(s.ups == 0);
    CHECK_FALSE(preview_is_answered(s.preview));
    s.say(block_of({0, 0, 16, 16}, 1, 0x654321));
    until([&] { return s.hear(), s.ups > 0; });
}

TEST_CASE("preview: a newer size begins a picture anew, an older one draws nothing")
{
    Scene s;
    s.say(block_of({0, 0, 16, 16}, 1, 0x111111, 255));
    s.say(block_of({0, 0, 32, 16}, 2, 0x222222, 0), size_of(32, 16)); // behind 255
    s.say(block_of({0, 0, 16, 16}, 3, 0x333333, 255));
    until([&] { return preview_is_whole(s.preview); });
    s.is_read();
    preview_end(s.preview);
    CHECK(s.picture() == Picture(32, 16, 0x222222));
}

TEST_CASE("preview: what no far end says ends it, and nothing else")
{
    std::string broken = block_of({0, 0, 16, 16}, 2, 0x222222), film = broken, copy = broken;
    broken.resize(broken.size() - 1);
    film[0] = char(BLOCK_FILM);
    copy[0] = char(BLOCK_COPY);
    const std::string outside = block_of({96, 48, 16, 16}, 2, 0x222222);
    for (const std::string &wrong : {broken, film, copy, outside, std::string(1, '\x40')}) {
        Scene s;
        s.say(block_of({0, 0, 16, 16}, 1, 0x111111));
        s.say(wrong);
        s.is_read();
        preview_end(s.preview);
        CHECK_FALSE(preview_is_whole(s.preview));
        const Picture p = s.picture();
        CHECK(p.w == W);
        CHECK(p.at(0, 0) == 0x111111);
    }
    for (uint32_t size : {size_of(0, 10), size_of(10, 0), 0u, UINT32_MAX, size_of(8193, 8)}) {
        Scene s;
        s.say(block_of({0, 0, 16, 16}, 1, 0x111111), size);
        s.is_read();
        preview_end(s.preview);
        int w, h;
        framebuffer_size(s.fb, &w, &h);
        CHECK(w == 0);
        CHECK_FALSE(preview_is_whole(s.preview));
    }
}

TEST_CASE("preview: without a ticket, or a socket, there is none")
{
    const session_callbacks callbacks = {[](void *) {}, nullptr};
    framebuffer *fb = framebuffer_create(-1);
    events *e = events_create(&callbacks);
    session_ticket none = {}, some = {};
    some.port = 60125;
    struct preview *p = preview_create(fb, e);
    CHECK_FALSE(preview_start(p, &none, [] { return -1; }));
    CHECK_FALSE(preview_start(p, &some, nullptr));
    CHECK(preview_start(p, &some, [] { return -1; }));
    preview_end(p);
    preview_end(p);
    CHECK_FALSE(preview_is_answered(p));
    preview_destroy(p);
    preview_destroy(nullptr);
    events_destroy(e);
    framebuffer_destroy(fb);
}
