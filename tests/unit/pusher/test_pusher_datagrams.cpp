// The pusher whose viewer can be reached by datagrams.
#include <memory>
#include <random>

#include "datagram_end.hpp"
#include "rfb/decode/framebuffer.h"
#include "rfb/pusher/blocks/datagram_blocks.h"
#include "rfb/pusher/viewer/update_parts.h"
#include "tests/seed.hpp"

using namespace far_end;
using blocks_test::kinds;
using blocks_test::Random;

namespace
{

// Puts a picture of some kind somewhere.
rect draw_some(Picture &p, Random &random)
{
    rect r = {int(random() % unsigned(p.w)), int(random() % unsigned(p.h)), 0, 0};
    r.w = 1 + int(random() % unsigned(p.w - r.x));
    r.h = 1 + int(random() % unsigned(p.h - r.y));
    const Picture piece = kinds()[random() % kinds().size()].make(r.w, r.h, random);
    for (int y = 0; y < r.h; y++)
        for (int x = 0; x < r.w; x++)
            p.at(r.x + x, r.y + y) = piece.at(x, y);
    return r;
}

void draw_some(Linked &s, int times, Random &random)
{
    for (int i = 0; i < times; i++)
        s.server.draw([&](Picture &p) { return draw_some(p, random); });
}

} // namespace

TEST_CASE(
    "pusher: it asks by datagram once the viewer counts, and sends blocks once it is answered")
{
    Linked s;
    s.check();
    CHECK(s.viewer.with([&] { return s.viewer.told; }) ==
          "accelerated bbr 1-1 datagrams 60123 " +
              std::string(s.way.secret, s.way.secret + SEALED_SECRET) + "\n");
    s.way.show_way();
    s.way.tell(0, key('x'));
    s.draw({0, 0, 50, 50}, 0x111111);
    s.check();
    CHECK(s.far.comes_to_rest());
    CHECK(s.way.with([&] { return s.way.packets.size(); }) == 0);
    CHECK(s.server.with([&] { return s.server.heard; }) == ""); // what is not counted is not heard

    s.viewer.say(count());
    REQUIRE(s.way.await([&] { return s.way.packets.size() >= 3; })); // it asks again
    s.draw({0, 0, 50, 50}, 0x222222);
    s.check();
    s.way.with([&] { s.way.mark ^= 0x100; });
    s.way.tell(); // another mark than it has sent
    s.draw({0, 0, 50, 50}, 0x333333);
    s.check();
    size_t before = s.way.with([&] { return s.way.packets.size(); });
    REQUIRE(s.way.await([&] { return s.way.packets.size() >= before + 2; })); // it asks on
    CHECK(s.way.with([&] { return s.way.blocks(); }) == 0);

    s.way.with([&] { s.way.answers = true; });
    s.begin_anew();
}

TEST_CASE("pusher: an address that has not answered is sent three times what came from there")
{
    Linked s;
    s.check();
    s.viewer.say(count());
    s.way.show_way();
    auto come = [&] { return s.way.packets.size(); };
    REQUIRE(s.way.await([&] { return come() == 2; })); // 38 bytes each, for a hello of 32
    std::this_thread::sleep_for(std::chrono::seconds(1));
    CHECK(s.way.with(come) == 2);
    REQUIRE(s.way.put(std::string(38, 'x'))); // whoever it is from
    CHECK(s.way.await([&] { return come() >= 5; }));
    s.way.with([&] { s.way.answers = true; });
    s.way.tell();
    s.begin_anew();
}

TEST_CASE("pusher: blocks come as datagrams, not on the stream, and make the server's picture")
{
    Random random(any_seed());
    Linked s;
    s.begin();
    s.check();
    const unsigned streamed = s.way.with([&] { return s.way.streamed; });
    const uint16_t mark = s.way.with([&] { return s.way.mark; });
    for (int i = 0; i < 5; i++) {
        draw_some(s, 10, random);
        s.check();
    }
    // None, unless the path was taken for dead, which a slow machine may bring about.
    CHECK(s.way.await([&] { return s.way.streamed == streamed || s.way.mark != mark; }));
    CHECK(s.way.with([&] { return s.way.numbers_rise(); }));
    s.server.say(std::string(1, '\2')); // all else comes as before
    CHECK(s.viewer.await_told("bell"));
}

TEST_CASE("pusher: whatever datagrams are lost, the picture becomes the server's")
{
    Random random(any_seed());
    const unsigned percent = GENERATE(5, 30, 60);
    INFO(percent);
    Linked s;
    s.begin();
    Random dice(random());
    s.way.with([&] {
        s.way.loses = [&](const block &) { return dice() % 100 < percent; };
        s.way.loses_parity = [&] { return dice() % 100 < percent; };
    });
    for (int i = 0; i < 3 || s.way.with([&] { return s.way.lost() == 0; }); i++) {
        draw_some(s, 10, random);
        s.check();
    }
    CHECK(s.way.with([&] { return s.way.numbers_rise(); }));
    s.way.with([&] {
        s.way.loses = [](const block &) { return false; };
        s.way.loses_parity = [] { return false; };
    });
}

TEST_CASE("pusher: while blocks get lost it sends parity, of which they can be made")
{
    Random random(any_seed());
    Linked s(IN_TIME, 320, 240);
    s.begin();
    Random dice(random());
    s.way.with([&] { s.way.loses = [&](const block &) { return dice() % 100 < 20; }; });
    // it has to see what is lost first: 160 blocks of a round, and some more
    while (s.way.with([&] { return s.way.made < 10; })) {
        s.server.draw([&](Picture &p) {
            for (uint32_t &pixel : p.pixels)
                pixel = random() & 0xffffff;
            return rect{0, 0, p.w, p.h};
        });
        s.check();
    }
    s.way.with([&] { s.way.loses = [](const block &) { return false; }; });
}

TEST_CASE("pusher: by Octopus's rules rectangles come, and whatever is lost comes again")
{
    Random random(any_seed());
    const unsigned percent = GENERATE(0, 30);
    INFO(percent);
    Linked s(IN_TIME, WIDTH, HEIGHT, 0, true);
    s.begin();
    s.check();
    s.way.with([&] { s.way.packets.clear(); });
    s.draw({16, 16, 96, 64}, 0x123456);
    s.check();
    s.way.with([&] { // it is one block: it has one colour
        unsigned same = 0;
        for (const Packet &p : s.way.packets)
            same += p.block && p.area.w == 96 && p.area.h == 64;
        CHECK(same >= 1);
    });
    Random dice(random());
    s.way.with([&] {
        s.way.packets.clear();
        s.way.loses = [&](const block &) { return dice() % 100 < percent; };
    });
    for (int i = 0; i < 5; i++) {
        draw_some(s, 10, random);
        s.check();
    }
    CHECK(s.way.with([&] { return s.way.numbers_rise(); }));
    s.way.with(
        [&] { // what was lost came under a new number, and before each update one is left out
            unsigned left_out = 0;
            uint32_t before = 0;
            for (const Packet &p : s.way.packets) {
                left_out += p.block && before > 0 && p.sequence == before + 2;
                before = p.block ? p.sequence : before;
            }
            CHECK(left_out > 0);
            s.way.loses = [](const block &) { return false; };
        });
}

TEST_CASE("pusher: what is lost comes again with a higher number, and what was told of does not")
{
    const rect LOST = {32, 32, 16, 16}, FIRST = {96, 64, 16, 16};
    Linked s(NEVER);
    s.begin();
    s.way.with([&] {
        s.way.packets.clear();
        s.way.loses = [=](const block &b) { return rect_inside(LOST, b.area); };
    });
    const uint16_t mark = s.way.with([&] { return s.way.mark; });
    s.draw(LOST, 0xff0000);
    s.draw(FIRST, 0x00ff00);
    auto came = [&](rect r, uint32_t heard) {
        unsigned all = 0;
        for (const Packet &p : s.way.packets)
            all += p.block && p.heard >= heard && rect_inside(r, p.area);
        return all;
    };
    REQUIRE(s.way.await([&] { return came(FIRST, 0) > 0 || s.way.mark != mark; }));
    const std::string one = key('k');
    s.way.tell(0, one); // what leaves after this was heard, leaves knowing what has come
    REQUIRE(s.server.await_heard(one));
    const uint32_t heard = uint32_t(one.size());
    REQUIRE(s.way.await([&] { return came(LOST, heard) >= 8 || s.way.mark != mark; }));
    s.way.with([&] {
        // Only as one of those that leave again though nothing is known to be lost.
        CHECK((came(FIRST, heard) <= PUSH_COPIES_MOST || s.way.mark != mark));
        CHECK(s.way.numbers_rise());
        s.way.loses = [](const block &) { return false; };
    });
    s.check();
}

TEST_CASE("pusher: what the viewer repeats in datagrams is heard at once, and only once")
{
    Linked s(NEVER);
    s.begin_counting();
    const std::string a = key('a'), b = key('b'), c = key('c'), d = key('d'), all = a + b + c + d;
    const uint32_t n = uint32_t(a.size());
    s.way.tell(n, b);     // behind a gap
    s.way.tell(2 * n, c); // and another one
    s.way.tell(0u - n, a);
    s.way.tell(0, a);
    REQUIRE(s.server.await_heard(a));
    CHECK(s.server.with([&] { return s.server.heard; }) == a);
    s.way.tell(0, a + b);                        // the first half is known
    s.way.tell(n, b);                            // all of it
    s.way.tell(n + 3, all.substr(n + 3, n + 2)); // it ends inside of a message
    REQUIRE(s.server.await_heard(a + b));
    s.way.tell(3 * n - 1, all.substr(3 * n - 1)); // a gap again
    s.viewer.say(a + b);                          // now it comes on the stream
    s.viewer.say(all.substr(2 * n));
    REQUIRE(s.server.await_heard(d));
    s.way.tell(0, all);
    s.viewer.say(key('e'));
    REQUIRE(s.server.await_heard(key('e')));
    CHECK(s.server.with([&] { return s.server.heard; }) == all + key('e'));
}

TEST_CASE("pusher: pieces of what the viewer says may come both ways in any order")
{
    Random random(any_seed());
    Linked s(NEVER);
    s.way.with([&] { s.way.answers = true; });
    s.begin_counting();
    std::string all;
    for (int i = 0; i < 1500; i++)
        all += random() % 2 ? key(0x100 + random() % 1000) : pointer(int(random() % 100), 3, 1);
    for (size_t on_stream = 0; on_stream < all.size();) {
        size_t at = on_stream + random() % 400;
        at -= std::min(at, size_t(random() % 500));
        if (random() % 3 && at < all.size())
            s.way.tell(uint32_t(at), all.substr(at, 1 + random() % BODY_SAID_MAX));
        if (random() % 3 == 0) {
            const std::string piece = all.substr(on_stream, 1 + random() % 200);
            s.viewer.say(piece);
            on_stream += piece.size();
        }
    }
    CHECK(s.server.await([&] { return s.server.heard.size() >= all.size(); }));
    s.viewer.say(key('e'));
    REQUIRE(s.server.await_heard(key('e')));
    CHECK(s.server.with([&] { return s.server.heard == all + key('e'); }));
    // and is told so
    const uint32_t heard = uint32_t(all.size() + key('e').size());
    CHECK(
        s.way.await([&] { return !s.way.packets.empty() && s.way.packets.back().heard == heard; }));
}

TEST_CASE("pusher: counting begins anew with each message that says so")
{
    Linked s(NEVER);
    s.begin_counting();
    s.viewer.say(key('a') + key('b'));
    REQUIRE(s.server.await_heard(key('b')));
    s.viewer.say(count() + key('c'));
    REQUIRE(s.server.await_heard(key('c')));
    s.way.tell(8, key('d'));
    REQUIRE(s.server.await_heard(key('d')));
    CHECK(s.server.with([&] { return s.server.heard; }) ==
          key('a') + key('b') + key('c') + key('d'));
}

TEST_CASE("pusher: what a viewer may not say it may not say in datagrams either")
{
    Linked s(NEVER);
    s.begin_counting();
    s.way.tell(0, "\xfe that is no message");
    s.far.join();
    CHECK(s.far.why() == "the viewer says what it may not, or memory is short");
}

TEST_CASE(
    "pusher: when nothing is told of any more blocks go on the stream, until the path is shown "
    "to work anew")
{
    Random random(any_seed());
    Linked s;
    s.begin();
    for (int i = 0; i < 2; i++) {
        const uint16_t mark = s.way.with([&] {
            s.way.answers = false;
            s.way.loses = [](const block &) { return true; };
            return s.way.mark;
        });
        const unsigned streamed = s.way.with([&] { return s.way.streamed; });
        draw_some(s, 10, random);
        s.check(); // by what came on the stream
        CHECK(s.way.with([&] { return s.way.streamed; }) > streamed);
        REQUIRE(s.way.await_other_mark(mark));

        const uint16_t asked = s.way.with([&] { return s.way.mark; });
        s.way.with([&] { s.way.mark = mark; });
        s.way.tell(); // an answer to what has left before shows nothing
        const unsigned before = s.way.with([&] { return s.way.blocks(); });
        draw_some(s, 3, random);
        s.check();
        REQUIRE(s.way.await_other_mark(mark)); // it asks on
        CHECK(s.way.with([&] { return s.way.mark; }) == asked);
        CHECK(s.way.with([&] { return s.way.blocks(); }) == before);

        s.way.with([&] {
            s.way.answers = true;
            s.way.loses = [](const block &) { return false; };
        });
        s.begin_anew();
        CHECK(s.way.with([&] { return s.way.numbers_rise(); }));
    }
}

TEST_CASE("pusher: packets that are not the viewer's change nothing")
{
    Random random(any_seed());
    Linked s(NEVER);
    s.begin_counting();
    uint8_t other_secret[SEALED_SECRET] = {1};
    sealer *const wrong[] = {sealer_create(s.way.secret, SEALED_TO_VIEWER),
                             sealer_create(s.way.secret, SEALED_HELLO),
                             sealer_create(other_secret, SEALED_TO_FAR_END)};
    // what would be heard, and what would show that the path works, if it were believed
    body_up u = {};
    const std::string evil = key('e');
    u.mark = 1;
    u.said = reinterpret_cast<const uint8_t *>(evil.data());
    u.size = evil.size();
    const std::string body = written([&](uint8_t *o) { return body_write_up(o, &u); });
    const std::string first = key('a');
    s.way.tell(0, first);
    REQUIRE(s.server.await_heard(first));
    for (int i = 0; i < 300; i++) {
        std::string noise(1 + random() % 1400, '\0');
        for (char &c : noise)
            c = char(random());
        s.way.put(noise);
        for (sealer *other : wrong)
            s.way.put(written(
                [&](uint8_t *o) { return sealer_seal(other, body.data(), body.size(), o); }));
        std::string changed = s.way.seal(body);
        changed[random() % changed.size()] ^= char(1 << random() % 8);
        s.way.put(changed);
        changed = s.way.seal(body);
        s.way.put(changed.substr(0, random() % changed.size()));
        s.way.put(s.way.seal(body.substr(0, random() % BODY_UP_HEAD)));
        changed = body;
        changed[2] = char(2 + random() % 254);
        s.way.put(s.way.seal(changed));
    }
    for (sealer *other : wrong)
        sealer_destroy(other);
    const std::string next = key('n');
    s.way.tell(uint32_t(first.size()), next); // it is read behind all of them
    REQUIRE(s.server.await_heard(next));
    CHECK(s.server.with([&] { return s.server.heard; }) == first + next);
    CHECK(s.way.with([&] { return s.way.blocks(); }) == 0);
    s.way.with([&] { s.way.answers = true; });
    s.begin_anew();
}

TEST_CASE("pusher: a packet that comes twice counts once")
{
    Linked s(NEVER);
    s.begin_counting();
    const std::string press = pointer(1, 2, 1);
    body_up u = {};
    u.at = uint32_t(key('a').size());
    u.said = reinterpret_cast<const uint8_t *>(press.data());
    u.size = press.size();
    const std::string packet =
        s.way.seal(written([&](uint8_t *o) { return body_write_up(o, &u); }));
    s.viewer.say(key('a'));
    REQUIRE(s.server.await_heard(key('a')));
    s.way.put(packet);
    REQUIRE(s.server.await_heard(press));
    s.viewer.say(press + count() + key('b')); // what it says would be news again
    REQUIRE(s.server.await_heard(key('b')));
    s.way.put(packet);
    s.way.tell(u.at, key('c'));
    REQUIRE(s.server.await_heard(key('c')));
    CHECK(s.server.with([&] { return s.server.heard; }) == key('a') + press + key('b') + key('c'));
}

TEST_CASE("pusher: a viewer that tells lies of blocks hurts only its own picture")
{
    Random random(any_seed());
    Linked s;
    s.begin();
    for (int i = 0; i < 500; i++) {
        body_up u = {};
        u.mark = uint16_t(random() % 4);
        u.tells = random() % 8;
        u.newest = random() % 3 ? uint32_t(random() % 300) : uint32_t(random());
        u.age_us = random() % 2 ? uint32_t(random() % 100000) : uint32_t(random());
        for (uint8_t &b : u.before)
            b = uint8_t(random());
        u.at = uint32_t(random());
        s.way.put(s.way.seal(written([&](uint8_t *o) { return body_write_up(o, &u); })));
        if (i % 50 == 0)
            draw_some(s, 1, random);
    }
    s.viewer.say(key('a'));
    CHECK(s.server.await_heard(key('a')));
    // all of it, for what it said it had counts as there
    s.viewer.say(request(false, {0, 0, WIDTH, HEIGHT}));
    s.check();
}

TEST_CASE("pusher: a new size of the picture, while blocks come as datagrams")
{
    Random random(any_seed());
    Linked s;
    s.begin();
    for (int i = 0; i < 10; i++) {
        const int w = 1 + int(random() % 300), h = 1 + int(random() % 200);
        s.server.resize(rectangle({0, 0, w, h}, PSEUDO_DESKTOP_SIZE),
                        blocks_test::mosaic(w, h, random));
        draw_some(s, 3, random);
        if (random() % 2)
            s.check();
    }
    s.check();
}

TEST_CASE("pusher: larger packets come once the viewer has told that they pass")
{
    Random random(any_seed());
    Linked s;
    s.way.with([&] { s.way.most = SEALED_MAX; });
    s.begin();
    while (s.way.larger() < 50) {
        draw_some(s, 1, random);
        s.check();
    }
    SECTION("and no more when they vanish: all of the picture comes even so")
    {
        auto vanished = [&] { return s.way.with([&] { return s.way.vanished; }); };
        s.way.with([&] { s.way.most = 1250; });
        for (unsigned quiet = 0, before = 0; quiet < 20 || before < 10; quiet++) {
            draw_some(s, 1, random);
            s.check();
            if (before != vanished())
                quiet = 0;
            before = vanished();
        }
    }
    SECTION("and no more on another way, before it is known there")
    {
        int pair[2];
        uint8_t packet[SEALED_MAX + 1];
        REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0);
        s.way.give(pair[1]);
        close(pair[1]);
        draw_some(s, 1, random);
        for (int i = 0; i < 2; i++) // it asks, and sends no probe before it is answered
            CHECK(recv(pair[0], packet, sizeof packet, 0) < ssize_t(SEALED_ANYWHERE));
        close(pair[0]);
    }
    s.check();
}

TEST_CASE("pusher: a viewer that knows no probes is sent nothing larger")
{
    Random random(any_seed());
    Linked s; // what is larger vanishes there, as an old viewer drops it
    s.begin();
    const uint16_t mark = s.way.with([&] { return s.way.mark; });
    for (int i = 0; i < 20; i++) {
        draw_some(s, 1, random);
        s.check();
    }
    // The probes, once, unless a slow machine has let the path be taken for dead.
    CHECK(s.way.with([&] { return s.way.vanished <= 9 || s.way.mark != mark; }));
    CHECK(s.way.larger() == 0);
}

TEST_CASE("pusher: another way takes the place of the first one")
{
    Linked s;
    s.begin();
    // The old one is closed by then, so nothing comes on it any more.
    int pair[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) == 0);
    s.way.give(pair[1]);
    close(pair[1]);
    s.draw({0, 0, 100, 100}, 0x123456);
    char packet[SEALED_MAX];
    CHECK(recv(pair[0], packet, sizeof packet, 0) > 0);
    s.check(); // nobody answers on the new one: it comes on the stream
    close(pair[0]);
}

// ---- parts of it ----

TEST_CASE("block: another number is all that changes")
{
    Random random(any_seed());
    blocks_test::Writer writer;
    for (std::string wire : blocks_test::pack(writer, blocks_test::mosaic(64, 48, random), 0, 7)) {
        const std::string before = wire;
        const uint32_t number = uint32_t(random());
        block a, b;
        reason why;
        block_renumber(reinterpret_cast<uint8_t *>(&wire[0]), number);
        REQUIRE(blocks_test::unpack(before, &a, &why));
        REQUIRE(blocks_test::unpack(wire, &b, &why));
        CHECK(b.sequence == number);
        block_renumber(reinterpret_cast<uint8_t *>(&wire[0]), a.sequence);
        CHECK(wire == before);
    }
}

TEST_CASE("pusher: of more parts than are told one by one all of the picture has changed")
{
    auto parts = std::make_unique<update_parts>();
    for (int i = 0; i < UPDATE_PARTS; i++) {
        const update_part part = {{i, 0, 1, 1}, i % 2 == 0, 3, 4};
        update_parts_add(parts.get(), &part);
    }
    REQUIRE(parts->count == UPDATE_PARTS);
    for (int i = 0; i < UPDATE_PARTS; i++) {
        REQUIRE(parts->part[i].area.x == i);
        REQUIRE(parts->part[i].copied == (i % 2 == 0));
    }
    for (int i = 0; i < 3; i++) {
        const update_part more = {{5, 5, 1, 1}, true, 3, 4};
        update_parts_add(parts.get(), &more);
        CHECK(parts->count == UPDATE_PARTS);
        const update_part &last = parts->part[UPDATE_PARTS - 1];
        CHECK_FALSE(last.copied);
        CHECK((last.area.x == 0 && last.area.y == 0));
        CHECK(last.area.w == FRAMEBUFFER_MAX_SIDE);
        CHECK(last.area.h == FRAMEBUFFER_MAX_SIDE);
    }
    CHECK(parts->part[UPDATE_PARTS - 2].area.x == UPDATE_PARTS - 2);
}

TEST_CASE("pusher: blocks leave as datagrams once a whole picture has left, or that takes too long")
{
    auto d = std::make_unique<datagram_blocks>();
    auto plan = std::make_unique<push_plan>();
    const push_options options = {};
    const tick_t now = 1000 * TICK_S;
    push_plan_init(plan.get(), &options, now);
    datagram_blocks_init(d.get());
    datagram_blocks_switch(d.get(), plan.get(), true, false, now);
    CHECK_FALSE(d->push.on);
    datagram_blocks_switch(d.get(), plan.get(), true, false, now + 50 * TICK_MS);
    CHECK_FALSE(d->push.on);
    SECTION("whole")
    {
        datagram_blocks_switch(d.get(), plan.get(), true, true, now + 51 * TICK_MS);
        CHECK(d->push.on);
    }
    SECTION("too long")
    {
        datagram_blocks_switch(d.get(), plan.get(), true, false, now + TICK_S);
        CHECK(d->push.on);
    }
    datagram_blocks_switch(d.get(), plan.get(), false, true, now + 2 * TICK_S);
    CHECK_FALSE(d->push.on);
    datagram_blocks_switch(d.get(), plan.get(), true, false, now + 3 * TICK_S);
    CHECK_FALSE(d->push.on); // the time begins anew
}
