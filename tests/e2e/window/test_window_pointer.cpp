/* The pointer in the real program's window: drags out of it, more buttons, what it looks like. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/extensions/Xfixes.h>

using namespace e2e;

namespace
{

/* What the pointer looks like now. */
struct Shape {
    int width, height;
    std::vector<unsigned long> pixels; /* premultiplied 0xAARRGGBB */
};

Shape pointer_shape(Desk &desk)
{
    XFixesCursorImage *i = XFixesGetCursorImage(desk.x());
    Shape s = {i->width, i->height, {i->pixels, i->pixels + i->width * i->height}};
    XFree(i);
    return s;
}

bool is_blank(const Shape &s)
{
    for (unsigned long p : s.pixels)
        if (p >> 24 & 255)
            return false;
    return true;
}

Desk::Window shown(Desk &desk)
{
    Desk::Window w = 0;
    REQUIRE(wait_until(PATIENCE, [&] { return (w = desk.find_desktop()) != 0; }));
    return w;
}

} // namespace

TEST_CASE("window: a drag goes on outside of the window", "[window]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    auto at = viewer.place();
    desk.move(at.x + 500, at.y + 100);
    desk.button(1, true);
    CHECK(server->screen->wait_button(1, true, 500, 100, PATIENCE));
    desk.move(at.x + 516 + 60, at.y + 150);
    CHECK(server->screen->wait_pointer(515, 150, PATIENCE));
    desk.move(at.x + 516 + 60, at.y + 200);
    desk.button(1, false);
    CHECK(server->screen->wait_button(1, false, 515, 200, PATIENCE));
}

TEST_CASE("window: back and forward reach a server that takes them", "[window]")
{
    if (!can_run())
        return;
    FakeServer server(handshake(64, 48) +
                      Script{await_request(), take_buttons(),
                             send_step(update(1) + rectangle(0, 0, 0, 0, PSEUDO_EXTENDED_BUTTONS)),
                             send_step(raw_screen(64, 48, 1)),
                             await_input(pointer_event(5, 6, 0x80, true)),
                             await_input(pointer_event(5, 6, 0, true)),
                             await_input(pointer_event(5, 6, 0x100, true)),
                             await_input(pointer_event(5, 6, 0, true)),
                             send_step(raw_screen(64, 48, 2)), stall()});
    Desk desk;
    auto viewer = ShownViewer::start(desk.name(), server.address());
    Desk::Window w = shown(desk);
    REQUIRE(wait_until(PATIENCE, [&] { return desk.capture(w) == Image(64, 48, 1); }));
    auto at = desk.place(w);
    desk.move(at.x + 5, at.y + 6);
    for (unsigned button : {8u, 9u}) {
        desk.button(button, true);
        desk.button(button, false);
    }
    CHECK(wait_until(PATIENCE, [&] { return desk.capture(w) == Image(64, 48, 2); }));
}

TEST_CASE("window: where the server hides its pointer there is a dot, or nothing", "[window]")
{
    if (!can_run())
        return;
    for (bool dot : {true, false}) {
        INFO("dot " << dot);
        std::string half = std::string("\x80\x40\x00\x80", 4); /* red, green, blue, alpha */
        FakeServer server(handshake(64, 48) +
                          Script{await_request(),
                                 send_step(update(1) + rectangle(0, 0, 0, 0, PSEUDO_RICH_CURSOR)),
                                 send_step(raw_screen(64, 48, 1)),
                                 await_input(pointer_event(9, 9, 1)),
                                 send_step(update(1) + rectangle(0, 0, 2, 1, PSEUDO_ALPHA_CURSOR) +
                                           u32(ENCODING_RAW) + half + half),
                                 send_step(raw_screen(64, 48, 2)), stall()});
        Desk desk;
        std::vector<std::string> more;
        if (!dot)
            more = {"--dot-cursor", "off"};
        auto viewer = ShownViewer::start(desk.name(), server.address(), more);
        Desk::Window w = shown(desk);
        REQUIRE(wait_until(PATIENCE, [&] { return desk.capture(w) == Image(64, 48, 1); }));
        auto at = desk.place(w);
        desk.move(at.x + 9, at.y + 9);
        if (dot)
            CHECK(wait_until(PATIENCE, [&] {
                Shape s = pointer_shape(desk);
                return s.width == 5 && s.height == 5 && !is_blank(s);
            }));
        else
            CHECK(wait_until(PATIENCE, [&] { return is_blank(pointer_shape(desk)); }));
        desk.button(1, true);
        desk.button(1, false);
        CHECK(wait_until(PATIENCE, [&] {
            Shape s = pointer_shape(desk);
            return s.width == 2 && s.height == 1 && (s.pixels[0] & 0xffffffff) == 0x80804000;
        }));
    }
}
