// SDL's events as a test makes them, and a handler of the chain that writes down what comes to it.
#ifndef VNCHL_TESTS_EVENTS_HPP
#define VNCHL_TESTS_EVENTS_HPP

#include <cstring>
#include <string>

#include <SDL_events.h>

namespace events
{

inline SDL_Event key(bool down, SDL_Scancode scancode, bool repeat = false)
{
    SDL_Event e = {};
    e.type = down ? SDL_KEYDOWN : SDL_KEYUP;
    e.key.keysym.scancode = scancode;
    e.key.keysym.sym = SDL_SCANCODE_TO_KEYCODE(scancode);
    e.key.repeat = repeat;
    return e;
}

inline SDL_Event button(bool down, int number)
{
    SDL_Event e = {};
    e.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    e.button.button = static_cast<Uint8>(number);
    e.button.state = down ? SDL_PRESSED : SDL_RELEASED;
    return e;
}

inline SDL_Event text(const char *utf8)
{
    SDL_Event e = {};
    e.type = SDL_TEXTINPUT;
    strncpy(e.text.text, utf8, sizeof e.text.text - 1);
    return e;
}

inline SDL_Event other(Uint32 type)
{
    SDL_Event e = {};
    e.type = type;
    return e;
}

inline SDL_Event window(int event)
{
    SDL_Event e = other(SDL_WINDOWEVENT);
    e.window.event = static_cast<Uint8>(event);
    return e;
}

// "+4 -4" is key 4 down and up ("*4": it repeats), "[1 ]1" button 1, "t" a text, "w" the wheel, "m"
// motion, "!" that it has to let go, "." anything else.
struct Handler {
    bool takes = false; // all that comes
    std::string got;

    static bool event(void *user, const SDL_Event *e)
    {
        auto *h = static_cast<Handler *>(user);
        h->add(describe(*e));
        return h->takes;
    }
    static void let_go(void *user)
    {
        static_cast<Handler *>(user)->add("!");
    }
    static std::string describe(const SDL_Event &e)
    {
        switch (e.type) {
        case SDL_KEYDOWN:
            return (e.key.repeat ? "*" : "+") + std::to_string(e.key.keysym.scancode);
        case SDL_KEYUP:
            return "-" + std::to_string(e.key.keysym.scancode);
        case SDL_MOUSEBUTTONDOWN:
            return "[" + std::to_string(e.button.button);
        case SDL_MOUSEBUTTONUP:
            return "]" + std::to_string(e.button.button);
        case SDL_TEXTINPUT:
            return "t";
        case SDL_MOUSEWHEEL:
            return "w";
        case SDL_MOUSEMOTION:
            return "m";
        default:
            return ".";
        }
    }
    void add(const std::string &what)
    {
        got += (got.empty() ? "" : " ") + what;
    }
    std::string take()
    {
        std::string s;
        s.swap(got);
        return s;
    }
};

} // namespace events

#endif
