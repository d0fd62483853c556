// The session's keyboard and pointer as the last of the chain, behind an overlay.
#include "tests/catch.hpp"

#include <set>

#include "events.hpp"
#include "tests/seed.hpp"
#include "viewer/desktop/input/chain.h"
#include "viewer/desktop/input/input.h"

using namespace events;

namespace
{

// The session's keyboard and pointer behind an overlay, and what is down on the server.
struct Server {
    Handler overlay;
    struct input in;
    chain_handler handlers[2] = {{Handler::event, Handler::let_go, &overlay},
                                 {to_input, let_go_of_input, this}};
    chain c;
    std::set<uint32_t> keys;
    unsigned buttons = 0;
    int faults = 0; // releases of what was not down

    Server()
    {
        input_sink sink = {on_key, on_pointer, nullptr, this};
        screen_map map = screen_map_make(100, 100, 100, 100, 100, 100);
        input_init(&in, &sink, nullptr, false);
        input_set_map(&in, &map);
        chain_init(&c, handlers, 2);
    }
    static bool to_input(void *user, const SDL_Event *e)
    {
        return input_event(&static_cast<Server *>(user)->in, e);
    }
    static void let_go_of_input(void *user)
    {
        input_release_all(&static_cast<Server *>(user)->in);
    }
    static void on_key(void *user, uint32_t keysym, uint8_t, bool down)
    {
        auto *s = static_cast<Server *>(user);
        if (down)
            s->keys.insert(keysym);
        if (!down)
            s->faults += s->keys.erase(keysym) != 1;
    }
    static void on_pointer(void *user, int, int, unsigned mask)
    {
        static_cast<Server *>(user)->buttons = mask;
    }
    Server &operator<<(const SDL_Event &e)
    {
        chain_event(&c, &e);
        return *this;
    }
    bool all_up() const
    {
        return keys.empty() && buttons == 0;
    }
};

} // namespace

TEST_CASE("nothing is down on the server once an overlay takes input")
{
    Server s;
    s << key(true, SDL_SCANCODE_LCTRL) << key(true, SDL_SCANCODE_F5) << button(true, 1);
    CHECK(s.keys.size() == 2);
    CHECK(s.buttons == 1);
    s.overlay.takes = true;
    s << key(true, SDL_SCANCODE_F6);
    CHECK(s.all_up());
    s << key(true, SDL_SCANCODE_F5, true) << key(false, SDL_SCANCODE_LCTRL) << button(false, 1);
    s.overlay.takes = false;
    s << key(true, SDL_SCANCODE_F6, true) << key(false, SDL_SCANCODE_F6)
      << key(false, SDL_SCANCODE_F5);
    CHECK(s.all_up());
    CHECK(s.faults == 0);
}

TEST_CASE("a key that opens something leaves no text on the server")
{
    Server s;
    s.overlay.takes = true;
    s << key(true, SDL_SCANCODE_M);
    s.overlay.takes = false;
    s << text("m") << key(false, SDL_SCANCODE_M);
    CHECK(s.overlay.take() == "+16 t -16");
    CHECK(s.all_up());
    CHECK(s.faults == 0);
}

TEST_CASE("whatever a user does, nothing is stuck after the focus is lost")
{
    const SDL_Scancode scancodes[] = {SDL_SCANCODE_LCTRL, SDL_SCANCODE_RALT, SDL_SCANCODE_F5,
                                      SDL_SCANCODE_A, SDL_SCANCODE_RETURN};
    std::mt19937 random(any_seed());

    for (int round = 0; round < 300; round++) {
        Server s;
        for (int i = 0; i < 60; i++) {
            SDL_Scancode scancode = scancodes[random() % 5];
            switch (random() % 8) {
            case 0:
                s.overlay.takes = !s.overlay.takes;
                break;
            case 1:
                s << key(true, scancode);
                break;
            case 2:
                s << key(true, scancode, true);
                break;
            case 3:
                s << key(false, scancode); // others are lost
                break;
            case 4:
                s << text("a");
                break;
            case 5:
                s << button(true, 1 + int(random() % 3));
                break;
            case 6:
                s << button(false, 1 + int(random() % 3));
                break;
            default:
                s << other(SDL_MOUSEMOTION);
                break;
            }
        }
        s << window(SDL_WINDOWEVENT_FOCUS_LOST);
        CHECK(s.all_up());
    }
}
