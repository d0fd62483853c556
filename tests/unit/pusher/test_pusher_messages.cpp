// What server and viewer say to each other through the pusher: all of it, once, in its order, and
// never in the middle of another message.
#include "far_end_sides.hpp"
#include "rfb/proto/encodings/cursor.h"
#include "tests/seed.hpp"

using namespace far_end;

namespace
{

const std::string BELL(1, '\2');

std::string cursor(int32_t encoding, int w, int h)
{
    std::string out = rectangle({1, 2, w, h}, encoding);
    if (w == 0 || h == 0)
        return encoding == PSEUDO_ALPHA_CURSOR ? out + std::string(4, '\0') : out;
    if (encoding == PSEUDO_ALPHA_CURSOR)
        return out + std::string(4, '\0') + std::string(cursor_alpha_size(w, h), '\x7f');
    size_t size = encoding == PSEUDO_X_CURSOR ? cursor_x_size(w, h) : cursor_rich_size(w, h);
    return out + std::string(size, '\xff');
}

// What the viewer is told after it was told who speaks.
std::string told(Viewer &v)
{
    const std::string head = "accelerated bbr 1-1\n";
    std::string all = v.with([&] { return v.told; });
    REQUIRE(all.compare(0, head.size(), head) == 0);
    return all.substr(head.size());
}

// Up to a last name: all before it has come then.
void await_end(Scene &s)
{
    REQUIRE(s.server.say(update(1) + desktop_name("the end")));
    REQUIRE(s.viewer.await_told("name the end"));
}

} // namespace

TEST_CASE("pusher: what the server says is passed on once and in its order")
{
    Scene s;
    s.check();
    s.server.say(update(1) + rectangle({0, 0, 0, 0}, PSEUDO_KEY_CODES));
    s.server.say(update(1) + rectangle({0, 0, 64, 48}, PSEUDO_POINTER_STEPS));
    s.server.say(update(1) + rectangle({1, 0, 64, 48}, PSEUDO_POINTER_STEPS));
    s.server.say(update(2) + cursor(PSEUDO_RICH_CURSOR, 5, 4) + cursor(PSEUDO_X_CURSOR, 9, 3));
    s.server.say(update(1) + cursor(PSEUDO_ALPHA_CURSOR, 6, 7) + BELL);
    s.server.say(update(3) + cursor(PSEUDO_RICH_CURSOR, 0, 0) + cursor(PSEUDO_ALPHA_CURSOR, 0, 3) +
                 cursor(PSEUDO_X_CURSOR, 0, 0));
    s.server.say(update(1) + rectangle({0, 0, 0, 0}, PSEUDO_LEDS) + "\5");
    s.server.say(cut_text("text") + BELL + cut_text("") + cut_text("gr\xfc\xdf"));
    s.server.say(update(1) + desktop_name("n\xc3\xa4me"));
    s.server.say(update(1) + screens(0, 0, 200, 120) + update(1) + screens(1, 3, 0, 0));
    s.server.say(extended_text(std::string("\x1f\0\0\1\0\0\0\0", 8)));
    s.server.say(extended_text(std::string("\x08\0\0\1", 4)));
    await_end(s);
    CHECK(told(s.viewer) == "codes\nsteps\nplaces\n"
                            "cursor 5x4 1,2 ffffffff\ncursor 9x3 1,2 ffffffff\n"
                            "cursor 6x7 1,2 7fffffff\nbell\n"
                            "cursor 0x0 0,0\ncursor 0x0 0,0\ncursor 0x0 0,0\n"
                            "leds 5\n"
                            "text text\nbell\ntext \ntext gr\xc3\xbc\xc3\x9f\n"
                            "name n\xc3\xa4me\n"
                            "screens 1\nrefused 3\n"
                            "clipboard 16777216\nclipboard 134217728\n"
                            "name the end\n");
    s.check();
}

TEST_CASE("pusher: what is the far end's own business is not passed on")
{
    Scene s;
    s.check();
    const std::string time = rectangle({0, 0, 0, 0}, PSEUDO_TIMESTAMP) + std::string(8, 't');
    const std::string who = rectangle({0, 0, 4, 0}, PSEUDO_SERVER_IDENTITY) + "some";
    accelerator_shown shown = {"cubic", 1, 1, false, false, 0, {}, {}, false, {}, 0, {}};
    s.server.say(update(2) + time + who +
                 written([&](uint8_t *o) { return server_write_accelerator(o, &shown); }));
    s.server.say(std::string(1, '\x96') + fence(FENCE_BLOCK_BEFORE, "an answer"));
    s.server.say(std::string("\1\0\0\0\0\2", 6) + std::string(12, 'c')); // a colour map
    s.server.say(extended_text(std::string("\x0a\0\0\1", 4)));           // two actions: wrong
    await_end(s);
    CHECK(told(s.viewer) == "name the end\n");
    s.check();
}

TEST_CASE("pusher: updates that end in LastRect, whatever is before it")
{
    Scene s;
    s.check();
    const std::string last = rectangle({0, 0, 0, 0}, PSEUDO_LAST_RECT);
    const Picture p(200, 120, 0x778899);
    s.server.say(update(0xffff) + cursor(PSEUDO_RICH_CURSOR, 5, 4) + last);
    s.server.say(update(0xffff) + raw(p, {0, 0, 200, 120}) + desktop_name("a") + last);
    s.server.say(update(0xffff) + desktop_name("b") + raw(p, {0, 0, 10, 10}) + last);
    s.server.say(update(0xffff) + last);
    await_end(s);
    CHECK(told(s.viewer) == "cursor 5x4 1,2 ffffffff\nname a\nname b\nname the end\n");
    CHECK(s.viewer.await_picture(p));
}

TEST_CASE("pusher: pixels and all else in one update, in every order")
{
    std::mt19937 random(any_seed());
    Scene s;
    s.check();
    s.server.with([&] { s.server.answers = false; });
    Picture p(200, 120, 0x404040);
    std::string expected;
    for (int i = 0; i < 200; i++) {
        unsigned count = 1 + random() % 6;
        std::string all;
        for (unsigned j = 0; j < count; j++) {
            const std::string n = std::to_string(random() % 1000);
            int w = 1 + int(random() % 64), h = 1 + int(random() % 64);
            switch (random() % 4) {
            case 0:
                all += desktop_name(n);
                expected += "name " + n + "\n";
                break;
            case 1:
                all += cursor(PSEUDO_ALPHA_CURSOR, w, h);
                expected += "cursor " + std::to_string(w) + "x" + std::to_string(h) + " " +
                            std::to_string(std::min(1, w - 1)) + "," +
                            std::to_string(std::min(2, h - 1)) + " 7fffffff\n";
                break;
            default:
                for (int y = 0; y < h; y++)
                    std::fill_n(&p.at(20, 10 + y), w, uint32_t(random()));
                all += raw(p, {20, 10, w, h});
            }
        }
        s.server.say(update(count) + all);
        if (random() % 3 == 0) {
            s.server.say(cut_text("t"));
            expected += "text t\n";
        }
    }
    await_end(s);
    CHECK(told(s.viewer) == expected + "name the end\n");
    CHECK(s.viewer.await_picture(p));
}

TEST_CASE("pusher: input arrives once, in its order, whatever the pieces")
{
    std::mt19937 random(any_seed());
    Scene s(200, 120, NEVER); // nothing else is said between the pieces
    s.check();
    std::string all;
    for (int i = 0; i < 500; i++)
        switch (random() % 7) {
        case 0:
            all += pointer(int(random() % 65536), int(random() % 65536), random() % 128);
            break;
        case 1:
            all += client_text(std::string(random() % 300, 'x'));
            break;
        case 2:
            all += written([&](uint8_t *o) {
                return client_write_key_code(o, uint32_t(random()), uint32_t(random()), true);
            });
            break;
        case 3: { // SetDesktopSize
            const screen_layout l = {1, {{1, {0, 0, 9, 9}, 0}}};
            all += written([&](uint8_t *o) { return client_write_set_desktop_size(o, 9, 9, &l); });
            break;
        }
        case 4: // xvp, which is not understood
            all += std::string("\xfa\0\1\2", 4);
            break;
        default:
            all += key(uint32_t(random()), random() % 2);
        }
    for (size_t at = 0, n; at < all.size(); at += n) {
        n = std::min<size_t>(1 + random() % 900, all.size() - at);
        REQUIRE(s.viewer.say(all.substr(at, n)));
    }
    CHECK(s.server.await([&] { return s.server.heard.size() >= all.size(); }));
    s.pass_by();
    CHECK(s.server.with([&] { return s.server.heard.compare(0, all.size(), all); }) == 0);
    CHECK(s.server.with([&] { return s.server.heard.size(); }) == all.size() + 8);
}

TEST_CASE("pusher: what is for the far end does not reach the server")
{
    Scene s;
    s.check();
    const rect all = {0, 0, 200, 120};
    s.viewer.say(
        written([](uint8_t *o) { return client_write_set_pixel_format(o, &pixel_format_xrgb); }) +
        written([&](uint8_t *o) { return client_write_enable_continuous_updates(o, all); }) +
        written([](uint8_t *o) { return client_write_fence(o, 1, nullptr, 0); }) + wishes(true) +
        acknowledge(1) + encodings());
    unsigned full = s.server.with([&] { return s.server.full; });
    s.viewer.say(request(false, all) + request(true, all) + request(false, {5, 6, 1, 1}));
    s.pass_by();
    CHECK(s.server.with([&] { return s.server.heard.size(); }) == 8); // the key
    // a question whether it lives is the server's
    CHECK(s.server.with([&] { return s.server.full; }) == full + 1);
    s.check();
}

TEST_CASE("pusher: no request gets into the middle of the viewer's text")
{
    std::mt19937 random(any_seed());
    Scene s(200, 120, NEVER); // nothing else is said between the pieces
    s.check();
    std::string text(100000, ' ');
    for (char &c : text)
        c = char(random());
    const std::string all = client_text(text), later = key(7);
    for (size_t at = 0; at < all.size(); at += 9973) {
        REQUIRE(s.viewer.say(all.substr(at, 9973)));
        size_t least = std::min(at + 9973, all.size());
        REQUIRE(s.server.await([&] { return s.server.heard.size() >= least; }));
        s.server.say(fence(FENCE_REQUEST, "f" + std::to_string(at)));
        s.server.draw([&](Picture &p) {
            p.at(int(at) % 200, 5) ^= 0xff;
            return rect{int(at) % 200, 5, 1, 1};
        });
        s.server.say(BELL);
        // the loop has run, for it has passed this on
        REQUIRE(s.viewer.await([&] {
            return size_t(std::count(s.viewer.told.begin(), s.viewer.told.end(), '\n')) >
                   at / 9973 + 1;
        }));
        if (at < 3 * 9973) // what is due has left
            CHECK(s.far.comes_to_rest());
    }
    s.viewer.say(later);
    CHECK(s.server.await_heard(later));
    CHECK(s.server.with([&] { return s.server.heard.compare(0, all.size(), all); }) == 0);
    CHECK(s.server.with([&] { return s.server.broken; }) == "");
    // who was not told of fences is not answered
    CHECK(s.server.with([&] { return s.server.heard.size(); }) == all.size() + later.size());
    s.check();
}

TEST_CASE("pusher: pointer events with more buttons are framed as the server takes them")
{
    Scene s(200, 120, NEVER); // nothing else is said between the pieces
    s.check();
    // before: the eighth bit is a button
    std::string before = pointer(1, 2, 0x80) + key(3);
    s.viewer.say(before);
    REQUIRE(s.server.await_heard(before));
    s.server.with([&] { s.server.takes_buttons = true; });
    s.server.say(update(1) + rectangle({0, 0, 0, 0}, PSEUDO_EXTENDED_BUTTONS));
    REQUIRE(s.viewer.await_told("buttons"));
    std::string after;
    for (unsigned buttons : {0x80u, 0x100u, 0x181u, 0x1u, 0x7fffu})
        after += pointer(3, 4, buttons, true) + key(buttons);
    for (char c : after)
        s.viewer.say(std::string(1, c));
    CHECK(s.server.await_heard(before + after));
    s.pass_by();
    CHECK(s.server.with([&] { return s.server.broken; }) == "");
}

TEST_CASE("pusher: a server is asked for nothing that its viewer does not take, but for sound")
{
    Far far(64, 48);
    Server server(far.server, 64, 48);
    const std::string list = written([](uint8_t *o) { // SetEncodings: blocks and a name
        memset(o, 0, 12);
        o[0] = CLIENT_SET_ENCODINGS;
        o[3] = 2;
        const uint32_t blocks = PSEUDO_BLOCKS_0 + 1;
        for (int i = 0; i < 4; i++)
            o[4 + i] = uint8_t(blocks >> (24 - 8 * i));
        for (int i = 0; i < 4; i++)
            o[8 + i] = uint8_t(uint32_t(PSEUDO_DESKTOP_NAME) >> (24 - 8 * i));
        return size_t(12);
    });
    send_all(far.viewer, list);
    REQUIRE(server.await([&] { return !server.listed.empty(); }));
    auto lists = [&](int32_t encoding) {
        return server.with(
            [&] { return std::count(server.listed.begin(), server.listed.end(), encoding) > 0; });
    };
    for (int32_t encoding : {PSEUDO_RICH_CURSOR, PSEUDO_EXTENDED_CLIPBOARD, PSEUDO_KEY_CODES,
                             PSEUDO_POINTER_STEPS, PSEUDO_EXTENDED_DESKTOP_SIZE,
                             PSEUDO_EXTENDED_BUTTONS, PSEUDO_FENCE, PSEUDO_CONTINUOUS_UPDATES}) {
        INFO(encoding);
        CHECK_FALSE(lists(encoding));
    }
    CHECK_FALSE(lists(PSEUDO_BLOCKS_0 + 1));
    CHECK(lists(PSEUDO_DESKTOP_NAME));
    CHECK(lists(ENCODING_RAW));
    CHECK(lists(PSEUDO_QEMU_AUDIO)); // none comes before it is asked for
    // nor is it believed when it takes more all the same: the viewer is not told
    server.say(update(1) + rectangle({0, 0, 0, 0}, PSEUDO_EXTENDED_BUTTONS));
    server.say(update(1) + desktop_name("name"));
    std::string said;
    char bytes[4096];
    while (said.find("name") == std::string::npos) {
        ssize_t n = recv(far.viewer, bytes, sizeof bytes, 0);
        REQUIRE(n > 0);
        said.append(bytes, size_t(n));
    }
    const std::string input = pointer(1, 2, 0x80) + key(3);
    send_all(far.viewer, input);
    CHECK(server.await_heard(input));
}

TEST_CASE("pusher: long texts each way, at who reads slowly")
{
    const std::string text(1 << 20, 't');
    Scene s;
    s.check();
    s.viewer.hold(true);
    s.server.say(BELL); // it is read, and then no more
    std::thread other([&] { s.viewer.say(client_text(text)); });
    for (int i = 0; i < 3; i++)
        s.server.say(cut_text(text) + BELL);
    s.server.draw([](Picture &p) {
        p = Picture(p.w, p.h, 0x112233);
        return rect{0, 0, p.w, p.h};
    });
    other.join();
    CHECK(s.server.await_heard(client_text(text)));
    s.viewer.hold(false);
    await_end(s);
    const std::string one = "text 1048576 bytes\nbell\n";
    CHECK(told(s.viewer) == "bell\n" + one + one + one + "name the end\n");
    s.check();
}

TEST_CASE("pusher: a text that is too long is left out, and what follows comes")
{
    Scene s;
    s.check();
    const std::string head = written([](uint8_t *o) { return server_write_cut_text(o, 20 << 20); });
    s.server.say(head + std::string(20 << 20, 'x') + BELL);
    s.server.say(cut_text(std::string((1 << 20) + 1, 'y'))); // the viewer says that it dropped it
    await_end(s);
    CHECK(told(s.viewer) == "bell\ndropped 1048577\nname the end\n");
    s.check();
}

TEST_CASE("pusher: a block says which input its picture has seen")
{
    Far far(64, 48);
    Server server(far.server, 64, 48);
    auto hear = [&](size_t size) {
        std::string out(size, '\0');
        REQUIRE(recv(far.viewer, &out[0], size, MSG_WAITALL) == ssize_t(size));
        return out;
    };
    // the input of the next block of this colour; "": up to the name
    auto hear_until = [&](const std::string &rgb) {
        for (;;) {
            if (hear(1)[0] == SERVER_UPDATE) {
                const std::string name = hear(desktop_name("name").size() + 3);
                if (rgb.empty())
                    return 0u;
                continue;
            }
            const std::string head = hear(BLOCK_HEAD);
            block b;
            reason why = {};
            REQUIRE(block_unpack_head(&b, reinterpret_cast<const uint8_t *>(head.data()), &why));
            if (hear(b.size) == rgb)
                return unsigned(b.input);
        }
    };
    const std::string grey = "\x40\x40\x40", white = "\xff\xff\xff";
    const Picture before(64, 48, 0x404040), after(64, 48, 0xffffff);
    server.with([&] { server.answers = false; });
    send_all(far.viewer, encodings(false, false));
    hear(SERVER_UPDATE_HEAD + RECTANGLE_HEAD +
         strlen("congestion=bbr blocks=1-1 digests= goodbye") + 2 * BLOCKS_KEY_BYTES);
    server.say(raw_update(before, {0, 0, 64, 48}));
    CHECK(hear_until(grey) == 0);
    CHECK(far.comes_to_rest());
    send_all(far.viewer, key('a'));
    REQUIRE(server.await_heard(key('a')));
    const std::string next = update(2) + desktop_name("name") + raw(after, {0, 0, 64, 48});
    server.say(next.substr(0, 200)); // it has begun
    hear_until("");
    send_all(far.viewer, request(false, {0, 0, 16, 16}));
    CHECK(hear_until(grey) == 0); // still of the picture before
    server.say(next.substr(200));
    CHECK(hear_until(white) == 1);
}
