/* Links and servers that break under the real program in its window, with the kernel's own TCP. The
 * test cuts the link, and mends it when the window says what it has to say; so nothing here depends
 * on how fast the machine is. Each case ends with the picture, exact.
 *
 * Skipped, with the reason, where the link emulator cannot run or a program is missing.
 */
#include <signal.h>

#include <algorithm>
#include <initializer_list>

#include "tests/catch.hpp"
#include "tests/linkem/far.hpp"

/* after the harness, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using e2e::milliseconds;
using e2e::PATIENCE;
using lab::Far;
using lab::NORMAL;
using lab::SILENT;

namespace
{

/* The key arrives, and none of `never` before it. */
void arrives_alone(Far &far, unsigned long key, std::initializer_list<unsigned long> never)
{
    std::vector<unsigned long> keys = far.screen().keys_until(key, PATIENCE);
    CHECK_FALSE(keys.empty());
    for (unsigned long k : never)
        CHECK(std::find(keys.begin(), keys.end(), k) == keys.end());
}

bool pressed(Far &far, unsigned long key, bool press)
{
    return far.screen().wait_key(key, press, PATIENCE);
}

} // namespace

TEST_CASE("a link that is cut for some seconds: the session goes on")
{
    if (!lab::far_possible())
        return;
    Far far;
    far.cut_for_a_while(XK_b);
    CHECK(far.all_said().empty());
    far.close();
}

TEST_CASE("a silent link is noticed by a user who only looks on")
{
    if (!lab::far_possible())
        return;
    Far far({"--view-only"});
    far.cut();
    CHECK(far.wait_title(SILENT)); /* nobody types */
    far.screen().draw(1);
    far.screen().settle();
    far.mend();
    CHECK(far.wait_title("far - view only - vnchl"));
    CHECK(far.wait_exact());
    CHECK(far.all_said().empty());
    far.close();
}

TEST_CASE("a link that is cut for more than a minute: the session is given up", "[long]")
{
    if (!lab::far_possible({"xrandr"}))
        return;
    Far far;
    far.desk.key(XK_a, true); /* and it stays down */
    CHECK(pressed(far, XK_a, true));
    far.cut();
    CHECK(far.typing_until(SILENT));
    far.desk.tap(XK_x);
    CHECK(far.typing_until(SILENT, false));
    CHECK(far.said("; connecting again\n"));
    far.desk.tap(XK_y);
    far.desk.key(XK_a, false);
    CHECK(far.screen().resize(400, 300));
    far.screen().draw(1);
    far.screen().settle();
    far.mend();
    CHECK(far.wait_said("connected again\n"));
    CHECK(far.wait_title(NORMAL));
    CHECK(far.wait_exact());
    CHECK(pressed(far, XK_a, false)); /* the server has let go of it */
    far.desk.tap(XK_c);
    arrives_alone(far, XK_c, {XK_a, XK_x, XK_y});
    far.close();
}

TEST_CASE("a link that loses a third of all packets for half a minute", "[loss]")
{
    if (!lab::far_possible())
        return;
    Far far;
    far.set("loss=30%");
    far.screen().animate(60, milliseconds(500));
    far.set("loss=0%");
    far.screen().settle();
    CHECK(far.wait_exact());
    INFO(far.all_said());
    CHECK_FALSE(far.said("connecting again"));
    far.close();
}

TEST_CASE("a server that dies resets the connection; another one takes its place")
{
    if (!lab::far_possible())
        return;
    Far far;
    far.desk.key(XK_a, true);
    CHECK(pressed(far, XK_a, true));
    far.suspend_server();
    far.desk.tap(XK_x);
    /* what dies with unread bytes is reset by the kernel */
    CHECK(e2e::wait_until(PATIENCE, [&] { return far.server_has_unread(); }));
    far.end_server(SIGKILL);
    CHECK(far.wait_said("; connecting again\n"));
    CHECK(far.said("reset"));
    far.desk.tap(XK_y);
    far.start_server(400, 300);
    far.screen().draw(2);
    far.screen().settle();
    CHECK(far.wait_said("connected again\n"));
    CHECK(far.wait_exact());
    CHECK(far.wait_title(NORMAL));
    far.desk.key(XK_a, false);
    far.desk.tap(XK_c);
    arrives_alone(far, XK_c, {XK_a, XK_x, XK_y});
    far.close();
}

TEST_CASE("a server that is found at another address under the same name")
{
    if (!lab::far_name_possible())
        return;
    Far far({}, true);
    far.end_server(SIGTERM);
    CHECK(far.wait_said("; connecting again\n"));
    far.move_name(lab::FAR_OTHER_ADDRESS);
    far.start_server(400, 300, lab::FAR_OTHER_ADDRESS);
    far.screen().draw(3);
    far.screen().settle();
    CHECK(far.wait_said("connected again\n"));
    CHECK(far.wait_exact());
    far.desk.tap(XK_c);
    CHECK(pressed(far, XK_c, true));
    far.close();
}

TEST_CASE("a machine that was suspended for longer than the server waits")
{
    if (!lab::far_possible({"vncconfig"}))
        return;
    Far far;
    pid_t viewer = far.viewer();
    far.desk.key(XK_a, true);
    CHECK(pressed(far, XK_a, true));
    REQUIRE(kill(viewer, SIGSTOP) == 0);
    far.cut();
    far.disconnect();
    CHECK(pressed(far, XK_a, false)); /* nobody holds it any more */
    far.desk.tap(XK_x);               /* nobody looks */
    far.screen().draw(1);
    far.screen().settle();
    far.mend();
    REQUIRE(kill(viewer, SIGCONT) == 0);
    CHECK(far.wait_said("connected again\n"));
    CHECK(far.wait_title(NORMAL));
    CHECK(far.wait_exact());
    far.desk.key(XK_a, false);
    far.desk.tap(XK_c);
    arrives_alone(far, XK_c, {XK_a, XK_x});
    far.close();
}
