/* Clipboards between a session and servers nobody here wrote. */
#include <chrono>
#include <string>

#include "tests/e2e/check.hpp"
#include "tests/e2e/pasting.hpp"

using namespace e2e;

namespace
{

const std::string LINES = "\xe2\x82\xac \xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 "
                          "\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80\nsecond line\n";

/* So many bytes of lines that zlib cannot make small: other letters each time. */
std::string long_text(size_t size)
{
    std::string text;
    unsigned n = 1;
    while (text.size() < size) {
        n = n * 1664525 + 1013904223;
        text += n >> 30 == 0 && text.size() % 7 == 0 ? "\n" : std::string(1, char('a' + n % 26));
    }
    text.back() = '.';
    return text;
}

/* Somebody on the server copies the text. What the session tells of it. */
std::optional<std::string> from_server(Server &server, Viewer &viewer, const std::string &text)
{
    std::optional<Event> cut;
    server.screen->own_clipboard(text);
    server.screen->serve_until(PATIENCE, [&] {
        do
            cut = viewer.wait_event(SESSION_CUT_TEXT, milliseconds(20));
        while (cut && cut->text != text && cut->text.empty());
        return cut.has_value();
    });
    return cut ? std::optional<std::string>(cut->text) : std::nullopt;
}

} // namespace

TEST_CASE("tigervnc: the clipboard goes both ways, in every script", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    CHECK(from_server(*server, viewer, LINES) == LINES);
    session_send_cut_text(viewer.raw(), ("viewer: " + LINES).c_str());
    CHECK(pasted(*server, "viewer: " + LINES));
    session_send_cut_text(viewer.raw(), "windows\r\nline ends\r\n");
    CHECK(pasted(*server, "windows\nline ends\n"));
    CHECK(from_server(*server, viewer, "again") == "again");
    CHECK_FALSE(viewer.wait_event(SESSION_NOTICE, milliseconds(0)));
}

TEST_CASE("tigervnc: a text that is given at once is sent in full, before anything is known",
          "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    bool sent = false;
    CHECK(viewer.wait_for(PATIENCE, [&] {
        sent = sent || viewer.wait_event(SESSION_CONNECTED, milliseconds(0)).has_value();
        return sent;
    }));
    session_send_cut_text(viewer.raw(), LINES.c_str());
    CHECK(pasted(*server, LINES));
    CHECK_FALSE(viewer.wait_event(SESSION_NOTICE, milliseconds(0)));
}

TEST_CASE("tigervnc: texts of 1 MB and of 3 MB go both ways", "[tigervnc]")
{
    /* the server's own limit is 256 KiB */
    auto server = start_tigervnc({516, 388, {"-MaxCutText", "16777216"}, true});
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    for (size_t size : {size_t{1000000}, size_t{3000000}}) {
        INFO(size << " bytes");
        const std::string text = long_text(size);
        bool same = from_server(*server, viewer, text) == text;
        CHECK(same);
        session_send_cut_text(viewer.raw(), ("viewer: " + text).c_str());
        CHECK(pasted(*server, "viewer: " + text));
    }
}

TEST_CASE("tigervnc: a text that is too long for us is named", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    std::optional<Event> notice;
    server->screen->own_clipboard(std::string(5000000, 'x'));
    server->screen->serve_until(PATIENCE, [&] {
        notice = viewer.wait_event(SESSION_NOTICE, milliseconds(20));
        return notice.has_value();
    });
    REQUIRE(notice);
    INFO(notice->text);
    CHECK(notice->text.find("was not taken: it has 500000") != std::string::npos);
    CHECK(notice->text.find("more than 4194304") != std::string::npos);
    CHECK(from_server(*server, viewer, "short") == "short");
}

TEST_CASE("tigervnc: the clipboard's switches hold", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    ViewerOptions o = to(*server);
    SECTION("receive only")
    {
        o.clipboard = CLIPBOARD_RECEIVE;
        Viewer viewer(o);
        require_connected(viewer);
        session_send_cut_text(viewer.raw(), "not for the server");
        CHECK(from_server(*server, viewer, LINES) == LINES);
        CHECK(server->screen->ask_clipboard(PATIENCE) == LINES);
    }
    SECTION("send only")
    {
        o.clipboard = CLIPBOARD_SEND;
        Viewer viewer(o);
        require_connected(viewer);
        /* Another viewer has got it, so it is no longer on its way when we send ours: of two that
         * come at the same time the server may lose one. */
        Viewer other(to(*server));
        require_connected(other);
        CHECK(from_server(*server, other, "not for the viewer") == "not for the viewer");
        session_send_cut_text(viewer.raw(), LINES.c_str());
        CHECK(pasted(*server, LINES));
        server->screen->own_clipboard("nor this");
        /* what the server said of it has come before the key's effect */
        viewer.key('a', true);
        CHECK(server->screen->wait_key('a', true, PATIENCE));
        viewer.key('a', false);
        CHECK_FALSE(viewer.wait_event(SESSION_CUT_TEXT, milliseconds(0)));
    }
}

/* x11vnc takes only the plain clipboard. LibVNCServer before 0.9.15 offers the extended one, too.
 */
TEST_CASE("x11vnc: the clipboard goes both ways, and the session lives on", "[x11vnc]")
{
    auto server = start_x11vnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    session_send_cut_text(viewer.raw(), "copied before the connection was there");
    require_connected(viewer);
    require_first_picture(viewer);
    CHECK(pasted_at_last(*server, viewer));
    CHECK_FALSE(viewer.wait_event(SESSION_NOTICE, milliseconds(0)));
    session_send_cut_text(viewer.raw(), LINES.c_str());
    auto notice = viewer.wait_event(SESSION_NOTICE);
    REQUIRE(notice);
    CHECK(notice->text.find("of the clipboard") != std::string::npos);

    /* it polls its selections, and may still give away what it was given */
    server->screen->own_clipboard("from the server: gr\xc3\xbc\xc3\x9f");
    CHECK(server->screen->serve_until(PATIENCE, [&] {
        auto cut = viewer.wait_event(SESSION_CUT_TEXT, milliseconds(20));
        return cut && cut->text == "from the server: gr\xc3\xbc\xc3\x9f";
    }));
    viewer.key('a', true);
    CHECK(server->screen->wait_key('a', true, PATIENCE));
    viewer.key('a', false);
    INFO(viewer.describe());
    CHECK_FALSE(viewer.wait_closed(milliseconds(0)));
}

TEST_CASE("qemu: the clipboard goes from viewer to viewer", "[qemu]")
{
    auto server = start_qemu();
    if (!server)
        return;
    Viewer one(to(*server)), two(to(*server));
    for (Viewer *v : {&one, &two}) {
        require_connected(*v);
        require_first_picture(*v);
    }
    auto comes = [](Viewer &viewer, const std::string &text) {
        const auto until = std::chrono::steady_clock::now() + PATIENCE;
        while (std::chrono::steady_clock::now() < until) {
            auto cut = viewer.wait_event(SESSION_CUT_TEXT, milliseconds(200));
            if (cut && cut->text == text)
                return true;
        }
        return false;
    };
    /* it unpacks what one has given, and packs it for the other */
    for (const std::string &text : {LINES, long_text(400000), std::string("short")}) {
        INFO(text.size() << " bytes");
        session_send_cut_text(one.raw(), text.c_str());
        CHECK(comes(two, text));
        session_send_cut_text(two.raw(), ("back: " + text).c_str());
        CHECK(comes(one, "back: " + text));
    }
    for (Viewer *v : {&one, &two}) {
        INFO(v->describe());
        CHECK_FALSE(v->wait_closed(milliseconds(0)));
    }
}

TEST_CASE("tightvnc: the clipboard goes both ways", "[tightvnc]")
{
    auto server = start_tightvnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    server->screen->set_cut_buffer("from the server");
    auto cut = viewer.wait_event(SESSION_CUT_TEXT);
    REQUIRE(cut);
    CHECK(cut->text == "from the server");
    session_send_cut_text(viewer.raw(), "from the viewer: gr\xc3\xbc\xc3\x9f");
    const std::string latin1 = "from the viewer: gr\xfc\xdf";
    CHECK(wait_until(PATIENCE, [&] { return server->screen->cut_buffer() == latin1; }));
    CHECK_FALSE(viewer.wait_event(SESSION_NOTICE, milliseconds(0)));
}

TEST_CASE("tightvnc: what ISO 8859-1 cannot carry is counted", "[tightvnc]")
{
    auto server = start_tightvnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    require_connected(viewer);
    session_send_cut_text(viewer.raw(), "5 \xe2\x82\xac, \xe6\x97\xa5?\r\n");
    CHECK(wait_until(PATIENCE, [&] { return server->screen->cut_buffer() == "5 ?, ??\n"; }));
    auto notice = viewer.wait_event(SESSION_NOTICE);
    REQUIRE(notice);
    CHECK(notice->text.rfind("2 characters of the clipboard cannot be sent", 0) == 0);

    session_send_cut_text(viewer.raw(), std::string((1 << 20) + 1, 'x').c_str());
    notice = viewer.wait_event(SESSION_NOTICE);
    REQUIRE(notice);
    CHECK(notice->text.find("was not sent: it has 1048577 bytes") != std::string::npos);
    CHECK(server->screen->cut_buffer() == "5 ?, ??\n");
}
