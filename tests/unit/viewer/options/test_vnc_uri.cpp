// vnc:// links: what is split off, and what is refused.
#include "tests/catch.hpp"

#include <string>
#include <vector>

#include "parsed.hpp"
#include "viewer/options/files/uri.h"

namespace
{

bool take(void *user, const setting *s, reason *)
{
    *static_cast<std::string *>(user) +=
        std::string(" ") + s->name + (s->value ? std::string("=") + s->value : "");
    return true;
}

std::string split(const std::string &link)
{
    char address[40];
    std::string settings;
    reason why{};

    if (!vnc_uri_parse(link.c_str(), address, sizeof address, take, &settings, &why))
        return std::string("error: ") + why.text;
    return address + settings;
}

} // namespace

TEST_CASE("the parameters of a link")
{
    CHECK(split("vnc://host") == "vnc://host");
    CHECK(split("vnc://host:5901/?") == "vnc://host:5901/");
    CHECK(split("vnc://host?&&") == "vnc://host");
    CHECK(split("vnc://host?ViewOnly=1&shared=false") == "vnc://host ViewOnly=1 Shared=false");
    CHECK(split("vnc://host?ViewOnly") == "vnc://host ViewOnly");
    CHECK(split("vnc://host?%56iewOnly=%31") == "vnc://host ViewOnly=1");
    CHECK(split("vnc://host?VncUsername=me%40home%2fa") == "vnc://host User=me@home/a");
    CHECK(split("vnc://host?SecurityType=2") == "vnc://host SecurityTypes=VncAuth");
    CHECK(split("vnc://host?SecurityType=30") == "vnc://host SecurityTypes=DH");
    CHECK(split("vnc://host?SecurityType=18") == "vnc://host SecurityTypes=TLSVnc,TLSNone");
    CHECK(split("vnc://host?SecurityType=129") == "vnc://host SecurityTypes=RA2_256");
    CHECK(split("vnc://host?SecurityType=6") == "vnc://host SecurityTypes=RA2ne");
}

TEST_CASE("a parameter that is not obeyed refuses the link")
{
    const std::vector<std::vector<std::string>> bad = {
        {"vnc://host?ColorLevel=8", "'ColorLevel'", "full colour"},
        {"vnc://host?VncPassword=hush", "'VncPassword'", "VNC_PASSWORD"},
        {"vnc://host?SshHost=gateway", "'SshHost'", "tunnel"},
        {"vnc://host?x", "'x'"},
        {"vnc://host?=1", "''"},
        {"vnc://host?ViewOnly=%", "'ViewOnly'", "broken"},
        {"vnc://host?ViewOnly=%3", "'ViewOnly'", "broken"},
        {"vnc://host?ViewOnly=%g1", "'ViewOnly'", "broken"},
        {"vnc://host?ViewOnly=1%00", "'ViewOnly'", "broken"},
        {"vnc://host?%=1", "broken"},
        {"vnc://host?SecurityType=33", "SecurityType"},
        {"vnc://host?SecurityType", "SecurityType"},
        {"vnc://host?ViewOnly=1#top", "'#'"},
        {"vnc://host?VncUsername=" + std::string(300, 'x'), "'VncUsername'", "too long"},
        {"vnc://" + std::string(300, 'h'), "too long"},
    };

    for (const auto &b : bad) {
        std::string said = split(b[0]);
        INFO(b[0] << " -> " << said);
        CHECK(said.rfind("error: ", 0) == 0);
        CHECK(said.find("hush") == std::string::npos);
        for (size_t i = 1; i < b.size(); i++)
            CHECK(said.find(b[i]) != std::string::npos);
    }
}

TEST_CASE("what a link asks for is got")
{
    Parsed p({"vnc://host:5901?ViewOnly=true&VncUsername=me&Shared=1&SecurityType=19"});

    INFO(p.why);
    REQUIRE(p.result == OPTIONS_RUN);
    CHECK(std::string(p.o.address.host) == "host");
    CHECK(p.o.address.port == 5901);
    CHECK(p.o.view_only);
    CHECK(p.o.shared);
    CHECK(std::string(p.o.user) == "me");
    CHECK(p.o.security != security_default());
    CHECK((p.o.security & ~security_default()) == 0);
    CHECK(std::string(p.o.notice.text).empty());
    CHECK(Parsed({"vnc://h?ViewOnly"}).o.view_only);
    CHECK_FALSE(Parsed({"vnc://h?ViewOnly=0"}).o.view_only);
    CHECK(Parsed({"vnc://h?ViewOnly=maybe"}).refused({"'maybe'"}));
    Parsed alone({"vnc://h?Shared=0"});
    CHECK((alone.result == OPTIONS_RUN && alone.o.shared));
    CHECK(std::string(alone.o.notice.text).find("shared") != std::string::npos);
    CHECK_FALSE(Parsed({"vnc://h?Shared=0", "--no-shared"}).o.shared);
    Parsed named({"vnc://h?ConnectionName=desk"});
    CHECK(named.result == OPTIONS_RUN);
    CHECK(std::string(named.o.notice.text).find("ConnectionName") != std::string::npos);
}

TEST_CASE("what is typed counts more than a link")
{
    CHECK_FALSE(Parsed({"vnc://h?ViewOnly=1", "-ViewOnly=0"}).o.view_only);
    CHECK(Parsed({"--view-only", "vnc://h?ViewOnly=0"}).o.view_only);
    Parsed p(
        {"--user", "me", "--security-types", "X509Vnc", "vnc://h?VncUsername=x&SecurityType=1"});
    security_set typed;
    reason why;
    REQUIRE(security_parse(&typed, "X509Vnc", &why));
    CHECK(std::string(p.o.user) == "me");
    CHECK(p.o.security == typed);
}
