/* Ways in: which security type is taken, and what happens with all others. The server is played by
 * the test, its TLS is real. */
#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "rfb/proto/handshake/security.h"
#include "tests/catch.hpp"
#include "tests/rfb_peer.hpp"

using namespace peer;

namespace
{

std::string u8(unsigned v)
{
    return std::string(1, static_cast<char>(v));
}

std::string u32(uint32_t v)
{
    return u8(v >> 24) + u8(v >> 16 & 255) + u8(v >> 8 & 255) + u8(v & 255);
}

const std::string INIT =
    std::string("\0\x40\0\x30\x20\x18\0\1\0\xff\0\xff\0\xff\x10\x08\0\0\0\0", 20) + u32(4) + "name";

void begin(Peer &p, const char *version = "RFB 003.008\n")
{
    p.write(version);
    p.read(12);
}

void offer(Peer &p, const std::vector<unsigned> &types)
{
    std::string list = u8(static_cast<unsigned>(types.size()));
    for (unsigned t : types)
        list += u8(t);
    p.write(list);
}

uint32_t answer32(Peer &p)
{
    uint32_t v = 0;
    for (char c : p.read(4))
        v = v << 8 | static_cast<unsigned char>(c);
    return v;
}

unsigned answer8(Peer &p)
{
    return static_cast<unsigned char>(p.read(1)[0]);
}

/* The password is right, whatever it is. */
void prove_vnc(Peer &p)
{
    p.write("sixteen bytes ok");
    p.read(16);
}

void prove_plain(Peer &p)
{
    uint32_t name = answer32(p), password = answer32(p);
    p.read(name + password);
}

void finish(Peer &p)
{
    p.write(u32(0));
    p.read(1);
    p.write(INIT);
}

/* VeNCrypt with these subtypes; returns the one taken, after TLS has begun where it has any. */
uint32_t vencrypt(Peer &p, const std::vector<uint32_t> &subtypes, const Certificate *certificate)
{
    std::string list = u8(static_cast<unsigned>(subtypes.size()));
    for (uint32_t t : subtypes)
        list += u32(t);
    p.write(u8(0) + u8(2));
    p.read(2);
    p.write(u8(0) + list);
    uint32_t taken = answer32(p);
    if (taken > VENCRYPT_PLAIN) {
        p.write(u8(1));
        p.start_tls(taken >= VENCRYPT_X509_NONE ? certificate : nullptr);
    }
    return taken;
}

/* Lets the client in by the way it has taken. */
void let_in(Peer &p, uint32_t taken)
{
    if (taken == SECURITY_VNC || taken == VENCRYPT_TLS_VNC || taken == VENCRYPT_X509_VNC)
        prove_vnc(p);
    if (taken == VENCRYPT_PLAIN || taken == VENCRYPT_TLS_PLAIN || taken == VENCRYPT_X509_PLAIN)
        prove_plain(p);
    finish(p);
}

/* A whole server: these types, these subtypes inside VeNCrypt and inside TLS. */
std::function<void(Peer &)> server(std::vector<unsigned> types, std::vector<uint32_t> subtypes = {},
                                   const Certificate *certificate = nullptr)
{
    return [=](Peer &p) {
        begin(p);
        offer(p, types);
        uint32_t taken = answer8(p);
        if (taken == SECURITY_VENCRYPT) {
            taken = vencrypt(p, subtypes, certificate);
        } else if (taken == SECURITY_TLS) {
            p.start_tls(nullptr);
            offer(p, {subtypes.begin(), subtypes.end()});
            taken = answer8(p);
        }
        let_in(p, taken);
    };
}

/* After what the server offers the client says nothing more. */
std::function<void(Peer &)> nothing_follows(std::function<void(Peer &)> offers, std::string *said)
{
    return [=](Peer &p) {
        offers(p);
        *said = p.read_rest();
    };
}

/* The subtypes of VeNCrypt, strongest first; written down apart from the table in security.c. */
const std::vector<std::pair<uint32_t, const char *>> BY_STRENGTH = {
    {261, "X509Vnc"}, {262, "X509Plain"}, {260, "X509None"}, {258, "TLSVnc"}, {259, "TLSPlain"},
    {257, "TLSNone"}, {2, "VncAuth"},     {1, "None"},       {256, "Plain"}};

} // namespace

TEST_CASE("the strongest security type is taken, whatever the order")
{
    std::mt19937 random(1);
    for (unsigned subset = 1; subset < 1u << BY_STRENGTH.size(); subset++) {
        std::vector<uint32_t> offered;
        const char *strongest = nullptr;
        for (size_t i = 0; i < BY_STRENGTH.size(); i++) {
            if (!(subset >> i & 1))
                continue;
            offered.push_back(BY_STRENGTH[i].first);
            /* Plain is for those who ask for it. */
            if (!strongest && BY_STRENGTH[i].first != 256)
                strongest = BY_STRENGTH[i].second;
        }
        for (int order = 0; order < 4; order++) {
            std::shuffle(offered.begin(), offered.end(), random);
            const struct security *taken = security_choose(security_default(), SECURITY_VENCRYPT,
                                                           offered.data(), offered.size());
            INFO("subset " << subset);
            REQUIRE((taken != nullptr) == (strongest != nullptr));
            if (taken)
                REQUIRE(std::string(taken->name) == strongest);
        }
    }
    std::vector<uint32_t> outer = {1, 2, 18, 19};
    const uint32_t apple[] = {30, 1}, both[] = {33, 30, 2};
    CHECK(security_choose(security_default(), SECURITY_FAILED, apple, 2)->type == 30);
    CHECK(security_choose(security_default(), SECURITY_FAILED, both, 3)->type == 2);
    do {
        CHECK(security_choose(security_default(), SECURITY_FAILED, outer.data(), 4)->type == 19);
        std::vector<uint32_t> rest;
        std::copy_if(outer.begin(), outer.end(), std::back_inserter(rest),
                     [](uint32_t t) { return t != 19; });
        CHECK(security_choose(security_default(), SECURITY_FAILED, rest.data(), 3)->type == 18);
        rest.erase(std::find(rest.begin(), rest.end(), 18u));
        CHECK(security_choose(security_default(), SECURITY_FAILED, rest.data(), 2)->type == 2);
    } while (std::next_permutation(outer.begin(), outer.end()));
}

TEST_CASE("RSA-AES ranks between TLS and a certificate, or below TLS")
{
    const std::vector<std::pair<uint32_t, const char *>> order = {
        {19, "X509Vnc"},    {129, "RA2_256"}, {5, "RA2"},     {18, "TLSVnc"},
        {130, "RA2ne_256"}, {6, "RA2ne"},     {2, "VncAuth"}, {1, "None"}};
    for (size_t i = 0; i < order.size(); i++) {
        std::vector<uint32_t> offered;
        for (size_t j = order.size(); j-- > i;)
            offered.push_back(order[j].first);
        const struct security *taken =
            security_choose(security_default(), SECURITY_FAILED, offered.data(), offered.size());
        REQUIRE(taken);
        CHECK(std::string(taken->name) == order[i].second);
    }
    struct reason why;
    security_set set;
    REQUIRE(security_parse(&set, "RA2ne,VncAuth", &why));
    CHECK(security_with_key(set) == 0);
    REQUIRE(security_parse(&set, "ra2,RA2_256,TLSVnc,X509Vnc", &why));
    CHECK(security_with_key(set) != security_with_certificate(set));
    CHECK(security_with_certificate(security_with_key(set)) == security_with_certificate(set));
    const uint32_t rsa[] = {6, 5};
    set = security_only(set, security_find(SECURITY_ALL, 5, 0));
    CHECK(std::string(security_choose(set, SECURITY_FAILED, rsa, 2)->name) == "RA2");
    CHECK_FALSE(security_choose(set, SECURITY_FAILED, rsa, 1));
}

TEST_CASE("names of security types")
{
    struct reason why;
    security_set set, other;
    REQUIRE(security_parse(&set, "x509vnc, TLSNone", &why));
    REQUIRE(security_parse(&other, "TLSNONE X509Vnc", &why));
    CHECK(set == other);
    CHECK(security_with_certificate(set) != 0);
    REQUIRE(security_parse(&set, "TLSVnc,VncAuth,None,Plain", &why));
    CHECK(security_with_certificate(set) == 0);
    for (const char *bad : {"", ",", "X509", "VncAuth,SASL", "VeNCrypt"}) {
        INFO(bad);
        CHECK_FALSE(security_parse(&set, bad, &why));
    }
}

TEST_CASE("each security type that we have lets us in")
{
    Certificate certificate("localhost");
    for (const auto &[number, name] : BY_STRENGTH) {
        INFO(name);
        Client c;
        c.allowed = name;
        if (number >= 260)
            c.x509_ca = certificate.file();
        Outcome in = play(c, server({19}, {number}, &certificate));
        INFO(in.why);
        CHECK(in.ok);
        CHECK(in.served);
        CHECK(in.way == name);
        CHECK(in.asked == (std::string(name).find("None") == std::string::npos));
        if (in.asked)
            CHECK(in.channel == (number >= 260   ? CHANNEL_CERTIFICATE
                                 : number >= 257 ? CHANNEL_ANONYMOUS
                                                 : CHANNEL_CLEAR));
    }
    for (unsigned type : {1u, 2u}) {
        CHECK(play({}, server({type})).ok);
        Outcome inside = play({}, server({18}, {type}));
        CHECK(inside.ok);
        CHECK(inside.way == (type == 1 ? "TLSNone" : "TLSVnc"));
    }
}

TEST_CASE("every other security type is refused before anything more is said")
{
    for (unsigned type = 0; type < 256; type++) {
        if (type == 1 || type == 2 || type == 5 || type == 6 || type == 18 || type == 19 ||
            type == 30 || type == 129 || type == 130)
            continue;
        INFO("type " << type);
        std::string said = "?";
        Outcome out = play({}, nothing_follows(
                                   [=](Peer &p) {
                                       begin(p);
                                       if (type == 0) {
                                           p.write(u8(0) + u32(7) + "not you");
                                           return;
                                       }
                                       offer(p, {type});
                                   },
                                   &said));
        CHECK_FALSE(out.ok);
        CHECK(said.empty());
        CHECK(out.asked == 0);
        CHECK(out.why.find(type ? "type " + std::to_string(type) : "not you") != std::string::npos);
    }
}

TEST_CASE("every other subtype of VeNCrypt is refused before anything more is said")
{
    std::vector<uint32_t> numbers;
    for (uint32_t n = 0; n < 300; n++)
        numbers.push_back(n);
    for (int bit = 9; bit < 32; bit++)
        for (uint32_t n : {(1u << bit) - 1, 1u << bit, (1u << bit) + 2})
            numbers.push_back(n);
    numbers.push_back(0xffffffff);
    for (uint32_t subtype : numbers) {
        if (subtype == 1 || subtype == 2 || (subtype >= 257 && subtype <= 262))
            continue;
        INFO("subtype " << subtype); /* 256 is Plain, 263 and 264 are SASL inside TLS */
        std::string said = "?";
        Outcome out = play({}, nothing_follows(
                                   [=](Peer &p) {
                                       begin(p);
                                       offer(p, {19});
                                       p.read(1);
                                       p.write(u8(0) + u8(2));
                                       p.read(2);
                                       p.write(u8(0) + u8(1) + u32(subtype));
                                   },
                                   &said));
        CHECK_FALSE(out.ok);
        CHECK(said.empty());
        CHECK(out.asked == 0);
    }
}

TEST_CASE("every other type inside TLS is refused before anything more is said")
{
    for (unsigned type = 0; type < 256; type++) {
        if (type == 1 || type == 2)
            continue;
        INFO("type " << type); /* 20 is SASL */
        std::string said = "?";
        Outcome out = play({}, nothing_follows(
                                   [=](Peer &p) {
                                       begin(p);
                                       offer(p, {18});
                                       p.read(1);
                                       p.start_tls(nullptr);
                                       if (type == 0)
                                           p.write(u8(0) + u32(7) + "not you");
                                       else
                                           offer(p, {type});
                                   },
                                   &said));
        CHECK_FALSE(out.ok);
        CHECK(said.empty());
        CHECK(out.asked == 0);
    }
}

TEST_CASE("a certificate that was asked for is got, or nothing happens")
{
    Certificate certificate("localhost");
    Client c;
    c.x509_ca = certificate.file();
    const std::map<std::string, std::function<void(Peer &)>> without = {
        {"None", server({1})},
        {"VncAuth", server({2})},
        {"DH", server({30})},
        {"TLS, then None", server({18}, {1})},
        {"TLS, then VncAuth", server({18}, {2})},
        {"VeNCrypt None", server({19}, {1})},
        {"VeNCrypt Vnc", server({19}, {2})},
        {"VeNCrypt Plain", server({19}, {256})},
        {"VeNCrypt TLSNone", server({19}, {257})},
        {"VeNCrypt TLSVnc", server({19}, {258})},
        {"VeNCrypt TLSPlain", server({19}, {259})},
        {"all of them", server({1, 2, 18, 19}, {1, 2, 256, 257, 258, 259})},
        {"RFB 3.3, None",
         [](Peer &p) {
             begin(p, "RFB 003.003\n");
             p.write(u32(1));
             p.read(1);
         }},
        {"RFB 3.3, VncAuth",
         [](Peer &p) {
             begin(p, "RFB 003.003\n");
             p.write(u32(2) + "sixteen bytes ok");
             p.read(16);
         }},
        {"RFB 3.7, None",
         [](Peer &p) {
             begin(p, "RFB 003.007\n");
             offer(p, {1});
             p.read(1);
         }},
    };
    for (const auto &[name, script] : without) {
        Outcome out = play(c, script);
        INFO(name << ": " << out.why);
        CHECK_FALSE(out.ok);
        CHECK_FALSE(out.served);
        CHECK(out.asked == 0);
        CHECK(out.why.find("certificate") != std::string::npos);
    }
    for (const auto &order : std::vector<std::vector<uint32_t>>{
             {257, 260}, {260, 257}, {1, 2, 256, 257, 258, 259, 260}}) {
        Outcome out = play(c, server({1, 2, 18, 19}, order, &certificate));
        INFO(out.why);
        CHECK(out.ok);
        CHECK(out.way == "X509None");
    }
}

TEST_CASE("what is wrong with a certificate is said, and nothing secret is sent")
{
    const time_t HOUR = 3600;
    Certificate right("localhost"), other("localhost"), elsewhere("elsewhere.example"),
        expired("localhost", -2 * HOUR, -HOUR), early("localhost", HOUR, 2 * HOUR);
    struct Case {
        const Certificate *shown, *trusted;
        const char *said;
    };
    for (const Case &k :
         {Case{&elsewhere, &elsewhere, "it is for 'elsewhere.example', not for 'localhost'"},
          Case{&expired, &expired, "it expired on 20"},
          Case{&early, &early, "it is not valid before 20"},
          Case{&right, &other, other.file().c_str()}, Case{&right, nullptr, "it is self-signed"}}) {
        Client c;
        if (k.trusted)
            c.x509_ca = k.trusted->file();
        Outcome out = play(c, server({19}, {261}, k.shown));
        INFO(out.why);
        CHECK_FALSE(out.ok);
        CHECK(out.asked == 0);
        CHECK(out.why.find(k.said) != std::string::npos);
    }
    for (const char *file : {"/no/such/file.pem", "/dev/null"}) {
        Client c;
        c.x509_ca = file;
        Outcome out = play(c, server({19}, {261}, &right));
        INFO(out.why);
        CHECK_FALSE(out.ok);
        CHECK(out.why.find(file) != std::string::npos);
    }
    Client c;
    c.x509_ca = right.file();
    CHECK(play(c, server({19}, {261}, &right)).ok);
}

TEST_CASE("name and password go in the clear only when that is asked for")
{
    Outcome refused = play({}, server({19}, {256}));
    INFO(refused.why);
    CHECK_FALSE(refused.ok);
    CHECK(refused.asked == 0);
    CHECK(refused.why.find("--security-types") != std::string::npos);
    Client c;
    c.allowed = "Plain";
    CHECK(play(c, server({19}, {256})).ok);
    /* Named beside others it is still the last. */
    c.allowed = "Plain,None";
    CHECK(play(c, server({19}, {256, 1})).way == "None");
}

TEST_CASE("an older RFB version is spoken to as it was")
{
    Client c;
    CHECK(play(c, [](Peer &p) {
              begin(p, "RFB 003.003\n");
              p.write(u32(2));
              prove_vnc(p);
              finish(p);
          }).ok);
    CHECK(play(c,
               [](Peer &p) { /* None has no result before 3.8 */
                             begin(p, "RFB 003.007\n");
                             offer(p, {1});
                             p.read(2);
                             p.write(INIT);
               })
              .ok);
    Outcome wrong = play(c, [](Peer &p) {
        begin(p, "RFB 003.007\n");
        offer(p, {2});
        p.read(1);
        prove_vnc(p);
        p.write(u32(1));
    });
    CHECK(wrong.why == "the server refused the password");
    c.allowed = "None";
    CHECK_FALSE(play(c, [](Peer &p) {
                    begin(p, "RFB 003.003\n");
                    p.write(u32(2) + "sixteen bytes ok");
                    p.read(16);
                }).ok);
}

TEST_CASE("what VeNCrypt holds is not taken where something better stands beside it")
{
    /* anonymous TLS beside VeNCrypt that has only clear types */
    Outcome out = play({}, server({18, 19}, {2}));
    INFO(out.why);
    CHECK_FALSE(out.ok);
    CHECK(out.asked == 0);
    CHECK(out.why.find("--security-types TLSVnc") != std::string::npos);
    CHECK(out.beside == "TLSVnc");
    /* RSA-AES, of which the server proves the key, beside anonymous TLS */
    out = play({}, server({5, 19}, {258}));
    CHECK(out.asked == 0);
    CHECK(out.beside == "RA2");
    CHECK(play({}, server({6, 19}, {258})).way == "TLSVnc");
    /* the only allowed type beside it: said how to get it */
    out = play({}, server({2, 19}, {256}));
    INFO(out.why);
    CHECK_FALSE(out.ok);
    CHECK(out.why.find("--security-types VncAuth") != std::string::npos);
    CHECK(out.beside == "VncAuth");
    CHECK(play({}, server({19}, {256})).beside.empty());
    Client c;
    c.allowed = "VncAuth";
    CHECK(play(c, server({19, 2}, {256})).ok);
    /* as TigerVNC does it: the same types inside and beside */
    CHECK(play({}, server({19, 2, 1}, {258, 2, 1})).way == "TLSVnc");
    CHECK(play({}, server({19, 2, 1}, {2, 1})).way == "VncAuth");
}

TEST_CASE("bytes in front of TLS are refused")
{
    Outcome out = play({}, [](Peer &p) {
        begin(p);
        offer(p, {18});
        p.read(1);
        p.write("injected");
        p.start_tls(nullptr);
    });
    /* they are taken for bytes of TLS, or seen beforehand */
    CHECK_FALSE(out.ok);
    Outcome early = play({}, [](Peer &p) {
        begin(p);
        p.write(u8(1) + u8(18) + "injected");
        p.read_rest();
    });
    INFO(early.why);
    CHECK_FALSE(early.ok);
    CHECK(early.why.find("before the encryption") != std::string::npos);
}

TEST_CASE("VeNCrypt that goes wrong")
{
    for (const std::string &after : {u8(1), u8(0) + u8(0), u8(0) + u8(1) + u32(257) /* closes */}) {
        Outcome out = play({}, [&](Peer &p) {
            begin(p);
            offer(p, {19});
            p.read(1);
            p.write(u8(0) + u8(2));
            p.read(2);
            p.write(after);
        });
        CHECK_FALSE(out.ok);
        CHECK_FALSE(out.why.empty());
    }
    Outcome no = play({}, [](Peer &p) {
        begin(p);
        offer(p, {19});
        p.read(1);
        p.write(u8(0) + u8(2));
        p.read(2);
        p.write(u8(0) + u8(1) + u32(257));
        p.read(4);
        p.write(u8(0));
    });
    CHECK(no.why.find("cannot begin TLS") != std::string::npos);
}
