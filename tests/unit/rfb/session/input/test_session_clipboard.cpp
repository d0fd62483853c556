// What a session does with the clipboard: what it tells the server, and when.
#include "tests/catch.hpp"

#include <string>
#include <vector>

#include "rfb/session/input/clipboard.h"
#include "rfb/session/session.h"

namespace
{

constexpr uint32_t ALL =
    EXTENDED_REQUEST | EXTENDED_PEEK | EXTENDED_NOTIFY | EXTENDED_PROVIDE | EXTENDED_CAPS;

struct Clipboard {
    session_clipboard c{};

    explicit Clipboard(unsigned ways = CLIPBOARD_SEND | CLIPBOARD_RECEIVE)
    {
        session_clipboard_init(&c, ways);
    }
    ~Clipboard()
    {
        session_clipboard_deinit(&c);
    }
    bool hear(uint32_t action, bool text = true, uint32_t accepts = 0, uint32_t unasked = 0)
    {
        extended_clipboard m{};
        m.action = action;
        m.text = text;
        m.accepts = accepts;
        m.unasked = unasked;
        return session_clipboard_hear(&c, &m);
    }
    // The flags of the messages that are due.
    std::vector<uint32_t> told()
    {
        uint8_t out[CLIPBOARD_WRITE_MAX];
        size_t size = session_clipboard_write(&c, out);
        std::vector<uint32_t> flags;
        for (size_t at = 0; at < size;) {
            CHECK(out[at] == 6);
            flags.push_back(uint32_t(out[at + 8]) << 24 | out[at + 11]);
            at += 8 + (256 - out[at + 7]);
        }
        return flags;
    }
};

using Flags = std::vector<uint32_t>;

} // namespace

TEST_CASE("a text waits until it is known which clipboard the server has")
{
    Clipboard plain, extended, off(0);

    REQUIRE(session_clipboard_keep(&plain.c, "a\r\nb"));
    CHECK(std::string(plain.c.text) == "a\nb");
    CHECK(plain.c.waits);
    CHECK(session_clipboard_form(&plain.c) == CLIPBOARD_WAITS);
    CHECK(session_clipboard_settle(&plain.c));
    CHECK_FALSE(session_clipboard_settle(&plain.c));
    CHECK(session_clipboard_form(&plain.c) == CLIPBOARD_PLAIN);

    REQUIRE(session_clipboard_keep(&extended.c, "text"));
    CHECK(extended.hear(EXTENDED_CAPS, true, ALL));
    CHECK(session_clipboard_form(&extended.c) == CLIPBOARD_ANNOUNCE);
    CHECK_FALSE(session_clipboard_settle(&extended.c));
    CHECK(session_clipboard_form(&extended.c) == CLIPBOARD_ANNOUNCE);

    CHECK_FALSE(session_clipboard_settle(&off.c));
}

TEST_CASE("our caps are told once, however often the server repeats its own")
{
    Clipboard both, send(CLIPBOARD_SEND), receive(CLIPBOARD_RECEIVE);

    CHECK(both.hear(EXTENDED_CAPS, true, ALL));
    CHECK(both.told() == Flags{ALL | EXTENDED_TEXT});
    CHECK_FALSE(both.hear(EXTENDED_CAPS, true, ALL));
    CHECK(both.told().empty());
    // what the switches allow
    send.hear(EXTENDED_CAPS, true, ALL);
    CHECK(send.told() == Flags{EXTENDED_CAPS | EXTENDED_REQUEST | EXTENDED_PEEK | EXTENDED_TEXT});
    receive.hear(EXTENDED_CAPS, true, ALL);
    CHECK(receive.told() ==
          Flags{EXTENDED_CAPS | EXTENDED_NOTIFY | EXTENDED_PROVIDE | EXTENDED_TEXT});
}

TEST_CASE("a flood of what the server says becomes one answer of each kind")
{
    Clipboard c;

    c.hear(EXTENDED_CAPS, true, ALL);
    c.told();
    for (int i = 0; i < 1000; i++) {
        CHECK(c.hear(EXTENDED_NOTIFY));
        CHECK(c.hear(EXTENDED_PEEK, false));
        CHECK(c.hear(EXTENDED_REQUEST));
    }
    CHECK(c.told() == Flags{EXTENDED_REQUEST | EXTENDED_TEXT, EXTENDED_NOTIFY});
    CHECK(c.told().empty());
    CHECK(session_clipboard_take_provide(&c.c));
    CHECK_FALSE(session_clipboard_take_provide(&c.c));
}

TEST_CASE("nothing is said to a server that has not said its caps, or against the switches")
{
    Clipboard early, send(CLIPBOARD_SEND), receive(CLIPBOARD_RECEIVE);

    for (uint32_t action : {EXTENDED_NOTIFY, EXTENDED_PEEK, EXTENDED_REQUEST, EXTENDED_PROVIDE})
        CHECK_FALSE(early.hear(action));
    CHECK(early.told().empty());
    CHECK_FALSE(session_clipboard_take_provide(&early.c));

    send.hear(EXTENDED_CAPS, true, ALL);
    send.told();
    CHECK_FALSE(send.hear(EXTENDED_NOTIFY));
    CHECK(send.told().empty());
    receive.hear(EXTENDED_CAPS, true, ALL);
    receive.told();
    CHECK_FALSE(receive.hear(EXTENDED_PEEK));
    CHECK_FALSE(receive.hear(EXTENDED_REQUEST));
    CHECK(receive.told().empty());
    CHECK_FALSE(session_clipboard_take_provide(&receive.c));
}

TEST_CASE("a server that takes no notify gets the text at once, if it takes one of that length")
{
    Clipboard c;
    uint32_t accepts = EXTENDED_CAPS | EXTENDED_PROVIDE;

    REQUIRE(session_clipboard_keep(&c.c, "a\nb"));
    c.hear(EXTENDED_CAPS, true, accepts, 5); // "a\r\nb" and its NUL
    CHECK(session_clipboard_form(&c.c) == CLIPBOARD_PROVIDE);
    c.hear(EXTENDED_CAPS, true, accepts, 4);
    CHECK(session_clipboard_form(&c.c) == CLIPBOARD_TOO_LONG);
}

TEST_CASE("a text is packed once, and anew when it changes")
{
    Clipboard c;
    size_t size = 1;

    CHECK_FALSE(session_clipboard_packed(&c.c, &size)); // there is none
    session_clipboard_keep(&c.c, "one");
    const uint8_t *one = session_clipboard_packed(&c.c, &size);
    REQUIRE(one);
    const std::string first(one, one + size);
    CHECK(session_clipboard_packed(&c.c, &size) == one);
    session_clipboard_keep(&c.c, "another");
    const uint8_t *two = session_clipboard_packed(&c.c, &size);
    REQUIRE(two);
    CHECK(std::string(two, two + size) != first);
}
