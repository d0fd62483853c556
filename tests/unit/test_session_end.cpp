// What kind of failure has ended a session. The server is a script.
#include "tests/catch.hpp"

#include <functional>
#include <string>

#include "session_owner.hpp"

using namespace peer;

namespace
{

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

void connect(Peer &p)
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
        connect(p);
        p.read_rest();
    });
    Owner owner(server);
    owner.connected();
    session_stop(owner);
    CHECK(owner.closed().empty());
    CHECK(owner.failure() == FAILURE_NONE);
}

TEST_CASE("a connection that ends at any time is lost")
{
    CHECK(end_of([](Peer &) {}) == FAILURE_LOST);
    CHECK(end_of(greet) == FAILURE_LOST);
    CHECK(end_of(connect) == FAILURE_LOST);
    CHECK(end_of([](Peer &p) {
              connect(p);
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
              greet(p);
              p.write(bytes({1, 200})); // a type that nobody has
              p.read_rest();
          }) == FAILURE_PROTOCOL);
    CHECK(end_of([](Peer &p) {
              connect(p);
              p.write(bytes({99}));
              p.read_rest();
          }) == FAILURE_PROTOCOL);
}
