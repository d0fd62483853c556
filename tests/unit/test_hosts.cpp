// What is remembered of servers, in a file.
#include "tests/catch.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/temp_dir.hpp"
#include "viewer/hosts.h"

namespace
{

// XDG_STATE_HOME is a folder of its own.
class State
{
  public:
    State()
    {
        setenv("XDG_STATE_HOME", dir_.path().c_str(), 1);
    }
    ~State()
    {
        unsetenv("XDG_STATE_HOME");
    }
    std::string file() const
    {
        return dir_.file("vnchl/hosts");
    }
    std::string content() const
    {
        std::ostringstream s;
        s << std::ifstream(file()).rdbuf();
        return s.str();
    }

  private:
    TempDir dir_;
};

address at(const std::string &text)
{
    address a = {};
    reason why;
    REQUIRE(address_parse(&a, text.c_str(), &why));
    return a;
}

session_memory memory(int width, bool waits = false)
{
    return {8, SECURITY_NONE, width, 600, waits};
}

bool remember(const address &a, const session_memory &m)
{
    reason why = {};
    bool ok = hosts_remember(&a, &m, &why);
    INFO(why.text);
    return ok;
}

} // namespace

TEST_CASE("hosts: what was learnt is known the next time", "[hosts]")
{
    State state;
    address a = at("far.example:1"), other = at("far.example:2");

    CHECK(hosts_recall(&a).minor == 0);
    CHECK(remember(a, memory(800)));
    CHECK(state.content() == "far.example 5901 8 1 800 600 0\n");
    session_memory m = hosts_recall(&a);
    CHECK((m.minor == 8 && m.security == SECURITY_NONE && m.width == 800 && m.height == 600));
    CHECK_FALSE(m.waits);
    CHECK(hosts_recall(&other).minor == 0);
    CHECK(remember(other, memory(640, true)));
    CHECK(hosts_recall(&other).waits);
    CHECK(remember(a, memory(1024)));
    CHECK(state.content() == "far.example 5901 8 1 1024 600 0\nfar.example 5902 8 1 640 600 1\n");
    CHECK(remember(a, {}));
    CHECK(state.content() == "far.example 5902 8 1 640 600 1\n");
    struct stat status;
    REQUIRE(stat(state.file().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("hosts: nothing is written when nothing has changed", "[hosts]")
{
    State state;
    address a = at("far.example:1");

    CHECK(remember(a, {}));
    CHECK(state.content().empty());
    CHECK(remember(a, memory(800)));
    std::ofstream(state.file()) << "far.example 5901 8 1 800 600 0\n# mine\n";
    CHECK(remember(a, memory(800)));
    CHECK(state.content().find("# mine") != std::string::npos);
}

TEST_CASE("hosts: a damaged file is no reason to fail", "[hosts]")
{
    State state;
    address a = at("far.example:1");

    CHECK(remember(at("near.example"), memory(800)));
    for (const char *line :
         {"far.example 5901 8 1 800", "far.example 5901 8 1 800 600 0 1\n",
          "far.example 5901 9 1 800 600 0\n", "far.example 5901 8 19 800 600 0\n",
          "far.example 5901 8 1 0 600 0\n", "far.example 5901 8 1 99999 600 0\n", "\n", "\0\n"}) {
        std::ofstream(state.file()) << line;
        INFO(line);
        CHECK(hosts_recall(&a).minor == 0);
    }
    CHECK(remember(a, memory(800)));
    CHECK(hosts_recall(&a).minor == 8);
}

TEST_CASE("hosts: the oldest of very many is forgotten", "[hosts]")
{
    State state;

    for (int i = 0; i <= HOSTS_MAX; i++)
        CHECK(remember(at("h" + std::to_string(i)), memory(800)));
    address first = at("h0"), second = at("h1");
    CHECK(hosts_recall(&first).minor == 0);
    CHECK(hosts_recall(&second).minor == 8);
}

TEST_CASE("hosts: a path with a space has no line", "[hosts]")
{
    State state;
    address a = at("/tmp/a socket");

    CHECK(remember(a, memory(800)));
    CHECK(hosts_recall(&a).minor == 0);
    CHECK(state.content().empty());
}
