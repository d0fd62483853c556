// Which server gets a password, and which only after a question. The person is a fake one, the
// session a real one with a server that is a script.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "person.hpp"
#include "viewer/trust/seen_servers.h"

using namespace peer;

namespace
{

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

} // namespace

TEST_CASE(
    "credentials: what was typed for a strong way is not sent by a weaker one without a question")
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

TEST_CASE("credentials: a password that is sent as it is goes after a question each time")
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

TEST_CASE("credentials: a password goes to Apple's login after a question each time")
{
    // a Mac whose numbers are none, which nobody can tell; it lets everybody in
    const std::string numbers =
        std::string("\0\2\0\x80", 4) + std::string(128, '\xff') + std::string(128, '\x55');
    Person person;
    auto mac = [&](Peer &p) {
        greet(p);
        p.write(bytes({1, SECURITY_DH}));
        p.read(1);
        p.write(numbers);
        p.read(128 + 128);
        let_in(p);
        p.read_rest();
    };
    { // the password was typed for VNC authentication, which does not show it
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        person.asker.type(nullptr, "s3cret");
        CHECK(owner.connected() == "name");
        credentials_cancel(&person.credentials);
    }
    for (int asked = 2; asked <= 3; asked++) {
        Server server(mac);
        Owner owner(person.same_address(server));
        person.hear(owner);
        CHECK(person.asker.asked == asked);
        CHECK(person.asker.wants_user == (asked == 2));
        CHECK(person.asker.wants_sending == (asked == 3));
        if (asked == 2) {
            person.asker.type("me", "other");
        } else {
            CHECK(person.asker.notice.find("itself is sent to the server") != std::string::npos);
            person.asker.decide(true);
        }
        CHECK(owner.connected() == "name");
        credentials_cancel(&person.credentials);
    }
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
        {"environment, link", true, false, false, false, true, false,
         "A link, a file or the network"},
        {"environment, listening", true, false, false, false, false, true, "who has come"},
        {"defaults, typed address", false, true, false, false, false, false, nullptr},
        {"defaults, link", false, true, false, false, true, false, "the password file"},
        {"defaults, listening", false, true, false, false, false, true, "the password file"},
        {"command line, link", false, true, true, false, true, false, nullptr},
        {"command line, link opened later", false, true, false, false, true, false,
         "the password file"},
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

TEST_CASE("credentials: who comes next at --listen is not told what was typed for who came before")
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

TEST_CASE("credentials: what was given for a server keeps its proof when it is chosen again")
{
    Person person;
    Certificate certificate("localhost");
    struct seen_servers *seen = seen_servers_create();
    const std::string file = person.password_file();
    struct credentials_options o = {};
    o.seen = seen;
    SECTION("VNC_PASSWORD")
    {
        setenv("VNC_PASSWORD", "s3cret", 1);
    }
    SECTION("a password file of the command line")
    {
        o.passwd_file = file.c_str();
        o.named = true;
    }
    person.begin(o);
    { // it goes, and the connection breaks
        Server server([&](Peer &p) { ask_password_inside(p, VENCRYPT_X509_VNC, &certificate); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        person.asker.decide(true);
        person.hear(owner);
        owner.closed();
    }
    CHECK(person.asker.asked == 1);
    person.begin(o); // as the start window does, for whichever server
    {
        Server server([](Peer &p) { ask_password_inside(p, VENCRYPT_TLS_VNC, nullptr); });
        Owner owner(person.same_address(server));
        person.hear(owner);
        CHECK(person.asker.asked == 2);
        CHECK(person.asker.wants_sending);
        CHECK(person.asker.notice.find("given for X509Vnc") != std::string::npos);
        credentials_cancel(&person.credentials);
    }
    person.begin(o);
    { // another server is not this one
        Server server([](Peer &p) { ask_password(p, true); });
        Owner owner(server);
        person.hear(owner);
        CHECK(person.asker.asked == 2);
        CHECK(owner.connected() == "name");
        credentials_cancel(&person.credentials);
    }
    person.begin({});
    seen_servers_destroy(seen);
}

TEST_CASE("credentials: with --listen the keyring is neither looked into nor written to")
{
    if (!keyring_built())
        return;
    SilentBus bus;
    Person person;
    struct credentials_options o = {};
    o.save = o.listens = true;
    person.begin(o);
    Server server([](Peer &p) { ask_password(p, true); });
    Owner owner(person.same_address(server));
    person.hear(owner);
    CHECK(person.asker.waits_for.empty());
    REQUIRE(person.asker.asked == 1);
    person.asker.type(nullptr, "s3cret");
    CHECK(owner.connected() == "name");
    credentials_accepted(&person.credentials);
    CHECK(person.credentials.saving == nullptr);
}

TEST_CASE("credentials: only the command line itself sends a password as it is without a question")
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

TEST_CASE("credentials: a keyring that does not answer is waited for by nobody")
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
