// What the window says while a server is connected to, or is waited for.
#include "tests/catch.hpp"

#include <string>

#include "viewer/desktop/pages/told/connecting_page.h"

namespace
{

struct Page {
    std::string title, text;
    explicit Page(const struct connecting &c)
    {
        struct connecting_page page;
        connecting_page_make(&c, &page);
        title = page.title;
        text = page.text;
    }
};

} // namespace

TEST_CASE("connecting page: the server is named, and what keeps it")
{
    const Page plain({"desk:1", false, "", "", nullptr});
    CHECK(plain.title == "Connecting to desk:1...");
    CHECK(plain.text.empty());
    CHECK(Page({"desk:1", false, "", "", "the keyring"}).text == "Waiting for the keyring.");
}

TEST_CASE("connecting page: a server that has come is not told where to go any more")
{
    const Page awaited({"port 5500", true, "At the server, connect to port 5500.", "", nullptr});
    CHECK(awaited.title == "Waiting for a server on port 5500...");
    CHECK(awaited.text == "At the server, connect to port 5500.");
    const Page there(
        {"port 5500", true, "At the server, connect to port 5500.", "192.0.2.7", nullptr});
    CHECK(there.title == "Connecting to 192.0.2.7...");
    CHECK(there.text == "Waiting for the server's answer.");
}
