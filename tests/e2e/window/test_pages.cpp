/* The viewer's own pages, in the real program's window on an Xvfb: what is typed and clicked there
 * is judged by what the server gets, and by the colours of the window. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>

#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

std::unique_ptr<Server> start_with_password()
{
    static TempDir dir;
    return can_run() ? start_tigervnc(with_password(dir, "s3cret")) : nullptr;
}

/* The whole title, once it is this. */
bool wait_title(Scene &s, const std::string &title)
{
    return wait_until(PATIENCE, [&] { return s.title() == title; });
}

/* What is in the window, once it stays. */
Image see_at_rest(Scene &s)
{
    Image last;

    CHECK(s.wait([&](const Image &i) {
        const bool same = i == last;
        last = i;
        return same;
    }));
    return last;
}

/* Where the first row begins that has a field in it, among the pixels. */
std::ptrdiff_t field_begins(const Image &i)
{
    int y = 0;

    while (y < i.height && i.count(FIELD, y, y + 1) < 100)
        y++;
    return static_cast<std::ptrdiff_t>(y) * i.width;
}

/* A server comes to --listen from this address of this machine, and asks for a password. */
int come_and_ask(Scene &s, const char *from, int port)
{
    const timeval patience = {20, 0};
    const std::string types = u8(1) + u8(2), challenge(16, 'x');
    sockaddr_in a = {};
    char said[12];

    REQUIRE(wait_until(PATIENCE, [&] {
        return s.viewer->err().find("waiting for a server on port") != std::string::npos;
    }));
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    a.sin_family = AF_INET;
    REQUIRE(inet_pton(AF_INET, from, &a.sin_addr) == 1);
    REQUIRE(bind(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = htons(static_cast<uint16_t>(port));
    REQUIRE(connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    CHECK(write(fd, "RFB 003.008\n", 12) == 12);
    CHECK(recv(fd, said, 12, MSG_WAITALL) == 12);
    CHECK(write(fd, types.data(), 2) == 2);
    CHECK(recv(fd, said, 1, MSG_WAITALL) == 1);
    CHECK(write(fd, challenge.data(), 16) == 16);
    CHECK(s.wait([](const Image &i) { return i.count(FIELD) > 1000; }));
    return fd;
}

} // namespace

TEST_CASE("pages: the window is there before the connection, and can be left", "[pages]")
{
    if (!can_run())
        return;
    FakeServer server({send_step("RFB 003.008\n"), expect(12), stall()});
    Scene s(server.address());
    CHECK(s.wait_page(false));
    CHECK(wait_until(PATIENCE, [&] { return server.stalled(); }));
    SECTION("with Escape")
    {
        s.desk.tap(XK_Escape);
    }
    SECTION("with Enter, which presses the only button")
    {
        s.desk.tap(XK_Return);
    }
    SECTION("like every window")
    {
        s.desk.close_window(s.window());
    }
    CHECK(s.viewer->wait(PATIENCE) == 0);
    CHECK(s.viewer->err().empty());
}

TEST_CASE("pages: both ways to draw show the same", "[pages]")
{
    if (!can_run())
        return;
    FakeServer server({send_step("RFB 003.008\n"), expect(12), stall()});
    Scene s(server.address(), {"--theme", "dark"});
    REQUIRE(s.wait_page(false));
    Image first;
    CHECK(s.wait([&](const Image &i) { /* until it stays */
                                       bool same = i == first;
                                       first = i;
                                       return same;
    }));
    CHECK(first.width == 640);
    CHECK(first.at(2, 2) == GROUND);
    s.again(server.address(), {"--theme", "dark"}, {{"SDL_RENDER_DRIVER", "software"}});
    CHECK(s.wait_shows(first));
}

TEST_CASE("pages: light and dark", "[pages]")
{
    if (!can_run())
        return;
    FakeServer server({send_step("RFB 003.008\n"), expect(12), stall()});
    auto ground = [&](Scene &s, uint32_t colour) {
        return s.wait([&](const Image &i) { return i.width > 2 && i.at(2, 2) == colour; });
    };
    Scene s(server.address());
    CHECK(ground(s, GROUND));
    s.again(server.address(), {"--theme", "light"});
    CHECK(ground(s, LIGHT_GROUND));
    s.again(server.address(), {}, {{"GTK_THEME", "Adwaita"}});
    CHECK(ground(s, LIGHT_GROUND));
    s.again(server.address(), {"--theme", "dark"}, {{"GTK_THEME", "Adwaita"}});
    CHECK(ground(s, GROUND));
}

TEST_CASE("pages: a password is typed; a wrong one is asked for again", "[pages]")
{
    auto server = start_with_password();
    if (!server)
        return;
    server->screen->draw(0);
    server->screen->settle();
    SECTION("typed")
    {
        Scene s(server->address);
        REQUIRE(s.wait_question(false));
        s.desk.type("wrong");
        s.desk.tap(XK_Return);
        REQUIRE(s.wait_question(true));
        s.desk.type("s3creq");
        s.desk.tap(XK_BackSpace);
        s.desk.type("t");
        s.desk.tap(XK_Return);
        CHECK(s.wait_shows(server->screen->capture()));
        /* the keys are the server's now */
        s.desk.tap(XK_b);
        CHECK(server->screen->wait_key(XK_b, true, PATIENCE));
        CHECK(server->screen->wait_key(XK_b, false, PATIENCE));
        s.desk.close_window(s.window());
        CHECK(s.viewer->wait(PATIENCE) == 0);
        CHECK(s.viewer->err().empty());
    }
    SECTION("with a renderer instead of the window's memory")
    {
        Scene s(server->address, {}, {{"SDL_RENDER_DRIVER", "software"}});
        REQUIRE(s.wait_question(false));
        s.desk.type("s3cret");
        s.desk.tap(XK_Return);
        CHECK(s.wait_shows(server->screen->capture()));
    }
    SECTION("the environment's is wrong")
    {
        Scene s(server->address, {}, {{"VNC_PASSWORD", "wrong"}});
        REQUIRE(s.wait_question(true));
        s.desk.type("s3cret");
        s.desk.tap(XK_KP_Enter);
        CHECK(s.wait_shows(server->screen->capture()));
    }
    SECTION("given up")
    {
        Scene s(server->address);
        REQUIRE(s.wait_question(false));
        s.desk.type("s3c");
        s.desk.tap(XK_Up); /* from the field to the last button */
        s.desk.tap(XK_Up); /* to Cancel */
        s.desk.tap(XK_space);
        CHECK(s.viewer->wait(PATIENCE) == 0);
    }
}

TEST_CASE("pages: a password that is for no server in particular goes after a question", "[pages]")
{
    auto server = start_with_password();
    if (!server)
        return;
    server->screen->fill(0x205080);
    Scene s("vnc://127.0.0.1:" + std::to_string(server->port), {}, {{"VNC_PASSWORD", "s3cret"}});
    REQUIRE(s.wait_page(true));
    SECTION("it is not sent by default")
    {
        s.desk.tap(XK_Return);
        CHECK(s.viewer->wait(PATIENCE) == 0);
    }
    SECTION("it is sent")
    {
        s.desk.tap(XK_Tab);
        s.desk.tap(XK_space);
        CHECK(s.wait_shows(server->screen->capture()));
    }
}

TEST_CASE("pages: a server that has come to --listen and has asked is not waited for any more",
          "[pages]")
{
    if (!can_run())
        return;
    const int port = free_port();
    Scene s("", {"--listen", std::to_string(port)});
    REQUIRE(s.wait_page(false));
    const Image waiting = see_at_rest(s);
    const int fd = come_and_ask(s, "127.0.0.1", port);
    char said[16];
    s.desk.type("s3cret");
    s.desk.tap(XK_Return);
    CHECK(recv(fd, said, 16, MSG_WAITALL) == 16);
    /* the server says nothing: the page is another one than before */
    CHECK(s.wait([&](const Image &i) {
        return i.count(PANEL) > 1000 && i.count(FIELD) < 1000 && i != waiting;
    }));
    s.desk.tap(XK_Escape);
    CHECK(s.viewer->wait(PATIENCE) == 0);
    close(fd);
}

TEST_CASE("pages: with --listen the question for a password names who has come", "[pages]")
{
    if (!can_run())
        return;
    Scene s("");
    REQUIRE(s.wait_question(false));
    const auto asked_from = [&](const char *from) {
        const int port = free_port();
        s.again("", {"--listen", std::to_string(port)});
        const int fd = come_and_ask(s, from, port);
        Image page = see_at_rest(s);
        close(fd);
        return page;
    };
    const Image one = asked_from("127.0.0.1"), other = asked_from("127.0.0.2");
    CHECK(asked_from("127.0.0.1") == one); /* not where it was waited for, which is new each time */
    CHECK(other != one);
    /* all that is another is above the field: the title */
    REQUIRE((other.width == one.width && other.height == one.height));
    const std::ptrdiff_t field = field_begins(one);
    REQUIRE(field < one.pixels.end() - one.pixels.begin());
    CHECK(std::equal(one.pixels.begin() + field, one.pixels.end(), other.pixels.begin() + field));
}

TEST_CASE("pages: a keyring that does not answer is waited for in the window", "[pages]")
{
    if (!installed("dbus-run-session") || !installed("dbus-test-tool"))
        return;
    auto server = start_with_password();
    if (!server)
        return;
    server->screen->fill(0x205080);
    TempDir dir;
    const std::string pid = dir.file("pid");
    /* a bus on which the keyring's name belongs to a program that never answers */
    Scene s(server->address, {"--save-password", "on"}, {},
            {"dbus-run-session", "--", "sh", "-c",
             "dbus-test-tool black-hole --name=org.freedesktop.secrets & echo $! >" + pid +
                 "; gdbus wait --session org.freedesktop.secrets; exec \"$0\" \"$@\""});
    REQUIRE(s.wait_page(false));
    CHECK(s.see().count(FIELD) < 1000); /* it asks for nothing */
    SECTION("and left")
    {
        s.desk.tap(XK_Escape);
        CHECK(s.viewer->wait(PATIENCE) == 0);
    }
    SECTION("the person is asked when the keyring has gone")
    {
        kill(std::stoi(read_file(pid)), SIGKILL);
        REQUIRE(s.wait([](const Image &i) { return i.count(FIELD) > 1000; }));
        s.desk.type("s3cret");
        s.desk.tap(XK_Return);
        CHECK(s.wait_shows(server->screen->capture()));
    }
}

TEST_CASE("pages: a password is shown, and remembered in the keyring, when that is wanted",
          "[pages]")
{
    for (const char *program : {"dbus-run-session", "gnome-keyring-daemon", "gdbus"})
        if (!installed(program))
            return;
    TempDir dir;
    auto server = can_run() ? start_tigervnc(with_password(dir, "s3cret")) : nullptr;
    if (!server)
        return;
    server->screen->fill(0x204060);
    mkdir(dir.file("run").c_str(), 0700);
    const std::map<std::string, std::string> env = {{"HOME", dir.path()},
                                                    {"XDG_RUNTIME_DIR", dir.file("run")}};
    const std::vector<std::string> keyring = {
        "dbus-run-session", "--", "sh", "-c",
        "printf open | gnome-keyring-daemon --foreground --unlock --components=secrets "
        ">/dev/null 2>&1 & gdbus wait --session --timeout 120 org.freedesktop.secrets && "
        "exec \"$0\" \"$@\""};
    Scene s(server->address, {}, env, keyring);

    REQUIRE(s.wait_question(false));
    s.desk.type("s3cret");
    s.desk.wait_for_program(s.window());
    const Image hidden = s.see();
    s.desk.tap(XK_Tab); /* to "Show the password" */
    s.desk.tap(XK_space);
    REQUIRE(s.wait([&](const Image &i) { return i.count(FIELD) != hidden.count(FIELD); }));
    s.desk.tap(XK_Tab); /* to "Remember it" */
    s.desk.tap(XK_space);
    s.desk.wait_for_program(s.window());
    s.desk.tap(XK_Up);
    s.desk.tap(XK_Up); /* back to the field */
    s.desk.tap(XK_Return);
    REQUIRE(s.wait_shows(server->screen->capture()));
    s.desk.close_window(s.window());
    CHECK(s.viewer->wait(PATIENCE) == 0);
    const std::string list = s.home.file("state/vnchl/remembered");
    CHECK(read_file(list) == std::to_string(server->port) + " 127.0.0.1\n");

    s.again(server->address, {}, env, keyring); /* nobody is asked */
    CHECK(s.wait_shows(server->screen->capture()));
    s.again(server->address, {"--recent", "off"}, env, keyring);
    CHECK(s.wait_question(false));
}

TEST_CASE("pages: keys that were typed at a page never reach the server", "[pages]")
{
    auto server = start_with_password();
    if (!server)
        return;
    server->screen->fill(0x205080);
    Scene s(server->address);
    REQUIRE(s.wait_question(false));
    s.desk.type("s3cret");
    s.desk.key(XK_Return, true); /* held until the server would get it */
    CHECK(s.wait_shows(server->screen->capture()));
    s.desk.key(XK_Return, false);
    s.desk.tap(XK_b);
    bool enter = false;
    CHECK(server->screen->wait_input(PATIENCE, [&](const XScreen::Input &i) {
        enter = enter || i.keysym == XK_Return;
        return i.type == KeyPress && i.keysym == XK_b;
    }));
    CHECK_FALSE(enter);
}

TEST_CASE("pages: a user name and a password", "[pages]")
{
    if (!can_run())
        return;
    /* VeNCrypt Plain: the lengths come first, so the server knows when it has them */
    Script plain = {send_step("RFB 003.008\n"),
                    expect(12),
                    send_step(u8(1) + u8(19)),
                    expect(1),
                    send_step(u8(0) + u8(2)),
                    expect(2),
                    send_step(u8(0) + u8(1) + u32(256)),
                    expect(4 + 8 + 2 + 6),
                    send_step(u32(0)),
                    expect(1),
                    handshake(64, 48).back(),
                    await_request(),
                    send_step(raw_screen(64, 48, 1)),
                    stall()};
    FakeServer server(plain);
    Scene s(server.address(), {"--security-types", "Plain"});
    REQUIRE(s.wait_question(false));
    s.desk.type("me");
    s.desk.tap(XK_Tab);
    s.desk.type("s3cret");
    s.desk.tap(XK_Return);
    CHECK(s.wait_desktop());
}

TEST_CASE("pages: a certificate is shown, and remembered when it is accepted", "[pages]")
{
    TempDir dir;
    if (!can_run() || !make_certificate(dir))
        return;
    auto server = start_tigervnc(with_certificate(dir));
    if (!server)
        return;
    server->screen->fill(0x306020);
    Scene s(server->address);
    std::string known = s.home.file("data/vnchl/known_servers");
    REQUIRE(s.wait_question(true));
    s.desk.tap(XK_Return); /* the default is to refuse */
    CHECK(s.viewer->wait(PATIENCE) == 0);
    CHECK_FALSE(file_exists(known));

    s.again(server->address);
    REQUIRE(s.wait_question(true));
    s.desk.tap(XK_Tab); /* to "Only this time" */
    s.desk.tap(XK_Return);
    CHECK(s.wait_shows(server->screen->capture()));
    CHECK_FALSE(file_exists(known));

    s.again(server->address);
    REQUIRE(s.wait_question(true));
    s.desk.tap(XK_Tab);
    s.desk.tap(XK_Tab); /* to "Accept and remember" */
    s.desk.tap(XK_Return);
    CHECK(s.wait_shows(server->screen->capture()));
    CHECK(file_exists(known));
    s.again(server->address);
    CHECK(s.wait_shows(server->screen->capture()));
}

TEST_CASE("pages: what a server says is drawn in its script, by both ways to draw", "[pages]")
{
    if (!can_run())
        return;
    Command fonts;
    fonts.argv = {"fc-list", ":charset=1f600", "file"};
    if (find_program("fc-list").empty() || run(fonts).out.empty())
        return;
    std::string said = "\u05d0\u05d1 \u0628\u0628 \U0001f600";
    FakeServer server({send_step("RFB 003.008\n"), expect(12),
                       send_step(u8(0) + u32(static_cast<uint32_t>(said.size())) + said)});
    Scene s(server.address());
    REQUIRE(s.wait_page(true));
    /* letters have the warning's colour, the emoji has its own: yellow */
    auto yellow = [](uint32_t p) {
        return (p >> 16) > 200 && (p >> 8 & 255) > 150 && (p & 255) < 100;
    };
    CHECK(s.wait([&](const Image &i) {
        return std::count_if(i.pixels.begin(), i.pixels.end(), yellow) > 20;
    }));
    Image first = s.see();
    server.play({send_step("RFB 003.008\n"), expect(12),
                 send_step(u8(0) + u32(static_cast<uint32_t>(said.size())) + said)});
    s.again(server.address(), {}, {{"SDL_RENDER_DRIVER", "software"}});
    CHECK(s.wait_shows(first));
}

TEST_CASE("pages: an error says why, and can be tried again", "[pages]")
{
    if (!can_run())
        return;
    FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(u8(0) + u32(4) + "no!!")});
    Scene s(server.address());
    REQUIRE(s.wait_page(true));
    CHECK(s.viewer->running());
    CHECK(s.viewer->err().find("no!!") != std::string::npos);
    SECTION("retry")
    {
        CHECK(wait_until(PATIENCE, [&] { return server.clients() == 1; }));
        server.play(handshake(64, 48) +
                    Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()});
        s.desk.tap(XK_Return);
        CHECK(s.wait_desktop());
        s.desk.close_window(s.window());
        CHECK(s.viewer->wait(PATIENCE) == 0);
    }
    SECTION("back to the address, to mend it")
    {
        CHECK(wait_until(PATIENCE, [&] { return server.clients() == 1; }));
        server.play(handshake(64, 48) +
                    Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()});
        CHECK(wait_title(s, server.address() + ": not connected - vnchl"));
        s.desk.tap(XK_Escape);
        REQUIRE(s.wait_question(false));
        CHECK(wait_title(s, "vnchl"));
        SECTION("it stands in the field")
        {
            s.desk.tap(XK_Return);
            CHECK(s.wait_desktop());
            s.desk.close_window(s.window());
            CHECK(s.viewer->wait(PATIENCE) == 0);
        }
        SECTION("and Escape ends the program, which has failed")
        {
            s.desk.tap(XK_Escape);
            CHECK(s.viewer->wait(PATIENCE) == 1);
            CHECK(s.viewer->err().find('\n') == s.viewer->err().size() - 1); /* said once */
        }
    }
    SECTION("the window is closed")
    {
        s.desk.close_window(s.window());
        CHECK(s.viewer->wait(PATIENCE) == 1);
    }
    SECTION("nobody waits for it when nobody wants to see it")
    {
        CHECK(wait_until(PATIENCE, [&] { return server.clients() == 1; }));
        s.again(server.address(), {"-AlertOnFatalError=0"});
        CHECK(s.viewer->wait(PATIENCE) == 1);
    }
}

TEST_CASE("pages: a Mac that has to be told how to let us in, and is told", "[pages]")
{
    if (!can_run())
        return;
    FakeServer server(
        {send_step("RFB 003.889\n"), expect(12), send_step(u8(3) + u8(33) + u8(35) + u8(36))});
    Scene s(server.address());
    REQUIRE(s.wait_page(true));
    Image steps = s.see();
    CHECK(steps.count(PANEL) > Scene::QUESTION); /* they need room, and */
    CHECK(steps.count(ACCENT) > 1000);           /* the button can be seen all the same */
    CHECK(s.viewer->err().find("\"VNC viewers may control screen with password\"") !=
          std::string::npos);
    CHECK(wait_until(PATIENCE, [&] { return server.clients() == 1; }));
    server.play(handshake(64, 48) +
                Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()});
    s.desk.tap(XK_Return);
    CHECK(s.wait_desktop());
}

TEST_CASE("pages: a notice above the picture when the connection is lost", "[pages]")
{
    if (!can_run())
        return;
    for (const char *driver : {"", "software"}) {
        INFO("renderer '" << driver << "'");
        auto server = start_tigervnc();
        if (!server)
            return;
        server->screen->fill(0x206040);
        Scene s(server->address, {}, {{"SDL_RENDER_DRIVER", driver}});
        REQUIRE(s.wait_shows(server->screen->capture()));
        server->screen.reset();
        server->stop();
        /* a message, and the picture is dimmed */
        auto is_told = [](const Image &i) {
            return i.count(BAR) > 1000 && i.at(5, 380) != 0x206040;
        };
        CHECK(s.wait(is_told));
        s.desk.close_window(s.window());
        CHECK(s.viewer->wait(PATIENCE) == 0);
    }
}
