// What a session asks its owner while it connects. The server is a script, its TLS is real.
#include "tests/catch.hpp"

#include <cstring>
#include <functional>
#include <string>

#include "rfb/proto/handshake/vncauth.h"
#include "tests/expect.hpp"
#include "tests/unit/session_owner.hpp"

using namespace peer;

namespace
{

const std::string CHALLENGE = "sixteen bytes ok";

// VNC authentication; `proof` gets what the client answers. Then `wait` returns.
void vnc(
    Peer &p, std::string *proof, const std::function<void()> &wait = [] {})
{
    greet(p);
    p.write(bytes({1, SECURITY_VNC}));
    p.read(1);
    p.write(CHALLENGE);
    *proof = p.read(16);
    wait();
    let_in(p);
    p.read_rest();
}

// Waits until another session has ended because its handshake took so long.
void see_deadline(tick_t timeout)
{
    Server mute([](Peer &p) {
        greet(p);
        p.read_rest();
    });
    Owner owner(mute, "", timeout);
    owner.closed();
    EXPECT(owner.failure() == FAILURE_LOST);
}

std::string proof_of(const char *password)
{
    uint8_t block[VNCAUTH_CHALLENGE];
    memcpy(block, CHALLENGE.data(), sizeof block);
    vncauth_answer(block, password);
    return std::string(reinterpret_cast<char *>(block), sizeof block);
}

void x509_none(Peer &p, const Certificate &certificate)
{
    ask_inside(p, VENCRYPT_X509_NONE, &certificate);
    let_in(p);
    p.read_rest();
}

} // namespace

TEST_CASE("a password is asked for and answered; only the open question takes an answer")
{
    std::string proof;
    {
        Server server([&](Peer &p) { vnc(p, &proof); });
        Owner owner(server);
        struct session_question q = owner.question();
        CHECK(q.kind == QUESTION_PASSWORD);
        CHECK(q.number == 1);
        CHECK(q.channel == CHANNEL_CLEAR);
        CHECK(q.host == server.path());
        session_answer_credentials(owner, 0, nullptr, "none");
        session_answer_credentials(owner, q.number + 1, nullptr, "not yet");
        session_refuse(owner, q.number - 1, "late");
        session_answer_trust(owner, q.number, true); // of another kind
        session_answer_credentials(owner, q.number, nullptr, "s3cret");
        session_answer_credentials(owner, q.number, nullptr, "again");
        session_refuse(owner, q.number, "changed my mind");
        CHECK(owner.connected() == "name");
        struct session_stats stats;
        session_stats(owner, false, &stats);
        CHECK_FALSE(stats.certificate);
        session_answer_credentials(owner, q.number, nullptr, "late");
        session_refuse(owner, q.number, "late");
        session_stop(owner);
        CHECK(owner.closed().empty());
    }
    CHECK(proof == proof_of("s3cret"));
}

TEST_CASE("a user name and a password are the bytes that were given")
{
    const std::string user(SESSION_SECRET_MAX - 1, 'u'), password = "not UTF-8: \xff\xfc";
    std::string got;
    {
        Server server([&](Peer &p) {
            ask_inside(p, VENCRYPT_TLS_PLAIN, nullptr);
            got = p.read(8 + user.size() + password.size());
            let_in(p);
            p.read_rest();
        });
        Owner owner(server);
        struct session_question q = owner.question();
        CHECK(q.kind == QUESTION_USER_PASSWORD);
        CHECK(q.channel == CHANNEL_ANONYMOUS);
        session_answer_credentials(owner, q.number, user.c_str(), password.c_str());
        owner.connected();
    }
    CHECK(got.substr(8) == user + password);
}

TEST_CASE("whoever does not answer says why, and the server hears nothing more")
{
    const std::string longer(SESSION_SECRET_MAX, 'x');
    for (const std::string &why : {std::string("no time"), std::string(), longer}) {
        std::string said = "?";
        {
            Server server([&](Peer &p) {
                greet(p);
                p.write(bytes({1, SECURITY_VNC}));
                p.read(1);
                p.write(CHALLENGE);
                said = p.read_rest();
            });
            Owner owner(server);
            struct session_question q = owner.question();
            if (why == longer)
                session_answer_credentials(owner, q.number, nullptr, longer.c_str());
            else
                session_refuse(owner, q.number, why.empty() ? nullptr : why.c_str());
            CHECK(owner.closed() == (why == longer ? "the password is longer than 1023 bytes"
                                     : why.empty() ? "no password given"
                                                   : why));
        }
        CHECK(said.empty());
    }
}

TEST_CASE("a session that asks can be stopped, and destroyed")
{
    std::string proof;
    {
        Server server([&](Peer &p) { vnc(p, &proof); });
        Owner owner(server);
        owner.question();
        session_stop(owner);
        CHECK(owner.closed().empty());
    }
    Server server([&](Peer &p) { vnc(p, &proof); });
    Owner owner(server);
    owner.question();
}

TEST_CASE("the handshake's deadline waits for the answer")
{
    std::string proof;
    Server server([&](Peer &p) {
        vnc(p, &proof, [] { see_deadline(TICK_S); }); // the watchdog looks meanwhile
    });
    Owner owner(server, "", 6 * TICK_S);
    struct session_question q = owner.question();
    see_deadline(6 * TICK_S); // it would be over, and seen to be
    session_answer_credentials(owner, q.number, nullptr, "s3cret");
    CHECK(owner.connected() == "name");
}

TEST_CASE("a certificate that nobody vouches for is asked about: yes")
{
    Certificate certificate("localhost");
    Server server([&](Peer &p) { x509_none(p, certificate); });
    Owner owner(server);
    struct session_question q = owner.question();
    CHECK(q.kind == QUESTION_TRUST);
    CHECK(q.acceptable == 1);
    CHECK(q.channel == CHANNEL_CERTIFICATE);
    CHECK(q.host == server.path());
    CHECK(q.port == 0);
    CHECK(q.faults == std::string("it is self-signed, so only the server itself confirms it"));
    CHECK(q.subject == std::string("CN=localhost"));
    CHECK(std::string(q.expires).find(" UTC") == 16);
    CHECK(std::string(q.sha256, q.sha256 + sizeof q.sha256) == certificate.fingerprint());
    session_answer_credentials(owner, q.number, "user", "password"); // of another kind
    session_answer_trust(owner, q.number, true);
    CHECK(owner.connected() == "name");
    struct session_stats stats;
    session_stats(owner, false, &stats);
    CHECK(stats.certificate);
    CHECK(owner.certified() == 1);
}

TEST_CASE("that a certificate is accepted is told before anything else can break")
{
    Certificate certificate("localhost");
    for (const char *ca : {"", certificate.file().c_str()}) {
        INFO(ca);
        Server server([&](Peer &p) { // and the connection ends
            ask_inside(p, VENCRYPT_X509_NONE, &certificate);
        });
        Owner owner(server, ca);
        if (!*ca)
            session_answer_trust(owner, owner.question().number, true);
        owner.closed();
        CHECK(owner.failure() == FAILURE_LOST);
        CHECK(owner.certified() == 1);
    }
    Server server([&](Peer &p) { ask_inside(p, VENCRYPT_TLS_NONE, nullptr); });
    Owner owner(server);
    owner.closed();
    CHECK(owner.certified() == 0);
}

TEST_CASE("a certificate that nobody vouches for is asked about: no")
{
    Certificate certificate("localhost");
    const std::string today =
        "the server's certificate is not accepted: it is self-signed, so only "
        "the server itself confirms it";
    for (const char *why : {"", "not here"}) {
        Server server([&](Peer &p) { x509_none(p, certificate); });
        Owner owner(server);
        struct session_question q = owner.question();
        if (*why)
            session_refuse(owner, q.number, why);
        else
            session_answer_trust(owner, q.number, false);
        CHECK(owner.closed() == (*why ? why : today));
        CHECK(owner.certified() == 0);
    }
}

TEST_CASE("all that is wrong with a certificate is said")
{
    Certificate certificate("elsewhere.example", -7200, -3600);
    Server server([&](Peer &p) { x509_none(p, certificate); });
    Owner owner(server);
    struct session_question q = owner.question();
    std::string faults = q.faults;
    INFO(faults);
    CHECK(q.acceptable == 1);
    CHECK(faults.find("it is for 'elsewhere.example', not for 'localhost'; ") == 0);
    CHECK(faults.find("; it expired on 20") != std::string::npos);
    CHECK(faults.find("; it is self-signed, so only the server itself confirms it") !=
          std::string::npos);
    session_answer_trust(owner, q.number, false);
    CHECK(owner.closed() == "the server's certificate is not accepted: " + faults);
}

TEST_CASE("a certificate with a forged signature is accepted by nobody")
{
    Certificate certificate("localhost", -3600, 3600, "/etc/ssl/certs/ca-certificates.crt");
    Server server([&](Peer &p) { x509_none(p, certificate); });
    Owner owner(server);
    struct session_question q = owner.question();
    INFO(q.faults);
    CHECK(q.acceptable == 0);
    session_answer_trust(owner, q.number, true);
    CHECK(owner.closed().find("the server's certificate is not accepted: ") == 0);
}

TEST_CASE("nobody is asked about a certificate where a file names who may sign it")
{
    Certificate certificate("localhost"), other("localhost");
    Server server([&](Peer &p) { x509_none(p, certificate); });
    Owner owner(server, other.file());
    CHECK(owner.closed().find("it is self-signed, and it is not in " + other.file()) !=
          std::string::npos);
}

TEST_CASE("two questions have two numbers")
{
    Certificate certificate("localhost");
    std::string proof;
    {
        Server server([&](Peer &p) {
            ask_inside(p, VENCRYPT_X509_VNC, &certificate);
            p.write(CHALLENGE);
            proof = p.read(16);
            let_in(p);
            p.read_rest();
        });
        Owner owner(server);
        struct session_question first = owner.question();
        session_answer_trust(owner, first.number, true);
        struct session_question second = owner.question();
        CHECK(second.kind == QUESTION_PASSWORD);
        CHECK(second.number != first.number);
        session_answer_credentials(owner, first.number, nullptr, "late");
        session_answer_credentials(owner, second.number, nullptr, "s3cret");
        owner.connected();
    }
    CHECK(proof == proof_of("s3cret"));
}

TEST_CASE("a trusted certificate stays the connection's to its end")
{
    Certificate trusted("localhost"), other("localhost");
    Server server([&](Peer &p) {
        ask_inside(p, VENCRYPT_X509_NONE, &trusted, "NORMAL:-VERS-ALL:+VERS-TLS1.2");
        let_in(p);
        p.ask_to_begin_anew(&other);
        p.write(bytes({2})); // a bell
        p.read_rest();
    });
    Owner owner(server);
    session_answer_trust(owner, owner.question().number, true);
    owner.connected();
    CHECK(owner.next()->type == SESSION_BELL); // and no second question before it
}
