// Blocks that refer to what the viewer has: each is drawn just if the viewer has what it names.
#include "tests/catch.hpp"

#include <cstring>

#include "rfb/blocks/pixels/rgb.h"
#include "rfb/blocks/references/kept.h"
#include "rfb/blocks/references/moves.h"
#include "rfb/blocks/references/prefix.h"
#include "rfb/blocks/references/reference.h"
#include "rfb/blocks/resolver.h"
#include "rfb/proto/blocks.h"
#include "tests/seed.hpp"
#include "tests/unit/blocks.hpp"

using namespace blocks_test;

namespace
{

bool is(rect a, rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

// A viewer: what it has, and what it makes of blocks.
struct Drawn {
    Picture p;
    resolver *r;
    newest *n = newest_create();
    Reader reader;
    newest_cells cells = NEWEST_NONE;
    reason why = {};

    explicit Drawn(const Picture &first, unsigned kept_mib = KEPT_MIB_USUAL)
        : p(first), r(resolver_create(kept_mib))
    {
        REQUIRE((r && newest_begin(n, p.w, p.h, 0)));
        block all = {};
        all.codec = BLOCK_SOLID;
        all.area = {0, 0, p.w, p.h};
        newest_take(n, &all);
    }
    Drawn(const Drawn &) = delete;
    ~Drawn()
    {
        resolver_destroy(r);
        newest_destroy(n);
    }
    // Whether it is no broken one.
    bool draw(const block &b)
    {
        uint8_t wire[BLOCK_MAX];
        block read;
        const size_t size = block_pack(&b, wire);
        why = {};
        cells = NEWEST_NONE;
        return block_unpack(&read, wire, size, &why) &&
               resolver_draw(r, n, reader.r, &read, p.pixels.data(), p.w, p.h, &cells, &why);
    }
    uint64_t refused() const
    {
        return resolver_counts(r).refused;
    }
};

block block_of(rect area, uint32_t sequence)
{
    block b = {};
    b.area = area;
    b.sequence = sequence;
    return b;
}

struct Moved {
    uint8_t payload[REFERENCE_MOVED_BYTES];
    block b;
    Moved(const Picture &p, rect area, int x, int y, uint32_t sequence = 1)
        : b(block_of(area, sequence))
    {
        uint8_t digest[RGB_DIGEST] = {};
        const rect from = {x, y, area.w, area.h};
        if (rect_inside(from, {0, 0, p.w, p.h}))
            rgb_digest(p.pixels.data(), p.w, from, digest);
        reference_set_moved(&b, x, y, digest, payload);
    }
};

struct Tiles {
    uint8_t payload[BLOCK_PAYLOAD_MAX] = {};
    block b;
    Tiles(reference_kind kind, rect area, uint32_t sequence) : b(block_of(area, sequence))
    {
        reference_set_tiles(&b, kind, reference_tiles(area), payload);
        if (kind == REFERENCE_KEEP)
            memset(payload + 1, 0xff, b.size - 1);
    }
    // The tiles look as these of the picture do.
    Tiles &as(const Picture &p, rect from)
    {
        for (unsigned i = 0; i < reference_tiles(from); i++) {
            uint8_t digest[RGB_DIGEST];
            rgb_digest(p.pixels.data(), p.w, reference_tile(from, i), digest);
            memcpy(payload + 1 + i * REFERENCE_DIGEST, digest, REFERENCE_DIGEST);
        }
        return *this;
    }
};

void copy(Picture &p, const Picture &from, rect area, int x, int y)
{
    for (int i = 0; i < area.h; i++)
        for (int j = 0; j < area.w; j++)
            p.at(area.x + j, area.y + i) = from.at(x + j, y + i);
}

} // namespace

TEST_CASE("references: what is moved is drawn if the viewer has it, and refused if not")
{
    Random random(any_seed());
    const Picture first = mixed(320, 200, random);
    Drawn v(first);
    const rect area = {32, 48, 160, 96};
    Picture wanted = first;
    copy(wanted, first, area, 37, 61); // it overlaps
    REQUIRE(v.draw(Moved(first, area, 37, 61, 1).b));
    CHECK(v.cells == NEWEST_ALL);
    CHECK(v.p == wanted);
    CHECK(resolver_counts(v.r).moved == 1);

    const Picture before = v.p;
    // it has something else there by now
    REQUIRE(v.draw(Moved(first, {48, 48, 160, 96}, 37, 61, 2).b));
    CHECK(v.cells == NEWEST_GONE);
    CHECK(v.p == before);
    CHECK(v.refused() == 1);
    REQUIRE(v.draw(Moved(v.p, area, 37, 61, 1).b)); // an old one draws nothing, and is not refused
    CHECK(v.cells == NEWEST_NONE);
    CHECK(v.p == before);
    CHECK(v.refused() == 1);

    Moved other(v.p, area, 5, 6, 3);
    other.payload[5 + random() % REFERENCE_DIGEST] ^= uint8_t(1 << random() % 8);
    REQUIRE(v.draw(other.b));
    CHECK(v.cells == NEWEST_GONE);
    CHECK(v.p == before);
}

TEST_CASE("references: one that leaves again under another number is not refused")
{
    Random random(any_seed());
    const Picture first = text(320, 200, false, random);
    Drawn v(first);
    const rect area = {32, 48, 160, 96};
    Moved moved(first, area, 37, 61, 1); // it draws over what it is from
    REQUIRE(v.draw(moved.b));
    const Picture drawn = v.p;
    moved.b.sequence = 5;
    REQUIRE(v.draw(moved.b));
    CHECK(v.cells == NEWEST_NONE);
    CHECK(v.p == drawn);
    CHECK(v.refused() == 0);
    CHECK(newest_is(v.n, area, 5)); // what left between the two is older
    const uint8_t rgb[] = {1, 2, 3};
    block other = block_of({32, 48, 16, 16}, 6);
    other.codec = BLOCK_SOLID;
    other.payload = rgb;
    other.size = 3;
    newest_cells cells;
    REQUIRE(newest_draw(v.n, v.reader.r, &other, v.p.pixels.data(), &cells, &v.why));
    moved.b.sequence = 7;
    REQUIRE(v.draw(moved.b)); // something else was drawn there since
    CHECK(v.cells == NEWEST_GONE);
}

TEST_CASE("references: a tile that was kept is drawn anywhere, and one that was not is refused")
{
    Random random(any_seed());
    const Picture first = noise(300, 200, random), second = noise(300, 200, random);
    const rect all = {0, 0, 300, 200}, row = {64, 64, 192, 64}, there = {0, 128, 192, 64};
    Drawn v(first);
    REQUIRE(v.draw(Tiles(REFERENCE_KEEP, all, 1).b));
    CHECK(v.cells == NEWEST_NONE); // nothing of the picture is another one
    CHECK(v.p == first);
    v.p = second;
    REQUIRE(v.draw(Tiles(REFERENCE_KEPT, row, 2).as(first, row).b));
    CHECK(v.cells == NEWEST_SOME);
    Picture wanted = second;
    copy(wanted, first, row, row.x, row.y);
    CHECK(v.p == wanted);
    REQUIRE(v.draw(Tiles(REFERENCE_KEPT, there, 3).as(first, row).b) == true);
    copy(wanted, first, there, row.x, row.y);
    CHECK(v.p == wanted);
    CHECK(v.refused() == 0);

    REQUIRE(v.draw(Tiles(REFERENCE_KEPT, row, 4).as(second, row).b)); // never kept
    CHECK(v.cells == NEWEST_GONE);
    CHECK(v.p == wanted);
    const rect edge = {256, 0, 44, 64}, inner = {192, 0, 64, 64};
    REQUIRE(v.draw(Tiles(REFERENCE_KEPT, inner, 5).as(first, edge).b)); // of another size
    CHECK(v.cells == NEWEST_GONE);
    CHECK(v.p == wanted);

    REQUIRE(v.draw(Tiles(REFERENCE_KEEP, row, 1).b)); // newer blocks have drawn there
    CHECK(v.cells == NEWEST_GONE);
}

TEST_CASE("references: the viewer keeps no more tiles than it may, the newest")
{
    Random random(any_seed());
    Picture p = noise(64, 64, random);
    const unsigned mib = GENERATE(1u, unsigned(KEPT_MIB_USUAL), unsigned(KEPT_MIB_MOST));
    const unsigned most = KEPT_TILES(mib);
    Drawn v(p, mib);
    std::vector<uint32_t> colours;
    uint32_t sequence = 1;
    const rect all = {0, 0, 64, 64};
    for (unsigned i = 0; i < most + 10; i++) {
        v.p.at(3, 3) = i;
        REQUIRE(v.draw(Tiles(REFERENCE_KEEP, all, sequence++).b));
    }
    for (unsigned i : {0u, 9u, 10u, most + 9}) {
        Picture named = v.p;
        named.at(3, 3) = i;
        REQUIRE(v.draw(Tiles(REFERENCE_KEPT, all, sequence++).as(named, all).b));
        CHECK((v.cells == NEWEST_GONE) == (i < 10));
    }
}

TEST_CASE("references: a viewer without memory for tiles keeps none, and refuses them")
{
    Random random(any_seed());
    Picture p = noise(64, 64, random);
    Drawn v(p, 0);
    const rect all = {0, 0, 64, 64};
    REQUIRE(v.draw(Tiles(REFERENCE_KEEP, all, 1).b));
    CHECK(v.cells == NEWEST_NONE);
    REQUIRE(v.draw(Tiles(REFERENCE_KEPT, all, 2).as(p, all).b));
    CHECK(v.cells == NEWEST_GONE);
}

TEST_CASE("kept: the oldest use makes room, at both ends in the same way")
{
    static kept a, b;
    Random random(any_seed());
    const unsigned most = KEPT_TILES(20);
    kept_init(&a, 20);
    kept_init(&b, 20);
    for (unsigned i = 0; i < 3 * most; i++) {
        const uint64_t key = random() % (2 * most);
        const int slot = kept_find(&a, key);
        REQUIRE(slot == kept_find(&b, key));
        if (slot < 0) {
            REQUIRE(kept_put(&a, key) == kept_put(&b, key));
        } else if (random() % 4) {
            kept_use(&a, slot);
            kept_use(&b, slot);
        } else {
            kept_drop(&a, slot);
            kept_drop(&b, slot);
            REQUIRE(kept_find(&a, key) < 0);
        }
        REQUIRE(a.slots <= most);
    }
}

TEST_CASE("prefix: what is written with it is read, whatever the pictures are")
{
    Random random(any_seed());
    prefix *w = prefix_create(), *r = prefix_create();
    unsigned written = 0;
    for (int i = 0; i < 300; i++) {
        const auto &kind = kinds()[random() % kinds().size()];
        const int h = 1 + int(random() % 64);
        const int width = 16 * int(1 + random() % unsigned(std::min(40, PREFIX_AREA_MAX / h / 16)));
        const Picture then = kind.make(width, h, random);
        Picture now = then;
        for (unsigned k = random() % 60; k > 0; k--)
            now.at(int(random() % unsigned(width)), int(random() % unsigned(h))) =
                now.at(int(random() % unsigned(width)), int(random() % unsigned(h)));
        const int x = 16 * int(random() % unsigned(width / 16));
        const rect area = {x, 0, std::min(width - x, 16 * int(1 + random() % 10)), h};
        const rect from = {0, 0, width, h};
        const uint8_t *payload;
        block b = block_of(area, 1);
        b.codec = BLOCK_PREFIXED;
        b.size = prefix_write(w, now.pixels.data(), then.pixels.data(), width, area, from,
                              BLOCK_PAYLOAD_MAX, &payload);
        if (b.size == 0)
            continue;
        written++;
        b.payload = payload;
        Drawn v(then);
        REQUIRE(v.draw(b));
        CHECK(v.cells == NEWEST_ALL);
        Picture wanted = then;
        copy(wanted, now, area, area.x, area.y);
        CHECK(v.p == wanted);
        Picture other = then;
        other.at(0, 0) ^= 1;
        Drawn stranger(other);
        REQUIRE(stranger.draw(b));
        CHECK(stranger.cells == NEWEST_GONE);
        CHECK(stranger.p == other);
        (void)r;
    }
    CHECK(written > 50);
    prefix_destroy(w);
    prefix_destroy(r);
}

// One letter can be as cheap alone, such as one without curves: all tiles of a line are counted.
TEST_CASE("prefix: letters that are typed into a line take less than half")
{
    Random random(one_seed());
    const Picture line = text(640, 16, true, random);
    prefix *w = prefix_create();
    const uint8_t *payload;
    Writer writer;
    size_t with_prefix = 0, without = 0;
    for (int x = 0; x < 640; x += 16) {
        Picture before = line;
        for (int i = 0; i < 16 * 7; i++)
            before.at(x + 4 + i % 7, i / 7) = RGB;
        block alone = {};
        const rect area = {x, 0, 16, 16};
        REQUIRE(block_write_strip(writer.w, line.pixels.data(), 640, area, 0, &alone));
        const size_t size = prefix_write(w, line.pixels.data(), before.pixels.data(), 640, area,
                                         {0, 0, 640, 16}, BLOCK_PAYLOAD_MAX, &payload);
        REQUIRE(size > 0);
        with_prefix += size;
        without += alone.size;
    }
    INFO(with_prefix << " bytes, alone " << without);
    CHECK(2 * with_prefix < without);
    prefix_destroy(w);
}

TEST_CASE("references: whatever is said, nothing is drawn outside of a block, and nothing hangs")
{
    Random random(any_seed());
    const Picture first = mixed(200, 130, random);
    Drawn v(first);
    Tiles keep(REFERENCE_KEEP, {0, 0, 200, 130}, 1);
    REQUIRE(v.draw(keep.b));
    uint32_t sequence = 2;
    for (int i = 0; i < 5000; i++) {
        uint8_t payload[BLOCK_PAYLOAD_MAX];
        const rect area = {16 * int(random() % 14), 16 * int(random() % 10),
                           16 * int(1 + random() % 14), 16 * int(1 + random() % 10)};
        block b = block_of(area, sequence++);
        b.codec = random() % 2 ? BLOCK_REFERENCE : BLOCK_PREFIXED;
        b.size = random() % 2 ? 1 + random() % 40 : 1 + random() % BLOCK_PAYLOAD_MAX;
        for (uint8_t &byte : payload)
            byte = uint8_t(random());
        payload[0] = uint8_t(random() % 4);
        b.payload = payload;
        const Picture before = v.p;
        v.draw(b);
        if (v.cells == NEWEST_NONE || v.cells == NEWEST_GONE)
            CHECK(v.p == before);
    }
    // a right one, changed a little
    prefix *w = prefix_create();
    for (int i = 0; i < 3000; i++) {
        const uint8_t *payload;
        const rect area = {16, 16, 64, 16}, from = {0, 16, 200, 16};
        const Picture now = few_colours(200, 130, 3, random), then = v.p;
        block b = block_of(area, sequence++);
        b.codec = BLOCK_PREFIXED;
        b.size = prefix_write(w, now.pixels.data(), then.pixels.data(), 200, area, from,
                              BLOCK_PAYLOAD_MAX, &payload);
        if (b.size == 0)
            continue;
        std::vector<uint8_t> changed(payload, payload + b.size);
        changed[random() % changed.size()] ^= uint8_t(1 << random() % 8);
        b.payload = changed.data();
        v.draw(b);
        Picture outside = v.p;
        copy(outside, then, area, area.x, area.y);
        REQUIRE(outside == then);
    }
    prefix_destroy(w);
}

TEST_CASE("references: what cannot be is refused as broken")
{
    Random random(any_seed());
    const Picture p = noise(200, 130, random);
    Drawn v(p);
    CHECK_FALSE(v.draw(Moved(p, {16, 16, 32, 32}, 169, 0).b));        // from outside
    CHECK_FALSE(v.draw(Moved(p, {176, 16, 32, 32}, 0, 0).b));         // to outside
    CHECK_FALSE(v.draw(Moved(p, {17, 16, 32, 32}, 0, 0).b));          // not of cells
    CHECK_FALSE(v.draw(Tiles(REFERENCE_KEPT, {16, 0, 64, 64}, 1).b)); // not of tiles
    CHECK_FALSE(v.draw(Tiles(REFERENCE_KINDS, {0, 0, 64, 64}, 1).b)); // of no kind
    Tiles longer(REFERENCE_KEEP, {0, 0, 64, 64}, 1);
    longer.b.size++;
    CHECK_FALSE(v.draw(longer.b));
    block large = block_of({0, 0, 2048, 1040}, 1);
    const uint8_t payload[REFERENCE_MOVED_BYTES] = {};
    large.codec = BLOCK_REFERENCE;
    large.payload = payload;
    large.size = sizeof payload;
    CHECK_FALSE(v.draw(large));
    CHECK(v.p == p);
}

TEST_CASE("moves: scrolled text and a moved window are found, and nothing where there is nothing")
{
    Random random(any_seed());
    const Picture then = mixed(640, 400, random);
    Picture now = then;
    const rect pane = {64, 32, 512, 320};
    const int dx = GENERATE(0, 0, 23, -40), dy = GENERATE(-14, 17, 0, 3);
    const Picture more = text(640, 400, false, random);
    copy(now, more, pane, pane.x, pane.y);
    rect target = rect_intersect({pane.x + dx, pane.y + dy, pane.w, pane.h}, pane);
    copy(now, then, target, target.x - dx, target.y - dy);
    if (dx == 0 && dy == 0)
        return;
    shifts *s = shifts_create();
    shift found[SHIFTS_MOST];
    REQUIRE(shifts_find(s, then.pixels.data(), now.pixels.data(), 640, pane, found) > 0);
    CHECK(found[0].dx == dx);
    CHECK(found[0].dy == dy);

    shadow seen = {};
    REQUIRE(shadow_begin(&seen, 640, 400));
    moves m = {};
    REQUIRE(moves_begin(&m, seen.columns, seen.rows));
    const std::vector<uint8_t> waits(size_t(seen.columns) * size_t(seen.rows), 1);
    const moves_of of = {&seen, now.pixels.data(), waits.data(), shadow_cells(pane), false};
    unsigned waiting;
    moves_match(&m, &of, found);
    moves_best(&m, &of, 10000, &waiting);
    CHECK(waiting == 0); // nothing is known of the viewer
    shadow_put(&seen, then.pixels.data(), {0, 0, 640, 400}, SHADOW_SENT);
    moves_match(&m, &of, found);
    const rect best = moves_best(&m, &of, 10000, &waiting);
    CHECK(waiting == unsigned(best.w * best.h));
    CHECK(waiting >= unsigned((target.w / 16 - 2) * (target.h / 16 - 2)));
    for (int y = best.y * 16; y < (best.y + best.h) * 16; y++)
        for (int x = best.x * 16; x < (best.x + best.w) * 16; x++)
            REQUIRE(now.at(x, y) == then.at(x - dx, y - dy));
    moves_match(&m, &of, found);
    const rect small = moves_best(&m, &of, 40, &waiting);
    CHECK(small.w * small.h <= 40);
    CHECK(waiting >= 20);
    const moves_of sure = {&seen, now.pixels.data(), waits.data(), shadow_cells(pane), true};
    moves_match(&m, &sure, found);
    moves_best(&m, &sure, 10000, &waiting);
    CHECK(waiting == 0); // nothing was told of it
    moves_deinit(&m);
    shadow_deinit(&seen);

    const Picture flat(640, 400, 0x808080);
    CHECK(shifts_find(s, flat.pixels.data(), flat.pixels.data(), 640, pane, found) == 0);
    const Picture a = noise(640, 400, random), b = noise(640, 400, random);
    CHECK(shifts_find(s, a.pixels.data(), b.pixels.data(), 640, pane, found) == 0);
    shifts_destroy(s);
}

TEST_CASE("shadow: a copy of the stream moves what is known, and what is not known")
{
    Random random(any_seed());
    const Picture p = noise(100, 90, random);
    shadow s = {};
    REQUIRE(shadow_begin(&s, 100, 90));
    shadow_put(&s, p.pixels.data(), {0, 0, 100, 90}, SHADOW_SENT);
    shadow_copy(&s, {20, 21, 50, 40}, 3, 40);
    CHECK(shadow_knows(&s, {0, 0, 100, 90}, false));
    Picture wanted = p;
    copy(wanted, p, {20, 21, 50, 40}, 3, 40);
    CHECK(shadow_is(&s, wanted.pixels.data(), {0, 0, 100, 90}, 0, 0));
    shadow_put(&s, p.pixels.data(), {32, 32, 16, 16}, SHADOW_UNKNOWN); // it came with loss
    shadow_copy(&s, {64, 0, 8, 8}, 40, 40);
    CHECK_FALSE(shadow_knows(&s, {64, 0, 1, 1}, false));
    CHECK(shadow_knows(&s, {80, 0, 1, 1}, false));
    shadow_put(&s, p.pixels.data(), {0, 0, 100, 90}, SHADOW_STREAMED);
    shadow_put(&s, p.pixels.data(), {32, 32, 16, 16}, SHADOW_UNKNOWN);
    shadow_copy(&s, {16, 19, 80, 60}, 16, 16); // all but that goes on to be known
    CHECK_FALSE(shadow_knows(&s, {32, 32, 1, 1}, false));
    CHECK_FALSE(shadow_knows(&s, {32, 48, 1, 1}, false));
    CHECK(shadow_knows(&s, {16, 16, 16, 64}, false));
    CHECK(shadow_knows(&s, {48, 16, 48, 64}, false));
    CHECK(shadow_knows(&s, {32, 64, 16, 16}, false));
    shadow_put(&s, p.pixels.data(), {0, 0, 100, 90}, SHADOW_STREAMED);
    shadow_put(&s, p.pixels.data(), {0, 0, 16, 16}, SHADOW_SENT); // it may get lost
    shadow_copy(&s, {48, 48, 16, 16}, 8, 8);
    CHECK(shadow_knows(&s, {48, 48, 16, 16}, false));
    CHECK_FALSE(shadow_knows_streamed(&s, {48, 48, 16, 16}));
    CHECK(shadow_knows_streamed(&s, {64, 48, 16, 16}));
    CHECK_FALSE(shadow_begin(&s, 4096, 2050)); // more than its memory
    CHECK_FALSE(shadow_knows(&s, {0, 0, 1, 1}, false));
    shadow_deinit(&s);
    CHECK(is(shadow_cells({15, 16, 2, 17}), {0, 1, 2, 2}));
}
