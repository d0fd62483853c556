// What viewer and far end say of pushed blocks, against bytes written down by hand.
#include "tests/catch.hpp"

#include <vector>

#include "rfb/proto/blocks.h"
#include "rfb/proto/client_messages.h"
#include "tests/seed.hpp"

namespace
{

using Bytes = std::vector<uint8_t>;

Bytes written(const blocks_message &m)
{
    Bytes out(BLOCKS_DIGESTS_MAX);
    out.resize(blocks_write(out.data(), &m));
    out.shrink_to_fit(); // ASan sees a byte behind it
    CHECK(out.size() == BLOCKS_HEAD + blocks_body(out.data()));
    return out;
}

blocks_message wishes(const blocks_wishes &w)
{
    blocks_message m = {};
    m.kind = BLOCKS_WISHES;
    m.wishes = w;
    return m;
}

// Of blocks with numbers from this one on.
blocks_message acknowledgement(uint32_t sequence, unsigned marks = 1)
{
    blocks_message m = {};
    m.marks = marks;
    for (unsigned i = 0; i < marks; i++)
        m.mark[i] = {sequence + i, 100 * (marks - i)};
    return m;
}

blocks_message digests(unsigned bytes, unsigned count, const Bytes &all)
{
    blocks_message m = {};
    m.kind = BLOCKS_DIGESTS;
    m.digests.bytes = bytes;
    m.digests.count = count;
    m.digests.digest = all.data();
    return m;
}

// The first message of them.
blocks_message digests_of(int width, int height, int side, unsigned bytes)
{
    blocks_message m = digests(bytes, 0, {});
    m.digests.width = width;
    m.digests.height = height;
    m.digests.side = side;
    for (unsigned i = 0; i < BLOCKS_KEY_BYTES; i++)
        m.digests.key[i] = uint8_t(0xa0 + i);
    return m;
}

bool same(const blocks_wishes &a, const blocks_wishes &b)
{
    return a.quality == b.quality && a.jpeg == b.jpeg && a.exact_at_rest == b.exact_at_rest &&
           a.hidden == b.hidden && a.max_fps10 == b.max_fps10 && a.max_rate == b.max_rate;
}

} // namespace

TEST_CASE("blocks: acknowledgements and wishes are laid out as written down")
{
    CHECK(written(acknowledgement(0x01020304)) == Bytes{200, 0, 1, 0, 1, 2, 3, 4, 0, 0, 0, 100});
    CHECK(written(acknowledgement(7, 2)) ==
          Bytes{200, 0, 2, 0, 0, 0, 0, 7, 0, 0, 0, 200, 0, 0, 0, 8, 0, 0, 0, 100});
    CHECK(written(wishes({LEVEL_AUTO, true, false, false, 0, 0})) ==
          Bytes{200, 1, 0, 0, 255, 1, 0, 0, 0, 0, 0, 0});
    CHECK(written(wishes({9, false, true, true, 0x0102, 0x03040506})) ==
          Bytes{200, 1, 0, 0, 9, 6, 1, 2, 3, 4, 5, 6});
    CHECK(written(digests_of(0x0401, 0x0302, 64, 5)) ==
          Bytes{200,  6,    0,    5,    4,    1,    3,    2,    0,    64,   0xa0, 0xa1, 0xa2,
                0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf});
    CHECK(written(digests(3, 2, {1, 2, 3, 4, 5, 6})) == Bytes{200, 6, 2, 3, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("blocks: digests are read as written, and only of pictures and tiles that can be")
{
    std::mt19937 random(any_seed());
    Bytes all(BLOCKS_DIGESTS_MOST * BLOCKS_DIGEST_MAX);
    for (uint8_t &b : all)
        b = uint8_t(random());
    blocks_message m;
    for (int i = 0; i < 2000; i++) {
        const unsigned bytes = 1 + unsigned(random() % BLOCKS_DIGEST_MAX),
                       count = 1 + unsigned(random() % BLOCKS_DIGESTS_MOST);
        const Bytes wire = written(digests(bytes, count, all));
        REQUIRE(blocks_read(wire.data(), &m));
        CHECK(m.kind == BLOCKS_DIGESTS);
        CHECK((m.digests.bytes == bytes && m.digests.count == count));
        CHECK(std::equal(m.digests.digest, wire.data() + wire.size(), all.begin()));
        const int width = int(random() % 65536), height = int(random() % 65536);
        const int side = i % 4 ? 1 << random() % 10 : int(random() % 65536);
        const bool fits = side == 16 || side == 32 || side == 64 || side == 128;
        REQUIRE(blocks_read(written(digests_of(width, height, side, bytes)).data(), &m) ==
                (width > 0 && height > 0 && fits));
        CHECK((m.digests.bytes == bytes && m.digests.count == 0 && m.digests.side == side));
        CHECK((m.digests.width == width && m.digests.height == height));
        CHECK((m.digests.key[0] == 0xa0 && m.digests.key[BLOCKS_KEY_BYTES - 1] == 0xaf));
    }
    for (int count : {0, 1, 255})
        for (int bytes : {0, BLOCKS_DIGEST_MAX + 1, 255})
            CHECK(blocks_body(Bytes{200, 6, uint8_t(count), uint8_t(bytes)}.data()) ==
                  BLOCKS_BODY_NONE);
    CHECK(blocks_tiles(65535, 65535, 64) == 1024 * 1024);
}

TEST_CASE("blocks: a goodbye has a head and no more, and so has the word from which bytes count")
{
    for (blocks_kind kind : {BLOCKS_GOODBYE, BLOCKS_COUNT}) {
        blocks_message m = {}, read;
        m.kind = kind;
        CHECK(written(m) == Bytes{200, uint8_t(kind), 0, 0});
        REQUIRE(blocks_read(written(m).data(), &read));
        CHECK(read.kind == kind);
    }
}

TEST_CASE("blocks: a refusal has the part of the picture that is to come again")
{
    blocks_message m = {}, read;
    m.kind = BLOCKS_REFUSED;
    m.refused = {1, 2, 0x304, 5};
    CHECK(written(m) == Bytes{200, 5, 0, 0, 0, 1, 0, 2, 3, 4, 0, 5});
    REQUIRE(blocks_read(written(m).data(), &read));
    CHECK(read.kind == BLOCKS_REFUSED);
    CHECK((read.refused.x == 1 && read.refused.y == 2 && read.refused.w == 0x304 &&
           read.refused.h == 5));
    m.refused.w = 0;
    CHECK_FALSE(blocks_read(written(m).data(), &read)); // of nothing
}

TEST_CASE("blocks: what was written is read the same")
{
    std::mt19937 random(any_seed());
    for (int i = 0; i < 2000; i++) {
        const uint32_t n = uint32_t(random());
        const blocks_wishes w = {
            int(random() % 11) - 1,     n % 2 == 0,        n % 3 == 0, n % 5 == 0,
            unsigned(random() % 65536), uint32_t(random())};
        blocks_message m;
        REQUIRE(blocks_read(written(wishes(w)).data(), &m));
        CHECK(m.kind == BLOCKS_WISHES);
        CHECK(same(m.wishes, w));
        const unsigned marks = 1 + unsigned(random() % BLOCKS_MARKS_MAX);
        REQUIRE(blocks_read(written(acknowledgement(n, marks)).data(), &m));
        CHECK(m.kind == BLOCKS_ACKNOWLEDGE);
        REQUIRE(m.marks == marks);
        for (unsigned j = 0; j < marks; j++) {
            CHECK(m.mark[j].sequence == n + j);
            CHECK(m.mark[j].age_us == 100 * (marks - j));
        }
    }
}

TEST_CASE("blocks: what no viewer may say is refused, and what means nothing is skipped")
{
    blocks_message m;
    for (unsigned kind = 2; kind < 256; kind++) {
        if (kind == BLOCKS_GOODBYE || kind == BLOCKS_COUNT || kind == BLOCKS_REFUSED ||
            kind == BLOCKS_DIGESTS)
            continue;
        Bytes bytes(BLOCKS_MESSAGE_MAX);
        bytes[1] = uint8_t(kind);
        CHECK(blocks_body(bytes.data()) == BLOCKS_BODY_NONE);
        CHECK_FALSE(blocks_read(bytes.data(), &m));
    }
    for (unsigned marks = 0; marks < 256; marks++) {
        Bytes bytes(BLOCKS_MESSAGE_MAX);
        bytes[2] = uint8_t(marks);
        CHECK(blocks_read(bytes.data(), &m) == (marks > 0 && marks <= BLOCKS_MARKS_MAX));
    }
    for (unsigned quality = 10; quality < 255; quality++) {
        Bytes bytes = written(wishes({1, true, true, false, 0, 0}));
        bytes[4] = uint8_t(quality);
        CHECK_FALSE(blocks_read(bytes.data(), &m));
    }
    CHECK(blocks_read(Bytes{200, 1, 7, 7, 3, 0xf8, 0, 0, 0, 0, 0, 0}.data(), &m));
    CHECK(same(m.wishes, {3, false, false, false, 0, 0}));
    CHECK(blocks_read(Bytes{200, 0, 1, 7, 0, 0, 0, 1, 0, 0, 0, 0}.data(), &m));
    CHECK(m.mark[0].sequence == 1);
}

TEST_CASE("blocks: a version has an encoding of its own, and no other has one")
{
    for (int version = 1; version <= BLOCKS_VERSION_MAX; version++)
        CHECK(blocks_version(PSEUDO_BLOCKS_0 + version) == unsigned(version));
    for (int32_t none :
         {PSEUDO_BLOCKS_0, PSEUDO_BLOCKS_0 - 1, PSEUDO_BLOCKS_0 + BLOCKS_VERSION_MAX + 1, 0, -1,
          INT32_MAX, INT32_MIN, int32_t(PSEUDO_ACCELERATOR), int32_t(PSEUDO_FENCE)})
        CHECK(blocks_version(none) == 0);
}

TEST_CASE("blocks: a client's message of them is read whole or not at all")
{
    client_message m;
    size_t count;
    reason why = {};
    const Bytes good = written(acknowledgement(77, 3));
    for (size_t size = 1; size < good.size(); size++) {
        Bytes part(good.begin(), good.begin() + long(size));
        part.shrink_to_fit();
        CHECK(client_message_read(part.data(), size, false, &m, &count, &why) == MESSAGE_PARTIAL);
        CHECK(count <= good.size() - size); // the head first
        CHECK(count > 0);
    }
    CHECK(client_message_read(good.data(), good.size(), false, &m, &count, &why) == MESSAGE_WHOLE);
    CHECK(count == good.size());
    CHECK(m.type == CLIENT_BLOCKS);
    CHECK(m.blocks.marks == 3);
    CHECK(m.blocks.mark[0].sequence == 77);
    Bytes bad = good;
    bad[1] = 255;
    CHECK(client_message_read(bad.data(), bad.size(), false, &m, &count, &why) == MESSAGE_REFUSED);
    CHECK(std::string(why.text) == "the client said something of blocks that cannot be");
    bad = written(wishes({10, true, true, false, 0, 0}));
    CHECK(client_message_read(bad.data(), bad.size(), false, &m, &count, &why) == MESSAGE_REFUSED);
}

TEST_CASE("blocks: only a viewer that takes them lists their versions")
{
    encoding_options o = {};
    for (bool blocks : {false, true}) {
        o.blocks = blocks;
        uint8_t out[CLIENT_WRITE_MAX];
        client_message m;
        size_t size = client_write_set_encodings(out, &o), count, found = 0;
        reason why;
        REQUIRE(client_message_read(out, size, false, &m, &count, &why) == MESSAGE_WHOLE);
        for (unsigned i = 0; i < m.encodings; i++)
            found += blocks_version(client_message_encoding(&m, i)) > 0;
        CHECK(found == (blocks ? BLOCKS_NEWEST - BLOCKS_OLDEST + 1 : 0));
    }
}
