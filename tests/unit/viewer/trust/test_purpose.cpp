// What a secret was given for, and where it may go after that: every pair of ways.
#include "tests/catch.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "viewer/trust/purpose.h"

namespace
{

struct purpose given(enum security_channel channel, enum security_proof proof)
{
    struct purpose p = {};
    p.state = PURPOSE_GIVEN;
    p.channel = channel;
    p.proof = proof;
    return p;
}

// Accepted by this key.
struct purpose keyed(enum security_channel channel, enum security_proof proof, int key)
{
    struct purpose p = given(channel, proof);
    p.keyed = true;
    memset(p.sha256, key, sizeof p.sha256);
    return p;
}

struct purpose in_state(enum purpose_state state)
{
    struct purpose p = {};
    p.state = state;
    return p;
}

// Two keys, and what an authority has verified, count as channels of their own. RSA-AES has no VNC
// authentication, and its key is always accepted by itself.
std::vector<struct purpose> all()
{
    std::vector<struct purpose> list;
    for (enum security_proof proof : {PROOF_VNC, PROOF_PLAIN}) {
        for (enum security_channel c : {CHANNEL_CLEAR, CHANNEL_ANONYMOUS, CHANNEL_CERTIFICATE})
            list.push_back(given(c, proof));
        for (int key : {1, 0xab})
            list.push_back(keyed(CHANNEL_CERTIFICATE, proof, key));
    }
    list.push_back(given(CHANNEL_CLEAR, PROOF_DH));
    for (enum security_channel c : {CHANNEL_KEY, CHANNEL_HANDSHAKE})
        for (int key : {1, 0xab})
            list.push_back(keyed(c, PROOF_PLAIN, key));
    return list;
}

std::string words(const struct purpose &p)
{
    char out[PURPOSE_TEXT_MAX];
    purpose_words(&p, out);
    return out;
}

std::string written(const struct purpose &p)
{
    char out[PURPOSE_TEXT_MAX];
    purpose_write(&p, out);
    return out;
}

} // namespace

TEST_CASE("purpose: a secret goes unasked to ways that are at least as strong, and to no others")
{
    // rows: given for; columns: wanted now; both in the order of all()
    const std::vector<std::string> allowed = {
        "xxxxx..........", // VncAuth
        ".xxxx..........", // TLSVnc
        "..x............", // X509Vnc, by an authority
        "...x...........", // X509Vnc, by a key
        "....x..........", // by another key
        "xxxxxxxxxxxxxxx", // Plain
        ".xxxx.xxxx.xx..", // TLSPlain
        "..x....x.......", // X509Plain
        "...x....x......", // by a key
        "....x....x.....", // by another key
        ".xxxx.xxxxxxxxx", // DH
        "...x....x..x...", // RA2
        "....x....x..x..", // by another key
        "...x....x..x.x.", // RA2ne
        "....x....x..x.x", // by another key
    };
    auto ways = all();
    for (size_t i = 0; i < ways.size(); i++)
        for (size_t j = 0; j < ways.size(); j++) {
            INFO(written(ways[i]) << " -> " << written(ways[j]));
            CHECK(purpose_allows(&ways[i], &ways[j]) == (allowed[i][j] == 'x'));
        }
}

TEST_CASE("purpose: what was given for nobody goes nowhere, what is not known to the strongest")
{
    struct purpose nobody = in_state(PURPOSE_NOBODY), unknown = in_state(PURPOSE_UNKNOWN),
                   server = in_state(PURPOSE_SERVER);
    for (const struct purpose &now : all()) {
        INFO(written(now));
        CHECK_FALSE(purpose_allows(&nobody, &now));
        CHECK(purpose_allows(&server, &now));
        CHECK(purpose_allows(&unknown, &now) ==
              (now.channel == CHANNEL_CERTIFICATE && now.proof == PROOF_VNC));
        CHECK(purpose_exposes(&now) ==
              (now.proof != PROOF_VNC &&
               (now.channel == CHANNEL_CLEAR || now.channel == CHANNEL_ANONYMOUS)));
    }
}

TEST_CASE("purpose: written and read again; what is nothing of ours is not known")
{
    for (const struct purpose &p : all()) {
        INFO(written(p));
        struct purpose again = purpose_read(written(p).c_str());
        CHECK(again.state == PURPOSE_GIVEN);
        CHECK(again.channel == p.channel);
        CHECK(again.proof == p.proof);
        CHECK(again.keyed == p.keyed);
        CHECK(memcmp(again.sha256, p.sha256, sizeof p.sha256) == 0);
    }
    const std::string key =
        written(keyed(CHANNEL_CERTIFICATE, PROOF_VNC, 1)).substr(strlen("X509Vnc"));
    CHECK(purpose_read(nullptr).state == PURPOSE_UNKNOWN);
    for (const std::string &text :
         {std::string(), std::string("x509vnc"), std::string("X509Vn"), std::string("X509Vnc "),
          std::string("X509None"), std::string("RA"), std::string("X509Vnc/"),
          std::string("X509Vnc/12"), "TLSVnc" + key, "VncAuth" + key, "X509Vnc" + key + "0"}) {
        INFO(text);
        CHECK(purpose_read(text.c_str()).state == PURPOSE_UNKNOWN);
    }
    CHECK(words(given(CHANNEL_CLEAR, PROOF_VNC)) == "VncAuth (not encrypted)");
    CHECK(words(given(CHANNEL_CLEAR, PROOF_DH)) == "DH (only name and password are encrypted)");
    CHECK(words(keyed(CHANNEL_CERTIFICATE, PROOF_PLAIN, 1)) ==
          "X509Plain (encrypted, with a certificate)");
    CHECK(words(keyed(CHANNEL_KEY, PROOF_PLAIN, 1)) == "RA2 (encrypted, with a key)");
    CHECK(words(keyed(CHANNEL_HANDSHAKE, PROOF_PLAIN, 1)) ==
          "RA2ne (the password is encrypted, with a key)");
}
