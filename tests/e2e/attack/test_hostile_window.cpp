/* The program in a window, at servers that do all they can to keep it busy: the window goes on, and
 * can be closed. */
#include <zlib.h>

#include "attacked.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/desk.hpp"
#include "tests/e2e/shown_viewer.hpp"

using namespace e2e;

namespace
{

const unsigned W = 320, H = 240;

/* The program is at home in its window, until the user closes that. */
void check_closes(const Script &script, double picture)
{
    Desk desk;
    Home home;
    FakeServer server(script);
    Process p(home.at_home(
        ShownViewer::command(desk.name(), server.address(), {"--alert-on-fatal-error=off"})));
    Desk::Window w = 0;
    wait_until(PATIENCE, [&] { return (w = desk.find_desktop()) || !p.running(); });
    INFO(p.err());
    REQUIRE(w);
    for (int i = 0; i < 5; i++) { /* it takes what the user does */
        desk.move(600 + i, 450);
        desk.tap('a');
        desk.wait_for_program(w);
    }
    double peak = peak_mb(p.pid());
    INFO(peak << " MB");
    CHECK(peak < 400 + picture); /* the toolkit and the display's driver take up to 200 */
    desk.close_window(w);
    CHECK(p.wait(PATIENCE) == 0);
    INFO(home.strays());
    CHECK(home.strays().empty());
}

Script floods(const std::string &bytes)
{
    return handshake(W, H) +
           Script{await_request(), send_step(raw_screen(W, H, 0x336699)), repeat(bytes)};
}

} // namespace

TEST_CASE("attack: a window can be used and closed whatever the server sends", "[attack-window]")
{
    if (!can_run())
        return;
    std::string names, sizes, shapes, packed(1 << 20, '\0');
    uLongf size = packed.size(); /* a text that says it is the longest there can be */
    std::string text = u32(0xffffffff) + std::string(1 << 20, 't');
    compress(reinterpret_cast<Bytef *>(&packed[0]), &size,
             reinterpret_cast<const Bytef *>(text.data()), text.size());
    std::string bomb = u32(0x10000001) + packed.substr(0, size);
    for (unsigned i = 0; i < 50; i++) {
        names +=
            update(1) + rectangle(0, 0, 0, 0, PSEUDO_DESKTOP_NAME) + u32(3) + "n" + u16(i * 641);
        sizes += update(1) + rectangle(0, 0, 100 + i * 37 % 900, 50 + i, PSEUDO_DESKTOP_SIZE);
    }
    for (unsigned i = 0; i < 16; i++) /* to show one takes longer than to send it */
        shapes += update(1) + rectangle(0, 0, 256, 256, PSEUDO_RICH_CURSOR) +
                  std::string(256 * 256 * 4, static_cast<char>(i * 16)) +
                  std::string(256 * 256 / 8, '\xff');
    for (const auto &[name, bytes] : std::vector<std::pair<const char *, std::string>>{
             {"bells", bells(10000)},
             {"names", names},
             {"sizes", sizes},
             {"pointer shapes", shapes},
             {"pictures", raw_screen(W, H, 0x102030)},
             {"packed texts", cut_text(0u - static_cast<uint32_t>(bomb.size())) + bomb},
             {"texts", cut_text(100000) + std::string(100000, 't')}}) {
        INFO(name);
        check_closes(floods(bytes), picture_mb(1000, 240));
    }
}

TEST_CASE("attack: a server that never listens does not hold the window", "[attack-window]")
{
    if (can_run())
        check_closes(handshake(W, H) + Script{await_request(),
                                              send_step(raw_screen(W, H, 0x336699)),
                                              deaf(raw_screen(W, H, 0x112233), milliseconds(5))},
                     picture_mb(W, H));
}
