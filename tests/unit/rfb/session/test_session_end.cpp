// What kind of failure has ended a session. The server is a script.
#include "tests/catch.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "rfb/net/sockets/socket.h"
#include "tests/seed.hpp"
#include "tests/unit/session_blocks.hpp"

using namespace peer;

namespace
{

int given_socket; // the session's

const std::string REASON = bytes({0, 0, 0, 4}) + "busy";

// The kind of end that a session comes to with this server. A question is refused, or answered.
enum failure end_of(const std::function<void(Peer &)> &script, bool answers = true)
{
    Server server(script);
    Owner owner(server);
    Event e = owner.next();
    while (e->type != SESSION_CLOSED) {
        const struct session_question *q = session_event_question(e.get());
        if (q && answers)
            session_answer_credentials(owner, q->number, "user", "wrong");
        else if (q)
            session_refuse(owner, q->number, nullptr);
        e = owner.next();
    }
    INFO(session_event_text(e.get()));
    return static_cast<enum failure>(e->failure);
}

void vnc(Peer &p, const std::string &result)
{
    greet(p);
    p.write(bytes({1, SECURITY_VNC}));
    p.read(1);
    p.write("sixteen bytes ok");
    p.read(16);
    p.write(result);
}

void serve(Peer &p)
{
    greet(p);
    p.write(bytes({1, SECURITY_NONE}));
    p.read(1);
    let_in(p);
}

} // namespace

TEST_CASE("a session that is stopped has not failed")
{
    Server server([](Peer &p) {
        serve(p);
        p.read_rest();
    });
    Owner owner(server);
    owner.connected();
    session_stop(owner);
    CHECK(owner.closed().empty());
    CHECK(owner.failure() == FAILURE_NONE);
}

TEST_CASE("what the user does last leaves before the session ends, whatever its threads are at")
{
    const std::string key("\4\1\0\0\0\0\0a", 8);
    const size_t bells = GENERATE(1, 50000); // the receiver waits, or is busy with them
    std::mt19937 random(any_seed());
    for (int i = 0; i < 300; i++) {
        std::string rest;
        {
            Server server([&](Peer &p) {
                serve(p);
                Heard heard(p);
                heard.until(CLIENT_UPDATE_REQUEST);
                p.write(std::string(bells, '\2'));
                rest = p.read_rest();
            });
            Owner owner(server);
            owner.connected();
            wait_for(owner, SESSION_BELL);
            session_hide(owner, false); // the sender wakes, and has nothing to say
            // more exact than a sleep: it is to be done when this comes
            const auto then =
                std::chrono::steady_clock::now() + std::chrono::nanoseconds(random() % 60000);
            while (std::chrono::steady_clock::now() < then)
                ;
            session_send_key(owner, 'a', true);
        }
        INFO("session " << i << ", " << bells << " bells");
        REQUIRE(rest.find(key) != std::string::npos);
    }
}

TEST_CASE("what the user does last leaves where the server has not read all before it")
{
    const std::string key("\4\1\0\0\0\0\0a", 8);
    int pair[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    given_socket = pair[1];
    session_hooks h = {};
    h.connect = [](session_options *, tick_t, int, reason *) {
        return stream_create(socket_adopt(given_socket));
    };
    std::atomic<bool> stopped{false};
    std::string rest;
    std::thread script([&] {
        Peer p(pair[0]);
        serve(p);
        Heard heard(p);
        heard.until(CLIENT_UPDATE_REQUEST);
        p.write("\2");
        while (!stopped)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        rest = p.read_rest();
    });
    {
        Owner owner(session_options{}, h);
        owner.connected();
        wait_for(owner, SESSION_BELL);
        session_send_key(owner, 'b', true);
        for (int waits = 0; waits == 0;)
            ioctl(pair[0], FIONREAD, &waits);
        session_send_key(owner, 'a', true);
        session_stop(owner);
        stopped = true;
    }
    script.join();
    CHECK(rest.find(key) != std::string::npos);
}

TEST_CASE("a connection that ends at any time is lost")
{
    CHECK(end_of([](Peer &) {}) == FAILURE_LOST);
    CHECK(end_of(greet) == FAILURE_LOST);
    CHECK(end_of(serve) == FAILURE_LOST);
    CHECK(end_of([](Peer &p) {
              serve(p);
              p.write(bytes({0, 0, 0, 1, 0})); // a part of an update
          }) == FAILURE_LOST);
}

TEST_CASE("a server that wants no connection has refused it")
{
    CHECK(end_of([](Peer &p) {
              greet(p);
              p.write(bytes({0}) + REASON);
          }) == FAILURE_REFUSED);
    CHECK(end_of([](Peer &p) {
              greet(p);
              p.write(bytes({1, SECURITY_NONE}));
              p.read(1);
              p.write(bytes({0, 0, 0, 1}) + REASON);
          }) == FAILURE_REFUSED);
}

TEST_CASE("a password that is wrong or missing is a failure to authenticate")
{
    CHECK(end_of([](Peer &p) { vnc(p, bytes({0, 0, 0, 1}) + REASON); }) == FAILURE_AUTHENTICATION);
    CHECK(end_of([](Peer &p) { vnc(p, bytes({0, 0, 0, 1})); }) == FAILURE_AUTHENTICATION);
    CHECK(end_of(
              [](Peer &p) {
                  greet(p);
                  p.write(bytes({1, SECURITY_VNC}));
                  p.read(1);
                  p.write("sixteen bytes ok");
                  p.read_rest();
              },
              false) == FAILURE_AUTHENTICATION);
}

TEST_CASE("what is no VNC, or not ours, does not fit")
{
    CHECK(end_of([](Peer &p) { p.write("SSH-2.0-OpenSSH\r\n"); }) == FAILURE_PROTOCOL);
    CHECK(end_of([](Peer &p) {
              serve(p);
              p.write(bytes({99}));
              p.read_rest();
          }) == FAILURE_PROTOCOL);
}

TEST_CASE("a server without a security type that is allowed is told from one that speaks no VNC")
{
    CHECK(end_of([](Peer &p) {
              greet(p);
              p.write(bytes({1, 200})); // a type that nobody has
              p.read_rest();
          }) == FAILURE_SECURITY);
    CHECK(end_of([](Peer &p) {
              p.write("RFB 003.003\n"); // the server chooses
              p.read(12);
              p.write(bytes({0, 0, 0, 200}));
              p.read_rest();
          }) == FAILURE_SECURITY);
}

TEST_CASE("what failed before there was a connection is said")
{
    struct session_options o = {};
    struct reason why = {};
    auto end = [&] {
        Owner owner(o);
        owner.closed();
        return owner.failure();
    };
    REQUIRE(address_parse(&o.address, "no-such-host.invalid:1", &why));
    CHECK(end() == FAILURE_NAME);
    REQUIRE(address_parse(&o.address, "/no/such/socket", &why));
    CHECK(end() == FAILURE_UNREACHABLE);
    REQUIRE(address_parse(&o.address, "desk:1", &why));
    REQUIRE(gateway_parse(&o.route.gateway, "gate", &why));
    REQUIRE(gateway_set_command(&o.route.gateway, "echo no such gateway; exit 1", &why));
    CHECK(end() == FAILURE_GATEWAY);
}

TEST_CASE("an ssh that does not reach the gateway is told from a gateway that does not reach on")
{
    struct Case {
        const char *said;
        enum failure failure;
    };
    const TempDir dir;
    const char *path = getenv("PATH");
    const std::string before = path ? path : "";
    struct session_options o = {};
    struct reason why = {};
    REQUIRE(address_parse(&o.address, "desk:1", &why));
    REQUIRE(gateway_parse(&o.route.gateway, "gate", &why));
    setenv("PATH", (dir.path() + ":" + before).c_str(), 1);
    for (const Case &k :
         {Case{"me@gate: Permission denied (publickey).", FAILURE_GATEWAY},
          Case{"ssh: Could not resolve hostname gate: Name or service not known", FAILURE_GATEWAY},
          Case{"channel 0: open failed: connect failed: Connection refused\n"
               "stdio forwarding failed",
               FAILURE_UNREACHABLE}}) {
        dir.write("ssh", std::string("#!/bin/sh\necho '") + k.said + "' >&2\nexit 255\n");
        std::filesystem::permissions(dir.file("ssh"), std::filesystem::perms::owner_all);
        Owner owner(o);
        INFO(owner.closed());
        CHECK(owner.failure() == k.failure);
    }
    setenv("PATH", before.c_str(), 1);
}
