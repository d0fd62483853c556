// Several servers of which any will do: how they are named, and in which order they are tried.
#include <string>

#include "rfb/net/address/candidates.h"
#include "tests/catch.hpp"

namespace
{

std::string taken(const std::string &text)
{
    candidates c;
    reason why = {};
    char out[CANDIDATES_TEXT];

    if (!candidates_parse(&c, text.c_str(), &why))
        return why.text;
    candidates_format(&c, out, sizeof out);
    return out;
}

bool refused(const std::string &text, const std::string &cause)
{
    candidates c;
    reason why = {};

    if (candidates_parse(&c, text.c_str(), &why))
        return false;
    UNSCOPED_INFO(why.text);
    return std::string(why.text).find(cause) != std::string::npos;
}

} // namespace

TEST_CASE("candidates: servers with commas between", "[candidates]")
{
    CHECK(taken("a,b") == "a, b");
    CHECK(taken("  far.example:1 ,\tdesk::5999,[::1]:2 ") == "far.example:1, desk::5999, [::1]:2");
    CHECK(candidates_named("a,b"));
    CHECK_FALSE(candidates_named("a"));
    CHECK_FALSE(candidates_named("/tmp/a,b"));
    CHECK_FALSE(candidates_named("vnc://a?password=x,y"));
}

TEST_CASE("candidates: what cannot be meant is refused", "[candidates]")
{
    CHECK(refused("a,", "between commas"));
    CHECK(refused(",a", "between commas"));
    CHECK(refused("a, ,b", "between commas"));
    CHECK(refused("a:1,b,a::5901", "named twice"));
    CHECK(refused("a,b:x", "'b:x'"));
    CHECK(refused("1,2,3,4,5,6,7,8,9", "'9' is one too many"));
    CHECK(refused("a," + std::string(400, 'b'), "too long"));
}

TEST_CASE("candidates: the longest names fit", "[candidates]")
{
    std::string all, host(250, 'a');
    for (int i = 0; i < CANDIDATES_MAX; i++)
        all += (i ? ", " : "") + host + std::to_string(i) + "::65535";
    CHECK(taken(all) == all);
}

TEST_CASE("candidates: the one that was lost comes last", "[candidates]")
{
    candidates c;
    reason why = {};
    char out[CANDIDATES_TEXT];
    auto pass = [&](const char *lost) {
        address a;
        REQUIRE(address_parse(&a, lost, &why));
        candidates_pass(&c, &a);
        candidates_format(&c, out, sizeof out);
        return std::string(out);
    };

    REQUIRE(candidates_parse(&c, "a,b,c", &why));
    CHECK(pass("a") == "b, c, a");
    CHECK(pass("c") == "a, b, c");
    CHECK(pass("b") == "c, a, b");
    CHECK(pass("d") == "c, a, b");
    CHECK(pass("c:1") == "c, a, b");
}
