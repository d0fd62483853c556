/* Clients and servers that do not behave where TLS is ended: one clear line each, others go on, and
 * nothing grows without bound. */
#include <gnutls/gnutls.h>

#include "rfb/proto/handshake/security.h"
#include "tests/accelerator/accelerator.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/rfb_peer.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

const std::string PASSWORD = "s3cret";
const std::string VERSION = "RFB 003.008\n";
const std::string VENCRYPT_02("\0\2", 2);

const Script ASKED = {send_step(VERSION),
                      expect(12),
                      send_step(u8(2) + u8(19) + u8(1)),
                      expect(1),
                      send_step(VENCRYPT_02),
                      expect(2),
                      send_step(u8(0) + u8(1) + u32(VENCRYPT_TLS_NONE)),
                      stall()};

/* A server on this machine that has VeNCrypt, and None beside it. What it has inside is known. */
Script server_with_none(const Script &then)
{
    Script s = {send_step(VERSION), expect(12), send_step(u8(2) + u8(19) + u8(1)), expect(1),
                send_step(u32(0)),  expect(1),  handshake(64, 64).back()};
    s.insert(s.end(), then.begin(), then.end());
    return s;
}

/* A first client makes it known what the server has. */
void learn(FakeServer &server, Accelerator &a, const Script &then)
{
    {
        RawClient first(a.port);
        REQUIRE_FALSE(first.begin().empty());
    }
    a.await("event=end");
    REQUIRE(wait_until(PATIENCE, [&] { return server.clients() == 1; }));
    server.play(then);
}

/* It ends with one line that names this. */
void check_end(Accelerator &a, const std::string &cause, size_t times = 1)
{
    a.await("event=end", times);
    INFO(a.process->err());
    CHECK(a.count("event=end") == times);
    CHECK(a.process->err().find(cause) != std::string::npos);
    CHECK(a.process->running());
}

/* What a server says inside TLS without a proof, up to ServerInit. */
void begin_session(peer::Peer &p)
{
    p.write(u32(0));
    p.read(1);
    p.write(handshake(64, 64).back().bytes);
}

/* The server breaks its own TLS behind that. */
void check_spoils(const peer::Server &server, const Mode &mode)
{
    Watched a(server.path());
    RawClient client(a.port);
    client.greet(mode);
    client.hear_all();
    check_end(a, "TLS with the server: ");
}

std::string record(char type, const std::string &bytes)
{
    return std::string(1, type) + std::string("\3\3", 2) +
           u16(static_cast<unsigned>(bytes.size())) + bytes;
}

/* A whole hello of a client that takes no certificate. */
std::string hello()
{
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    Wire client(ends[0]), other(ends[1]);
    REQUIRE(client.join_tls(false, ANONYMOUS));
    REQUIRE_FALSE(client.shake()); /* nobody answers */
    return other.read_all(4096);
}

/* Says to TLS what is no byte for anybody, until it is not taken any more. */
void pester(gnutls_session_t tls, const std::string &with)
{
    const int enough = 20000;
    for (int i = 0, result = 0; i < enough && result >= 0; i++)
        result = with == "warnings"
                     ? gnutls_alert_send(tls, GNUTLS_AL_WARNING, GNUTLS_A_USER_CANCELED)
                     : gnutls_session_key_update(tls, 0);
}

} // namespace

TEST_CASE("attack: what a client says instead of VeNCrypt, and of TLS", "[tls-attacks]")
{
    FakeServer server(ASKED);
    Watched a(server.address(), {"--handshake-limit", HANDSHAKE_LIMIT, "--security", "x509"});
    learn(server, a, server_with_none({stall()}));
    RawClient client(a.port);
    SECTION("another version of VeNCrypt")
    {
        client.hear(12);
        client.say(VERSION);
        client.hear(3);
        client.say(u8(19));
        client.hear(2);
        client.say(std::string("\0\1", 2));
        CHECK(client.hear_all() == u8(255));
        check_end(a, "another version of VeNCrypt than 0.2", 2);
    }
    SECTION("a type that was not offered")
    {
        CHECK(client.begin() == std::vector<uint32_t>{VENCRYPT_TLS_NONE, VENCRYPT_X509_NONE});
        client.say(u32(VENCRYPT_X509_PLAIN));
        CHECK(client.hear_all().empty());
        check_end(a, "type 262 of VeNCrypt, which was not offered", 2);
    }
    SECTION("plain RFB where TLS is")
    {
        REQUIRE(client.choose(VENCRYPT_TLS_NONE));
        client.say(VERSION + u8(1));
        client.hear_all();
        check_end(a, "TLS with the client: ", 2);
    }
    SECTION("a hello that is none")
    {
        REQUIRE(client.choose(VENCRYPT_X509_NONE));
        client.say(record(22, std::string("\1\0\0\4abcd", 8)));
        client.hear_all();
        check_end(a, "TLS with the client: ", 2);
    }
    SECTION("a hello that goes on for ever")
    {
        REQUIRE(client.choose(VENCRYPT_X509_NONE));
        long before = memory(*a.process);
        std::string piece = record(22, std::string("\1\xff\xff\xff", 4) + std::string(16000, 'x'));
        std::string all;
        for (int i = 0; i < 1000; i++)
            all += piece;
        client.say_what_is_taken(all);
        CHECK(memory(*a.process) < before + 2048);
        client.hear_all();
        check_end(a, "it says too much to TLS itself", 2);
    }
    SECTION("half a hello")
    {
        REQUIRE(client.choose(VENCRYPT_X509_NONE));
        client.say(record(22, std::string("\1\0\1\0", 4) + std::string(64, 'x')));
        client.hear_all();
        check_end(a, "the client did not finish its TLS handshake in time", 2);
    }
    SECTION("a whole hello, and no answer to what comes then")
    {
        REQUIRE(client.choose(VENCRYPT_TLS_NONE));
        client.say(hello());
        CHECK(client.hear_all().size() > 100);
        check_end(a, "the client did not finish its TLS handshake in time", 2);
    }
    SECTION("nothing")
    {
        REQUIRE(client.choose(VENCRYPT_X509_NONE));
        client.hear_all();
        check_end(a, "the client did not finish its TLS handshake in time", 2);
    }
    SECTION("it leaves half-way")
    {
        REQUIRE(client.choose(VENCRYPT_TLS_NONE));
        client.hang_up();
        check_end(a, "TLS with the client: it has gone in the handshake", 2);
    }
    SECTION("nothing that both have")
    {
        REQUIRE(client.choose(VENCRYPT_TLS_NONE));
        CHECK_FALSE(client.shake("NORMAL"));
        check_end(a, "TLS with the client: ", 2);
    }
}

TEST_CASE("attack: what a client says inside TLS, and to TLS", "[tls-attacks]")
{
    std::string piece = update(1) + rectangle(0, 0, 64, 64, 0) + std::string(4 * 64 * 64, 'x');
    FakeServer server(ASKED);
    Watched a(server.address(), {"--hold", "1024"});
    learn(server, a, server_with_none({await_request(), repeat(piece)}));
    RawClient client(a.port);
    REQUIRE(client.choose(VENCRYPT_TLS_NONE));
    REQUIRE(client.shake());
    client.greet_behind_security();
    SECTION("it wants to begin anew")
    {
        CHECK_FALSE(client.shake_again());
        check_end(a, "it wants to negotiate again, which is not allowed", 2);
    }
    SECTION("a record that nobody has encrypted")
    {
        client.say_below(record(23, std::string(48, 'x')));
        client.hear_all();
        check_end(a, "TLS with the client: ", 2);
    }
    SECTION("what is no record")
    {
        client.say_below(std::string(64, 'x'));
        client.hear_all();
        check_end(a, "TLS with the client: ", 2);
    }
    SECTION("it is cut off inside a record")
    {
        client.say_below(record(23, std::string(48, 'x')).substr(0, 20));
        client.hang_up();
        a.await("event=end", 2);
    }
    SECTION("it asks, and does not read")
    {
        uint8_t message[CLIENT_WRITE_MAX];
        size_t size = client_write_update_request(message, false, {0, 0, 64, 64});
        long before = memory(*a.process);
        client.say(std::string(reinterpret_cast<char *>(message), size));
        CHECK(wait_until(PATIENCE, [&] { return memory(*a.process) > before + 900; }));
        for (int i = 0; i < 200; i++) {
            std::this_thread::sleep_for(milliseconds(5)); /* bytes come and go; nothing grows */
            REQUIRE(memory(*a.process) < before + 8192);
        }
        /* and what comes is whole */
        for (int i = 0; i < 50; i++)
            REQUIRE(client.hear(piece.size()) == piece);
    }
}

TEST_CASE("attack: a client that speaks to TLS only, without an end", "[tls-attacks]")
{
    const std::string with = GENERATE(as<std::string>(), "warnings", "new keys");
    INFO(with);
    Scene s(CERTIFICATES, {stall()});
    RawClient client(s.a.port);
    client.greet(CERTIFICATES);
    pester(client.tls(), with);
    check_end(s.a, "TLS with the client: ");
}

TEST_CASE("attack: a server that speaks to TLS only, without an end", "[tls-attacks]")
{
    const std::string with = GENERATE(as<std::string>(), "warnings", "new keys");
    INFO(with);
    peer::Certificate certificate("localhost");
    peer::Server server([&](peer::Peer &p) {
        p.offer_vencrypt(VENCRYPT_X509_NONE);
        p.start_tls(&certificate);
        begin_session(p);
        pester(p.tls(), with);
    });
    check_spoils(server, CERTIFICATES);
}

TEST_CASE("attack: what a server says below its TLS", "[tls-attacks]")
{
    const std::string said = GENERATE(record(23, std::string(48, 'x')), std::string(64, 'x'),
                                      record(22, std::string(16000, 'x')));
    peer::Server server([&](peer::Peer &p) {
        p.offer_vencrypt(VENCRYPT_TLS_NONE);
        p.start_tls(nullptr);
        begin_session(p);
        p.write_below(said);
        p.read_rest();
    });
    check_spoils(server, TLS_ON_BOTH);
}

TEST_CASE("attack: a server has lost what it had", "[tls-attacks]")
{
    FakeServer server(ASKED);
    Watched a(server.address());
    SECTION("all of VeNCrypt, and the client wants it all the same")
    {
        learn(server, a, {send_step(VERSION), expect(12), send_step(u8(1) + u8(1)), stall()});
        RawClient client(a.port);
        client.hear(12);
        client.say(VERSION);
        CHECK(client.hear_list(1) == u8(1));
        client.say(u8(19));
        client.hear_all();
        check_end(a, "the client wants VeNCrypt, which the server does not have", 2);
    }
    SECTION("what the client is offered: it has a password now")
    {
        learn(server, a,
              {send_step(VERSION), expect(12), send_step(u8(1) + u8(19)), expect(1),
               send_step(VENCRYPT_02), expect(2), send_step(u8(0) + u8(1) + u32(VENCRYPT_TLS_VNC)),
               stall()});
        RawClient client(a.port);
        CHECK_FALSE(client.choose(VENCRYPT_TLS_NONE));
        client.hear_all();
        check_end(a, "the server no longer has what the client has chosen", 2);
    }
}

TEST_CASE("attack: the accelerator's certificate is not the one that a viewer knows",
          "[tls-attacks]")
{
    TempDir dir;
    const std::string before = dir.file("before.pem");
    write_file(before, read_file(Accelerator("127.0.0.1::1").certificate()));
    Scene s(CERTIFICATES, {stall()});
    ViewerOptions o;
    o.address = s.a.address();
    o.security = "X509None";
    o.x509_ca = before;
    {
        Viewer viewer(o);
        auto why = viewer.wait_closed();
        REQUIRE(why);
        INFO(*why);
        CHECK(why->find("certificate is not accepted") != std::string::npos);
    }
    check_end(s.a, "TLS with the client: it has gone in the handshake");
}

TEST_CASE("attack: names and passwords without an end", "[tls-attacks]")
{
    Script s = {send_step(VERSION),
                expect(12),
                send_step(u8(1) + u8(19)),
                expect(1),
                send_step(VENCRYPT_02),
                expect(2),
                send_step(u8(0) + u8(1) + u32(VENCRYPT_PLAIN)),
                expect(4),
                stall()};
    FakeServer server(s);
    Watched a(server.address());
    RawClient client(a.port);
    CHECK(client.begin() == std::vector<uint32_t>{VENCRYPT_PLAIN});
    client.say(u32(VENCRYPT_PLAIN) + u32(0xffffffff) + u32(8));
    CHECK(client.hear_all().empty());
    check_end(a, "a name or a password of more than 4096 bytes");
}

TEST_CASE("attack: many handshakes of TLS that do not go on", "[tls-attacks]")
{
    TempDir dir;
    XvncOptions options = with_password(dir, PASSWORD);
    options.more.insert(options.more.end(), {"-SecurityTypes", "TLSVnc,VncAuth"});
    auto server = start_tigervnc(options);
    if (!server)
        return;
    Accelerator a(server->address, {"--clients-per-address", "200", "--handshake-limit", "5"});
    ViewerOptions o;
    o.address = a.address();
    o.security = "TLSVnc";
    o.password = PASSWORD;
    Viewer other(o); /* goes on through all of this */
    require_connected(other);
    SECTION("they wait: an address takes its places and no more, and another one is let in")
    {
        std::vector<std::unique_ptr<RawClient>> many;
        const std::string said[] = {record(22, std::string("\1\0\1\0", 4)), hello()};
        for (int i = 0; i < 100; i++) {
            many.push_back(std::make_unique<RawClient>(a.port));
            REQUIRE(many.back()->choose(VENCRYPT_TLS_VNC));
            many.back()->say(said[i % 2]); /* half a hello, or a whole one */
        }
        RawClient neighbour(a.port, 9);
        REQUIRE(neighbour.choose(VENCRYPT_TLS_VNC));
        CHECK(neighbour.shake());
        CHECK(neighbour.hear(16).size() == 16);
        server->screen->animate(5);
        check_picture(other, server->screen->capture());
        for (auto &client : many)
            client->hear_all(); /* all are sent away */
    }
    SECTION("they fail, again and again")
    {
        for (int i = 0; i < 300; i++) {
            RawClient client(a.port);
            if (client.choose(VENCRYPT_TLS_VNC))
                client.say(record(22, std::string(100, 'x')));
        }
        server->screen->animate(5);
        check_picture(other, server->screen->capture());
        CHECK(a.process->err().size() < 200000);
    }
    Viewer next(o);
    require_connected(next);
}

namespace
{

/* A server on a Unix socket plays this, and a client of the accelerator takes TLS. */
void attacked_by_server(const std::function<void(peer::Peer &)> &script, const std::string &cause)
{
    peer::Server server([&](peer::Peer &p) {
        try {
            script(p);
        } catch (const peer::Gone &) {
        }
    });
    Watched a(server.path(), {"--handshake-limit", HANDSHAKE_LIMIT});
    RawClient client(a.port);
    std::vector<uint32_t> list = client.begin();
    if (!list.empty())
        client.say(u32(list[0]));
    client.hear_all();
    check_end(a, cause);
}

void offer(peer::Peer &p, const std::string &subtypes)
{
    p.write(VERSION);
    p.read(12);
    p.write(u8(1) + u8(19));
    p.read(1);
    p.write(VENCRYPT_02);
    p.read(2);
    p.write(u8(0) + subtypes);
}

} // namespace

TEST_CASE("attack: a server in VeNCrypt and TLS", "[tls-attacks]")
{
    using peer::Peer;
    SECTION("an old VeNCrypt")
    {
        attacked_by_server(
            [](Peer &p) {
                p.write(VERSION);
                p.read(12);
                p.write(u8(1) + u8(19));
                p.read(1);
                p.write(std::string("\0\1", 2));
                p.read_rest();
            },
            "the server has VeNCrypt 0.1");
    }
    SECTION("no subtypes")
    {
        attacked_by_server(
            [](Peer &p) {
                offer(p, u8(0));
                p.read_rest();
            },
            "the server offers nothing inside VeNCrypt");
    }
    SECTION("subtypes that nobody knows")
    {
        std::string all = u8(255);
        for (unsigned i = 0; i < 255; i++)
            all += u32(1000 + i);
        attacked_by_server(
            [&](Peer &p) {
                offer(p, all);
                p.read_rest();
            },
            "the server offers nothing inside VeNCrypt that is known");
    }
    SECTION("it stops in its list")
    {
        attacked_by_server(
            [](Peer &p) {
                offer(p, u8(200) + u32(258));
                p.read_rest();
            },
            "the handshake was not finished in time");
    }
    SECTION("it cannot begin")
    {
        attacked_by_server(
            [](Peer &p) {
                offer(p, u8(1) + u32(VENCRYPT_TLS_NONE));
                p.read(4);
                p.write(u8(0));
                p.read_rest();
            },
            "the server cannot begin TLS");
    }
    SECTION("it speaks plain")
    {
        attacked_by_server(
            [](Peer &p) {
                offer(p, u8(1) + u32(VENCRYPT_TLS_NONE));
                p.read(4);
                p.write(u8(1) + u32(0) + std::string(64, 'x'));
                p.read_rest();
            },
            "TLS with the server: ");
    }
    SECTION("it says nothing more")
    {
        attacked_by_server(
            [](Peer &p) {
                offer(p, u8(1) + u32(VENCRYPT_TLS_NONE));
                p.read(4);
                p.write(u8(1));
                p.read_rest();
            },
            "the server did not finish its TLS handshake in time");
    }
    SECTION("it closes")
    {
        attacked_by_server(
            [](Peer &p) {
                offer(p, u8(1) + u32(VENCRYPT_TLS_NONE));
                p.read(4);
                p.write(u8(1));
            },
            "TLS with the server: it has gone in the handshake");
    }
}

TEST_CASE("attack: a server wants to begin anew", "[tls-attacks]")
{
    peer::Certificate certificate("localhost"), another("other.example");
    peer::Server server([&](peer::Peer &p) {
        try {
            p.offer_vencrypt(VENCRYPT_X509_NONE);
            p.start_tls(&certificate, "NORMAL:-VERS-TLS1.3");
            begin_session(p);
            p.ask_to_begin_anew(&another);
            p.read_rest();
        } catch (const peer::Gone &) {
        }
    });
    Watched a(server.path());
    ViewerOptions o;
    o.address = a.address();
    o.security = "X509None";
    o.x509_ca = a.certificate();
    Viewer viewer(o);
    CHECK(viewer.wait_closed());
    check_end(a, "it wants to negotiate again, which is not allowed");
}

namespace
{

/* The server says this inside TLS behind its certificate, and ends, orderly or not. Returns how
 * much of it a viewer on TLS gets. */
size_t passes_inside(const peer::Certificate &certificate, const std::string &said, bool orderly)
{
    peer::Server server([&](peer::Peer &p) {
        try {
            p.offer_vencrypt(VENCRYPT_X509_NONE);
            p.start_tls(&certificate);
            p.write(said);
            p.read(1); /* ClientInit: TLS stands on both sides */
            if (orderly)
                gnutls_bye(p.tls(), GNUTLS_SHUT_WR);
        } catch (const peer::Gone &) {
        }
    });
    Accelerator a(server.path());
    RawClient client(a.port);
    if (!client.choose(VENCRYPT_X509_NONE) || !client.shake_with_certificate())
        return 0;
    client.say(u8(1));
    size_t heard = client.hear(said.size() + 1).size();
    check_end(a, "");
    return heard;
}

} // namespace

TEST_CASE("attack: a server's TLS ends after any byte inside it", "[tls-attacks]")
{
    peer::Certificate certificate("localhost");
    const std::string whole = u32(0) + handshake(64, 64).back().bytes;
    for (size_t n = 0; n <= whole.size(); n++)
        for (bool orderly : {false, true}) {
            INFO(n << " bytes, " << (orderly ? "orderly" : "cut"));
            /* nothing is passed on of what is not understood yet */
            CHECK(passes_inside(certificate, whole.substr(0, n), orderly) <= n);
        }
    CHECK(passes_inside(certificate, whole, true) == whole.size());
}

TEST_CASE("attack: a server says inside TLS what nobody knows", "[tls-attacks]")
{
    peer::Certificate certificate("localhost");
    const std::string whole = u32(0) + handshake(64, 64).back().bytes;
    std::string unknown = update(1) + rectangle(0, 0, 64, 64, 4711) + std::string(50000, 'x');
    CHECK(passes_inside(certificate, whole + unknown, true) == whole.size() + unknown.size());
    std::string nothing = std::string(50000, '\xfe');
    CHECK(passes_inside(certificate, whole + nothing, true) == whole.size() + nothing.size());
}
