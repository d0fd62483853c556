// What is said to a person before a server is trusted.
#include "tests/catch.hpp"

#include <cstring>
#include <string>

#include "rfb/reason.h"
#include "viewer/trust.h"

namespace
{

struct session_question question(uint32_t kind, uint32_t channel, const char *host)
{
    struct session_question q = {};
    q.number = 1;
    q.kind = kind;
    q.channel = channel;
    q.port = *host == '/' ? 0 : 5900;
    strcpy(q.host, host);
    return q;
}

std::string warning(uint32_t kind, uint32_t channel, const char *host = "far.example")
{
    struct session_question q = question(kind, channel, host);
    const char *text = trust_warning(&q);
    return text ? text : "";
}

} // namespace

TEST_CASE("before a password: what protects it")
{
    CHECK(warning(QUESTION_PASSWORD, CHANNEL_CLEAR).find("Not encrypted") == 0);
    CHECK(warning(QUESTION_USER_PASSWORD, CHANNEL_CLEAR).find("read the password") !=
          std::string::npos);
    for (uint32_t kind : {QUESTION_PASSWORD, QUESTION_USER_PASSWORD}) {
        CHECK(warning(kind, CHANNEL_ANONYMOUS).find("Encrypted, but nobody vouches") == 0);
        CHECK(warning(kind, CHANNEL_CERTIFICATE).empty());
    }
}

TEST_CASE("nothing is said of what does not leave this machine")
{
    for (const char *host : {"localhost", "LocalHost", "127.0.0.1", "127.1.2.3", "::1", "/run/vnc"})
        for (uint32_t channel : {CHANNEL_CLEAR, CHANNEL_ANONYMOUS})
            CHECK(warning(QUESTION_PASSWORD, channel, host).empty());
    for (const char *host : {"localhost.example", "127.0.0.1.example", "1127.0.0.1", "::2", ""})
        CHECK_FALSE(warning(QUESTION_PASSWORD, CHANNEL_CLEAR, host).empty());
}

TEST_CASE("the question about a certificate names the server, what is wrong, and the fingerprint")
{
    struct session_question q = question(QUESTION_TRUST, CHANNEL_CERTIFICATE, "far.example");
    char text[TRUST_QUESTION_MAX];
    q.acceptable = 1;
    memset(q.sha256, 0xab, sizeof q.sha256);
    strcpy(q.faults, "it expired on 2026-01-01 00:00 UTC");
    trust_question(&q, text);
    std::string all = text;
    CHECK(all.find("far.example") != std::string::npos);
    CHECK(all.find(q.faults) != std::string::npos);
    CHECK(all.find("\nAB:AB:AB:") != std::string::npos);
    // the longest texts fit
    memset(q.host, 'h', sizeof q.host - 1);
    memset(q.faults, 'f', sizeof q.faults - 1);
    trust_question(&q, text);
    CHECK(std::string(text).find(" to somebody else.") == strlen(text) - 18);
}
