// Who gets which event of the chain.
#include "tests/catch.hpp"

#include "events.hpp"
#include "viewer/desktop/input/chain.h"

using namespace events;

namespace
{

// An overlay that takes everything or nothing, before one that always takes everything.
struct Two {
    Handler front, back;
    chain_handler handlers[2] = {{Handler::event, Handler::let_go, &front},
                                 {Handler::event, Handler::let_go, &back}};
    chain c;

    Two()
    {
        back.takes = true;
        chain_init(&c, handlers, 2);
    }
    Two &operator<<(const SDL_Event &e)
    {
        chain_event(&c, &e);
        return *this;
    }
    // What came to each of them since.
    void check(const char *to_front, const char *to_back)
    {
        CHECK(front.take() == to_front);
        CHECK(back.take() == to_back);
    }
};

const SDL_Scancode A = SDL_SCANCODE_A /* 4 */, B = SDL_SCANCODE_B /* 5 */;

} // namespace

TEST_CASE("an event goes from handler to handler until one takes it")
{
    Two t;
    t << key(true, A) << button(true, 1) << text("x") << other(SDL_MOUSEWHEEL)
      << other(SDL_CLIPBOARDUPDATE) << window(SDL_WINDOWEVENT_EXPOSED);
    t.check("+4 [1 w . .", "+4 [1 t w . .");
    t.front.takes = true;
    t << other(SDL_QUIT) << window(SDL_WINDOWEVENT_EXPOSED);
    t.check(". .", "");
}

TEST_CASE("what goes on with a held key or button comes to the handler that took its press")
{
    Two t;
    t << key(true, A) << button(true, 1);
    t.check("+4 [1", "+4 [1");
    t << key(true, A, true) << text("a") << other(SDL_MOUSEMOTION);
    t << key(false, A) << button(false, 1);
    t.check("", "*4 t m -4 ]1");
    t << other(SDL_MOUSEMOTION) << text("b"); // nothing is held any more
    t.check("m t", "m t");

    t.front.takes = true;
    t << key(true, A) << button(true, 1);
    t.check("+4 [1", "! !");
    t.front.takes = false; // a menu has been closed
    t << key(true, A, true) << text("a") << other(SDL_MOUSEMOTION);
    t << key(false, A) << button(false, 1);
    t.check("*4 t m -4 ]1", "");
}

TEST_CASE("a release whose press nobody took goes to nobody")
{
    Two t;
    t << key(false, A) << button(false, 1);
    t.check("", "");
    t.back.takes = false;
    t << key(true, A) << button(true, 1) << key(false, A) << button(false, 1);
    t.check("+4 [1", "+4 [1");
}

TEST_CASE("who is behind one that begins to take input lets go, and hears no more of what it held")
{
    for (const SDL_Event &first :
         {key(true, B), button(true, 2), text("x"), other(SDL_MOUSEWHEEL)}) {
        Two t;
        INFO(Handler::describe(first));
        t << key(true, A) << button(true, 1) << key(false, SDL_SCANCODE_Z);
        t.check("+4 [1", "+4 [1");
        t.front.takes = true;
        t << first;
        CHECK(t.front.take() == Handler::describe(first));
        CHECK(t.back.take() == "!");
        t.front.takes = false;
        t << key(true, A, true) << text("a") << key(false, A) << button(false, 1);
        t.check("", "");
        t << key(true, A) << button(true, 1); // pressed again
        t.check("+4 [1", "+4 [1");
        t << key(false, A) << button(false, 1);
        t.check("", "-4 ]1");
    }
}

TEST_CASE("who only sees the pointer pass makes nobody let go")
{
    Two t;
    t << key(true, A);
    t.front.takes = true;
    t << other(SDL_MOUSEMOTION) << key(false, A);
    t.check("+4 m", "+4 -4");
}

TEST_CASE("what the one behind takes is nothing to those in front")
{
    Two t;
    t.front.takes = true;
    t << key(true, A);
    t.front.takes = false;
    t << key(true, B) << text("b") << button(true, 1) << other(SDL_MOUSEWHEEL) << key(false, A);
    t.check("+4 +5 [1 w -4", "! +5 t [1 w");
}

TEST_CASE("all let go when the focus is lost, and what was held is forgotten")
{
    for (int event : {SDL_WINDOWEVENT_FOCUS_LOST, SDL_WINDOWEVENT_HIDDEN}) {
        Two t;
        t.front.takes = true;
        t << key(true, A) << button(true, 1);
        t.front.takes = false;
        t << key(true, B) << button(true, 2);
        t.check("+4 [1 +5 [2", "! ! +5 [2");
        t << window(event);
        t.check("! .", "! .");
        t << key(false, A) << key(false, B) << button(false, 1) << button(false, 2);
        t.check("", ""); // too late
        t << other(SDL_MOUSEMOTION) << text("a");
        t.check("m t", "m t");
    }
}

TEST_CASE("a key that is still held when the focus is back begins anew")
{
    Two t;
    t << key(true, A) << window(SDL_WINDOWEVENT_FOCUS_LOST);
    t.check("+4 ! .", "+4 ! .");
    t.front.takes = true;
    t << key(true, A, true) << key(false, A);
    t.check("*4 -4", "!");
}

TEST_CASE("a release comes once")
{
    for (bool front : {true, false}) {
        Two t;
        t.front.takes = front;
        t << key(true, A) << button(true, 1) << key(false, A) << button(false, 1);
        t.front.take();
        t.back.take();
        t << key(false, A) << button(false, 1);
        t.check("", "");
    }
}

TEST_CASE("whoever holds the chain can make all let go")
{
    Two t;
    t << key(true, A);
    t.check("+4", "+4");
    chain_let_go(&t.c);
    t.check("!", "!");
    t << text("a") << key(true, A, true) << key(false, A);
    t.check("", "");
}

TEST_CASE("a handler that has nothing to let go of keeps the key that it took")
{
    Two t;
    t.handlers[0].let_go = nullptr;
    t.front.takes = true;
    t << key(true, A);
    t.check("+4", "!");
    chain_let_go(&t.c);
    t.check("", "!");
    t << text("a") << key(true, A, true) << key(false, A);
    t.check("t *4 -4", "");
}

TEST_CASE("a handler that has nothing to let go of, and keys that do not exist")
{
    Handler only;
    chain_handler handler = {Handler::event, nullptr, &only};
    chain c;

    only.takes = true;
    chain_init(&c, &handler, 1);
    for (int scancode : {int(SDL_NUM_SCANCODES), 100000})
        for (bool down : {true, false}) {
            SDL_Event e = key(down, static_cast<SDL_Scancode>(scancode));
            chain_event(&c, &e);
        }
    CHECK(only.take() == "");
    SDL_Event last = button(true, 255), lost = window(SDL_WINDOWEVENT_FOCUS_LOST);
    chain_event(&c, &last);
    chain_event(&c, &lost);
    CHECK(only.take() == "[255 .");
}
