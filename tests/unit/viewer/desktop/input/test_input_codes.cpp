/* Keys for a server that takes their codes, and the locks of both keyboards. */
#include "keyboard_user.hpp"
#include "rfb/proto/server_messages.h"

using namespace typing;

TEST_CASE("once the server takes codes, keys have them besides their keysyms")
{
    User u;
    u.tap(SDL_SCANCODE_A, 'a', "a");
    CHECK(u.sent() == "+61 -61");
    u.key_codes();
    u.tap(SDL_SCANCODE_Q, 'a', "a"); /* AZERTY: the place is that of the US Q */
    CHECK(u.sent() == "+61/10 -61/10");
    u.tap(SDL_SCANCODE_RIGHT, SDLK_RIGHT);
    CHECK(u.sent() == "+ff53/cd -ff53/cd");
    u.down(SDL_SCANCODE_LCTRL, SDLK_LCTRL).tap(SDL_SCANCODE_C, 0x441); /* Russian */
    u.up(SDL_SCANCODE_LCTRL, SDLK_LCTRL);
    CHECK(u.sent() == "+ffe3/1d +63/2e -63/2e -ffe3/1d");
    u.tap(SDL_SCANCODE_F24, SDLK_F24); /* it has no code that is known */
    CHECK(u.sent() == "+ffd5 -ffd5");
    CHECK(u.all_up());
}

TEST_CASE("a key that was pressed without its code is released without it")
{
    User u;
    u.down(SDL_SCANCODE_A, 'a', "a").down(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT);
    u.key_codes();
    u.up(SDL_SCANCODE_A, 'a').release_all();
    CHECK(u.sent() == "+61 +ffe1 -61 -ffe1");
}

TEST_CASE("keys that type nothing here have a code and no keysym, in their order")
{
    User u;
    u.key_codes();
    /* German: dead acute, then e */
    u.tap(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK).tap(SDL_SCANCODE_E, 'e', "\u00e9");
    CHECK(u.sent() == "+0/d -0/d +e9/12 -e9/12");
    /* held until the next key is down */
    u.down(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK).down(SDL_SCANCODE_E, 'e', "\u00e9");
    u.up(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK).up(SDL_SCANCODE_E, 'e');
    CHECK(u.sent() == "+0/d +e9/12 -0/d -e9/12");
    /* with Shift */
    u.down(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT).tap(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK);
    u.up(SDL_SCANCODE_LSHIFT, SDLK_LSHIFT);
    CHECK(u.sent() == "+ffe1/2a +0/d -0/d -ffe1/2a");
    /* with AltGr, which the server has to have before */
    User german("de");
    german.key_codes();
    german.down(SDL_SCANCODE_RALT, SDLK_RALT).tap(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK);
    german.up(SDL_SCANCODE_RALT, SDLK_RALT);
    CHECK(german.sent() == "+fe03/b8 +0/d -0/d -fe03/b8");
    /* it repeats */
    u.down(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK);
    u.down(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK, "", true).up(SDL_SCANCODE_EQUALS, 0);
    CHECK(u.sent() == "+0/d +0/d -0/d");
    /* a click comes after it */
    u.down(SDL_SCANCODE_EQUALS, SDLK_SCANCODE_MASK).button(SDL_BUTTON_LEFT, true, 3, 4);
    CHECK(u.sent() == "+0/d @3,4:1");
    u.release_all();
    CHECK(u.sent() == "-0/d @3,4:0");
    CHECK(u.all_up());
}

TEST_CASE("text of no key has no code")
{
    User u;
    u.key_codes().type("\u4e2d");
    CHECK(u.sent() == "+1004e2d -1004e2d");
    /* two characters: the key is not pressed, too, for a server that goes by codes would have both
     */
    u.tap(SDL_SCANCODE_A, 'a', "xy");
    CHECK(u.sent() == "+78 -78 +79 -79");
    CHECK(u.all_up());
}

TEST_CASE("a lock key that the layout has made something else is not one")
{
    for (SDL_Scancode place : {SDL_SCANCODE_CAPSLOCK, SDL_SCANCODE_APPLICATION, SDL_SCANCODE_RCTRL,
                               SDL_SCANCODE_LGUI, SDL_SCANCODE_SCROLLLOCK, SDL_SCANCODE_PAUSE}) {
        INFO("place " << place);
        User u;
        u.tap(place, SDLK_SCANCODE_MASK); /* Compose, a switch of the layout */
        CHECK(u.sent().empty());
        u.tap(SDL_SCANCODE_E, 'e', "\u00e9"); /* what was composed */
        CHECK(u.sent() == "+e9 -e9");
    }
    User u; /* the layout at the other end knows what it is there */
    u.key_codes().tap(SDL_SCANCODE_CAPSLOCK, SDLK_SCANCODE_MASK);
    CHECK(u.sent() == "+0/3a -0/3a");
}

TEST_CASE("the server's locks follow the user's when asked to")
{
    User u;
    u.lock(KMOD_CAPS).sync_locks();
    CHECK(u.sent().empty()); /* a server that does not tell its locks is left alone */
    CHECK(u.server_locks(LED_NUM));
    CHECK_FALSE(u.server_locks(LED_NUM));
    u.sync_locks();
    CHECK(u.sent() == "+ffe5 -ffe5 +ff7f -ff7f");
    u.sync_locks(); /* it has not said yet that it has done so */
    CHECK(u.sent().empty());
    u.server_locks(LED_SCROLL | LED_CAPS | LED_NUM);
    u.sync_locks();
    CHECK(u.sent() == "+ff7f -ff7f");
    CHECK(u.all_up());
    User codes;
    codes.server_locks(LED_CAPS);
    codes.key_codes().sync_locks();
    CHECK(codes.sent() == "+ffe5/3a -ffe5/3a");
}

TEST_CASE("a lock that the user has just switched is not switched again")
{
    User u;
    u.server_locks(0);
    u.lock(KMOD_CAPS).tap(SDL_SCANCODE_CAPSLOCK, SDLK_CAPSLOCK);
    CHECK(u.sent() == "+ffe5 -ffe5");
    u.sync_locks(); /* the server's word is on its way */
    CHECK(u.sent().empty());
    u.server_locks(LED_CAPS);
    u.sync_locks();
    CHECK(u.sent().empty());
    u.down(SDL_SCANCODE_CAPSLOCK, SDLK_CAPSLOCK)
        .down(SDL_SCANCODE_CAPSLOCK, SDLK_CAPSLOCK, "", true);
    u.lock(KMOD_CAPS).up(SDL_SCANCODE_CAPSLOCK, SDLK_CAPSLOCK).sent();
    u.sync_locks(); /* a repeat switches nothing */
    CHECK(u.sent().empty());
}

TEST_CASE("what a server says of a lock that was switched again meanwhile is old")
{
    User u;
    u.server_locks(LED_CAPS);
    u.sync_locks(); /* off */
    u.lock(KMOD_CAPS).sync_locks();
    CHECK(u.sent() == "+ffe5 -ffe5 +ffe5 -ffe5");
    u.server_locks(0);
    u.lock(KMOD_CAPS).sync_locks();
    CHECK(u.sent() == "+ffe5 -ffe5"); /* it is on, though the server has not said so yet */
    u.server_locks(LED_CAPS);
    u.server_locks(0);
    u.sync_locks();
    CHECK(u.sent().empty());
    u.server_locks(LED_CAPS); /* somebody else */
    u.sync_locks();
    CHECK(u.sent() == "+ffe5 -ffe5");
}

TEST_CASE("of another server nothing is known")
{
    User u;
    u.key_codes().server_locks(LED_CAPS);
    u.tap(SDL_SCANCODE_A, 'a', "a").release_all().new_session().sent();
    u.tap(SDL_SCANCODE_A, 'a', "a").sync_locks();
    CHECK(u.sent() == "+61 -61");
    CHECK(u.server_locks(LED_CAPS)); /* the first time that this one says so */
}

TEST_CASE("view-only does not touch the server's locks")
{
    User u(true);
    u.server_locks(LED_CAPS);
    u.sync_locks();
    CHECK(u.sent().empty());
}
