/* What "About this connection" says of protection (viewer/desktop/pages/told/about.h). */
#include "tests/catch.hpp"

#include <cstring>
#include <string>

#include "viewer/desktop/pages/told/about.h"

namespace
{

std::string security(const char *type, bool certificate, const route &way, bool expert = false)
{
    session_stats s = {};
    char out[600];

    strcpy(s.security, type);
    s.certificate = certificate;
    about_security(&s, &way, expert, out, sizeof out);
    return out;
}

route through(const char *host, bool far_end)
{
    route r{};

    strcpy(r.gateway.host, host);
    r.gateway.far_end = far_end;
    return r;
}

} // namespace

TEST_CASE("about: straight to the server it is VNC that protects")
{
    const route straight{};
    CHECK(security("None", false, straight) == "not encrypted by VNC itself");
    CHECK(security("TLSVnc", false, straight) == "encrypted, but nobody vouches for the server");
    CHECK(security("X509Vnc", true, straight) ==
          "encrypted, and the server's certificate is trusted");
    CHECK(security("RA2", true, straight, true) ==
          "RA2: encrypted, and the server's key is trusted");
}

TEST_CASE("about: ssh to the server's machine encrypts all, and knows it")
{
    const route ssh = through("me@desk", true);
    for (const char *type : {"None", "VncAuth", "TLSVnc"})
        CHECK(security(type, false, ssh) == "ssh encrypts, and knows the machine");
    CHECK(security("X509Vnc", true, ssh) ==
          "ssh encrypts, and knows the machine; inside it encrypted, and the server's certificate "
          "is trusted");
}

TEST_CASE("about: ssh to a gateway protects as far as that")
{
    route via = through("gate", false);
    CHECK(security("VncAuth", false, via) ==
          "ssh as far as gate; from there not encrypted by VNC itself");
    CHECK(security("TLSVnc", false, via, true) ==
          "TLSVnc: ssh as far as gate; from there encrypted, but nobody vouches for the server");
    strcpy(via.gateway.command, "nc"); /* nobody knows what it does */
    CHECK(security("None", false, via) == "not encrypted by VNC itself");
}
