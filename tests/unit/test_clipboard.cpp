// The clipboard of this desktop, in SDL's driver that needs none.
#include "tests/catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include "viewer/desktop/clipboard.h"

namespace
{

struct Desktop {
    clipboard c{};

    Desktop()
    {
        setenv("SDL_VIDEODRIVER", "dummy", 1);
        REQUIRE(SDL_Init(SDL_INIT_VIDEO) == 0);
    }
    ~Desktop()
    {
        clipboard_deinit(&c);
        SDL_Quit();
    }
    // The user copies elsewhere and comes back: what is sent, and what is said.
    std::string copy(const std::string &text)
    {
        char name[] = "/tmp/vnchl-clipboard-XXXXXX";
        int said = mkstemp(name), before = dup(STDERR_FILENO);
        SDL_Event e{};
        const char *news;
        char line[1000] = "";

        e.type = SDL_WINDOWEVENT;
        e.window.event = SDL_WINDOWEVENT_FOCUS_GAINED;
        REQUIRE(SDL_SetClipboardText(text.c_str()) == 0);
        dup2(said, STDERR_FILENO);
        news = clipboard_event(&c, &e);
        dup2(before, STDERR_FILENO);
        CHECK(pread(said, line, sizeof line - 1, 0) >= 0);
        unlink(name);
        close(said);
        close(before);
        return std::string(news ? news : "") + line;
    }
};

} // namespace

TEST_CASE("a text is sent once")
{
    Desktop d;

    CHECK(d.copy("one") == "one");
    CHECK(d.copy("one") == "");
    CHECK(d.copy("two") == "two");
    clipboard_from_server(&d.c, "theirs");
    CHECK(d.copy("theirs") == "");
}

TEST_CASE("a text that is too long is refused, and the user is told once")
{
    Desktop d;
    std::string longest(CLIPBOARD_MAX, 'x'), longer = longest + "x";

    CHECK(d.copy(longest) == longest);
    std::string line = d.copy(longer);
    CHECK(line.rfind("vnchl: ", 0) == 0);
    CHECK(line.find("1048577") != std::string::npos);
    CHECK(line.find('\n') == line.size() - 1);
    CHECK(d.copy(longer) == "");
    CHECK(d.copy("short") == "short");
    CHECK(d.copy(longer) == line);
    CHECK(d.copy(longest) == longest);
}
