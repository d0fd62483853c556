/* What the menu changes of a running session, judged by the picture that the server sends then, and
 * by the requests that it gets. */
#include <sstream>

#include "menu_scene.hpp"
#include "tests/e2e/program.hpp"

using namespace e2e;

namespace
{

/* How coarse the window's picture is: its mean error. */
double coarseness(MenuScene &s)
{
    return mean_error(s.see(), s.server->screen->capture());
}

/* Requests that the timer has sent, and those that an update has. */
struct Requests {
    int timer = 0, reactive = 0;
};

/* Of the parts of a session between the user's wishes. */
std::vector<Requests> requests(const std::string &trace)
{
    std::istringstream lines(run(vnchl_replay({"--list", trace})).out);
    std::vector<Requests> parts(1);
    for (std::string line; std::getline(lines, line);) {
        auto says = [&](const char *text) { return line.find(text) != std::string::npos; };
        if (says(" tuned "))
            parts.emplace_back();
        parts.back().timer += says("request sent            timer");
        parts.back().reactive += says("request sent         reactive");
    }
    return parts;
}

} // namespace

TEST_CASE("menu: the quality that is chosen is what the server sends", "[menu]")
{
    /* TigerVNC makes its pictures exact by itself after a while. TightVNC does not. */
    MenuScene s({"--lossless-refresh", "off", "--encodings", "tight"}, false, start_tightvnc);
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    s.choose(XK_q);
    s.desk->tap(XK_0);
    CHECK(s.wait_no_menu());
    s.server->screen->draw(0);
    s.server->screen->settle();
    const double before = mean_error(Image(600, 500, GREEN), s.server->screen->capture());
    double coarse = 0;
    /* the picture has come, all of it, and not as it is */
    CHECK(wait_until(
        PATIENCE,
        [&] {
            const double last = coarse;
            coarse = coarseness(s);
            return coarse < before / 3 && coarse == last;
        },
        milliseconds(500)));
    CHECK(coarse > 1);

    s.choose(XK_q); /* what is on the screen stays as it is, until it is asked for again */
    s.desk->tap(XK_9);
    CHECK(s.wait_no_menu());
    CHECK(coarseness(s) == coarse);
    s.choose(XK_r);
    CHECK(s.wait_no_menu());
    CHECK(wait_until(PATIENCE, [&] { return coarseness(s) < coarse / 2; }));
}

TEST_CASE("menu: the request period that is chosen is the one that requests keep", "[menu]")
{
    TempDir dir;
    const std::string trace = dir.file("trace");
    MenuScene s({"--trace", trace});
    if (!s)
        return;
    REQUIRE(s.wait_plain());
    s.choose(XK_p);
    s.desk->tap(XK_1); /* every 10 ms */
    CHECK(s.wait_no_menu());
    s.server->screen->animate(40);
    s.choose(XK_p);
    s.desk->tap(XK_o); /* off */
    CHECK(s.wait_no_menu());
    s.server->screen->animate(40);
    s.server->screen->settle();
    s.viewer.reset();
    auto parts = requests(trace);
    REQUIRE(parts.size() == 3);
    CHECK(parts[1].timer > 0);
    CHECK(parts[2].timer == 0);
    CHECK(parts[2].reactive > 0);
}
