// The pusher shows the picture to a viewer that comes again by a ticket, before it has a stream.
#include "kept_far_end.hpp"

using namespace far_end;

namespace
{

constexpr uint32_t SIZE = uint32_t(WIDTH) << 16 | HEIGHT;

// A viewer that has been told of a ticket, and goes.
struct Ticketed : Kept {
    Beside ahead;

    Ticketed() : ahead(WIDTH, HEIGHT, 'T')
    {
        ticket(ahead.secret, 60125);
        lose();
        return_again();
        check();
        CHECK(told().find(" ticket 60125 " +
                          std::string(reinterpret_cast<char *>(ahead.secret), SEALED_SECRET) +
                          "\n") != std::string::npos);
    }
    size_t bytes()
    {
        return ahead.with([&] {
            size_t all = 0;
            for (const Packet &p : ahead.packets)
                all += p.bytes;
            return all;
        });
    }
    void answers()
    {
        ahead.with([&] { ahead.answers = true; });
    }
    bool is_void(Beside &b)
    {
        return awaited([&] { return !b.put("x"); });
    }
    // A hang is a test that times out.
    template <class F> bool awaited(F f)
    {
        while (!f())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return true;
    }
};

} // namespace

TEST_CASE("pusher ahead: the picture is shown before there is a stream, and goes on with it")
{
    Ticketed k;
    k.lose();
    k.server.draw([](Picture &p) { return draw_all(p, 0x204060); });
    k.answers();
    k.use(k.ahead.way(), true);
    CHECK(k.ahead.await_picture(k.picture()));
    k.server.draw([](Picture &p) { return fill(p, {16, 16, 64, 64}, 0xc0ffee); });
    CHECK(k.ahead.await_picture(k.picture())); // the server is asked for more
    CHECK(k.ahead.with([&] {
        return std::all_of(k.ahead.packets.begin(), k.ahead.packets.end(),
                           [](const Packet &p) { return p.heard == SIZE && !p.lost; });
    }));
    k.return_again();
    k.check(); // of all of it
    CHECK(k.told().find("ticket") == std::string::npos);
    k.server.draw([](Picture &p) { return draw_all(p, 0x705030); });
    k.check();
    close(k.ahead.take_way());
    CHECK(k.is_void(k.ahead));
}

TEST_CASE("pusher ahead: who is at another address sees nothing before he has answered there")
{
    Ticketed k;
    k.lose();
    k.server.draw([](Picture &p) { return draw_all(p, 0x204060); });
    k.use(k.ahead.way(), false);
    // it is asked for an answer, and then no more: three times the hello's bytes are used up
    CHECK(k.ahead.await([&] { return k.ahead.packets.size() >= 2; }));
    CHECK(k.bytes() <= 3 * (SEALED_HEAD + SEALED_TAG));
    CHECK(k.ahead.with([&] { return k.ahead.blocks() == 0; }));
    k.answers();
    k.ahead.tell();
    CHECK(k.ahead.await_picture(k.picture()));
}

TEST_CASE("pusher ahead: behind other tries it has numbers of its own, each way")
{
    Ticketed k;
    k.lose();
    k.ahead.number_from(uint64_t(2) << 32);
    k.answers();
    k.use(k.ahead.way(), true, 2);
    CHECK(k.ahead.await_picture(k.picture()));
    CHECK(k.ahead.with([&] { return k.ahead.broken; }) == "");
}

TEST_CASE("pusher ahead: a viewer that only seems to be there has gone when its ticket is used")
{
    Ticketed k;
    k.server.draw([](Picture &p) { return draw_all(p, 0x602040); });
    k.check();
    k.answers();
    k.use(k.ahead.way(), true);
    CHECK(k.viewer->await([&] { return k.viewer->ended; }));
    CHECK(k.ahead.await_picture(k.picture()));
    k.lose();
    k.return_again();
    k.check();
}

TEST_CASE("pusher ahead: a ticket holds once, and not behind a newer one")
{
    Ticketed k;
    Beside other(WIDTH, HEIGHT, 'T');
    k.lose();
    SECTION("it was used")
    {
        k.answers();
        k.use(k.ahead.way(), true);
        CHECK(k.ahead.await_picture(k.picture()));
    }
    SECTION("there is none any more")
    {
        k.ticket(other.secret, 0);
    }
    k.use(other.way(), true);
    close(other.take_way());
    CHECK(k.is_void(other));
    CHECK(other.with([&] { return other.packets.empty(); }));
    k.return_again();
    k.check();
}

TEST_CASE("pusher ahead: the packets say when the picture gets another size")
{
    Ticketed k;
    k.lose();
    k.answers();
    k.use(k.ahead.way(), true);
    CHECK(k.ahead.await_picture(k.picture()));
    k.server.resize(rectangle({0, 0, WIDTH + 40, HEIGHT - 24}, PSEUDO_DESKTOP_SIZE),
                    Picture(WIDTH + 40, HEIGHT - 24, 0x112233));
    const uint32_t size = uint32_t(WIDTH + 40) << 16 | (HEIGHT - 24);
    CHECK(k.ahead.await(
        [&] { return !k.ahead.packets.empty() && k.ahead.packets.back().heard == size; }));
    Screen s = k.return_again();
    CHECK(s.width == WIDTH + 40);
    k.check();
}
