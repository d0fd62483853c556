// What is said to a person before a server is trusted.
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "rfb/texts/reason.h"
#include "tests/temp_dir.hpp"
#include "viewer/trust/known_servers.h"
#include "viewer/trust/seen_servers.h"
#include "viewer/trust/trust.h"

namespace
{

struct session_question question(uint32_t kind, uint32_t channel, const char *host)
{
    struct session_question q = {};
    q.number = 1;
    q.kind = kind;
    q.channel = channel;
    q.proof = kind == QUESTION_PASSWORD        ? PROOF_VNC
              : kind == QUESTION_USER_PASSWORD ? PROOF_PLAIN
                                               : PROOF_NONE;
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

TEST_CASE("before a password: the machine between here and the server has a name")
{
    char text[TRUST_BETWEEN_MAX];
    struct session_question q = question(QUESTION_PASSWORD, CHANNEL_CLEAR, "localhost");
    CHECK(std::string(trust_between(&q, text)).empty());
    strcpy(q.gateway, "me@desk:2222");
    q.way = WAY_FAR_END;
    CHECK(std::string(trust_between(&q, text)) == " at me@desk:2222");
    for (uint32_t way : {WAY_SSH, WAY_COMMAND}) {
        q.way = way;
        CHECK(std::string(trust_between(&q, text)) == " through me@desk:2222");
    }
}

TEST_CASE("before a password: what protects it")
{
    CHECK(warning(QUESTION_PASSWORD, CHANNEL_CLEAR).find("Not encrypted") == 0);
    CHECK(warning(QUESTION_USER_PASSWORD, CHANNEL_CLEAR).find("read the password") !=
          std::string::npos);
    for (uint32_t kind : {QUESTION_PASSWORD, QUESTION_USER_PASSWORD}) {
        CHECK(warning(kind, CHANNEL_ANONYMOUS).find("Encrypted, but nothing proves") == 0);
        CHECK(warning(kind, CHANNEL_CERTIFICATE).empty());
        CHECK(warning(kind, CHANNEL_KEY).empty());
        CHECK(warning(kind, CHANNEL_HANDSHAKE).find("see the screen and the keys") !=
              std::string::npos);
    }
    CHECK(warning(QUESTION_PASSWORD, CHANNEL_HANDSHAKE).find("Only the password is encrypted") ==
          0);
}

TEST_CASE("before Apple's login: what it encrypts, and that ssh encrypts all")
{
    struct session_question q = question(QUESTION_USER_PASSWORD, CHANNEL_CLEAR, "mac.example");
    q.proof = PROOF_DH;
    std::string text = warning(q);
    CHECK(text.find("Only the name and the password are encrypted") == 0);
    CHECK(text.find("everybody on the way can see the screen and the keys") != std::string::npos);
    CHECK(text.find("vnchl --via mac.example localhost") == text.size() - 33);
    q.port = 5901;
    CHECK(warning(q).find("vnchl --via mac.example localhost::5901") != std::string::npos);
    // by ssh already, to the Mac itself or to another machine
    q.way = WAY_SSH;
    strcpy(q.gateway, "me@gate");
    text = warning(q);
    CHECK(text.find("Encrypted by ssh as far as me@gate. From there to mac.example: only the") ==
          0);
    CHECK(text.find("--via") == std::string::npos);
    strcpy(q.host, "localhost");
    CHECK(warning(q).empty());
    // the longest names have room
    q.way = WAY_STRAIGHT;
    memset(q.host, 'x', sizeof q.host - 1);
    CHECK(warning(q).find(" localhost::5901") != std::string::npos);
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
    // what VNC_VIA_CMD protects nobody knows, so it is another way than ssh's
    for (struct route *route : {&ssh, &both})
        strcpy(route->gateway.command, "nc gate 5901");
    CHECK(key(ssh) == "localhost,command=me@gate:2222");
    CHECK(key(both) == "localhost,repeater=far.example::5500,command=me@gate:2222");
    *ssh.gateway.command = '\0';
    // vnchl-accel at the far end shows other security types than the server itself
    struct route far_end = ssh;
    far_end.gateway.far_end = true;
    CHECK(key(far_end) == "localhost,ssh=me@gate:2222");
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
    // a bare key says nothing of itself, and is shown in both forms
    struct session_question bare = question(QUESTION_TRUST, CHANNEL_KEY, "far.example");
    strcpy(bare.subject, "RSA key of 2048 bits");
    strcpy(bare.faults, "nobody vouches for it");
    strcpy(bare.brief, "01-23-45-67-89-ab-cd-ef");
    memset(bare.sha256, 0xab, sizeof bare.sha256);
    trust_question(&bare, text);
    all = text;
    CHECK(trust_is_key(&bare));
    CHECK_FALSE(trust_is_key(&q));
    CHECK(all.find("the server's RSA key of 2048 bits: nobody vouches for it.\n") !=
          std::string::npos);
    CHECK(all.find("as: 01-23-45-67-89-ab-cd-ef\n") != std::string::npos);
    CHECK(all.find("\n" + row + row + row + row + "\n\n") != std::string::npos);
    CHECK(all.find("certificate") == std::string::npos);
    memset(bare.host, 'h', sizeof bare.host - 1);
    memset(bare.faults, 'f', sizeof bare.faults - 1);
    memset(bare.subject, 's', sizeof bare.subject - 1);
    trust_question(&bare, text);
    CHECK(std::string(text).find(" to somebody else.") == strlen(text) - 18);
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

namespace
{

// What is known of a server in one run of the program after the other.
class Runs
{
  public:
    Runs()
    {
        setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);
        begin();
    }
    ~Runs()
    {
        seen_servers_destroy(seen_);
        unsetenv("XDG_DATA_HOME");
    }
    void begin()
    {
        seen_servers_destroy(seen_);
        seen_ = seen_servers_create();
        REQUIRE(seen_);
    }
    bool had(const char *host, const struct route &route = {}) const
    {
        struct address a = at(host);
        struct reason why = {};
        bool had = false;
        CHECK(trust_had_certificate(seen_, &a, &route, &had, &why));
        return had;
    }
    void saw(const char *host, bool vouched = true, const struct route &route = {}) const
    {
        struct address a = at(host);
        trust_saw_certificate(seen_, &a, &route, vouched);
    }
    void write_down() const
    {
        seen_servers_set_written(seen_, true);
    }
    std::string known() const
    {
        std::ostringstream all;
        all << std::ifstream(folder_.file("vnchl/known_servers")).rdbuf();
        return all.str();
    }

  private:
    static struct address at(const char *host)
    {
        struct address a = {};
        strcpy(a.host, host);
        a.port = 5901;
        return a;
    }
    TempDir folder_;
    struct seen_servers *seen_ = nullptr;
};

} // namespace

TEST_CASE("a certificate that was seen counts for the run, for this server on this way")
{
    Runs runs;
    struct route ssh = {}, command = {};
    strcpy(ssh.gateway.host, "gate");
    command = ssh;
    strcpy(command.gateway.command, "nc");
    CHECK_FALSE(runs.had("127.0.0.1"));
    runs.saw("127.0.0.1");
    for (const char *host : {"127.0.0.1", "127.1", "::ffff:127.0.0.1"})
        CHECK(runs.had(host));
    CHECK_FALSE(runs.had("127.0.0.2"));
    CHECK_FALSE(runs.had("127.0.0.1", ssh));
    runs.saw("localhost", true, ssh);
    CHECK(runs.had("localhost", ssh));
    CHECK_FALSE(runs.had("localhost", command));
    // nothing was written
    CHECK(runs.known().empty());
    runs.begin();
    CHECK_FALSE(runs.had("127.0.0.1"));
}

TEST_CASE("a certificate that an authority vouched for is demanded in later runs, too")
{
    Runs runs;
    runs.write_down();
    runs.saw("far.example");
    CHECK(runs.had("far.example"));
    // what a person accepts is remembered elsewhere, if at all
    runs.saw("desk.example", false);
    CHECK(runs.had("desk.example"));
    CHECK(runs.known().find("far.example 5901 vouched 20") == 0);
    CHECK(runs.known().find("desk.example") == std::string::npos);
    runs.begin();
    CHECK(runs.had("far.example"));
    CHECK_FALSE(runs.had("desk.example"));
}

TEST_CASE("where a server has no certificate any more, how to forget it is said")
{
    Runs runs;
    struct reason why = {}, never;
    security_set all = security_default();
    const uint32_t offered[] = {SECURITY_NONE};
    security_refuse(all, true, offered, 1, &why);
    trust_add_advice(&why);
    char path[4096];
    REQUIRE(known_servers_path(path, sizeof path, &never));
    INFO(why.text);
    CHECK(std::string(why.text).find(std::string("remove its lines from ") + path) !=
          std::string::npos);
    security_refuse(all & ~security_with_certificate(all), false, offered, 1, &why);
    const std::string other = why.text;
    trust_add_advice(&why);
    CHECK(why.text == other);
}
