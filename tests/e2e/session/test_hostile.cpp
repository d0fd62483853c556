/* Servers that fail, lie or talk nonsense: the session ends with a reason, in good time, and
 * harms nothing. Meant to be run with ASan and UBSan.
 *
 * Random tests print their seed; VNCHL_SEED=N repeats one, VNCHL_ROUNDS=N sets how many rounds. */
#include <zlib.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <random>

#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

using namespace e2e;

namespace
{

const int W = 64, H = 48;

/* It gives up long before the test does, and says so. */
const char DEADLINE[] = " 60 s";

ViewerOptions impatient(const FakeServer &server)
{
    ViewerOptions o;
    o.address = server.address();
    o.encodings = "tight,copyrect,zrle,hextile,corre,rre,raw";
    o.connect_timeout = seconds(60);
    o.stall_timeout = seconds(60);
    return o;
}

/* Plays the script; the session must end by itself, without waiting for a deadline of a minute. */
std::string must_close(Script script, bool connects, ViewerOptions *options = nullptr)
{
    FakeServer server(std::move(script));
    ViewerOptions o = impatient(server);
    if (options) {
        std::string address = o.address;
        o = *options;
        o.address = address;
    }
    Viewer viewer(o);
    auto why = viewer.wait_closed();
    INFO(viewer.describe());
    REQUIRE(why);
    CHECK_FALSE(why->empty());
    CHECK(why->find(DEADLINE) == std::string::npos);
    for (char c : *why)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            FAIL_CHECK("a control character in the reason");
    CHECK(viewer.wait_event(SESSION_CONNECTED, milliseconds(0)).has_value() == connects);
    return *why;
}

/* Ends or not, but never crashes, and can be stopped. */
void must_survive(Script script)
{
    FakeServer server(std::move(script));
    Viewer viewer(impatient(server));
    auto why = viewer.wait_closed();
    INFO(viewer.describe());
    REQUIRE(why);
    CHECK(why->find(DEADLINE) == std::string::npos);
}

unsigned seed()
{
    const char *given = getenv("VNCHL_SEED");
    unsigned s =
        given ? static_cast<unsigned>(strtoul(given, nullptr, 10)) : std::random_device{}();
    fprintf(stderr, "VNCHL_SEED=%u\n", s); /* now: a crash would not show it */
    return s;
}

int rounds()
{
    const char *given = getenv("VNCHL_ROUNDS");
    return given ? atoi(given) : 60;
}

class Random
{
  public:
    explicit Random(unsigned s) : engine_(s) {}
    unsigned below(unsigned n)
    {
        return static_cast<unsigned>(engine_()) % n;
    }
    std::string bytes(size_t n)
    {
        std::string out;
        while (out.size() < n)
            out += static_cast<char>(engine_() & 255);
        return out;
    }
    /* Bytes as the beginning of a deflate stream: something a decoder gets further into. */
    std::string deflated(size_t n)
    {
        std::string in = bytes(n);
        z_stream z = {};
        deflateInit(&z, Z_DEFAULT_COMPRESSION);
        std::string out(deflateBound(&z, in.size()) + 64, '\0');
        z.next_in = reinterpret_cast<Bytef *>(&in[0]);
        z.avail_in = static_cast<uInt>(in.size());
        z.next_out = reinterpret_cast<Bytef *>(&out[0]);
        z.avail_out = static_cast<uInt>(out.size());
        deflate(&z, Z_SYNC_FLUSH);
        out.resize(z.total_out);
        deflateEnd(&z);
        return out;
    }

  private:
    std::mt19937 engine_;
};

/* The bytes a server says up to the first update, cut off after `count` of them. */
Script cut(const Script &whole, size_t count)
{
    Script out;
    for (Step s : whole) {
        if (s.kind == Step::SEND) {
            if (s.bytes.size() >= count) {
                s.bytes.resize(count);
                out.push_back(s);
                return out;
            }
            count -= s.bytes.size();
        }
        out.push_back(s);
    }
    return out;
}

size_t said(const Script &script)
{
    size_t n = 0;
    for (const auto &s : script)
        n += s.bytes.size();
    return n;
}

long resident_kb()
{
    std::ifstream f("/proc/self/statm");
    long size = 0, resident = 0;
    f >> size >> resident;
    return resident * 4;
}

const int32_t PIXEL_ENCODINGS[] = {ENCODING_RAW,   ENCODING_COPYRECT, ENCODING_RRE,
                                   ENCODING_CORRE, ENCODING_HEXTILE,  ENCODING_ZLIB,
                                   ENCODING_TIGHT, ENCODING_ZRLE};
const int32_t PSEUDO_ENCODINGS[] = {PSEUDO_DESKTOP_SIZE,
                                    -232,
                                    PSEUDO_RICH_CURSOR,
                                    PSEUDO_X_CURSOR,
                                    -261,
                                    PSEUDO_DESKTOP_NAME,
                                    PSEUDO_EXTENDED_DESKTOP_SIZE,
                                    PSEUDO_LAST_RECT};

} // namespace

TEST_CASE("the fake server is believable", "[hostile]")
{
    FakeServer server(handshake(W, H, "fake") +
                      Script{await_request(), send_step(raw_screen(W, H, 0x123456)), stall()});
    Viewer viewer(impatient(server));
    auto connected = viewer.wait_event(SESSION_CONNECTED);
    INFO(viewer.describe());
    REQUIRE(connected);
    CHECK(connected->text == "fake");
    check_picture(viewer, Image(W, H, 0x123456));
}

TEST_CASE("closed anywhere in the handshake", "[hostile]")
{
    Script whole = handshake(W, H, "a name");
    for (size_t i = 0; i < said(whole); i++) {
        INFO("after " << i << " bytes");
        must_close(cut(whole, i), false);
        must_close(cut(whole, i) + Script{reset()}, false);
    }
}

TEST_CASE("closed anywhere in an update", "[hostile]")
{
    std::string screen = raw_screen(W, H, 0xabcdef);
    for (size_t i : {0, 1, 3, 4, 5, 15, 16, 17, 1000, W * H * 4 + 15}) {
        INFO("after " << i << " bytes");
        must_close(handshake(W, H) + Script{await_request(), send_step(screen.substr(0, i))}, true);
    }
    must_close(handshake(W, H) + Script{await_request(), send_step(screen)}, true);
}

TEST_CASE("silence in the handshake ends at the deadline", "[hostile]")
{
    Script whole = handshake(W, H);
    ViewerOptions o;
    o.connect_timeout = seconds(1);
    for (size_t i : {size_t{0}, size_t{5}, size_t{13}, size_t{18}, said(whole) - 1}) {
        INFO("after " << i << " bytes");
        auto start = Clock::now();
        CHECK(must_close(cut(whole, i) + Script{stall()}, false, &o).find(" 1 s") !=
              std::string::npos);
        CHECK(Clock::now() - start >= o.connect_timeout);
    }
}

TEST_CASE("silence inside a message ends the session", "[hostile]")
{
    ViewerOptions o;
    o.stall_timeout = seconds(1);
    std::string screen = raw_screen(W, H, 0x010203);
    auto stalls = [&](const Script &script) {
        auto start = Clock::now();
        CHECK(must_close(script + Script{stall()}, true, &o).find("no byte for 1 s") !=
              std::string::npos);
        CHECK(Clock::now() - start >= o.stall_timeout);
    };
    for (size_t i : {1, 4, 10, 5000}) {
        INFO("after " << i << " bytes of an update");
        stalls(handshake(W, H) + Script{await_request(), send_step(screen.substr(0, i))});
    }
    /* Cut text and a colour map stall as well. */
    stalls(handshake(W, H) + Script{send_step(cut_text(100) + "start")});
    stalls(handshake(W, H) + Script{send_step(colour_map(9))});
}

TEST_CASE("a session stuck anywhere can be stopped at once", "[hostile]")
{
    Script whole = handshake(W, H) + Script{send_step(raw_screen(W, H, 1).substr(0, 100))};
    for (size_t i = 0; i < said(whole); i += 7) {
        INFO("after " << i << " bytes");
        FakeServer server(cut(whole, i) + Script{stall()});
        ViewerOptions o = impatient(server);
        o.connect_timeout = o.stall_timeout = seconds(1000); /* what the stop must not wait for */
        Viewer viewer(o);
        REQUIRE(wait_until(PATIENCE, [&] { return server.stalled(); }));
        session_stop(viewer.raw());
        CHECK(viewer.wait_closed());
    }
}

TEST_CASE("what refuses a connection is told", "[hostile]")
{
    CHECK(must_close({send_step("RFB 003.008\n"), expect(12),
                      send_step(u8(0) + u32(17) + "too many\nfailures")},
                     false)
              .find("too many") != std::string::npos);
    CHECK(must_close({send_step("RFB 003.003\n"), expect(12),
                      send_step(u32(0) + u32(9) + "go away\x1b\x07")},
                     false)
              .find("go away??") != std::string::npos);
    CHECK(must_close({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(1)), expect(1),
                      send_step(u32(1) + u32(7) + "not you")},
                     false)
              .find("not you") != std::string::npos);
    must_close({send_step("HTTP/1.1 400 Bad Request\r\n\r\n")}, false);
    must_close({send_step("SSH-2.0-OpenSSH_9.2\r\n")}, false);
    must_close({send_step("RFB 003.008\n"), expect(12), send_step(u8(2) + u8(77) + u8(78))}, false);
    /* A reason of a length nobody can mean. */
    must_close({send_step("RFB 003.008\n"), expect(12), send_step(u8(0) + u32(0xffffffff) + "x")},
               false);
}

TEST_CASE("screens of impossible size", "[hostile]")
{
    for (auto [w, h] : {std::pair<int, int>{65535, 65535}, {8193, 16}, {16, 8193}, {65535, 1}}) {
        INFO(w << "x" << h);
        must_close(handshake(w, h) + Script{stall()}, false);
        /* The same as a change of size later on. */
        for (int32_t encoding : {PSEUDO_DESKTOP_SIZE, PSEUDO_EXTENDED_DESKTOP_SIZE})
            must_close(handshake(W, H) +
                           Script{await_request(),
                                  send_step(update(1) +
                                            rectangle(0, 0, static_cast<unsigned>(w),
                                                      static_cast<unsigned>(h), encoding) +
                                            screens(0)),
                                  stall()},
                       true);
    }
    for (auto [w, h] : {std::pair<int, int>{0, 0}, {0, 16}, {16, 0}}) {
        INFO(w << "x" << h);
        must_survive(handshake(w, h) +
                     Script{send_step(update(1) + rectangle(0, 0, 1, 1, ENCODING_RAW) + "abcd")});
        must_survive(
            handshake(W, H) +
            Script{await_request(),
                   send_step(update(1) + rectangle(0, 0, static_cast<unsigned>(w),
                                                   static_cast<unsigned>(h), PSEUDO_DESKTOP_SIZE)),
                   send_step(update(1) + rectangle(0, 0, 1, 1, ENCODING_RAW) + "abcd")});
    }
}

TEST_CASE("the size changes all the time", "[hostile]")
{
    std::string bytes;
    for (int i = 0; i < 300; i++) {
        unsigned w = 1 + static_cast<unsigned>(i * 37 % 900),
                 h = 1 + static_cast<unsigned>(i * 53 % 700);
        if (i % 2)
            bytes += update(1) + rectangle(0, 0, w, h, PSEUDO_DESKTOP_SIZE);
        else
            bytes += update(1) + rectangle(0, 0, w, h, PSEUDO_EXTENDED_DESKTOP_SIZE) +
                     screens(static_cast<unsigned>(i) % 3);
        bytes += update(1) + rectangle(w - 1, h - 1, 1, 1, ENCODING_RAW) + "abcd";
    }
    FakeServer server(handshake(W, H) +
                      Script{await_request(), send_step(bytes), await_request(),
                             send_step(update(1) + rectangle(0, 0, W, H, PSEUDO_DESKTOP_SIZE)),
                             send_step(raw_screen(W, H, 0x445566)), stall()});
    Viewer viewer(impatient(server));
    require_connected(viewer);
    check_picture(viewer, Image(W, H, 0x445566));
}

TEST_CASE("rectangles that do not fit the screen end the session", "[hostile]")
{
    for (int32_t encoding : PIXEL_ENCODINGS)
        for (auto [x, y, w, h] : {std::array<unsigned, 4>{1, 0, W, H},
                                  {0, 1, W, H},
                                  {0, 0, W + 1, 1},
                                  {0, 0, 1, H + 1},
                                  {65535, 65535, 1, 1},
                                  {65535, 0, 65535, 65535},
                                  {W, H, 1, 1}}) {
            INFO("encoding " << encoding << ", " << w << "x" << h << "+" << x << "+" << y);
            must_close(
                handshake(W, H) +
                    Script{await_request(), send_step(update(1) + rectangle(x, y, w, h, encoding) +
                                                      std::string(4096, '\0'))},
                true);
        }
}

TEST_CASE("encodings that were not offered end the session", "[hostile]")
{
    ViewerOptions o;
    o.encodings = "raw";
    /* Whole, valid rectangles of encodings we know: it is not their content that is wrong. */
    const std::pair<int32_t, std::string> valid[] = {
        {ENCODING_COPYRECT, u16(0) + u16(0)},
        {ENCODING_RRE, u32(0) + "abcd"},
        {ENCODING_CORRE, u32(0) + "abcd"},
        {ENCODING_HEXTILE, u8(2) + "abcd"},
    };
    for (const auto &[encoding, bytes] : valid) {
        INFO(encoding);
        std::string why = must_close(
            handshake(W, H) +
                Script{await_request(),
                       send_step(update(1) + rectangle(8, 8, 8, 8, encoding) + bytes + "\x63")},
            true, &o);
        INFO(why);
        CHECK(why.find("not offered") != std::string::npos);
    }
    for (int32_t encoding : {8, 9, 15, 17, 50, 1000, -1001, 0x7fffffff}) {
        INFO(encoding);
        std::string why = must_close(
            handshake(W, H) +
                Script{await_request(), send_step(update(1) + rectangle(0, 0, 8, 8, encoding) +
                                                  std::string(4096, '\0'))},
            true, &o);
        INFO(why);
        CHECK(why.find("not offered") != std::string::npos);
    }
}

TEST_CASE("empty rectangles", "[hostile]")
{
    for (int32_t encoding : PIXEL_ENCODINGS)
        for (auto [w, h] : {std::pair<unsigned, unsigned>{0, 0}, {0, H}, {W, 0}})
            for (auto [x, y] : {std::pair<unsigned, unsigned>{0, 0}, {W, H}}) {
                INFO("encoding " << encoding << ", " << w << "x" << h);
                if ((x && w) || (y && h))
                    continue;
                must_survive(
                    handshake(W, H) +
                    Script{await_request(), send_step(update(1) + rectangle(x, y, w, h, encoding) +
                                                      std::string(64, '\0'))});
            }
    /* An empty raw rectangle and an update of no rectangle are harmless, and what follows counts.
     */
    FakeServer server(handshake(W, H) +
                      Script{await_request(),
                             send_step(update(2) + rectangle(0, 0, 0, 0, ENCODING_RAW) +
                                       rectangle(W, H, 0, 0, ENCODING_RAW) + update(0)),
                             send_step(raw_screen(W, H, 0x777777)), stall()});
    Viewer viewer(impatient(server));
    require_connected(viewer);
    check_picture(viewer, Image(W, H, 0x777777));
}

TEST_CASE("updates without a pause", "[hostile]")
{
    std::string one = rectangle(3, 3, 1, 1, ENCODING_RAW) + "abcd", most = update(65535);
    for (int i = 0; i < 65535; i++)
        most += one;
    FakeServer server(handshake(W, H) + Script{await_request(), repeat(most)});
    ViewerOptions o = impatient(server);
    o.stall_timeout = seconds(6); /* bytes keep coming: this is no stall */
    Viewer viewer(o);
    require_connected(viewer);
    long before = resident_kb();
    CHECK_FALSE(viewer.wait_closed(2 * o.stall_timeout));
    CHECK(resident_kb() - before < 64 * 1024);
    session_stop(viewer.raw()); /* there is no end to wait for */
    CHECK(viewer.wait_closed());
}

TEST_CASE("a flood of events nobody takes does not fill the memory", "[hostile]")
{
    std::string rings = bells(100000), text, shapes, sizes, clipboards;
    for (uint32_t flags : {0x1f000001u, 0x08000001u, 0x02000001u, 0x04000000u, 0x10000001u})
        clipboards += cut_text(0u - 8) + u32(flags) + u32(0xffffffff);
    for (int i = 0; i < 50; i++) {
        text += cut_text(100000) + std::string(100000, 'x');
        shapes += update(1) + rectangle(0, 0, 64, 64, PSEUDO_RICH_CURSOR) +
                  std::string(64 * 64 * 4 + 64 * 8, '\x55');
        sizes +=
            update(1) + rectangle(0, 0, 100u + static_cast<unsigned>(i), 50, PSEUDO_DESKTOP_SIZE);
    }
    const std::pair<std::string, int64_t> floods[] = {{rings, 2000000},
                                                      {text, 150000000},
                                                      {shapes, 150000000},
                                                      {sizes, 200000},
                                                      {clipboards, 200000}};
    int which = 0;
    for (const auto &[flood, bytes] : floods) {
        INFO("bells, texts, shapes, sizes or clipboards: " << which++);
        FakeServer server(handshake(W, H) + Script{await_request(), repeat(flood)});
        Viewer viewer(impatient(server));
        require_connected(viewer);
        long before = resident_kb();
        /* not taking events is the point */
        REQUIRE(wait_until(5 * PATIENCE,
                           [&, most = bytes] { return viewer.stats().bytes_received > most; }));
        long grown = resident_kb() - before;
        CHECK(grown < 100 * 1024);
        session_stop(viewer.raw());
        CHECK(viewer.wait_closed());
    }
}

TEST_CASE("a flood of bells rings a few times a second", "[hostile]")
{
    FakeServer server(handshake(W, H) + Script{await_request(), repeat(bells(10000))});
    Viewer viewer(impatient(server));
    require_connected(viewer);
    auto start = Clock::now();
    int rung = 0;
    while (Clock::now() - start < seconds(2) || (rung < 2 && Clock::now() - start < PATIENCE))
        rung += viewer.wait_event(SESSION_BELL, milliseconds(100)).has_value();
    std::chrono::duration<double> elapsed = Clock::now() - start;
    INFO(rung << " bells in " << elapsed.count() << " s");
    CHECK(rung >= 2);
    CHECK(rung <= 2 + 4 * elapsed.count()); /* one may have waited, one came at once */
}

TEST_CASE("long texts", "[hostile]")
{
    Script name = handshake(W, H, std::string(5000, 'n'));
    must_close(name, true);
    /* Lengths nobody can mean, in the desktop's name and in cut text. */
    Script huge = handshake(W, H, "");
    std::string &init = huge.back().bytes;
    init.replace(init.size() - 4, 4, u32(0xffffffff));
    init += std::string(1 << 20, 'n');
    must_survive(huge);
    for (uint32_t length : {0xffffffffu, 0x7fffffffu, 0x80000000u, 2u << 20}) {
        INFO(length);
        must_survive(handshake(W, H) +
                     Script{send_step(cut_text(length) + std::string(3 << 20, 't'))});
    }
}

TEST_CASE("garbage at every stage of the handshake", "[hostile][random]")
{
    unsigned s = seed();
    INFO("VNCHL_SEED=" << s);
    Random random(s);
    Script whole = handshake(W, H);
    size_t total = said(whole);
    for (int i = 0; i < rounds() * 2; i++) {
        size_t at = random.below(static_cast<unsigned>(total));
        if (random.below(3) == 0) /* where the messages begin */
            at = std::array<size_t, 5>{0, 12, 14, 18, 42}[random.below(5)];
        INFO("round " << i << ", after " << at << " bytes");
        must_survive(cut(whole, at) + Script{send_step(random.bytes(random.below(300)))});
    }
}

TEST_CASE("garbage after the handshake", "[hostile][random]")
{
    unsigned s = seed();
    INFO("VNCHL_SEED=" << s);
    Random random(s);
    for (int i = 0; i < rounds(); i++) {
        INFO("round " << i);
        std::string bytes = random.bytes(random.below(5000));
        if (!bytes.empty() && random.below(2)) /* a known message type */
            bytes[0] = static_cast<char>(random.below(4));
        must_survive(handshake(W, H) + Script{send_step(bytes)});
    }
}

TEST_CASE("updates with random rectangles", "[hostile][random]")
{
    unsigned s = seed();
    INFO("VNCHL_SEED=" << s);
    Random random(s);
    for (int i = 0; i < rounds() * 5; i++) {
        INFO("round " << i);
        std::string bytes;
        for (unsigned u = 0; u < 4; u++) {
            unsigned count = 1 + random.below(3);
            bytes += update(count);
            for (unsigned r = 0; r < count; r++) {
                unsigned x = random.below(W), y = random.below(H);
                unsigned w = random.below(W - x + 1), h = random.below(H - y + 1);
                if (random.below(12) == 0)
                    w = random.below(65536);
                if (random.below(12) == 0)
                    h = random.below(65536);
                int32_t encoding = PIXEL_ENCODINGS[random.below(8)];
                if (random.below(8) == 0)
                    encoding = PSEUDO_ENCODINGS[random.below(8)];
                bytes += rectangle(x, y, w, h, encoding);
                std::string payload = random.below(2) ? random.deflated(random.below(3000))
                                                      : random.bytes(random.below(3000));
                switch (encoding) {
                case ENCODING_ZLIB:
                case ENCODING_ZRLE: /* a true length, mostly */
                    bytes += random.below(8) ? u32(static_cast<uint32_t>(payload.size()))
                                             : random.bytes(4);
                    break;
                case ENCODING_RRE:
                case ENCODING_CORRE:
                    bytes += u32(random.below(200));
                    break;
                case ENCODING_TIGHT:
                    bytes += u8(random.below(16) << 4 | random.below(16));
                    break;
                }
                bytes += payload;
            }
        }
        must_survive(handshake(W, H) + Script{await_request(), send_step(bytes)});
    }
}

TEST_CASE("a real server's stream with bytes changed", "[hostile][random]")
{
    unsigned s = seed();
    INFO("VNCHL_SEED=" << s);
    Random random(s);
    /* Valid raw and hextile updates, of which a few bytes are then wrong. */
    std::string valid = raw_screen(W, H, 0x808080);
    for (unsigned y = 0; y + 16 <= H; y += 16) {
        valid += update(1) + rectangle(0, y, W, 16, ENCODING_HEXTILE);
        for (unsigned x = 0; x < W; x += 16) /* background, subrectangles of their own colour */
            valid += u8(2 | 8 | 16) + "abcd" + u8(1) + "efgh" + u8(0x11) + u8(0x33);
    }
    valid += update(1) + rectangle(8, 8, 16, 16, ENCODING_COPYRECT) + u16(20) + u16(20);
    valid += update(1) + rectangle(0, 0, 32, 32, ENCODING_RRE) + u32(1) + "abcd" + "efgh" + u16(1) +
             u16(1) + u16(4) + u16(4);
    must_close(handshake(W, H) + Script{await_request(), send_step(valid)}, true);
    for (int i = 0; i < rounds() * 3; i++) {
        INFO("round " << i);
        std::string bytes = valid;
        for (unsigned n = 1 + random.below(6); n; n--) {
            /* Mostly in what follows the raw screen: there the bytes mean something. */
            size_t first = random.below(4) ? W * H * 4 + 16 : 0;
            bytes[first + random.below(static_cast<unsigned>(bytes.size() - first))] =
                static_cast<char>(random.below(256));
        }
        must_survive(handshake(W, H) + Script{await_request(), send_step(bytes)});
    }
}
