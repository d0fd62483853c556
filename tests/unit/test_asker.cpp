// Who asks a person in place of the prompt: when it is asked, what it is told, and what becomes of
// its answers. The asker is a fake one, the session a real one with a server that is a script.
#include "tests/catch.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

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
        asker_ = {ask, wait, cancel, this};
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
    bool wants_user = false, wants_password = false, wants_decision = false, wants_sending = false;
    std::string host, refused, user, notice, waits_for;

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
        a->wants_sending = q->prompt.question && !a->wants_decision;
        a->host = q->session->host;
        a->refused = text(q->refused);
        a->user = text(q->user);
        a->notice = text(q->prompt.notice);
    }
    static void wait(void *self, const char *what)
    {
        static_cast<Asker *>(self)->waits_for = text(what);
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
        credentials = {};
        begin({});
    }
    ~Person()
    {
        credentials_deinit(&credentials);
        unsetenv("XDG_DATA_HOME");
        unsetenv("VNC_PASSWORD");
        unsetenv("VNC_USERNAME");
    }
    // A run of the program, with these options.
    void begin(const struct credentials_options &o)
    {
        struct reason why = {};
        credentials_deinit(&credentials);
        REQUIRE(credentials_init(&credentials, &o, &why));
        credentials_set_asker(&credentials, asker.get());
    }
    // A file of vncpasswd; the password is of eight zero bytes that were obfuscated.
    std::string password_file() const
    {
        return folder_.write("passwd", std::string(8, '\x11'));
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

// A session bus that takes connections and never says anything.
class SilentBus
{
  public:
    SilentBus() : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        struct sockaddr_un a = {};
        a.sun_family = AF_UNIX;
        strcpy(a.sun_path, folder_.file("bus").c_str());
        REQUIRE(bind(fd_, reinterpret_cast<struct sockaddr *>(&a), sizeof a) == 0);
        REQUIRE(listen(fd_, 8) == 0);
        setenv("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + folder_.file("bus")).c_str(), 1);
    }
    ~SilentBus()
    {
        unsetenv("DBUS_SESSION_BUS_ADDRESS");
        end();
    }
    // Who waits for it, or comes from now on, hears that it is not there.
    void end()
    {
        close(fd_);
        fd_ = -1;
    }

  private:
    TempDir folder_;
    int fd_;
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

// The only way in is this one of VeNCrypt. With a certificate: it is shown.
void ask_inside(Peer &p, unsigned subtype, const Certificate *certificate)
{
    greet(p);
    p.write(bytes({1, SECURITY_VENCRYPT}));
    p.read(1);
    p.write(bytes({0, 2}));
    p.read(2);
    p.write(bytes({0, 1, 0, 0, subtype >> 8, subtype & 255}));
    p.read(4);
    p.write(bytes({1}));
    p.start_tls(certificate);
}

void show_certificate(Peer &p, const Certificate &certificate)
{
    ask_inside(p, VENCRYPT_X509_NONE, &certificate);
    let_in(p);
    p.read_rest();
}

void ask_password_inside(Peer &p, unsigned subtype, const Certificate *certificate)
{
    ask_inside(p, subtype, certificate);
    p.write("sixteen bytes ok");
    p.read(16);
}

// What the server got: "USER PASSWORD". Empty: nothing.
struct Got {
    std::string text;
};

void ask_name_inside(Peer &p, Got &got)
{
    ask_inside(p, VENCRYPT_TLS_PLAIN, nullptr);
    std::string sizes = p.read(8);
    if (sizes.size() < 8)
        return;
    std::string name = p.read(static_cast<unsigned char>(sizes[3]));
    got.text = name + " " + p.read(static_cast<unsigned char>(sizes[7]));
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

TEST_CASE("asker: what was typed for a strong way is not sent by a weaker one without a question")
{
    Person person;
    Certificate certificate("localhost"), other("localhost");
    auto strong = [&](const Certificate &c) {
        return [&](Peer &p) { ask_password_inside(p, VENCRYPT_X509_VNC, &c); };
    };
    auto weak = [](Peer &p) { ask_password_inside(p, VENCRYPT_TLS_VNC, nullptr); };
    { // the connection breaks before the server is there
        Server server(strong(certificate));
        Owner owner(person.same_address(server));
        person.hear(owner);
        person.asker.decide(true);
        person.hear(owner);
        person.asker.type(nullptr, "s3cret");
        owner.closed();
        credentials_cancel(&person.credentials);
    }
    CHECK(person.asker.asked == 2);
    { // "Try again": nothing shows who it is
        Server server(weak);
        Owner owner(person.same_address(server));
        person.hear(owner);
        CHECK(person.asker.asked == 3);
        CHECK(person.asker.wants_sending);
        CHECK(person.asker.notice.find("given for X509Vnc (encrypted, with a certificate)") !=
              std::string::npos);
        CHECK(person.asker.notice.find("TLSVnc") != std::string::npos);
        person.asker.decide(false);
        CHECK(owner.closed() == "the password was not sent");
        credentials_cancel(&person.credentials);
    }
    { // the server itself gets it
        Server server([&](Peer &p) {
            ask_password_inside(p, VENCRYPT_X509_VNC, &certificate);
            let_in(p);
            p.read_rest();
        });
        Owner owner(person.same_address(server));
        person.hear(owner);
        person.hear(owner);
        CHECK(owner.connected() == "name");
        credentials_cancel(&person.credentials);
    }
    CHECK(person.asker.asked == 3);
    // another certificate, which the person accepts in the place of the old one
    struct reason why = {};
    struct trust_change change = {};
    strcpy(change.key, person.credentials.key);
    REQUIRE(trust_forget(&change, &why));
    Server server(strong(other));
    Owner owner(person.same_address(server));
    person.hear(owner);
    REQUIRE(person.asker.wants_decision);
    person.asker.decide(true);
    person.hear(owner);
    CHECK(person.asker.asked == 5);
    CHECK(person.asker.wants_sending);
    CHECK(person.asker.notice.find("another certificate") != std::string::npos);
}

TEST_CASE("asker: a password that is sent as it is goes after a question each time")
{
    Person person;
    Got got;
    auto plain = [&](Peer &p) { ask_name_inside(p, got); };
    { // it was typed for VNC authentication, which does not show it
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        person.asker.type(nullptr, "s3cret");
        CHECK(owner.connected() == "name");
        credentials_cancel(&person.credentials);
    }
    { // a name is not known, and so the password is typed with it
        Server server(plain);
        Owner owner(person.same_address(server));
        person.hear(owner);
        CHECK(person.asker.asked == 2);
        CHECK(person.asker.wants_user);
        CHECK(person.asker.wants_password);
        person.asker.type("me", "other");
        CHECK(owner.connected() == "name");
        CHECK(got.text == "me other");
        credentials_cancel(&person.credentials);
    }
    got = {};
    { // the same again
        Server server(plain);
        Owner owner(person.same_address(server));
        person.hear(owner);
        CHECK(person.asker.asked == 3);
        CHECK(person.asker.wants_sending);
        person.asker.decide(false);
        CHECK(owner.closed() == "the password was not sent");
        CHECK(got.text.empty());
        credentials_cancel(&person.credentials);
    }
    Server server(plain);
    Owner owner(person.same_address(server));
    person.hear(owner);
    CHECK(person.asker.asked == 4);
    person.asker.decide(true);
    CHECK(owner.connected() == "name");
    CHECK(got.text == "me other");
}

TEST_CASE(
    "asker: a password for no server in particular goes to a server of somebody else's choice "
    "after a question")
{
    Person person;
    const std::string file = person.password_file();
    struct Case {
        const char *name;
        bool environment, file, named, own, asked, listens;
        const char *says; // nullptr: nobody is asked
    };
    const Case cases[] = {
        {"environment, typed address", true, false, false, false, false, false, nullptr},
        {"environment, link", true, false, false, false, true, false, "A link or a file"},
        {"environment, listening", true, false, false, false, false, true, "who has come"},
        {"defaults, typed address", false, true, false, false, false, false, nullptr},
        {"defaults, link", false, true, false, false, true, false, "the password file"},
        {"defaults, listening", false, true, false, false, false, true, "the password file"},
        {"command line, link", false, true, true, false, true, false, nullptr},
        {"command line, listening", false, true, true, false, false, true, nullptr},
        {"connection file's own", true, true, false, true, true, false, nullptr},
    };
    for (const Case &c : cases) {
        INFO(c.name);
        struct credentials_options o = {};
        c.environment ? setenv("VNC_PASSWORD", "s3cret", 1) : unsetenv("VNC_PASSWORD");
        o.passwd_file = c.file ? file.c_str() : nullptr;
        o.named = c.named;
        o.password = c.own ? "its own" : nullptr;
        o.asked = c.asked;
        o.listens = c.listens;
        person.begin(o);
        for (int i = 0; i < 2; i++) { // after the answer, a second time
            const int before = person.asker.asked;
            Server server([](Peer &p) { ask_password(p, true); });
            Owner owner(person.same_address(server));
            person.hear(owner);
            bool asks = c.says && (i == 0 || c.listens);
            REQUIRE(person.asker.asked == before + asks);
            if (asks) {
                CHECK(person.asker.wants_sending);
                CHECK(person.asker.notice.find(c.says) != std::string::npos);
                CHECK(!person.asker.host.empty());
                person.asker.decide(true);
            }
            CHECK(owner.connected() == "name");
            credentials_cancel(&person.credentials);
        }
    }
}

TEST_CASE("asker: who comes next at --listen is not told what was typed for who came before")
{
    Person person;
    struct credentials_options o = {};
    o.listens = true;
    person.begin(o);
    for (int i = 1; i <= 2; i++) {
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(server)); // and even from the same address
        person.hear(owner);
        CHECK(person.asker.asked == i);
        CHECK(person.asker.wants_password);
        person.asker.type(nullptr, "s3cret");
        CHECK(owner.connected() == "name");
        credentials_cancel(&person.credentials);
    }
}

TEST_CASE("asker: only the command line itself sends a password as it is without a question")
{
    Person person;
    Got got;
    const std::string file = person.password_file();
    const security_set plain = [] {
        security_set set = 0;
        struct reason why = {};
        REQUIRE(security_parse(&set, "X509Vnc,TLSPlain", &why));
        return set;
    }();
    struct Case {
        bool named;
        security_set types;
        bool asks;
    };
    setenv("VNC_USERNAME", "me", 1);
    setenv("VNC_PASSWORD", "s3cret", 1);
    for (const Case &c :
         {Case{true, plain, false}, Case{true, 0, true}, Case{false, plain, true}}) {
        INFO(c.named << " " << c.types);
        struct credentials_options o = {};
        o.passwd_file = c.named ? file.c_str() : nullptr;
        o.named = c.named;
        o.types = c.types;
        person.begin(o);
        got = {};
        const int before = person.asker.asked;
        {
            Server server([&](Peer &p) { ask_name_inside(p, got); });
            Owner owner(person.same_address(server));
            person.hear(owner);
            CHECK(person.asker.asked == before + c.asks);
            if (c.asks)
                person.asker.decide(false);
            CHECK((c.asks ? owner.closed() == "the password was not sent"
                          : owner.connected() == "name"));
        }
        CHECK(got.text.empty() == c.asks);
        credentials_cancel(&person.credentials);
    }
}

TEST_CASE("asker: a keyring that does not answer is waited for by nobody")
{
    if (!keyring_built())
        return;
    SilentBus bus;
    Person person;
    struct credentials_options o = {};
    o.save = true;
    person.begin(o);
    Server server([](Peer &p) { ask_password(p, true); });
    Owner owner(person.same_address(server));
    person.hear(owner); // returns
    CHECK(person.asker.waits_for.find("keyring") != std::string::npos);
    CHECK(person.asker.asked == 0);
    credentials_continue(&person.credentials); // and nothing has come
    CHECK_FALSE(person.asker.waits_for.empty());
    SECTION("the person gives up")
    {
        credentials_cancel(&person.credentials);
        credentials_continue(&person.credentials);
        CHECK(person.asker.asked == 0);
    }
    SECTION("the keyring fails in the end")
    {
        bus.end();
        while (!person.asker.open())
            credentials_continue(&person.credentials);
        CHECK(person.asker.waits_for.empty());
        person.asker.type(nullptr, "s3cret");
        CHECK(owner.connected() == "name");
    }
}
