// What a session's owner sends, as the server gets it, and what the owner is told.
#include "tests/catch.hpp"

#include <string>
#include <vector>

#include "session_owner.hpp"

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
        default: // ClientCutText
            p.read(3);
            return message + p.read(number(p.read(4)));
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

} // namespace

TEST_CASE("keys, pointer and texts reach the server as RFB has them")
{
    std::vector<std::string> got;
    {
        Server server([&](Peer &p) {
            begin(p);
            while (got.size() < 5)
                got.push_back(input(p));
            p.write(bytes({2})); // a bell: all has come
            p.read_rest();
        });
        Owner owner(server);
        owner.connected();
        session_send_key(owner, 0x01020304, true);
        session_send_pointer(owner, 5, 6, 0xf81);
        session_send_pointer(owner, -7, 70000, 1);
        session_send_cut_text(owner, "gr\xc3\xbc\xc3\x9f: \xe2\x82\xac \xff"); // not all is UTF-8
        session_send_cut_text(owner, std::string(SESSION_COPIED_MAX, 'x').c_str()); // too long
        session_send_key(owner, 0x01020304, false);
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
    CHECK(e->size == SESSION_CUT_TEXT_MAX);
    std::string utf8 = session_event_text(e.get());
    CHECK(utf8.size() == 2 << 20);
    CHECK(utf8.substr(0, 4) == "\xc3\xbc\xc3\xbc");
}
