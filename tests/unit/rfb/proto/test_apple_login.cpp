// Apple's login: what the viewer computes, with numbers from another program, and a whole server of
// ours that offers it.
#include "tests/catch.hpp"

#include <gmp.h>
#include <nettle/aes.h>
#include <nettle/md5.h>

#include <cstring>
#include <string>
#include <vector>

#include "rfb/proto/handshake/apple_login.h"
#include "tests/expect.hpp"
#include "tests/rfb_peer.hpp"

using namespace peer;

namespace
{

std::string from_hex(const char *hex)
{
    std::string out;
    for (; *hex; hex += 2)
        out += static_cast<char>(std::stoi(std::string(hex, 2), nullptr, 16));
    return out;
}

// RFC 2409, section 6.2: 1024 bits.
const std::string PRIME = from_hex(
    "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a0879"
    "8e3404ddef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b"
    "0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff");

// Computed by Python's pow() and hashlib, and by OpenSSL's aes-128-ecb; see the test below.
const std::string VECTOR_KEY = from_hex(
    "ff4de104870e7d02cf909bf66c74b5b4f4116f642a046fe5c2d6e3ae33760f2c3a0c64c7381734494e0248c9"
    "008c12468ac3a4925c6cc0013247d3da87691f55f072630ac297866c19b71d9f1dfd4823a8fd4ba361336986"
    "55f090db2e5c0a9491348491ca6f50fe7f3ea40476d15592b929825c2708a4aeadf22359a6e52d34");
const std::string VECTOR_ANSWER = from_hex(
    "aef189406a82dddbdb1e384e00f5b2eafc8b16c5a7a87a783a6a6e966eaa9b9b65f579327724b579c6d640aa"
    "437e91cc365db13f0e2c205f107c9853bed4ddf7836b23c43e8d02b68a82e6ea5a488c42c7bd0a19eb3d0dee"
    "2839e22dcf569323f65f4e87a55dbdb6ef6c79875c30f0da55d11705af2901fbb1ec1f3cbac9b7c0af9e1898"
    "39a7588ce318bc1e2c16a4dbeffdfaea2f5d1abf3b2f3ca8d75ea9ce2d884d63029bfb16cd25c146e472d10d"
    "002c20164f989293413ea1528e82487582b290bf2aa4d8fe5075bc6eb6243f98ea99aa8fc5c9c17543bc05a6"
    "667674d0c02b33da98c14b7c3f0d63b0bc12691b65067ec06208f1f09095813d910c13fa");

// A number of GMP's other interface, of which the viewer has nothing.
class Number
{
  public:
    explicit Number(const std::string &bytes)
    {
        mpz_init(n);
        mpz_import(n, bytes.size(), 1, 1, 1, 0, bytes.data());
    }
    ~Number()
    {
        mpz_clear(n);
    }
    Number(const Number &) = delete;
    Number &operator=(const Number &) = delete;
    std::string bytes(size_t size) const
    {
        std::string out(size, '\0');
        size_t used = (mpz_sizeinbase(n, 2) + 7) / 8;
        EXPECT(used <= size);
        mpz_export(&out[size - used], nullptr, 1, 1, 1, 0, n);
        return out;
    }
    mpz_t n;
};

// base^exponent mod PRIME, or mod another number, with as many bytes as that has.
std::string power(const std::string &base, const std::string &exponent, const std::string &modulus)
{
    Number b(base), e(exponent), m(modulus), out("");
    mpz_powm(out.n, b.n, e.n, m.n);
    return out.bytes(modulus.size());
}

std::string u16(size_t v)
{
    return {static_cast<char>(v >> 8), static_cast<char>(v)};
}

std::string u32(uint32_t v)
{
    return u16(v >> 16) + u16(v & 0xffff);
}

const std::string INIT =
    std::string("\0\x40\0\x30\x20\x18\0\1\0\xff\0\xff\0\xff\x10\x08\0\0\0\0", 20) + u32(4) + "name";

// What a server has: its numbers, as they are said.
struct Mac {
    std::string prime = PRIME;
    std::string generator = "\x02";
    std::string secret = std::string(128, '\x5a'), key = {}; // empty: what belongs to the secret
    std::string head = {};                                   // empty: what belongs to the rest

    std::string says() const
    {
        std::string number = key.empty() ? power(generator, secret, prime) : key;
        return (head.empty() ? std::string(1, '\0') + generator + u16(prime.size()) : head) +
               prime + number;
    }
    // Of an answer; empty where it is not that.
    std::string texts(const std::string &answer) const
    {
        std::string shared = power(answer.substr(128), secret, prime), out(128, '\0');
        uint8_t digest[MD5_DIGEST_SIZE];
        struct md5_ctx md5;
        struct aes128_ctx aes;
        md5_init(&md5);
        md5_update(&md5, shared.size(), reinterpret_cast<const uint8_t *>(shared.data()));
        md5_digest(&md5, sizeof digest, digest);
        aes128_set_decrypt_key(&aes, digest);
        aes128_decrypt(&aes, 128, reinterpret_cast<uint8_t *>(&out[0]),
                       reinterpret_cast<const uint8_t *>(answer.data()));
        return out;
    }
};

void begin(Peer &p, const std::string &types)
{
    p.write("RFB 003.889\n"); // as Macs do
    p.read(12);
    p.write(std::string(1, static_cast<char>(types.size())) + types);
    p.read(1);
}

struct Told {
    std::string name, password, answer;
};

// Lets the client in whose password is "s3cret".
std::function<void(Peer &)> server(const Mac &mac, Told *told, const std::string &types = "\x1e")
{
    return [=](Peer &p) {
        begin(p, types);
        p.write(mac.says());
        told->answer = p.read(128 + mac.prime.size());
        std::string texts = mac.texts(told->answer);
        told->name = texts.substr(0, 64).c_str();
        told->password = texts.substr(64).c_str();
        if (told->password != "s3cret") {
            p.write(u32(1) + u32(9) + "not today");
            return;
        }
        p.write(u32(0));
        p.read(1);
        p.write(INIT);
    };
}

// What the client makes of a server that says this and then nothing more, and what it says to it.
Outcome hear(const std::string &says, std::string *said)
{
    return play({}, [=](Peer &p) {
        begin(p, "\x1e");
        p.write(says);
        *said = p.read_rest();
    });
}

} // namespace

TEST_CASE("Apple's login: the answer is that of another program")
{
    struct apple_login a = {};
    struct reason why = {};
    std::string random, answer(APPLE_LOGIN_BYTES(128), '\0');
    for (int i = 0; i < 128; i++)
        random += static_cast<char>(7 * i + 1); // fills up the texts
    for (int i = 0; i < 128; i++)
        random += static_cast<char>(13 * i + 5); // the client's secret; the server's: 29 * i + 3
    auto bytes = [](std::string &s) { return reinterpret_cast<uint8_t *>(&s[0]); };
    std::string head("\0\2\0\x80", 4);
    REQUIRE(apple_login_begin(&a, bytes(head), &why));
    memcpy(a.prime, PRIME.data(), PRIME.size());
    memcpy(a.key, VECTOR_KEY.data(), VECTOR_KEY.size());
    REQUIRE(apple_login_check(&a, &why));
    REQUIRE(apple_login_answer(&a, "somebody", "geheim\xc3\x9f", bytes(random), bytes(answer)));
    CHECK(answer == VECTOR_ANSWER);
    CHECK(random == std::string(random.size(), '\0')); // nobody can read the secret any more
}

TEST_CASE("Apple's login: the server gets name and password, in numbers of any size")
{
    std::string larger(1024, '\xff'), odd(131, '\xff'), padded(160, '\0');
    padded.replace(32, 128, PRIME); // zeros in front
    for (const std::string &prime : {PRIME, odd, padded, std::string(256, '\xff'), larger}) {
        Told told;
        Mac mac;
        mac.prime = prime;
        mac.secret = "\x11\x22\x33";
        Client c;
        c.user = "Anna Bj\xc3\xb6rk";
        Outcome out = play(c, server(mac, &told));
        INFO(prime.size() << " bytes: " << out.why);
        CHECK(out.ok);
        CHECK(out.way == "DH");
        CHECK(out.channel == CHANNEL_CLEAR);
        CHECK(out.asked == 1);
        CHECK(told.name == c.user);
        CHECK(told.password == "s3cret");
    }
}

TEST_CASE("Apple's login: nothing of an answer comes again in the next one")
{
    Told one, two;
    REQUIRE(play({}, server({}, &one)).ok);
    REQUIRE(play({}, server({}, &two)).ok);
    for (size_t block = 0; block < one.answer.size(); block += 16)
        CHECK(one.answer.substr(block, 16) != two.answer.substr(block, 16));
}

TEST_CASE("Apple's login: a wrong password is refused in the server's words")
{
    Told told;
    Client c;
    c.password = "guess";
    Outcome out = play(c, server({}, &told));
    CHECK_FALSE(out.ok);
    CHECK(out.kind == FAILURE_AUTHENTICATION);
    CHECK(out.why == "the server refused the password: not today");
    CHECK(told.password == "guess");
}

TEST_CASE("Apple's login: 63 bytes have room, and of more nothing is sent")
{
    const std::string most(63, 'x'), more(64, 'x');
    Told told;
    Client c;
    c.user = most;
    CHECK(play(c, server({}, &told)).ok);
    CHECK(told.name == most);
    c.password = most;
    play(c, server({}, &told));
    CHECK(told.password == most);
    for (int which = 0; which < 2; which++) {
        std::string said = "?";
        Client longer;
        (which ? longer.password : longer.user) = more;
        Outcome out = play(longer, [&](Peer &p) {
            begin(p, "\x1e");
            p.write(Mac().says());
            said = p.read_rest();
        });
        CHECK_FALSE(out.ok);
        CHECK(out.kind == FAILURE_AUTHENTICATION);
        CHECK(out.why == std::string(which ? "the password" : "the user name") +
                             " has 64 bytes, and Apple's login (DH) has room for 63");
        CHECK(said.empty());
    }
}

TEST_CASE("Apple's login: numbers that are not safe end it before a password is asked for")
{
    auto number = [](size_t size, unsigned last) { // a small one
        return std::string(size - 1, '\0') + static_cast<char>(last);
    };
    auto with = [](auto change) {
        Mac mac;
        change(mac);
        return mac.says();
    };
    std::string even = PRIME, below = PRIME;
    even.back() = '\xfe';
    below.back() = '\xfe'; // p - 1
    struct Case {
        const char *name;
        std::string says, why;
    };
    const std::vector<Case> cases = {
        {"no length", std::string("\0\2\0\0", 4), "has 0 bits: this viewer takes 1024 to 8192"},
        {"a short prime", with([&](Mac &m) { m.prime = std::string(127, '\xff'); }),
         "has 1016 bits"},
        {"a long prime", with([&](Mac &m) { m.prime = std::string(1025, '\xff'); }),
         "has 8200 bits"},
        {"the longest", std::string("\0\2\xff\xff", 4), "has 524280 bits"},
        {"a prime of 0", std::string("\0\2\0\x80", 4) + std::string(256, '\0'), "no prime"},
        {"a prime of 1", std::string("\0\2\0\x80", 4) + number(128, 1) + number(128, 3),
         "no prime"},
        {"a small prime with zeros in front",
         std::string("\0\2\1\0", 4) + std::string(129, '\0') + std::string(127, '\xff') +
             number(256, 3),
         "no prime"},
        {"an even one", with([&](Mac &m) { m.prime = even; }), "no prime"},
        {"a public key of 0", with([&](Mac &m) { m.key = number(128, 0); }), "out of range"},
        {"of 1", with([&](Mac &m) { m.key = number(128, 1); }), "out of range"},
        {"of p - 1", with([&](Mac &m) { m.key = below; }), "out of range"},
        {"of p", with([&](Mac &m) { m.key = PRIME; }), "out of range"},
        {"above p", with([&](Mac &m) { m.key = std::string(128, '\xff'); }), "out of range"},
        {"a generator of 0",
         with([&](Mac &m) { m.key = number(128, 3), m.head = std::string("\0\0\0\x80", 4); }),
         "out of range"},
        {"a generator of 1",
         with([&](Mac &m) { m.key = number(128, 3), m.head = std::string("\0\1\0\x80", 4); }),
         "out of range"},
    };
    for (const Case &k : cases) {
        std::string said = "?";
        Outcome out = hear(k.says, &said);
        INFO(k.name << ": " << out.why);
        CHECK_FALSE(out.ok);
        CHECK(out.kind == FAILURE_PROTOCOL);
        CHECK(out.asked == 0);
        CHECK(said.empty());
        CHECK(out.why.find("the server's key for the password") == 0);
        CHECK(out.why.find(k.why) != std::string::npos);
    }
    // the least and the most that are taken
    below.back() = '\xfd'; // p - 2
    for (const std::string &key : {number(128, 2), below}) {
        Outcome out = play({}, [&](Peer &p) {
            begin(p, "\x1e");
            p.write(with([&](Mac &m) { m.key = key; }));
            p.read(128 + 128);
        });
        CHECK(out.asked == 1);
        CHECK(out.served);
    }
}

TEST_CASE("Apple's login: a server that goes away at any byte is no hang and no success")
{
    Told told;
    const std::string says = Mac().says();
    for (size_t size : {size_t(0), size_t(1), size_t(3), size_t(4), size_t(5), size_t(131),
                        size_t(132), size_t(133), says.size() - 1, says.size()}) {
        Outcome out = play({}, [&](Peer &p) {
            begin(p, "\x1e");
            p.write(says.substr(0, size));
        });
        INFO(size << " bytes: " << out.why);
        CHECK_FALSE(out.ok);
        CHECK(out.kind == FAILURE_LOST);
        CHECK(out.asked == (size == says.size()));
    }
}

TEST_CASE("Apple's login: it is said early that it is taken, and the rest behind the answer")
{
    static const uint8_t ahead[] = {3, 0, 0, 0, 0, 0, 0, 64, 0, 48};
    Mac mac;
    Client c;
    c.early.minor = 8;
    c.early.way = security_find(SECURITY_ALL, SECURITY_DH, 0);
    REQUIRE(c.early.way);
    c.early.ahead = ahead;
    c.early.ahead_size = sizeof ahead;
    std::string at_once, behind;
    Outcome out = play(c, [&](Peer &p) {
        at_once = p.read(13); // before the server has said anything
        p.write("RFB 003.889\n" + std::string("\3\x1e\x21\x24") + mac.says());
        p.read(128 + 128);
        behind = p.read(1 + sizeof ahead);
        p.write(u32(0) + INIT);
    });
    INFO(out.why);
    CHECK(out.ok);
    CHECK(out.ahead);
    CHECK(at_once == "RFB 003.008\n\x1e");
    CHECK(behind ==
          std::string(1, '\0') + std::string(reinterpret_cast<const char *>(ahead), sizeof ahead));
}

TEST_CASE(
    "Apple's login: it is left where --security-types does not name it, and for what is better")
{
    Told told;
    Client c;
    c.allowed = "VncAuth,None";
    Outcome out = play(c, server({}, &told, "\x1e\x21"));
    CHECK_FALSE(out.ok);
    CHECK(out.kind == FAILURE_SECURITY);
    CHECK(out.asked == 0);
    CHECK(out.why == "the server offers no allowed security type: it has DH, Apple's (type 33); "
                     "--security-types allows more");
    c.allowed = "DH";
    CHECK(play(c, server({}, &told, "\x02\x1e\x01")).way == "DH");
}

TEST_CASE("types of Apple and RealVNC alone: the line says what to turn on there")
{
    auto line = [](const std::string &types) {
        Outcome out = play({}, [=](Peer &p) { begin(p, types); });
        CHECK_FALSE(out.ok);
        CHECK(out.kind == FAILURE_SECURITY);
        return out.why;
    };
    CHECK(line("\x21\x23\x24") ==
          "the server offers no security type that this viewer has, only Apple's (type 33, 35, "
          "36). On the Mac turn on \"VNC viewers may control screen with password\" (System "
          "Settings, General, Sharing, the \"i\" beside Screen Sharing)");
    CHECK(line("\x0d\xc0") ==
          "the server offers no security type that this viewer has, only RealVNC's (type 13, "
          "192). RealVNC's server lets other viewers in with "
          "Authentication=VncAuth and Encryption=PreferOn in its settings, and a password made by "
          "\"vncpasswd -legacy\"");
    CHECK(line("\x14") == "the server offers no security type that this viewer has, only SASL "
                          "(type 20)");
    // as many as there can be: it is cut, and says so
    std::string all;
    for (int type = 134; type < 256; type++)
        all += static_cast<char>(type);
    CHECK(line(all).find(") and ") != std::string::npos);
}
