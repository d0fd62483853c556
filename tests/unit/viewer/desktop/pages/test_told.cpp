// What the window says of its connection: the title, and what is said once.
#include "tests/catch.hpp"

#include <cstring>
#include <string>

#include "viewer/desktop/pages/told/told.h"

namespace
{

struct Window {
    ui *pages = ui_create(UI_THEME_DARK);
    told t{};
    told_facts facts{};
    struct connection_status status {
    };

    Window()
    {
        static const told_answers answers{};

        REQUIRE(pages);
        told_init(&t, pages, &answers);
        facts.menu_key = "F8";
        facts.scale = 1;
        ui_take_changed(pages);
    }

    ~Window()
    {
        ui_destroy(pages);
    }

    std::string title() const
    {
        char out[TITLE_MAX];

        told_title(&t, &facts, out);
        return out;
    }

    bool connection(connection_state state, tick_t now = 0)
    {
        status.state = state;
        return told_connection(&t, &status, now);
    }
};

} // namespace

TEST_CASE("the title names the server until the desktop's name is known", "[told]")
{
    Window w;

    CHECK(w.title() == "vnchl");
    told_new_server(&w.t, "host:1");
    CHECK(w.connection(CONNECTION_CONNECTING));
    CHECK(w.title() == "host:1: connecting - vnchl");
    CHECK_FALSE(w.connection(CONNECTION_CONNECTING));
    told_set_name(&w.t, "a desktop");
    CHECK(w.connection(CONNECTION_UP));
    CHECK(w.title() == "a desktop - vnchl");
    told_set_name(&w.t, "");
    CHECK(w.connection(CONNECTION_FAILED));
    CHECK(w.title() == "host:1: not connected - vnchl");
}

TEST_CASE("another server does not keep the name of the desktop before", "[told]")
{
    Window w;

    told_new_server(&w.t, "host:1, host:2");
    w.connection(CONNECTION_CONNECTING);
    CHECK(w.title() == "host:1, host:2: connecting - vnchl");
    told_new_server(&w.t, "host:1");
    CHECK(w.title() == "host:1: connecting - vnchl");
    told_set_name(&w.t, "a desktop");
    told_new_server(&w.t, "host:1"); // the same one
    CHECK(w.title() == "a desktop - vnchl");
    told_new_server(&w.t, "host:2");
    CHECK(w.title() == "host:2: connecting - vnchl");
}

TEST_CASE("the title says what is not as usual", "[told]")
{
    Window w;

    told_set_name(&w.t, "a desktop");
    w.facts.view_only = w.facts.grabbed = w.facts.held = true;
    CHECK(w.title() == "a desktop - view only - keyboard grabbed - keys held down - vnchl");
    w.facts = {};
    w.facts.caught = true;
    CHECK(w.title() == "a desktop - Ctrl+Alt+G gives the pointer back - vnchl");
    w.facts = {};
    w.status.recording = true;
    CHECK(w.connection(CONNECTION_UP));
    CHECK(w.title() == "a desktop - recording - vnchl");
    w.status.recording = false;
    CHECK(w.connection(CONNECTION_UP));
    CHECK(w.title() == "a desktop - vnchl");
}

TEST_CASE("full screen names each key for the menu once, and what it lacks", "[told]")
{
    Window w;
    char text[TOLD_FULL_SCREEN_MAX];

    told_full_screen(&w.facts, text);
    CHECK(std::string(text) ==
          "Full screen: Ctrl+Alt+Enter leaves it. F8 or Ctrl+Alt+M opens the menu, and so does the "
          "bar that comes when the pointer rests at the upper edge.");
    w.facts.menu_key = "Ctrl+Alt+M"; // there is no other
    w.facts.shortage = "One monitor only.";
    told_full_screen(&w.facts, text);
    CHECK(std::string(text) ==
          "One monitor only. Full screen: Ctrl+Alt+Enter leaves it. Ctrl+Alt+M opens the menu, and "
          "so does the bar that comes when the pointer rests at the upper edge.");
}

TEST_CASE("a silent server is in the title, and a slow one once", "[told]")
{
    Window w;

    told_set_name(&w.t, "a desktop");
    w.connection(CONNECTION_UP);
    w.status.silent = true;
    w.status.heard_ago = 7 * TICK_S;
    CHECK(w.connection(CONNECTION_UP));
    CHECK(w.title() == "last heard from the server 7 s ago - a desktop - vnchl");
    w.status.silent = false;
    w.status.slow = SLOW_SERVER;
    CHECK(w.connection(CONNECTION_UP));
    CHECK(w.title() == "slow: the server answers late - a desktop - vnchl");
    w.status.slow = SLOW_NOT;
    CHECK(w.connection(CONNECTION_UP));
    w.status.slow = SLOW_SERVER;
    CHECK_FALSE(w.connection(CONNECTION_UP));
    told_new_server(&w.t, "host:1"); // nobody knows that of this one
    CHECK(w.connection(CONNECTION_UP));
}

TEST_CASE("a scaled picture is told of once, when it stays scaled", "[told]")
{
    Window w;

    w.facts.live = w.facts.scaled = true;
    told_look(&w.t, &w.facts, TICK_S);
    CHECK_FALSE(w.t.scaled);
    w.facts.scaled = false;
    told_look(&w.t, &w.facts, 2 * TICK_S);
    w.facts.scaled = true;
    told_look(&w.t, &w.facts, 3 * TICK_S);
    told_look(&w.t, &w.facts, 5 * TICK_S - 1);
    CHECK_FALSE(w.t.scaled);
    CHECK_FALSE(ui_is_visible(w.pages));
    told_look(&w.t, &w.facts, 5 * TICK_S);
    CHECK(w.t.scaled);
    CHECK(ui_is_visible(w.pages));
    w.facts.scaled = false; // it is not true any more: the message goes
    told_look(&w.t, &w.facts, 6 * TICK_S);
    CHECK_FALSE(ui_is_visible(w.pages));
    w.facts.scaled = true;
    told_look(&w.t, &w.facts, 7 * TICK_S);
    told_look(&w.t, &w.facts, 70 * TICK_S);
    CHECK_FALSE(ui_is_visible(w.pages));
}

TEST_CASE("view-only is told of at the first key, not at a modifier", "[told]")
{
    Window w;
    SDL_Event e{};

    w.facts.live = w.facts.view_only = true;
    e.type = SDL_KEYDOWN;
    e.key.keysym.sym = SDLK_LSHIFT;
    told_key(&w.t, &w.facts, &e, 0);
    CHECK_FALSE(ui_is_visible(w.pages));
    e.key.keysym.sym = SDLK_a;
    w.facts.live = false; // nobody would get it
    told_key(&w.t, &w.facts, &e, 0);
    CHECK_FALSE(ui_is_visible(w.pages));
    w.facts.live = w.status.plays = true; // a recording: there is nobody to get it
    w.connection(CONNECTION_UP);
    told_key(&w.t, &w.facts, &e, 0);
    CHECK_FALSE(ui_is_visible(w.pages));
    w.status.plays = false;
    w.connection(CONNECTION_UP);
    told_key(&w.t, &w.facts, &e, 0);
    CHECK(ui_is_visible(w.pages));
    w.facts.view_only = false;
    told_look(&w.t, &w.facts, TICK_S);
    CHECK_FALSE(ui_is_visible(w.pages));
    CHECK_FALSE(w.t.view_only); // the next time it is news again
}
