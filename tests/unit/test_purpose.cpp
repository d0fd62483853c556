// What a secret was given for, and where it may go after that: every pair of ways.
#include "tests/catch.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "viewer/purpose.h"

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

struct purpose keyed(enum security_proof proof, int key)
{
    struct purpose p = given(CHANNEL_CERTIFICATE, proof);
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

// Two keys, and what an authority has verified, count as channels of their own.
std::vector<struct purpose> all()
{
    std::vector<struct purpose> list;
    for (enum security_proof proof : {PROOF_VNC, PROOF_PLAIN}) {
        for (enum security_channel c : {CHANNEL_CLEAR, CHANNEL_ANONYMOUS, CHANNEL_CERTIFICATE})
            list.push_back(given(c, proof));
        list.push_back(keyed(proof, 1));
        list.push_back(keyed(proof, 0xab));
    }
    list.push_back(given(CHANNEL_CLEAR, PROOF_DH));
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
        "xxxxx......", // VncAuth
        ".xxxx......", // TLSVnc
        "..x........", // X509Vnc, by an authority
        "...x.......", // X509Vnc, by a key
        "....x......", // by another key
        "xxxxxxxxxxx", // Plain
        ".xxxx.xxxx.", // TLSPlain
        "..x....x...", // X509Plain
        "...x....x..", "....x....x.",
        ".xxxx.xxxxx", // DH
    };
    auto ways = all();
    for (size_t i = 0; i < ways.size(); i++)
        for (size_t j = 0; j < ways.size(); j++) {
            INFO(written(ways[i]) << " -> " << written(ways[j]));
            CHECK(purpose_allows(&ways[i], &ways[j]) == (allowed[i][j] == 'x'));
        }
}

// RSA-AES has no VNC authentication, and its key is always accepted by itself.
TEST_CASE("purpose: the keys of RSA-AES, where all is encrypted and where only the password is")
{
    auto of = [](enum security_channel channel, int key) {
        struct purpose p = keyed(PROOF_PLAIN, key);
        p.channel = channel;
        return p;
    };
    const struct purpose all = of(CHANNEL_KEY, 1), other = of(CHANNEL_KEY, 2),
                         part = of(CHANNEL_HANDSHAKE, 1), part_other = of(CHANNEL_HANDSHAKE, 2),
                         vnc = given(CHANNEL_CLEAR, PROOF_VNC),
                         plain = given(CHANNEL_CLEAR, PROOF_PLAIN),
                         tls_vnc = given(CHANNEL_ANONYMOUS, PROOF_VNC),
                         tls_plain = given(CHANNEL_ANONYMOUS, PROOF_PLAIN),
                         x509 = given(CHANNEL_CERTIFICATE, PROOF_PLAIN),
                         x509_same = keyed(PROOF_PLAIN, 1), x509_other = keyed(PROOF_PLAIN, 2);
    for (const struct purpose *now : {&all, &part}) {
        CHECK(purpose_allows(&all, now) == (now == &all));
        CHECK(purpose_allows(&part, now));
        CHECK_FALSE(purpose_allows(&other, now));
        CHECK_FALSE(purpose_allows(&part_other, now));
        CHECK(purpose_allows(&plain, now));
        CHECK(purpose_allows(&tls_plain, now) == (now == &all));
        for (const struct purpose *before : {&vnc, &tls_vnc, &x509, &x509_same, &x509_other})
            CHECK_FALSE(purpose_allows(before, now)); // the password itself is sent
        CHECK_FALSE(purpose_exposes(now));
    }
    for (const struct purpose *before : {&all, &part}) {
        CHECK(purpose_allows(before, &x509_same));
        for (const struct purpose *now : {&vnc, &tls_vnc, &tls_plain, &x509, &x509_other})
            CHECK_FALSE(purpose_allows(before, now));
        struct purpose again = purpose_read(written(*before).c_str());
        CHECK(again.state == PURPOSE_GIVEN);
        CHECK(purpose_allows(before, &again));
        CHECK(purpose_allows(&again, before));
    }
    CHECK(words(all) == "RA2 (encrypted, with a key)");
    CHECK(words(part) == "RA2ne (the password is encrypted, with a key)");
    CHECK(purpose_read("RA").state == PURPOSE_UNKNOWN);
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
              (now.channel != CHANNEL_CERTIFICATE && now.proof != PROOF_VNC));
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
    const std::string key = written(keyed(PROOF_VNC, 1)).substr(strlen("X509Vnc"));
    CHECK(purpose_read(nullptr).state == PURPOSE_UNKNOWN);
    for (const std::string &text :
         {std::string(), std::string("x509vnc"), std::string("X509Vn"), std::string("X509Vnc "),
          std::string("X509None"), std::string("X509Vnc/"), std::string("X509Vnc/12"),
          "TLSVnc" + key, "VncAuth" + key, "X509Vnc" + key + "0"}) {
        INFO(text);
        CHECK(purpose_read(text.c_str()).state == PURPOSE_UNKNOWN);
    }
    CHECK(words(given(CHANNEL_CLEAR, PROOF_VNC)) == "VncAuth (not encrypted)");
    CHECK(words(given(CHANNEL_CLEAR, PROOF_DH)) == "DH (only name and password are encrypted)");
    CHECK(words(keyed(PROOF_PLAIN, 1)) == "X509Plain (encrypted, with a certificate)");
}
