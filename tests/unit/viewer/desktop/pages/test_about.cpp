/* What "About this connection" says of protection (viewer/desktop/pages/told/about.h). */
#include "tests/catch.hpp"

#include <cstring>
#include <string>

#include "viewer/desktop/pages/told/about.h"

namespace
{

std::string said_of(const char *type, bool certificate, const struct route &way,
                    bool expert = false)
{
    struct session_stats s = {};
    char out[600];

    strcpy(s.security, type);
    s.certificate = certificate;
    about_security(&s, &way, expert, out, sizeof out);
    return out;
}

struct route through(const char *host, bool far_end)
{
    struct route r {
    };

    strcpy(r.gateway.host, host);
    r.gateway.far_end = far_end;
    return r;
}

} // namespace

TEST_CASE("about: straight to the server it is VNC that protects")
{
    const struct route straight {
    };
    CHECK(said_of("None", false, straight) == "not encrypted by VNC itself");
    CHECK(said_of("TLSVnc", false, straight) == "encrypted, but nobody vouches for the server");
    CHECK(said_of("X509Vnc", true, straight) ==
          "encrypted, and the server's certificate is trusted");
    CHECK(said_of("RA2", true, straight, true) ==
          "RA2: encrypted, and the server's key is trusted");
}

TEST_CASE("about: ssh to the server's machine encrypts all, and knows it")
{
    const struct route ssh = through("me@desk", true);
    for (const char *type : {"None", "VncAuth", "TLSVnc"})
        CHECK(said_of(type, false, ssh) == "ssh encrypts, and knows the machine");
    CHECK(said_of("X509Vnc", true, ssh) ==
          "ssh encrypts, and knows the machine; inside it encrypted, and the server's certificate "
          "is trusted");
}

TEST_CASE("about: ssh to a gateway protects as far as that")
{
    struct route via = through("gate", false);
    CHECK(said_of("VncAuth", false, via) ==
          "ssh as far as gate; from there not encrypted by VNC itself");
    CHECK(said_of("TLSVnc", false, via, true) ==
          "TLSVnc: ssh as far as gate; from there encrypted, but nobody vouches for the server");
    strcpy(via.gateway.command, "nc"); /* nobody knows what it does */
    CHECK(said_of("None", false, via) == "not encrypted by VNC itself");
}
