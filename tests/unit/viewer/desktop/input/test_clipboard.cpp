// The clipboard of this desktop, in SDL's driver that needs none.
#include "tests/catch.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "rfb/session/session.h"
#include "viewer/desktop/input/clipboard/clipboard.h"
#include "viewer/desktop/input/clipboard/text_parts.h"

// A block that is too large is refused, as without a sanitizer.
extern "C" const char *__asan_default_options()
{
    return "allocator_may_return_null=1";
}
extern "C" const char *__tsan_default_options()
{
    return "allocator_may_return_null=1";
}

namespace
{

struct Desktop {
    clipboard c{};
    std::string noticed;

    explicit Desktop(unsigned ways = CLIPBOARD_SEND | CLIPBOARD_RECEIVE, unsigned primary = 0)
    {
        const clipboard_options options = {ways, primary, true, notice, this, nullptr};
        setenv("SDL_VIDEODRIVER", "dummy", 1);
        REQUIRE(SDL_Init(SDL_INIT_VIDEO) == 0);
        clipboard_init(&c, &options);
    }
    ~Desktop()
    {
        clipboard_deinit(&c);
        SDL_Quit();
    }
    // The user copies elsewhere and comes back: what is sent.
    std::string copy(const std::string &text)
    {
        SDL_Event e{};

        e.type = SDL_WINDOWEVENT;
        e.window.event = SDL_WINDOWEVENT_FOCUS_GAINED;
        REQUIRE(SDL_SetClipboardText(text.c_str()) == 0);
        noticed.clear();
        const char *news = clipboard_event(&c, &e);
        return news ? news : "";
    }
    static void notice(void *user, const char *text)
    {
        auto d = static_cast<Desktop *>(user);
        d->noticed += std::string(text) + "\n";
    }
};

} // namespace

TEST_CASE("a text is sent once, and the server's not at all")
{
    Desktop d;

    CHECK_FALSE(clipboard_text(&d.c));
    CHECK(d.copy("one") == "one");
    CHECK(d.copy("one") == "");
    CHECK(d.copy("two") == "two");
    CHECK(std::string(clipboard_text(&d.c)) == "two"); // for the next session
    clipboard_from_server(&d.c, "theirs");
    CHECK_FALSE(clipboard_text(&d.c));
    CHECK(d.copy("theirs") == "");
    CHECK(d.copy("two") == "two");
    CHECK(d.noticed == "");
}

TEST_CASE("lines end with LF, so a text from elsewhere with CR LF is the same one")
{
    Desktop d;

    CHECK(d.copy("a\r\nb") == "a\nb");
    CHECK(d.copy("a\nb") == "");
    CHECK(d.copy("") == "");
}

TEST_CASE("what is copied stays here unless it may be sent")
{
    Desktop d(CLIPBOARD_RECEIVE);

    CHECK(d.copy("secret") == "");
    CHECK_FALSE(clipboard_text(&d.c));
}

TEST_CASE("each way can be switched off, and on again")
{
    const unsigned both = CLIPBOARD_SEND | CLIPBOARD_RECEIVE;
    Desktop d;

    CHECK(d.copy("one") == "one");
    CHECK_FALSE(clipboard_set_ways(&d.c, CLIPBOARD_RECEIVE));
    CHECK(d.copy("two") == "");
    const char *now = clipboard_set_ways(&d.c, both); // what was copied meanwhile
    REQUIRE(now);
    CHECK(std::string(now) == "two");
    CHECK_FALSE(clipboard_set_ways(&d.c, CLIPBOARD_SEND));
    clipboard_from_server(&d.c, "theirs");
    CHECK(d.copy("two") == "");
    CHECK(d.copy("three") == "three");
    CHECK_FALSE(clipboard_set_ways(&d.c, both));
    clipboard_from_server(&d.c, "theirs");
    CHECK_FALSE(clipboard_text(&d.c));
}

TEST_CASE("a text that is too long is refused, and the user is told once")
{
    Desktop d;
    std::string longest(CLIPBOARD_MAX, 'x'), longer = longest + "x";

    CHECK(d.copy(longest) == longest);
    CHECK(d.copy(longer) == "");
    std::string line = d.noticed;
    CHECK(line.find("4194305 bytes, more than 4194304") != std::string::npos);
    CHECK(line.find('\n') == line.size() - 1);
    CHECK(d.copy(longer) == "");
    CHECK(d.noticed == "");
    CHECK(d.copy("short") == "short");
    CHECK(d.copy(longer) == "");
    CHECK(d.noticed == line);
    CHECK(d.copy(longest) == longest);
}

TEST_CASE("the primary selection is X11's: elsewhere the user is told that there is none")
{
    Desktop d(CLIPBOARD_SEND | CLIPBOARD_RECEIVE, CLIPBOARD_SEND);

    CHECK(d.noticed.find("--primary") != std::string::npos);
}

TEST_CASE("a window that has the focus already takes what was copied before")
{
    Desktop d;
    clipboard_options options = d.c.options;

    REQUIRE(SDL_SetClipboardText("before") == 0);
    for (bool focus : {false, true}) {
        options.focus = focus;
        clipboard_deinit(&d.c);
        clipboard_init(&d.c, &options); // as for the next server
        const char *text = clipboard_text(&d.c);
        CHECK(std::string(text ? text : "") == (focus ? "before" : ""));
    }
}

TEST_CASE("a text in parts is whole, or nothing of it is")
{
    text_parts t{};
    t.most = SIZE_MAX / 2;

    SECTION("whole")
    {
        text_parts_add(&t, "one ", 4);
        text_parts_add(&t, "two", 3);
    }
    SECTION("there is no memory for one part")
    {
        text_parts_add(&t, "one ", 4);
        text_parts_add(&t, "two", SIZE_MAX / 4); // more than a computer can have
        text_parts_add(&t, " three", 6);
        CHECK(t.length == SIZE_MAX / 4 + 10);
        CHECK_FALSE(text_parts_too_long(&t));
        CHECK_FALSE(text_parts_take(&t));
        text_parts_add(&t, "one two", 7); // the next text
    }
    SECTION("one part is too much, and the next is not")
    {
        t.most = 7;
        text_parts_add(&t, "one ", 4);
        text_parts_add(&t, "two three", 9);
        text_parts_add(&t, "x", 1);
        CHECK(text_parts_too_long(&t));
        CHECK(t.length == 14);
        CHECK_FALSE(text_parts_take(&t));
        text_parts_add(&t, "one two", 7);
    }
    SECTION("what cannot be had is missed at the end")
    {
        text_parts_add(&t, "one ", 4);
        text_parts_miss(&t, 3);
        text_parts_add(&t, "four", 4);
        CHECK_FALSE(text_parts_take(&t));
        text_parts_add(&t, "one two", 7);
    }
    char *text = text_parts_take(&t);
    REQUIRE(text);
    CHECK(std::string(text) == "one two");
    free(text);
}

TEST_CASE("the server's text waits until the window has the focus, and a newer one of ours wins")
{
    Desktop d;
    SDL_Event focus{};

    auto here = [] {
        char *text = SDL_GetClipboardText();
        std::string all = text;
        SDL_free(text);
        return all;
    };
    auto set_focus = [&](bool on) {
        focus.type = SDL_WINDOWEVENT;
        focus.window.event = on ? SDL_WINDOWEVENT_FOCUS_GAINED : SDL_WINDOWEVENT_FOCUS_LOST;
        const char *news = clipboard_event(&d.c, &focus);
        return std::string(news ? news : "");
    };
    CHECK(d.copy("ours") == "ours");
    clipboard_from_server(&d.c, "with the focus");
    CHECK(here() == "with the focus");
    set_focus(false);
    clipboard_from_server(&d.c, "without it");
    CHECK(here() == "with the focus");
    CHECK(set_focus(true) == "");
    CHECK(here() == "without it");
    CHECK_FALSE(clipboard_text(&d.c));
    // for another window, and before the server's
    set_focus(false);
    REQUIRE(SDL_SetClipboardText("for another window") == 0);
    clipboard_from_server(&d.c, "in its place");
    CHECK(here() == "for another window");
    CHECK(set_focus(true) == "for another window");
    CHECK(here() == "for another window");
    set_focus(false);
    CHECK(set_focus(true) == "");
    CHECK(here() == "for another window");
}
