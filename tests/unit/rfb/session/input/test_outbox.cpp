// What waits to be told to the server: its order, its forms, and what waits for room.
#include "tests/catch.hpp"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "rfb/proto/server_messages.h"
#include "rfb/session/input/outbox.h"
#include "rfb/session/session.h"

namespace
{

struct Box {
    session_callbacks nobody = {};
    events *told = events_create(&nobody);
    outbox *o;

    explicit Box(unsigned ways = CLIPBOARD_SEND | CLIPBOARD_RECEIVE) : o(outbox_create(ways, told))
    {
    }
    ~Box()
    {
        outbox_destroy(o);
        events_destroy(told);
    }
    Box(const Box &) = delete;
    Box &operator=(const Box &) = delete;
    void key(uint32_t keysym, uint32_t code = 0)
    {
        session_command c = {};
        c.type = COMMAND_KEY;
        c.keysym = keysym;
        c.code = code;
        c.down = 1;
        outbox_add(o, &c);
    }
    void point(int x, uint32_t buttons = 0)
    {
        session_command c = {};
        c.type = COMMAND_POINTER;
        c.x = x;
        c.buttons = buttons;
        outbox_add(o, &c);
    }
    void step(int dx, int dy, uint32_t buttons = 0)
    {
        session_command c = {};
        c.type = COMMAND_STEP;
        c.x = dx;
        c.y = dy;
        c.buttons = buttons;
        outbox_add(o, &c);
    }
    // The pointer's message that is taken: its two numbers.
    std::pair<int, int> pointer()
    {
        outbox_batch b = take();
        REQUIRE(b.size == 6);
        CHECK(b.bytes[0] == CLIENT_POINTER);
        return {b.bytes[2] << 8 | b.bytes[3], b.bytes[4] << 8 | b.bytes[5]};
    }
    void copy(const std::string &text)
    {
        session_command head = {};
        head.type = COMMAND_CUT_TEXT;
        session_command *c = session_command_create(&head, text.c_str(), text.size() + 1);
        outbox_add(o, c);
        free(c);
    }
    // Whether the sender was woken since the last time.
    bool woken()
    {
        uint64_t count;
        return read(outbox_wake_fd(o), &count, sizeof count) == sizeof count;
    }
    outbox_batch take(bool room = true)
    {
        outbox_batch b;
        outbox_take_input(o, room, &b);
        return b;
    }
    std::string rest(bool room = true)
    {
        uint8_t out[OUTBOX_WRITE_MAX];
        return std::string(out, out + outbox_take(o, room, out));
    }
    std::string notice()
    {
        std::unique_ptr<session_event, void (*)(void *)> e(events_take(told), free);
        return e ? session_event_text(e.get()) : "";
    }
};

std::string text(const outbox_batch &b)
{
    return std::string(static_cast<const char *>(b.text), b.text_size);
}

extended_clipboard caps()
{
    extended_clipboard m = {};
    m.action = EXTENDED_CAPS;
    m.accepts = EXTENDED_REQUEST | EXTENDED_NOTIFY | EXTENDED_PROVIDE;
    return m;
}

} // namespace

TEST_CASE("outbox: input leaves in its order, as the server takes it")
{
    Box box;
    box.key('a', 30);
    box.point(7, 1);
    outbox_batch b = box.take();
    CHECK(b.messages == 2);
    CHECK(b.acts);
    CHECK_FALSE(b.more);
    CHECK(b.size == 8 + 6); // KeyEvent, PointerEvent
    CHECK(b.bytes[0] == CLIENT_KEY);
    CHECK(b.bytes[8] == CLIENT_POINTER);
    CHECK(outbox_takes_key_codes(box.o));
    CHECK_FALSE(outbox_takes_key_codes(box.o)); // no news any more
    box.key(0, 30);                             // only its code names it
    CHECK(box.take().size > 8);
    CHECK(box.take().messages == 0);
}

TEST_CASE("outbox: a key that only its code names goes to nobody who takes no codes")
{
    Box box;
    box.key(0, 30);
    CHECK(box.take().size == 0);
}

TEST_CASE("outbox: without room motion waits and is replaced, a click does not")
{
    Box box;
    box.point(1);
    outbox_batch held = box.take(false);
    CHECK(held.messages == 0);
    CHECK(held.waits);
    box.point(2);
    outbox_batch b = box.take();
    CHECK(b.messages == 1);
    CHECK(b.bytes[3] == 2); // x
    box.point(2, 1);
    held = box.take(false);
    CHECK(held.messages == 1);
    CHECK_FALSE(held.waits);
}

TEST_CASE("outbox: a key wakes a sender that holds motion back, more motion does not")
{
    Box box;
    box.point(1);
    CHECK(box.woken());
    box.take(false);
    box.point(2);
    CHECK_FALSE(box.woken());
    box.key('a');
    CHECK(box.woken());
    CHECK(box.take(false).messages == 2); // the motion before it
}

TEST_CASE("outbox: more input than a batch has room for says so")
{
    Box box;
    for (int i = 0; i < 900; i++)
        box.key('a');
    unsigned messages = 0;
    outbox_batch b;
    do {
        b = box.take();
        messages += b.messages;
    } while (b.more);
    CHECK(messages == 900);
}

TEST_CASE(
    "outbox: a text waits until the server's form is known, then goes behind what came before")
{
    Box box;
    box.key('a');
    box.copy("gr\xc3\xbc\xc3\x9f \xe2\x82\xac");
    outbox_batch b = box.take();
    CHECK(b.messages == 2);
    CHECK(b.size == 8); // the key alone
    CHECK_FALSE(b.text);
    outbox_settle_clipboard(box.o); // there was no word of the extended clipboard
    box.key('b');
    b = box.take();
    CHECK(text(b) == "gr\xfc\xdf ?");
    CHECK(b.bytes[0] == CLIENT_CUT_TEXT);
    CHECK(b.more); // the key behind it
    CHECK(box.notice().find("1 character of the clipboard cannot be sent") == 0);
    CHECK(box.take().size == 8);
}

TEST_CASE(
    "outbox: a server with the extended clipboard is told of a text, and gets it when it asks")
{
    Box box;
    extended_clipboard m = caps();
    CHECK(outbox_hear_clipboard(box.o, &m));
    box.copy("text");
    outbox_batch b = box.take();
    CHECK_FALSE(b.text);
    CHECK(b.size > 0);            // a notify
    CHECK(box.rest().size() > 0); // our caps
    size_t size;
    CHECK_FALSE(outbox_take_text(box.o, &size));
    m.action = EXTENDED_REQUEST;
    m.text = true;
    CHECK(outbox_hear_clipboard(box.o, &m));
    CHECK(outbox_take_text(box.o, &size));
    CHECK(size > 0);
    CHECK_FALSE(outbox_take_text(box.o, &size)); // once
    CHECK(outbox_forms(box.o).extended_clipboard);
}

TEST_CASE("outbox: a server that takes no notify gets a text in both forms, the extended one last")
{
    Box box;
    extended_clipboard m = caps();
    m.accepts = EXTENDED_REQUEST | EXTENDED_PEEK | EXTENDED_PROVIDE; // as LibVNCServer
    m.unasked = 1 << 20;
    CHECK(outbox_hear_clipboard(box.o, &m));
    size_t size = 0;
    for (int i = 0; i < 2; i++) {
        box.copy("5 \xe2\x82\xac");
        outbox_batch b = box.take();
        CHECK(text(b) == "5 ?");
        CHECK(b.bytes[0] == CLIENT_CUT_TEXT);
        CHECK(outbox_take_text(box.o, &size));
        CHECK(size > 0);
    }
    CHECK(box.notice().find("1 character of the clipboard may arrive as '?'") == 0);
    CHECK(box.notice().empty()); // once

    box.copy(std::string(1 << 20, 'x')); // the NUL is one too many
    CHECK_FALSE(box.take().text);
    CHECK_FALSE(outbox_take_text(box.o, &size));
    CHECK(box.notice() ==
          "the clipboard's text was not sent: the server takes 1048575 bytes at most");
}

TEST_CASE(
    "outbox: fences are answered in order until there is no room for a server that reads none")
{
    Box box;
    const uint8_t payload[FENCE_MAX] = {};
    int answered = 0;
    while (outbox_answer_fence(box.o, 0, payload, sizeof payload))
        answered++;
    CHECK(answered > 10);
    CHECK(box.rest(false).size() <= OUTBOX_FENCES_MAX);
    CHECK(box.rest(false).empty());
    CHECK(outbox_answer_fence(box.o, 0, payload, 1));
}

TEST_CASE("outbox: the server's screen is asked for once it can change, and when there is room")
{
    Box box;
    outbox_want_size(box.o, 800, 600);
    CHECK(box.rest().empty()); // it has not said that it can
    screen_layout layout = {};
    layout.count = 1;
    layout.screens[0].at = {0, 0, 640, 480};
    CHECK(outbox_has_screens(box.o, &layout));
    CHECK_FALSE(outbox_has_screens(box.o, &layout));
    outbox_new_picture(box.o, 640, 480);
    outbox_want_size(box.o, 800, 600);
    CHECK(box.rest(false).empty());
    CHECK(outbox_size_waits(box.o));
    CHECK(box.rest()[0] == static_cast<char>(CLIENT_SET_DESKTOP_SIZE));
    outbox_resize_refused(box.o, DESKTOP_SIZE_PROHIBITED);
    CHECK(box.notice() == "the server keeps the size of its screen: it does not allow that");
    outbox_resize_refused(box.o, DESKTOP_SIZE_PROHIBITED);
    CHECK(box.notice().empty()); // once
    outbox_new_picture(box.o, 800, 600);
    outbox_want_size(box.o, 800, 600);
    CHECK(box.rest().empty()); // it has this size
}

TEST_CASE("outbox: the pointer goes in the form that the server takes now")
{
    using Two = std::pair<int, int>;
    Box box;

    box.point(100);
    CHECK(box.pointer() == Two(100, 0));
    box.step(5, 7); // the server takes places: a step leads to one
    CHECK(box.pointer() == Two(105, 7));
    box.step(-32767, 0, 1);
    CHECK(box.pointer() == Two(0, 7));
    CHECK(outbox_takes_steps(box.o, true));
    CHECK_FALSE(outbox_takes_steps(box.o, true)); // no news any more
    box.step(3, -4, 1);
    CHECK(box.pointer() == Two(0x7fff + 3, 0x7fff - 4));
    box.point(13, 1); // a place is a step from the last one
    CHECK(box.pointer() == Two(0x7fff + 10, 0x7fff - 3));
    CHECK(outbox_takes_steps(box.o, false));
    box.point(14, 1);
    CHECK(box.pointer() == Two(14, 0));
}

TEST_CASE("outbox: the first place is no step")
{
    Box box;

    outbox_takes_steps(box.o, true);
    box.point(500);
    CHECK(box.pointer() == std::pair<int, int>(0x7fff, 0x7fff));
}
