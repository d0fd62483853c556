// The programs that lead to a server, and the wait for one that comes by itself.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "rfb/net/sockets/listener.h"
#include "rfb/net/sockets/socket.h"
#include "rfb/net/ssh/child.h"
#include "rfb/net/ssh/far_end.h"
#include "rfb/net/ssh/ssh_host.h"
#include "rfb/net/ssh/tunnel.h"
#include "rfb/system/clock.h"
#include "tests/catch.hpp"
#include "tests/temp_dir.hpp"
#include "tests/unit/rfb/net/line.hpp"

extern char **environ;

using line::LONG;

namespace
{

struct Shell {
    reason why{};
    child *c;
    explicit Shell(const char *script)
    {
        const char *const argv[] = {"sh", "-c", script, nullptr};
        const child_options o = {"ssh", argv, environ, -1};
        c = child_start(&o, &why);
        INFO(why.text);
        REQUIRE(c);
    }
    ~Shell()
    {
        child_destroy(c, 0);
    }
    /* Why it failed; empty: it did not. */
    std::string failure()
    {
        REQUIRE(child_wait(c, tick_now() + LONG));
        return child_failed(c, &why) ? why.text : "";
    }
};

} // namespace

TEST_CASE("why a program has failed is in the last lines that it wrote")
{
    CHECK(Shell("echo well >&2").failure().empty());
    CHECK(Shell("exit 3").failure() == "ssh ended with status 3");
    CHECK(Shell("kill -9 $$").failure() == "ssh was ended by signal 9");
    CHECK(Shell("echo no >&2; exit 1").failure() == "ssh: no");
    CHECK(Shell("echo out; exit 1").failure() == "ssh: out");
    CHECK(Shell("printf 'a\\r\\n\\n  \\nssh: b\\nc\\nno end' >&2; exit 1").failure() ==
          "ssh: b; c; no end");
    CHECK(Shell("printf 'x\\033[2J\\300\\n' >&2; exit 1").failure() == "ssh: x?[2J?");
    std::string much =
        Shell("for i in 1 2 3 4; do printf '%0200d\\n' $i >&2; done; exit 1").failure();
    CHECK(much.size() > 300);
    CHECK(much.size() < sizeof(reason::text));
    /* a line that never ends, and much more than a pipe holds */
    CHECK(Shell("head -c 1000000 /dev/zero >&2; exit 1").failure().size() < 250);
}

TEST_CASE("a program's own children do not keep its end waiting")
{
    Shell s("sleep 1000 & echo $! >&2; exit 1");
    std::string why = s.failure();
    REQUIRE(why.compare(0, 5, "ssh: ") == 0);
    CHECK(kill(atoi(why.c_str() + 5), SIGKILL) == 0);
}

TEST_CASE("a program that does not end is ended")
{
    /* what is ignored stays ignored by the program that takes the shell's place */
    const char *const argv[] = {"sh", "-c", "trap '' TERM; echo $$; exec sleep 1000", nullptr};
    int ends[2];
    char pid[16] = "";
    reason why{};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    const child_options o = {"ssh", argv, environ, ends[1]};
    child *c = child_start(&o, &why);
    REQUIRE(c);
    REQUIRE(read(ends[0], pid, sizeof pid - 1) > 1);
    CHECK_FALSE(child_wait(c, tick_now()));
    CHECK(kill(atoi(pid), 0) == 0);
    child_destroy(c, 0);
    CHECK(kill(atoi(pid), 0) == -1);
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("a program that is not there")
{
    const char *const argv[] = {"no-such-program-here", nullptr};
    const child_options o = {"ssh", argv, environ, -1};
    reason why{};
    CHECK_FALSE(child_start(&o, &why));
    CHECK(std::string(why.text) == "cannot run no-such-program-here: No such file or directory");
    CHECK(why.kind == FAILURE_START);
    child_destroy(nullptr, 0);
}

namespace
{

/* An `ssh` of the test's own, in front of PATH for as long as this lives. */
class StubSsh
{
  public:
    explicit StubSsh(const std::string &script) : path_(getenv("PATH"))
    {
        chmod(dir_.write("ssh", "#!/bin/sh\n" + script + "\n").c_str(), 0755);
        setenv("PATH", (dir_.path() + ":" + path_).c_str(), 1);
    }
    ~StubSsh()
    {
        setenv("PATH", path_.c_str(), 1);
    }
    /* A stream through it. */
    stream *open() const
    {
        route r{};
        address to{};
        reason why{};
        const transport_options options{};
        strcpy(r.gateway.host, "gate");
        strcpy(to.host, "far");
        to.port = 5900;
        stream *s = stream_connect(&r, &to, &options, tick_now() + LONG, -1, &why);
        INFO(why.text);
        REQUIRE(s);
        return s;
    }

  private:
    TempDir dir_;
    std::string path_;
};

} // namespace

TEST_CASE("what goes through ssh is counted, and the round trip is not known")
{
    StubSsh ssh("exec cat");
    stream *s = ssh.open();
    const std::string sent(50000, 'x');
    std::string got(sent.size(), 0);
    transport_info info;
    transport_window window;
    reason why{};

    CHECK(stream_wait_writable(s, -1, tick_now() + LONG) == TRANSPORT_READY);
    REQUIRE(stream_write(s, sent.data(), sent.size()));
    REQUIRE(stream_read(s, &got[0], got.size() - 1, &why));
    stream_info(s, &info);
    CHECK(info.bytes_sent == 50000);
    CHECK(info.bytes_received == 50000); /* the last one has arrived, too */
    CHECK(info.rtt_ms == 0);
    CHECK(info.smoothed_ms == 0);
    CHECK(stream_waiting(s) == 1);
    CHECK(stream_unsent(s) == 0);
    stream_window(s, &window);
    CHECK(window.tuned == INT64_MAX); /* nothing to tune: it is no TCP */
    stream_cut(s);
    CHECK_FALSE(stream_read(s, &got[0], 1, &why));
    CHECK(std::string(why.text) == "stopped");
    stream_destroy(s);
}

TEST_CASE("a name that ssh could take for an option never gets to it")
{
    StubSsh ssh("echo started >&2; exit 1");
    route r{};
    address to{};
    reason why{};
    const transport_options options{};
    strcpy(r.gateway.host, "gate");
    strcpy(to.host, "-oProxyCommand=x");
    to.port = 5900;
    CHECK_FALSE(stream_connect(&r, &to, &options, tick_now() + LONG, -1, &why));
    CHECK(std::string(why.text).find("that ssh can be told") != std::string::npos);
}

TEST_CASE("the end of ssh is the end of the stream, with a reason")
{
    const std::string to = "far port 5900 through gate: ssh: gone";
    char byte;
    reason why{};

    SECTION("before the server has said anything")
    {
        StubSsh ssh("echo gone >&2; exit 255");
        stream *s = ssh.open();
        CHECK_FALSE(stream_read(s, &byte, 1, &why));
        CHECK(why.text == "cannot reach " + to);
        CHECK_FALSE(stream_ended(s)); /* it was not the server */
        stream_destroy(s);
    }
    SECTION("after that")
    {
        StubSsh ssh("printf R; echo gone >&2; exit 255");
        stream *s = ssh.open();
        CHECK(stream_read(s, &byte, 1, &why));
        CHECK_FALSE(stream_read(s, &byte, 1, &why));
        CHECK(why.text == "lost the connection to " + to);
        stream_destroy(s);
    }
    SECTION("in peace: the server has closed the connection")
    {
        StubSsh ssh("echo gone >&2");
        stream *s = ssh.open();
        CHECK_FALSE(stream_read(s, &byte, 1, &why));
        CHECK(std::string(why.text) == "the server closed the connection");
        CHECK(stream_ended(s));
        stream_destroy(s);
    }
}

TEST_CASE("a command finds where to in its environment, and its port is connected to")
{
    gateway g{};
    address to{};
    reason why{};
    const transport_options options{};
    strcpy(g.host, "me@gate");
    strcpy(to.host, "far*");
    to.port = 5999;

    SECTION("it says what it found")
    {
        setenv("H", "another", 1);
        REQUIRE(gateway_set_command(&g, "echo \"%H\" '%R' \"$R\" %G >&2; exit 1", &why));
        CHECK_FALSE(tunnel_connect(&g, &to, &options, tick_now() + LONG, -1, &why));
        unsetenv("H");
        CHECK(std::string(why.text) == "cannot reach far* port 5999 through me@gate: VNC_VIA_CMD: "
                                       "far* ${R} 5999 me@gate");
    }
    SECTION("it opens nothing")
    {
        REQUIRE(gateway_set_command(&g, "true", &why));
        CHECK_FALSE(tunnel_connect(&g, &to, &options, tick_now(), -1, &why));
        CHECK(std::string(why.text).find("did not open its port") != std::string::npos);
    }
    SECTION("nobody waits any more")
    {
        line::Event cancel;
        eventfd_write(cancel.fd, 1);
        REQUIRE(gateway_set_command(&g, "exec sleep 1000", &why));
        CHECK_FALSE(tunnel_connect(&g, &to, &options, tick_now() + LONG, cancel.fd, &why));
        CHECK(std::string(why.text) == "stopped");
    }
}

TEST_CASE("who waits for a server can give up")
{
    address a{};
    line::Event cancel;
    reason why{};
    const transport_options options{};
    strcpy(a.host, "127.0.0.1"); /* and port 0: any that is free */
    eventfd_write(cancel.fd, 1);
    CHECK_FALSE(listener_accept(&a, &options, cancel.fd, &why));
    CHECK(std::string(why.text).find("Operation canceled") != std::string::npos);
}

namespace
{

/* What follows from these bytes; they are the last ones. */
struct FarEnd {
    reason why{};
    far_end_answer answer;
    std::string left; /* for who reads next */
    explicit FarEnd(const std::string &said)
    {
        int pair[2], most = 1 << 20;
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
        setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
        transport *t = socket_adopt(pair[0]);
        REQUIRE(t);
        REQUIRE(send(pair[1], said.data(), said.size(), 0) == static_cast<ssize_t>(said.size()));
        close(pair[1]);
        answer = far_end_await(t, tick_now() + LONG, -1, &why);
        for (char byte; t->ops->read(t, &byte, 1) == 1;)
            left += byte;
        t->ops->destroy(t);
    }
};

} // namespace

TEST_CASE("the far end of ssh is there when it has said so, whatever was printed before")
{
    const std::string greeting = FAR_END_GREETING, rfb = "RFB 003.008\n";
    for (const std::string &before :
         {std::string(), std::string("Welcome.\n\nToday:\r\n"), std::string("no line end "),
          std::string("\0\xff\x1b[2J\n\0", 8), std::string(500, 'x') + "\n",
          std::string(FAR_END_NOISE_MAX - greeting.size() - 1, '\n'),
          std::string("vnchl-accel stdi\n"), std::string(500, 'x')}) {
        FarEnd f(before + greeting + rfb);
        INFO(f.why.text);
        CHECK(f.answer == FAR_END_THERE);
        CHECK(f.left == rfb);
    }
    CHECK(FarEnd("vnchl-accel stdio 1\r\n" + rfb).left == rfb);
}

TEST_CASE("the far end of ssh that does not come")
{
    CHECK(FarEnd("").answer == FAR_END_SILENT);
    CHECK(std::string(FarEnd("").why.text).empty());
    FarEnd account("\nThis account is \x1b[1mnot available.\n \n");
    CHECK(account.answer == FAR_END_SILENT);
    CHECK(std::string(account.why.text) == "This account is ?[1mnot available.");
    CHECK(std::string(FarEnd("no line end").why.text) == "no line end");
    CHECK(FarEnd("vnchl-accel stdio 1").answer == FAR_END_SILENT);
    for (const char *version : {"2", "", "1 ", "11", "x", "1\r2"}) {
        FarEnd f(std::string("vnchl-accel stdio ") + version + "\n");
        INFO(version);
        CHECK(f.answer == FAR_END_FAILED);
        CHECK(std::string(f.why.text).find("upgrade the older") != std::string::npos);
    }
    FarEnd flood(std::string(FAR_END_NOISE_MAX, 'x') + FAR_END_GREETING);
    CHECK(flood.answer == FAR_END_FAILED);
    CHECK(std::string(flood.why.text).find("65536 bytes were printed") != std::string::npos);
}

TEST_CASE("ssh host: where ssh goes by itself, and not where something stands between")
{
    auto name = [](std::string said) {
        const char *found = ssh_host_name(&said[0]);
        return std::string(found ? found : "none");
    };
    const std::string desk = "user me\nhostname desk.example\nport 22\naddkeystoagent false\n";
    CHECK(name(desk) == "desk.example");
    CHECK(name("hostname 2001:db8::1\n") == "2001:db8::1");
    CHECK(name("hostname desk") == "desk");
    CHECK(name(desk + "proxyjump gate\n") == "none");
    CHECK(name("proxycommand nc %h %p\n" + desk) == "none");
    CHECK(name(desk + "proxyusefdpass no\n") == "desk.example");
    CHECK(name("") == "none");
    CHECK(name("\n\nhostnames are strange\n") == "none");
}

TEST_CASE("ssh host: what ssh itself says of a host")
{
    if (system("ssh -V 2> /dev/null") != 0)
        return;
    gateway g = {};
    sockaddr_storage host = {};
    strcpy(g.host, "somebody@127.0.0.1");
    REQUIRE(ssh_host(&g, tick_now() + LONG, -1, &host));
    REQUIRE(host.ss_family == AF_INET);
    CHECK(reinterpret_cast<sockaddr_in *>(&host)->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    CHECK_FALSE(ssh_host(&g, tick_now() - 1, -1, &host)); // no time
    strcpy(g.host, "nobody.invalid");
    CHECK_FALSE(ssh_host(&g, tick_now() + LONG, -1, &host));
}
