// The menu's pages, and the key that opens it.
#include "tests/catch.hpp"

#include <cstring>
#include <set>
#include <string>

#include "prerequest/event.h"
#include "rfb/session/session.h"
#include "viewer/desktop/pages/menu/menu.h"
#include "viewer/options/menu_key.h"

namespace
{

struct Page {
    menu_entry list[MENU_ENTRIES_MAX];
    int count;

    Page(menu_page page, const menu_state &s)
    {
        count = menu_entries(page, &s, list);
    }
    const menu_entry &of(menu_action action, int value = 0) const
    {
        for (int i = 0; i < count; i++)
            if (list[i].action == action && list[i].value == value)
                return list[i];
        throw std::runtime_error("no such entry");
    }
    int chosen() const // how many are marked
    {
        int n = 0;
        for (int i = 0; i < count; i++)
            n += list[i].on;
        return n;
    }
};

menu_state up()
{
    menu_state s = {};

    s.live = true;
    s.menu_key = "F8";
    s.allowed = s.clipboard = CLIPBOARD_SEND | CLIPBOARD_RECEIVE;
    s.tuning = {TUNING_AUTO, PRP_AUTO, 0};
    s.quality_now = 6;
    s.prp_now = 33.4;
    return s;
}

} // namespace

TEST_CASE("every entry of a page has a letter of its own")
{
    const bool plays = GENERATE(false, true);

    for (auto page :
         {MENU_MAIN, MENU_PLAY, MENU_SCALE, MENU_KEYS, MENU_CLIPBOARD, MENU_QUALITY, MENU_PRP}) {
        menu_state several = up();
        several.several_monitors = true;
        several.plays = plays;
        several.system_scale = 2;
        several.sound = SOUND_ON;
        Page p(page, several);
        std::set<char> letters;

        REQUIRE(p.count > 0);
        REQUIRE(p.count <= MENU_ENTRIES_MAX);
        CHECK_FALSE(p.list[0].begins);
        CHECK(strlen(menu_title(page)) > 0);
        for (int i = 0; i < p.count; i++) {
            CHECK(strlen(p.list[i].label) > 0);
            CHECK((p.list[i].usable || plays));
            std::string label = p.list[i].label;
            for (char &c : label)
                c = static_cast<char>(tolower(c));
            INFO(label << " has no " << p.list[i].letter);
            CHECK(label.find(p.list[i].letter) != std::string::npos); // it is underlined there
            letters.insert(p.list[i].letter);
        }
        CHECK(letters.size() == static_cast<size_t>(p.count));
        CHECK(letters.count('\0') == 0);
    }
}

TEST_CASE("without a session, and with view-only, nothing is sent")
{
    menu_state s = up();

    s.view_only = true;
    for (bool live : {true, false}) {
        s.live = live;
        Page p(MENU_MAIN, s);
        CHECK_FALSE(p.of(MENU_CTRL_ALT_DEL).usable);
        CHECK_FALSE(p.of(MENU_SEND_KEY).usable);
        CHECK_FALSE(p.of(MENU_TYPE).usable);
        CHECK_FALSE(p.of(MENU_OPEN, MENU_KEYS).usable);
        CHECK_FALSE(p.of(MENU_GRAB).usable);
        CHECK(p.of(MENU_VIEW_ONLY).usable);
        CHECK(p.of(MENU_VIEW_ONLY).on);
        CHECK(p.of(MENU_OPEN, MENU_QUALITY).usable == live);
        CHECK(p.of(MENU_REFRESH).usable == live);
        CHECK(p.of(MENU_DISCONNECT).usable);
        CHECK(p.of(MENU_QUIT).usable);
        CHECK_FALSE(Page(MENU_KEYS, s).of(MENU_HOLD, MODIFIER_CTRL).usable);
    }
}

TEST_CASE("menu: a recording that was played to its end is played again, and goes only back")
{
    menu_state s = up();

    s.plays = true;
    CHECK(std::string(Page(MENU_PLAY, s).of(MENU_PAUSE).label) == "Pause");
    CHECK(Page(MENU_PLAY, s).of(MENU_MOVE, 10).usable);
    s.ended = true;
    Page p(MENU_PLAY, s);
    CHECK(std::string(p.of(MENU_PAUSE).label) == "Play again");
    CHECK_FALSE(p.of(MENU_PAUSE).on);
    for (int seconds : {10, 60}) {
        CHECK_FALSE(p.of(MENU_MOVE, seconds).usable);
        CHECK(p.of(MENU_MOVE, -seconds).usable);
    }
}

TEST_CASE("menu: a recording can be asked for nothing, and gets nothing")
{
    menu_state s = up();

    s.plays = true;
    s.sound = SOUND_ON;
    Page p(MENU_MAIN, s);
    for (menu_action a : {MENU_VIEW_ONLY, MENU_GRAB, MENU_CTRL_ALT_DEL, MENU_SEND_KEY, MENU_TYPE,
                          MENU_SOUND, MENU_REFRESH})
        CHECK_FALSE(p.of(a).usable);
    for (menu_page page : {MENU_KEYS, MENU_QUALITY, MENU_PRP})
        CHECK_FALSE(p.of(MENU_OPEN, page).usable);
    CHECK(strlen(p.of(MENU_OPEN, MENU_QUALITY).now) == 0);
    CHECK(strlen(p.of(MENU_OPEN, MENU_PRP).now) == 0);
    CHECK_FALSE(Page(MENU_KEYS, s).of(MENU_HOLD, MODIFIER_CTRL).usable);
    for (menu_action a : {MENU_FULL_SCREEN, MENU_SCREENSHOT, MENU_STATISTICS, MENU_ABOUT,
                          MENU_OPTIONS, MENU_RECONNECT, MENU_DISCONNECT, MENU_QUIT})
        CHECK(p.of(a).usable);
    for (menu_page page : {MENU_PLAY, MENU_SCALE})
        CHECK(p.of(MENU_OPEN, page).usable);
}

TEST_CASE("without a menu key there is none to be sent")
{
    menu_state s = up();

    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_SEND_KEY).label) == "Send F8");
    s.menu_key = nullptr;
    CHECK_THROWS(Page(MENU_MAIN, s).of(MENU_SEND_KEY));
}

TEST_CASE("the menu shows what is set")
{
    menu_state s = up();

    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_QUALITY).now) == "automatic, now 6");
    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_PRP).now) == "automatic, now 33 ms");
    CHECK(Page(MENU_QUALITY, s).of(MENU_SET_QUALITY, MENU_AUTO).on);
    CHECK(Page(MENU_QUALITY, s).chosen() == 1);
    CHECK(Page(MENU_PRP, s).of(MENU_SET_PRP, MENU_AUTO).on);
    CHECK(Page(MENU_PRP, s).chosen() == 1);

    s.tuning = {3, PRP_FIXED, 40000};
    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_QUALITY).now) == "3");
    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_PRP).now) == "40 ms");
    CHECK(Page(MENU_QUALITY, s).of(MENU_SET_QUALITY, 3).on);
    CHECK(Page(MENU_PRP, s).of(MENU_SET_PRP, 40).on);
    CHECK(Page(MENU_PRP, s).chosen() == 1);

    s.tuning = {0, PRP_FIXED, 33300}; // by --prp 33.3
    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_PRP).now) == "33.3 ms");
    CHECK(Page(MENU_PRP, s).chosen() == 0);
    s.tuning.policy = PRP_THESIS;
    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_PRP).now) == "33.3 ms");
    s.tuning.policy = PRP_OFF;
    CHECK(Page(MENU_PRP, s).of(MENU_SET_PRP, 0).on);

    s.held = 1u << MODIFIER_ALT;
    CHECK(Page(MENU_KEYS, s).of(MENU_HOLD, MODIFIER_ALT).on);
    CHECK(Page(MENU_KEYS, s).chosen() == 1);
}

TEST_CASE("the quality in the menu is that of the far end where one pushes")
{
    menu_state s = up();
    auto now = [&] { return std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_QUALITY).now); };

    s.quality_now = -1; // blocks have no such levels
    CHECK(now() == "automatic");
    s.jpeg_now = 60;
    CHECK(now() == "automatic, now JPEG 60 of 100");
    s.film_now = true;
    CHECK(now() == "automatic, now a film (H.264)");
    s.live = false;
    CHECK(now() == "automatic");
    s.tuning.quality = 4;
    CHECK(now() == "4");
}

TEST_CASE("the server's sound is in the menu where it has some")
{
    menu_state s = up();

    CHECK_THROWS(Page(MENU_MAIN, s).of(MENU_SOUND, 1));
    s.sound = SOUND_ON;
    CHECK(Page(MENU_MAIN, s).of(MENU_SOUND, 0).on);
    for (sound_state off : {SOUND_MUTED, SOUND_SLOW}) {
        s.sound = off;
        const menu_entry e = Page(MENU_MAIN, s).of(MENU_SOUND, 1);
        CHECK_FALSE(e.on);
        CHECK(e.usable);
        CHECK((strlen(e.now) > 0) == (off == SOUND_SLOW));
    }
    s.live = false;
    CHECK_FALSE(Page(MENU_MAIN, s).of(MENU_SOUND, 1).usable);
}

TEST_CASE("the clipboard's ways can be switched as far as the options allow them")
{
    const unsigned both = CLIPBOARD_SEND | CLIPBOARD_RECEIVE;
    menu_state s = up();
    auto now = [&] { return std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_CLIPBOARD).now); };

    CHECK(now() == "both ways");
    s.clipboard = CLIPBOARD_RECEIVE;
    CHECK(now() == "from the server");
    CHECK_FALSE(Page(MENU_CLIPBOARD, s).of(MENU_COPY, CLIPBOARD_SEND).on);
    CHECK(Page(MENU_CLIPBOARD, s).of(MENU_COPY, CLIPBOARD_RECEIVE).on);
    s.clipboard = CLIPBOARD_SEND;
    CHECK(now() == "to the server");
    CHECK(Page(MENU_CLIPBOARD, s).of(MENU_COPY, CLIPBOARD_SEND).on);
    s.clipboard = 0;
    CHECK(now() == "off");
    for (unsigned allowed = 0; allowed <= both; allowed++) {
        s.allowed = allowed;
        for (unsigned way : {CLIPBOARD_SEND, CLIPBOARD_RECEIVE})
            CHECK(Page(MENU_CLIPBOARD, s).of(MENU_COPY, static_cast<int>(way)).usable ==
                  ((allowed & way) != 0));
        CHECK(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_CLIPBOARD).usable == (allowed != 0));
    }
}

TEST_CASE("menu: no copied text is sent with view only, nor to a recording, and it says so")
{
    const unsigned both = CLIPBOARD_SEND | CLIPBOARD_RECEIVE;
    menu_state s = up();
    auto entry = [&] { return Page(MENU_MAIN, s).of(MENU_OPEN, MENU_CLIPBOARD); };
    const bool plays = GENERATE(false, true);

    (plays ? s.plays : s.view_only) = true;
    CHECK(std::string(entry().now) == "from the server");
    CHECK(entry().usable);
    const menu_entry send = Page(MENU_CLIPBOARD, s).of(MENU_COPY, CLIPBOARD_SEND);
    CHECK_FALSE(send.on);
    CHECK_FALSE(send.usable);
    CHECK(std::string(send.now) == (plays ? "" : "not with view only"));
    CHECK(Page(MENU_CLIPBOARD, s).of(MENU_COPY, CLIPBOARD_RECEIVE).on);
    CHECK(Page(MENU_CLIPBOARD, s).of(MENU_COPY, CLIPBOARD_RECEIVE).usable);
    s.clipboard = s.allowed = CLIPBOARD_SEND;
    CHECK(std::string(entry().now) == "off");
    CHECK_FALSE(entry().usable);
    s.plays = s.view_only = false; // it is as it was
    s.clipboard = s.allowed = both;
    CHECK(std::string(entry().now) == "both ways");
    CHECK(Page(MENU_CLIPBOARD, s).of(MENU_COPY, CLIPBOARD_SEND).usable);
}

TEST_CASE("limits need the automatic period")
{
    menu_state s = up();

    s.limited = true;
    Page p(MENU_PRP, s);
    for (int i = 0; i < p.count; i++)
        CHECK(p.list[i].usable == (p.list[i].value == MENU_AUTO));
}

TEST_CASE("a choice makes a wish that a session takes")
{
    const session_tuning before = {5, PRP_AUTO, 0};

    for (auto page : {MENU_QUALITY, MENU_PRP}) {
        Page p(page, up());
        for (int i = 0; i < p.count; i++) {
            const session_tuning t = menu_tuned(before, p.list[i].action, p.list[i].value);
            session_command head = {};
            head.type = COMMAND_TUNE;
            session_command *c = session_command_create(&head, &t, sizeof t);
            INFO(p.list[i].label);
            CHECK(session_command_valid(c, sizeof head + sizeof t));
            free(c);
        }
    }
    session_tuning t = menu_tuned(before, MENU_SET_QUALITY, MENU_AUTO);
    CHECK(t.quality == TUNING_AUTO);
    CHECK(t.policy == PRP_AUTO);
    t = menu_tuned(before, MENU_SET_PRP, 50);
    CHECK(t.quality == 5);
    CHECK(t.policy == PRP_FIXED);
    CHECK(t.prp_us == 50000);
    t = menu_tuned(t, MENU_SET_PRP, MENU_AUTO);
    CHECK(t.policy == PRP_AUTO);
    CHECK(t.prp_us == 0);
}

TEST_CASE("the menu key is named as TigerVNC names it")
{
    menu_key k;

    REQUIRE(menu_key_parse("f10", &k));
    CHECK(k.key == SDLK_F10);
    CHECK(k.scancode == SDL_SCANCODE_F10);
    REQUIRE(menu_key_parse("scroll_lock", &k));
    CHECK(k.key == SDLK_SCROLLLOCK);
    CHECK(std::string(k.shown) == "Scroll Lock");
    REQUIRE(menu_key_parse("PAGE_UP", &k));
    CHECK(k.key == SDLK_PAGEUP);
    for (const char *none : {"none", "None", ""}) {
        REQUIRE(menu_key_parse(none, &k));
        CHECK(k.name == nullptr);
        CHECK(k.key == SDLK_UNKNOWN);
    }
    for (const char *wrong : {"F0", "F13", "F", "F8 ", "Page Up", "a"})
        CHECK_FALSE(menu_key_parse(wrong, &k));
    CHECK(menu_key_default().key == SDLK_F8);
}

TEST_CASE("the menu shows how large the picture is drawn, and what else there is")
{
    menu_state s = up();

    s.scale = {SCALE_AUTO, 1};
    s.follows = true;
    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_SCALE).now) == "automatic");
    CHECK(std::string(Page(MENU_SCALE, s).list[0].now) == "the server's screen follows");
    s.follows = false;
    CHECK(std::string(Page(MENU_SCALE, s).list[0].now) == "fits");
    Page p(MENU_SCALE, s);
    for (int i = 0; i < p.count; i++) {
        s.scale = menu_scale(p.list[i].value);
        Page now(MENU_SCALE, s);
        CHECK(now.chosen() == 1);
        CHECK(now.list[i].on);
    }
    for (int i = 0; i < p.count; i++) // on an ordinary display
        CHECK(menu_scale(p.list[i].value).kind != SCALE_SYSTEM);
    s.system_scale = 1.5;
    Page dense(MENU_SCALE, s);
    CHECK(dense.count == p.count + 1);
    CHECK(menu_scale(dense.list[1].value).kind == SCALE_SYSTEM);
    CHECK(std::string(dense.list[1].now) == "150%");
    s.scale = menu_scale(dense.list[1].value);
    s.system_scale = 1; // moved to an ordinary display: still what is chosen
    CHECK(Page(MENU_SCALE, s).chosen() == 1);
    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_SCALE).now) == "as other programs");
    s.scale = {SCALE_RATIO, 0.75}; // by --scale
    CHECK(Page(MENU_SCALE, s).chosen() == 0);
    CHECK(std::string(Page(MENU_MAIN, s).of(MENU_OPEN, MENU_SCALE).now) == "75%");
}

TEST_CASE("what only an expert needs stands under a heading of its own")
{
    Page p(MENU_MAIN, up());

    for (int i = 0; i < p.count; i++) {
        const bool period = p.list[i].action == MENU_OPEN && p.list[i].value == MENU_PRP;
        CHECK((p.list[i].heading != nullptr) == period);
    }
}
