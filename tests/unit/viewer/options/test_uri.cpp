/* file:// links (viewer/options/files/uri.h): the file that is meant, and what is refused. */
#include "viewer/options/files/uri.h"

#include <string>

#include "tests/catch.hpp"

namespace
{

std::string path_of(const std::string &uri)
{
    char path[24];
    reason why{};

    return file_uri_path(uri.c_str(), path, sizeof path, &why) ? path
                                                               : std::string("error: ") + why.text;
}

} // namespace

TEST_CASE("the path in a file:// link")
{
    CHECK(is_file_uri("file:///a"));
    CHECK(is_file_uri("FILE://localhost/a"));
    CHECK_FALSE(is_file_uri("file:/a"));
    CHECK_FALSE(is_file_uri("/file://a"));
    CHECK_FALSE(is_file_uri("vnc://host"));

    CHECK(path_of("file:///home/me/desk.vnc") == "/home/me/desk.vnc");
    CHECK(path_of("file://LocalHost/desk.vnc") == "/desk.vnc");
    CHECK(path_of("file:///my%20desk%2Fa%C3%A9") == "/my desk/a\xc3\xa9");
    CHECK(path_of("file:///exactly-23-bytes-long-") == "/exactly-23-bytes-long-");
}

TEST_CASE("a file:// link that names no file of this machine")
{
    CHECK(path_of("file://far/desk.vnc").find("another machine") != std::string::npos);
    CHECK(path_of("file://localhos/a").find("another machine") != std::string::npos);
    for (const char *bad : {"file://", "file://localhost", "file:///a%", "file:///a%2",
                            "file:///%g0", "file:///a%00b", "file:///longer-than-23-bytes-are"}) {
        INFO(bad);
        CHECK(path_of(bad).find("names no file") != std::string::npos);
    }
}
