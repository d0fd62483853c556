/* The start window of the real program: what is typed, chosen and dropped there is judged by what
 * the server gets, and by the colours of the window. And the window that says why the program does
 * not start. */
#include <sys/stat.h>

#include "drop.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

const uint32_t TEXT = 0xe8ebf0; /* of viewer/ui/widgets/look.cpp, dark */

std::unique_ptr<Server> a_server()
{
    return can_run() ? start_tigervnc() : nullptr;
}

/* Nothing that was typed before reaches the server: of a viewer that may not send, and of a second
 * one that may, only the second one's key arrives. */
void check_view_only(Scene &s, Server &server)
{
    server.screen->fill(0x204060);
    REQUIRE(s.wait_shows(server.screen->capture()));
    s.desk.tap(XK_b);
    server.screen->fill(0x604020); /* shown after the key was taken */
    REQUIRE(s.wait_shows(server.screen->capture()));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
    s.again(server.address);
    REQUIRE(s.wait_shows(server.screen->capture()));
    s.desk.tap(XK_c);
    CHECK(server.screen->keys_until(XK_c, PATIENCE) == std::vector<unsigned long>{XK_c});
}

/* What xdg-open, a menu or a file manager does: nobody reads what the program says. */
Command from_menu(Scene &s, const std::vector<std::string> &words)
{
    Command c = ShownViewer::command(s.desk.name(), "", words);
    const std::string line = "exec \"$0\" \"$@\" >" + s.home.file("session-errors") + " 2>&1";

    c.argv.insert(c.argv.begin(), {"/bin/sh", "-c", line});
    c.env["XDG_CONFIG_HOME"] = s.home.file("config");
    return c;
}

/* How many pixels the first icon has that the window shows to window managers. */
long icon_pixels(Desk &desk, Desk::Window w)
{
    const Atom name = XInternAtom(desk.x(), "_NET_WM_ICON", False);
    unsigned long count = 0, rest;
    unsigned char *data = nullptr;
    Atom type;
    int format;

    if (XGetWindowProperty(desk.x(), w, name, 0, 2, False, XA_CARDINAL, &type, &format, &count,
                           &rest, &data) != Success ||
        count < 2)
        return 0;
    const long *size = reinterpret_cast<const long *>(data);
    const long pixels = size[0] * size[1];
    XFree(data);
    return rest == static_cast<unsigned long>(pixels) * 4 ? pixels : 0;
}

/* In place of ssh: leads to the server from here, and adds a line to the file. */
std::map<std::string, std::string> stub_gateway(const std::string &file)
{
    return {{"VNC_VIA_CMD",
             "echo used >> '" + file +
                 "'\nexec python3 -c '\n"
                 "import os, select, socket\n"
                 "s = socket.create_server((\"127.0.0.1\", int(os.environ[\"L\"])))\n"
                 "near = s.accept()[0]\n"
                 "far = socket.create_connection((os.environ[\"H\"], os.environ[\"R\"]))\n"
                 "while True:\n"
                 "    for ready in select.select([near, far], [], [])[0]:\n"
                 "        data = ready.recv(65536)\n"
                 "        if not data: os._exit(0)\n"
                 "        (far if ready == near else near).sendall(data)\n"
                 "'"}};
}

/* The question before a profile is deleted: a page without a field and without cards. */
bool wait_removal(Scene &s)
{
    return s.wait([](const Image &i) { return i.count(PANEL) > 1000 && i.count(FIELD) == 0; });
}

long lines(const std::string &file)
{
    const std::string text = read_file(file);
    return std::count(text.begin(), text.end(), '\n');
}

} // namespace

TEST_CASE("start: the window has an icon", "[start]")
{
    if (!can_run())
        return;
    Scene s("");
    CHECK(wait_until(PATIENCE, [&] { return icon_pixels(s.desk, s.window()) == 64 * 64; }));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
}

TEST_CASE("start: a typed address, and the servers shown last", "[start]")
{
    auto server = can_run() ? start_tigervnc() : nullptr;
    if (!server)
        return;
    server->screen->draw(0);
    server->screen->settle();
    Scene s("");
    REQUIRE(s.wait_question(false));
    s.desk.type("nowhere:x");
    s.desk.tap(XK_Return);
    REQUIRE(s.wait_question(true));
    s.desk.key(XK_Control_L, true);
    s.desk.tap(XK_a);
    s.desk.key(XK_Control_L, false);
    s.desk.type(server->address);
    s.desk.tap(XK_Return);
    REQUIRE(s.wait_shows(server->screen->capture()));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);

    struct stat st = {};
    REQUIRE(stat(s.home.file("state/vnchl/recent").c_str(), &st) == 0);
    CHECK((st.st_mode & 0777) == 0600);
    SECTION("its picture is one of the last ones")
    {
        s.again("");
        CHECK(s.wait([](const Image &i) { return colours(i, 2000) == 2000; }));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Return);
        CHECK(s.wait_shows(server->screen->capture()));
    }
    SECTION("unless that is not wanted")
    {
        s.again("", {"--recent", "off"});
        REQUIRE(s.wait_question(false));
        CHECK(colours(s.see(), 2000) < 2000);
        s.desk.tap(XK_Escape);
        CHECK(s.viewer->wait(PATIENCE) == 0);
    }
}

TEST_CASE("start: the field and the buttons are there, however many servers are", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    server->screen->fill(0x204060);
    Scene s("");
    REQUIRE(s.wait_question(false));
    s.desk.tap(XK_Escape);
    CHECK(s.viewer->wait(PATIENCE) == 0);
    std::string list;
    for (int i = 0; i < 12; i++)
        list += "host" + std::to_string(i) + "\tdesktop\n";
    s.home.write("state/vnchl/recent", list);
    s.again("");
    REQUIRE(s.wait_question(false));
    Image i = s.see();
    REQUIRE((i.width == 640 && i.height == 480));
    CHECK(i.at(320, 2) == GROUND);
    CHECK(i.at(320, 477) == GROUND);
    long title = 0;
    for (int y = 20; y < 70; y++)
        for (int x = 40; x < 300; x++)
            title += i.at(x, y) == TEXT;
    CHECK(title > 50); /* nothing has scrolled away */
    s.desk.type(server->address);
    s.desk.tap(XK_Return);
    CHECK(s.wait_shows(server->screen->capture()));
}

TEST_CASE("start: Enter without an address says what to type", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    server->screen->fill(0x204060);
    Scene s("");
    REQUIRE(s.wait_question(false));
    s.desk.tap(XK_Return);
    REQUIRE(s.wait_question(true));
    s.desk.tap(XK_Escape); /* takes the warning away, not the program */
    REQUIRE(s.wait_question(false));
    s.desk.type(server->address);
    s.desk.tap(XK_Return);
    CHECK(s.wait_shows(server->screen->capture()));
}

TEST_CASE("start: a link and a connection file ask for options there, too", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    Scene s("");
    REQUIRE(s.wait_question(false));
    SECTION("a link")
    {
        std::string port = server->address.substr(server->address.rfind(':') + 1);
        s.desk.type("vnc://127.0.0.1:" + port + "?viewonly=1");
        s.desk.tap(XK_Return);
        check_view_only(s, *server);
    }
    SECTION("a file")
    {
        std::string file = s.home.file("desk.tigervnc");
        write_file(file, "TigerVNC Configuration file Version 1.0\n\nServerName=" +
                             server->address + "\nViewOnly=1\n");
        s.desk.type(file);
        s.desk.tap(XK_Return);
        check_view_only(s, *server);
    }
    SECTION("one that asks for what is not known is refused, and the page stays")
    {
        s.desk.type("vnc://127.0.0.1:1?nonsense=1");
        s.desk.tap(XK_Return);
        CHECK(s.wait_question(true));
        CHECK(s.viewer->running());
    }
    SECTION("a file that is missing is not taken for a host")
    {
        s.desk.type("/tmp/none/missing.tigervnc");
        s.desk.tap(XK_Return);
        CHECK(s.wait_question(true));
        CHECK(s.viewer->running());
    }
}

TEST_CASE("start: a file and a link can be dropped on the page", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    Scene s("");
    REQUIRE(s.wait_question(false));
    SECTION("a file, with the boxes as they are")
    {
        std::string file = s.home.file("my desk.tigervnc");
        write_file(file, "TigerVNC Configuration file Version 1.0\n\nServerName=" +
                             server->address + "\n");
        s.desk.tap(XK_Tab); /* to "View only" */
        s.desk.tap(XK_space);
        REQUIRE(drop_on(s.desk, s.window(), "text/uri-list",
                        "file://" + s.home.path() + "/my%20desk.tigervnc\r\n"));
        check_view_only(s, *server);
    }
    SECTION("a link")
    {
        std::string port = server->address.substr(server->address.rfind(':') + 1);
        REQUIRE(
            drop_on(s.desk, s.window(), "text/plain", "vnc://127.0.0.1:" + port + "?ViewOnly=1"));
        check_view_only(s, *server);
    }
    SECTION("something else is refused")
    {
        std::string file = s.home.file("letter.txt");
        write_file(file, "hello\n");
        REQUIRE(drop_on(s.desk, s.window(), "text/uri-list", "file://" + file + "\r\n"));
        CHECK(s.wait_question(true));
        CHECK(s.viewer->running());
    }
}

TEST_CASE("start: the boxes count as if they were typed", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    Scene s("");
    REQUIRE(s.wait_question(false));
    s.desk.type(server->address);
    s.desk.tap(XK_Tab); /* to "View only" */
    s.desk.tap(XK_space);
    s.desk.tap(XK_Up);
    s.desk.tap(XK_Return);
    check_view_only(s, *server);
}

TEST_CASE("start: with --full-screen the session is, and the start window is an ordinary one",
          "[start]")
{
    auto server = installed("openbox") ? a_server() : nullptr;
    if (!server)
        return;
    server->screen->fill(0x204060);
    Scene s("", {"--full-screen"}, {}, true);
    REQUIRE(s.wait_question(false));
    CHECK(s.desk.place(s.window()).h < 900);
    s.desk.wait_for_window_manager(s.window());
    s.desk.give_focus(s.window());
    s.desk.type(server->address);
    s.desk.tap(XK_Return);
    CHECK(s.wait([](const Image &i) { return i.width == 1200 && i.height == 900; }));
    CHECK(s.wait_desktop());
}

TEST_CASE("start: a profile is chosen", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    server->screen->fill(0x204060);
    Scene s("");
    REQUIRE(s.wait_question(false));
    s.desk.tap(XK_Escape);
    CHECK(s.viewer->wait(PATIENCE) == 0);
    CHECK(mkdir(s.home.file("config").c_str(), 0700) == 0);
    CHECK(mkdir(s.home.file("config/vnchl").c_str(), 0700) == 0);
    std::string file = s.home.file("config/vnchl/desk.conf");
    SECTION("with all that it says")
    {
        write_file(file, "server = " + server->address + "\nview-only\n");
        s.again("");
        REQUIRE(s.wait_question(false));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Return);
        check_view_only(s, *server);
    }
    SECTION("for the address that is typed")
    {
        write_file(file, "view-only\n");
        s.again("");
        REQUIRE(s.wait_question(false));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Return);
        REQUIRE(s.wait_question(true)); /* no address yet */
        s.desk.type(server->address);
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Return);
        check_view_only(s, *server);
    }
    SECTION("what only counts from the beginning is refused")
    {
        write_file(file, "server = " + server->address + "\nlog /tmp/x\n");
        s.again("");
        REQUIRE(s.wait_question(false));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Return);
        CHECK(s.wait_question(true));
        CHECK(s.viewer->running());
    }
}

TEST_CASE("start: a profile has the picture of its server, until that is forgotten", "[start]")
{
    const uint32_t colour = 0x204060;
    auto server = a_server();
    if (!server)
        return;
    server->screen->fill(colour);
    Scene s(server->address);
    REQUIRE(s.wait_shows(server->screen->capture()));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
    s.again("");
    long one = 0;
    REQUIRE(s.wait([&](const Image &i) { return (one = i.count(colour)) > 1000; }));
    s.desk.tap(XK_Escape);
    CHECK(s.viewer->wait(PATIENCE) == 0);

    CHECK(mkdir(s.home.file("config").c_str(), 0700) == 0);
    CHECK(mkdir(s.home.file("config/vnchl").c_str(), 0700) == 0);
    const std::string file = s.home.file("config/vnchl/desk.conf"),
                      line = "server = " + server->address + "\n";
    SECTION("which it leads straight to")
    {
        write_file(file, line);
        s.again("");
        CHECK(s.wait([&](const Image &i) { return i.count(colour) > one * 3 / 2; }));
        s.desk.tap(XK_Down); /* to the profile */
        s.desk.tap(XK_Down); /* to the server */
        s.desk.tap(XK_Delete);
        CHECK(s.wait([&](const Image &i) { return i.count(colour) == 0; }));
    }
    SECTION("which keeps it when the profile is deleted")
    {
        write_file(file, line);
        s.again("");
        REQUIRE(s.wait([&](const Image &i) { return i.count(colour) > one * 3 / 2; }));
        s.desk.tap(XK_Down);
        s.desk.tap(XK_Delete);
        REQUIRE(wait_removal(s));
        s.desk.tap(XK_Tab); /* to "Delete" */
        s.desk.tap(XK_Return);
        CHECK(s.wait([&](const Image &i) {
            const long now = i.count(colour);
            return now > one / 2 && now < one * 3 / 2;
        }));
        CHECK_FALSE(file_exists(file));
    }
    SECTION("and not of another one, behind a gateway")
    {
        write_file(file, line + "via = gate\n");
        s.again("");
        CHECK(s.wait([&](const Image &i) { return i.count(colour) > one / 2; }));
        CHECK(s.see().count(colour) < one * 3 / 2);
    }
}

TEST_CASE("start: a profile is deleted after a question", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    server->screen->fill(0x204060);
    Scene s("");
    REQUIRE(s.wait_question(false));
    const std::string file = s.home.write("config/vnchl/desk.conf", "server = nowhere:1\n"),
                      next = s.home.write("config/vnchl/next.conf", "server = nowhere:2\n"),
                      defaults = s.home.write("config/vnchl/defaults.conf", "quality = 3\n");
    const auto wait_cards = [&](long least, long most) {
        return s.wait(
            [&](const Image &i) { return i.count(FIELD) > least && i.count(FIELD) < most; });
    };

    s.desk.move(1199, 899); /* a card below the pointer has another colour */
    s.again("");
    REQUIRE(s.wait_question(false));
    const long both = s.see().count(FIELD);
    s.desk.type(server->address);
    s.desk.tap(XK_Down);
    s.desk.tap(XK_Delete);
    REQUIRE(wait_removal(s));
    SECTION("which Enter refuses at first")
    {
        s.desk.tap(XK_Return);
        CHECK(wait_cards(both * 9 / 10, both * 11 / 10));
        CHECK(file_exists(file));
    }
    SECTION("which is answered by another button")
    {
        s.desk.tap(XK_Tab);
        s.desk.tap(XK_Return);
        CHECK(wait_cards(both / 4, both * 9 / 10));
        CHECK_FALSE(file_exists(file));
    }
    SECTION("with a line where it cannot be")
    {
        REQUIRE(unlink(file.c_str()) == 0);
        REQUIRE(mkdir(file.c_str(), 0700) == 0);
        s.desk.tap(XK_Tab);
        s.desk.tap(XK_Return);
        CHECK(s.wait_question(true));
    }
    CHECK(file_exists(next));
    CHECK(file_exists(defaults));
    s.desk.tap(XK_Return); /* what was typed before is still in the field */
    CHECK(s.wait_desktop());
}

TEST_CASE("start: a server is forgotten", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    server->screen->draw(0);
    server->screen->settle();
    Scene s(server->address);
    REQUIRE(s.wait_shows(server->screen->capture()));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
    std::string list = s.home.file("state/vnchl/recent");
    REQUIRE(read_file(list).find(server->address.substr(0, 9)) != std::string::npos);
    s.again("");
    REQUIRE(s.wait([](const Image &i) { return colours(i, 2000) == 2000; }));
    s.desk.tap(XK_Down);
    s.desk.tap(XK_Delete);
    CHECK(s.wait([](const Image &i) { return colours(i, 2000) < 2000; }));
    CHECK(read_file(list).empty());
    s.desk.tap(XK_Escape);
    const std::optional<int> status = s.viewer->wait(PATIENCE);
    INFO(s.viewer->err());
    CHECK(status.value_or(1000) == 0);
}

TEST_CASE("start: a server is reached as it was, through its gateway or straight", "[start]")
{
    auto server = a_server();
    if (!server)
        return;
    server->screen->draw(0);
    server->screen->settle();
    TempDir dir;
    const std::string used = dir.file("used");
    const auto env = stub_gateway(used);
    const auto left = [](Scene &s) {
        s.desk.close_window(s.window());
        CHECK(s.viewer->wait(PATIENCE) == 0);
    };
    Scene s(server->address, {"--via", "gate"}, env);
    REQUIRE(s.wait_shows(server->screen->capture()));
    left(s);
    CHECK(read_file(s.home.file("state/vnchl/recent")).find("\tvia=gate\n") != std::string::npos);
    REQUIRE(lines(used) == 1);

    s.again("", {}, env); /* no way is typed: its own one counts */
    REQUIRE(s.wait([](const Image &i) { return colours(i, 2000) == 2000; }));
    s.desk.tap(XK_Down);
    s.desk.tap(XK_Return);
    REQUIRE(s.wait_shows(server->screen->capture()));
    left(s);
    CHECK(lines(used) == 2);

    s.again(server->address, {}, env);
    REQUIRE(s.wait_shows(server->screen->capture()));
    left(s);
    CHECK(lines(used) == 2);
    s.again("", {"--via", "gate"}, env); /* which is for what is typed */
    REQUIRE(s.wait([](const Image &i) { return colours(i, 2000) == 2000; }));
    s.desk.tap(XK_Down); /* the same address, straight: it was shown last */
    s.desk.tap(XK_Return);
    REQUIRE(s.wait_shows(server->screen->capture()));
    left(s);
    CHECK(lines(used) == 2);
}

TEST_CASE("start: while a server behind a gateway asks, the title names both", "[start]")
{
    if (!can_run())
        return;
    FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(2)), expect(1),
                       send_step(std::string(16, 'x')), stall()});
    TempDir dir;
    Scene s(server.address(), {"--via", "gate", "--recent", "off"}, stub_gateway(dir.file("used")));
    REQUIRE(s.wait_question(false));
    CHECK(s.title() == server.address() + " through gate: connecting - vnchl");
}

TEST_CASE("start: a mistake is shown in a window where nobody reads standard error", "[start]")
{
    if (!can_run())
        return;
    FakeServer never({stall()});
    Scene s(never.address());
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
    const std::string said = s.home.file("session-errors");
    SECTION("with what is wrong, and the status that it had")
    {
        s.viewer = std::make_unique<Process>(from_menu(s, {"--no-such-option"}));
        REQUIRE(s.wait_page(true));
        s.desk.tap(XK_Return);
        CHECK(s.viewer->wait(PATIENCE) == 2);
        CHECK(read_file(said).find("--no-such-option") != std::string::npos);
    }
    SECTION("a file that is missing")
    {
        s.viewer = std::make_unique<Process>(from_menu(s, {"/tmp/none/missing.tigervnc"}));
        REQUIRE(s.wait_page(true));
        s.desk.close_window(s.window());
        CHECK(s.viewer->wait(PATIENCE) == 2);
        CHECK(read_file(said).find("there is no file") != std::string::npos);
    }
    SECTION("a socket that is missing")
    {
        s.viewer = std::make_unique<Process>(from_menu(s, {"/tmp/none/socket"}));
        REQUIRE(s.wait_page(true));
        s.desk.tap(XK_Escape);
        CHECK(s.viewer->wait(PATIENCE) == 1);
        CHECK(read_file(said).find("there is no file") != std::string::npos);
    }
    SECTION("not when scripts say so, and not without a window")
    {
        for (const char *word : {"-AlertOnFatalError=0", "--headless"}) {
            s.viewer = std::make_unique<Process>(from_menu(s, {"--no-such-option", word}));
            CHECK(s.viewer->wait(PATIENCE) == 2);
        }
    }
    SECTION("not when somebody reads it")
    {
        Command c = ShownViewer::command(s.desk.name(), "", {"--no-such-option"});
        s.viewer = std::make_unique<Process>(c); /* its output and its errors are two files */
        CHECK(s.viewer->wait(PATIENCE) == 2);
        CHECK(s.viewer->err().find("--no-such-option") != std::string::npos);
    }
}
