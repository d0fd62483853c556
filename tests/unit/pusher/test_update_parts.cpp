// What an update has changed: copies that are nearly one become one, and the picture is the same.
#include "tests/catch.hpp"

#include <memory>

#include "rfb/pusher/viewer/update_parts.h"
#include "tests/seed.hpp"
#include "tests/unit/blocks.hpp"

using namespace blocks_test;

namespace
{

update_part copied(rect area, int dx, int dy)
{
    return {area, true, area.x - dx, area.y - dy};
}

// As a server and a viewer copy: all is read before any is drawn.
void copy(Picture &p, const update_part &part)
{
    const Picture then = p;
    for (int y = 0; y < part.area.h; y++)
        for (int x = 0; x < part.area.w; x++)
            p.at(part.area.x + x, part.area.y + y) = then.at(part.from_x + x, part.from_y + y);
}

struct Parts {
    std::unique_ptr<update_parts> p = std::make_unique<update_parts>();
    unsigned copies = 0;

    // The viewer's picture is the server's after it, before and after the copies were joined.
    void check(const Picture &first)
    {
        Picture server = first, viewer = first;
        for (unsigned i = 0; i < p->count; i++)
            if (p->part[i].copied)
                copy(server, p->part[i]);
        update_parts_join(p.get());
        copies = 0;
        for (unsigned i = 0; i < p->count; i++) {
            const rect r = p->part[i].area;
            copies += p->part[i].copied;
            if (p->part[i].copied)
                copy(viewer, p->part[i]);
            for (int y = r.y; !p->part[i].copied && y < r.y + r.h; y++)
                for (int x = r.x; x < r.x + r.w; x++)
                    viewer.at(x, y) = server.at(x, y);
        }
        CHECK(viewer == server);
    }
    void add(const update_part &part)
    {
        update_parts_add(p.get(), &part);
    }
};

} // namespace

TEST_CASE("update parts: copies around a pixel become one")
{
    Random random(any_seed());
    const Picture first = noise(400, 300, random);
    Parts parts;
    parts.add({{3, 3, 5, 5}, false, 0, 0});
    parts.add(copied({20, 20, 300, 80}, 12, -4));
    parts.add(copied({20, 100, 100, 1}, 12, -4));
    parts.add(copied({121, 100, 199, 1}, 12, -4)); // all but one
    parts.add(copied({20, 101, 300, 90}, 12, -4));
    parts.add({{0, 0, 10, 200}, false, 0, 0});
    parts.check(first);
    CHECK(parts.copies == 1);
    REQUIRE(parts.p->count == 4);
    CHECK((parts.p->part[1].area.y == 20 && parts.p->part[1].area.h == 171));
    CHECK((parts.p->part[2].area.x == 120 && parts.p->part[2].area.w == 1));
    CHECK(parts.p->part[3].area.h == 200);
}

TEST_CASE(
    "update parts: copies that are far from one, move in other ways, or are of each other stay")
{
    Random random(any_seed());
    const Picture first = noise(400, 300, random);
    Parts far, other, chain;
    far.add(copied({20, 20, 300, 80}, 12, 4));
    far.add(copied({20, 140, 300, 80}, 12, 4));
    far.check(first);
    CHECK(far.copies == 2);
    other.add(copied({20, 20, 300, 80}, 12, 4));
    other.add(copied({20, 100, 300, 80}, 12, 5));
    other.check(first);
    CHECK(other.copies == 2);
    chain.add(copied({20, 40, 300, 20}, 0, 20)); // the second one is of what the first has copied
    chain.add(copied({20, 60, 300, 20}, 0, 20));
    chain.check(first);
    CHECK(chain.copies == 2);
    for (int i = 0; i < 200; i++) {
        Parts any;
        const int dx = int(random() % 9) - 4, dy = int(random() % 9) - 4;
        for (int y = 20, h; y < 200; y += h) {
            h = 1 + int(random() % 60);
            any.add(copied({20, y, 200 + int(random() % 4), h - int(random() % 2)}, dx, dy));
        }
        any.check(first);
    }
}
