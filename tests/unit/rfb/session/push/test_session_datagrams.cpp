// A session whose far end can be reached by datagrams: what it says by them, and what it takes.
#include "tests/catch.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "rfb/net/sockets/socket.h"
#include "session_way.hpp"
#include "tests/expect.hpp"
#include "tests/seed.hpp"

using namespace peer;
using namespace datagram_way;

TEST_CASE("session: it says hello by datagram, again and again, and answers what comes")
{
    Way way;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin_counting(p, heard);
            p.write(shows()); // once more: that changes nothing
            way.until([&] { return way.hellos == 3; });
            way.say(7, 0);
            way.until([&] { return way.ups > 0 && way.up.mark == 7; });
            way.say(0xff00, 0);
            way.until([&] { return way.up.mark == 0xff00; });
            p.write(TEXT);
            p.read_rest();
        });
        Owner owner(options(server), hooks());
        give(owner, way);
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(asked.all() == std::vector<uint16_t>{PORT});
    }
    CHECK(way.bad == 0);
    CHECK_FALSE(way.up.tells); // no block has come
}

TEST_CASE("session: where nothing answers any more it says hello from another socket")
{
    Way way;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin_counting(p, heard);
            way.until([&] { return way.hellos > 0; });
            way.say(7, 0, block_of({0, 0, W, H}, 1, 0x111111, true));
            way.until([&] { return way.told(1) && way.up.asks; });
            asked.await(2); // there is no answer
            p.write(TEXT);
            heard.until(CLIENT_KEY);
            way.until([&] { return way.hellos > 1; });
            way.say(8, 0, block_of({0, 0, W, H}, 2, 0x222222, true));
            way.until([&] { return way.up.mark == 8 && way.told(2); });
            p.write(TEXT);
            p.read_rest();
        });
        Owner owner(options(server), hooks());
        give(owner, way);
        wait_for(owner, SESSION_CUT_TEXT);
        way.move();
        session_give_path(owner, way.given);
        session_send_key(owner, 'a', true);
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(seen(owner) == Picture(W, H, 0x222222));
        for (uint16_t port : asked.all())
            CHECK(port == PORT);
    }
    CHECK(way.bad == 0);
}

TEST_CASE("session: blocks that come as datagrams are drawn, and told of on that way")
{
    Way way;
    unsigned acknowledged = 1;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin_counting(p, heard);
            way.until([&] { return way.hellos > 0; });
            way.say(1, 0, block_of({0, 0, 32, H}, 40, 0x111111));
            way.until([&] { return way.told(40); });
            way.say(1, 0, block_of({32, 0, 32, H}, 43, 0x222222, true));
            way.say(1, 0, block_of({0, 0, W, 16}, 39, 0xff0000)); // late: it draws nothing
            way.until([&] { return way.told(39); });
            EXPECT(way.told(43) && way.up.newest == 43);
            EXPECT(!way.told(41) && !way.told(42));
            p.write(TEXT);
            heard.until(CLIENT_KEY);
            acknowledged = heard.acknowledged;
            p.write(one({0, 0, 16, 16}, 44, 0x333333, true)); // on the stream
            heard.until_read(44);
            way.say(2, 0);
            way.until([&] { return way.up.mark == 2; });
            EXPECT(way.told(44) && way.told(43)); // its number counts, too
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
        CHECK(figures(owner).meter.updates == 1);
        session_send_key(owner, 'a', true);
        wait_for(owner, SESSION_CUT_TEXT);
        for (int y = 0; y < 16; y++)
            std::fill_n(&now.at(0, y), 16, 0x333333u);
        CHECK(seen(owner) == now);
        CHECK(figures(owner).meter.updates == 2);
    }
    CHECK(acknowledged == 0);
    CHECK(way.bad == 0);
}

TEST_CASE("session: it tells of the largest probe of the newest search that has come")
{
    Way way;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin_counting(p, heard);
            way.until([&] { return way.hellos > 0; });
            way.say(1, 0, block_of({0, 0, 32, H}, 40, 0x111111));
            way.until([&] { return way.told(40); });
            EXPECT(way.up.largest == 0);
            for (size_t bytes : {1280, 1452, 1400}) // in another order than they left
                way.put(way.probe(1, 255, bytes));
            way.until([&] { return way.up.largest == 1452 && way.up.search == 255; });
            way.put(way.probe(1, 254, 1280)); // of the search before
            way.say(2, 0);
            way.until([&] { return way.up.mark == 2; });
            EXPECT(way.up.largest == 1452 && way.up.search == 255);
            way.put(way.probe(2, 0, 1280));
            way.until([&] { return way.up.search == 0; });
            EXPECT(way.up.largest == 1280);
            EXPECT(way.told(40));
            p.write(TEXT);
            p.read_rest();
        });
        Owner owner(options(server), hooks());
        give(owner, way);
        wait_for(owner, SESSION_CUT_TEXT);
    }
    CHECK(way.bad == 0);
}

TEST_CASE("session: what it says on the stream it repeats by datagrams until it is heard")
{
    const std::string key("\4\1\0\0\0\0\0a", 8), more("\4\1\0\0\0\0\0b", 8);
    Way way;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin_counting(p, heard);
            way.until([&] { return way.hellos > 0; });
            way.say(1, 0);
            p.write(TEXT);
            way.until([&] { return way.heard.find(key) != std::string::npos; });
            unsigned before = way.ups;
            way.until([&] { return way.ups == before + 6; });
            EXPECT(way.up.size >= key.size()); // still
            way.say(1, 0x80000000);            // a lie
            way.say(2, uint32_t(way.heard.size()));
            way.until([&] { return way.up.mark == 2; });
            EXPECT(way.up.at == way.heard.size());
            EXPECT(way.up.size == 0);
            p.write(TEXT);
            way.until([&] { return way.heard.find(more) != std::string::npos; });
            while (heard.said.find(more) == std::string::npos)
                heard.next();
            p.write(TEXT);
            p.read_rest();
            size_t size = std::min(heard.said.size(), way.heard.size());
            EXPECT(heard.said.substr(0, size) == way.heard.substr(0, size));
        });
        Owner owner(options(server), hooks());
        give(owner, way);
        wait_for(owner, SESSION_CUT_TEXT);
        session_send_key(owner, 'a', true);
        wait_for(owner, SESSION_CUT_TEXT);
        session_send_key(owner, 'b', true);
        wait_for(owner, SESSION_CUT_TEXT);
    }
    CHECK(way.bad == 0);
}

TEST_CASE("session: a block of another size's picture that comes as a datagram counts as lost")
{
    Way way;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin_counting(p, heard);
            way.until([&] { return way.hellos > 0; });
            way.say(1, 0, block_of({0, 0, W, H}, 1, 0x111111, true));
            way.say(1, 0, block_of({0, 0, 32, 16}, 2, 0xff0000, true, 2));
            way.say(1, 0, block_of({0, 0, W, H}, 3, 0x222222, true));
            way.until([&] { return way.told(3); });
            EXPECT(way.told(1) && !way.told(2));
            p.write(resized(32, 16) + one({0, 0, 16, 16}, 4, 0x444444, false, 2));
            heard.until_read(4);
            way.say(1, 0, block_of({0, 0, W, H}, 5, 0xff0000, true, 1));
            way.say(1, 0, block_of({0, 0, 32, 16}, 6, 0x333333, true, 2));
            way.until([&] { return way.told(6); });
            EXPECT(way.told(4) && !way.told(5));
            p.write(TEXT);
            p.read_rest();
        });
        Owner owner(options(server), hooks());
        give(owner, way);
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(seen(owner) == Picture(32, 16, 0x333333));
    }
    CHECK(way.bad == 0);
}

TEST_CASE("session: blocks that no far end sends as datagrams end it, and it says why")
{
    uint8_t payload[BLOCK_OLD_ENDS_BYTES];
    const uint8_t sum[BLOCK_OLD_SUM] = {};
    block b = {};
    b.sequence = 2;
    b.area = {0, 0, 16, 16};
    block_set_copy(&b, 16, 16, payload);
    CHECK(end_of(packed(b)) == "the server sent a block as a datagram that needs others");
    block_set_old(&b, nullptr, payload);
    CHECK(end_of(packed(b)) == "the server sent a block as a datagram that needs others");
    block_set_old(&b, sum, payload);
    CHECK(end_of(packed(b)) == "the server sent a block as a datagram that needs others");

    const std::string good = block_of({0, 0, 16, 16}, 2, 0x123456);
    CHECK_FALSE(end_of(good.substr(0, 1)).empty());
    CHECK_FALSE(end_of(good.substr(0, good.size() - 1)).empty());
    CHECK_FALSE(end_of(good + "x").empty());
    CHECK_FALSE(end_of(block_of({0, 0, W + 16, 16}, 2, 0x123456)).empty());
}

TEST_CASE("session: packets that are not the far end's change nothing")
{
    std::mt19937 random(any_seed());
    Way way;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin_counting(p, heard);
            const std::string bad = block_of({0, 0, W, H}, 9, 0xff0000, true);
            auto say_garbage = [&] {
                for (int i = 0; i < 200; i++) {
                    std::string noise(1 + random() % 1300, '\0');
                    for (char &c : noise)
                        c = char(random());
                    way.put(noise);
                    std::string changed = way.seal(5, 0, bad);
                    changed[random() % changed.size()] ^= char(1 << random() % 8);
                    way.put(changed);
                    way.put(way.seal(5, 0, bad).substr(0, random() % 40));
                    way.put(way.seal(5, 0, bad, false));
                }
            };
            way.until([&] { return way.hellos > 0; });
            say_garbage();
            unsigned before = way.hellos;
            way.until([&] { return way.hellos > before + 2; });
            EXPECT(way.ups == 0); // nobody has answered yet
            const std::string right = way.seal(6, 0, block_of({0, 0, W, H}, 1, 0x111111, true));
            way.put(right);
            way.until([&] { return way.ups > 0; });
            say_garbage();
            way.say(7, 0, block_of({0, 0, W, H}, 2, 0x222222, true));
            way.until([&] { return way.told(2); });
            way.put(right); // again
            way.say(8, 0);
            way.until([&] { return way.up.mark == 8; });
            p.write(TEXT);
            p.read_rest();
        });
        Owner owner(options(server), hooks());
        give(owner, way);
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(seen(owner) == Picture(W, H, 0x222222));
        CHECK(figures(owner).meter.updates == 2);
    }
    CHECK(way.up.newest == 2);
    CHECK(way.bad == 0);
}

TEST_CASE("session: no way is asked for where it may not be, or where there is none")
{
    const auto reason = GENERATE(0, 1, 2, 3, 4);
    INFO(reason);
    bool counted = true;
    Way way;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin(p);
            p.write(reason == 0   ? shows()
                    : reason == 1 ? shows(SESSION_DATAGRAM_PORT_LEAST - 1)
                    : reason == 2 ? shows(0)
                    : reason == 3 ? shows(PORT, 7, 9)
                                  : shows());
            if (reason != 3) {
                p.write(one({0, 0, W, H}, 1, 5, true));
                heard.until_read(1);
            }
            p.write(TEXT);
            heard.until(CLIENT_KEY);
            heard.until(CLIENT_POINTER); // a turn of the sender later
            counted = heard.counted;
            p.write(TEXT);
            p.read_rest();
        });
        session_options o = options(server);
        session_hooks h = hooks();
        o.datagrams = reason != 0;
        if (reason == 4)
            h.ask_datagrams = nullptr;
        Owner owner(o, h);
        owner.connected();
        wait_for(owner, SESSION_CUT_TEXT);
        session_give_path(owner, way.given); // nobody has asked for it
        session_send_key(owner, 'a', true);
        session_send_pointer(owner, 1, 1, 1);
        wait_for(owner, SESSION_CUT_TEXT);
        CHECK(asked.all().empty());
        CHECK_FALSE(way.put("x")); // it was closed
    }
    CHECK_FALSE(counted);
}

TEST_CASE("session: the lowest port that is asked for")
{
    Server server([&](Peer &p) {
        begin(p);
        p.write(shows(SESSION_DATAGRAM_PORT_LEAST) + TEXT);
        p.read_rest();
    });
    Owner owner(options(server), hooks());
    owner.connected();
    wait_for(owner, SESSION_CUT_TEXT);
    CHECK(asked.all() == std::vector<uint16_t>{SESSION_DATAGRAM_PORT_LEAST});
    session_give_path(owner, -1); // there is none: all goes on
}

TEST_CASE("session: a second way is closed while the first one works")
{
    Way way, second;
    {
        Server server([&](Peer &p) {
            Heard heard(p);
            begin_counting(p, heard);
            way.until([&] { return way.hellos > 0; });
            way.say(1, 0, block_of({0, 0, W, H}, 1, 0x111111, true));
            way.until([&] { return way.told(1); });
            p.write(TEXT);
            p.read_rest();
        });
        Owner owner(options(server), hooks());
        give(owner, way);
        wait_for(owner, SESSION_CUT_TEXT);
        session_give_path(owner, second.given);
        CHECK_FALSE(second.put("x"));
    }
    CHECK(way.bad == 0);
}

TEST_CASE("session: while its socket is full its input goes by datagrams, and on the stream later")
{
    constexpr size_t AHEAD = 4 * BODY_SAID_MAX;
    int pair[2], small = 4096;
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    given_socket = pair[1];
    session_hooks h = hooks();
    h.connect = [](session_options *, tick_t, int, reason *) {
        return stream_create(socket_adopt(given_socket));
    };
    Way way;
    std::string said, keys, pressed;
    std::atomic<bool> ahead{false}, waits_for_room{false};
    std::thread script([&] {
        Peer p(pair[0]);
        Heard heard(p);
        try {
            begin_counting(p, heard);
            way.until([&] { return way.hellos > 0; });
            way.say(1, 0);
            way.until([&] { // nobody reads the stream meanwhile
                int waits = 0;
                way.say(1, uint32_t(way.heard.size()));
                ioctl(pair[0], FIONREAD, &waits);
                return way.heard.size() >= size_t(waits) + AHEAD || waits_for_room;
            });
            ahead = true;
            while (heard.keys.empty() || heard.keys.back() != 'z')
                heard.next();
        } catch (Gone &) {
        }
        ahead = true;
        said = heard.said;
        keys = heard.keys;
    });
    {
        session_options o = {};
        o.encodings.blocks = o.datagrams = true;
        Owner owner(o, h);
        give(owner, way);
        for (size_t i = 0; !ahead; i++) {
            waits_for_room = i > 4 * AHEAD; // far more was said than has to go ahead
            pressed += char('a' + int(i / 2 % 20));
            session_send_key(owner, uint32_t(pressed.back()), i % 2 == 0);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        pressed += 'z';
        session_send_key(owner, 'z', true);
        script.join();
    }
    const size_t size = std::min(said.size(), way.heard.size());
    CHECK(keys == pressed);
    CHECK(size >= AHEAD);
    CHECK(said.substr(0, size) == way.heard.substr(0, size));
    CHECK(way.bad == 0);
}
