/* Links that break under the real program in its window, with the kernel's own TCP: nothing comes
 * through for 8 s, and the session goes on; then for much longer, and another one follows. The user
 * types, and reads the window's title. Skipped where the link emulator cannot run, or a program is
 * missing.
 */
#include <unistd.h>

#include <cstdio>

#include "tests/catch.hpp"
#include "tests/e2e/desk.hpp"
#include "tests/linkem/lab.hpp"

/* after the harness, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

namespace
{

/* The link takes everything until 10 s, from 18 s to 60 s, and from 140 s on. After a cut TCP
 * waits about as long again until it tries the next time. */
const char *const LINK[] = {
    "--rtt",         "40ms", "--at",         "10s:loss=100%", "--at", "18s:loss=0%",     "--at",
    "60s:loss=100%", "--at", "140s:loss=0%", "--wait-for",    "5950", "--server-command"};

/* Its display has a number that nobody else has on this machine: sockets in /tmp are shared by all
 * network namespaces. */
std::string server()
{
    int n = 500 + static_cast<int>(getpid()) % 400;
    while (e2e::file_exists("/tmp/.X11-unix/X" + std::to_string(n)) ||
           e2e::file_exists("/tmp/.X" + std::to_string(n) + "-lock"))
        n++;
    return "exec Xtigervnc :" + std::to_string(n) +
           " -rfbport 5950 -geometry 320x240 -depth 24 -SecurityTypes None -nolisten tcp -noreset "
           "-desktop far";
}

struct Watch {
    e2e::Desk &desk;
    e2e::Process &viewer;
    e2e::Desk::Window window;

    /* The user types until the title begins, or does not begin, like this. */
    bool typing_until(const std::string &begin, bool begins = true)
    {
        bool seen = e2e::wait_until(
            e2e::PATIENCE,
            [&] {
                desk.tap(XK_Shift_L);
                return !viewer.running() || (desk.title(window).rfind(begin, 0) == 0) == begins;
            },
            e2e::milliseconds(500));
        return seen && viewer.running();
    }
};

} // namespace

TEST_CASE("a link that is cut for a while, and one that is cut for long")
{
    if (!lab::possible())
        return;
    for (const char *program : {"Xvfb", "Xtigervnc"})
        if (e2e::find_program(program).empty()) {
            printf("skipped: %s is not installed\n", program);
            return;
        }
    e2e::Desk desk;
    e2e::Command c;
    c.argv = {lab::linkem()};
    c.argv.insert(c.argv.end(), std::begin(LINK), std::end(LINK));
    c.argv.push_back(server());
    for (const char *word : {"--", "sh", "-c", "exec \"$VNCHL\" $LINKEM_SERVER::5950"})
        c.argv.push_back(word);
    c.env = {{"DISPLAY", desk.name()}, {"XMODIFIERS", "@im=none"}};
    c.unset = {"WAYLAND_DISPLAY", "SDL_VIDEODRIVER"};
    e2e::Process all(c);
    Watch w = {desk, all, 0};
    e2e::wait_until(e2e::PATIENCE, [&] {
        w.window = desk.find("far - vnchl");
        return w.window || !all.running();
    });
    INFO(all.err());
    REQUIRE(w.window);

    CHECK(w.typing_until("last heard from the server "));
    CHECK(w.typing_until("far - vnchl")); /* the session goes on */
    CHECK(all.err().find("connecting again") == std::string::npos);
    CHECK(w.typing_until("last heard from the server "));
    CHECK(w.typing_until("last heard from the server ", false)); /* it is given up */
    CHECK(all.err().find("connecting again") != std::string::npos);
    CHECK(w.typing_until("far - vnchl"));
    CHECK(all.err().find("connected again") != std::string::npos);
    desk.close_window(w.window);
    CHECK(all.wait(e2e::PATIENCE) == 0);
}
