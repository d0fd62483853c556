/* A server that comes by itself, and one that is found by a repeater. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/e2e/between.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/reach.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

int connect_to(int port)
{
    sockaddr_in a = {};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = htons(static_cast<uint16_t>(port));
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
    return fd;
}

} // namespace

/* ---- the server comes ---- */

TEST_CASE("a server that is told to connect", "[listen]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    const std::vector<std::pair<std::string, std::string>> ways = {
        {"", "127.0.0.1"}, {"127.0.0.1::", "127.0.0.1"}, {"", "::1"}, {"[::1]::", "::1"}};
    bool ipv6 = file_exists("/proc/net/if_inet6") && !read_file("/proc/net/if_inet6").empty();
    for (const auto &[listen_on, viewer] : ways) {
        if (viewer == "::1" && !ipv6)
            continue;
        std::string port = std::to_string(free_port());
        INFO(listen_on << port << ", told to connect to " << viewer);
        Process p(moment({"--listen", listen_on + port}));
        await_said(p, "port " + port);
        Command tell;
        tell.argv = {"vncconfig", "-display", server->display, "-connect",
                     (viewer == "::1" ? "[::1]" : viewer) + ":" + port};
        Finished told = run(tell);
        INFO(told.out << told.err);
        CHECK(told.status == 0);
        auto status = p.wait(PATIENCE);
        check_seen(status, p.out(), p.err());
        CHECK(p.err().find(viewer + " has connected") != std::string::npos);
    }
}

TEST_CASE("a server that connects when it starts", "[listen]")
{
    std::string port = std::to_string(free_port());
    Process p(moment({"-listen", port}));
    await_said(p, "waiting for a server on port " + port);
    XvncOptions x;
    x.more = {"-connect", "127.0.0.1:" + port};
    auto server = start_x11vnc(x);
    if (!server)
        return;
    auto status = p.wait(PATIENCE);
    check_seen(status, p.out(), p.err());
}

TEST_CASE("others who connect are sent away", "[listen]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    int port = free_port();
    Process p(moment({"--listen", std::to_string(port)}));
    await_said(p, "waiting for a server");
    int talker = connect_to(port), silent = connect_to(port), quitter = connect_to(port);
    CHECK(write(talker, "GET / HTTP/1.1\r\n\r\n", 18) == 18);
    close(quitter);
    char byte;
    CHECK(read(talker, &byte, 1) <= 0); /* it ends: nothing was said to it */
    Command tell;
    tell.argv = {"vncconfig", "-display", server->display, "-connect",
                 "127.0.0.1:" + std::to_string(port)};
    CHECK(run(tell).status == 0);
    auto status = p.wait(PATIENCE);
    check_seen(status, p.out(), p.err());
    CHECK(p.err().find("is no VNC server: waiting for another one") != std::string::npos);
    close(talker);
    close(silent);
}

TEST_CASE("peers that are silent, or only begin like a server, keep nobody out", "[listen]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    const std::string greeting = "RFB 003.008\n";
    int port = free_port();
    Process p(moment({"--listen", std::to_string(port)}));
    await_said(p, "waiting for a server");
    int wrong = connect_to(port);
    CHECK(write(wrong, "x", 1) == 1);
    close(wrong);
    std::vector<int> peers; /* more than are waited for; five seconds each would be eight minutes */
    for (size_t i = 0; i < 100; i++) {
        peers.push_back(connect_to(port));
        CHECK(write(peers.back(), greeting.data(), i % greeting.size()) >= 0);
    }
    Command tell;
    tell.argv = {"vncconfig", "-display", server->display, "-connect",
                 "127.0.0.1:" + std::to_string(port)};
    CHECK(run(tell).status == 0);
    auto status = p.wait(PATIENCE);
    check_seen(status, p.out(), p.err());
    for (int fd : peers)
        close(fd);
}

TEST_CASE("a peer that greets like a server has the handshake's time, and keeps nobody out",
          "[listen]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    int port = free_port();
    Process p(moment({"--listen", "--connect-timeout", "2", std::to_string(port)}));
    await_said(p, "waiting for a server");
    int fd = connect_to(port);
    CHECK(write(fd, "RFB 003.008\n", 12) == 12);
    await_said(p, "the server stopped in the middle of the handshake: no byte for 2 s");
    close(fd);
    Command tell; /* again and again: nobody listens between two sessions */
    tell.argv = {"vncconfig", "-display", server->display, "-connect",
                 "127.0.0.1:" + std::to_string(port)};
    CHECK(wait_until(PATIENCE, [&] {
        run(tell);
        return !p.running();
    }));
    auto status = p.wait(PATIENCE);
    check_seen(status, p.out(), p.err());
}

TEST_CASE("a wait for a server ends when it is to end", "[listen]")
{
    int port = free_port();
    Process p(moment({"--listen", "--connect-timeout", "0.01", std::to_string(port)}));
    await_said(p, "waiting for a server");
    std::string second = refusal(moment({"--listen", std::to_string(port)}));
    CHECK(second.find("Address already in use. Choose another port with --listen PORT") !=
          std::string::npos);
    CHECK(p.running()); /* the wait is no part of the handshake */
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE) == 0);
    CHECK_FALSE(port_open(port));
    check_refusal(moment({"--listen", "host:1"}), {"--listen takes PORT"});
    check_refusal(moment({"--listen", "--compare"}), {"--compare"});
    check_refusal(moment({"--listen", "192.0.2.1::5500"}), {"cannot listen", "192.0.2.1"});
}

TEST_CASE("a port of ssh is named, and what leads on", "[listen]")
{
    FakeServer ssh({send_step("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"), stall()});
    check_refusal(moment({ssh.address()}),
                  {"not a VNC server", "This port is ssh's: use --ssh HOST"});
}

/* ---- repeaters ---- */

TEST_CASE("a repeater finds the server", "[repeater]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Repeater repeater(Repeater::ONE);
    check_sees(moment({"--repeater", repeater.viewer_address(), server->address}));
    CHECK(repeater.asked() == "127.0.0.1:" + std::to_string(server->port));
}

TEST_CASE("a repeater to which the server has connected", "[repeater]")
{
    Repeater repeater(Repeater::TWO);
    XvncOptions x;
    x.more = {"-connect", "repeater=ID:1234+" + repeater.server_address()};
    auto server = start_x11vnc(x);
    if (!server)
        return;
    check_sees(moment({"-repeater", repeater.viewer_address(), "ID:1234"}));
    CHECK(repeater.asked() == "ID:1234");
}

TEST_CASE("a repeater that is none, or has no such server", "[repeater]")
{
    FakeServer server(handshake(10, 10) + Script{stall()});
    check_refusal(moment({"--repeater", server.address(), "ID:1"}), {"leave out --repeater"});
    FakeServer web({send_step("HTTP/1.1 400 Bad Request\r\n"), stall()});
    check_refusal(moment({"--repeater", web.address(), "ID:1"}), {"not a repeater"});
    FakeServer mute({stall()});
    check_refusal(moment({"--connect-timeout", "1", "--repeater", mute.address(), "ID:1"}),
                  {"in time"});
    FakeServer knows_none({send_step("RFB 000.000\n")});
    check_refusal(moment({"--repeater", knows_none.address(), "ID:1"}),
                  {"closed", "check that the repeater knows"});
    check_refusal(moment({"--repeater", server.address(), "ID:x"}), {"ID: and a number"});
    check_refusal(moment({"--repeater", "/tmp/socket", "ID:1"}), {"socket"});
}
