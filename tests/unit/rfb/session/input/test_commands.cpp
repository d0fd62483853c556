// What waits for the sender.
#include "tests/catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "rfb/session/events.h"
#include "rfb/session/input/commands.h"

namespace
{

bool add_text(commands *q, const std::string &text)
{
    struct session_command head = {};

    head.type = COMMAND_CUT_TEXT;
    struct session_command *c = session_command_create(&head, text.c_str(), text.size() + 1);
    bool was_empty = commands_add(q, c);
    free(c);
    return was_empty;
}

bool add_key(commands *q, uint32_t keysym, bool down)
{
    struct session_command c = {};

    c.type = COMMAND_KEY;
    c.keysym = keysym;
    c.down = down;
    return commands_add(q, &c);
}

bool add_pointer(commands *q, int x, unsigned buttons)
{
    struct session_command c = {};

    c.type = COMMAND_POINTER;
    c.x = x;
    c.buttons = buttons;
    return commands_add(q, &c);
}

bool add_step(commands *q, int x, int y, unsigned buttons)
{
    struct session_command c = {};

    c.type = COMMAND_STEP;
    c.x = x;
    c.y = y;
    c.buttons = buttons;
    return commands_add(q, &c);
}

// All that waits, oldest first: "+61" a key down, "-61" up, "@3" motion, "@3!" a click or a
// release, "~3" and "~3!" the same in steps, else a text.
std::vector<std::string> take_all(commands *q)
{
    std::vector<std::string> all;
    bool motion;

    while (struct session_command *c = commands_take(q, &motion)) {
        char one[32];
        CHECK(session_command_valid(c, sizeof *c + c->size));
        if (c->type == COMMAND_KEY)
            snprintf(one, sizeof one, "%c%x", c->down ? '+' : '-', c->keysym);
        else
            snprintf(one, sizeof one, "%c%d%s", c->type == COMMAND_STEP ? '~' : '@', c->x,
                     motion ? "" : "!");
        all.push_back(c->type == COMMAND_CUT_TEXT ? session_command_text(c) : one);
        free(c);
    }
    return all;
}

std::string waiting(commands *q)
{
    std::string all;

    for (const std::string &one : take_all(q))
        all += (all.empty() ? "" : " ") + one;
    return all;
}

} // namespace

TEST_CASE("waiting pointer motion is replaced, clicks and keys are not")
{
    commands *q = commands_create();

    CHECK(add_pointer(q, 1, 0));
    CHECK_FALSE(add_pointer(q, 2, 0));
    CHECK(commands_only_motion(q));
    add_pointer(q, 3, 1); // press
    add_pointer(q, 4, 1); // drag
    add_pointer(q, 5, 1);
    add_pointer(q, 6, 0); // release
    add_pointer(q, 7, 0);
    CHECK_FALSE(commands_only_motion(q));
    CHECK(waiting(q) == "@2 @3! @5 @6! @7");

    for (int i = 0; i < 3 * COMMANDS_MAX; i++)
        add_key(q, 1, true);
    add_key(q, 1, false); // there is room for the release
    std::vector<std::string> kept = take_all(q);
    CHECK(kept.size() <= COMMANDS_MAX);
    CHECK(kept.size() > COMMANDS_MAX / 2);
    CHECK(kept.back() == "-1");
    commands_destroy(q);
}

TEST_CASE("of the texts that wait only the newest is kept")
{
    commands *q = commands_create();

    CHECK(add_text(q, "one"));
    CHECK_FALSE(add_text(q, "two"));
    CHECK(waiting(q) == "two");

    add_key(q, 0x61, true);
    add_text(q, "one");
    add_key(q, 0x61, false);
    add_text(q, "two");
    CHECK(waiting(q) == "+61 -61 two");

    for (int i = 0; i < 3 * COMMANDS_MAX; i++)
        add_text(q, std::to_string(i));
    CHECK(waiting(q) == std::to_string(3 * COMMANDS_MAX - 1));
    commands_destroy(q);
}

TEST_CASE("a text waits before the keys that were typed after it, and behind those before it")
{
    commands *q = commands_create();

    add_key(q, 0x62, true);
    add_text(q, "old");
    add_key(q, 0x62, false);
    add_text(q, "new");
    add_key(q, 0xffe3, true); // Ctrl+V
    add_key(q, 0x76, true);
    add_pointer(q, 1, 0);
    add_pointer(q, 2, 0);
    CHECK(waiting(q) == "+62 -62 new +ffe3 +76 @2");
    add_text(q, "never taken"); // goes with the queue
    commands_destroy(q);
}

TEST_CASE("a text is replaced in a full queue, and wherever the queue begins")
{
    for (int shift : {0, 1, COMMANDS_MAX / 2, COMMANDS_MAX - 1}) {
        commands *q = commands_create();

        for (int i = 0; i < shift; i++)
            add_key(q, 1, false);
        waiting(q);
        add_text(q, "old");
        for (int i = 0; i < 2 * COMMANDS_MAX; i++)
            add_key(q, 2, true);
        add_text(q, "new");
        std::string all = waiting(q);
        CHECK(all.find("old") == std::string::npos);
        CHECK(all.find("new") == all.size() - 3);
        commands_destroy(q);
    }
}

TEST_CASE("events: of each type the newest waits, but every notice")
{
    const session_callbacks nobody = {};
    struct events *q = events_create(&nobody);
    auto add = [&](uint32_t type, const std::string &text) {
        session_event head = {};
        head.type = type;
        events_add(q, session_event_create(&head, text.c_str(), text.size() + 1));
    };
    auto take = [&] {
        session_event *e = events_take(q);
        std::string text = e ? session_event_text(e) : "nothing";
        free(e);
        return text;
    };

    REQUIRE(q);
    add(SESSION_NOTICE, "one");
    add(SESSION_NAME, "old");
    add(SESSION_NOTICE, "two");
    add(SESSION_NAME, "new");
    for (const char *text : {"one", "two", "new", "nothing"})
        CHECK(take() == text);
    for (int i = 0; i < 40; i++) // a server cannot fill the memory
        add(SESSION_NOTICE, std::to_string(i));
    for (int i = 8; i < 40; i++)
        CHECK(take() == std::to_string(i));
    CHECK(take() == "nothing");
    events_destroy(q);
}

TEST_CASE("steps that wait are added up, as far as there is room")
{
    commands *q = commands_create();

    add_step(q, 3, 1, 0);
    add_step(q, -5, 2, 0);
    add_step(q, 1, 0, 1); // a click
    add_step(q, 4, 0, 1);
    add_step(q, 6, 0, 1);
    CHECK(waiting(q) == "~-2 ~1! ~10");
    add_step(q, 30000, 0, 1);
    add_step(q, 30000, 0, 1);
    add_step(q, -1, 0, 1);
    CHECK(waiting(q) == "~30000 ~29999");
    add_pointer(q, 7, 1); // places and steps are not mixed
    add_step(q, 2, 0, 1);
    add_pointer(q, 8, 1);
    CHECK(waiting(q) == "@7 ~2 @8");
    commands_destroy(q);
}
