/* Servers that take their time: no reason to end a session. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

using namespace e2e;

namespace
{

const int W = 64, H = 48;

ViewerOptions watching(const FakeServer &server, milliseconds stall_timeout)
{
    ViewerOptions o;
    o.address = server.address();
    o.stall_timeout = stall_timeout;
    return o;
}

} // namespace

TEST_CASE("silence between messages does not end the session", "[hostile]")
{
    FakeServer server(handshake(W, H) +
                      Script{await_request(), send_step(raw_screen(W, H, 0x010203)),
                             pause(seconds(6)), send_step(raw_screen(W, H, 0x040506)), stall()});
    Viewer viewer(watching(server, seconds(4)));
    require_connected(viewer);
    check_picture(viewer, Image(W, H, 0x010203));
    check_picture(viewer, Image(W, H, 0x040506));
}

TEST_CASE("a message that comes slowly does not end the session", "[hostile]")
{
    std::string screen = raw_screen(W, H, 0x070809);
    Script script = handshake(W, H) + Script{await_request()};
    const size_t parts = 40; /* for longer than the limit in all, each far from it */
    for (size_t i = 0; i < parts; i++) {
        size_t from = screen.size() * i / parts, to = screen.size() * (i + 1) / parts;
        script =
            script + Script{send_step(screen.substr(from, to - from)), pause(milliseconds(200))};
    }
    FakeServer server(script + Script{stall()});
    Viewer viewer(watching(server, seconds(6)));
    require_connected(viewer);
    check_picture(viewer, Image(W, H, 0x070809));
}
