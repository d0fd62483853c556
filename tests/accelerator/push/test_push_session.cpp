/* All but the picture goes past the far end that pushes, both ways: input, clipboards, sound, the
 * pointer's shape, and who may do what. */
#include <X11/keysym.h>

#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/proto/server_messages.h"
#include "tests/accelerator/pushing.hpp"
#include "tests/accelerator/sounding.hpp"
#include "tests/e2e/pasting.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

constexpr uint8_t CODE_Q = 0x10, CODE_A = 0x1e;

/* So many bytes that nobody can make small. */
std::string long_text(size_t size)
{
    std::string text(size, '\0');
    unsigned n = 1;
    for (auto &c : text) {
        n = n * 1664525 + 1013904223;
        c = static_cast<char>('a' + (n >> 16) % 26);
    }
    return text;
}

/* Somebody on the server copies the text. What the session tells of it. */
std::string from_server(Server &server, Viewer &viewer, const std::string &text)
{
    std::optional<Event> cut;
    server.screen->own_clipboard(text);
    server.screen->serve_until(PATIENCE, [&] {
        cut = viewer.wait_event(SESSION_CUT_TEXT, milliseconds(20));
        return cut.has_value();
    });
    return cut ? cut->text : "";
}

} // namespace

TEST_CASE("pushed: keys, buttons and the pointer arrive, and bells", "[push]")
{
    for (auto start : {start_tigervnc, start_tightvnc, start_x11vnc}) {
        auto behind = start({});
        if (!behind)
            continue;
        Pushed p(std::move(behind));
        INFO(p.server->name);
        Viewer &viewer = p.view();
        XScreen &screen = *p.server->screen;
        viewer.pointer(100, 120, 0);
        CHECK(screen.wait_pointer(100, 120, PATIENCE));
        viewer.pointer(101, 121, 1);
        CHECK(screen.wait_button(1, true, 101, 121, PATIENCE));
        viewer.pointer(102, 122, 0);
        CHECK(screen.wait_button(1, false, 102, 122, PATIENCE));
        viewer.key(XK_x, true);
        CHECK(screen.wait_key(XK_x, true, PATIENCE));
        viewer.key(XK_x, false);
        CHECK(screen.wait_key(XK_x, false, PATIENCE));
        screen.bell();
        CHECK(viewer.wait_event(SESSION_BELL));
    }
}

TEST_CASE("pushed: AltGr types what the server's layout has there", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind || !installed("setxkbmap"))
        return;
    set_layout(*behind, "de");
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    XScreen &screen = *p.server->screen;
    viewer.key_code(XK_ISO_Level3_Shift, 0xb8, true);
    viewer.key_code(XK_at, CODE_Q, true);
    CHECK(screen.wait_key(XK_at, true, PATIENCE));
    viewer.key_code(XK_at, CODE_Q, false);
    viewer.key_code(XK_EuroSign, 0x12, true);
    CHECK(screen.wait_key(XK_EuroSign, true, PATIENCE));
    viewer.key_code(XK_EuroSign, 0x12, false);
    viewer.key_code(XK_ISO_Level3_Shift, 0xb8, false);
    CHECK(wait_until(PATIENCE, [&] { return screen.nothing_held(); }));
}

TEST_CASE("pushed: TigerVNC tells its locks, and takes codes of keys", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    REQUIRE(viewer.wait_event(SESSION_KEY_CODES));
    CHECK(viewer.stats().key_codes);
    CHECK(wait_leds(viewer, 0));
    viewer.key(XK_Caps_Lock, true);
    viewer.key(XK_Caps_Lock, false);
    CHECK(wait_leds(viewer, LED_CAPS));
    viewer.key(XK_Caps_Lock, true);
    viewer.key(XK_Caps_Lock, false);
    CHECK(wait_leds(viewer, 0));
}

TEST_CASE("pushed: QEMU gets codes of keys", "[push]")
{
    auto server = start_qemu();
    if (!server)
        return;
    Accelerator a(server->address);
    Viewer viewer(takes_blocks(a.address()));
    require_pushed(viewer);
    REQUIRE(viewer.wait_event(SESSION_KEY_CODES));
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    viewer.key_code(XK_a, CODE_Q, true);
    viewer.key_code(XK_a, CODE_Q, false);
    viewer.key_code(0, CODE_A, true);
    viewer.key_code(0, CODE_A, false);
    CHECK(wait_until(PATIENCE, [&] { return server->keys() == "qa"; }));
}

TEST_CASE("pushed: QEMU's mouse gets steps", "[push]")
{
    auto server = start_qemu();
    if (!server)
        return;
    Accelerator a(server->address);
    Viewer viewer(takes_blocks(a.address()));
    require_pushed(viewer);
    auto steps = viewer.wait_event(SESSION_STEPS);
    REQUIRE(steps);
    CHECK(steps->width == 1);
    session_send_step(viewer.raw(), 12, -9, 0);
    auto got = [&](const char *what) {
        return wait_until(PATIENCE,
                          [&] { return server->input_trace().find(what) != std::string::npos; });
    };
    CHECK(got("axis x, value 12"));
    CHECK(got("axis y, value -9"));
}

TEST_CASE("pushed: a server's sound, and what the viewer wants of it", "[push]")
{
    FakeServer server(sounding());
    Accelerator a(server.address());
    ViewerOptions o = takes_blocks(a.address());
    o.sound = SOUND_WISH_ON;
    Viewer viewer(o);
    require_pushed(viewer);
    check_heard(viewer);
    check_unwanted(viewer);
}

TEST_CASE("pushed: the sound of QEMU's machine", "[push]")
{
    auto server = start_qemu_with_sound();
    if (!server)
        return;
    Accelerator a(server->address);
    ViewerOptions o = takes_blocks(a.address());
    o.sound = SOUND_WISH_ON;
    Viewer viewer(o);
    require_pushed(viewer);
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    viewer.key_code(XK_a, CODE_A, true);
    viewer.key_code(XK_a, CODE_A, false);
    CHECK(viewer.wait_event(SESSION_SOUND));
    const size_t enough = SOUND_SECOND / 2;
    const bool heard = wait_until(PATIENCE, [&] { return viewer.stats().sound_bytes >= enough; });
    INFO(viewer.stats().sound_bytes);
    CHECK(heard);
}

TEST_CASE("pushed: the pointer's shape, and none where the viewer draws none", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    XScreen &screen = *p.server->screen;
    {
        Viewer &viewer = p.view();
        viewer.pointer(100, 100, 0);
        REQUIRE(screen.wait_pointer(100, 100, PATIENCE));
        screen.define_cursor(12, 9, 3, 4);
        CHECK(viewer.wait_for(PATIENCE, [&] {
            auto e = viewer.wait_event(SESSION_CURSOR, milliseconds(0));
            return e && e->width == 12 && e->height == 9 && e->hot_x == 3 && e->hot_y == 4;
        }));
    }
    ViewerOptions o = p.options();
    o.local_cursor = false; /* the server draws it into the picture */
    Viewer &viewer = p.view(o);
    screen.fill(0x204060);
    Image bare = screen.capture();
    CHECK(viewer.wait_for(PATIENCE, [&] {
        Image now = viewer.picture();
        return now.at(5, 5) == bare.at(5, 5) && now != bare;
    }));
    CHECK_FALSE(viewer.wait_event(SESSION_CURSOR, milliseconds(0)));
}

TEST_CASE("pushed: the desktop's name, at first and when it changes", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    CHECK(std::string(viewer.stats().name) == "vnchl test");
    if (!installed("tigervncconfig"))
        return;
    Command c;
    c.argv = {"tigervncconfig", "-display", p.server->display, "-set", "desktop=another name"};
    REQUIRE(run(c).status == 0);
    CHECK(viewer.wait_for(PATIENCE, [&] {
        auto e = viewer.wait_event(SESSION_NAME, milliseconds(0));
        return e && e->text == "another name";
    }));
}

TEST_CASE("pushed: the clipboard goes both ways, in every script, up to 4 MiB", "[push]")
{
    auto behind = start_tigervnc({516, 388, {"-MaxCutText", "16777216"}, true});
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    const std::string words = "\xe2\x82\xac \xd0\x9f\xd1\x80 \xe6\x97\xa5 \xf0\x9f\x98\x80\nline\n";
    for (const std::string &text : {words, long_text(1 << 20), long_text(4 << 20)}) {
        INFO(text.size() << " bytes");
        CHECK((from_server(*p.server, viewer, text) == text));
        std::string ours = text;
        ours[ours.size() - 1] = '.'; /* another text */
        ours[0] = ours[0] == '\xe2' ? '\xe2' : '!';
        session_send_cut_text(viewer.raw(), ours.c_str());
        CHECK(pasted(*p.server, ours));
    }
    CHECK(viewer.stats().extended_clipboard);
    CHECK_FALSE(viewer.wait_event(SESSION_NOTICE, milliseconds(0)));
}

TEST_CASE("pushed: a text that is too long for us is named", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    std::optional<Event> notice;
    p.server->screen->own_clipboard(std::string(5000000, 'x'));
    p.server->screen->serve_until(PATIENCE, [&] {
        notice = viewer.wait_event(SESSION_NOTICE, milliseconds(20));
        return notice.has_value();
    });
    REQUIRE(notice);
    CHECK(notice->text.find("was not taken") != std::string::npos);
    CHECK(from_server(*p.server, viewer, "short") == "short");
}

TEST_CASE("pushed: a server without the extended clipboard", "[push]")
{
    auto behind = start_tightvnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    p.server->screen->set_cut_buffer("from the server");
    auto cut = viewer.wait_event(SESSION_CUT_TEXT);
    REQUIRE(cut);
    CHECK(cut->text == "from the server");
    session_send_cut_text(viewer.raw(), "from the viewer: gr\xc3\xbc\xc3\x9f");
    const std::string latin1 = "from the viewer: gr\xfc\xdf";
    CHECK(wait_until(PATIENCE, [&] { return p.server->screen->cut_buffer() == latin1; }));
}

TEST_CASE("pushed: a server that offers the extended clipboard and takes the plain one", "[push]")
{
    auto behind = start_x11vnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    CHECK(pasted_at_last(*p.server, viewer));
    const std::string large = long_text(100000);
    session_send_cut_text(viewer.raw(), large.c_str());
    CHECK(pasted(*p.server, large));
    p.server->screen->own_clipboard("from the server");
    CHECK(p.server->screen->serve_until(PATIENCE, [&] {
        auto cut = viewer.wait_event(SESSION_CUT_TEXT, milliseconds(20));
        return cut && cut->text == "from the server";
    }));
    INFO(viewer.describe());
    CHECK_FALSE(viewer.wait_closed(milliseconds(0)));
}

/* The server's second password lets its viewers look on only. */
TEST_CASE("pushed: who has the password to look on cannot type", "[push]")
{
    TempDir dir, full, both;
    XvncOptions options = with_password(full, "may type");
    with_password(dir, "looks on");
    write_file(both.file("passwd"), read_file(full.file("passwd")).substr(0, 8) +
                                        read_file(dir.file("passwd")).substr(0, 8));
    options.more.back() = both.file("passwd");
    auto behind = start_tigervnc(options);
    if (!behind)
        return;
    Pushed p(std::move(behind));
    ViewerOptions o = p.options();
    o.password = "looks on";
    Viewer &watcher = p.view(o);
    o.password = "may type";
    Viewer typist(o);
    require_pushed(typist);
    watcher.key(XK_w, true);
    watcher.key(XK_w, false);
    /* the watcher's key has been passed on when its picture comes once more for its wish */
    p.server->screen->animate(3);
    p.check();
    typist.key(XK_t, true);
    typist.key(XK_t, false);
    CHECK(p.server->screen->keys_until(XK_t, PATIENCE) == std::vector<unsigned long>{XK_t});
}

TEST_CASE("pushed: who does not share sends the other viewer away", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &first = p.view();
    ViewerOptions o = p.options();
    o.shared = false;
    Viewer second(o);
    require_pushed(second);
    CHECK(first.wait_closed());
    p.server->screen->animate(3);
    check_picture(second, p.server->screen->capture());
}

TEST_CASE("pushed: nothing stays pressed when the viewer has gone", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    {
        BlockClient client(a.port);
        REQUIRE(client.picture());
        client.raw.say(key_event(XK_Shift_L, true) + key_event(XK_A, true));
        CHECK(server->screen->wait_key(XK_A, true, PATIENCE));
        /* a button TigerVNC keeps down, also without a far end */
    } /* without a word */
    CHECK(wait_until(PATIENCE, [&] { return server->screen->nothing_held(); }));
    CHECK(wait_until(PATIENCE, [&] { return pushers_of(a.process->pid()).empty(); }));
}

TEST_CASE("pushed: a server that has nothing without TLS, on both legs", "[push]")
{
    TempDir dir;
    const bool certificate = GENERATE(false, true);
    INFO((certificate ? "with a certificate" : "anonymous"));
    XvncOptions tls;
    if (certificate && !make_certificate(dir))
        return;
    if (certificate)
        tls = with_certificate(dir);
    else
        tls.more = {"-SecurityTypes", "TLSNone"};
    tls.more.insert(tls.more.end(), {"-MaxCutText", "16777216"});
    auto behind = start_tigervnc(tls);
    if (!behind)
        return;
    Pushed p(std::move(behind));
    ViewerOptions o = p.options();
    o.security = certificate ? "X509None" : "TLSNone";
    if (certificate)
        o.x509_ca = p.accelerator.certificate();
    Viewer &viewer = p.view(o);
    p.accelerator.await("server-leg=" + o.security);
    CHECK(p.accelerator.count("server-leg=" + o.security) == 1);
    p.server->screen->animate(20);
    p.check();
    viewer.key(XK_x, true);
    CHECK(p.server->screen->wait_key(XK_x, true, PATIENCE));
    viewer.key(XK_x, false);
    /* far more than waits on the bridge, both ways */
    const std::string text = long_text(4 << 20), ours = "!" + text.substr(1);
    CHECK((from_server(*p.server, viewer, text) == text));
    session_send_cut_text(viewer.raw(), ours.c_str());
    CHECK(pasted(*p.server, ours));
}

TEST_CASE("pushed: TLS towards the viewer, where the server has a way without it", "[push]")
{
    TempDir dir;
    XvncOptions options = with_password(dir, "secret");
    options.more[1] = "TLSVnc,VncAuth";
    auto behind = start_tigervnc(options);
    if (!behind)
        return;
    Accelerator a(behind->address);
    ViewerOptions o = takes_blocks(a.address());
    o.password = "secret";
    o.security = "TLSVnc";
    /* the first session finds out that there is such a way */
    {
        Viewer viewer(o);
        require_connected(viewer);
        require_first_picture(viewer);
    }
    Viewer viewer(o);
    require_pushed(viewer);
    behind->screen->animate(5);
    check_picture(viewer, behind->screen->capture());
    CHECK(std::string(viewer.stats().security) == "TLSVnc");
}
