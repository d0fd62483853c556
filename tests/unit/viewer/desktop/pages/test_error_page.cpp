// What the window says of each kind of failure.
#include "rfb/net/sockets/contest.h"
#include "tests/catch.hpp"

#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "rfb/framing/handshake_framing.h"
#include "rfb/proto/handshake/security.h"
#include "viewer/desktop/pages/told/error_page.h"

namespace
{

struct Page {
    struct error_page page = {};
    std::string title, why, next;
    Page(enum failure failure, const char *reason, bool again = false,
         const struct gateway &gateway = {})
    {
        struct connection_status s = {};
        s.state = CONNECTION_FAILED;
        s.failure = failure;
        s.again = again;
        snprintf(s.why.text, sizeof s.why.text, "%s", reason);
        error_page_make(&s, "desk:1", &gateway, &page);
        title = page.title;
        why = page.why;
        next = page.next;
    }
};

} // namespace

TEST_CASE("error page: each kind of failure has a heading of its own, and says what to do")
{
    std::set<std::string> titles;
    for (int f = 0; f < FAILURES; f++) {
        struct gateway g = {};
        strcpy(g.host, "gate");
        Page p(static_cast<enum failure>(f), "it broke", false, g);
        INFO(p.title);
        CHECK(titles.insert(p.title).second);
        CHECK(p.title.find(f == FAILURE_GATEWAY ? "gate" : "desk:1") != std::string::npos);
        CHECK(p.next.size() > 10);
        CHECK(p.why == (f == FAILURE_NONE ? "" : "It broke."));
    }
}

TEST_CASE("error page: passwords are spoken of where they matter")
{
    Page behind(FAILURE_REFUSED, "the server refuses: " HANDSHAKE_NO_SERVER ": Connection refused");
    CHECK(behind.next.find("password") == std::string::npos);
    CHECK(behind.next.find("accelerator") != std::string::npos);
    CHECK(Page(FAILURE_REFUSED, "busy").next.find("password") == std::string::npos);
    Page blocked(FAILURE_REFUSED, "the server refuses: Too many security failures");
    CHECK(blocked.next.find("wrong passwords") != std::string::npos);
}

// What a server with these types comes to.
static std::string refused(std::vector<uint32_t> types)
{
    struct reason why = {};
    CHECK_FALSE(security_refuse(security_default(), false, types.data(), types.size(), &why));
    return why.text;
}

TEST_CASE("error page: who lets in only his own viewers can be told otherwise, step by step")
{
    struct Case {
        std::vector<uint32_t> types;
        const char *maker, *step;
    };
    for (const Case &k : {Case{{33, 35, 36},
                               "Apple's viewers",
                               "3. Turn on \"VNC viewers may control screen with password\""},
                          Case{{13, 192}, "RealVNC's viewer", "Authentication=VncAuth"}}) {
        Page p(FAILURE_SECURITY, refused(k.types).c_str());
        INFO(p.why);
        CHECK(p.title == std::string("desk:1 lets in only ") + k.maker);
        REQUIRE(p.page.steps);
        CHECK(std::string(p.page.steps).find(k.step) != std::string::npos);
        CHECK(p.page.retry); // when that is done
        // the rest of the line is among the steps
        CHECK(p.why.find("only " + std::string(k.maker, strcspn(k.maker, " "))) !=
              std::string::npos);
        CHECK(p.why.find("(type ") != std::string::npos);
        CHECK(p.why.find(". ") == std::string::npos);
        CHECK(p.why.back() == '.');
    }
    // others, where nobody knows how; and where there is a type that is only not allowed
    security_set tls;
    struct reason never, why = {};
    const uint32_t mac[] = {30, 33, 36};
    REQUIRE(security_parse(&tls, "TLSVnc", &never));
    CHECK_FALSE(security_refuse(tls, false, mac, 3, &why));
    CHECK(Page(FAILURE_SECURITY, why.text).page.steps == nullptr);
    CHECK(Page(FAILURE_SECURITY, refused({20}).c_str()).page.steps == nullptr);
    CHECK(Page(FAILURE_LOST, refused({33}).c_str()).page.steps == nullptr);
    CHECK(Page(FAILURE_SECURITY, "why").page.steps == nullptr);
}

TEST_CASE("error page: to try again is offered where it may help")
{
    for (enum failure f :
         {FAILURE_NONE, FAILURE_NAME, FAILURE_UNREACHABLE, FAILURE_GATEWAY, FAILURE_LOST,
          FAILURE_REFUSED, FAILURE_START, FAILURE_CRASHED, FAILURE_KILLED})
        CHECK(Page(f, "why").page.retry);
    for (enum failure f :
         {FAILURE_AUTHENTICATION, FAILURE_TRUST, FAILURE_SECURITY, FAILURE_PROTOCOL})
        CHECK_FALSE(Page(f, "why").page.retry);
    // a session that was up has shown that the server speaks VNC
    CHECK(Page(FAILURE_PROTOCOL, "why", true).page.retry);
}

TEST_CASE("error page: to try again is risky only where the server may be hostile")
{
    for (int f = 0; f < FAILURES; f++)
        CHECK(Page(static_cast<enum failure>(f), "why").page.risky == (f == FAILURE_CRASHED));
    // who was killed from outside is no sign of a hostile server
    Page killed(FAILURE_KILLED, "why");
    CHECK(killed.next.find("hostile") == std::string::npos);
    CHECK(killed.next.find("memory") != std::string::npos);
}

TEST_CASE("error page: a recording is no server, whatever is wrong with it")
{
    struct connection_status s = {};
    struct gateway none = {};
    struct error_page page;

    s.plays = true;
    s.failure = FAILURE_PROTOCOL;
    error_page_make(&s, "film.fbs", &none, &page);
    CHECK(std::string(page.title) == "film.fbs cannot be played");
    CHECK_FALSE(page.retry);
}

TEST_CASE("error page: a machine without a server is told from one that is not there")
{
    CHECK(Page(FAILURE_UNREACHABLE, "cannot connect to desk port 5901: Connection refused").title ==
          "No VNC server answers at desk:1");
    CHECK(Page(FAILURE_UNREACHABLE, "cannot connect to desk port 5901: No route to host").title ==
          "desk:1 cannot be reached");
    CHECK(Page(FAILURE_LOST, "why", true).title == "The connection to desk:1 is lost");
    CHECK(Page(FAILURE_UNREACHABLE, CONTEST_NOBODY "a: Connection refused; b: stopped").title ==
          "None of desk:1 answers");
}

TEST_CASE("error page: where connecting again has ended, the first cause is named, too")
{
    const auto why = [](enum failure failure, const char *lost, const char *newest) {
        struct connection_status s = {};
        struct gateway none = {};
        struct error_page page;
        s.state = CONNECTION_FAILED;
        s.failure = failure;
        s.again = true;
        snprintf(s.lost.text, sizeof s.lost.text, "%s", lost);
        snprintf(s.why.text, sizeof s.why.text, "%s", newest);
        error_page_make(&s, "desk:1", &none, &page);
        return std::string(page.why);
    };
    CHECK(why(FAILURE_AUTHENTICATION, "the server has ended", "the password is wrong") ==
          "The server has ended. Connecting again: the password is wrong.");
    CHECK(why(FAILURE_LOST, "the server has ended", "the server has ended") ==
          "The server has ended.");
    CHECK(why(FAILURE_NONE, "the server has ended", "connecting again was stopped") ==
          "The server has ended.");
    // what is shortened, because it follows step by step, is the newest reason
    CHECK(why(FAILURE_SECURITY, "it broke", refused({33, 35, 36}).c_str())
              .find("It broke. Connecting again: ") == 0);
    const std::string longest(SESSION_REASON_MAX - 1, 'a');
    const std::string both = why(FAILURE_LOST, longest.c_str(), std::string(600, 'b').c_str());
    CHECK(both.size() > 1200);
    CHECK(both.back() == '.');
}

TEST_CASE("error page: where ssh has failed, the server is not blamed")
{
    struct gateway g = {};
    strcpy(g.host, "me@gate");
    g.port = 2222;
    Page ssh(FAILURE_GATEWAY, "ssh: Permission denied", false, g);
    CHECK(ssh.title == "ssh does not get through to me@gate");
    CHECK(ssh.next.find("\"ssh -p 2222 me@gate\"") != std::string::npos);
    CHECK(ssh.next.find("vnchl-accel") == std::string::npos);
    Page none(FAILURE_GATEWAY, GATEWAY_NO_SSH ": install it", false, g);
    CHECK(none.next.find("openssh-client") != std::string::npos);
    CHECK(none.next.find("terminal") == std::string::npos);
    struct gateway far = g;
    far.far_end = true;
    CHECK(Page(FAILURE_GATEWAY, "ssh: Permission denied", false, far)
              .next.find("me@gate needs the package vnchl-accel, too") != std::string::npos);
    Page missing(FAILURE_UNREACHABLE, "vnchl-accel is not installed", false, far);
    CHECK(missing.title == "No VNC server was reached at me@gate");
    CHECK(missing.next.find("ssh gets there") != std::string::npos);
    strcpy(g.command, "my own");
    CHECK(Page(FAILURE_GATEWAY, "no", false, g).title ==
          "VNC_VIA_CMD does not get through to me@gate");
}

TEST_CASE("error page: a reason is made a sentence, and what is too long is cut at a character")
{
    char out[8];
    error_page_sentence("no", out, sizeof out);
    CHECK(out == std::string("No."));
    error_page_sentence("why?", out, sizeof out);
    CHECK(out == std::string("Why?"));
    error_page_sentence("", out, sizeof out);
    CHECK(out == std::string());
    error_page_sentence("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", out, sizeof out);
    CHECK(is_sanitised(out));
    CHECK(strlen(out) < sizeof out);
}
