/* What else passes between viewer and server: keys, clicks, pointer shapes, sizes, names, bells. */
#include <X11/keysym.h>

#include <cstring>

#include "tests/e2e/check.hpp"

using namespace e2e;

namespace
{

using Starter = std::unique_ptr<Server> (*)(const XvncOptions &);

void press_and_check(Server &server, Viewer &viewer, uint32_t keysym)
{
    char name[16];
    snprintf(name, sizeof name, "0x%x", keysym);
    INFO("keysym " << name);
    viewer.key(keysym, true);
    CHECK(server.screen->wait_key(keysym, true, PATIENCE));
    viewer.key(keysym, false);
    CHECK(server.screen->wait_key(keysym, false, PATIENCE));
}

void keys(Starter start, std::initializer_list<uint32_t> more)
{
    auto server = start({});
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    for (uint32_t keysym : {XK_a, XK_7, XK_Return, XK_F5, XK_Left, XK_Escape, XK_Tab})
        press_and_check(*server, viewer, keysym);
    for (uint32_t keysym : more)
        press_and_check(*server, viewer, keysym);
    viewer.key(XK_Shift_L, true);
    CHECK(server->screen->wait_key(XK_Shift_L, true, PATIENCE));
    press_and_check(*server, viewer, XK_A);
    viewer.key(XK_Shift_L, false);
    CHECK(server->screen->wait_key(XK_Shift_L, false, PATIENCE));
    /* A burst arrives whole and in order. */
    const char *text = "thequickbrownfoxjumpsoverthelazydog";
    for (const char *p = text; *p; p++) {
        viewer.key(static_cast<uint32_t>(*p), true);
        viewer.key(static_cast<uint32_t>(*p), false);
    }
    for (const char *p = text; *p; p++)
        CHECK(server->screen->wait_key(static_cast<unsigned long>(*p), true, PATIENCE));
    CHECK(viewer.stats().meter.input_events >= 2 * strlen(text));
}

void clicks(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    viewer.pointer(30, 40, 0);
    CHECK(server->screen->wait_pointer(30, 40, PATIENCE));
    for (unsigned button = 1; button <= 5; button++) { /* 4 and 5: the wheel */
        INFO("button " << button);
        int x = 50 + static_cast<int>(button) * 20, y = 60 + static_cast<int>(button);
        viewer.pointer(x, y, 0);
        viewer.pointer(x, y, 1u << (button - 1));
        CHECK(server->screen->wait_button(button, true, x, y, PATIENCE));
        viewer.pointer(x, y, 0);
        CHECK(server->screen->wait_button(button, false, x, y, PATIENCE));
    }
    /* Motion may be merged; where it ends may not, nor where a button goes down. */
    for (int i = 0; i < 500; i++)
        viewer.pointer(i, i / 2, 0);
    viewer.pointer(200, 201, 0);
    viewer.pointer(200, 201, 1);
    for (int i = 0; i < 100; i++)
        viewer.pointer(200 + i, 201, 1);
    viewer.pointer(310, 202, 1);
    viewer.pointer(310, 202, 0);
    CHECK(server->screen->wait_button(1, true, 200, 201, PATIENCE));
    CHECK(server->screen->wait_button(1, false, 310, 202, PATIENCE));
}

void pointer_shape(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    viewer.pointer(100, 100, 0);
    REQUIRE(server->screen->wait_pointer(100, 100, PATIENCE));
    server->screen->define_cursor(11, 13, 3, 5);
    std::optional<Event> shape;
    std::string seen;
    do {
        shape = viewer.wait_event(SESSION_CURSOR);
        seen +=
            shape ? std::to_string(shape->width) + "x" + std::to_string(shape->height) + " " : "";
    } while (shape && (shape->width != 11 || shape->height != 13));
    INFO("seen: " << seen << "; " << viewer.describe());
    REQUIRE(shape);
    CHECK(shape->hot_x == 3);
    CHECK(shape->hot_y == 5);
    REQUIRE(shape->pixels.size() == 11 * 13);
    CHECK(shape->pixels[0] == 0xff000000u);          /* the frame */
    CHECK(shape->pixels[6 * 11 + 5] == 0xffffffffu); /* the inside */
}

void bell(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    /* x11vnc asks for bell events a moment after the first client: ring until it is heard. */
    CHECK(wait_until(PATIENCE, [&] {
        server->screen->bell();
        return viewer.wait_event(SESSION_BELL, milliseconds(250)).has_value();
    }));
}

void name(const Server *server)
{
    if (!server)
        return;
    Viewer viewer(to(*server));
    auto connected = viewer.wait_event(SESSION_CONNECTED);
    REQUIRE(connected);
    INFO(connected->text);
    CHECK(connected->text.find("vnchl test") != std::string::npos);
}

} // namespace

TEST_CASE("tigervnc: keys arrive", "[tigervnc]")
{
    keys(start_tigervnc,
         {XK_eacute, XK_EuroSign, XK_udiaeresis, 0x01000416 /* a Cyrillic letter */});
}

TEST_CASE("tightvnc: keys arrive", "[tightvnc]")
{
    keys(start_tightvnc, {});
}

TEST_CASE("x11vnc: keys arrive", "[x11vnc]")
{
    keys(start_x11vnc, {});
}

TEST_CASE("tigervnc: clicks arrive", "[tigervnc]")
{
    clicks(start_tigervnc);
}

TEST_CASE("tightvnc: clicks arrive", "[tightvnc]")
{
    clicks(start_tightvnc);
}

TEST_CASE("x11vnc: clicks arrive", "[x11vnc]")
{
    clicks(start_x11vnc);
}

TEST_CASE("qemu: clicks arrive", "[qemu]")
{
    auto server = start_qemu();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    viewer.pointer(10, 10, 0);
    viewer.pointer(10, 10, 4);
    viewer.pointer(10, 10, 0);
    CHECK(wait_until(PATIENCE, [&] {
        return server->input_trace().find("button right, down 0") != std::string::npos;
    }));
    INFO(server->input_trace());
    CHECK(server->input_trace().find("button right, down 1") != std::string::npos);
}

TEST_CASE("wayvnc: keys arrive", "[wayvnc]")
{
    auto server = start_wayvnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    const std::pair<const char *, uint32_t> keys[] = {
        {"x", XK_x}, {"Return", XK_Return}, {"F5", XK_F5}};
    for (auto [name, keysym] : keys) {
        INFO(name);
        CHECK_FALSE(server->key_seen(name));
        viewer.key(keysym, true);
        viewer.key(keysym, false);
        CHECK(wait_until(PATIENCE, [&, name = name] { return server->key_seen(name); }));
    }
}

TEST_CASE("tigervnc: the pointer's shape arrives", "[tigervnc]")
{
    pointer_shape(start_tigervnc);
}

TEST_CASE("tightvnc: the pointer's shape arrives", "[tightvnc]")
{
    pointer_shape(start_tightvnc);
}

TEST_CASE("x11vnc: a pointer shape arrives", "[x11vnc]")
{
    /* On Xvfb it shows an arrow of its own, whatever shape the window asks for. */
    auto server = start_x11vnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    auto shape = viewer.wait_event(SESSION_CURSOR);
    REQUIRE(shape);
    CHECK(shape->width > 4);
    CHECK(shape->pixels.size() == static_cast<size_t>(shape->width * shape->height));
}

TEST_CASE("tigervnc: the screen changes its size while it moves", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server || !installed("xrandr"))
        return;
    for (const char *encodings : {"tight,copyrect,raw", "zrle,raw"})
        for (prp_policy policy : {PRP_OFF, PRP_AUTO}) {
            INFO(encodings << ", policy " << policy);
            ViewerOptions o = to(*server);
            o.encodings = encodings;
            o.policy = policy;
            Viewer viewer(o);
            require_connected(viewer);
            for (auto [width, height] : {std::pair<int, int>{800, 600}, {640, 480}, {1024, 768}}) {
                INFO(width << "x" << height);
                for (int i = 0; i < 5; i++)
                    server->screen->draw(i);
                REQUIRE(server->screen->resize(width, height));
                auto resized = viewer.wait_event(SESSION_RESIZED);
                INFO(viewer.describe());
                REQUIRE(resized);
                CHECK(resized->width == width);
                CHECK(resized->height == height);
                server->screen->animate(5);
                check_picture(viewer, server->screen->capture());
            }
            REQUIRE(server->screen->resize(640, 480));
        }
}

TEST_CASE("qemu: the screen changes its size at boot", "[qemu]")
{
    auto server = start_qemu({"-S"}); /* does not run until it is told to */
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    REQUIRE(server->monitor("{\"execute\":\"cont\"}"));
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    std::optional<Event> resized;
    do
        resized = viewer.wait_event(SESSION_RESIZED);
    while (resized && resized->width != 640);
    REQUIRE(resized);
    CHECK(resized->height == 400);
    viewer.wait_for(PATIENCE, [&] { return viewer.picture() == server->screendump(); });
    check_picture(viewer, server->screendump());
}

TEST_CASE("tigervnc: the desktop's name and its changes arrive", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    auto connected = viewer.wait_event(SESSION_CONNECTED);
    REQUIRE(connected);
    CHECK(connected->text == "vnchl test");
    CHECK(connected->width == 516);
    CHECK(connected->height == 388);
    if (!installed("vncconfig"))
        return;
    Command c;
    c.argv = {"vncconfig", "-display", server->display, "-set", "desktop=Grüße"};
    REQUIRE(run(c).status == 0);
    auto renamed = viewer.wait_event(SESSION_NAME);
    REQUIRE(renamed);
    CHECK(renamed->text == "Grüße");
}

TEST_CASE("tightvnc: the desktop's name arrives", "[tightvnc]")
{
    name(start_tightvnc().get());
}

TEST_CASE("x11vnc: the desktop's name arrives", "[x11vnc]")
{
    name(start_x11vnc().get());
}

TEST_CASE("qemu: the desktop's name arrives", "[qemu]")
{
    name(start_qemu().get());
}

TEST_CASE("tigervnc: the bell rings", "[tigervnc]")
{
    bell(start_tigervnc);
}

TEST_CASE("tightvnc: the bell rings", "[tightvnc]")
{
    bell(start_tightvnc);
}

TEST_CASE("x11vnc: the bell rings", "[x11vnc]")
{
    bell(start_x11vnc);
}
