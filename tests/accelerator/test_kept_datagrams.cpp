/* Datagrams to the viewers that come one after the other to a far end which is kept: each has a
 * door of its own. */
#include "hello.hpp"
#include "kept.hpp"
#include "tests/e2e/shown_viewer.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* sshd was found at this address: a viewer's, its port, ours, and port. */
const std::string SSH = "127.0.0.1 50022 127.0.0.1 22";

/* With options that say which ports. */
std::vector<std::string> keep_at(const std::string &ports, std::vector<std::string> more = {})
{
    std::vector<std::string> all = keep();
    all.insert(all.end(), {"--udp-ports", ports});
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/* It is let in at the door: then the socket that hears only this viewer takes what it says. */
void is_let_in(const accelerator_shown &said)
{
    Udp viewer(said.datagrams_port);
    REQUIRE(said.datagrams_port > 0);
    CHECK(viewer.say(hello(said.datagrams_secret)));
    for (int i = 0; i < 3; i++)
        CHECK(viewer.say("here I am"));
}

unsigned count(const std::string &text, const std::string &what)
{
    unsigned all = 0;
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at++)
        all++;
    return all;
}

} // namespace

TEST_CASE("kept: each viewer has a port and a secret of its own, and they end with it", "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime;
    Stdio first(runtime, server->address, keep_at("42100-42199"), SSH);
    auto client = std::make_unique<BlockClient>(first.greeted());
    REQUIRE(client->picture());
    Kept kept(first.pid());
    const accelerator_shown said = shown(*client);
    CHECK(said.datagrams_port >= 42100);
    CHECK(said.datagrams_port <= 42199);
    is_let_in(said);
    SECTION("it has gone")
    {
        client.reset();
        CHECK(first.end() == 0);
    }
    SECTION("it seems to be there: it is cut") {}
    Stdio again(runtime, server->address, keep_at("42200-42299"), SSH);
    BlockClient second(again.greeted());
    REQUIRE(second.picture());
    CHECK(again.await("event=resumed begun=yes datagrams=yes"));
    const accelerator_shown other = shown(second);
    CHECK(other.datagrams_port >= 42200);
    CHECK(other.datagrams_port <= 42299);
    CHECK(memcmp(said.datagrams_secret, other.datagrams_secret, ACCELERATOR_SECRET) != 0);
    is_let_in(other);
    client.reset();
    CHECK(is_closed_to(Udp(said.datagrams_port)));
    CHECK(first.end() == 0);
    for (const Stdio *one : {&first, &again})
        CHECK(one->said().find("secret") == std::string::npos);
    Udp late(other.datagrams_port);
    CHECK(late.say("still open"));
    second.goodbye();
    CHECK(kept.gone());
    CHECK(again.end() == 0);
    CHECK(is_closed_to(late));
}

TEST_CASE("kept: who comes again has no datagrams where that is said, and where no port is free",
          "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime;
    std::vector<std::string> options;
    std::string ssh = SSH;
    SECTION("it is said")
    {
        options = keep_at("42300-42399", {"--datagrams", "no"});
    }
    SECTION("nobody knows at which address")
    {
        options = keep();
        ssh = "";
    }
    SECTION("no port is free")
    {
        options = keep_at("42300-42300");
    }
    Stdio first(runtime, server->address, keep_at("42300-42300"), SSH);
    BlockClient client(first.greeted());
    REQUIRE(client.picture());
    CHECK(shown(client).datagrams_port == 42300);
    Stdio again(runtime, server->address, options, ssh);
    BlockClient second(again.greeted());
    REQUIRE(second.picture());
    CHECK(again.await("event=resumed begun=yes datagrams=no"));
    CHECK(second.seen.accelerator.find("datagrams") == std::string::npos);
    second.goodbye();
    CHECK(again.end() == 0);
}

TEST_CASE("kept: after a window has connected again, blocks come as datagrams", "[kept]")
{
    auto server = start_tigervnc({400, 300, {}, true});
    Runtime runtime;
    FarMachine far("export XDG_RUNTIME_DIR=" + runtime.path());
    if (!server || !far.gateway)
        return;
    OurPath path(*far.gateway);
    server->screen->fill(0x6080c0);
    Desk desk;
    ShownViewer window(
        desk, *server,
        {"--encodings", ENCODINGS_DEFAULT, "--ssh", far.name(), "--keep", "1h", "--verbose"});
    /* The far end has shown that its packets come: with them blocks do. */
    auto come = [&](unsigned times) {
        return wait_until(PATIENCE, [&] {
            return count(window.process().err(), "datagrams: they work") >= times;
        });
    };
    CHECK(come(1));
    for (unsigned i = 0; i < 2; i++) {
        std::vector<pid_t> ssh = children_named(window.process().pid(), "ssh");
        REQUIRE_FALSE(ssh.empty());
        kill(ssh.back(), SIGKILL);
        CHECK(is_gone(far.pid()));
        CHECK(come(i + 2));
        server->screen->draw(int(i));
        server->screen->settle();
        CHECK(window.wait_shows(server->screen->capture()));
    }
    CHECK(far.log().find("event=resumed begun=yes datagrams=yes") != std::string::npos);
    window.process().signal(SIGTERM);
    CHECK(window.process().wait(PATIENCE) == 0);
    CHECK(runtime.await_files(0));
}
