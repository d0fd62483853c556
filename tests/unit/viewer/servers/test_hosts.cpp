// What is remembered of servers, in a file.
#include "tests/catch.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/temp_dir.hpp"
#include "viewer/servers/hosts.h"

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
    return {8, SECURITY_NONE, SECURITY_FAILED, width, 600, waits, false, 7, 4096};
}

constexpr time_t NOW = 1795000000, DAY = 24 * 3600;

bool remember(const address &a, const session_memory &m, time_t now = NOW, const route &way = {})
{
    reason why = {};
    bool ok = hosts_remember_at(&a, &way, &m, now, &why);
    INFO(why.text);
    return ok;
}

session_memory recall(const address &a, time_t now = NOW, const route &way = {})
{
    return hosts_recall_at(&a, &way, now);
}

} // namespace

TEST_CASE("hosts: what was learnt is known the next time", "[hosts]")
{
    State state;
    address a = at("far.example:1"), other = at("far.example:2");

    CHECK(recall(a).minor == 0);
    CHECK(remember(a, memory(800)));
    CHECK(state.content() == "far.example 5901 8 1 800 600 0 7 4096 1795000000 0\n");
    session_memory m = recall(a);
    CHECK((m.minor == 8 && m.security == SECURITY_NONE && m.width == 800 && m.height == 600));
    CHECK_FALSE(m.waits);
    CHECK(recall(other).minor == 0);
    CHECK(remember(other, memory(640, true)));
    CHECK(recall(other).waits);
    CHECK(remember(a, memory(1024)));
    CHECK(state.content() == "far.example 5901 8 1 1024 600 0 7 4096 1795000000 0\n"
                             "far.example 5902 8 1 640 600 1795000000 7 4096 1795000000 0\n");
    CHECK(remember(a, {}));
    CHECK(state.content() == "far.example 5902 8 1 640 600 1795000000 7 4096 1795000000 0\n");
    struct stat status;
    REQUIRE(stat(state.file().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("hosts: behind each gateway the same name is another server", "[hosts]")
{
    State state;
    address a = at("localhost:1");
    route one = {}, two = {}, repeater = {};

    strcpy(one.gateway.host, "one");
    strcpy(two.gateway.host, "two");
    strcpy(repeater.repeater.host, "one");
    CHECK(remember(a, memory(800), NOW, one));
    CHECK(recall(a, NOW, one).width == 800);
    CHECK(recall(a, NOW, two).minor == 0);
    CHECK(recall(a, NOW, repeater).minor == 0);
    CHECK(recall(a).minor == 0);
    CHECK(remember(a, memory(640), NOW, two));
    CHECK(recall(a, NOW, one).width == 800);
    CHECK(recall(a, NOW, two).width == 640);
}

TEST_CASE("hosts: nothing is written when nothing has changed", "[hosts]")
{
    State state;
    address a = at("far.example:1");

    CHECK(remember(a, {}));
    CHECK(state.content().empty());
    CHECK(remember(a, memory(800)));
    std::ofstream(state.file()) << "far.example 5901 8 1 800 600 0 7 4096 1795000000 0\n# mine\n";
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
          "far.example 5901 8 1 800 600 0 10 0 1795000000\n",
          "far.example 5901 8 1 800 600 0 1 -1 1795000000\n",
          "far.example 5901 8 1 800 600 0 1 1 1795000000 1 1\n",
          "far.example 5901 8 1 800 600 0 1 1 1795000000 x\n",
          "far.example 5901 8 1.261 800 600 0\n", "far.example 5901 8 19.263 800 600 0\n",
          "far.example 5901 8 19.261x 800 600 0\n", "far.example 5901 8 19. 800 600 0\n",
          "far.example 5901 8 .261 800 600 0\n", "far.example 5901 9 1 800 600 0\n",
          "far.example 5901 8 19 800 600 0\n", "far.example 5901 8 1 0 600 0\n",
          "far.example 5901 8 1 99999 600 0\n", "\n", "\0\n"}) {
        std::ofstream(state.file()) << line;
        INFO(line);
        CHECK(recall(a).minor == 0);
    }
    CHECK(remember(a, memory(800)));
    CHECK(recall(a).minor == 8);
}

TEST_CASE("hosts: the oldest of very many is forgotten", "[hosts]")
{
    State state;

    for (int i = 0; i <= HOSTS_MAX; i++)
        CHECK(remember(at("h" + std::to_string(i)), memory(800)));
    address first = at("h0"), second = at("h1");
    CHECK(recall(first).minor == 0);
    CHECK(recall(second).minor == 8);
}

TEST_CASE("hosts: a path with a space has no line", "[hosts]")
{
    State state;
    address a = at("/tmp/a socket");

    CHECK(remember(a, memory(800)));
    CHECK(recall(a).minor == 0);
    CHECK(state.content().empty());
}

TEST_CASE("hosts: what was learnt of the path counts for a day", "[hosts]")
{
    State state;
    address a = at("far.example:1");

    CHECK(remember(a, memory(800)));
    session_memory m = recall(a, NOW + DAY - 1);
    CHECK((m.quality == 7 && m.window == 4096));
    m = recall(a, NOW + DAY);
    CHECK((m.minor == 8 && m.quality == 0 && m.window == 0));
    CHECK(recall(a, NOW - 1).quality == 0);         /* the clock was put back */
    CHECK(remember(a, memory(800), NOW + DAY - 1)); /* the same again, and its time is new */
    CHECK(recall(a, NOW + DAY).quality == 7);
}

TEST_CASE("hosts: a line without a path is understood", "[hosts]")
{
    State state;
    address a = at("far.example:1");

    CHECK(remember(at("near.example"), memory(800)));
    std::ofstream(state.file()) << "far.example 5901 8 1 800 600 0\n";
    CHECK((recall(a).minor == 8 && recall(a).quality == 0));
}

TEST_CASE("hosts: a line of an older version, without what is known of TLS, is understood",
          "[hosts]")
{
    State state;
    address a = at("far.example:1");

    CHECK(remember(at("near.example"), memory(800)));
    std::ofstream(state.file()) << "far.example 5901 8 2 800 600 0 7 4096 1795000000\n";
    session_memory m = recall(a);
    CHECK((m.minor == 8 && m.security == SECURITY_VNC && m.subtype == 0 && m.quality == 7));
    CHECK_FALSE(m.hello_waits);
}

TEST_CASE("hosts: the subtype is known, and whether TLS has to wait", "[hosts]")
{
    State state;
    address a = at("far.example:1");
    session_memory m = memory(800);

    m.security = SECURITY_VENCRYPT;
    m.subtype = VENCRYPT_X509_VNC;
    CHECK(remember(a, m));
    CHECK(state.content() == "far.example 5901 8 19.261 800 600 0 7 4096 1795000000 0\n");
    CHECK((recall(a).security == SECURITY_VENCRYPT && recall(a).subtype == VENCRYPT_X509_VNC));
    CHECK_FALSE(recall(a).hello_waits);
    m.hello_waits = true;
    CHECK(remember(a, m));
    CHECK(state.content() == "far.example 5901 8 19.261 800 600 0 7 4096 1795000000 1795000000\n");
    CHECK(remember(a, m, NOW + 20 * DAY)); /* it was only waited for again */
    CHECK(recall(a, NOW + 30 * DAY - 1).hello_waits);
    CHECK_FALSE(recall(a, NOW + 30 * DAY).hello_waits);
    CHECK_FALSE(recall(a).waits);
    m.subtype = VENCRYPT_TLS_VNC;
    CHECK(remember(a, m));
    CHECK(recall(a).subtype == VENCRYPT_TLS_VNC);
}

TEST_CASE("hosts: a server that was surprised is forgiven after a month", "[hosts]")
{
    State state;
    address a = at("far.example:1");

    CHECK(remember(a, memory(800, true)));
    CHECK(remember(a, memory(800, true), NOW + 20 * DAY)); /* it was only waited for again */
    CHECK(recall(a, NOW + 30 * DAY - 1).waits);
    CHECK_FALSE(recall(a, NOW + 30 * DAY).waits);
    CHECK(remember(a, memory(800, true), NOW + 31 * DAY)); /* surprised once more */
    CHECK(recall(a, NOW + 60 * DAY).waits);
}

TEST_CASE("hosts: a pipe or an endless device in the file's place is not waited for", "[hosts]")
{
    State state;
    address a = at("far.example:1");

    CHECK(remember(a, memory(800)));
    for (const char *way : {"pipe", "device"}) {
        INFO(way);
        REQUIRE(unlink(state.file().c_str()) == 0);
        REQUIRE((*way == 'p' ? mkfifo(state.file().c_str(), 0600)
                             : symlink("/dev/zero", state.file().c_str())) == 0);
        CHECK(recall(a).minor == 0);
        CHECK(remember(a, memory(800)));
        CHECK(recall(a).width == 800);
    }
}
