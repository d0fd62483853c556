/* The clipboard as a user has it: xclip copies and pastes on the desk's display, the real program's
 * window is beside it. */
#include <csignal>

#include "tests/e2e/check.hpp"
#include "tests/e2e/scene.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

const std::string TEXT = "\xe2\x82\xac \xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 "
                         "\xe6\x97\xa5\xe6\x9c\xac\nsecond line";

/* A program on the desk's display that has copied the text. */
std::unique_ptr<Process> copy(Desk &desk, const std::string &text,
                              const std::string &selection = "clipboard")
{
    Command c;
    c.argv = {"xclip", "-quiet", "-i", "-display", desk.name(), "-selection", selection};
    c.input = text;
    Atom atom = XInternAtom(desk.x(), selection == "primary" ? "PRIMARY" : "CLIPBOARD", False);
    Window before = XGetSelectionOwner(desk.x(), atom);
    auto p = std::make_unique<Process>(c);
    REQUIRE(wait_until(PATIENCE, [&] {
        Window now = XGetSelectionOwner(desk.x(), atom);
        return now != None && now != before;
    }));
    return p;
}

std::string paste(Desk &desk, const std::string &selection = "clipboard")
{
    Command c;
    c.argv = {"xclip",      "-o",      "-display", desk.name(),
              "-selection", selection, "-target",  "UTF8_STRING"};
    return run(c).out;
}

bool arrives(Server &server, const std::string &text)
{
    return wait_until(PATIENCE,
                      [&] { return server.screen->ask_clipboard(milliseconds(500)) == text; });
}

/* All that the viewer has said before this has come to the server. */
void settle(Desk &desk, Server &server)
{
    desk.tap(XK_b);
    CHECK(server.screen->wait_key(XK_b, true, PATIENCE));
    CHECK(server.screen->wait_key(XK_b, false, PATIENCE));
}

Window other_window(Desk &desk)
{
    Window w = XCreateSimpleWindow(desk.x(), DefaultRootWindow(desk.x()), 0, 0, 50, 50, 0, 0, 0);
    XSelectInput(desk.x(), w, StructureNotifyMask);
    XMapWindow(desk.x(), w);
    XEvent e;
    do
        XWindowEvent(desk.x(), w, StructureNotifyMask, &e);
    while (e.type != MapNotify);
    return w;
}

void focus(Desk &desk, Window w)
{
    XSetInputFocus(desk.x(), w, RevertToParent, CurrentTime);
    XSync(desk.x(), False);
}

} // namespace

TEST_CASE("window: what is copied arrives at the server, with the focus or before it", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    auto first = copy(desk, "copied before the viewer started");
    ShownViewer viewer(desk, *server);
    CHECK(arrives(*server, "copied before the viewer started"));

    /* while it has the focus, again and again, from different programs */
    settle(desk, *server);
    auto second = copy(desk, TEXT);
    CHECK(arrives(*server, TEXT));
    auto third = copy(desk, "and a third");
    CHECK(arrives(*server, "and a third"));

    /* while another window has it, it stays here */
    focus(desk, other_window(desk));
    auto fourth = copy(desk, "copied elsewhere");
    CHECK(server->screen->ask_clipboard(PATIENCE) == "and a third");
    focus(desk, viewer.window());
    CHECK(arrives(*server, "copied elsewhere"));
    CHECK(viewer.process().err() == "");
}

TEST_CASE("window: what is copied arrives at each server that is chosen in the start window",
          "[window]")
{
    auto first = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    auto second = first ? start_tigervnc() : nullptr;
    if (!second)
        return;
    first->screen->fill(0x204060);
    second->screen->fill(0x604020);
    Scene s("", {"--recent", "off"});
    auto connect = [&](Server &server) {
        REQUIRE(s.wait_question(false));
        s.desk.key(XK_Control_L, true); /* the server before stands in the field */
        s.desk.tap(XK_a);
        s.desk.key(XK_Control_L, false);
        s.desk.type(server.address);
        s.desk.tap(XK_Return);
        REQUIRE(s.wait_shows(server.screen->capture()));
    };
    connect(*first);
    settle(s.desk, *first); /* the window has the focus, and keeps it from here on */
    auto copied = copy(s.desk, "for the first");
    CHECK(arrives(*first, "for the first"));

    s.desk.tap(XK_F8);
    REQUIRE(s.wait([](const Image &i) { return i.count(PANEL) > 20000; }));
    s.desk.tap(XK_i); /* disconnect */
    REQUIRE(wait_until(PATIENCE, [&] { return s.desk.find_desktop() == 0; }));
    connect(*second);
    CHECK(arrives(*second, "for the first")); /* it is in the clipboard still */
    auto again = copy(s.desk, TEXT);
    CHECK(arrives(*second, TEXT));
}

TEST_CASE("window: a program that has copied and does not answer stops nothing", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    settle(desk, *server);
    focus(desk, other_window(desk));
    auto hung = copy(desk, "nobody will see this");
    hung->signal(SIGSTOP);
    focus(desk, viewer.window());
    settle(desk, *server);
    auto next = copy(desk, TEXT);
    CHECK(arrives(*server, TEXT));
    hung->signal(SIGCONT); /* so that it can be ended */
}

TEST_CASE("window: the server's clipboard comes here and is not sent back", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    for (const std::string &text : {TEXT, std::string("another")}) {
        server->screen->own_clipboard(text);
        CHECK(server->screen->serve_until(PATIENCE, [&] { return paste(desk) == text; }));
        settle(desk, *server);
        CHECK(server->screen->owns_clipboard());
    }
    CHECK(viewer.process().err() == "");
}

namespace
{

/* The server has this text, and the viewer has been told: it has asked for the text, and shown a
 * picture that came later. */
void copy_there(Server &server, ShownViewer &viewer, const std::string &text, int picture)
{
    const int given = server.screen->texts_given();
    server.screen->own_clipboard(text);
    REQUIRE(
        server.screen->serve_until(PATIENCE, [&] { return server.screen->texts_given() > given; }));
    server.screen->draw(picture);
    server.screen->settle();
    CHECK(viewer.wait_shows(server.screen->capture()));
}

} // namespace

TEST_CASE("window: a server does not replace what was copied for another window", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    settle(desk, *server);
    Window other = other_window(desk);
    focus(desk, other);
    auto ours = copy(desk, "for another window");
    copy_there(*server, viewer, "the server's", 3);
    CHECK(paste(desk) == "for another window");
    focus(desk, viewer.window());
    CHECK(arrives(*server, "for another window"));
    CHECK(paste(desk) == "for another window");

    /* with nothing new here it comes with the focus */
    focus(desk, other);
    copy_there(*server, viewer, TEXT, 4);
    CHECK(paste(desk) == "for another window");
    focus(desk, viewer.window());
    CHECK(server->screen->serve_until(PATIENCE, [&] { return paste(desk) == TEXT; }));
}

TEST_CASE("window: 2 MB are copied both ways, 5 MB are refused with a line", "[window]")
{
    auto server = installed("xclip") && can_run()
                      ? start_tigervnc({516, 388, {"-MaxCutText", "16777216"}, true})
                      : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    std::string two;
    while (two.size() < 2000000)
        two += std::to_string(two.size()) + "\n"; /* xclip hands it over in parts */
    auto first = copy(desk, two);
    CHECK(arrives(*server, two));
    two += "from the server";
    server->screen->own_clipboard(two);
    CHECK(server->screen->serve_until(PATIENCE, [&] { return paste(desk) == two; }));

    auto second = copy(desk, std::string(5000000, 'x'));
    CHECK(wait_until(PATIENCE, [&] { return !viewer.process().err().empty(); }));
    CHECK(viewer.process().err() ==
          "vnchl: the clipboard's text was not sent: it has 5000000 bytes, more than 4194304\n");
    auto third = copy(desk, "short");
    CHECK(arrives(*server, "short"));
}

TEST_CASE("window: --clipboard and --view-only hold", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    auto ours = copy(desk, "ours");
    for (const char *way : {"receive", "off"}) {
        INFO(way);
        ShownViewer viewer(desk, *server, {"--clipboard", way});
        settle(desk, *server);
        CHECK(server->screen->ask_clipboard(milliseconds(500)) == "");
    }
    SECTION("view only receives")
    {
        ShownViewer viewer(desk, *server, {"--view-only"});
        server->screen->own_clipboard(TEXT);
        CHECK(server->screen->serve_until(PATIENCE, [&] { return paste(desk) == TEXT; }));
        CHECK(server->screen->owns_clipboard());
    }
    SECTION("send only")
    {
        ShownViewer viewer(desk, *server, {"--clipboard", "send"});
        CHECK(arrives(*server, "ours"));
        server->screen->own_clipboard(TEXT);
        settle(desk, *server);
        CHECK(paste(desk) == "ours");
    }
}

TEST_CASE("window: --primary on takes what the mouse has marked, and sets it", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    SECTION("on")
    {
        ShownViewer viewer(desk, *server, {"--primary", "on"});
        settle(desk, *server);
        auto marked = copy(desk, "marked", "primary");
        CHECK(arrives(*server, "marked"));
        server->screen->own_clipboard(TEXT);
        CHECK(
            server->screen->serve_until(PATIENCE, [&] { return paste(desk, "primary") == TEXT; }));
    }
    SECTION("off, as it is by itself")
    {
        ShownViewer viewer(desk, *server);
        auto marked = copy(desk, "marked", "primary");
        auto copied = copy(desk, "copied");
        CHECK(arrives(*server, "copied"));
        server->screen->own_clipboard(TEXT);
        CHECK(server->screen->serve_until(PATIENCE, [&] { return paste(desk) == TEXT; }));
        CHECK(paste(desk, "primary") == "marked");
    }
}

TEST_CASE("window: what a server without UTF-8 cannot take is said", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tightvnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    auto copied = copy(desk, "5 \xe2\x82\xac");
    CHECK(wait_until(PATIENCE, [&] { return server->screen->cut_buffer() == "5 ?"; }));
    CHECK(wait_until(PATIENCE, [&] { return !viewer.process().err().empty(); }));
    CHECK(viewer.process().err().rfind("vnchl: 1 character of the clipboard cannot be sent", 0) ==
          0);
}

TEST_CASE("window: the menu switches each way of the clipboard off, and on again", "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    desk.give_focus(viewer.window());
    auto toggle = [&](unsigned long way) {
        for (unsigned long key : {XK_F8, XK_b, static_cast<int>(way), XK_Escape, XK_Escape})
            desk.tap(key), desk.wait_for_program(viewer.window());
        settle(desk, *server);
    };
    auto first = copy(desk, "one");
    CHECK(arrives(*server, "one"));

    toggle(XK_s); /* what was sent cannot be asked for any more */
    CHECK(arrives(*server, ""));
    auto second = copy(desk, "two");
    settle(desk, *server);
    CHECK(server->screen->ask_clipboard(seconds(5)).empty());
    toggle(XK_s);
    CHECK(arrives(*server, "two"));

    toggle(XK_t);
    server->screen->own_clipboard("theirs");
    CHECK_FALSE(server->screen->serve_until(seconds(2), [&] { return paste(desk) == "theirs"; }));
    CHECK(paste(desk) == "two");
    toggle(XK_t);
    server->screen->own_clipboard("theirs again");
    CHECK(server->screen->serve_until(PATIENCE, [&] { return paste(desk) == "theirs again"; }));
}

/* Of "both", "send", "receive" and "off", which stand in this order. */
static void choose_in_form(Desk &desk, Desk::Window window, unsigned long direction, int steps)
{
    desk.tap(XK_F8);
    desk.tap(XK_o);
    desk.wait_for_program(window);
    desk.tap(XK_Tab); /* connect again by itself, view only, clipboard */
    desk.tap(XK_Tab);
    for (int i = 0; i < steps; i++)
        desk.tap(direction);
    for (int i = 0; i < 3; i++)
        desk.tap(XK_Up); /* to Use */
    desk.tap(XK_Return);
    desk.wait_for_program(window);
}

TEST_CASE("window: the form switches the clipboard's ways at once, and has what they are",
          "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server);
    desk.give_focus(viewer.window());
    auto first = copy(desk, "one");
    CHECK(arrives(*server, "one"));

    choose_in_form(desk, viewer.window(), XK_Right, 2); /* receive */
    CHECK(arrives(*server, ""));
    auto second = copy(desk, "two");
    settle(desk, *server);
    CHECK(server->screen->ask_clipboard(seconds(5)).empty());
    choose_in_form(desk, viewer.window(), XK_Left, 2); /* both */
    CHECK(arrives(*server, "two"));
}

TEST_CASE("window: a way of the clipboard that the session lacks counts when it is connected again",
          "[window]")
{
    auto server = installed("xclip") && can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    Desk desk;
    ShownViewer viewer(desk, *server, {"--clipboard", "receive"});
    desk.give_focus(viewer.window());
    auto ours = copy(desk, "ours");
    settle(desk, *server);

    choose_in_form(desk, viewer.window(), XK_Left, 2); /* both */
    CHECK(wait_until(PATIENCE, [&] { return !viewer.process().err().empty(); }));
    CHECK(viewer.process().err().find("without that way of the clipboard") != std::string::npos);
    settle(desk, *server);
    CHECK(server->screen->ask_clipboard(seconds(5)).empty());
    choose_in_form(desk, viewer.window(), XK_Right, 0); /* it is still there */
    desk.tap(XK_F8);
    desk.tap(XK_n); /* connect again */
    CHECK(arrives(*server, "ours"));
}
