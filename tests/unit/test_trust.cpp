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

std::string warning(const struct session_question &q)
{
    char text[TRUST_WARNING_MAX];
    bool warned = trust_warning(&q, text);
    CHECK(warned == (*text != '\0'));
    return text;
}

std::string warning(uint32_t kind, uint32_t channel, const char *host = "far.example")
{
    struct session_question q = question(kind, channel, host);
    return warning(q);
}

} // namespace

TEST_CASE("before a password: what protects it")
{
    CHECK(warning(QUESTION_PASSWORD, CHANNEL_CLEAR).find("Not encrypted") == 0);
    CHECK(warning(QUESTION_USER_PASSWORD, CHANNEL_CLEAR).find("read the password") !=
          std::string::npos);
    for (uint32_t kind : {QUESTION_PASSWORD, QUESTION_USER_PASSWORD}) {
        CHECK(warning(kind, CHANNEL_ANONYMOUS).find("Encrypted, but nothing proves") == 0);
        CHECK(warning(kind, CHANNEL_CERTIFICATE).empty());
    }
}

TEST_CASE("nothing is said of what does not leave this machine")
{
    for (const char *host : {"localhost", "LocalHost", "localhost.", "127.0.0.1", "127.1.2.3",
                             "127.1", "0x7f.1", "::1", "0:0::1", "::ffff:127.0.0.1", "/run/vnc"})
        for (uint32_t channel : {CHANNEL_CLEAR, CHANNEL_ANONYMOUS})
            CHECK(warning(QUESTION_PASSWORD, channel, host).empty());
    for (const char *host :
         {"localhost.example", "127.0.0.1.example", "127.0.0.1.2", "1127.0.0.1", "::2", ""})
        CHECK_FALSE(warning(QUESTION_PASSWORD, CHANNEL_CLEAR, host).empty());
}

TEST_CASE("what is remembered of a server is remembered for the way to it")
{
    auto key = [](const struct route &route, const char *host = "localhost") {
        struct address a = {};
        char out[SERVER_KEY_MAX];
        strcpy(a.host, host);
        a.port = 5901;
        CHECK(server_key_of(&a, &route, out) == 5901);
        return std::string(out);
    };
    struct route straight = {}, ssh = {}, repeater = {}, both = {};
    strcpy(ssh.gateway.host, "me@gate");
    ssh.gateway.port = 2222;
    strcpy(repeater.repeater.host, "far.example");
    repeater.repeater.port = 5500;
    CHECK(key(straight) == "localhost");
    CHECK(key(ssh) == "localhost,via=me@gate:2222");
    CHECK(key(repeater) == "localhost,repeater=far.example::5500");
    both = repeater;
    both.gateway = ssh.gateway;
    CHECK(key(both) == "localhost,repeater=far.example::5500,via=me@gate:2222");
    // all spellings of a server are this server
    for (const char *host : {"127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433",
                             "::ffff:127.0.0.1", "::FFFF:7f00:1"})
        CHECK(key(straight, host) == "127.0.0.1");
    CHECK(key(straight, "2001:DB8:0:0::7") == "2001:db8::7");
    CHECK(key(straight, "fe80:0::1%eth0") == "fe80::1%eth0");
    CHECK(key(ssh, "Far.Example.") == "far.example,via=me@gate:2222");
    // and none is the key of another way
    struct address a;
    struct reason why;
    CHECK_FALSE(address_parse(&a, "localhost,via=me@gate:2222", &why));
    CHECK_FALSE(address_parse(&a, "localhost,via=gate:1", &why));
    CHECK(std::string(why.text).find("comma") != std::string::npos);
}

TEST_CASE("the question about a certificate names the server, what is wrong, and the fingerprint")
{
    struct session_question q = question(QUESTION_TRUST, CHANNEL_CERTIFICATE, "far.example");
    char text[TRUST_QUESTION_MAX];
    q.acceptable = 1;
    memset(q.sha256, 0xab, sizeof q.sha256);
    strcpy(q.faults, "it expired on 2026-01-01 00:00 UTC");
    trust_question(&q, text);
    CHECK(std::string(text).find("\n  subject: not known\n  expires: it does not say\n") !=
          std::string::npos);
    strcpy(q.subject, "CN=far.example");
    strcpy(q.expires, "2026-01-01 00:00 UTC");
    trust_question(&q, text);
    std::string all = text;
    CHECK(all.find("\n  subject: CN=far.example\n  expires: 2026-01-01 00:00 UTC\n") !=
          std::string::npos);
    CHECK(all.find("Is this really far.example port 5900?\n") == 0);
    CHECK(all.find(q.faults) != std::string::npos);
    const std::string row = "\nAB:AB:AB:AB:AB:AB:AB:AB";
    CHECK(all.find("\n" + row + row + row + row + "\n\n") != std::string::npos);
    // the longest texts fit
    memset(q.host, 'h', sizeof q.host - 1);
    memset(q.faults, 'f', sizeof q.faults - 1);
    memset(q.subject, 's', sizeof q.subject - 1);
    memset(q.expires, 'e', sizeof q.expires - 1);
    trust_question(&q, text);
    CHECK(std::string(text).find(" to somebody else.") == strlen(text) - 18);
}

TEST_CASE("ssh protects the way to the gateway, and nothing behind it")
{
    struct session_question q = question(QUESTION_PASSWORD, CHANNEL_CLEAR, "desk");
    q.way = WAY_SSH;
    strcpy(q.gateway, "me@gate");
    CHECK(warning(q) == "Encrypted by ssh as far as me@gate. From there to desk: not encrypted: "
                        "everybody on the way can see the screen and the keys.");
    q.channel = CHANNEL_CERTIFICATE;
    CHECK(warning(q).empty());
    q.channel = CHANNEL_ANONYMOUS;
    CHECK(warning(q).find(". From there to desk: encrypted, but nothing proves") !=
          std::string::npos);
    // the server is the gateway itself
    strcpy(q.host, "localhost");
    CHECK(warning(q).empty());
    // the longest names leave room for what matters
    q.channel = CHANNEL_CLEAR;
    memset(q.host, 'h', sizeof q.host - 1);
    memset(q.gateway, 'g', sizeof q.gateway - 1);
    CHECK(warning(q).find("not encrypted: everybody on the way can see the screen and the keys.") !=
          std::string::npos);
}

TEST_CASE("of a command nobody knows what it protects, and a repeater protects nothing")
{
    struct session_question q = question(QUESTION_PASSWORD, CHANNEL_CLEAR, "desk");
    q.way = WAY_COMMAND;
    strcpy(q.gateway, "gate");
    CHECK(warning(q).find("VNC_VIA_CMD protects the way to gate, or not. From there") == 0);
    strcpy(q.host, "localhost"); // of whatever machine the command leads to
    CHECK(warning(q).find("From there to localhost: not encrypted") != std::string::npos);
    q = question(QUESTION_PASSWORD, CHANNEL_CLEAR, "localhost");
    q.way = WAY_REPEATER;
    CHECK(warning(q).find("Not encrypted: ") == 0);
}
