// The line about the connection, and the title with it.
#include "tests/catch.hpp"

#include <cstdio>
#include <cstring>
#include <string>

#include "viewer/desktop/pages/told/notice.h"

namespace
{

std::string text(const struct connection_status &s)
{
    char out[NOTICE_MAX];
    notice_text(&s, out);
    return out;
}

struct connection_status status(enum connection_state state, const std::string &why = "")
{
    struct connection_status s = {};
    s.state = state;
    snprintf(s.why.text, sizeof s.why.text, "%s", why.c_str());
    return s;
}

std::string title(const std::string &notice, const std::string &name)
{
    char out[TITLE_MAX];
    notice_title(notice.c_str(), name.c_str(), "vnchl", out);
    return out;
}

} // namespace

TEST_CASE("notice: nothing while all is well, and what is said of the end is said elsewhere")
{
    CHECK(text(status(CONNECTION_IDLE)).empty());
    CHECK(text(status(CONNECTION_CONNECTING)).empty());
    CHECK(text(status(CONNECTION_UP)).empty());
    CHECK(text(status(CONNECTION_FAILED, "refused")).empty());
}

TEST_CASE("notice: a lost connection says why, and counts down")
{
    auto s = status(CONNECTION_WAITING, "the server closed the connection");
    s.again = true;
    s.retry_in = 4 * TICK_S;
    CHECK(text(s) == "the server closed the connection; connecting again in 4 s");
    s.retry_in = 3 * TICK_S + 1;
    CHECK(text(s) == "the server closed the connection; connecting again in 4 s");
    s.retry_in = 1;
    CHECK(text(s) == "the server closed the connection; connecting again in 1 s");
    CHECK_FALSE(notice_is_news(&s));
    s.state = CONNECTION_CONNECTING;
    CHECK(text(s) == "connecting again");
    auto longest = status(CONNECTION_WAITING, std::string(sizeof s.why.text - 1, 'x'));
    longest.retry_in = 30 * TICK_S;
    CHECK(text(longest).size() == sizeof s.why.text - 1 + strlen("; connecting again in 30 s"));
}

TEST_CASE("notice: why the connection was lost stays, whatever the attempts after that say")
{
    auto s = status(CONNECTION_WAITING, "the server closed the connection");
    s.lost = s.why;
    s.retry_in = TICK_S;
    CHECK(text(s) == "the server closed the connection; connecting again in 1 s");
    strcpy(s.why.text, "cannot find host 'desk'");
    CHECK(text(s) == "the server closed the connection; now: cannot find host 'desk'; "
                     "connecting again in 1 s");
    const size_t most = sizeof s.why.text - 1;
    snprintf(s.lost.text, sizeof s.lost.text, "%s", std::string(most, 'x').c_str());
    snprintf(s.why.text, sizeof s.why.text, "%s", std::string(most, 'y').c_str());
    s.retry_in = 30 * TICK_S;
    CHECK(text(s).size() == 2 * most + strlen("; now: ; connecting again in 30 s"));
}

TEST_CASE("notice: a server that does not answer says since when, and when it is given up")
{
    auto s = status(CONNECTION_CONNECTING);
    s.mute_for = NOTICE_MUTE - 1;
    s.gives_up_in = 13 * TICK_S + 1;
    CHECK(text(s).empty());
    s.mute_for = NOTICE_MUTE;
    CHECK(text(s) == "no answer from the server for 2 s; giving up in 14 s");
    s.accepted = true;
    CHECK(text(s) == "the server is there, but has said nothing for 2 s; giving up in 14 s");
    s.again = true;
    s.accepted = false;
    CHECK(text(s) == "connecting again: no answer from the server for 2 s; giving up in 14 s");
    s.listens = true;
    s.mute_for = 0;
    CHECK(text(s) == "waiting for the server to connect again");
}

TEST_CASE("notice: a silent link says since when, a slow one why")
{
    auto s = status(CONNECTION_UP);
    s.heard_ago = 7 * TICK_S + TICK_S / 2;
    CHECK(text(s).empty());
    s.slow = SLOW_NETWORK;
    CHECK(text(s) == "slow: the network delivers pictures late");
    s.slow = SLOW_SERVER;
    CHECK(text(s) == "slow: the server answers late");
    s.slow = SLOW_MACHINE;
    CHECK(text(s) == "slow: this machine cannot decode and draw faster");
    CHECK(notice_is_news(&s));
    s.silent = true;
    CHECK_FALSE(notice_is_news(&s));
    CHECK(text(s) == "last heard from the server 7 s ago");
}

TEST_CASE("notice: the title keeps the program's name, and the notice before the desktop's")
{
    CHECK(title("", "") == "vnchl");
    CHECK(title("", "desk") == "desk - vnchl");
    CHECK(title("gone", "") == "gone - vnchl");
    CHECK(title("gone", "desk") == "gone - desk - vnchl");
    std::string cut = title("gone", std::string(1000, 'x'));
    CHECK(cut.size() == TITLE_MAX - 1);
    CHECK(cut.rfind("gone - xxx", 0) == 0);
    CHECK(cut.substr(cut.size() - 9) == "x - vnchl");
    std::string umlauts;
    for (int i = 0; i < 200; i++)
        umlauts += "\xc3\xbc";
    for (const char *odd : {"", "x"})
        CHECK(is_sanitised(title(odd, umlauts).c_str()));
}
