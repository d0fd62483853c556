/* What a person has again after a connection was lost and made again: the clipboard, the password,
 * a server that connects to the viewer; and what the window says of a server that says nothing. */
#include <algorithm>

#include "tests/e2e/breaking.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

/* A program on the desk's display that has copied the text. */
std::unique_ptr<Process> copy(Desk &desk, const std::string &text)
{
    Command c;
    c.argv = {"xclip", "-quiet", "-i", "-display", desk.name(), "-selection", "clipboard"};
    c.input = text;
    Atom clipboard = XInternAtom(desk.x(), "CLIPBOARD", False);
    Window before = XGetSelectionOwner(desk.x(), clipboard);
    auto p = std::make_unique<Process>(c);
    REQUIRE(wait_until(PATIENCE, [&] {
        Window now = XGetSelectionOwner(desk.x(), clipboard);
        return now != None && now != before;
    }));
    return p;
}

std::string paste(Desk &desk)
{
    Command c;
    c.argv = {"xclip",      "-o",        "-display", desk.name(),
              "-selection", "clipboard", "-target",  "UTF8_STRING"};
    return run(c).out;
}

bool arrives(Server &server, const std::string &text)
{
    return wait_until(PATIENCE,
                      [&] { return server.screen->ask_clipboard(milliseconds(500)) == text; });
}

bool wait_said(Process &p, const std::string &text)
{
    return wait_until(PATIENCE,
                      [&] { return p.err().find(text) != std::string::npos || !p.running(); });
}

/* The page that asks for something has much of the panel's colour (viewer/ui/widgets/look.cpp,
 * dark). */
bool wait_question(Desk &desk)
{
    const uint32_t PANEL = 0x21262d;
    return wait_until(PATIENCE, [&] {
        Image i = desk.capture(desk.find("vnchl"));
        return i.count(PANEL) > 60000;
    });
}

} // namespace

TEST_CASE("after a loss: the clipboard works, and what was copied meanwhile is sent", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Relay relay;
    relay.start(*server);
    Desk desk;
    server->screen->fill(0x6080c0);
    Watched at(relay);
    ShownViewer viewer(desk, at);
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));
    desk.give_focus(viewer.window());
    auto first = copy(desk, "before the loss");
    CHECK(arrives(*server, "before the loss"));

    relay.stop();
    CHECK(wait_title(desk, viewer.window(), "connecting again"));
    auto second = copy(desk, "copied while it was lost");
    relay.start(*server);
    CHECK(arrives(*server, "copied while it was lost"));
    auto third = copy(desk, "after it");
    CHECK(arrives(*server, "after it"));
    server->screen->own_clipboard("the server's");
    CHECK(server->screen->serve_until(PATIENCE, [&] { return paste(desk) == "the server's"; }));

    /* what came from the server is not sent back to it */
    relay.stop();
    CHECK(wait_dim(desk, viewer.window(), 0x6080c0));
    relay.start(*server);
    CHECK(viewer.wait_shows(Image(400, 300, 0x6080c0)));
    desk.tap(XK_b);
    CHECK(server->screen->wait_key(XK_b, false, PATIENCE));
    CHECK(server->screen->owns_clipboard());
}

TEST_CASE("after a loss: a typed password is asked for again only if it is wrong", "[window]")
{
    TempDir one, other;
    auto server = can_run() ? start_tigervnc(with_password(one, "s3cret")) : nullptr;
    if (!server)
        return;
    Relay relay;
    relay.start(*server);
    Desk desk;
    server->screen->fill(0x6080c0);
    auto viewer = std::make_unique<Process>(
        ShownViewer::command(desk.name(), relay.address(), {"--recent", "off", "--theme", "dark"}));
    auto shows = [&](uint32_t colour) {
        return wait_until(
            PATIENCE, [&] { return desk.capture(desk.find("vnchl")) == Image(516, 388, colour); });
    };
    REQUIRE(wait_question(desk));
    desk.type("s3cret");
    desk.tap(XK_Return);
    CHECK(shows(0x6080c0));
    desk.tap(XK_b);
    CHECK(server->screen->wait_key(XK_b, false, PATIENCE));

    relay.stop();
    CHECK(wait_said(*viewer, "connecting again\n"));
    server->screen->fill(0x80c060);
    relay.start(*server);
    CHECK(shows(0x80c060)); /* nobody was asked */

    relay.stop();
    auto changed = start_tigervnc(with_password(other, "an0ther"));
    changed->screen->fill(0xc08060);
    relay.start(*changed);
    REQUIRE(wait_question(desk));
    desk.type("an0ther");
    desk.tap(XK_Return);
    CHECK(shows(0xc08060));
    desk.tap(XK_c);
    arrives_alone(*changed, XK_c, {XK_a, XK_n, XK_Return});
    desk.close_window(desk.find("vnchl"));
    CHECK(viewer->wait(PATIENCE) == 0);
}

TEST_CASE("after a loss: --listen waits for the server again", "[window]")
{
    auto server =
        installed("vncconfig") && can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    std::string port = std::to_string(free_port());
    Desk desk;
    server->screen->fill(0x6080c0);
    auto viewer = ShownViewer::start(desk.name(), "", {"--listen", port});
    auto tell = [&](const char *what) {
        Command c;
        c.argv = {"vncconfig", "-display", server->display, what};
        if (std::string(what) == "-connect")
            c.argv.push_back("127.0.0.1:" + port);
        return run(c).status == 0;
    };
    REQUIRE(wait_said(*viewer, "waiting for a server on port " + port));
    CHECK(tell("-connect"));
    Desk::Window w = 0;
    REQUIRE(wait_until(PATIENCE, [&] { return (w = desk.find("vnchl test - vnchl")) != 0; }));
    CHECK(wait_until(PATIENCE, [&] { return desk.capture(w) == Image(400, 300, 0x6080c0); }));

    CHECK(tell("-disconnect"));
    CHECK(wait_dim(desk, w, 0x6080c0));
    CHECK(wait_title(desk, w, "waiting for the server to connect again"));
    CHECK(wait_said(*viewer, "; waiting for the server to connect again\n"
                             "vnchl: waiting for a server on port " +
                                 port)); // before, it would be refused
    server->screen->fill(0x80c060);
    CHECK(tell("-connect"));
    CHECK(wait_until(PATIENCE, [&] { return desk.capture(w) == Image(400, 300, 0x80c060); }));
    CHECK(wait_said(*viewer, "connected again\n"));
    desk.close_window(w);
    CHECK(viewer->wait(PATIENCE) == 0);
}

TEST_CASE("a server that takes the connection and says nothing", "[window]")
{
    if (!can_run())
        return;
    FakeServer server({stall()});
    Desk desk;
    auto viewer = ShownViewer::start(desk.name(), server.address());
    Desk::Window w = 0;
    REQUIRE(wait_until(PATIENCE, [&] { return (w = desk.find("vnchl")) != 0; }));
    CHECK(wait_title(desk, w, "the server is there, but has said nothing for "));
    const std::string first = desk.title(w);
    auto counts = [&] {
        const std::string now = desk.title(w);
        return now != first && now.find(" s; giving up in ") != std::string::npos;
    };
    CHECK(wait_until(PATIENCE, counts));
    desk.give_focus(w);
    SECTION("Cancel")
    {
        desk.tap(XK_Return); /* the only button */
        CHECK(viewer->wait(PATIENCE) == 0);
        CHECK(viewer->err().empty());
    }
    SECTION("nobody cancels")
    {
        CHECK(viewer->wait(PATIENCE) == 1);
        CHECK(viewer->err().find("the server has said nothing for 15 s") != std::string::npos);
    }
}
