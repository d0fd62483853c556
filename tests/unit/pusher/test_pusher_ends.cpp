// The pusher between sides that do not behave: memory has a bound, nothing spins, and it ends when
// one of the two has gone.
#include <poll.h>

#include "far_end_sides.hpp"
#include "tests/seed.hpp"

using namespace far_end;

namespace
{

const std::string BELL(1, '\2');

std::string many(size_t times, const std::string &one)
{
    std::string all;
    for (size_t i = 0; i < times; i++)
        all += one;
    return all;
}

// Says it again and again until nothing more is taken. Returns how many bytes were.
size_t flood(const Far &far, int fd, const std::string &bytes, size_t most)
{
    size_t taken = 0, at = 0;
    bool rests = far.comes_to_rest([&] {
        for (ssize_t n = 1; n > 0 && taken < most;) {
            n = send(fd, bytes.data() + at, bytes.size() - at, MSG_DONTWAIT | MSG_NOSIGNAL);
            taken += n > 0 ? size_t(n) : 0;
            at = (at + (n > 0 ? size_t(n) : 0)) % bytes.size();
        }
    });
    CHECK(rests);
    return taken;
}

// All that the far end says on this side is dropped, until it ends.
class Drain
{
  public:
    explicit Drain(int fd) : fd_(fd)
    {
        thread_ = std::thread([this] {
            char bytes[65536];
            while (recv(fd_, bytes, sizeof bytes, 0) > 0)
                ;
        });
    }
    ~Drain()
    {
        shutdown(fd_, SHUT_RDWR);
        thread_.join();
    }

  private:
    int fd_;
    std::thread thread_;
};

} // namespace

TEST_CASE("pusher: it ends when one of the two has gone, whatever the other does")
{
    SECTION("the viewer, at rest")
    {
        Scene s;
        s.check();
        shutdown(s.far.viewer, SHUT_RDWR);
        s.far.join();
        CHECK(s.far.why().empty());
    }
    SECTION("the server, at rest: what it said last arrives")
    {
        Scene s;
        s.check();
        s.server.say(cut_text("farewell") + BELL);
        shutdown(s.far.server, SHUT_RDWR);
        s.far.join();
        CHECK(s.viewer.await([&] { return s.viewer.ended; }));
        CHECK(s.viewer.with([&] { return s.viewer.told; }) ==
              "accelerated bbr 1-1\ntext farewell\nbell\n");
        CHECK(s.far.why() == "the server closed the connection");
    }
    SECTION("the server, in the middle of an update, a rectangle, a text")
    {
        const Picture p(200, 120, 1);
        for (const std::string &whole :
             {raw_update(p, {0, 0, 200, 120}), update(3) + desktop_name("name"), cut_text("text"),
              update(1) + screens(0, 0, 9, 9)}) {
            Scene s;
            s.check();
            s.server.with([&] { s.server.answers = false; });
            s.server.say(whole.substr(0, whole.size() - 1));
            shutdown(s.far.server, SHUT_WR);
            s.far.join();
        }
    }
    SECTION("the viewer, which reads nothing, while the server says much")
    {
        Far far(64, 48);
        send_all(far.viewer, encodings());
        flood(far, far.server, cut_text(std::string(100000, 'x')), 64 << 20);
        shutdown(far.viewer, SHUT_RDWR);
        far.join();
    }
    SECTION("the viewer, before it has said anything")
    {
        Far far(64, 48);
        shutdown(far.viewer, SHUT_RDWR);
        far.join();
    }
    SECTION("the server, before the viewer has said anything")
    {
        Far far(64, 48);
        shutdown(far.server, SHUT_RDWR);
        send_all(far.viewer, encodings());
        far.join();
    }
    SECTION("the viewer, which nobody asks for more, because the server reads nothing")
    {
        Far far(64, 48);
        send_all(far.viewer, encodings());
        flood(far, far.viewer, key('a'), 64 << 20);
        shutdown(far.viewer, SHUT_RDWR);
        far.join();
    }
}

TEST_CASE("pusher: a viewer may say what no viewer says; then it is over")
{
    const std::string bad[] = {
        std::string(1, '\xfe'),                                         // unknown
        std::string("\2\0\xff\xff", 4),                                 // 65535 encodings
        std::string("\xc8\7", 2) + std::string(10, '\0'),               // of blocks
        std::string("\xc8\1\0\0\x0a", 5) + std::string(7, '\0'),        // quality 10
        std::string("\xf8\0\0\0\0\0\0\0\xff", 9),                       // a long fence
        std::string("\xff\7\0\0", 4),                                   // QEMU's, unknown
        std::string("\0\0\0\0\x07\x18\0\1", 8) + std::string(12, '\0'), // 7 bits per pixel
    };
    for (const std::string &what : bad) {
        INFO(int(static_cast<unsigned char>(what[0])));
        Scene s;
        s.check();
        s.viewer.say(key('k') + what);
        s.far.join();
        CHECK(s.server.await_heard(key('k')));
    }
}

TEST_CASE("pusher: a server may say what no server says; then it is over, and the rest arrives")
{
    const std::string bad[] = {
        std::string(1, '\xfe'),
        update(1) + rectangle({0, 0, 9, 9}, 4711),
        update(1) + rectangle({0, 0, 0, 0}, PSEUDO_DESKTOP_SIZE),
        update(1) + rectangle({0, 0, 65535, 65535}, PSEUDO_DESKTOP_SIZE),
        update(1) + rectangle({0, 0, 2000, 2000}, PSEUDO_RICH_CURSOR),
        update(1) + rectangle({190, 0, 20, 20}, ENCODING_RAW) + std::string(1600, 'x'),
        std::string(1, '\xc8') + std::string(100, '\0'), // a block
        std::string("\xf8\0\0\0\0\0\0\0\xff", 9) + std::string(255, 'f'),
    };
    for (const std::string &what : bad) {
        INFO(int(static_cast<unsigned char>(what[0])) << " " << what.size());
        Scene s;
        s.check();
        s.server.with([&] { s.server.answers = false; });
        s.server.say(BELL + what);
        s.far.join();
        CHECK(s.viewer.await([&] { return s.viewer.ended; }));
        CHECK(s.viewer.with([&] { return s.viewer.told; }) == "accelerated bbr 1-1\nbell\n");
    }
}

TEST_CASE("pusher: what waits has a bound, on each way, and nothing spins")
{
    SECTION("the server says much, and the viewer does not read")
    {
        const std::string text = cut_text(std::string(100000, 'x'));
        for (const std::string &one :
             {many(1000, BELL) + text, many(20, update(1) + desktop_name("n")),
              many(1000, fence(FENCE_REQUEST, std::string(64, 'f')))}) {
            Far far(64, 48);
            Drain drain(far.server);
            send_all(far.viewer, encodings());
            // fences are not for the viewer: they may come without end
            size_t most = one[0] == '\xf8' ? 20 << 20 : 64 << 20;
            CHECK(flood(far, far.server, one, most) <= size_t(24 << 20));
        }
    }
    SECTION("the viewer says much, and the server does not read")
    {
        for (const std::string &one :
             {many(100, key('a')), many(100, pointer(1, 2, 3)),
              client_text(std::string(100000, 'x')), many(100, request(false, {0, 0, 1, 1}))}) {
            Far far(64, 48);
            Drain drain(far.viewer);
            send_all(far.viewer, encodings());
            CHECK(flood(far, far.viewer, one, 64 << 20) < size_t(1 << 20));
        }
    }
    SECTION("the viewer asks and wishes and reads nothing")
    {
        Far far(64, 48);
        Server server(far.server, 64, 48);
        send_all(far.viewer, encodings());
        const std::string all =
            many(100, request(false, {0, 0, 64, 48}) + wishes(true) + wishes(false, true) +
                          wishes(false) + acknowledge(0xffffffff));
        CHECK(flood(far, far.viewer, all, 4 << 20) >= size_t(4 << 20)); // it is heard out
    }
    SECTION("a server that takes nothing more, and says something now and then")
    {
        Scene s;
        s.check();
        shutdown(s.far.server, SHUT_RD);
        s.viewer.say(many(100, key('a'))); // there is nobody to hear it
        s.server.say(BELL);
        CHECK(s.viewer.await_told("bell"));
        CHECK(s.far.comes_to_rest());
        CHECK_FALSE(s.far.ended());
    }
    SECTION("a viewer that says nothing more, and reads")
    {
        Scene s;
        s.check();
        shutdown(s.far.viewer, SHUT_WR);
        s.far.join();
    }
}

TEST_CASE("pusher: floods of all that a viewer can say, beside pictures that go on")
{
    std::mt19937 random(any_seed());
    Scene s(200, 120, FALSE_ONES, true);
    std::string keys;
    for (int i = 0; i < 300; i++) {
        const std::string one = key(uint32_t(i));
        const rect r = {int(random() % 70000), int(random() % 70000), int(random() % 70000), 1};
        s.viewer.say(many(5, request(random() % 2, r) + wishes(random() % 2, random() % 2)) + one +
                     many(random() % 50, acknowledge(uint32_t(random()))));
        keys += one;
        s.server.draw([&](Picture &p) {
            int x = int(random() % 150), y = int(random() % 100);
            for (int i = 0; i < 20; i++)
                std::fill_n(&p.at(x, y + i), 50, uint32_t(random()));
            return rect{x, y, 50, 20};
        });
    }
    s.viewer.say(wishes(false));
    s.check();
    CHECK(s.server.await([&] { return s.server.heard.size() >= keys.size(); }));
    CHECK(s.server.with([&] { return s.server.heard; }) == keys);
}
