/* Real servers and real viewers talk through rfb/framing: it understands all that they say, and
 * finds as many updates as the viewer. */
#include <sys/socket.h>
#include <unistd.h>

#include "tap.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/desk.hpp"

using namespace e2e;

namespace
{

using Starter = std::unique_ptr<Server> (*)(const XvncOptions &);

void check_understood(Tap &tap)
{
    auto seen = tap.seen();
    INFO("not understood: " << seen.lost);
    CHECK(seen.lost.empty());
    CHECK(seen.handshake == HANDSHAKE_DONE);
}

/* Our viewer sees motion through the tap, and both count the same. */
void watch(Server &server, ViewerOptions o)
{
    Tap tap(server.port);
    o.address = tap.address();
    Viewer viewer(o);
    require_connected(viewer);
    require_first_picture(viewer);
    static int last = 10; /* another picture each time: a server has to send it */
    server.screen->animate(10);
    server.screen->draw(last++);
    server.screen->settle();
    if (!o.jpeg)
        check_picture(viewer, server.screen->capture());
    /* the tap wakes nobody, so it is looked at again and again */
    bool same = wait_until(PATIENCE, [&] {
        auto seen = tap.seen();
        uint64_t updates = viewer.stats().meter.updates;
        return seen.between && seen.pictures == updates && updates > 1;
    });
    INFO(tap.seen().pictures << " in the tap, " << viewer.stats().meter.updates
                             << " in the viewer");
    CHECK(same);
    viewer.pointer(30, 40, 0); /* not before: answers to the keep-alive are no frames */
    viewer.key('a', true);
    viewer.key('a', false);
    CHECK(wait_until(PATIENCE, [&] { return tap.seen().keys == 2; }));
    check_understood(tap);
}

void every_encoding(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    ViewerOptions o;
    for (const char *encoding : {"raw", "copyrect,raw", "rre,raw", "corre,raw", "hextile,raw",
                                 "zlib,raw", "tight,raw", "zrle,raw"}) {
        INFO("offered: " << encoding);
        o.encodings = encoding;
        watch(*server, o);
    }
    INFO("with JPEG");
    o.encodings = "tight,raw";
    o.jpeg = true;
    watch(*server, o);
}

/* A client that asks for anything and looks at nothing: encodings and pixels that our viewer does
 * not ask for. */
class Asking
{
  public:
    Asking(Tap &tap, const pixel_format &format, const std::vector<int32_t> &encodings) : tap_(tap)
    {
        sockaddr_in a = loopback(tap.port());
        uint8_t out[CLIENT_WRITE_MAX];
        fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        REQUIRE(connect(fd_, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
        say("RFB 003.003\n\1"); /* ClientInit behind it */
        say(std::string(reinterpret_cast<char *>(out),
                        client_write_set_pixel_format(out, &format)));
        std::string list = {2, 0, 0, char(encodings.size())};
        for (int32_t e : encodings)
            for (int shift = 24; shift >= 0; shift -= 8)
                list += char(uint32_t(e) >> shift);
        say(list);
    }
    ~Asking()
    {
        close(fd_);
    }
    /* Asks for the whole screen and waits for a picture. TigerVNC may answer with a pointer's shape
     * alone: then it is asked again. */
    bool ask()
    {
        auto before = tap_.seen(), seen = before;
        do {
            uint8_t out[CLIENT_WRITE_MAX], waste[4096];
            uint64_t updates = seen.updates;
            say(std::string(reinterpret_cast<char *>(out),
                            client_write_update_request(out, false, {0, 0, 516, 388})));
            if (!wait_until(PATIENCE, [&] {
                    while (recv(fd_, waste, sizeof waste, MSG_DONTWAIT) > 0) {
                    }
                    seen = tap_.seen();
                    return (seen.updates > updates && seen.between) || seen.ended ||
                           !seen.lost.empty();
                }))
                return false;
        } while (seen.pictures == before.pictures && !seen.ended && seen.lost.empty());
        return seen.pictures > before.pictures;
    }

  private:
    void say(const std::string &bytes)
    {
        REQUIRE(send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == ssize_t(bytes.size()));
    }

    Tap &tap_;
    int fd_ = -1;
};

const pixel_format FORMATS[] = {
    pixel_format_xrgb,
    {32, 24, true, true, {255, 255, 255}, {24, 16, 8}}, /* in the upper three bytes */
    {32, 30, false, true, {1023, 1023, 1023}, {20, 10, 0}},
    {16, 16, false, true, {31, 63, 31}, {11, 5, 0}},
    {8, 8, false, true, {7, 7, 3}, {0, 3, 6}},
};

/* `deep`: the server takes colours of more than 8 bits. */
void ask_for_pixels(Starter start, const std::vector<int32_t> &encodings, bool deep = true)
{
    auto server = start({});
    if (!server)
        return;
    for (const pixel_format &format : FORMATS)
        for (int32_t encoding : encodings) {
            if (format.depth == 30 && !deep)
                continue;
            INFO("encoding " << encoding << ", " << int(format.bits) << " bits, "
                             << int(format.depth) << " used");
            Tap tap(server->port);
            Asking client(tap, format,
                          {encoding, PSEUDO_LAST_RECT, PSEUDO_RICH_CURSOR, PSEUDO_X_CURSOR,
                           FOREIGN_TIGHT_STORED, PSEUDO_COMPRESS_0});
            for (int step = 0; step < 4; step++) {
                server->screen->draw(step);
                server->screen->settle();
                REQUIRE(client.ask());
            }
            check_understood(tap);
            CHECK(tap.seen().pictures >= 4);
        }
}

/* A viewer that others have written, on a display of its own. */
struct Stock {
    const char *viewer;
    std::vector<std::string> arguments; /* before the address */
    uint32_t security;
};

/* It sees motion, and sends a key, through the tap. */
void watch_with(Server &server, const Stock &stock)
{
    if (!installed(stock.viewer))
        return;
    INFO(stock.viewer << (stock.arguments.empty() ? "" : " " + stock.arguments.back()));
    Desk desk;
    Tap tap(server.port);
    Command c;
    c.argv = {stock.viewer};
    c.argv.insert(c.argv.end(), stock.arguments.begin(), stock.arguments.end());
    if (stock.viewer == std::string("gvncviewer")) /* takes the number of a display only */
        c.argv.push_back("127.0.0.1:" + std::to_string(tap.port() - 5900));
    else
        c.argv.push_back(tap.address());
    c.env["DISPLAY"] = desk.name();
    c.env["HOME"] = server.dir.path();
    Process viewer(c);
    auto pictures = [&](uint64_t n) {
        wait_until(PATIENCE, [&] {
            auto seen = tap.seen();
            return seen.pictures >= n || seen.ended || !seen.lost.empty() || !viewer.running();
        });
        return tap.seen().pictures >= n;
    };
    REQUIRE(pictures(1));
    server.screen->animate(10);
    for (int n = 2; n <= 4; n++) { /* all of that may come as one picture */
        server.screen->draw(n);
        server.screen->settle();
        REQUIRE(pictures(n));
    }
    CHECK(wait_until(PATIENCE, [&] { return tap.seen().between; }));
    INFO(viewer.out() << viewer.err());
    check_understood(tap);
    CHECK(tap.seen().security == stock.security);
    CHECK(tap.seen().requests > 1);
    CHECK_FALSE(tap.seen().ended);
}

} // namespace

TEST_CASE("framing: TigerVNC, every encoding", "[framing]")
{
    every_encoding(start_tigervnc);
}

TEST_CASE("framing: TightVNC, every encoding", "[framing]")
{
    every_encoding(start_tightvnc);
}

TEST_CASE("framing: x11vnc, every encoding", "[framing]")
{
    every_encoding(start_x11vnc);
}

TEST_CASE("framing: TigerVNC, pixels of every form", "[framing]")
{
    ask_for_pixels(start_tigervnc,
                   {ENCODING_RAW, ENCODING_RRE, ENCODING_HEXTILE, ENCODING_TIGHT, ENCODING_ZRLE},
                   false);
}

TEST_CASE("framing: TightVNC, pixels of every form", "[framing]")
{
    ask_for_pixels(start_tightvnc, {ENCODING_RAW, ENCODING_RRE, ENCODING_CORRE, ENCODING_HEXTILE,
                                    ENCODING_ZLIB, ENCODING_TIGHT});
}

TEST_CASE("framing: x11vnc, pixels of every form", "[framing]")
{
    ask_for_pixels(start_x11vnc, {ENCODING_CORRE, ENCODING_HEXTILE, ENCODING_TIGHT,
                                  FOREIGN_TIGHT_PNG, FOREIGN_TRLE, FOREIGN_ZYWRLE, FOREIGN_ULTRA});
}

TEST_CASE("framing: stock viewers at TigerVNC", "[framing]")
{
    if (!can_run())
        return;
    auto server = start_tigervnc({});
    if (!server)
        return;
    watch_with(*server, {"xtigervncviewer", {}, SECURITY_NONE});
    watch_with(*server, {"xtigervncviewer", {"-LowColorLevel=1", "-AutoSelect=0"}, SECURITY_NONE});
    watch_with(*server, {"xtightvncviewer", {}, SECURITY_NONE});
    watch_with(*server, {"xtightvncviewer", {"-bgr233"}, SECURITY_NONE});
    watch_with(*server, {"gvncviewer", {}, SECURITY_NONE});
}

TEST_CASE("framing: stock viewers at TightVNC, which has a security type of its own", "[framing]")
{
    if (!can_run())
        return;
    auto server = start_tightvnc({});
    if (!server)
        return;
    watch_with(*server, {"xtigervncviewer", {}, SECURITY_NONE});
    watch_with(*server, {"xtightvncviewer", {}, SECURITY_TIGHT});
    watch_with(*server, {"gvncviewer", {}, SECURITY_NONE});
}

TEST_CASE("framing: stock viewers at x11vnc", "[framing]")
{
    if (!can_run())
        return;
    auto server = start_x11vnc({});
    if (!server)
        return;
    watch_with(*server, {"xtigervncviewer", {}, SECURITY_NONE});
    watch_with(*server, {"xtightvncviewer", {"-encodings", "zlib hextile"}, SECURITY_NONE});
    watch_with(*server, {"gvncviewer", {}, SECURITY_NONE});
}

TEST_CASE("framing: a password", "[framing]")
{
    TempDir dir;
    std::string password = vnc_password_file(dir, "s3cret");
    if (password.empty() || !can_run())
        return;
    auto server = start_tigervnc(with_password(dir, "s3cret"));
    if (!server)
        return;
    watch_with(*server, {"xtigervncviewer", {"-passwd", password}, SECURITY_VNC});
    auto tight = start_tightvnc({516, 388, {"-rfbauth", password}});
    if (tight)
        watch_with(*tight, {"xtightvncviewer", {"-passwd", password}, SECURITY_TIGHT});
}
