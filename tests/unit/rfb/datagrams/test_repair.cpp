// Blocks that were lost are made of parities: what the viewer keeps, and what it makes of it.
#include "tests/catch.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "rfb/datagrams/repair.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>;

// A block of one colour, or of pixels that nobody reads: only its head has to be right.
Bytes block_of(uint32_t sequence, size_t payload, std::mt19937 &random)
{
    Bytes bytes(payload), out(BLOCK_MAX);
    block b = {};

    for (uint8_t &byte : bytes)
        byte = uint8_t(random());
    b.codec = BLOCK_PIXELS_DEFLATED;
    b.sequence = sequence;
    b.area = {0, 0, 16, 16};
    b.payload = bytes.data();
    b.size = payload;
    out.resize(block_pack(&b, out.data()));
    return out;
}

// An update of blocks, and parities of them.
struct Update {
    uint32_t first;
    std::vector<Bytes> block, parity;

    Update(uint32_t first, unsigned count, unsigned parities, std::mt19937 &random) : first(first)
    {
        std::vector<Bytes> padded;
        std::vector<const uint8_t *> all;
        struct parity p = {count, 0, 0, first, nullptr, 0};

        for (unsigned i = 0; i < count; i++) {
            block.push_back(block_of(first + i, 1 + random() % BLOCK_PAYLOAD_MAX, random));
            p.size = std::max(p.size, block.back().size());
        }
        padded = block;
        for (Bytes &b : padded)
            b.resize(BLOCK_MAX);
        for (const Bytes &b : padded)
            all.push_back(b.data());
        for (; p.index < parities; p.index++) {
            p.sequence = first + count + p.index;
            parity.emplace_back(PARITY_MAX);
            parity.back().resize(parity_write(&p, all.data(), parity.back().data()));
        }
    }
};

struct Viewer {
    std::unique_ptr<repair, decltype(&repair_destroy)> r{repair_create(), repair_destroy};
    std::map<uint32_t, Bytes> made;

    void take()
    {
        const uint8_t *packed;
        size_t size;
        while (repair_next(r.get(), &packed, &size)) {
            block b;
            reason why;
            REQUIRE(block_unpack(&b, packed, size, &why));
            CHECK(made.count(b.sequence) == 0); // once only
            made[b.sequence] = Bytes(packed, packed + size);
        }
    }
    void hear_block(const Update &u, unsigned i)
    {
        repair_block(r.get(), u.first + i, u.block[i].data(), u.block[i].size());
        take();
    }
    void hear_parity(const Update &u, unsigned i)
    {
        struct parity p;
        REQUIRE(parity_read(&p, u.parity[i].data(), u.parity[i].size()));
        repair_parity(r.get(), &p);
        take();
    }
};

} // namespace

TEST_CASE("repair: blocks of any size come back, whatever is lost and in whatever order it comes")
{
    std::mt19937 random(any_seed());
    Viewer v;
    uint32_t first = UINT32_MAX - 300; // numbers begin anew meanwhile

    for (int round = 0; round < 200; round++) {
        unsigned count = 1 + random() % PARITY_BLOCKS, parities = random() % 30;
        Update u(first, count, parities, random);
        std::vector<unsigned> order(count + parities);
        size_t comes = count - std::min(count, unsigned(random() % 5)) + random() % (parities + 1);

        for (unsigned i = 0; i < order.size(); i++)
            order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        order.resize(std::min(order.size(), comes));
        v.made.clear();
        for (unsigned i : order)
            i < count ? v.hear_block(u, i) : v.hear_parity(u, i - count);
        INFO(count << " blocks, " << parities << " parities, " << comes << " come");
        std::vector<bool> has(count);
        for (unsigned i : order)
            if (i < count)
                has[i] = true;
        for (const auto &[sequence, bytes] : v.made) {
            REQUIRE(sequence - first < count);
            CHECK(bytes == u.block[sequence - first]);
            has[sequence - first] = true;
        }
        if (order.size() < count)
            CHECK(v.made.empty());
        if (order.size() >= count)
            CHECK(std::count(has.begin(), has.end(), false) == 0);
        first += count + parities + random() % 100;
    }
}

TEST_CASE("repair: what has been forgotten is not made, and nothing that is newer is lost for it")
{
    std::mt19937 random(1);
    Viewer v;
    Update old(10, 8, 2, random), now(10 + REPAIR_BLOCKS, 8, 2, random);

    for (unsigned i = 1; i < 8; i++)
        v.hear_block(old, i);
    v.hear_block(now, 0); // in the place of what is missing
    v.hear_parity(old, 0);
    CHECK(v.made.empty());
    for (unsigned i = 1; i < 7; i++)
        v.hear_block(now, i);
    v.hear_parity(old, 1);
    CHECK(v.made.empty());
    v.hear_parity(now, 0);
    REQUIRE(v.made.size() == 1);
    CHECK(v.made.at(now.first + 7) == now.block[7]);
}

TEST_CASE(
    "repair: lies cost no more than work: what they make is bounded, and the next group is right")
{
    std::mt19937 random(any_seed());
    std::unique_ptr<repair, decltype(&repair_destroy)> r{repair_create(), repair_destroy};
    Bytes noise(BLOCK_MAX);
    const uint8_t *packed;
    size_t size, made = 0;

    for (int i = 0; i < 20000; i++) {
        for (int k = 0; k < 32; k++)
            noise[random() % BLOCK_MAX] = uint8_t(random());
        if (random() % 2) {
            repair_block(r.get(), random() % 3000, noise.data(),
                         BLOCK_HEAD + random() % (BLOCK_MAX - BLOCK_HEAD + 1));
        } else {
            const struct parity p = {
                1 + unsigned(random() % 4 ? random() % 6 : random() % PARITY_BLOCKS),
                unsigned(random() % PARITY_MOST),
                uint32_t(random()),
                uint32_t(random() % 3000),
                noise.data(),
                random() % 4 ? BLOCK_MAX : BLOCK_HEAD + random() % 100};
            repair_parity(r.get(), &p);
        }
        for (unsigned taken = 0; repair_next(r.get(), &packed, &size); taken++, made++) {
            REQUIRE(taken < PARITY_MOST);
            REQUIRE(size <= BLOCK_MAX);
            REQUIRE(size >= BLOCK_HEAD);
        }
    }
    CHECK(made > 0); // it did something
    Viewer v;
    v.r = std::move(r);
    Update u(5000, 20, 3, random);
    for (unsigned i = 3; i < 20; i++)
        v.hear_block(u, i);
    for (unsigned i = 0; i < 3; i++)
        v.hear_parity(u, i);
    for (unsigned i = 0; i < 3; i++)
        CHECK(v.made[u.first + i] == u.block[i]);
}
