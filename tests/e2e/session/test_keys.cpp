/* What not every server has: codes of keys, the state of its locks, more buttons, pointer shapes
 * with alpha. */
#include <X11/keysym.h>

#include <sstream>

#include "rfb/proto/server_messages.h"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xcursor/Xcursor.h>
#include <X11/Xlib.h>

using namespace e2e;

namespace
{

constexpr uint8_t CODE_Q = 0x10, CODE_A = 0x1e;

} // namespace

TEST_CASE("tigervnc: by its own layout or by ours, as it wishes", "[tigervnc]")
{
    for (bool raw : {false, true}) {
        INFO("raw " << raw);
        XvncOptions options;
        if (raw)
            options.more = {"-RawKeyboard"};
        auto server = start_tigervnc(options);
        if (!server || !installed("setxkbmap"))
            return;
        set_layout(*server, "fr");
        Viewer viewer(to(*server));
        require_connected(viewer);
        REQUIRE(viewer.wait_event(SESSION_KEY_CODES));
        /* our keyboard is a US one: what is Q here is A on the server's */
        viewer.key_code(XK_q, CODE_Q, true);
        CHECK(server->screen->wait_key(raw ? XK_a : XK_q, true, PATIENCE));
        viewer.key_code(XK_q, CODE_Q, false);
        CHECK(server->screen->wait_key(raw ? XK_a : XK_q, false, PATIENCE));
        /* a key that means nothing here */
        viewer.key_code(0, CODE_A, true);
        viewer.key_code(0, CODE_A, false);
        viewer.key(XK_F5, true);
        viewer.key(XK_F5, false);
        CHECK(server->screen->wait_key(raw ? XK_q : XK_F5, true, PATIENCE));
    }
}

TEST_CASE("tigervnc: its locks are told, and follow the lock keys", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    CHECK(wait_leds(viewer, 0));
    viewer.key(XK_Caps_Lock, true);
    viewer.key(XK_Caps_Lock, false);
    CHECK(wait_leds(viewer, LED_CAPS));
    viewer.key(XK_Num_Lock, true);
    viewer.key(XK_Num_Lock, false);
    CHECK(wait_leds(viewer, LED_CAPS | LED_NUM));
    viewer.key(XK_Caps_Lock, true);
    viewer.key(XK_Caps_Lock, false);
    CHECK(wait_leds(viewer, LED_NUM));
}

TEST_CASE("qemu: the machine gets codes, and tells its locks", "[qemu]")
{
    auto server = start_qemu();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    REQUIRE(viewer.wait_event(SESSION_KEY_CODES));
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    /* AZERTY's A has the place of the US Q, and the machine's firmware knows the US layout */
    viewer.key_code(XK_a, CODE_Q, true);
    viewer.key_code(XK_a, CODE_Q, false);
    viewer.key_code(0, CODE_A, true);
    viewer.key_code(0, CODE_A, false);
    CHECK(wait_until(PATIENCE, [&] { return server->keys() == "qa"; }));
    INFO(server->keys());
    viewer.key_code(XK_Caps_Lock, 0x3a, true);
    viewer.key_code(XK_Caps_Lock, 0x3a, false);
    viewer.key_code(XK_q, CODE_Q, true);
    viewer.key_code(XK_q, CODE_Q, false);
    CHECK(wait_until(PATIENCE, [&] { return server->keys() == "qaQ"; }));
}

TEST_CASE("wayvnc: codes of keys arrive", "[wayvnc]")
{
    auto server = start_wayvnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    REQUIRE(viewer.wait_event(SESSION_KEY_CODES));
    CHECK_FALSE(server->key_seen("x"));
    viewer.key_code(XK_x, 0x2d, true);
    viewer.key_code(XK_x, 0x2d, false);
    CHECK(wait_until(PATIENCE, [&] { return server->key_seen("x"); }));
}

TEST_CASE("x11vnc: a server without codes gets keysyms, and no key that has none", "[x11vnc]")
{
    auto server = start_x11vnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    viewer.key_code(0, CODE_A, true);
    viewer.key_code(0, CODE_A, false);
    viewer.key_code(XK_q, CODE_Q, true);
    viewer.key_code(XK_q, CODE_Q, false);
    CHECK(server->screen->wait_key(XK_q, true, PATIENCE));
    CHECK(server->screen->wait_key(XK_q, false, PATIENCE));
}

TEST_CASE("tigervnc: a pointer shape keeps its alpha", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    viewer.pointer(100, 100, 0);
    REQUIRE(server->screen->wait_pointer(100, 100, PATIENCE));
    Display *x = XOpenDisplay(server->display.c_str());
    REQUIRE(x);
    XcursorImage *image = XcursorImageCreate(7, 5);
    for (int i = 0; i < 7 * 5; i++)
        image->pixels[i] = 0x80804000; /* half of 0xff8000 */
    image->pixels[0] = 0xff0000ff;
    image->xhot = 2;
    image->yhot = 3;
    Cursor shape = XcursorImageLoadCursor(x, image);
    XDefineCursor(x, DefaultRootWindow(x), shape); /* the window has none of its own */
    XSync(x, False);
    std::optional<Event> e;
    do
        e = viewer.wait_event(SESSION_CURSOR);
    while (e && e->width != 7);
    INFO(viewer.describe());
    REQUIRE(e);
    CHECK(e->height == 5);
    CHECK(e->hot_x == 2);
    CHECK(e->hot_y == 3);
    CHECK(e->pixels[0] == 0xff0000ffu);
    CHECK(e->pixels[6] >> 24 == 0x80);
    CHECK((e->pixels[6] >> 16 & 255) >= 0xfe); /* it was multiplied and divided */
    CHECK((e->pixels[6] & 255) == 0);
    XcursorImageDestroy(image);
    XCloseDisplay(x);
}

TEST_CASE("a server that takes more buttons gets back and forward", "[harness]")
{
    FakeServer server(
        handshake(64, 48) +
        Script{await_request(), await_input(pointer_event(1, 1, 0x80)), /* the old form */
               take_buttons(),
               send_step(update(1) + rectangle(0, 0, 0, 0, PSEUDO_EXTENDED_BUTTONS)),
               send_step(raw_screen(64, 48, 1)), await_input(pointer_event(2, 2, 0x80, true)),
               await_input(pointer_event(3, 3, 0x101, true)),
               await_input(pointer_event(3, 3, 1, true)), send_step(bells(1)), stall()});
    Viewer viewer([&] {
        ViewerOptions o;
        o.address = server.address();
        return o;
    }());
    require_connected(viewer);
    viewer.pointer(1, 1, 0x80);
    CHECK(viewer.wait_picture(Image(64, 48, 1)));
    viewer.pointer(2, 2, 0x80);
    viewer.pointer(3, 3, 0x101);
    viewer.pointer(3, 3, 1);
    CHECK(viewer.wait_event(SESSION_BELL));
}

TEST_CASE("a pointer shape in a compressed encoding ends the session with a word", "[hostile]")
{
    FakeServer server(handshake(64, 48) +
                      Script{await_request(),
                             send_step(update(1) + rectangle(0, 0, 4, 4, PSEUDO_ALPHA_CURSOR) +
                                       u32(ENCODING_ZRLE) + std::string(100, 'x')),
                             stall()});
    ViewerOptions o;
    o.address = server.address();
    Viewer viewer(o);
    auto why = viewer.wait_closed();
    REQUIRE(why);
    CHECK(why->find("encoding 16") != std::string::npos);
}

TEST_CASE("a server that repeats itself about its keyboard does not fill the queue", "[hostile]")
{
    std::string again;
    for (int i = 0; i < 1000; i++)
        again += update(3) + rectangle(0, 0, 0, 0, PSEUDO_KEY_CODES) +
                 rectangle(0, 0, 0, 0, PSEUDO_EXTENDED_BUTTONS) +
                 rectangle(0, 0, 0, 0, PSEUDO_LEDS) + u8(0xff);
    FakeServer server(handshake(64, 48) +
                      Script{await_request(), send_step(again), send_step(bells(1)), stall()});
    ViewerOptions o;
    o.address = server.address();
    Viewer viewer(o);
    CHECK(viewer.wait_event(SESSION_BELL));
    auto leds = viewer.wait_event(SESSION_LEDS);
    REQUIRE(leds);
    CHECK(leds->leds == LEDS_ALL);
    CHECK(viewer.wait_event(SESSION_KEY_CODES));
    CHECK_FALSE(viewer.wait_event(SESSION_LEDS, milliseconds(0)));
    CHECK_FALSE(viewer.wait_event(SESSION_KEY_CODES, milliseconds(0)));
}

namespace
{

/* QEMU's log has this of the pointer; it is said of each axis. */
bool wait_moved(Qemu &server, const std::string &kind, const std::string &what)
{
    return wait_until(PATIENCE, [&] {
        std::istringstream log(server.input_trace());
        for (std::string line; std::getline(log, line);)
            if (line.find("input_event_" + kind) != std::string::npos &&
                line.find(", " + what) == line.size() - what.size() - 2)
                return true;
        return false;
    });
}

} // namespace

TEST_CASE("qemu: a mouse gets steps of the pointer, and a tablet places", "[qemu]")
{
    auto server = start_qemu({"-usb"});
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    auto steps = viewer.wait_event(SESSION_STEPS);
    REQUIRE(steps);
    CHECK(steps->width == 1);
    session_send_step(viewer.raw(), 5, -3, 0);
    CHECK(wait_moved(*server, "rel", "axis x, value 5"));
    CHECK(wait_moved(*server, "rel", "axis y, value -3"));
    session_send_step(viewer.raw(), 0, 0, 1);
    session_send_step(viewer.raw(), 0, 0, 0);
    CHECK(wait_moved(*server, "btn", "button left, down 0"));
    /* who only knows places is understood, too */
    viewer.pointer(100, 100, 0);
    viewer.pointer(100, 100, 1);
    viewer.pointer(117, 111, 1);
    viewer.pointer(117, 111, 0);
    CHECK(wait_moved(*server, "rel", "axis x, value 17"));
    CHECK(wait_moved(*server, "rel", "axis y, value 11"));

    REQUIRE(server->monitor(R"({"execute":"device_add","arguments":{"driver":"usb-tablet"}})"));
    std::string mice;
    REQUIRE(server->monitor(R"({"execute":"query-mice"})", &mice));
    INFO(mice);
    /* {"index": 3, "name": "QEMU HID Tablet", "current": false, "absolute": true} */
    const size_t tablet = mice.rfind("\"index\": ", mice.find("Tablet"));
    REQUIRE(tablet != std::string::npos);
    REQUIRE(server->monitor(R"({"execute":"human-monitor-command","arguments":{"command-line":)"
                            "\"mouse_set " +
                            std::to_string(atoi(mice.c_str() + tablet + 9)) + "\"}}"));
    steps = viewer.wait_event(SESSION_STEPS);
    REQUIRE(steps);
    CHECK(steps->width == 0);
    viewer.pointer(0, 0, 0);
    CHECK(wait_moved(*server, "abs", "axis x, value 0x0"));
}
