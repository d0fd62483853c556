/* Blocks as datagrams (docs/datagrams.md) across links that lose packets, break, or let no UDP
 * through: the real program in its window, a real vnchl-accel and Xvnc. That pictures come as
 * datagrams is seen in the packets that come to the viewer's host. Each case ends with the picture,
 * exact.
 *
 * Skipped, with the reason, where the link emulator cannot run or a program is missing.
 */
#include <signal.h>

#include <chrono>
#include <thread>

#include "tests/catch.hpp"
#include "tests/linkem/far_datagrams.hpp"
#include "tests/temp_dir.hpp"

/* after the harness, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using e2e::milliseconds;
using e2e::PATIENCE;
using lab::accelerated;
using lab::come_as_datagrams;
using lab::Far;
using lab::NORMAL;
using lab::PACKETS;
using lab::packets_of_film;

namespace
{

bool answers_key(Far &far, unsigned long key)
{
    far.desk.tap(key);
    return far.screen().wait_key(key, true, PATIENCE) &&
           far.screen().wait_key(key, false, PATIENCE);
}

const char PUSHED[] = "\"pushed\":\ttrue", NONE[] = "\"datagrams\":\tfalse";

/* What another viewer on the same host says, without a window: its standard error, and its JSON. */
std::string headless(Far &far, const std::vector<std::string> &options = {})
{
    std::vector<std::string> argv = {getenv("VNCHL"), "--headless", "--verbose", "--duration", "3",
                                     "--json",        "-"};
    argv.insert(argv.end(), options.begin(), options.end());
    argv.push_back(std::string(lab::FAR_ADDRESS) + "::5950");
    auto r = far.beside_viewer(argv);
    INFO(r.err);
    CHECK(r.status == 0);
    UNSCOPED_INFO(r.err << r.out);
    return r.err + r.out;
}

/* It is pushed to, without datagrams. */
void is_pushed_to_without(Far &far, const std::vector<std::string> &options = {})
{
    const std::string said = headless(far, options);
    CHECK(said.find(PUSHED) != std::string::npos);
    CHECK(said.find(NONE) != std::string::npos);
    CHECK(said.find("as datagrams") == std::string::npos);
}

/* All goes on the connection, and not a packet beside it. */
void goes_without(const lab::FarOptions &o)
{
    Far far(o);
    CHECK(packets_of_film(far) == 0);
    CHECK(answers_key(far, XK_a));
    is_pushed_to_without(far, o.viewer);
    CHECK(far.datagrams(false) == 0);
    far.close();
}

/* Hardly a packet leaves the viewer's host in a second: nothing has to be told any more. */
bool comes_to_rest(Far &far)
{
    return e2e::wait_until(PATIENCE, [&] {
        const uint64_t before = far.datagrams(false);
        std::this_thread::sleep_for(std::chrono::seconds(1));
        return far.datagrams(false) - before <= 5;
    });
}

/* `viewer` and what it has started. */
void signal_all(pid_t viewer, int number)
{
    for (pid_t child : e2e::children_of(viewer))
        signal_all(child, number);
    REQUIRE(kill(viewer, number) == 0);
}

} // namespace

TEST_CASE("datagrams: where nothing happens any more nothing is said", "[loss]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated());
    CHECK(come_as_datagrams(far));
    CHECK(answers_key(far, XK_a));
    CHECK(comes_to_rest(far));
    far.close();
}

TEST_CASE("datagrams: a link that loses a tenth of all packets, both ways", "[loss]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated({"--loss", "10%"}));
    CHECK(come_as_datagrams(far));
    for (unsigned long key : {XK_a, XK_b, XK_c})
        CHECK(answers_key(far, key));
    const std::string said = headless(far);
    CHECK(said.find(PUSHED) != std::string::npos);
    CHECK(said.find("\"datagrams\":\ttrue") != std::string::npos);
    CHECK(said.find("the far end pushes blocks, as datagrams, too") != std::string::npos);
    far.close();
}

TEST_CASE("datagrams: none where the viewer does not want them", "[udp]")
{
    if (!lab::far_possible())
        return;
    lab::FarOptions o = accelerated();
    o.viewer = {"--datagrams", "off"};
    goes_without(o);
}

TEST_CASE("datagrams: none where the accelerator has none", "[udp]")
{
    if (!lab::far_possible())
        return;
    lab::FarOptions o = accelerated();
    o.accelerator = {"--datagrams", "no"};
    goes_without(o);
}

TEST_CASE("datagrams: a link that lets no UDP through", "[udp]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated({"--udp", "drop"}));
    CHECK(packets_of_film(far) == 0);
    CHECK(answers_key(far, XK_a));
    CHECK(e2e::wait_until(PATIENCE, [&] { return far.datagrams(false) >= 2; })); /* it says hello */
    is_pushed_to_without(far);
    CHECK(packets_of_film(far) == 0);
    far.set("udp=pass");
    CHECK(come_as_datagrams(far)); /* a hello gets through */
    CHECK(answers_key(far, XK_b));
    far.close();
}

TEST_CASE("datagrams: a link that lets UDP through one way only", "[udp]")
{
    if (!lab::far_possible())
        return;
    const char *way = GENERATE("--up-udp", "--down-udp");
    Far far(accelerated({way, "drop"}));
    for (int i = 0; i < 3; i++)
        CHECK(packets_of_film(far) < PACKETS);
    CHECK(answers_key(far, XK_a));
    far.close();
}

TEST_CASE("datagrams: a link that lets no UDP through for a while, in the middle", "[udp]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated());
    CHECK(come_as_datagrams(far));
    for (const char *way : {"udp", "up-udp", "down-udp"}) {
        INFO(way);
        far.set(std::string(way) + "=drop");
        CHECK(e2e::wait_until(PATIENCE, [&] { return packets_of_film(far) < PACKETS; }));
        CHECK(answers_key(far, XK_a));
        far.set("udp=pass");
        CHECK(come_as_datagrams(far));
        CHECK(answers_key(far, XK_b));
    }
    CHECK(far.all_said().empty());
    far.close();
}

TEST_CASE("datagrams: a link that is cut for some seconds", "[broken]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated());
    CHECK(come_as_datagrams(far));
    far.cut_for_a_while(XK_b);
    CHECK(come_as_datagrams(far));
    CHECK(answers_key(far, XK_c));
    CHECK(far.all_said().empty());
    far.close();
}

TEST_CASE("datagrams: a desktop that gets other sizes on a link that loses a tenth of all packets",
          "[loss]")
{
    if (!lab::far_possible({"xrandr"}))
        return;
    Far far(accelerated({"--loss", "10%"}));
    CHECK(come_as_datagrams(far));
    for (int i = 0; i < 4; i++) {
        far.screen().film(i, 5, milliseconds(30)); /* still on its way */
        REQUIRE(far.screen().resize(i % 2 ? 320 : 400, i % 2 ? 240 : 300));
        far.screen().film(i, 5, milliseconds(30));
        CHECK(far.wait_exact());
    }
    CHECK(come_as_datagrams(far));
    CHECK(answers_key(far, XK_a));
    CHECK(far.all_said().empty());
    far.close();
}

TEST_CASE("datagrams: a machine that sleeps for a while", "[broken]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated());
    CHECK(come_as_datagrams(far));
    const pid_t viewer = far.viewer();
    far.screen().film(0, 5, milliseconds(30));
    signal_all(viewer, SIGSTOP);
    far.cut();
    far.screen().film(5, 100, milliseconds(30)); /* the server's life goes on */
    far.mend();
    signal_all(viewer, SIGCONT);
    CHECK(far.wait_exact());
    CHECK(far.wait_title(NORMAL));
    CHECK(come_as_datagrams(far));
    CHECK(answers_key(far, XK_a));
    CHECK(far.all_said().empty());
    far.close();
}

TEST_CASE("datagrams: a machine that gets another address", "[broken]")
{
    if (!lab::far_possible({"ip"}))
        return;
    Far far(accelerated());
    CHECK(come_as_datagrams(far));
    far.move_viewer("10.203.2.1");
    far.screen().draw(1);
    far.screen().settle();
    far.typing_until(NORMAL, false);
    CHECK(far.wait_said("connected again\n"));
    CHECK(far.said("this machine has another address now")); /* TCP tries for a minute */
    CHECK(far.wait_exact());
    CHECK(come_as_datagrams(far));
    CHECK(answers_key(far, XK_b));
    far.close();
}

TEST_CASE("datagrams: an accelerator that is started anew has another secret", "[broken]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated());
    CHECK(come_as_datagrams(far));
    far.start_accelerator();
    CHECK(far.wait_said("connected again\n"));
    CHECK(come_as_datagrams(far));
    CHECK(answers_key(far, XK_a));
    far.close();
}

TEST_CASE("datagrams: a link that brings packets out of order", "[loss]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated({"--jitter", "60ms", "--reorder", "--loss", "5%"}));
    CHECK(come_as_datagrams(far));
    CHECK(answers_key(far, XK_a));
    far.close();
}

TEST_CASE("datagrams: a link that is narrower than their packets", "[loss]")
{
    if (!lab::far_possible())
        return;
    Far far(accelerated({"--mtu", "1100"}));
    CHECK(come_as_datagrams(far)); /* in fragments */
    far.screen().draw(1);          /* many kinds of blocks, of all sizes */
    far.screen().settle();
    CHECK(far.wait_exact());
    CHECK(answers_key(far, XK_a));
    far.close();
}

/* ---- larger packets ---- */

/* Larger UDP packets than a link lets in, on their way to the viewer, since its beginning. */
static double dropped(const std::string &stats)
{
    cJSON *all = cJSON_Parse(e2e::read_file(stats).c_str());
    const cJSON *down = cJSON_GetObjectItem(all, "down");
    const double count = cJSON_GetNumberValue(cJSON_GetObjectItem(down, "dropped_udp"));
    cJSON_Delete(all);
    return count;
}

TEST_CASE("datagrams: larger packets are tried, and not used where they do not come", "[size]")
{
    if (!lab::far_possible())
        return;
    TempDir dir;
    Far far(accelerated({"--down-udp", "1228", "--stats", dir.file("stats")}));
    for (int i = 0; i < 3; i++)
        CHECK(come_as_datagrams(far));
    CHECK(answers_key(far, XK_a));
    far.close();
    CHECK(dropped(dir.file("stats")) >= 3);
    CHECK(dropped(dir.file("stats")) <= 9); /* probes */
}

TEST_CASE("datagrams: a link that carries larger packets, and becomes narrower in the middle",
          "[size]")
{
    if (!lab::far_possible({"ip"}))
        return;
    TempDir dir;
    double least = 0;
    Far far(accelerated({"--stats", dir.file("stats")}));
    CHECK(come_as_datagrams(far));
    SECTION("somewhere, and nobody says it: those that are used vanish")
    {
        far.set("down-udp=1300");
        least = 10;
    }
    SECTION("at the far machine, which says it")
    {
        far.narrow(1300);
    }
    far.screen().draw(1);
    far.screen().settle();
    CHECK(far.wait_exact());
    CHECK(answers_key(far, XK_a));
    for (int i = 0; i < 3; i++)
        CHECK(come_as_datagrams(far));
    CHECK(far.all_said().empty());
    far.close();
    CHECK(dropped(dir.file("stats")) >= least);
}
