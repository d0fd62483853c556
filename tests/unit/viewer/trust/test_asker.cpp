// Who asks a person in place of the prompt: when it is asked, what it is told, and what becomes of
// its answers. The asker is a fake one, the session a real one with a server that is a script.
#include "person.hpp"
#include "viewer/servers/server_marks.h"

using namespace peer;

TEST_CASE("asker: a password is asked for once, and used by the sessions that follow")
{
    Person person;
    for (int i = 0; i < 2; i++) {
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        if (i == 0) {
            CHECK(person.asker.wants_password);
            CHECK_FALSE(person.asker.wants_user);
            CHECK(person.asker.refused.empty());
            person.asker.type(nullptr, "s3cret");
        }
        CHECK(owner.connected() == "name");
        credentials_accepted(&person.credentials);
        credentials_cancel(&person.credentials);
    }
    CHECK(person.asker.asked == 1);
    CHECK(person.asker.withdrawn == 0);
    { // behind a gateway the same name is another server
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(server));
        person.hear(owner, "gate");
        CHECK(person.asker.asked == 2);
        credentials_cancel(&person.credentials);
    }
    // another server is not told it
    Server server([](Peer &p) { ask_password(p, true); });
    Owner owner(server);
    person.hear(owner);
    CHECK(person.asker.asked == 3);
    CHECK(person.asker.host == server.path());
    person.asker.type(nullptr, "other");
    CHECK(owner.connected() == "name");
}

TEST_CASE("asker: a password that is refused is asked for again, with the server's reason")
{
    Person person;
    struct reason why = {};
    {
        Server server([](Peer &p) { ask_password(p, false); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        person.asker.type(nullptr, "wrong");
        reason_set(&why, "%s", owner.closed().c_str());
        CHECK(owner.failure() == FAILURE_AUTHENTICATION);
        CHECK(credentials_ask_again(&person.credentials, &why));
        credentials_cancel(&person.credentials);
    }
    Server server([](Peer &p) { ask_password(p, true); });
    Owner owner(person.same_address(server));
    person.hear(owner);
    CHECK(person.asker.asked == 2);
    CHECK(person.asker.refused == why.text);
    CHECK(person.asker.refused.find("no") != std::string::npos);
    person.asker.type(nullptr, "right");
    CHECK(owner.connected() == "name");
    credentials_accepted(&person.credentials);
    CHECK_FALSE(*person.credentials.refused.text);
}

TEST_CASE("asker: who gives no password is not asked again by himself")
{
    Person person;
    struct reason why = {};
    Server server([](Peer &p) { ask_password(p, true); });
    Owner owner(server);
    person.hear(owner);
    person.asker.type(nullptr, nullptr);
    CHECK(owner.closed() == "no password given");
    CHECK(owner.failure() == FAILURE_AUTHENTICATION);
    CHECK_FALSE(credentials_ask_again(&person.credentials, &why));
    CHECK(person.asker.asked == 1);
}

TEST_CASE("asker: a question whose session ends is withdrawn, and answered no more")
{
    Person person;
    {
        Server server([](Peer &p) { // it goes away while the person still thinks
            greet(p);
            p.write(bytes({1, SECURITY_VNC}));
            p.read(1);
            p.write("sixteen bytes ok");
        });
        Owner owner(server);
        person.hear(owner);
        CHECK(person.asker.open());
        credentials_cancel(&person.credentials); // as before a session is destroyed
    }
    CHECK_FALSE(person.asker.open());
    CHECK(person.asker.withdrawn == 1);
    // a second question takes the place of the first, too
    Server one([](Peer &p) { ask_password(p, true); }), two([](Peer &p) { ask_password(p, true); });
    Owner first(one), second(two);
    person.hear(first);
    person.hear(second);
    CHECK(person.asker.withdrawn == 2);
    person.asker.type(nullptr, "s3cret");
    CHECK(second.connected() == "name");
}

TEST_CASE("asker: a certificate is accepted, known, and asked about again when it was forgotten")
{
    Person person;
    Certificate old("localhost"), other("localhost");
    {
        Server server([&](Peer &p) { show_certificate(p, old); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        CHECK(person.asker.wants_decision);
        CHECK(person.asker.notice.find("self-signed") != std::string::npos);
        person.asker.decide(true);
        CHECK(owner.connected() == "name");
        CHECK_FALSE(person.credentials.change.there);
    }
    { // another certificate: nobody is asked
        Server server([&](Peer &p) { show_certificate(p, other); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        CHECK(owner.closed().find("HAS CHANGED") != std::string::npos);
        CHECK(owner.failure() == FAILURE_TRUST);
    }
    CHECK(person.asker.asked == 1);
    struct trust_change change = person.credentials.change;
    REQUIRE(change.there);
    CHECK(std::string(change.before, change.before + FINGERPRINT_BYTES) == old.fingerprint());
    CHECK(std::string(change.now, change.now + FINGERPRINT_BYTES) == other.fingerprint());

    // forgotten on purpose, it is unknown
    struct reason why = {};
    REQUIRE(trust_forget(&change, &why));
    Server server([&](Peer &p) { show_certificate(p, other); });
    Owner owner(person.same_address(server));
    person.hear(owner);
    CHECK(person.asker.asked == 2);
    CHECK_FALSE(person.credentials.change.there);
    person.asker.decide(false);
    CHECK(owner.closed().find("not accepted") != std::string::npos);
}

TEST_CASE("asker: a certificate that is accepted once counts for this run, and is not remembered")
{
    Person person;
    Certificate certificate("localhost");
    for (int run = 1; run <= 2; run++) {
        person.begin({});
        for (int session = 0; session < 2; session++) {
            Server server([&](Peer &p) { show_certificate(p, certificate); });
            Owner owner(person.same_address(server));
            person.hear(owner);
            REQUIRE(person.asker.asked == run);
            if (session == 0)
                person.asker.decide(DECISION_ONCE);
            CHECK(owner.connected() == "name");
        }
    }
}

TEST_CASE("asker: what was typed stays known where the options change, for the same server only")
{
    Person person;
    for (int i = 0; i < 2; i++) {
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        if (i == 0)
            person.asker.type(nullptr, "s3cret");
        CHECK(owner.connected() == "name");
        credentials_accepted(&person.credentials);
        credentials_cancel(&person.credentials);
        struct credentials next;
        struct credentials_options changed = {};
        struct reason why = {};
        changed.user = "joe";
        REQUIRE(credentials_init(&next, &changed, &why));
        credentials_keep_typed(&person.credentials, &next);
        credentials_replace(&person.credentials, &next);
        credentials_set_asker(&person.credentials, person.asker.get());
        CHECK(std::string(person.credentials.options.user) == "joe");
    }
    CHECK(person.asker.asked == 1);
    Server server([](Peer &p) { ask_password(p, true); });
    Owner owner(server);
    person.hear(owner);
    CHECK(person.asker.asked == 2);
    credentials_cancel(&person.credentials);
}

TEST_CASE("asker: whether a password is remembered in the keyring is noted for its server")
{
    TempDir state;
    setenv("XDG_STATE_HOME", state.path().c_str(), 1);
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1);
    if (!keyring_there())
        return;
    Person person;
    struct credentials_options noted = {};
    noted.noted = true;
    auto ask = [&](Owner &owner) {
        person.begin(noted); /* another run */
        person.hear(owner);
        if (person.credentials.finding) /* there is no keyring on this bus */
            while (!person.asker.open())
                credentials_continue(&person.credentials);
    };
    for (const bool keep : {true, false}) {
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(server));
        ask(owner);
        CHECK(person.asker.offers_to_keep());
        CHECK(person.asker.keeps() == !keep); /* as it was left before */
        person.asker.type("s3cret", keep);
        CHECK(owner.connected() == "name");
        credentials_accepted(&person.credentials);
        CHECK(server_marks_has(SERVER_MARK_PASSWORD, person.credentials.key,
                               person.credentials.question.port) == keep);
        CHECK_FALSE(
            server_marks_has(SERVER_MARK_PASSWORD, "other", person.credentials.question.port));
        credentials_cancel(&person.credentials);
    }
    { /* nothing is noted where that is not wanted, and without a bus there is no box */
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(server));
        person.begin({});
        person.hear(owner);
        CHECK_FALSE(person.asker.offers_to_keep());
        credentials_cancel(&person.credentials);
    }
    setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1);
    Server server([](Peer &p) { ask_password(p, true); });
    Owner owner(person.same_address(server));
    person.begin(noted);
    person.hear(owner);
    CHECK_FALSE(person.asker.offers_to_keep());
    credentials_cancel(&person.credentials);
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
    unsetenv("XDG_STATE_HOME");
}
