/* Links that break under the real program in its window, with the kernel's own TCP: nothing comes
 * through for 8 s, and the session goes on; then for much longer, and another one follows. The user
 * types, and reads the window's title. Skipped where the link emulator cannot run, or a program is
 * missing.
 */
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "tests/catch.hpp"
#include "tests/e2e/desk.hpp"
#include "tests/linkem/lab.hpp"

/* after the harness, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

namespace
{

/* A display number that nobody has on this machine: sockets in /tmp are shared by all network
 * namespaces. */
std::string free_display()
{
    int n = 500 + static_cast<int>(getpid()) % 400;
    while (e2e::file_exists("/tmp/.X11-unix/X" + std::to_string(n)) ||
           e2e::file_exists("/tmp/.X" + std::to_string(n) + "-lock"))
        n++;
    return ":" + std::to_string(n);
}

bool possible()
{
    for (const char *program : {"Xvfb", "Xtigervnc"})
        if (e2e::find_program(program).empty()) {
            printf("skipped: %s is not installed\n", program);
            return false;
        }
    return lab::possible();
}

/* Xvnc at the far end of a link, the viewer's window at this one. */
struct Far {
    e2e::Desk desk;
    std::string display = free_display(); /* the server's */
    e2e::Process all;                     /* the link, and what is at its ends */
    e2e::Desk::Window window = 0;

    explicit Far(const std::vector<std::string> &link) : all(command(link))
    {
        e2e::wait_until(e2e::PATIENCE, [&] {
            window = desk.find("far - vnchl");
            return window || !all.running();
        });
        INFO(all.err());
        REQUIRE(window);
    }

    bool said(const std::string &text) const
    {
        return all.err().find(text) != std::string::npos;
    }

    /* The user types until the title begins, or does not begin, like this. */
    bool typing_until(const std::string &begin, bool begins = true)
    {
        bool seen = e2e::wait_until(
            e2e::PATIENCE,
            [&] {
                desk.tap(XK_Shift_L);
                return !all.running() || (desk.title(window).rfind(begin, 0) == 0) == begins;
            },
            e2e::milliseconds(500));
        return seen && all.running();
    }

    void close()
    {
        desk.close_window(window);
        std::optional<int> status = all.wait(e2e::PATIENCE);
        INFO(all.err());
        REQUIRE(status);
        CHECK(*status == 0);
    }

  private:
    e2e::Command command(const std::vector<std::string> &link)
    {
        e2e::Command c;
        c.argv = {lab::linkem(),
                  "--rtt",
                  "40ms",
                  "--wait-for",
                  "5950",
                  "--server-command",
                  "exec Xtigervnc " + display +
                      " -rfbport 5950 -geometry 320x240 -depth 24 -SecurityTypes None "
                      "-nolisten tcp -noreset -desktop far"};
        c.argv.insert(c.argv.end(), link.begin(), link.end());
        for (const char *word : {"--", "sh", "-c", "exec \"$VNCHL\" $LINKEM_SERVER::5950"})
            c.argv.push_back(word);
        c.env = {{"DISPLAY", desk.name()}, {"XMODIFIERS", "@im=none"}};
        c.unset = {"WAYLAND_DISPLAY", "SDL_VIDEODRIVER"};
        return c;
    }
};

} // namespace

/* After a cut TCP waits about as long again until it tries the next time. */
TEST_CASE("a link that is cut for a while, and one that is cut for long")
{
    if (!possible())
        return;
    Far far({"--at", "10s:loss=100%", "--at", "18s:loss=0%", "--at", "60s:loss=100%", "--at",
             "140s:loss=0%"});
    CHECK(far.typing_until("last heard from the server "));
    CHECK(far.typing_until("far - vnchl")); /* the session goes on */
    CHECK_FALSE(far.said("connecting again"));
    CHECK(far.typing_until("last heard from the server "));
    CHECK(far.typing_until("last heard from the server ", false)); /* it is given up */
    CHECK(far.said("connecting again"));
    CHECK(far.typing_until("far - vnchl"));
    CHECK(far.said("connected again"));
    far.close();
}

TEST_CASE("a link that loses a third of all packets for half a minute")
{
    if (!possible())
        return;
    Far far({"--at", "5s:loss=30%", "--at", "35s:loss=0%"});
    {
        e2e::XScreen screen(far.display);
        screen.animate(60, e2e::milliseconds(500));
        screen.settle();
        bool same = e2e::wait_until(
            e2e::PATIENCE, [&] { return far.desk.capture(far.window) == screen.capture(); });
        INFO(far.desk.title(far.window));
        CHECK(same);
    }
    INFO(far.all.err());
    CHECK_FALSE(far.said("connecting again"));
    far.close();
}
