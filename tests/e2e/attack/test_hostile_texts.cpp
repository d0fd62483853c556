/* Texts of a server that are made to deceive who reads them, and texts without an end. */
#include <csignal>

#include "attacked.hpp"
#include "rfb/texts/reason.h"
#include "tests/catch.hpp"
#include "tests/e2e/desk.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/shown_viewer.hpp"

using namespace e2e;

namespace
{

const int W = 64, H = 48;

/* Escapes of terminals, overrides of the writing's direction, bytes that are no UTF-8, characters
 * that do not show, and lines of our own. */
const char *const DECEPTIONS[] = {
    "\x1b]0;title\x07\x1b[2J\x1b[31mred",
    "\xc2\x9b"
    "31mred\xc2\x9d"
    "0;title\x07",
    "safe\xe2\x80\xaegnp.exe\xe2\x81\xa6\xe2\x81\xa9",
    "\xff\xfe\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80",
    "a\nvnchl: connected\r\nvnchl: trusted\x7f\b\b\b",
    "\xe2\x80\x8b\xef\xbb\xbf\xe2\x80\xa8\xf3\xa0\x80\x81hidden",
};

} // namespace

TEST_CASE("attack: texts that deceive are shown as what they are", "[attack]")
{
    for (const std::string text : DECEPTIONS) {
        INFO(text);
        auto length = static_cast<uint32_t>(text.size());
        check_refused(
            {send_step("RFB 003.008\n"), expect(12), send_step(u8(0) + u32(length) + text)});
        check_refused(
            {send_step("RFB 003.003\n"), expect(12), send_step(u32(0) + u32(length) + text)});
        check_refused({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(1)), expect(1),
                       send_step(u32(1) + u32(length) + text)});
        check_refused({send_step(text + std::string(12, ' '))}); /* in the greeting */
        check_refused(handshake(W, H, text) + Script{send_step("\x63")}, picture_mb(W, H),
                      {"--verbose=0"});
        check_endured(handshake(W, H, text) + Script{send_step(cut_text(length) + text), stall()},
                      picture_mb(W, H), {}, "0.2");
    }
}

TEST_CASE("attack: a window's title is what it seems to be", "[attack-window]")
{
    if (!can_run())
        return;
    Desk desk;
    for (const std::string text : DECEPTIONS) {
        INFO(text);
        Home home;
        std::string name = text + " END";
        FakeServer server(handshake(W, H, name) +
                          Script{await_request(), send_step(raw_screen(W, H, 0x336699)), stall()});
        Process viewer(home.at_home(ShownViewer::command(desk.name(), server.address())));
        Desk::Window w = 0;
        CHECK(wait_until(PATIENCE, [&] { return (w = desk.find("vnchl")) || !viewer.running(); }));
        REQUIRE(w);
        CHECK(
            wait_until(PATIENCE, [&] { return desk.title(w).find(" END") != std::string::npos; }));
        INFO(desk.title(w));
        CHECK(is_sanitised(desk.title(w).c_str()));
        viewer.signal(SIGTERM);
        CHECK(viewer.wait(PATIENCE));
    }
}
