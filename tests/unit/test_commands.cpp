// What waits for the sender.
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "rfb/session/commands.h"

namespace
{

bool add_text(commands *q, const std::string &text)
{
    command c{};

    c.type = COMMAND_CUT_TEXT;
    c.latin1 = strdup(text.c_str());
    return commands_add(q, c);
}

bool add_key(commands *q, uint32_t keysym, bool down)
{
    command c{};

    c.type = COMMAND_KEY;
    c.keysym = keysym;
    c.down = down;
    return commands_add(q, c);
}

bool add_motion(commands *q, int x)
{
    command c{};

    c.type = COMMAND_POINTER;
    c.x = x;
    return commands_add(q, c);
}

// All that waits, oldest first: "+61" a key down, "-61" up, "@3" the pointer, else a text.
std::string waiting(commands *q)
{
    std::string all;
    command c;

    while (commands_take(q, &c)) {
        char one[32];
        if (c.type == COMMAND_KEY)
            snprintf(one, sizeof one, "%c%x", c.down ? '+' : '-', c.keysym);
        else
            snprintf(one, sizeof one, "@%d", c.x);
        all += (all.empty() ? "" : " ") + std::string(c.latin1 ? c.latin1 : one);
        free(c.latin1);
    }
    return all;
}

} // namespace

TEST_CASE("waiting pointer motion is replaced, clicks and keys are not")
{
    commands *q = commands_create();
    auto pointer = [&](int x, unsigned buttons) {
        command c{};
        c.type = COMMAND_POINTER;
        c.x = x;
        c.buttons = buttons;
        return commands_add(q, c);
    };
    command c{};
    std::vector<int> xs;

    CHECK(pointer(1, 0));
    CHECK_FALSE(pointer(2, 0));
    CHECK(commands_only_motion(q));
    pointer(3, 1); // press
    pointer(4, 1); // drag
    pointer(5, 1);
    pointer(6, 0); // release
    pointer(7, 0);
    CHECK_FALSE(commands_only_motion(q));
    while (commands_take(q, &c))
        xs.push_back(c.x);
    CHECK(xs == std::vector<int>{2, 3, 5, 6, 7});

    c = command{};
    c.down = true;
    for (int i = 0; i < 3 * COMMANDS_MAX; i++)
        commands_add(q, c);
    c.down = false; // there is room for the release
    commands_add(q, c);
    int kept = 0;
    while (commands_take(q, &c))
        kept++;
    CHECK(kept <= COMMANDS_MAX);
    CHECK(kept > COMMANDS_MAX / 2);
    CHECK_FALSE(c.down);
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
    add_motion(q, 1);
    add_motion(q, 2);
    CHECK(waiting(q) == "+62 -62 new +ffe3 +76 @2");
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
