// The server's sound through the pusher: to who takes it, and never in the way of pictures.
#include <algorithm>

#include "kept_far_end.hpp"
#include "rfb/pusher/constants.h"

using namespace far_end;

namespace
{

const std::string ON("\xff\1\0\2\3\2\0\0\xac\x44\xff\1\0\0", 14), OFF("\xff\1\0\1", 4);
const std::string BEGINS = OFF, ENDS("\xff\1\0\0", 4);

std::string sound_of(const std::string &samples)
{
    const size_t n = samples.size();
    return std::string("\xff\1\0\2", 4) + char(n >> 24) + char(n >> 16) + char(n >> 8) + char(n) +
           samples;
}

std::string has_sound()
{
    return update(1) + rectangle({0, 0, WIDTH, HEIGHT}, PSEUDO_QEMU_AUDIO);
}

Also hearing()
{
    Also also;
    also.sound = true;
    return also;
}

// A far end that keeps, and a server. Viewers come one after the other.
struct Hall {
    Far far;
    Server server;
    std::unique_ptr<Viewer> viewer;
    std::vector<int> sockets;

    explicit Hall(const Also &first = hearing())
        : far(WIDTH, HEIGHT, true, 3600 * TICK_S), server(far.server, WIDTH, HEIGHT),
          viewer(std::make_unique<Viewer>(far.viewer, WIDTH, HEIGHT, IN_TIME, false, first))
    {
        check();
        REQUIRE(server.say(has_sound()));
        REQUIRE((!first.sound || viewer->await_told("sound")));
    }
    ~Hall()
    {
        viewer.reset();
        shutdown(far.keeper, SHUT_RDWR); // then all ends
        for (int fd : sockets)
            close(fd);
    }
    void check()
    {
        const Picture p = server.with([&] { return server.picture; });
        CHECK(viewer->await_picture(p));
    }
    void come(const Also &also)
    {
        viewer.reset();
        sockets.push_back(far.come());
        const Screen s = greet(sockets.back());
        viewer = std::make_unique<Viewer>(sockets.back(), s.width, s.height, IN_TIME, false, also);
        check();
    }
    // All that the server has said before has come, but for sound.
    void await_end()
    {
        static int number = 0;
        const std::string name = "end " + std::to_string(++number);
        REQUIRE(server.say(update(1) + desktop_name(name)));
        REQUIRE(viewer->await_told("name " + name));
    }
    std::string heard()
    {
        return viewer->with([&] { return viewer->heard; });
    }
};

} // namespace

TEST_CASE("pusher: a server's sound is passed on, and what the viewer wants of it")
{
    Hall h;
    CHECK(h.server.with([&] {
        return std::count(h.server.listed.begin(), h.server.listed.end(), PSEUDO_QEMU_AUDIO);
    }) == 1);
    h.viewer->say(ON);
    REQUIRE(h.server.await_heard(ON));
    std::string all;
    REQUIRE(h.server.say(BEGINS));
    for (size_t size : {4, 0, 1764, 4096, 65536}) {
        const std::string samples(size, char('a' + all.size() % 26));
        all += samples;
        REQUIRE(h.server.say(sound_of(samples)));
        // each is heard before the next is said: none is late
        REQUIRE(h.viewer->await([&] { return h.viewer->heard.size() == all.size(); }));
    }
    REQUIRE(h.server.say(ENDS));
    const unsigned messages = 6 + 65536 / unsigned(PASSED_SOUND_PIECE); // the longest one is cut
    CHECK(h.viewer->await([&] { return h.viewer->sound_messages == messages; }));
    CHECK(h.heard() == all);
    h.viewer->say(OFF);
    CHECK(h.server.await_heard(ON + OFF));
    h.server.draw([](Picture &p) { return draw_all(p, 0x204060); });
    h.check();
}

TEST_CASE("pusher: sound that is late is dropped, and pictures do not wait for it")
{
    Hall h;
    const size_t size = 1024, count = 8192; // 8 MiB
    h.viewer->hold(true);
    h.server.say(std::string(1, '\2')); // a bell: it is read, and then no more
    for (size_t i = 0; i < count; i++) {
        const std::string number =
            written([=](uint8_t *o) { return size_t(put32(o, uint32_t(i)) - o); });
        REQUIRE(h.server.say(sound_of(number + std::string(size - number.size(), 's'))));
    }
    h.server.draw([](Picture &p) { return draw_all(p, 0x204060); });
    REQUIRE(h.far.comes_to_rest());
    h.viewer->hold(false);
    h.check();
    h.await_end();
    auto numbers = [&] {
        std::vector<uint32_t> all;
        const std::string heard = h.heard();
        for (size_t at = 0; at + size <= heard.size(); at += size)
            all.push_back(get32(reinterpret_cast<const uint8_t *>(heard.data()) + at));
        return all;
    };
    // the newest is heard
    CHECK(h.viewer->await([&] {
        const std::string &s = h.viewer->heard;
        return s.size() >= size &&
               get32(reinterpret_cast<const uint8_t *>(s.data()) + s.size() - size) == count - 1;
    }));
    const std::vector<uint32_t> all = numbers();
    CHECK(h.heard().size() == all.size() * size); // whole messages
    CHECK(std::is_sorted(all.begin(), all.end()));
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
    CHECK(all.size() < count / 2);
    // what had waited there is no more than may
    size_t newest = 1;
    while (newest < all.size() && all[all.size() - newest - 1] == count - newest - 1)
        newest++;
    CHECK(newest * (size + 8) <= PASSED_SOUND_MOST);
}

TEST_CASE("pusher kept: sound is switched off for who has gone, and comes to who takes it")
{
    Hall h;
    h.viewer->say(ON);
    REQUIRE(h.server.await_heard(ON));
    REQUIRE(h.server.say(sound_of("before")));
    REQUIRE(h.viewer->await([&] { return h.viewer->heard == "befo"; }));
    h.viewer.reset();
    REQUIRE(h.server.await_heard(ON + OFF));
    REQUIRE(h.server.say(sound_of("nobody")));
    REQUIRE(h.far.comes_to_rest());

    h.come(Also()); // it takes none
    REQUIRE(h.server.say(sound_of("not this one")));
    h.await_end();
    CHECK(h.viewer->with([&] { return h.viewer->told.find("sound"); }) == std::string::npos);
    CHECK(h.heard().empty());

    h.come(hearing());
    CHECK(h.viewer->await_told("sound"));
    h.viewer->say(ON);
    REQUIRE(h.server.await_heard(ON + OFF + ON));
    REQUIRE(h.server.say(sound_of("this")));
    CHECK(h.viewer->await([&] { return h.viewer->heard == "this"; }));
    h.viewer->say(OFF);
    REQUIRE(h.server.await_heard(ON + OFF + ON + OFF));
    h.viewer.reset(); // nothing is to be switched off
    REQUIRE(h.far.comes_to_rest());
    CHECK(h.server.with([&] { return h.server.heard; }) == ON + OFF + ON + OFF);
}

TEST_CASE("pusher: a later list of encodings says whether the viewer takes sound")
{
    Hall h;
    h.viewer->say(encodings() + ON);
    REQUIRE(h.server.await_heard(ON));
    REQUIRE(h.server.say(sound_of("none")));
    h.await_end();
    h.viewer->say(encodings(false, true, true, KEPT_MIB_USUAL, true) + OFF);
    REQUIRE(h.server.await_heard(ON + OFF));
    REQUIRE(h.server.say(sound_of("some")));
    CHECK(h.viewer->await([&] { return h.viewer->heard == "some"; }));
}

TEST_CASE("pusher: sound of a server that has not said that it has some goes nowhere")
{
    Far far(WIDTH, HEIGHT);
    Server server(far.server, WIDTH, HEIGHT);
    Viewer viewer(far.viewer, WIDTH, HEIGHT, IN_TIME, false, hearing());
    REQUIRE(server.say(BEGINS + sound_of("abcd") + update(1) + desktop_name("end")));
    REQUIRE(viewer.await_told("name end"));
    CHECK(viewer.with([&] { return viewer.sound_messages; }) == 0);
}

TEST_CASE("pusher: what is no sound ends it, and nothing of that is passed on")
{
    const struct {
        std::string said, why;
    } tries[] = {
        {std::string("\xff\1\0\3", 4), "not known: 3"},
        {std::string("\xff\0\0\2", 4), "unknown type 0"},
        {std::string("\xff\1\0\2\0\x10\0\1", 8), "1048577 bytes"},
        {std::string("\xff\1\0\2\xff\xff\xff\xff", 8), "4294967295 bytes"},
    };
    for (const auto &t : tries) {
        INFO(t.why);
        Far far(WIDTH, HEIGHT);
        Server server(far.server, WIDTH, HEIGHT);
        Viewer viewer(far.viewer, WIDTH, HEIGHT, IN_TIME, false, hearing());
        server.say(has_sound() + t.said);
        far.join();
        INFO(far.why());
        CHECK(far.why().find(t.why) != std::string::npos);
        CHECK(viewer.await([&] { return viewer.ended; }));
        CHECK(viewer.with([&] { return viewer.sound_messages; }) == 0);
    }
}

TEST_CASE("pusher kept: who takes no sound hears of none, and the next one does that takes it")
{
    Hall h{Also()};
    REQUIRE(h.server.say(sound_of("not this one")));
    h.await_end();
    CHECK(h.viewer->with([&] { return h.viewer->told.find("sound"); }) == std::string::npos);
    CHECK(h.viewer->with([&] { return h.viewer->sound_messages; }) == 0);

    h.come(hearing());
    REQUIRE(h.viewer->await_told("sound"));
    h.viewer->say(ON);
    REQUIRE(h.server.await_heard(ON));
    REQUIRE(h.server.say(sound_of("this")));
    CHECK(h.viewer->await([&] { return h.viewer->heard == "this"; }));
}
