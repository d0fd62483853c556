// A handshake with a server that was met before: what is said early, in which order, and what
// happens where the server is not as it was. The server is played here, with real TLS.
#include "tests/catch.hpp"

#include <functional>

#include "rfb/proto/handshake/security.h"
#include "tests/expect.hpp"
#include "tests/rfb_peer.hpp"

using namespace peer;

namespace
{

const uint8_t MESSAGES[] = {3, 0, 0, 0, 0, 0, 0, 64, 0, 48};
const std::string AHEAD(reinterpret_cast<const char *>(MESSAGES), sizeof MESSAGES);
const std::string VERSION = "RFB 003.008\n", OK(4, '\0'), CHALLENGE(16, 'c');

std::string number(uint32_t n)
{
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>(n >> shift & 255);
    return out;
}

std::string list(std::initializer_list<uint32_t> subtypes)
{
    std::string out(1, static_cast<char>(subtypes.size()));
    for (uint32_t subtype : subtypes)
        out += number(subtype);
    return out;
}

const std::string INIT =
    std::string("\0\x40\0\x30 \x18\0\1\0\xff\0\xff\0\xff\x10\x08\0\0\0\0", 20) + number(4) + "name";
const std::string VENCRYPT("\0\2", 2), VENCRYPT_OK(1, '\0'), ACCEPTED(1, '\1');

struct Way {
    uint32_t type, subtype;
    security_channel channel;
    security_proof proof;
};

const Way WAYS[] = {
    {SECURITY_NONE, 0, CHANNEL_CLEAR, PROOF_NONE},
    {SECURITY_VNC, 0, CHANNEL_CLEAR, PROOF_VNC},
    {SECURITY_VENCRYPT, VENCRYPT_PLAIN, CHANNEL_CLEAR, PROOF_PLAIN},
    {SECURITY_VENCRYPT, VENCRYPT_TLS_NONE, CHANNEL_ANONYMOUS, PROOF_NONE},
    {SECURITY_VENCRYPT, VENCRYPT_TLS_VNC, CHANNEL_ANONYMOUS, PROOF_VNC},
    {SECURITY_VENCRYPT, VENCRYPT_TLS_PLAIN, CHANNEL_ANONYMOUS, PROOF_PLAIN},
    {SECURITY_VENCRYPT, VENCRYPT_X509_NONE, CHANNEL_CERTIFICATE, PROOF_NONE},
    {SECURITY_VENCRYPT, VENCRYPT_X509_VNC, CHANNEL_CERTIFICATE, PROOF_VNC},
    {SECURITY_VENCRYPT, VENCRYPT_X509_PLAIN, CHANNEL_CERTIFICATE, PROOF_PLAIN},
    {SECURITY_TLS, SECURITY_NONE, CHANNEL_ANONYMOUS, PROOF_NONE},
    {SECURITY_TLS, SECURITY_VNC, CHANNEL_ANONYMOUS, PROOF_VNC},
};
const Way X509_NONE = WAYS[6], X509_VNC = WAYS[7], X509_PLAIN = WAYS[8], TLS_VNC = WAYS[4];

const Certificate &certificate()
{
    static const Certificate made("localhost");
    return made;
}

Client known(const Way &way)
{
    Client c;
    c.allowed = SECURITY_ALL_NAMES;
    c.early.minor = 8;
    c.early.way = security_find(SECURITY_ALL, way.type, way.subtype);
    c.early.ahead = MESSAGES;
    c.early.ahead_size = sizeof MESSAGES;
    REQUIRE(c.early.way);
    if (way.channel == CHANNEL_CERTIFICATE)
        c.fingerprint = certificate().fingerprint();
    return c;
}

/* What the client says in the clear when it is not asked. */
std::string words(const Way &way)
{
    std::string out = VERSION + static_cast<char>(way.type);
    if (way.type == SECURITY_VENCRYPT)
        out += VENCRYPT + number(way.subtype);
    return out;
}

/* What the server says in the clear, as far as TLS. */
std::string clear_words(const Way &way)
{
    std::string out = VERSION + '\1' + static_cast<char>(way.type);
    if (way.type == SECURITY_VENCRYPT)
        out += VENCRYPT + VENCRYPT_OK + list({way.subtype});
    if (way.type == SECURITY_VENCRYPT && way.channel != CHANNEL_CLEAR)
        out += ACCEPTED;
    return out;
}

void encrypt(Peer &p, const Way &way)
{
    if (way.channel != CHANNEL_CLEAR)
        p.start_tls(way.channel == CHANNEL_CERTIFICATE ? &certificate() : nullptr);
}

/* Behind the agreement on the type. Nothing but the proof is waited for. */
void serve_rest(Peer &p, const Way &way)
{
    if (way.type == SECURITY_TLS) {
        p.write(std::string("\1", 1) + static_cast<char>(way.subtype));
        EXPECT(p.read(1) == std::string(1, static_cast<char>(way.subtype)));
    }
    if (way.proof == PROOF_VNC) {
        p.write(CHALLENGE);
        EXPECT(p.read(16) != CHALLENGE);
    }
    if (way.proof == PROOF_PLAIN)
        EXPECT(p.read(21) == number(7) + number(6) + "someones3cret");
    EXPECT(p.read(1 + AHEAD.size()) ==
           std::string(1, '\0') + AHEAD); /* before the result is known */
    p.write(OK + INIT);
    EXPECT(p.read_rest().empty());
}

/* The client gets in, and has said all of it early. */
void check_in(const Client &c, const Way &way, const std::function<void(Peer &)> &script)
{
    Outcome o = play(c, script);
    INFO(o.why);
    CHECK(o.ok);
    CHECK(o.served);
    CHECK(o.ahead);
    CHECK(o.asked == (way.proof != PROOF_NONE));
    CHECK_FALSE(o.surprised);
}

/* It does not, and another connection that waits for each answer may succeed. No password was asked
 * for, so none can have been said. */
void check_surprise(const Client &c, bool hello_lost, const std::function<void(Peer &)> &script)
{
    Outcome o = play(c, script);
    INFO(o.why);
    CHECK_FALSE(o.ok);
    CHECK(o.surprised);
    CHECK(o.hello_lost == hello_lost);
    CHECK(o.asked == 0);
}

} // namespace

TEST_CASE("early handshake: everything comes before it is asked for", "[early]")
{
    for (const Way &way : WAYS) {
        INFO("type " << way.type << ", subtype " << way.subtype);
        check_in(known(way), way, [&](Peer &p) {
            EXPECT(p.read(words(way).size()) == words(way)); /* the server has said nothing */
            p.write(clear_words(way));
            encrypt(p, way);
            serve_rest(p, way);
        });
    }
}

TEST_CASE("early handshake: a server that asks one thing after the other gets the same", "[early]")
{
    for (const Way &way : WAYS) {
        INFO("type " << way.type << ", subtype " << way.subtype);
        check_in(known(way), way, [&](Peer &p) {
            p.write(VERSION);
            EXPECT(p.read(12) == VERSION);
            p.write(std::string("\1", 1) + static_cast<char>(way.type));
            EXPECT(p.read(1)[0] == static_cast<char>(way.type));
            if (way.type == SECURITY_VENCRYPT) {
                p.write(VENCRYPT);
                EXPECT(p.read(2) == VENCRYPT);
                p.write(VENCRYPT_OK);
                for (char byte : list({way.subtype}))
                    p.write(std::string(1, byte));
                EXPECT(p.read(4) == number(way.subtype));
                p.write(way.channel == CHANNEL_CLEAR ? "" : ACCEPTED);
            }
            encrypt(p, way);
            serve_rest(p, way);
        });
    }
}

TEST_CASE("early handshake: what is said in the clear and TLS come together", "[early]")
{
    for (const Way &way : WAYS) {
        if (way.channel == CHANNEL_CLEAR)
            continue;
        INFO("type " << way.type << ", subtype " << way.subtype);
        Client c = known(way);
        c.hold = clear_words(way).size() + 100; /* of TLS's answer, which is longer */
        check_in(c, way, [&](Peer &p) {
            p.read(words(way).size());
            p.write(clear_words(way));
            encrypt(p, way);
            serve_rest(p, way);
        });
    }
}

TEST_CASE("early handshake: the ClientHello may wait until the server is ready", "[early]")
{
    for (const Way &way : WAYS) {
        INFO("type " << way.type << ", subtype " << way.subtype);
        Client c = known(way);
        c.early.hello_waits = true;
        check_in(c, way, [&](Peer &p) {
            EXPECT(p.read(words(way).size()) == words(way));
            if (way.channel != CHANNEL_CLEAR) /* it would have come with the words */
                EXPECT(p.read_below().empty());
            p.write(clear_words(way));
            encrypt(p, way);
            serve_rest(p, way);
        });
    }
}

TEST_CASE("early handshake: older TLS takes it as well", "[early]")
{
    check_in(known(X509_VNC), X509_VNC, [&](Peer &p) {
        p.read(words(X509_VNC).size());
        p.write(clear_words(X509_VNC));
        p.start_tls(&certificate(), "NORMAL:-VERS-TLS1.3");
        serve_rest(p, X509_VNC);
    });
    /* another group than the client has a key for: the server asks for a second ClientHello */
    check_in(known(X509_NONE), X509_NONE, [&](Peer &p) {
        p.read(words(X509_NONE).size());
        p.write(clear_words(X509_NONE));
        p.start_tls(&certificate(), "NORMAL:-GROUP-ALL:+GROUP-SECP521R1");
        serve_rest(p, X509_NONE);
    });
}

TEST_CASE("early handshake: another version", "[early]")
{
    for (const char *version : {"RFB 003.003\n", "RFB 003.007\n"})
        check_surprise(known(X509_VNC), false, [&](Peer &p) {
            p.write(version);
            p.read_rest();
        });
}

TEST_CASE("early handshake: other types", "[early]")
{
    for (const char *types : {"\1\1", "\1\2", "\2\1\2", "\1\x12"})
        check_surprise(known(X509_VNC), false, [&](Peer &p) {
            p.write(VERSION + types);
            p.read_rest();
        });
    /* a better one than before, and it is taken the next time */
    check_surprise(known(WAYS[1]), false, [&](Peer &p) {
        p.write(VERSION + "\2\2\x13");
        p.read_rest();
    });
}

TEST_CASE("early handshake: none that is allowed", "[early]")
{
    check_surprise(known(X509_VNC), false, [&](Peer &p) {
        p.write(VERSION + "\1\5");
        p.read_rest();
    });
}

TEST_CASE("early handshake: other subtypes", "[early]")
{
    for (uint32_t other : {VENCRYPT_TLS_NONE, VENCRYPT_TLS_VNC, VENCRYPT_X509_NONE, VENCRYPT_PLAIN,
                           VENCRYPT_X509_PLAIN})
        check_surprise(known(X509_VNC), false, [&](Peer &p) {
            p.write(VERSION + "\1\x13" + VENCRYPT + VENCRYPT_OK + list({other}));
            p.read_rest();
        });
    /* the strongest is taken, also where the one of the last time is still there */
    check_surprise(known(TLS_VNC), false, [&](Peer &p) {
        p.write(VERSION + "\1\x13" + VENCRYPT + VENCRYPT_OK +
                list({VENCRYPT_TLS_VNC, VENCRYPT_X509_VNC}));
        p.read_rest();
    });
}

TEST_CASE("early handshake: the server does not go on", "[early]")
{
    const std::string all = clear_words(X509_VNC);
    /* it closes anywhere, also where TLS was to begin */
    for (size_t i = 0; i <= all.size(); i++) {
        INFO(i);
        check_surprise(known(X509_VNC), i >= VERSION.size(), [&](Peer &p) {
            p.read(words(X509_VNC).size());
            EXPECT(!p.read_below().empty()); /* the ClientHello came with the words */
            p.write(all.substr(0, i));
        });
    }
    /* it cannot have VeNCrypt, or TLS */
    check_surprise(known(X509_VNC), true, [&](Peer &p) {
        p.write(VERSION + "\1\x13" + VENCRYPT + "\1");
        p.read_rest();
    });
    check_surprise(known(X509_VNC), true, [&](Peer &p) {
        std::string refused = all;
        refused.back() = '\0';
        p.write(refused);
        p.read_rest();
    });
}

TEST_CASE("early handshake: no TLS where TLS was to begin", "[early]")
{
    for (const std::string &bytes : {std::string("RFB 003.008\n"), std::string(200, '\0'),
                                     std::string("\x15\3\3\0\2\2\x28", 7), OK + INIT})
        check_surprise(known(X509_VNC), true, [&](Peer &p) {
            p.read(words(X509_VNC).size());
            p.write(clear_words(X509_VNC) + bytes);
            p.read_rest();
        });
}

TEST_CASE("early handshake: a server that loses the ClientHello is not waited for long", "[early]")
{
    check_surprise(known(X509_VNC), true, [&](Peer &p) {
        p.read(words(X509_VNC).size());
        p.write(clear_words(X509_VNC));
        p.read_rest(); /* until the client has given up */
    });
}

TEST_CASE("early handshake: another certificate is told nothing, and nobody tries again", "[early]")
{
    const Certificate other("localhost");
    for (const Way &way : {X509_NONE, X509_VNC, X509_PLAIN}) {
        Outcome o = play(known(way), [&](Peer &p) {
            p.read(words(way).size());
            p.write(clear_words(way));
            try {
                p.start_tls(&other);
                CHECK(p.read_rest().empty()); /* TLS 1.3: the server is ready before the client */
            } catch (const Gone &) {
            }
        });
        INFO(o.why);
        CHECK_FALSE(o.ok);
        CHECK(o.kind == FAILURE_TRUST);
        CHECK_FALSE(o.surprised);
        CHECK(o.asked == 0);
    }
}

TEST_CASE("early handshake: the type TLS has another choice inside", "[early]")
{
    const Way way = {SECURITY_TLS, SECURITY_VNC, CHANNEL_ANONYMOUS, PROOF_VNC};
    check_surprise(known(way), false, [&](Peer &p) {
        p.read(words(way).size());
        p.write(clear_words(way));
        encrypt(p, way);
        p.write("\1\1");
        p.read_rest();
    });
}

TEST_CASE("early handshake: a wrong password is tried once", "[early]")
{
    for (const Way &way : {WAYS[1], TLS_VNC, X509_VNC, X509_PLAIN}) {
        Outcome o = play(known(way), [&](Peer &p) {
            p.read(words(way).size());
            p.write(clear_words(way));
            encrypt(p, way);
            if (way.proof == PROOF_VNC)
                p.write(CHALLENGE);
            p.read((way.proof == PROOF_VNC ? 16 : 21) + 1 + AHEAD.size());
            p.write(number(1) + number(5) + "wrong");
        });
        CHECK(o.kind == FAILURE_AUTHENTICATION);
        CHECK_FALSE(o.surprised);
        CHECK(o.asked == 1);
    }
}

TEST_CASE("early handshake: bytes in front of TLS are not taken for what is inside", "[early]")
{
    /* as if somebody in between had put them there */
    check_surprise(known(X509_NONE), true, [&](Peer &p) {
        p.read(words(X509_NONE).size());
        p.write(clear_words(X509_NONE) + OK + INIT);
        p.start_tls(&certificate());
        p.read_rest();
    });
}
