/* The way to a server as text (viewer/options/way.h). */
#include "tests/catch.hpp"

#include <cstring>
#include <string>

#include "viewer/options/way.h"

namespace
{

std::string text(const route &r)
{
    char out[WAY_TEXT_MAX];

    way_text(&r, out);
    return out;
}

std::string words(const route &r)
{
    char out[WAY_WORDS_MAX];

    way_words(&r, out);
    return out;
}

} // namespace

TEST_CASE("way: what is written is read again")
{
    for (const char *same :
         {"", "via=gate", "via=me@gate:2222", "ssh=desk", "ssh=me@[fe80::1]:22", "via=fe80::1"}) {
        INFO(same);
        route r;
        REQUIRE(way_parse(same, &r));
        CHECK(text(r) == same);
        CHECK(r.gateway.far_end == (strncmp(same, "ssh", 3) == 0));
    }
}

TEST_CASE("way: what is no way is refused")
{
    route r;
    for (const char *wrong : {"gate", "via", "via=", "ssh=-oProxyCommand=x", "via=a b",
                              "repeater=host", "listen", "via=gate --log=x"}) {
        INFO(wrong);
        CHECK_FALSE(way_parse(wrong, &r));
    }
}

TEST_CASE("way: the machine in between is named behind the server")
{
    route r;
    CHECK(words(route{}).empty());
    REQUIRE(way_parse("ssh=me@desk:2222", &r));
    CHECK(words(r) == " at me@desk:2222");
    REQUIRE(way_parse("via=gate", &r));
    CHECK(words(r) == " through gate");
}

TEST_CASE("way: a repeater is told, a server that comes and a recording have none")
{
    route r{};
    strcpy(r.repeater.host, "relay");
    r.repeater.port = 5901;
    CHECK(text(r) == "repeater=relay:1");
    strcpy(r.gateway.host, "gate");
    CHECK(text(r) == "via=gate --repeater=relay:1");
    r.listen = true;
    CHECK(text(r).empty());
    route recording{};
    strcpy(recording.play, "film.rec");
    CHECK(text(recording).empty());
}
