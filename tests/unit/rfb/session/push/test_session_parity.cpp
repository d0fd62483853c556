// A session whose far end sends parity of the blocks that it sends as datagrams.
#include "tests/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "rfb/datagrams/parity.h"
#include "session_way.hpp"
#include "tests/expect.hpp"

using namespace peer;
using namespace datagram_way;

namespace
{

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

// Up to where it says hello.
void begin_way(Peer &p, Heard &heard, Way &way)
{
    begin_counting(p, heard);
    way.until([&] { return way.hellos > 0; });
}

} // namespace

TEST_CASE("session: a block that was lost is made of parity, drawn, and told of as made")
{
    Way way;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            const std::string left = block_of({0, 0, 32, H}, 40, 0x111111),
                              right = block_of({32, 0, 32, H}, 41, 0x222222, true);
            begin_way(p, heard, way);
            way.say(1, 0, block_of({0, 0, W, H}, 39, 0xff0000));
            way.say(1, 0, right);
            way.say(1, 0, parity_of({left, right}, 40, 42));
            way.until([&] { return way.made(40); });
            EXPECT(way.told(42) && way.told(41) && way.told(39) && !way.told(40));
            EXPECT(!way.made(41) && !way.made(39));
            p.write(TEXT);
            heard.until(CLIENT_KEY);
            way.say(1, 0, left); // it is late
            way.until([&] { return way.told(40); });
            p.write(TEXT);
            p.read_rest();
        });
        Owner owner(options(server), hooks());
        give(owner, way);
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
