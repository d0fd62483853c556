// Addresses of this machine.
#include "tests/catch.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <utility>

#include "rfb/net/sockets/own_address.h"

namespace
{

sockaddr_storage ip_address(const char *text)
{
    sockaddr_storage a = {};
    auto *v4 = reinterpret_cast<sockaddr_in *>(&a);
    auto *v6 = reinterpret_cast<sockaddr_in6 *>(&a);
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(5900);
    } else {
        REQUIRE(inet_pton(AF_INET6, text, &v6->sin6_addr) == 1);
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(5900);
    }
    return a;
}

} // namespace

TEST_CASE("own address: whether this machine has it")
{
    for (const char *here : {"127.0.0.1", "127.1.2.3"}) {
        const sockaddr_storage a = ip_address(here);
        CHECK(own_address_is_here(&a));
    }
    // for documentation (RFC 5737, RFC 3849)
    for (const char *elsewhere : {"192.0.2.1", "2001:db8::1"}) {
        const sockaddr_storage a = ip_address(elsewhere);
        int v6 = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const bool tells = a.ss_family == AF_INET || v6 >= 0;
        CHECK(own_address_is_here(&a) == !tells);
        if (v6 >= 0)
            close(v6);
    }
}

TEST_CASE("own address: of a connection, and towards a host")
{
    sockaddr_storage host = ip_address("127.0.0.1"), own = {};
    REQUIRE(own_address_towards(&host, &own));
    CHECK(own.ss_family == AF_INET);
    CHECK(own_address_is_here(&own));
    int pair[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    CHECK_FALSE(own_address_of(pair[0], &own));
    CHECK_FALSE(own_address_of(-1, &own));
    close(pair[0]);
    close(pair[1]);
}

TEST_CASE("own address: those that others may enter are this machine's, as numbers")
{
    char list[8][OWN_ADDRESS_TEXT];
    const int count = own_address_list(ADDRESS_ANY, list, 8);
    REQUIRE(count >= 0);
    REQUIRE(count <= 8);
    for (int i = 0; i < count; i++) {
        INFO(list[i]);
        const sockaddr_storage a = ip_address(list[i]);
        CHECK(own_address_is_here(&a));
        CHECK(std::string(list[i]).rfind("127.", 0) != 0);
        CHECK(std::string(list[i]).rfind("fe80:", 0) != 0);
    }
    CHECK(own_address_list(ADDRESS_ANY, list, 0) == 0);

    const int v4 = own_address_list(ADDRESS_IPV4, list, 8);
    for (int i = 0; i < v4; i++)
        CHECK(std::string(list[i]).find(':') == std::string::npos);
    const int v6 = own_address_list(ADDRESS_IPV6, list, 8);
    for (int i = 0; i < v6; i++)
        CHECK(std::string(list[i]).find(':') != std::string::npos);
}

TEST_CASE("own address: what others enter for all of them, and for one")
{
    char names[OWN_ADDRESS_NAMES], list[2][OWN_ADDRESS_TEXT];
    struct address a = {};
    const int count = own_address_list(ADDRESS_ANY, list, 2);
    CHECK(own_address_names(&a, names));
    const std::string all = names;
    CHECK(all.empty() == (count == 0));
    if (count > 0)
        CHECK(all.find(list[0]) == 0);
    if (count > 1)
        CHECK(all.find(std::string(" or ") + list[1]) == std::string(list[0]).size());
    for (const auto &[host, other] : {std::pair("0.0.0.0", ":"), std::pair("::", ".")}) {
        strcpy(a.host, host);
        CHECK(own_address_names(&a, names));
        CHECK(std::string(names).find(other) == std::string::npos);
    }
    strcpy(a.host, "192.0.2.7");
    CHECK_FALSE(own_address_names(&a, names));
    CHECK(std::string(names).empty());
}
