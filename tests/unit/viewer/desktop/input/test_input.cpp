/* The keyboard and pointer state machine: SDL events in, what goes to the server out. */
#include <cmath>
#include <tuple>

#include "keyboard_user.hpp"

using namespace typing;

TEST_CASE("a text key sends what the layout types, pressed and released with the key")
{
    User u;
    u.down(SDL_SCANCODE_A, 'a', "a");
    CHECK(u.sent() == "+61");
    u.up(SDL_SCANCODE_A, 'a');
    CHECK(u.sent() == "-61");
    u.tap(SDL_SCANCODE_Q, 'a', "a"); /* AZERTY */
    CHECK(u.sent() == "+61 -61");
    u.tap(SDL_SCANCODE_2, 0xe9, "\u00e9");
    CHECK(u.sent() == "+e9 -e9");
    u.tap(SDL_SCANCODE_E, 0x443, "\u0443"); /* Russian */
    CHECK(u.sent() == "+6d5 -6d5");
    CHECK(u.all_up());
}

TEST_CASE("Shift is sent as well, and the key is released as it was pressed")
{
    User u;
    u.down(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT).down(SDL_SCANCODE_A, 'a', "A");
    CHECK(u.sent() == hex({{'+', SHIFT_L}, {'+', 'A'}}));
    u.up(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT).up(SDL_SCANCODE_A, 'a'); /* Shift goes up first */
    CHECK(u.sent() == hex({{'-', SHIFT_L}, {'-', 'A'}}));
}

TEST_CASE("overlapping keys keep their own keysyms")
{
    User u;
    u.down(SDL_SCANCODE_A, 'a', "a").down(SDL_SCANCODE_S, 's', "s");
    u.up(SDL_SCANCODE_A, 'a').up(SDL_SCANCODE_S, 's');
    CHECK(u.sent() == "+61 +73 -61 -73");
}

TEST_CASE("with Ctrl, Alt or Super the key itself is sent and its text is ignored")
{
    User u;
    u.down(SDL_SCANCODE_LCTRL, SDLK_LCTRL).tap(SDL_SCANCODE_C, 'c');
    u.up(SDL_SCANCODE_LCTRL, SDLK_LCTRL);
    CHECK(u.sent() == hex({{'+', CONTROL_L}, {'+', 'c'}, {'-', 'c'}, {'-', CONTROL_L}}));
    u.down(SDL_SCANCODE_LALT, SDLK_LALT).tap(SDL_SCANCODE_X, 'x', "x"); /* X11 sends text */
    u.up(SDL_SCANCODE_LALT, SDLK_LALT);
    CHECK(u.sent() == hex({{'+', ALT_L}, {'+', 'x'}, {'-', 'x'}, {'-', ALT_L}}));
    u.down(SDL_SCANCODE_LGUI, SDLK_LGUI).tap(SDL_SCANCODE_D, 'd', "d");
    u.up(SDL_SCANCODE_LGUI, SDLK_LGUI);
    CHECK(u.sent() == hex({{'+', SUPER_L}, {'+', 'd'}, {'-', 'd'}, {'-', SUPER_L}}));
    u.down(SDL_SCANCODE_LCTRL, SDLK_LCTRL).down(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT);
    u.tap(SDL_SCANCODE_T, 't');
    CHECK(u.sent() == hex({{'+', CONTROL_L}, {'+', SHIFT_L}, {'+', 'T'}, {'-', 'T'}}));
}

TEST_CASE("keys that type nothing are sent at once; the keypad follows NumLock")
{
    User u;
    u.tap(SDL_SCANCODE_F5, SDLK_F5).tap(SDL_SCANCODE_LEFT, SDLK_LEFT);
    CHECK(u.sent() == "+ffc2 -ffc2 +ff51 -ff51");
    u.tap(SDL_SCANCODE_RETURN, SDLK_RETURN);
    CHECK(u.sent() == "+ff0d -ff0d");
    u.tap(SDL_SCANCODE_KP_7, SDLK_KP_7);
    CHECK(u.sent() == "+ff95 -ff95");
    u.lock(KMOD_NUM).tap(SDL_SCANCODE_KP_7, SDLK_KP_7, "7"); /* the text is no second key */
    CHECK(u.sent() == "+ffb7 -ffb7");
    u.down(SDL_SCANCODE_KP_7, SDLK_KP_7, "7").lock(KMOD_NUM).up(SDL_SCANCODE_KP_7, SDLK_KP_7);
    CHECK(u.sent() == "+ffb7 -ffb7");
}

TEST_CASE("a dead key sends nothing, the composed character is pressed and released")
{
    User u;
    u.tap(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK); /* German acute: no character of its own */
    CHECK(u.sent().empty());
    u.tap(SDL_SCANCODE_E, 'e', "\u00e9");
    CHECK(u.sent() == hex({{'+', EACUTE}, {'-', EACUTE}}));
    CHECK(u.all_up());
}

TEST_CASE("text without a key, as an input method commits it, is tapped")
{
    User u;
    u.type("\u4e2d\u6587a");
    CHECK(u.sent() == "+1004e2d -1004e2d +1006587 -1006587 +61 -61");
    /* the key that ended the composition went to the input method; its release comes here */
    u.up(SDL_SCANCODE_SPACE, ' ');
    CHECK(u.sent().empty());
    /* several characters at once belong to no key */
    u.down(SDL_SCANCODE_A, 'a', "xy").up(SDL_SCANCODE_A, 'a');
    CHECK(u.sent() == "+78 -78 +79 -79");
    u.type("\xff\xfe");
    u.type("a\xc3");
    CHECK(u.sent() == "+61 -61");
    CHECK(u.all_up());
}

TEST_CASE("an input method's text comes through while a key without text is held")
{
    for (auto [scancode, key, keysym] : {std::tuple(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT, SHIFT_L),
                                         std::tuple(SDL_SCANCODE_LCTRL, SDLK_LCTRL, CONTROL_L),
                                         std::tuple(SDL_SCANCODE_F5, SDLK_F5, 0xffc2u)}) {
        User u;
        u.down(scancode, key);
        CHECK(u.sent() == hex({{'+', keysym}}));
        u.type("\u65e5\u672c");
        CHECK(u.sent() ==
              hex({{'+', 0x10065e5}, {'-', 0x10065e5}, {'+', 0x100672c}, {'-', 0x100672c}}));
        u.up(scancode, key);
        CHECK(u.sent() == hex({{'-', keysym}}));
    }
}

TEST_CASE("text after a shortcut's key has been released is text again")
{
    User u;
    u.down(SDL_SCANCODE_LCTRL, SDLK_LCTRL).tap(SDL_SCANCODE_V, 'v');
    u.up(SDL_SCANCODE_LCTRL, SDLK_LCTRL).sent();
    u.type("\u00e9");
    CHECK(u.sent() == hex({{'+', EACUTE}, {'-', EACUTE}}));
}

TEST_CASE("a held key repeats its press")
{
    User u;
    u.down(SDL_SCANCODE_A, 'a', "a").down(SDL_SCANCODE_A, 'a', "a", true);
    u.down(SDL_SCANCODE_A, 'a', "a", true).up(SDL_SCANCODE_A, 'a');
    CHECK(u.sent() == "+61 +61 +61 -61");
    u.down(SDL_SCANCODE_LEFT, SDLK_LEFT).down(SDL_SCANCODE_LEFT, SDLK_LEFT, "", true);
    u.up(SDL_SCANCODE_LEFT, SDLK_LEFT);
    CHECK(u.sent() == "+ff51 +ff51 -ff51");
    /* Shift comes while it repeats: another keysym now, the first one goes up */
    u.down(SDL_SCANCODE_A, 'a', "a").down(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT);
    u.down(SDL_SCANCODE_A, 'a', "A", true).up(SDL_SCANCODE_A, 'a');
    CHECK(u.sent() == hex({{'+', 'a'}, {'+', SHIFT_L}, {'-', 'a'}, {'+', 'A'}, {'-', 'A'}}));
}

TEST_CASE("AltGr is what the layout says that it is")
{
    struct {
        const char *layout, *variant;
        SDL_Scancode place;
        const char *text;
        uint32_t keysym;
    } signs[] = {
        {"de", "", SDL_SCANCODE_Q, "@", '@'},
        {"de", "", SDL_SCANCODE_E, "\u20ac", 0x20ac},
        {"se", "", SDL_SCANCODE_2, "@", '@'}, /* where the US keyboard has it above the 2 */
        {"ch", "", SDL_SCANCODE_2, "@", '@'},
        {"es", "", SDL_SCANCODE_3, "#", '#'},
        {"be", "", SDL_SCANCODE_6, "^", '^'},
        {"gb", "", SDL_SCANCODE_E, "\u00e9", EACUTE},
        {"us", "altgr-intl", SDL_SCANCODE_NONUSBACKSLASH, "|", '|'},
    };
    for (const auto &t : signs) {
        INFO(t.layout << " " << t.text);
        User u(t.layout, t.variant);
        u.down(SDL_SCANCODE_RALT, SDLK_RALT);
        CHECK(u.sent() == hex({{'+', LEVEL3}}));
        u.tap(t.place, SDLK_UNKNOWN, t.text);
        CHECK(u.sent() == hex({{'+', t.keysym}, {'-', t.keysym}}));
        u.up(SDL_SCANCODE_RALT, SDLK_RALT);
        CHECK(u.sent() == hex({{'-', LEVEL3}}));
        CHECK(u.all_up());
    }
}

TEST_CASE("AltGr with Shift")
{
    User u("de");
    u.down(SDL_SCANCODE_RALT, SDLK_RALT).down(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT);
    u.tap(SDL_SCANCODE_Q, 'q', "\u03a9"); /* German: Omega */
    CHECK(u.sent() == hex({{'+', LEVEL3}, {'+', SHIFT_L}, {'+', 0x7d9}, {'-', 0x7d9}}));
}

TEST_CASE("a right Alt that the layout leaves alone is Alt")
{
    User u("us");
    u.down(SDL_SCANCODE_RALT, SDLK_RALT).tap(SDL_SCANCODE_X, 'x', "x");
    u.tap(SDL_SCANCODE_Y, 'y', "y").up(SDL_SCANCODE_RALT, SDLK_RALT);
    CHECK(u.sent() ==
          hex({{'+', ALT_R}, {'+', 'x'}, {'-', 'x'}, {'+', 'y'}, {'-', 'y'}, {'-', ALT_R}}));
    u.down(SDL_SCANCODE_RALT, SDLK_RALT).tap(SDL_SCANCODE_F4, SDLK_F4);
    u.up(SDL_SCANCODE_RALT, SDLK_RALT);
    CHECK(u.sent() == hex({{'+', ALT_R}, {'+', 0xffc1}, {'-', 0xffc1}, {'-', ALT_R}}));
    User v; /* where no layout is known, too */
    v.down(SDL_SCANCODE_RALT, SDLK_RALT).tap(SDL_SCANCODE_X, 'x', "x");
    v.up(SDL_SCANCODE_RALT, SDLK_RALT);
    CHECK(v.sent() == hex({{'+', ALT_R}, {'+', 'x'}, {'-', 'x'}, {'-', ALT_R}}));
}

TEST_CASE("in a shortcut the layout still says what Shift and AltGr choose")
{
    struct {
        const char *layout;
        SDL_Scancode level, held, place;
        uint32_t keysym;
    } shortcuts[] = {
        {"de", SDL_SCANCODE_LSHIFT, SDL_SCANCODE_LCTRL, SDL_SCANCODE_7, '/'},
        {"de", SDL_SCANCODE_LSHIFT, SDL_SCANCODE_LCTRL, SDL_SCANCODE_SLASH, '_'},
        {"fr", SDL_SCANCODE_LSHIFT, SDL_SCANCODE_LALT, SDL_SCANCODE_7, '7'},
        {"de", SDL_SCANCODE_RALT, SDL_SCANCODE_LCTRL, SDL_SCANCODE_Q, '@'},
        {"de", SDL_SCANCODE_RALT, SDL_SCANCODE_LCTRL, SDL_SCANCODE_8, '['},
        {"de", SDL_SCANCODE_RALT, SDL_SCANCODE_LCTRL, SDL_SCANCODE_9, ']'},
        {"de", SDL_SCANCODE_RALT, SDL_SCANCODE_LCTRL, SDL_SCANCODE_MINUS, '\\'},
        {"us", SDL_SCANCODE_LSHIFT, SDL_SCANCODE_LALT, SDL_SCANCODE_1, '!'},
    };
    for (const auto &t : shortcuts) {
        INFO(t.layout << " " << static_cast<char>(t.keysym));
        User u(t.layout);
        u.down(t.held, SDL_SCANCODE_TO_KEYCODE(t.held));
        u.down(t.level, SDL_SCANCODE_TO_KEYCODE(t.level)).sent();
        u.tap(t.place, SDLK_UNKNOWN);
        CHECK(u.sent() == hex({{'+', t.keysym}, {'-', t.keysym}}));
    }
}

TEST_CASE("Alt stays Alt and Tab stays Tab with Shift; Ctrl+Alt leaves F1 alone")
{
    User u("us");
    u.down(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT).down(SDL_SCANCODE_LALT, SDLK_LALT);
    u.tap(SDL_SCANCODE_TAB, SDLK_TAB);
    CHECK(u.sent() == hex({{'+', SHIFT_L}, {'+', ALT_L}, {'+', 0xff09}, {'-', 0xff09}}));
    u.up(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT).down(SDL_SCANCODE_LCTRL, SDLK_LCTRL).sent();
    u.tap(SDL_SCANCODE_F1, SDLK_F1);
    CHECK(u.sent() == hex({{'+', 0xffbe}, {'-', 0xffbe}}));
}

TEST_CASE("a click while a key waits for its text")
{
    User v("us"); /* Alt-drag */
    v.down(SDL_SCANCODE_RALT, SDLK_RALT).button(SDL_BUTTON_LEFT, true, 5, 5);
    CHECK(v.sent() == "+ffea @5,5:1");
}

TEST_CASE("all keys and buttons are released, once")
{
    User u;
    u.down(SDL_SCANCODE_LALT, SDLK_LALT).down(SDL_SCANCODE_TAB, SDLK_TAB);
    u.button(SDL_BUTTON_LEFT, true, 10, 20).sent();
    u.release_all();
    CHECK(u.all_up());
    CHECK(u.sent() == "-ff09 -ffe9 @10,20:0");
    u.up(SDL_SCANCODE_TAB, SDLK_TAB).up(SDL_SCANCODE_LALT, SDLK_LALT).release_all();
    CHECK(u.sent().empty());
}

TEST_CASE("text that belongs to no key is text again after all has been released")
{
    User u;
    u.down(SDL_SCANCODE_F5, SDLK_F5).release_all().sent();
    u.type("\u00e9");
    CHECK(u.sent() == hex({{'+', EACUTE}, {'-', EACUTE}}));
}

TEST_CASE("what is no key, no text and no pointer is left alone")
{
    input in;
    input_sink sink = {nullptr, nullptr, nullptr, nullptr};
    SDL_Event e = {};

    input_init(&in, &sink, nullptr, false);
    for (Uint32 type : {SDL_WINDOWEVENT, SDL_QUIT, SDL_CLIPBOARDUPDATE, SDL_USEREVENT}) {
        e.type = type;
        CHECK_FALSE(input_event(&in, &e));
    }
    e.type = SDL_MOUSEMOTION;
    CHECK(input_event(&in, &e));
}

TEST_CASE("view-only sends nothing")
{
    User u(true);
    u.tap(SDL_SCANCODE_A, 'a', "a").tap(SDL_SCANCODE_F1, SDLK_F1).type("x");
    u.move(3, 4).button(SDL_BUTTON_LEFT, true, 3, 4).button(SDL_BUTTON_LEFT, false, 3, 4);
    u.wheel(0, 1).release_all();
    CHECK(u.sent().empty());
}

TEST_CASE("pointer buttons have RFB's numbers")
{
    User u;
    struct {
        int sdl;
        unsigned mask;
    } cases[] = {{SDL_BUTTON_LEFT, 1},
                 {SDL_BUTTON_MIDDLE, 2},
                 {SDL_BUTTON_RIGHT, 4},
                 {SDL_BUTTON_X1, 128},
                 {SDL_BUTTON_X2, 256}};
    for (auto t : cases) {
        u.button(t.sdl, true, 7, 8).button(t.sdl, false, 9, 8);
        CHECK(u.sent() == "@7,8:" + std::to_string(t.mask) + " @9,8:0");
    }
    u.button(6, true, 7, 8); /* a button without a name */
    CHECK(u.sent().empty());
    u.button(SDL_BUTTON_LEFT, true, 1, 1).button(SDL_BUTTON_RIGHT, true, 1, 1).move(2, 2);
    CHECK(u.sent() == "@1,1:1 @1,1:5 @2,2:5");
}

TEST_CASE("motion is mapped, clamped, and sent only when the picture pixel changes")
{
    User u(false, 50, 50); /* scaled up twice */
    u.move(20, 30).move(21, 31).move(22, 31);
    CHECK(u.sent() == "@10,15:0 @11,15:0");
    u.move(-7, 400);
    CHECK(u.sent() == "@0,49:0");
    User none(false, 0, 0);
    none.move(5, 5).button(SDL_BUTTON_LEFT, true, 5, 5).wheel(0, 1);
    CHECK(none.sent().empty());
}

TEST_CASE("the wheel clicks buttons 4 to 7, fractions add up")
{
    User u;
    u.move(5, 6).sent();
    u.wheel(0, 1);
    CHECK(u.sent() == "@5,6:8 @5,6:0");
    u.wheel(0, -2);
    CHECK(u.sent() == "@5,6:16 @5,6:0 @5,6:16 @5,6:0");
    u.wheel(-1, 0).wheel(1, 0);
    CHECK(u.sent() == "@5,6:32 @5,6:0 @5,6:64 @5,6:0");
    u.wheel(0, 0.4f).wheel(0, 0.4f);
    CHECK(u.sent().empty());
    u.wheel(0, 0.4f);
    CHECK(u.sent() == "@5,6:8 @5,6:0");
    u.wheel(0, 0.7f).wheel(0, -0.5f); /* turned round: what was left is void */
    CHECK(u.sent().empty());
    u.wheel(0, -0.5f);
    CHECK(u.sent() == "@5,6:16 @5,6:0");
    u.wheel(0, 1e30f).wheel(0, NAN);
    CHECK(u.sent().empty());
    u.button(SDL_BUTTON_LEFT, true, 5, 6).wheel(0, 1); /* a held button stays held */
    CHECK(u.sent() == "@5,6:1 @5,6:9 @5,6:1");
}

TEST_CASE("a server that takes steps gets them while the pointer is caught, and nothing else")
{
    User u;

    u.move(10, 10).button(SDL_BUTTON_LEFT, true, 10, 10);
    CHECK(u.sent() == "@10,10:0 @10,10:1");
    u.steps(false);
    CHECK(u.sent() == "@10,10:0"); // in the form that held before
    u.steps(true);
    u.move(20, 20, 10, 10).button(SDL_BUTTON_LEFT, true, 20, 20).wheel(0, 1);
    u.button(SDL_BUTTON_LEFT, false, 20, 20);
    CHECK(u.sent().empty());

    u.catch_pointer(true);
    u.move(30, 30, 7, -3).move(30, 30).button(SDL_BUTTON_RIGHT, true, 30, 30);
    CHECK(u.sent() == "~7,-3:0 ~0,0:4");
    u.move(31, 30, 1, 0).wheel(0, 1);
    CHECK(u.sent() == "~1,0:4 ~0,0:12 ~0,0:4");
    u.catch_pointer(false);
    CHECK(u.sent() == "~0,0:0");
    CHECK(u.all_up());

    u.catch_pointer(true).steps(false);
    u.move(40, 40, 5, 5);
    CHECK(u.sent() == "@40,40:0");
    u.steps(true).new_session();
    u.move(50, 50, 5, 5);
    CHECK(u.sent() == "@50,50:0");
}

TEST_CASE("view-only sends no steps")
{
    User u(true);

    u.steps(true).catch_pointer(true);
    u.move(1, 1, 1, 1).button(SDL_BUTTON_LEFT, true, 1, 1).wheel(0, 1).release_all();
    CHECK(u.sent().empty());
}
