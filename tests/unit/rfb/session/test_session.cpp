// What a session's owner sends, as the server gets it, and what the owner is told.
#include "tests/catch.hpp"

#include <string>
#include <vector>

#include "rfb/proto/extensions/extended_clipboard.h"
#include "tests/unit/session_owner.hpp"

using namespace peer;

namespace
{

unsigned number(const std::string &big_endian)
{
    unsigned n = 0;
    for (unsigned char c : big_endian)
        n = n << 8 | c;
    return n;
}

// The next message of input, past what the session says by itself.
std::string input(Peer &p)
{
    for (;;) {
        std::string message = p.read(1);
        switch (message[0]) {
        case 0: // SetPixelFormat
            p.read(19);
            break;
        case 2: // SetEncodings
            p.read(1);
            p.read(4 * number(p.read(2)));
            break;
        case 3: // FramebufferUpdateRequest
            p.read(9);
            break;
        case 4: // KeyEvent
            return message + p.read(7);
        case 5: // PointerEvent
            return message + p.read(5);
        default: // ClientCutText: the length is negative in the extended clipboard
            p.read(3);
            unsigned length = number(p.read(4));
            return message + p.read(length > INT32_MAX ? 0u - length : length);
        }
    }
}

void begin(Peer &p, const std::string &name = "name")
{
    greet(p);
    p.write(bytes({1, SECURITY_NONE}));
    p.read(1);
    let_in(p, name);
}

// What the session says of its clipboard first, and its flags.
const std::string CAPS = "\6\x1f" + bytes({0, 0, 1, 0, 0x10, 0, 0});

// An update, and a text: when the owner has it, the session knows what clipboard the server has.
void settle(Peer &p)
{
    p.write(bytes({0, 0, 0, 0}));
    p.write(bytes({3, 0, 0, 0, 0, 0, 0, 1, 'x'}));
}

std::string extended(const std::string &body)
{
    unsigned length = 0u - unsigned(body.size());
    return bytes({3, 0, 0, 0, length >> 24, length >> 16, length >> 8, length}) + body;
}

std::string text_of(const Event &e)
{
    return session_event_text(e.get());
}

} // namespace

TEST_CASE("keys, pointer and texts reach the server as RFB has them")
{
    std::vector<std::string> got;
    {
        Server server([&](Peer &p) {
            begin(p);
            settle(p);
            while (got.size() < 5)
                got.push_back(input(p));
            p.write(bytes({2})); // a bell: all has come
            p.read_rest();
        });
        Owner owner(server);
        owner.connected();
        CHECK(text_of(owner.next()) == "x");
        session_send_key(owner, 0x01020304, true);
        session_send_pointer(owner, 5, 6, 0xf81);
        session_send_pointer(owner, -7, 70000, 1);
        session_send_cut_text(owner, "gr\xc3\xbc\xc3\x9f: \xe2\x82\xac \xff"); // not all is UTF-8
        session_send_cut_text(owner, std::string(SESSION_COPIED_MAX, 'x').c_str()); // too long
        session_send_key(owner, 0x01020304, false);
        CHECK(text_of(owner.next()).rfind("1 character of the clipboard cannot be sent", 0) == 0);
        CHECK(owner.next()->type == SESSION_BELL);
    }
    CHECK(got == std::vector<std::string>{bytes({4, 1, 0, 0, 1, 2, 3, 4}),
                                          bytes({5, 0x81, 0, 5, 0, 6}),
                                          bytes({5, 0x01, 0, 0, 0xff, 0xff}),
                                          "\6gr\xfc\xdf: ? ?", // ISO 8859-1
                                          bytes({4, 0, 0, 0, 1, 2, 3, 4})});
}

TEST_CASE("commands can be given as they came through a pipe")
{
    std::string got;
    {
        Server server([&](Peer &p) {
            begin(p);
            got = input(p);
            p.write(bytes({2}));
            p.read_rest();
        });
        Owner owner(server);
        struct session_command c = {};
        owner.connected();
        c.type = COMMAND_KEY;
        c.keysym = 0x61;
        c.down = 1;
        session_send(owner, &c);
        CHECK(owner.next()->type == SESSION_BELL);
        c = {};
        c.type = COMMAND_STOP;
        session_send(owner, &c);
        CHECK(owner.closed().empty());
    }
    CHECK(got == bytes({4, 1, 0, 0, 0, 0, 0, 0x61}));
}

TEST_CASE("a long name is cut at a whole character")
{
    std::string name(SESSION_NAME_MAX - 2, 'n');
    Server server([&](Peer &p) {
        begin(p, name + "\xc3\xbc and more");
        p.read_rest();
    });
    Owner owner(server);
    CHECK(owner.connected() == name + "?");
}

TEST_CASE("a text of 1 MiB from the server arrives, twice as long in UTF-8")
{
    const std::string text(1 << 20, '\xfc');
    Server server([&](Peer &p) {
        begin(p);
        p.write(bytes({3, 0, 0, 0, 0, 0x10, 0, 0}));
        p.write(text);
        p.read_rest();
    });
    Owner owner(server);
    owner.connected();
    Event e = owner.next();
    REQUIRE(e->type == SESSION_CUT_TEXT);
    CHECK(e->size == (2 << 20) + 1);
    std::string utf8 = session_event_text(e.get());
    CHECK(utf8.size() == 2 << 20);
    CHECK(utf8.substr(0, 4) == "\xc3\xbc\xc3\xbc");
}

TEST_CASE("the extended clipboard: a text is announced, and sent when it is asked for")
{
    const char *text = "\xe2\x82\xac \xd0\x9f\xd1\x80\nend";
    std::vector<std::string> got;
    {
        Server server([&](Peer &p) {
            begin(p);
            while (got.empty() || got.back()[0] != 4) // the key: the text has been given before it
                got.push_back(input(p));
            p.write(extended(bytes({0x1f, 0, 0, 1, 0, 0, 0, 0}))); // caps
            got.push_back(input(p));
            got.push_back(input(p));
            p.write(extended(bytes({2, 0, 0, 1}))); // request
            got.push_back(input(p));
            p.write(bytes({2}));
            p.read_rest();
        });
        Owner owner(server);
        owner.connected();
        session_send_cut_text(owner, text);
        session_send_key(owner, 1, true);
        CHECK(owner.next()->type == SESSION_BELL);
    }
    REQUIRE(got.size() == 4);
    CHECK(got[0] == bytes({4, 1, 0, 0, 0, 0, 0, 1}));
    // in one write or in two, so in either order
    CHECK((got[1] == CAPS || got[2] == CAPS));
    CHECK((got[1] == "\6" + bytes({8, 0, 0, 1}) || got[2] == "\6" + bytes({8, 0, 0, 1})));
    CHECK(got[3].substr(0, 5) == "\6" + bytes({0x10, 0, 0, 1}));
    extended_clipboard m{};
    reason why{};
    REQUIRE(extended_clipboard_read(reinterpret_cast<const uint8_t *>(got[3].data()) + 1,
                                    got[3].size() - 1, &m, &why));
    REQUIRE(m.provided);
    CHECK(std::string(m.provided) == text);
    free(m.provided);
}

TEST_CASE("the extended clipboard: the server's text is asked for, and what is wrong is dropped")
{
    std::vector<std::string> got;
    Server server([&](Peer &p) {
        begin(p);
        p.write(extended(bytes({0x1f, 0, 0, 1, 0, 0, 0, 0})));
        got.push_back(input(p));
        p.write(extended(bytes({8, 0, 0, 1}))); // notify
        got.push_back(input(p));
        p.write(extended(bytes({8, 0, 0})));                          // no flags
        p.write(extended(bytes({0x0a, 0, 0, 1})));                    // two actions
        p.write(extended(bytes({0x10, 0, 0, 1}) + "no zlib stream")); // broken
        size_t size;
        uint8_t *provide = extended_clipboard_provide("\xe6\x97\xa5\nend", &size);
        p.write(extended(std::string(provide + 8, provide + size)));
        free(provide);
        p.read_rest();
    });
    Owner owner(server);
    owner.connected();
    CHECK(text_of(owner.next()) == "\xe6\x97\xa5\nend");
    CHECK(got == std::vector<std::string>{CAPS, "\6" + bytes({2, 0, 0, 1})});
}

TEST_CASE("a server's text that is too long is named, whichever clipboard it has")
{
    Server server([&](Peer &p) {
        begin(p);
        p.write(bytes({3, 0, 0, 0, 0, 0x10, 0, 1}) + std::string((1 << 20) + 1, 't'));
        p.write(bytes({3, 0, 0, 0, 0, 0, 0, 1, 'x'}));
        p.read_rest();
    });
    Owner owner(server);
    owner.connected();
    std::string said = text_of(owner.next());
    CHECK(said.find("1048577 bytes, more than 1048576") != std::string::npos);
    CHECK(text_of(owner.next()) == "x");
}
