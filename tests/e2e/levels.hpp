/* Each key of a layout, with what chooses a level (Shift, AltGr), alone and with Ctrl, Alt and
 * both: what a server gets is what XKB says. For the window tests on X11 and on Wayland. */
#pragma once

#include <string>
#include <vector>

#include "fake_server.hpp"

namespace e2e
{

/* The user's keyboard: hands on it, and what its layout says. Codes are X's (evdev). */
class Board
{
  public:
    virtual ~Board() = default;
    virtual void key_at(unsigned code, bool down) = 0;
    virtual unsigned long keysym(unsigned code) const = 0;
    /* With the modifiers of these keys. */
    virtual unsigned long keysym(unsigned code, const std::vector<unsigned> &held) const = 0;
    /* What this side makes of this keysym before any program gets it; empty: nothing. */
    virtual std::vector<uint32_t> composed(unsigned long keysym, bool shortcut) const
    {
        (void)keysym;
        (void)shortcut;
        return {};
    }
};

using Keys = std::vector<FakeServer::Key>;

/* What is held to choose a level, and besides it. */
struct Held {
    std::vector<unsigned> level, with;

    bool shortcut() const
    {
        return !with.empty();
    }
    std::vector<unsigned> all() const;
};

/* The keys that a layout can tell with something held, and what the server is to get of each. */
struct Expected {
    std::vector<unsigned> codes;
    Keys keys;
};

/* A server that writes down keys, for one viewer. `codes`: it takes the keys' codes, too. */
Script listening(bool codes);

/* All that can be held on this keyboard, as far as the layout has it. */
std::vector<Held> all_held(const Board &board);

Expected expect_keys(const Board &board, const Held &held, bool codes);

/* Taps these keys one after the other while those are held, and F5 behind them. Returns what has
 * arrived then but modifiers; nothing stays down. */
Keys strike(Board &board, FakeServer &server, const std::vector<unsigned> &codes,
            const std::vector<unsigned> &held);

/* Strikes all that all_held() has. */
void check_levels(Board &board, FakeServer &server, bool codes);

/* What has arrived with something held. */
struct Struck {
    Held held;
    Keys keys;
};

/* Strikes all that all_held() has, but for what composed() changes. */
std::vector<Struck> strike_all(Board &board, FakeServer &server);

/* Where two viewers differ. In a shortcut ours sends the Latin key for a letter of another alphabet
 * (viewer/desktop/input/keyboard/keymap.h): such keys are not compared. */
std::string difference(const Struck &ours, const Struck &theirs);

/* All layouts that the rules list, without their variants, and two variants that are in use. */
std::vector<std::string> all_layouts();

} // namespace e2e
