// What the window says while a server is waited for.
#include "tests/catch.hpp"

#include <cstdio>
#include <string>

#include "rfb/net/sockets/own_address.h"
#include "viewer/desktop/pages/told/listening.h"

namespace
{

struct Words {
    std::string name, entered;
    explicit Words(const char *host)
    {
        struct address a = {};
        char n[64], e[LISTENING_MAX];
        snprintf(a.host, sizeof a.host, "%s", host);
        a.port = 5501;
        listening_words(&a, n, sizeof n, e);
        name = n;
        entered = e;
    }
};

} // namespace

TEST_CASE("listening: the port is named, and an address that is entered at the server")
{
    const Words all("");
    CHECK(all.name == "port 5501");
    CHECK(all.entered.find("At the server, connect to port 5501 of this computer") == 0);
    CHECK(all.entered.back() == '.');
    char own[1][OWN_ADDRESS_TEXT];
    if (own_address_list(ADDRESS_ANY, own, 1) == 1)
        CHECK(all.entered.find(own[0]) != std::string::npos);
    for (const char *wildcard : {"0.0.0.0", "::"})
        CHECK(Words(wildcard).entered.find("port 5501 of this computer") != std::string::npos);
}

TEST_CASE("listening: a host that was typed is named alone")
{
    for (const char *typed : {"192.0.2.7", "::1", "desk.example"})
        CHECK(Words(typed).entered ==
              std::string("At the server, connect to port 5501 of ") + typed + ".");
}
