// To whom digests of the last picture may be said.
#include "tests/catch.hpp"

#include <cstring>
#include <vector>

#include "viewer/desktop/connection/last_picture.h"

namespace
{

struct Way {
    security_number type, subtype;
    int channel, proof; // as in docs/security.md, the strongest last; proof: 0 is none
    int key;            // of the certificate, or of RSA-AES
};

const std::vector<Way> WAYS = {
    {SECURITY_NONE, SECURITY_FAILED, 0, 0, 0},
    {SECURITY_VNC, SECURITY_FAILED, 0, 1, 0},
    {SECURITY_VENCRYPT, VENCRYPT_PLAIN, 0, 2, 0},
    {SECURITY_RA2_NE, SECURITY_FAILED, 1, 2, 0},
    {SECURITY_VENCRYPT, VENCRYPT_TLS_NONE, 2, 0, 0},
    {SECURITY_VENCRYPT, VENCRYPT_TLS_VNC, 2, 1, 0},
    {SECURITY_VENCRYPT, VENCRYPT_TLS_PLAIN, 2, 2, 0},
    {SECURITY_RA2, SECURITY_FAILED, 3, 2, 3},
    {SECURITY_RA2_256, SECURITY_FAILED, 3, 2, 3},
    {SECURITY_RA2_256, SECURITY_FAILED, 3, 2, 2},
    {SECURITY_VENCRYPT, VENCRYPT_X509_NONE, 4, 0, 1},
    {SECURITY_VENCRYPT, VENCRYPT_X509_VNC, 4, 1, 1},
    {SECURITY_VENCRYPT, VENCRYPT_X509_VNC, 4, 1, 2},
    {SECURITY_VENCRYPT, VENCRYPT_X509_PLAIN, 4, 2, 2},
};

struct session_stats way_session(const Way &w)
{
    struct session_stats s = {};
    s.memory.security = w.type;
    s.memory.subtype = w.subtype;
    s.pushed = s.accelerated = true;
    s.width = 1024;
    s.height = 768;
    s.certificate = s.fingerprinted = w.key > 0;
    memset(s.sha256, w.key, sizeof s.sha256);
    return s;
}

} // namespace

TEST_CASE("last picture: only over a way that protects as well, by the same certificate")
{
    for (const Way &before : WAYS)
        for (const Way &now : WAYS) {
            INFO(before.subtype << " " << before.type << ", then " << now.subtype << " "
                                << now.type);
            const struct session_stats a = way_session(before), b = way_session(now);
            bool proof = before.proof == 0 || before.proof == now.proof;
            bool channel =
                now.channel >= before.channel && (before.channel < 3 || before.key == now.key);
            CHECK(last_picture_helps(&a, &b) == (proof && channel));
        }
}

TEST_CASE("last picture: it is kept only of a server that is proved to be the same later")
{
    const struct address far = {"far.example", 5901, false, "", ADDRESS_ANY},
                         here = {"", 0, false, "/run/desk.sock", ADDRESS_ANY};
    struct route straight = {}, ssh = {}, via = {}, command = {}, repeater = {}, listen = {},
                 play = {};
    strcpy(ssh.gateway.host, "me.example");
    ssh.gateway.far_end = true;
    strcpy(via.gateway.host, "gate.example");
    command = ssh;
    strcpy(command.gateway.command, "nc %H %R");
    strcpy(repeater.repeater.host, "rep.example");
    listen.listen = true;
    strcpy(play.play, "file.fbs");
    for (const Way &w : WAYS) {
        struct session_stats s = way_session(w);
        const bool certificate = w.key > 0;
        INFO(w.type << " " << w.subtype);
        CHECK(last_picture_is_proved(&s, &far, &straight) == certificate);
        CHECK(last_picture_is_proved(&s, &far, &via) == certificate);
        CHECK(last_picture_is_proved(&s, &far, &repeater) == certificate);
        CHECK(last_picture_is_proved(&s, &far, &command) == certificate);
        CHECK(last_picture_is_proved(&s, &far, &ssh));
        CHECK(last_picture_is_proved(&s, &here, &straight));
        CHECK(last_picture_is_proved(&s, &here, &via) == certificate); // it is the gateway's
        CHECK_FALSE(last_picture_is_proved(&s, &far, &listen));
        CHECK_FALSE(last_picture_is_proved(&s, &far, &play));
        s.fingerprinted = false;
        CHECK_FALSE(last_picture_is_proved(&s, &far, &straight));
        s.memory.security = SECURITY_FAILED;
        CHECK_FALSE(last_picture_is_proved(&s, &far, &ssh));
    }
}

TEST_CASE("last picture: only of what was pushed, in the same size, and by a way that is known")
{
    const struct session_stats good = way_session(WAYS[0]);
    struct session_stats other = good;
    CHECK(last_picture_helps(&good, &good));
    other.width = 1025;
    CHECK_FALSE(last_picture_helps(&good, &other));
    other = good;
    other.height = 767;
    CHECK_FALSE(last_picture_helps(&good, &other));
    other = good;
    other.pushed = false;
    CHECK_FALSE(last_picture_helps(&other, &good));
    CHECK(last_picture_helps(&good, &other)); // it is not known yet
    other = good;
    other.accelerated = false;
    CHECK_FALSE(last_picture_helps(&other, &good));
    other = good;
    other.memory.security = SECURITY_FAILED;
    CHECK_FALSE(last_picture_helps(&other, &good));
    CHECK_FALSE(last_picture_helps(&good, &other));
    other = way_session(WAYS.back());
    other.fingerprinted = false;
    CHECK_FALSE(last_picture_helps(&other, &other));
}
