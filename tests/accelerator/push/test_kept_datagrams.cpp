/* Datagrams to the viewers that come one after the other to a far end which is kept: each has a
 * door of its own. */
#include <sys/un.h>

#include "hello.hpp"
#include "kept.hpp"
#include "rfb/system/descriptors.h"
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

/* It is let in at the door, and the far end asks for its answer there. */
void is_let_in(BlockClient &client)
{
    const accelerator_shown said = shown(client);
    REQUIRE(said.datagrams_port > 0);
    Udp viewer(said.datagrams_port);
    blocks_message m = {};
    m.kind = BLOCKS_COUNT;
    uint8_t bytes[BLOCKS_MESSAGE_MAX], packet[SEALED_MAX], body[SEALED_BODY_MAX];
    client.raw.say(std::string(reinterpret_cast<char *>(bytes), blocks_write(bytes, &m)));
    CHECK(viewer.say(hello(said.datagrams_secret)));
    ssize_t n = -1;
    CHECK(
        wait_until(PATIENCE, [&] { return (n = recv(viewer.fd, packet, sizeof packet, 0)) > 0; }));
    std::unique_ptr<opener, void (*)(opener *)> o(
        opener_create(said.datagrams_secret, SEALED_TO_VIEWER), opener_destroy);
    size_t size;
    bool newest;
    CHECK(opener_open(o.get(), packet, size_t(n), body, &size, &newest));
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
    Stdio first(runtime, server->address, keep_at("32100-32199"), SSH);
    auto client = std::make_unique<BlockClient>(first.greeted());
    REQUIRE(client->picture());
    Kept kept(first.pid());
    const accelerator_shown said = shown(*client);
    CHECK(said.datagrams_port >= 32100);
    CHECK(said.datagrams_port <= 32199);
    is_let_in(*client);
    SECTION("it has gone")
    {
        client.reset();
        CHECK(first.end() == 0);
    }
    SECTION("it seems to be there: it is cut") {}
    Stdio again(runtime, server->address, keep_at("32200-32299"), SSH);
    BlockClient second(again.greeted());
    REQUIRE(second.picture());
    CHECK(again.await("event=resumed begun=yes datagrams=yes"));
    const accelerator_shown other = shown(second);
    CHECK(other.datagrams_port >= 32200);
    CHECK(other.datagrams_port <= 32299);
    CHECK(memcmp(said.datagrams_secret, other.datagrams_secret, ACCELERATOR_SECRET) != 0);
    is_let_in(second);
    client.reset();
    CHECK(is_closed_to(Udp(said.datagrams_port)));
    CHECK(first.end() == 0);
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
        options = keep_at("32300-32399", {"--datagrams", "no"});
    }
    SECTION("nobody knows at which address")
    {
        options = keep();
        ssh = "";
    }
    SECTION("no port is free")
    {
        options = keep_at("32300-32300");
    }
    Stdio first(runtime, server->address, keep_at("32300-32300"), SSH);
    BlockClient client(first.greeted());
    REQUIRE(client.picture());
    CHECK(shown(client).datagrams_port == 32300);
    Stdio again(runtime, server->address, options, ssh);
    BlockClient second(again.greeted());
    REQUIRE(second.picture());
    CHECK(again.await("event=resumed begun=yes datagrams=no"));
    CHECK(second.seen.accelerator.find("datagrams") == std::string::npos);
    second.goodbye();
    CHECK(again.end() == 0);
}

TEST_CASE("kept: who comes to the keeper and brings nothing, or no connection, is passed over",
          "[kept]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Runtime runtime;
    Stdio first(runtime, server->address, keep());
    BlockClient client(first.greeted());
    REQUIRE(client.picture());
    Kept kept(first.pid());
    std::vector<int> comers;
    auto come = [&] {
        sockaddr_un at = {};
        at.sun_family = AF_UNIX;
        snprintf(at.sun_path, sizeof at.sun_path, "%s", runtime.socket().c_str());
        comers.push_back(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        REQUIRE(connect(comers.back(), reinterpret_cast<sockaddr *>(&at), sizeof at) == 0);
        return comers.back();
    };
    shutdown(come(), SHUT_RDWR);
    REQUIRE(send(come(), "x", 1, 0) == 1);
    come(); /* it is silent */
    REQUIRE(client.raw.ask(false));
    CHECK(client.picture()); /* the viewer that is there stays */
    const int file = open("/dev/null", O_RDWR | O_CLOEXEC), files[3] = {file, file, file};
    REQUIRE(descriptors_send(come(), "x", 1, files, 3)); /* too many: as if none had come */
    REQUIRE(client.raw.ask(false));
    CHECK(client.picture());
    REQUIRE(descriptors_send(come(), "x", 1, files, 2)); /* no sockets: but it has come */
    CHECK(client.raw.hear_all().size() < size_t(1 << 24));
    CHECK(first.end() == 0);
    Stdio again(runtime, server->address, keep_at("32400-32499"), SSH);
    BlockClient second(again.greeted());
    REQUIRE(second.picture());
    is_let_in(second);
    second.goodbye();
    CHECK(kept.gone());
    CHECK(again.end() == 0);
    for (int fd : comers)
        close(fd);
    close(file);
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
        kill(ssh_of(window.process().pid()), SIGKILL);
        CHECK(is_gone(far.pid()));
        CHECK(come(i + 2));
        server->screen->draw(int(i));
        server->screen->settle();
        CHECK(window.wait_shows(server->screen->capture()));
    }
    CHECK(far.says("event=resumed begun=yes datagrams=yes"));
    window.process().signal(SIGTERM);
    CHECK(window.process().wait(PATIENCE) == 0);
    CHECK(runtime.await_files(0));
}
