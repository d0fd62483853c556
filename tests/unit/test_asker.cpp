// Who asks a person in place of the prompt: when it is asked, what it is told, and what becomes of
// its answers. The asker is a fake one, the session a real one with a server that is a script.
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include "session_owner.hpp"
#include "tests/temp_dir.hpp"
#include "viewer/credentials.h"

using namespace peer;

namespace
{

// Notes what it is asked, and answers when the test wants it to.
class Asker
{
  public:
    Asker()
    {
        asker_ = {ask, cancel, this};
    }
    const struct asker *get() const
    {
        return &asker_;
    }
    bool open() const
    {
        return question_.has_value();
    }
    void type(const char *user, const char *password)
    {
        struct prompt_options q = close();
        q.done(q.owner, user ? strdup(user) : nullptr, password ? strdup(password) : nullptr);
    }
    void decide(bool yes)
    {
        struct prompt_options q = close();
        q.decided(q.owner, yes);
    }
    int asked = 0, withdrawn = 0;
    bool wants_user = false, wants_password = false, wants_decision = false;
    std::string host, refused, user, notice;

  private:
    struct prompt_options close()
    {
        REQUIRE(open());
        struct prompt_options q = *question_;
        question_.reset();
        return q;
    }
    static std::string text(const char *t)
    {
        return t ? t : "";
    }
    static void ask(void *self, const struct asker_question *q)
    {
        auto a = static_cast<Asker *>(self);
        CHECK_FALSE(a->open());
        a->question_ = q->prompt;
        a->asked++;
        a->wants_user = q->prompt.user;
        a->wants_password = q->prompt.password;
        a->wants_decision = q->session->kind == QUESTION_TRUST;
        a->host = q->session->host;
        a->refused = text(q->refused);
        a->user = text(q->user);
        a->notice = text(q->prompt.notice);
    }
    static void cancel(void *self)
    {
        auto a = static_cast<Asker *>(self);
        a->withdrawn += a->open();
        a->question_.reset();
    }
    struct asker asker_ = {};
    std::optional<struct prompt_options> question_;
};

// Whose data folder is empty, and whose environment names no password.
class Person
{
  public:
    Person()
    {
        setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);
        unsetenv("VNC_PASSWORD");
        unsetenv("VNC_USERNAME");
        struct reason why;
        REQUIRE(credentials_init(&credentials, nullptr, &why));
        credentials_set_asker(&credentials, asker.get());
    }
    ~Person()
    {
        credentials_deinit(&credentials);
        unsetenv("XDG_DATA_HOME");
    }
    // The session's next event is a question, which is put to the person.
    void hear(Owner &owner, const char *gateway = nullptr)
    {
        struct session_question q = owner.question();
        if (gateway) {
            q.way = WAY_SSH;
            strcpy(q.gateway, gateway);
        }
        credentials_answer(&credentials, owner, &q);
    }
    // Every server that is reached so has the same address.
    struct session_options same_address(const Server &server) const
    {
        const std::string link = folder_.file("server");
        struct session_options o = {};
        std::filesystem::remove(link);
        std::filesystem::create_symlink(server.path(), link);
        strcpy(o.address.path, link.c_str());
        return o;
    }
    Asker asker;
    struct credentials credentials;

  private:
    TempDir folder_;
};

// Asks for a password, and finds every answer `right`, or wrong.
void ask_password(Peer &p, bool right)
{
    greet(p);
    p.write(bytes({1, SECURITY_VNC}));
    p.read(1);
    p.write("sixteen bytes ok");
    p.read(16);
    if (right)
        let_in(p);
    else
        p.write(bytes({0, 0, 0, 1, 0, 0, 0, 2}) + "no");
    p.read_rest();
}

void show_certificate(Peer &p, const Certificate &certificate)
{
    greet(p);
    p.write(bytes({1, SECURITY_VENCRYPT}));
    p.read(1);
    p.write(bytes({0, 2}));
    p.read(2);
    p.write(bytes({0, 1, 0, 0, VENCRYPT_X509_NONE >> 8, VENCRYPT_X509_NONE & 255}));
    p.read(4);
    p.write(bytes({1}));
    p.start_tls(&certificate);
    let_in(p);
    p.read_rest();
}

} // namespace

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
