/* RSA-AES: the four types, and a server that fails, or cheats, in every step. */
#include <map>
#include <vector>

#include "rfb/net/crypto/rsa_key.h"
#include "tests/catch.hpp"
#include "tests/expect.hpp"
#include "tests/rsa_peer.hpp"

using namespace peer;

namespace
{

const std::string VERSION = "RFB 003.008\n";
const std::string OK(4, '\0');
const std::string INIT =
    std::string("\0\x40\0\x30 \x18\0\1\0\xff\0\xff\0\xff\x10\x08\0\0\0\0", 20) + OK.substr(1) +
    "\4name";

struct Type {
    unsigned number;
    const char *name;
    bool wide, all; /* 256 bits; all is encrypted */
};

const Type TYPES[] = {{5, "RA2", false, true},
                      {6, "RA2ne", false, false},
                      {129, "RA2_256", true, true},
                      {130, "RA2ne_256", true, false}};

const RsaKey &key()
{
    static const RsaKey made(2048);
    return made;
}

Client trusting(const Type &type)
{
    Client c;
    c.allowed = type.name;
    c.trusts = true;
    return c;
}

void begin(Peer &p, const Type &type)
{
    p.write(VERSION);
    p.read(12);
    p.write(std::string("\1") + static_cast<char>(type.number));
    p.read(1);
}

/* Behind the proof: SecurityResult, ClientInit, ServerInit. */
void finish(Peer &p, RsaServer &s, const Type &type)
{
    auto write = [&](const std::string &bytes) { type.all ? s.write(bytes) : p.write(bytes); };
    write(OK);
    type.all ? s.read(1) : p.read(1);
    write(
        INIT.substr(0, 10)); /* messages of the cipher and of RFB have nothing to do with another */
    write(INIT.substr(10));
}

void play_server(Peer &p, const Type &type, const RsaKey &k, bool wants_user, std::string *said)
{
    begin(p, type);
    RsaServer s(p, k, type.wide);
    s.enter(wants_user);
    *said = s.user + "/" + s.password;
    finish(p, s, type);
}

std::string lengthy(unsigned size)
{
    return std::string(1, static_cast<char>(size >> 8)) + static_cast<char>(size & 255);
}

/* The key with another modulus, exponent or size. */
std::string forged(const std::function<void(std::string &)> &change)
{
    std::string shown = key().shown();
    change(shown);
    return shown;
}

} // namespace

TEST_CASE("rsa: each type lets us in, with and without a user name")
{
    for (const Type &type : TYPES)
        for (bool wants_user : {true, false}) {
            INFO(type.name << ", user name: " << wants_user);
            std::string said;
            Outcome o = play(trusting(type),
                             [&](Peer &p) { play_server(p, type, key(), wants_user, &said); });
            INFO(o.why);
            CHECK(o.ok);
            CHECK(o.served);
            CHECK(o.way == type.name);
            CHECK(said == (wants_user ? "someone/s3cret" : "/s3cret"));
            CHECK(o.asked == 1);
            CHECK(o.channel == (type.all ? CHANNEL_KEY : CHANNEL_HANDSHAKE));
            CHECK(o.sha256 == key().fingerprint());
            CHECK(o.brief == key().brief());
            CHECK(o.handshake_only == !type.all);
            CHECK(o.certified == type.all);
            CHECK(o.keyed == type.all);
        }
}

TEST_CASE("rsa: keys of other sizes, also of such as fill no whole byte")
{
    for (unsigned bits : {1024u, 1031u, 1536u, 4096u}) {
        INFO(bits);
        const RsaKey other(bits);
        std::string said;
        Outcome o = play(trusting(TYPES[2]),
                         [&](Peer &p) { play_server(p, TYPES[2], other, true, &said); });
        INFO(o.why);
        CHECK(o.ok);
        CHECK(o.brief == other.brief());
    }
}

TEST_CASE("rsa: a key that nobody trusts gets nothing of ours")
{
    for (const Type &type : TYPES) {
        INFO(type.name);
        Client c = trusting(type);
        c.trusts = false;
        std::string said = "?";
        Outcome o = play(c, [&](Peer &p) {
            begin(p, type);
            RsaServer(p, key(), type.wide).show_key();
            said = p.read_rest();
        });
        CHECK_FALSE(o.ok);
        CHECK(o.kind == FAILURE_TRUST);
        CHECK(said.empty());
        CHECK(o.asked == 0);
        CHECK(o.certified == 0);
    }
}

TEST_CASE("rsa: the key that --fingerprint names is taken without a question, no other is")
{
    for (const Type &type : {TYPES[0], TYPES[2]}) {
        INFO(type.name);
        Client c = trusting(type);
        c.fingerprint = key().fingerprint();
        std::string said;
        auto script = [&](Peer &p) { play_server(p, type, key(), true, &said); };
        Outcome o = play(c, script);
        CHECK(o.ok);
        CHECK(o.sha256.empty());
        c.fingerprint[31] ^= 1;
        o = play(c, script);
        CHECK_FALSE(o.ok);
        CHECK(o.kind == FAILURE_TRUST);
        CHECK(o.sha256.empty());
    }
    /* what is not encrypted is not what it asks for, whoever has the key */
    Client c = trusting(TYPES[1]);
    c.fingerprint = key().fingerprint();
    Outcome o = play(c, [&](Peer &p) {
        begin(p, TYPES[1]);
        RsaServer(p, key(), false).show_key();
    });
    CHECK_FALSE(o.ok);
    CHECK(o.kind == FAILURE_SECURITY);
}

TEST_CASE("rsa: a server that showed a key before has to encrypt all")
{
    std::string said;
    for (const Type &type : TYPES) {
        Client c;
        c.trusts = c.certified_before = true;
        Outcome o = play(c, [&](Peer &p) { play_server(p, type, key(), true, &said); });
        INFO(type.name << ": " << o.why);
        CHECK(o.ok == type.all);
        if (!type.all)
            CHECK(o.kind == FAILURE_TRUST);
    }
}

TEST_CASE("rsa: what is no RSA key is refused before anybody is asked")
{
    const size_t modulus = 4, exponent = 4 + 256;
    const std::map<std::string, std::string> keys = {
        {"of 0 bits", std::string(4, '\0')},
        {"of 1023 bits", std::string("\0\0\3\xff", 4)},
        {"of 8193 bits", std::string("\0\0\x20\1", 4)},
        {"of 2^32 - 1 bits", std::string(4, '\xff')},
        {"its modulus is 0", forged([&](std::string &s) { s.replace(modulus, 256, 256, '\0'); })},
        {"its modulus is short", forged([&](std::string &s) { s[modulus] = '\0'; })},
        {"its modulus is even", forged([&](std::string &s) { s[modulus + 255] &= '\xfe'; })},
        {"its exponent is 0", forged([&](std::string &s) { s.replace(exponent, 256, 256, '\0'); })},
        {"its exponent is 1",
         forged([&](std::string &s) { s.replace(exponent, 256, std::string(255, '\0') + '\1'); })},
        {"its exponent is even", forged([&](std::string &s) { s[exponent + 255] = '\2'; })},
        {"its exponent is too large",
         forged([&](std::string &s) { s.replace(exponent, 256, 256, '\xff'); })},
    };
    for (const auto &[name, shown] : keys) {
        INFO(name);
        std::string said = "?";
        Outcome o = play(trusting(TYPES[0]), [&](Peer &p) {
            begin(p, TYPES[0]);
            p.write(shown);
            said = p.read_rest();
        });
        CHECK_FALSE(o.ok);
        CHECK(o.kind == FAILURE_PROTOCOL);
        CHECK(said.empty());
        CHECK(o.sha256.empty());
        CHECK(o.why.find("RSA key") != std::string::npos);
    }
}

TEST_CASE("rsa: a server that cheats or fails gets no password, in every step")
{
    using Step = std::function<void(Peer &, RsaServer &)>;
    const std::map<std::string, Step> steps = {
        {"closes behind its key", [](Peer &, RsaServer &s) { s.show_key(); }},
        {"a random number of no length",
         [](Peer &p, RsaServer &s) {
             s.show_key();
             s.take_key();
             p.write(lengthy(0));
         }},
        {"a random number as long as its own key",
         [](Peer &p, RsaServer &s) {
             s.show_key();
             s.take_key();
             p.write(lengthy(128) + std::string(128, '\1'));
         }},
        {"closes inside a random number",
         [](Peer &p, RsaServer &s) {
             s.show_key();
             s.take_key();
             p.write(lengthy(256) + std::string(255, '\1'));
         }},
        {"a random number that is not encrypted for us",
         [](Peer &p, RsaServer &s) {
             s.show_key();
             s.take_key();
             p.write(lengthy(256) + '\0' + random_bytes(255));
         }},
        {"a random number above the modulus",
         [](Peer &p, RsaServer &s) {
             s.show_key();
             s.take_key();
             p.write(lengthy(256) + std::string(256, '\xff'));
         }},
        {"a random number with a byte too few",
         [](Peer &, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.random_number = random_bytes(s.secret_size() - 1);
             s.say_random();
         }},
        {"a random number with a byte too many",
         [](Peer &, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.random_number = random_bytes(s.secret_size() + 1);
             s.say_random();
         }},
        {"it has only copied the key that it shows",
         [](Peer &p, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.say_random();
             p.read(2 + 256); /* it cannot be decrypted without the key */
             EaxSide guess(random_bytes(s.secret_size()));
             p.write(guess.seal(s.hash()));
         }},
        {"bytes that are not encrypted",
         [](Peer &p, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.say_random();
             s.take_random();
             p.write(lengthy(20) + std::string(36, 'x'));
         }},
        {"another hash",
         [](Peer &, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.say_random();
             s.take_random();
             std::string hash = s.hash();
             hash.back() ^= 1;
             s.write(hash);
         }},
        {"the hash that we say",
         [](Peer &, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.say_random();
             s.take_random();
             s.write(s.read(s.hash().size()));
         }},
        {"the hash of another key, as somebody in between would have it",
         [](Peer &, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.say_random();
             s.take_random();
             s.client_key[100] ^= 1;
             s.say_hash();
         }},
        {"an unknown kind of proof",
         [](Peer &, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.say_random();
             s.take_random();
             s.say_hash();
             s.take_hash();
             s.write("\3");
         }},
        {"no kind of proof",
         [](Peer &, RsaServer &s) {
             s.show_key();
             s.take_key();
             s.say_random();
             s.take_random();
             s.say_hash();
             s.take_hash();
             s.write(std::string(1, '\0'));
         }},
    };
    for (const Type &type : TYPES)
        for (const auto &[name, step] : steps) {
            INFO(type.name << ": " << name);
            Outcome o = play(trusting(type), [&, name = name, step = step](Peer &p) {
                begin(p, type);
                RsaServer s(p, key(), type.wide);
                step(p, s);
                if (name.find("closes") == std::string::npos)
                    p.read_rest(); /* the client is the one who ends it */
            });
            CHECK_FALSE(o.ok);
            CHECK(o.asked == 0);
            CHECK_FALSE(o.why.empty());
        }
}

TEST_CASE("rsa: what comes before the cipher has begun is refused")
{
    Outcome o = play(trusting(TYPES[0]), [&](Peer &p) {
        begin(p, TYPES[0]);
        p.write(key().shown() + lengthy(256) + std::string(300, '\1'));
        p.read_rest();
    });
    CHECK_FALSE(o.ok);
    CHECK(o.asked == 0);
}

TEST_CASE("rsa: the server refuses the password")
{
    for (const Type &type : TYPES) {
        INFO(type.name);
        Outcome o = play(trusting(type), [&](Peer &p) {
            begin(p, type);
            RsaServer s(p, key(), type.wide);
            s.enter(true);
            const std::string no = std::string("\0\0\0\1\0\0\0\5", 8) + "wrong";
            type.all ? s.write(no) : p.write(no);
        });
        CHECK_FALSE(o.ok);
        CHECK(o.kind == FAILURE_AUTHENTICATION);
        CHECK(o.why.find("wrong") != std::string::npos);
    }
}

TEST_CASE("rsa: a name or a password of more than 255 bytes is not cut")
{
    for (size_t size : {255u, 256u})
        for (bool name : {false, true}) {
            INFO(size << (name ? " name" : " password"));
            Client c = trusting(TYPES[2]);
            (name ? c.user : c.password) = std::string(size, 'x');
            std::string said;
            Outcome o = play(c, [&](Peer &p) { play_server(p, TYPES[2], key(), true, &said); });
            CHECK(o.ok == (size == 255));
            if (!o.ok) {
                CHECK(o.kind == FAILURE_AUTHENTICATION);
                CHECK(said.empty());
            }
        }
}

TEST_CASE("rsa: a server that was met before hears type, ClientInit and more early")
{
    static const uint8_t ahead[] = {0, 0, 0, 0, ' ', '\x18', 0, 1};
    for (const Type &type : TYPES) {
        INFO(type.name);
        Client c = trusting(type);
        c.early.minor = 8;
        c.early.way = security_find(SECURITY_ALL, type.number, 0);
        c.early.ahead = ahead;
        c.early.ahead_size = sizeof ahead;
        REQUIRE(c.early.way);
        Outcome o = play(c, [&](Peer &p) {
            EXPECT(p.read(13) == VERSION + static_cast<char>(type.number));
            p.write(VERSION + '\1' + static_cast<char>(type.number));
            RsaServer s(p, key(), type.wide);
            s.enter(true);
            /* without an answer to the proof */
            std::string said = type.all ? s.read(1 + sizeof ahead) : p.read(1 + sizeof ahead);
            EXPECT(said.substr(1) == std::string(ahead, ahead + sizeof ahead));
            type.all ? s.write(OK + INIT) : p.write(OK + INIT);
        });
        INFO(o.why);
        CHECK(o.ok);
        CHECK(o.ahead);
    }
}

TEST_CASE("rsa: our own key is new for each connection")
{
    std::string keys[2];
    for (std::string &k : keys)
        play(trusting(TYPES[0]), [&](Peer &p) {
            begin(p, TYPES[0]);
            RsaServer s(p, key(), false);
            s.show_key();
            s.take_key();
            k = s.client_key;
        });
    CHECK(keys[0].size() == 4 + 2 * 256);
    CHECK(keys[0] != keys[1]);
}
