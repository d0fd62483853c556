// A session whose far end sends parity of the blocks that it sends as datagrams.
#include "tests/catch.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "rfb/datagrams/body.h"
#include "rfb/datagrams/sealed.h"
#include "session_blocks.hpp"

using namespace peer;

namespace
{

const std::string TEXT("\3\0\0\0\0\0\0\1x", 9);
const int W = 64, H = 48; // of let_in()

// A block as a datagram has it.
std::string block_of(rect area, uint32_t sequence, uint32_t colour, bool last = false,
                     uint8_t generation = 1)
{
    return one(area, sequence, colour, last, generation).substr(1);
}

// The first parity of these blocks.
std::string parity_of(const std::vector<std::string> &blocks, uint32_t first, uint32_t sequence)
{
    struct parity p = {unsigned(blocks.size()), 0, sequence, first, nullptr, 0};
    std::vector<std::string> padded = blocks;
    std::vector<const uint8_t *> all;
    uint8_t out[PARITY_MAX];
    for (std::string &b : padded) {
        p.size = std::max(p.size, b.size());
        b.resize(BLOCK_MAX);
        all.push_back(reinterpret_cast<const uint8_t *>(b.data()));
    }
    return std::string(reinterpret_cast<char *>(out), parity_write(&p, all.data(), out));
}

// The far end's end of the way. The session's is what it has asked for by then.
class Way
{
  public:
    Way()
    {
        int pair[2];
        uint8_t secret[SEALED_SECRET];
        memset(secret, 's', sizeof secret);
        REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0);
        fd_ = pair[0];
        given_ = pair[1];
        hello_ = opener_create(secret, SEALED_HELLO);
        up_ = opener_create(secret, SEALED_TO_FAR_END);
        down_ = sealer_create(secret, SEALED_TO_VIEWER);
        REQUIRE((hello_ && up_ && down_));
    }
    ~Way()
    {
        close(fd_);
        opener_destroy(hello_);
        opener_destroy(up_);
        sealer_destroy(down_);
    }
    Way(const Way &) = delete;
    Way &operator=(const Way &) = delete;

    int given() const
    {
        return given_;
    }
    std::string shows() const
    {
        accelerator_shown shown = {"bbr", 1, 1, false, false, 60123, {}, {}, false};
        memset(shown.datagrams_secret, 's', sizeof shown.datagrams_secret);
        return written([&](uint8_t *o) { return server_write_accelerator(o, &shown); });
    }
    // Reads packets until it is so.
    void until(const std::function<bool()> &so)
    {
        uint8_t packet[SEALED_MAX + 1];
        while (!so()) {
            ssize_t n = recv(fd_, packet, sizeof packet, 0);
            size_t size = 0;
            bool newest;
            if (n <= 0)
                throw Gone();
            hello = hello || opener_open(hello_, packet, size_t(n), body_, &size, &newest);
            if (opener_open(up_, packet, size_t(n), body_, &size, &newest))
                body_read_up(body_, size, &up_said_);
        }
    }
    void say(const std::string &block)
    {
        uint8_t body[SEALED_BODY_MAX], packet[SEALED_MAX];
        const body_down d = {1, 0, reinterpret_cast<const uint8_t *>(block.data()), block.size()};
        size_t size = sealer_seal(down_, body, body_write_down(body, &d), packet);
        CHECK(send(fd_, packet, size, MSG_NOSIGNAL) == ssize_t(size));
    }
    // Whether the newest packet says that this one has come, or was made.
    bool told(uint32_t number) const
    {
        return up_said_.tells && (up_said_.newest == number || bit(up_said_.before, number));
    }
    bool made(uint32_t number) const
    {
        return up_said_.makes && bit(up_said_.made, number);
    }

    bool hello = false;

  private:
    bool bit(const uint8_t *bits, uint32_t number) const
    {
        uint32_t back = up_said_.newest - number - 1;
        return back < BODY_BEFORE && (bits[back / 8] >> back % 8 & 1);
    }

    int fd_, given_;
    opener *hello_, *up_;
    sealer *down_;
    uint8_t body_[SEALED_BODY_MAX];
    body_up up_said_ = {};
};

// The session has asked for a way.
std::promise<void> *asked;

session_options options(const Server &server)
{
    session_options o = options_for(server);
    o.datagrams = true;
    return o;
}

session_hooks hooks(std::promise<void> &p)
{
    session_hooks h = {};
    asked = &p;
    h.ask_datagrams = [](uint16_t) { asked->set_value(); };
    return h;
}

// The session gets the way that it asks for.
void give(Owner &owner, const Way &way, std::promise<void> &p)
{
    owner.connected();
    p.get_future().wait();
    session_give_path(owner, way.given());
}

// Up to where it says hello.
void begin_way(Peer &p, Heard &heard, Way &way)
{
    begin(p);
    p.write(way.shows());
    while (!heard.counted)
        heard.next();
    way.until([&] { return way.hello; });
}

// How a session ends that gets this as a datagram.
std::string end_of(const std::string &packet)
{
    Way way;
    std::promise<void> asks;
    Server server([&](Peer &p) {
        Heard heard(p);
        begin_way(p, heard, way);
        way.say(packet);
        p.read_rest();
    });
    Owner owner(options(server), hooks(asks));
    give(owner, way, asks);
    std::string why = owner.closed();
    CHECK(owner.failure() == FAILURE_PROTOCOL);
    return why;
}

} // namespace

TEST_CASE("session: a block that was lost is made of parity, drawn, and told of as made")
{
    Way way;
    std::promise<void> asks;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            const std::string left = block_of({0, 0, 32, H}, 40, 0x111111),
                              right = block_of({32, 0, 32, H}, 41, 0x222222, true);
            begin_way(p, heard, way);
            way.say(block_of({0, 0, W, H}, 39, 0xff0000));
            way.say(right);
            way.say(parity_of({left, right}, 40, 42));
            way.until([&] { return way.made(40); });
            CHECK((way.told(42) && way.told(41) && way.told(39) && !way.told(40)));
            CHECK_FALSE((way.made(41) || way.made(39)));
            p.write(TEXT);
            heard.until(CLIENT_KEY);
            way.say(left); // it is late
            way.until([&] { return way.told(40); });
            p.write(TEXT);
            p.read_rest();
        });
        Owner owner(options(server), hooks(asks));
        give(owner, way, asks);
        wait_for(owner, SESSION_CUT_TEXT);
        Picture now(W, H, 0x111111);
        for (int y = 0; y < H; y++)
            std::fill_n(&now.at(32, y), 32, 0x222222u);
        CHECK(seen(owner) == now);
        session_send_key(owner, 'a', true);
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(seen(owner) == now);
    }
}

TEST_CASE("session: what is made of parity that no far end sends ends it, and it says why")
{
    const std::string good = block_of({0, 0, 16, 16}, 2, 0x123456);
    uint8_t payload[BLOCK_COPY_BYTES], wire[BLOCK_MAX];
    block b = {};

    CHECK(end_of(parity_of({good}, 2, 3).substr(0, 20)) ==
          "the server sent a parity of blocks that there cannot be");
    CHECK_FALSE(end_of(parity_of({good.substr(0, good.size() - 1)}, 2, 3)).empty());
    CHECK_FALSE(end_of(parity_of({block_of({0, 0, W + 16, 16}, 2, 0x123456)}, 2, 3)).empty());
    b.area = {0, 0, 16, 16};
    b.generation = 1;
    block_set_copy(&b, 16, 16, payload);
    const std::string copy(reinterpret_cast<char *>(wire), block_pack(&b, wire));
    CHECK(end_of(parity_of({copy}, 2, 3)) ==
          "the server sent a block as a datagram that needs others");
}
