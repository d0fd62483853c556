/* A server that goes away after any byte of any message: the session ends with a reason. In this
 * process, since that is thousands of sessions; test_hostile_messages.cpp does the same with the
 * program, for some of them. */
#include <filesystem>

#include "rfb/texts/reason.h"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

using namespace e2e;

namespace
{

/* One message of each kind and each encoding. */
std::vector<std::pair<std::string, std::string>> all_messages()
{
    std::vector<std::pair<std::string, std::string>> all;
    const char *folder = getenv("VNCHL_MESSAGES");
    REQUIRE(folder);
    for (const auto &file : std::filesystem::directory_iterator(folder))
        all.emplace_back(file.path().filename(), read_file(file.path()));
    REQUIRE(all.size() > 30);
    return all;
}

} // namespace

TEST_CASE("closed after any byte of any message", "[hostile]")
{
    for (const auto &[name, message] : all_messages())
        for (size_t n = 0; n < message.size(); n++) {
            INFO(name << ", after " << n << " bytes");
            FakeServer server(handshake(64, 48) +
                              Script{await_request(), send_step(message.substr(0, n))});
            ViewerOptions o;
            o.address = server.address();
            o.encodings = "tight,copyrect,zrle,hextile,corre,rre,raw";
            o.jpeg = true;
            Viewer viewer(o);
            auto why = viewer.wait_closed();
            REQUIRE(why);
            CHECK_FALSE(why->empty());
            CHECK(is_sanitised(why->c_str()));
        }
}
