// Parity of blocks: bytes in, bytes out.
#include "tests/catch.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "rfb/datagrams/parity.h"

namespace
{

using Bytes = std::vector<uint8_t>;

struct Group {
    unsigned count, parities;
    size_t size;
    std::vector<Bytes> block, parity; // those of parities with their heads

    Group(unsigned count, unsigned parities, size_t size, unsigned seed)
        : count(count), parities(parities), size(size)
    {
        std::mt19937 random(seed);
        std::vector<const uint8_t *> blocks;

        for (unsigned j = 0; j < count; j++) {
            Bytes b(size);
            std::generate(b.begin(), b.end(), [&] { return uint8_t(random()); });
            block.push_back(b);
        }
        for (const Bytes &b : block)
            blocks.push_back(b.data());
        for (unsigned i = 0; i < parities; i++) {
            const struct parity p = {count, i, 77 + i, 5, nullptr, size};
            Bytes out(PARITY_MAX);
            out.resize(parity_write(&p, blocks.data(), out.data()));
            parity.push_back(out);
        }
    }

    // Whether what is lost comes back as it was.
    enum Result { TOO_FEW, RIGHT, WRONG };
    Result restore(const std::vector<bool> &lost) const
    {
        parity_group g = {count, unsigned(size), {}, {}};
        std::vector<Bytes> made;
        std::vector<uint8_t *> out;
        std::vector<unsigned> missing;

        for (unsigned j = 0; j < count; j++) {
            g.block[j] = lost[j] ? nullptr : block[j].data();
            if (lost[j])
                missing.push_back(j);
        }
        for (unsigned i = 0; i < parities; i++)
            g.parity[i] = lost[count + i] ? nullptr : parity[i].data() + PARITY_HEAD;
        made.assign(missing.size(), Bytes(size));
        for (Bytes &b : made)
            out.push_back(b.data());
        if (!parity_restore(&g, out.data()))
            return TOO_FEW;
        for (size_t m = 0; m < missing.size(); m++)
            if (made[m] != block[missing[m]])
                return WRONG;
        return RIGHT;
    }

    // Whether any `count` of all suffice, and fewer do not.
    bool holds(const std::vector<bool> &lost) const
    {
        auto gone = std::count(lost.begin(), lost.end(), true);
        auto blocks = std::count(lost.begin(), lost.begin() + count, true);

        return restore(lost) == (blocks == 0 || gone <= parities ? RIGHT : TOO_FEW);
    }
};

} // namespace

TEST_CASE("parity: any blocks of a small group come back, if as many parities are there")
{
    for (unsigned count = 1; count <= 8; count++)
        for (unsigned parities = 0; parities <= 5; parities++) {
            const Group g(count, parities, 40 + count, count);
            bool right = true;

            for (unsigned pattern = 0; pattern < 1u << (count + parities); pattern++) {
                std::vector<bool> lost;
                for (unsigned i = 0; i < count + parities; i++)
                    lost.push_back(pattern >> i & 1);
                right = right && g.holds(lost);
            }
            INFO(count << " blocks, " << parities << " parities");
            CHECK(right);
        }
}

TEST_CASE("parity: of large groups, too")
{
    std::mt19937 random(7);

    for (unsigned count : {9u, 46u, 64u, 100u, unsigned(PARITY_BLOCKS)})
        for (unsigned parities : {1u, 12u, 40u, unsigned(PARITY_MOST)}) {
            const Group g(count, parities, BLOCK_MAX, count);
            bool right = true;

            for (int round = 0; round < 20; round++) {
                std::vector<bool> lost(count + parities);
                std::fill_n(lost.begin(), random() % (parities + 2), true);
                std::shuffle(lost.begin(), lost.end(), random);
                right = right && g.holds(lost);
            }
            INFO(count << " blocks, " << parities << " parities");
            CHECK(right);
        }
}

TEST_CASE("parity: the sum is the one that was worked out by hand")
{
    // of one block: 1 / (1 ^ 0) = 1, so it is the block
    const Group one(1, 1, 40, 1);
    CHECK(
        std::equal(one.block[0].begin(), one.block[0].end(), one.parity[0].begin() + PARITY_HEAD));
    // of two: 1 / 2 and 1 / 3 in GF(2^8) of x^8 + x^4 + x^3 + x^2 + 1 are 142 and 244
    const uint8_t a[40] = {1, 0, 1, 2}, b[40] = {0, 1, 1, 0};
    const uint8_t *both[] = {a, b};
    const struct parity p = {2, 0, 0, 0, nullptr, 40};
    uint8_t out[PARITY_MAX];
    REQUIRE(parity_write(&p, both, out) == PARITY_HEAD + 40);
    CHECK(Bytes(out + PARITY_HEAD, out + PARITY_HEAD + 5) ==
          Bytes{142, 244, 142 ^ 244, 1, 0}); // 2 / 2 = 1
}

TEST_CASE("parity: the head is read as it was written, and is no block's")
{
    const Group g(20, 3, 100, 1);
    struct parity p = {};
    block b;
    reason why;

    REQUIRE(parity_read(&p, g.parity[2].data(), g.parity[2].size()));
    CHECK(p.count == 20);
    CHECK(p.index == 2);
    CHECK(p.sequence == 79);
    CHECK(p.first == 5);
    CHECK(p.size == 100);
    CHECK(p.bytes == g.parity[2].data() + PARITY_HEAD);
    CHECK_FALSE(block_unpack_head(&b, g.parity[2].data(), &why));
    for (unsigned codec = 0; codec < BLOCK_CODECS; codec++)
        for (uint8_t first : {uint8_t(codec), uint8_t(codec | 0x80)})
            CHECK_FALSE(parity_is(&first, 1));
}

TEST_CASE("parity: what no group can have is refused")
{
    Bytes right(PARITY_HEAD + BLOCK_HEAD, 1);
    struct parity p;

    right[0] = PARITY_KIND;
    REQUIRE(parity_read(&p, right.data(), right.size()));
    CHECK_FALSE(parity_read(&p, right.data(), 0));
    CHECK_FALSE(parity_read(&p, right.data(), right.size() - 1));
    auto refused = [&](size_t at, unsigned value) {
        Bytes wrong = right;
        wrong[at] = uint8_t(value);
        return !parity_read(&p, wrong.data(), wrong.size());
    };
    CHECK(refused(0, 0));
    CHECK(refused(1, 0));
    CHECK_FALSE(refused(1, PARITY_BLOCKS));
    CHECK(refused(1, PARITY_BLOCKS + 1));
    CHECK_FALSE(refused(2, PARITY_MOST - 1));
    CHECK(refused(2, PARITY_MOST));
    right.resize(PARITY_MAX);
    CHECK(parity_read(&p, right.data(), right.size()));
    right.push_back(0);
    CHECK_FALSE(parity_read(&p, right.data(), right.size()));
}
