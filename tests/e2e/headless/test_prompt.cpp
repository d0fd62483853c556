/* Questions on the terminal: what is asked, what is typed, and how the terminal is left. */
#include <signal.h>
#include <sys/stat.h>

#include "tests/catch.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"
#include "tests/e2e/terminal.hpp"

using namespace e2e;

namespace
{

const int W = 64, H = 48;

Script accept()
{
    return Script{send_step(u32(0)),
                  expect(1),
                  handshake(W, H).back(),
                  await_request(),
                  send_step(raw_screen(W, H, 1)),
                  stall()};
}

/* VNC authentication; any password is right. */
Script with_password()
{
    return Script{send_step("RFB 003.008\n"),      expect(12), send_step(u8(1) + u8(2)), expect(1),
                  send_step(std::string(16, 'c')), expect(16)} +
           accept();
}

/* VeNCrypt Plain; a name and a password of so many bytes. */
Script with_name(size_t bytes)
{
    return Script{send_step("RFB 003.008\n"),
                  expect(12),
                  send_step(u8(1) + u8(19)),
                  expect(1),
                  send_step(u8(0) + u8(2)),
                  expect(2),
                  send_step(u8(0) + u8(1) + u32(256)),
                  expect(4 + 8 + bytes)} +
           accept();
}

/* Apple's login. The numbers are no prime and no key, and nothing tells: the answer is not read. */
Script as_a_mac()
{
    return Script{
               send_step("RFB 003.889\n"),
               expect(12),
               send_step(u8(3) + u8(30) + u8(33) + u8(36)),
               expect(1),
               send_step(u16(2) + u16(128) + std::string(128, '\xff') + std::string(128, '\x55')),
               expect(128 + 128)} +
           accept();
}

std::string question(const std::string &what, int port)
{
    return what + " port " + std::to_string(port) + ": ";
}

} // namespace

TEST_CASE("a password is typed, and not shown", "[prompt]")
{
    TempDir dir;
    XvncOptions x = with_password(dir, "s3cret");
    x.with_screen = false;
    auto server = start_tigervnc(x);
    if (!server)
        return;
    Terminal terminal;
    Process p(terminal.run({"--headless", "--duration", "0.2", server->address}));
    INFO(p.err());
    REQUIRE(terminal.asks(question("Password for 127.0.0.1", server->port)));
    CHECK_FALSE(terminal.as_before());
    terminal.type("s3creT\x7ft\n"); /* one letter corrected */
    CHECK(p.wait(PATIENCE) == 0);
    CHECK(terminal.shown().find("s3c") == std::string::npos);
    CHECK(terminal.as_before());
}

TEST_CASE("a name is typed and shown, then a password", "[prompt]")
{
    FakeServer server(with_name(2 + 6));
    Terminal terminal;
    Process p(terminal.run(
        {"--headless", "--duration", "0.2", "--security-types", "Plain", server.address()}));
    REQUIRE(terminal.asks(question("User name for 127.0.0.1", server.port())));
    terminal.type("mx\x7f"
                  "e\n");
    REQUIRE(terminal.asks(question("Password for 127.0.0.1", server.port())));
    terminal.type("s3cret\n");
    CHECK(p.wait(PATIENCE) == 0);
    CHECK(terminal.shown().find("mx\b \be") != std::string::npos);
    CHECK(terminal.shown().find("s3c") == std::string::npos);
}

TEST_CASE("what is in the environment is not asked for", "[prompt]")
{
    FakeServer server(with_name(2 + 6));
    Terminal terminal;
    Command c = terminal.run(
        {"--headless", "--duration", "0.2", "--security-types", "Plain", server.address()});
    c.env["VNC_USERNAME"] = "me";
    Process p(c);
    REQUIRE(terminal.asks(question("Password for 127.0.0.1", server.port())));
    terminal.type("s3cret\n");
    CHECK(p.wait(PATIENCE) == 0);
    CHECK(terminal.shown().find("User") == std::string::npos);
}

TEST_CASE("two connections, one question", "[prompt]")
{
    FakeServer server(with_password());
    Terminal terminal;
    Process p(terminal.run({"--headless", "--duration", "0.2", "--compare", server.address()}));
    REQUIRE(terminal.asks(question("Password for 127.0.0.1", server.port())));
    terminal.type("s3cret\n");
    CHECK(p.wait(PATIENCE) == 0);
    INFO(p.err());
    CHECK(terminal.shown().find("Password", terminal.shown().find("Password") + 1) ==
          std::string::npos);
    CHECK(wait_until(PATIENCE, [&] { return server.clients() == 2; }));
}

TEST_CASE("whoever gives up at the prompt gets the terminal back", "[prompt]")
{
    FakeServer server(with_password());
    for (const char *key : {"\x03", "\x04"}) { /* Ctrl+C, Ctrl+D */
        Terminal terminal;
        Process p(terminal.run({"--headless", "--duration", "1000", server.address()}));
        REQUIRE(terminal.asks(question("Password for 127.0.0.1", server.port())));
        terminal.type(std::string("s3c") + key);
        CHECK(p.wait(PATIENCE) == 1);
        CHECK(p.err() == "vnchl: no password given\n");
        CHECK(terminal.as_before());
    }
}

TEST_CASE("the program ends while it asks, and leaves the terminal as it was", "[prompt]")
{
    FakeServer server(with_password());
    for (bool window : {false, true}) {
        INFO((window ? "in a window" : "without a window"));
        Terminal terminal;
        Command c = window ? terminal.run({"--ask", "terminal", server.address()})
                           : terminal.run({"--headless", server.address()});
        if (window)
            c.env["SDL_VIDEODRIVER"] = "dummy";
        Process p(c);
        REQUIRE(terminal.asks(question("Password for 127.0.0.1", server.port())));
        p.signal(SIGTERM);
        CHECK(p.wait(PATIENCE) == 0);
        INFO(p.err());
        CHECK(p.err().empty());
        CHECK(terminal.as_before());
    }
}

TEST_CASE("a window is opened with a typed password", "[prompt]")
{
    FakeServer server(with_password());
    Terminal terminal;
    Command c = terminal.run({"--ask", "terminal", "--recent", "off", server.address()});
    c.env["SDL_VIDEODRIVER"] = "dummy";
    Process p(c);
    REQUIRE(terminal.asks(question("Password for 127.0.0.1", server.port())));
    terminal.type("s3cret\n");
    CHECK(wait_until(PATIENCE, [&] { return server.stalled(); })); /* the picture was asked for */
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE) == 0);
}

TEST_CASE("a password that would be sent as it is: who it goes to is asked each time", "[prompt]")
{
    TempDir dir;
    FakeServer server(with_name(2 + 6));
    std::vector<std::string> arguments = {"--headless", "--duration", "0.2", "--security-types",
                                          "Plain"};
    auto command = [&](const std::string &file) {
        std::vector<std::string> all = arguments;
        if (!file.empty())
            all.insert(all.end(), {"--passwd-file", file});
        all.push_back(server.address());
        Command c = vnchl(all);
        c.env["VNC_USERNAME"] = "me";
        c.env["VNC_PASSWORD"] = "s3cret";
        return c;
    };
    { /* nobody can be asked */
        Finished f = run(command(""));
        CHECK(f.status == 1);
        INFO(f.err);
        CHECK(f.err.find("vnchl: user name and password are not sent to 127.0.0.1 (Plain)") == 0);
        CHECK(f.err.find("--passwd-file FILE and --security-types Plain") != std::string::npos);
        CHECK(f.err.find('\n') == f.err.size() - 1);
    }
    for (bool yes : {false, true}) {
        Terminal terminal;
        Process p(terminal.on(command("")));
        REQUIRE(terminal.asks("Send the password to 127.0.0.1? (yes/no): "));
        terminal.type("once\n");
        REQUIRE(terminal.asks("Please type yes or no: "));
        terminal.type(yes ? "yes\n" : "no\n");
        CHECK(p.wait(PATIENCE) == (yes ? 0 : 1));
        INFO(p.err());
        CHECK((p.err().find("the password was not sent") == std::string::npos) == yes);
    }
    /* the command line itself names both */
    Finished f = run(command(vnc_password_file(dir, "s3cret")));
    INFO(f.err);
    CHECK(f.status == 0);
}

TEST_CASE("a link does not get the environment's password without a question", "[prompt]")
{
    FakeServer server(with_password());
    const std::string link = "vnc://127.0.0.1:" + std::to_string(server.port());
    Command c = vnchl({"--headless", "--duration", "0.2", link});
    c.env["VNC_PASSWORD"] = "s3cret";
    Finished f = run(c);
    CHECK(f.status == 1);
    CHECK(f.err.find("VNC_PASSWORD is for no server in particular") != std::string::npos);
    CHECK(f.err.find('\n') == f.err.size() - 1);
    Terminal terminal;
    Process p(terminal.on(c));
    REQUIRE(terminal.asks("Send the password to 127.0.0.1? (yes/no): "));
    CHECK(terminal.shown().find("VNC_PASSWORD") != std::string::npos);
    terminal.type("yes\n");
    CHECK(p.wait(PATIENCE) == 0);
}

TEST_CASE("a password file that others can read is used, and one line says so", "[prompt]")
{
    FakeServer server(with_password());
    TempDir dir, home;
    const std::string file = vnc_password_file(dir, "s3cret");
    REQUIRE_FALSE(file.empty());
    mkdir(home.file("vnchl").c_str(), 0700);
    write_file(home.file("vnchl/desk.conf"), "passwd-file " + file + "\n");
    for (bool profile : {false, true})
        for (mode_t mode : {0600, 0400, 0640, 0604}) {
            INFO((profile ? "a profile's" : "the command line's") << ", mode " << std::oct << mode);
            REQUIRE(chmod(file.c_str(), mode) == 0);
            Command c =
                vnchl({"--headless", "--duration", "0.2", profile ? "--profile" : "--passwd-file",
                       profile ? "desk" : file, server.address()});
            c.env["XDG_CONFIG_HOME"] = home.path();
            Finished f = run(c);
            CHECK(f.status == 0);
            CHECK(f.err == (mode & 077 ? "vnchl: others on this computer can read the password "
                                         "file: chmod 600 " +
                                             file + "\n"
                                       : ""));
        }
}

TEST_CASE("before Apple's login: what is not encrypted is said, and how ssh helps", "[prompt]")
{
    FakeServer server(as_a_mac());
    const std::string port = std::to_string(server.port());
    Terminal terminal;
    /* this machine by a name that does not say so */
    Process p(terminal.run({"--headless", "--duration", "0.2", "0.0.0.0::" + port}));
    REQUIRE(terminal.asks(question("User name for 0.0.0.0", server.port())));
    CHECK(terminal.shown().find("Only the name and the password are encrypted") !=
          std::string::npos);
    CHECK(terminal.shown().find("vnchl --via 0.0.0.0 localhost::" + port) != std::string::npos);
    terminal.type("me\n");
    REQUIRE(terminal.asks(question("Password for 0.0.0.0", server.port())));
    terminal.type("s3cret\n");
    CHECK(p.wait(PATIENCE) == 0);
}

TEST_CASE("a name that has no room in Apple's login is said, and nothing is sent", "[prompt]")
{
    FakeServer server(as_a_mac());
    Terminal terminal;
    Process p(terminal.run(
        {"--headless", "--duration", "0.2", "--user", std::string(64, 'm'), server.address()}));
    REQUIRE(terminal.asks(question("Password for 127.0.0.1", server.port())));
    terminal.type("s3cret\n");
    CHECK(p.wait(PATIENCE) == 1);
    CHECK(p.err().find("the user name has 64 bytes, and Apple's login (DH) has room for 63") !=
          std::string::npos);
}
