// RSA-AES as a person meets it: the key is asked about, remembered, and refused when it changes;
// and which password goes without a question. The session is a real one, the server is a script.
#include "person.hpp"
#include "rfb/net/stream.h"
#include "tests/expect.hpp"
#include "tests/rsa_peer.hpp"
#include "viewer/trust/seen_servers.h"

using namespace peer;

namespace
{

const RsaKey &key(int which)
{
    static const RsaKey first(1024), second(1024);
    return which ? second : first;
}

// The type is chosen. `got`: what the server is told as name and password. It lets in.
void rsa(Peer &p, unsigned type, int which, bool wants_user, std::string *got)
{
    RsaServer s(p, key(which), type >= 129);
    s.enter(wants_user);
    *got = s.user + "/" + s.password;
    const bool all = type == 5 || type == 129;
    auto write = [&](const std::string &b) { all ? s.write(b) : p.write(b); };
    write(bytes({0, 0, 0, 0}));
    all ? s.read(1) : p.read(1);
    write(bytes({0, 64, 0, 48, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0}) +
          bytes({0, 0, 0, 4}) + "name");
    p.read_rest();
}

// A server with this type and key only.
std::function<void(Peer &)> server(unsigned type, int which, bool wants_user, std::string *got)
{
    return [=](Peer &p) {
        greet(p);
        p.write(bytes({1, type}));
        p.read(1);
        rsa(p, type, which, wants_user, got);
    };
}

} // namespace

TEST_CASE("rsa trust: a key is asked about once, remembered, and refused when it has changed")
{
    Person person;
    std::string got;
    {
        Server first(server(129, 0, true, &got));
        Owner owner(person.same_address(first));
        person.hear(owner);
        REQUIRE(person.asker.wants_decision);
        CHECK(person.asker.notice.find(key(0).brief()) != std::string::npos);
        CHECK(person.asker.notice.find("RSA key of 1024 bits") != std::string::npos);
        person.asker.decide(true);
        person.hear(owner);
        CHECK(person.asker.wants_user);
        person.asker.type("me", "s3cret");
        CHECK(owner.connected() == "name");
        CHECK(got == "me/s3cret");
        CHECK(owner.certified() == 1);
        struct session_stats stats;
        session_stats(owner, false, &stats);
        CHECK(stats.certificate);
        CHECK(stats.fingerprinted);
        CHECK(std::string(stats.sha256, stats.sha256 + 32) == key(0).fingerprint());
        credentials_cancel(&person.credentials);
    }
    CHECK(person.asker.asked == 2);
    { // the same key, by the other type: neither key nor password is asked about
        Server again(server(5, 0, false, &got));
        Owner owner(person.same_address(again));
        person.hear(owner);
        person.hear(owner);
        CHECK(owner.connected() == "name");
        CHECK(got == "/s3cret");
        credentials_cancel(&person.credentials);
    }
    CHECK(person.asker.asked == 2);
    { // another key
        got = "nothing";
        Server other(server(129, 1, true, &got));
        Owner owner(person.same_address(other));
        person.hear(owner);
        std::string why = owner.closed();
        CHECK(why.find("THE KEY OF ") == 0);
        CHECK(owner.failure() == FAILURE_TRUST);
        CHECK(got == "nothing");
        REQUIRE(person.credentials.change.there);
        CHECK(person.credentials.change.is_key);
        struct reason reason = {};
        REQUIRE(trust_forget(&person.credentials.change, &reason));
        credentials_cancel(&person.credentials);
    }
    // forgotten: it is asked about like any, and so is the password
    Server other(server(129, 1, true, &got));
    Owner owner(person.same_address(other));
    person.hear(owner);
    REQUIRE(person.asker.wants_decision);
    person.asker.decide(true);
    person.hear(owner);
    CHECK(person.asker.wants_sending);
    CHECK(person.asker.notice.find("another key") != std::string::npos);
    person.asker.decide(false);
    CHECK(owner.closed() == "the password was not sent");
    credentials_cancel(&person.credentials);
}

TEST_CASE("rsa trust: a key for the password alone is remembered by itself, and weaker")
{
    Person person;
    std::string got;
    for (bool again : {false, true}) {
        Server part(server(6, 0, false, &got));
        Owner owner(person.same_address(part));
        person.hear(owner);
        CHECK(person.asker.open() == !again);
        if (!again)
            person.asker.decide(true);
        person.hear(owner);
        if (!again) {
            CHECK(person.asker.wants_password);
            CHECK_FALSE(person.asker.wants_user);
            person.asker.type(nullptr, "s3cret");
        }
        CHECK(owner.connected() == "name");
        CHECK(got == "/s3cret");
        CHECK(owner.certified() == 0);
        struct session_stats stats;
        session_stats(owner, false, &stats);
        CHECK_FALSE(stats.certificate);
        CHECK_FALSE(stats.fingerprinted);
        credentials_cancel(&person.credentials);
    }
    // it does not oblige the server to encrypt all
    struct reason why = {};
    struct address a = person.same_address(Server([](Peer &) {})).address;
    struct route route = {};
    bool had = true;
    struct seen_servers *seen = seen_servers_create();
    REQUIRE(trust_had_certificate(seen, &a, &route, &had, &why));
    seen_servers_destroy(seen);
    CHECK_FALSE(had);
}

TEST_CASE("rsa trust: what stands beside a weaker VeNCrypt is taken on a new connection")
{
    // As TigerVNC has it with SecurityTypes=TLSVnc,RA2: what is inside VeNCrypt is seen inside
    // only.
    std::string got;
    Server inside([](Peer &p) {
        greet(p);
        p.write(bytes({2, SECURITY_VENCRYPT, SECURITY_RA2}));
        EXPECT(p.read(1)[0] == SECURITY_VENCRYPT);
        p.write(bytes({0, 2}));
        p.read(2);
        p.write(bytes({0, 1, 0, 0, 1, 2})); // TLSVnc
        EXPECT(p.read_rest().empty());
    });
    Server beside([&](Peer &p) {
        greet(p);
        p.write(bytes({2, SECURITY_VENCRYPT, SECURITY_RA2}));
        EXPECT(p.read(1)[0] == SECURITY_RA2);
        rsa(p, SECURITY_RA2, 0, false, &got);
    });
    static std::vector<std::string> paths;
    paths = {inside.path(), beside.path()};
    struct session_hooks hooks = {};
    hooks.connect = [](session_options *o, tick_t deadline, int cancel_fd, reason *why) {
        const struct route straight = {};
        const struct transport_options transport = {};
        strcpy(o->address.path, paths.front().c_str());
        paths.erase(paths.begin());
        return stream_connect(&straight, &o->address, &transport, deadline, cancel_fd, why);
    };
    Person person;
    Owner owner(person.same_address(inside), hooks);
    person.hear(owner);
    REQUIRE(person.asker.wants_decision);
    person.asker.decide(true);
    person.hear(owner);
    person.asker.type(nullptr, "s3cret");
    CHECK(owner.connected() == "name");
    CHECK(got == "/s3cret");
    CHECK(paths.empty());
    credentials_cancel(&person.credentials);
}

TEST_CASE("rsa trust: a password for VNC authentication is not shown without a question")
{
    Person person;
    std::string got = "nothing";
    {
        Server plain([](Peer &p) { ask_password(p, true); });
        Owner owner(person.same_address(plain));
        person.hear(owner);
        person.asker.type(nullptr, "s3cret");
        CHECK(owner.connected() == "name");
        credentials_cancel(&person.credentials);
    }
    for (unsigned type : {129u, 130u}) {
        Server all(server(type, 0, false, &got));
        Owner owner(person.same_address(all));
        person.hear(owner);
        person.asker.decide(DECISION_ONCE);
        person.hear(owner);
        CHECK(person.asker.wants_sending);
        CHECK(person.asker.notice.find("given for VncAuth") != std::string::npos);
        person.asker.decide(false);
        owner.closed();
        CHECK(got == "nothing");
        credentials_cancel(&person.credentials);
    }
}
