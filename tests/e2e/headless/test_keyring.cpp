/* --save-password: with the real keyring of GNOME, on a bus of the test's own. */
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"
#include "tests/e2e/terminal.hpp"

using namespace e2e;

namespace
{

/* Nobody was asked and there was none. */
const std::string NO_PASSWORD = "the server wants a password: ";

/* A home with a keyring, and a server with a password. Every run has a new bus and a new keyring
 * daemon, which end with it; what was saved is in the home. */
struct Scene {
    TempDir home, dir;
    std::unique_ptr<Server> server;

    Scene()
    {
        for (const char *program : {"dbus-run-session", "gnome-keyring-daemon", "gdbus"})
            if (!installed(program))
                return;
        mkdir(home.file("run").c_str(), 0700);
        XvncOptions x = with_password(dir, "s3cret");
        x.with_screen = false;
        server = start_tigervnc(x);
    }
    std::string asks() const
    {
        return "Password for 127.0.0.1 port " + std::to_string(server->port) + ": ";
    }
    std::vector<std::string> arguments(const std::string &save) const
    {
        return {"--headless", "--verbose", "--save-password", save, server->address};
    }
    /* The same command, with a keyring that is open. */
    Command with_keyring(Command c) const
    {
        c.env["HOME"] = home.path();
        c.env["XDG_DATA_HOME"] = home.file("data");
        c.env["XDG_RUNTIME_DIR"] = home.file("run");
        c.unset.erase(std::remove(c.unset.begin(), c.unset.end(), "XDG_RUNTIME_DIR"),
                      c.unset.end());
        c.argv.insert(c.argv.begin(),
                      {"dbus-run-session", "--", "sh", "-c",
                       "printf open | gnome-keyring-daemon --foreground --unlock "
                       "--components=secrets >/dev/null 2>&1 & "
                       "gdbus wait --session --timeout 120 org.freedesktop.secrets && exec \"$0\" "
                       "\"$@\""});
        return c;
    }
    /* The program on a terminal, with the keyring. */
    Command typed(const Terminal &terminal) const
    {
        Command c = with_keyring(vnchl(arguments("on")));
        return terminal.on(c);
    }
};

/* What is said on standard error, the bus's own words among it. */
std::string refusal_of(const Command &command)
{
    Finished f = run(command);
    CHECK(f.status);
    CHECK(f.status != 0);
    return f.err;
}

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a password that was right is kept when that is wanted, and is not asked for again",
          "[keyring]")
{
    Scene s;
    if (!s.server)
        return;
    { /* one that is wrong is not kept */
        Terminal terminal;
        Process p(s.typed(terminal));
        REQUIRE(terminal.asks(s.asks()));
        terminal.type("wrong\n");
        CHECK(p.wait(PATIENCE) == 1);
        INFO(p.err());
        CHECK(has(p.err(), "the server refused the password"));
    }
    CHECK(has(refusal_of(s.with_keyring(vnchl(s.arguments("on")))), NO_PASSWORD));
    {
        Terminal terminal;
        Process p(s.typed(terminal));
        REQUIRE(terminal.asks(s.asks()));
        terminal.type("s3cret\n");
        CHECK(wait_until(PATIENCE, [&] { return has(p.err(), "saved in the keyring"); }));
        INFO(p.err());
        CHECK_FALSE(has(p.err(), "not saved"));
    }
    auto again = s.arguments("on");
    again.insert(again.begin(), {"--duration", "0.2"});
    Finished f = run(s.with_keyring(vnchl(again)));
    INFO(f.err);
    CHECK(f.status == 0);
    /* only who asks for it gets it */
    CHECK(has(refusal_of(s.with_keyring(vnchl(s.arguments("off")))), NO_PASSWORD));
}

TEST_CASE("without a keyring the person is asked, and the reason is said", "[keyring]")
{
    Scene s;
    if (!s.server)
        return;
    Terminal terminal;
    auto arguments = s.arguments("on");
    arguments.insert(arguments.begin(), {"--duration", "0.2"});
    Command c = terminal.run(arguments);
    c.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent";
    Process p(c);
    REQUIRE(terminal.asks(s.asks()));
    terminal.type("s3cret\n");
    CHECK(p.wait(PATIENCE) == 0);
    CHECK(has(p.err(), "cannot look into the keyring: "));
    CHECK(has(p.err(), "the password is not saved in the keyring: "));
}
