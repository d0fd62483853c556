// The pusher whose viewer goes away and comes again, or another one in its place.
#include <poll.h>

#include "kept_far_end.hpp"
#include "rfb/pusher/viewer/standing.h"
#include "rfb/pusher/visits/held_input.h"
#include "rfb/pusher/visits/newcomer.h"
#include "tests/seed.hpp"

using namespace far_end;

TEST_CASE("pusher: each viewer is told of its own door, and of no other")
{
    Door door(opening(60123)), other(opening(60124, 't')), wrong("x");
    {
        Kept k(3600 * TICK_S, door.far);
        CHECK(k.told().find(" datagrams 60123 " + std::string(SEALED_SECRET, 's') + "\n") !=
              std::string::npos);
        k.lose();
        k.return_again();
        CHECK(is_closed(door.ours));
        k.check();
        CHECK(k.told().find("accelerated ") != std::string::npos);
        CHECK(k.told().find("datagrams") == std::string::npos);
        k.return_again(other.far); // the one before seems to be there
        k.check();
        CHECK(k.told().find(" datagrams 60124 " + std::string(SEALED_SECRET, 't') + "\n") !=
              std::string::npos);
        k.lose();
        CHECK(is_closed(other.ours));
        k.return_again(wrong.far);
        CHECK(is_closed(wrong.ours));
        k.check();
        CHECK(k.told().find("datagrams") == std::string::npos);
    }
}

TEST_CASE("pusher: a newcomer that goes in the middle of the handshake takes its door with it")
{
    Kept k;
    k.lose();
    for (const std::string &part : {std::string(), std::string("RFB 003"), EARLY}) {
        Door door(opening(60123));
        int fd = k.come("desk", door.far);
        send_all(fd, part);
        shutdown(fd, SHUT_WR);
        CHECK(is_closed(door.ours));
    }
    k.return_again();
    k.check();
    CHECK(k.told().find("datagrams") == std::string::npos);
}

TEST_CASE("pusher: a door without its opening, or with another one, is none")
{
    const std::string right = opening(60123);
    for (const std::string &wrong :
         {std::string(), std::string("x"), right.substr(1), right + "x", opening(0)}) {
        INFO(wrong.size());
        Door door(wrong);
        Kept k(3600 * TICK_S, door.far);
        CHECK(k.told().find("accelerated ") != std::string::npos);
        CHECK(k.told().find("datagrams") == std::string::npos);
    }
}

TEST_CASE("held input: each key and button is released once, as it was pressed")
{
    held_input h = {};
    auto note = [&](client_message_type type, uint32_t keysym, uint32_t code, bool down) {
        client_message m = {};
        m.type = type;
        m.keysym = keysym;
        m.key_code = code;
        m.down = down;
        held_input_note(&h, &m);
    };
    bool steps = false;
    auto release = [&] {
        std::string out(HELD_INPUT_WRITE_MAX, '\0');
        out.resize(held_input_release(&h, reinterpret_cast<uint8_t *>(&out[0]), false, steps));
        return out;
    };
    CHECK(release() == "");
    note(CLIENT_KEY, 'a', 0, true);
    note(CLIENT_KEY, 'a', 0, true); // it repeats
    note(CLIENT_KEY, 'b', 0, true);
    note(CLIENT_KEY, 'b', 0, false);
    note(CLIENT_QEMU, 'a', 30, true);
    CHECK(release() == key('a', false) + key_code('a', 30, false));
    CHECK(release() == "");
    client_message m = {};
    m.type = CLIENT_POINTER;
    m.x = 3;
    m.y = 4;
    m.buttons = 5;
    held_input_note(&h, &m);
    CHECK(release() == pointer(3, 4, 0));
    held_input_note(&h, &m);
    steps = true; // it stays where it is
    CHECK(release() == pointer(STEP_NONE, STEP_NONE, 0));
    CHECK(release() == "");
    for (uint32_t i = 0; i < 1000; i++) // no hand does this
        note(CLIENT_KEY, i, 0, true);
    CHECK(release().size() == HELD_KEYS_MAX * key(0).size());
}

TEST_CASE("newcomer: its handshake is a stream, and what is no part of it is refused")
{
    auto run = [](const std::string &said, size_t piece, std::string &heard) {
        newcomer n;
        bytes_held out = {};
        REQUIRE(newcomer_begin(&n, &out));
        size_t taken = 0;
        for (size_t at = 0; at < said.size(); at += piece)
            taken += newcomer_read(&n, reinterpret_cast<const uint8_t *>(said.data()) + at,
                                   std::min(piece, said.size() - at), &out);
        heard.assign(reinterpret_cast<const char *>(bytes_first(&out)), out.size);
        bytes_deinit(&out);
        CHECK((n.state != NEWCOMER_IN || taken == EARLY.size()));
        return n.state;
    };
    std::string heard;
    for (size_t piece : {1, 3, 100}) {
        CHECK(run(EARLY + key('a'), piece, heard) == NEWCOMER_IN);
        CHECK(heard == std::string("RFB 003.008\n\1\1\0\0\0\0", 18));
    }
    CHECK(run("RFB 003.007\n\1\1", 100, heard) == NEWCOMER_REFUSED);
    CHECK(run("GET / HTTP/1.1\r\n", 1, heard) == NEWCOMER_REFUSED);
    CHECK(run("RFB 003.008\n\2\1", 100, heard) == NEWCOMER_REFUSED);
    CHECK(run("RFB 003.00", 1, heard) == NEWCOMER_VERSION);
    CHECK(run("RFB 003.008\n", 1, heard) == NEWCOMER_TYPE);
    CHECK(run("RFB 003.008\n\1", 1, heard) == NEWCOMER_INIT);
}

TEST_CASE("pusher kept: the viewer goes, and comes again to the same picture")
{
    Kept k;
    k.lose();
    k.server.draw([](Picture &p) { return draw_all(p, 0x204060); });
    Screen s = k.return_again();
    CHECK(s.width == WIDTH);
    CHECK(s.height == HEIGHT);
    CHECK(s.name == "desk");
    k.check();
    for (int i = 0; i < 3; i++) { // and again
        k.lose();
        k.return_again();
        k.check();
        k.server.draw([&](Picture &p) { return draw_all(p, uint32_t(0x100 * i)); });
        k.check();
    }
    CHECK(k.server.with([&] { return k.server.broken; }) == "");
}

TEST_CASE("pusher kept: what the viewer held down is released, and nothing else is sent again")
{
    Kept k;
    const std::string said = key('a') + key('b') + key('b', false) + pointer(7, 8, 3);
    k.viewer->say(said);
    REQUIRE(k.server.await_heard(said));
    k.lose();
    CHECK(k.server.await_heard(said + key('a', false) + pointer(7, 8, 0)));
    k.return_again();
    k.viewer->say(key('c'));
    CHECK(k.server.await_heard(key('a', false) + pointer(7, 8, 0) + key('c')));
    k.lose();
    CHECK(k.server.await_heard(key('c') + key('c', false)));
}

TEST_CASE("pusher kept: while nobody is there the server is asked for nothing, and heard")
{
    Kept k;
    k.lose();
    REQUIRE(k.far.comes_to_rest());
    unsigned before = k.server.with([&] { return k.server.requests; });
    for (int i = 0; i < 5; i++)
        k.server.draw([&](Picture &p) { return draw_all(p, uint32_t(i + 1)); });
    for (int i = 0; i < 200; i++) // nobody takes it, and nothing waits
        k.server.say(cut_text(std::string(100000, 'x')));
    CHECK(k.far.comes_to_rest());
    CHECK(k.server.with([&] { return k.server.requests; }) == before);
    k.return_again();
    k.check();
    CHECK(k.told().find("text") == std::string::npos);
}

TEST_CASE("pusher kept: who comes again is told what still holds")
{
    Kept k;
    const std::string shape =
        rectangle({1, 2, 2, 1}, PSEUDO_RICH_CURSOR) + std::string(8, '\x20') + "\xc0";
    const std::string newer =
        rectangle({0, 0, 1, 1}, PSEUDO_RICH_CURSOR) + std::string(4, '\x30') + "\x80";
    const std::string leds = rectangle({0, 0, 0, 0}, PSEUDO_LEDS);
    k.server.say(update(3) + shape + desktop_name("first") + leds + "\4");
    REQUIRE(k.viewer->await_told("leds 4"));
    k.lose();
    REQUIRE(k.far.comes_to_rest());
    k.server.say(update(2) + newer + desktop_name("second"));
    REQUIRE(k.far.comes_to_rest());
    k.return_again();
    CHECK(k.viewer->await_told("leds 4"));
    CHECK(k.viewer->await_told("name second"));
    CHECK(k.viewer->await_told("cursor 1x1 0,0"));
    CHECK(k.told().find("cursor 2x1") == std::string::npos);
    CHECK(k.told().find("name first") == std::string::npos);
}

TEST_CASE("pusher kept: another size, before the viewer comes and while it does")
{
    Kept k;
    const std::string said =
        GENERATE(screens(0, 0, 300, 100), rectangle({0, 0, 300, 100}, PSEUDO_DESKTOP_SIZE));
    SECTION("before")
    {
        k.lose();
        k.server.resize(said, Picture(300, 100, 0x112233));
        REQUIRE(k.far.comes_to_rest());
        Screen s = k.return_again();
        CHECK(s.width == 300);
        CHECK(s.height == 100);
    }
    SECTION("between ServerInit and its encodings")
    {
        k.lose();
        int fd = k.come();
        Screen s = greet(fd);
        CHECK(s.width == WIDTH);
        k.server.resize(said, Picture(300, 100, 0x112233));
        REQUIRE(k.far.comes_to_rest());
        k.viewer = std::make_unique<Viewer>(fd, s.width, s.height);
        CHECK(k.viewer->await_told("resized 300x100"));
    }
    SECTION("while it is there, and later again")
    {
        k.server.resize(said, Picture(300, 100, 0x112233));
        CHECK(k.viewer->await_told("resized 300x100"));
        k.check();
        k.lose();
        CHECK(k.return_again().width == 300);
    }
    k.check();
    k.server.draw([](Picture &p) { return draw_all(p, 0x445566); });
    k.check();
}

TEST_CASE("pusher kept: a goodbye ends it")
{
    Kept k;
    k.viewer->say(key('a') + goodbye() + key('b'));
    k.far.join();
    CHECK(k.server.await_heard(key('a')));
    CHECK(k.server.with([&] { return k.server.heard.find(key('b')); }) == std::string::npos);
}

TEST_CASE("pusher kept: it ends when the time is over, when the server goes, when its keeper does")
{
    SECTION("the time, with nobody there")
    {
        Kept k(TICK_S / 100);
        k.lose();
        k.far.join();
    }
    SECTION("the time, with somebody who stops in the middle of the handshake")
    {
        Kept k(5 * TICK_S); // in which a slow machine comes, too
        k.lose();
        send_all(k.come(), "RFB 003.");
        k.far.join();
    }
    SECTION("the time does not count while a viewer is there")
    {
        const tick_t keep = 5 * TICK_S; // in which a slow machine is back, too
        Kept k(keep);
        k.lose();
        k.return_again();
        std::this_thread::sleep_for(std::chrono::nanoseconds(keep + TICK_S / 2));
        k.server.draw([](Picture &p) { return draw_all(p, 0x445566); });
        k.check();
    }
    SECTION("the server")
    {
        Kept k;
        k.lose();
        REQUIRE(k.far.comes_to_rest());
        shutdown(k.far.server, SHUT_RDWR);
        k.far.join();
    }
    SECTION("the keeper")
    {
        Kept k;
        k.lose();
        shutdown(k.far.keeper, SHUT_RDWR);
        k.far.join();
    }
    SECTION("the viewer has gone in the middle of a text")
    {
        Kept k;
        const std::string text = client_text(std::string(1000, 'x'));
        k.viewer->say(text.substr(0, 500));
        REQUIRE(k.server.await([&] { return k.server.heard.size() >= 500; }));
        k.lose();
        k.far.join();
    }
    SECTION("a viewer that takes no blocks of ours")
    {
        Kept k;
        k.lose();
        int fd = k.come();
        greet(fd);
        send_all(fd, std::string("\2\0\0\1\0\0\0\0", 8));
        k.far.join();
    }
}

TEST_CASE("pusher kept: a newcomer may say anything, and the next one is let in")
{
    const std::string bad[] = {
        std::string(100000, '\0'),
        "RFB 003.008\n\2",
        EARLY + key('a'),                                                // before its encodings
        EARLY + client_text("text"),                                     //
        EARLY + request(false, ALL),                                     //
        EARLY + std::string(1, '\xfe'),                                  // unknown
        EARLY + std::string("\2\0\xff\xff", 4),                          // an endless list
        EARLY + goodbye(),                                               //
        EARLY + std::string("\0\0\0\0\x07\x18\0\1", 8) + "xxxxxxxxxxxx", // 7 bits
    };
    Kept k;
    k.lose();
    for (const std::string &what : bad) {
        int fd = k.come();
        send_all(fd, what);
        CHECK(is_closed(fd));
    }
    for (const std::string &part :
         {std::string("RFB 003"), EARLY.substr(0, 13), EARLY, EARLY + encodings().substr(0, 20)}) {
        int fd = k.come();
        send_all(fd, part);
        shutdown(fd, SHUT_WR);
        CHECK(is_closed(fd));
    }
    CHECK_FALSE(k.far.ended());
    k.return_again();
    k.check();
    CHECK(k.server.with([&] { return k.server.heard; }) == "");
}

TEST_CASE("pusher kept: a newcomer takes the place of a viewer that seems to be there")
{
    Kept k;
    k.viewer->say(key('a'));
    REQUIRE(k.server.await_heard(key('a')));
    auto old = std::move(k.viewer);
    k.return_again();
    CHECK(old->await([&] { return old->ended; }));
    CHECK(k.server.await_heard(key('a') + key('a', false)));
    k.check();
    int half = k.come(); // and of one that is only half there
    send_all(half, "RFB 003.");
    CHECK(k.viewer->await([&] { return k.viewer->ended; }));
    k.return_again();
    CHECK(is_closed(half));
    k.check();
}

TEST_CASE("pusher kept: a hundred viewers in a row, each with the picture of the one before")
{
    blocks_test::Random random(any_seed());
    Kept k;
    int compared = 0;
    auto change = [&] {
        k.server.draw([&](Picture &now) {
            rect r = {int(random() % WIDTH), int(random() % HEIGHT), 0, 0};
            r.w = 1 + int(random() % unsigned(WIDTH - r.x));
            r.h = 1 + int(random() % unsigned(HEIGHT - r.y));
            const Picture piece = blocks_test::mosaic(r.w, r.h, random);
            for (int y = 0; y < r.h; y++)
                std::copy_n(&piece.pixels[size_t(y) * size_t(r.w)], r.w, &now.at(r.x, r.y + y));
            return r;
        });
    };
    for (int i = 0; i < 100; i++) {
        const Picture seen = k.viewer->with([&] { return k.viewer->seen(); });
        k.lose();
        for (unsigned n = random() % 3; n > 0; n--)
            change();
        k.return_again();
        k.viewer->has(seen);
        for (unsigned n = random() % 3; n > 0; n--)
            change();
        if (random() % 3) // else it is lost before all is there
            CHECK(k.viewer->await_picture(k.picture()));
        compared += k.viewer->with([&] { return k.viewer->compared; });
    }
    CHECK(compared > 0);
    CHECK(k.viewer->await_picture(k.picture()));
    CHECK(k.server.with([&] { return k.server.broken; }) == "");
}

TEST_CASE("pusher: without a time it ends with its viewer, as ever")
{
    Kept k(0);
    k.lose();
    k.far.join();
}

// ---- datagrams ----

// Another viewer in the place of the first, at the same size. It says its handshake.
static int come_again(Linked &s, int door)
{
    int fd = s.far.come("desk", door);
    send_all(fd, "RFB 003.008\n\1\1");
    char head[12 + 2 + 4 + 24 + 4]; // the server is called "desk"
    REQUIRE(recv(fd, head, sizeof head, MSG_WAITALL) == ssize_t(sizeof head));
    return fd;
}

TEST_CASE("pusher: the next viewer has a way of its own, and blocks come as datagrams there")
{
    Linked s(IN_TIME, WIDTH, HEIGHT, 3600 * TICK_S);
    s.begin();
    for (int i = 0; i < 2; i++) {
        Beside way(WIDTH, HEIGHT, uint8_t('A' + i));
        int fd = come_again(s, way.door);
        {
            Viewer next(fd, WIDTH, HEIGHT, IN_TIME, false, way.also());
            const unsigned before = s.way.with([&] { return s.way.blocks(); });
            way.with([&] { way.answers = true; });
            CHECK(way.await_picture(s.picture()));
            way.show_way();
            next.say(count());
            for (uint32_t colour = 1; way.with([&] { return way.blocks() == 0; }); colour++) {
                s.draw({0, 0, 16, 16}, colour * 0x030201);
                REQUIRE(way.await_picture(s.picture()));
            }
            CHECK(next.with([&] { return next.told; }) ==
                  "accelerated bbr 1-1 datagrams 60123 " +
                      std::string(way.secret, way.secret + SEALED_SECRET) + "\n");
            CHECK(s.way.with([&] { return s.way.blocks(); }) == before);
            CHECK_FALSE(s.way.put("x")); // nobody is there
            CHECK(way.with([&] { return way.broken; }) == "");
        }
        close(fd);
    }
    shutdown(s.far.keeper, SHUT_RDWR);
}

TEST_CASE("pusher: the way ends with its viewer, and the next one may have none")
{
    Linked s(IN_TIME, WIDTH, HEIGHT, 3600 * TICK_S);
    s.begin();
    const Picture before = s.picture();
    int fd = come_again(s, -1);
    {
        Viewer next(fd, WIDTH, HEIGHT);
        next.say(count());
        CHECK(next.await_picture(before));
        CHECK(next.with([&] { return next.told; }) == "accelerated bbr 1-1\n");
        const unsigned blocks = s.way.with([&] { return s.way.blocks(); });
        s.draw({0, 0, 64, 64}, 0x654321);
        CHECK(next.await_picture(s.picture()));
        CHECK(s.way.with([&] { return s.way.blocks(); }) == blocks);
        CHECK_FALSE(s.way.put("x")); // nobody is there
    }
    shutdown(s.far.keeper, SHUT_RDWR);
    close(fd);
}
