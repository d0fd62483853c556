/* What goes wrong while the far end pushes: servers that stall or end, processes that are killed,
 * links that break, and versions that differ. */
#include <signal.h>

#include "tests/accelerator/pushing.hpp"
#include "tests/e2e/breaking.hpp"
#include "tests/e2e/reach.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

using namespace e2e;
using namespace accelerator;

namespace
{

bool is_gone(pid_t pid)
{
    return wait_until(PATIENCE, [&] { return kill(pid, 0) != 0; });
}

/* Shift alone changes nothing on the screen: only the question for a pixel is answered. */
bool wait_answer(Viewer &viewer)
{
    return wait_until(
        PATIENCE,
        [&] {
            viewer.key(XK_Shift_L, true);
            viewer.key(XK_Shift_L, false);
            return viewer.stats().answer_ms > 0;
        },
        milliseconds(200));
}

/* How an accelerator shows itself that pushes blocks of these versions. */
std::string shown(const std::string &versions)
{
    std::string text = "congestion=bbr blocks=" + versions;
    return update(1) + rectangle(0, 0, static_cast<unsigned>(text.size()), 0, PSEUDO_ACCELERATOR) +
           text;
}

} // namespace

TEST_CASE("pushed: a quiet server answers the viewer's question through the far end", "[push]")
{
    for (auto start : {start_tigervnc, start_tightvnc, start_x11vnc}) {
        auto behind = start({});
        if (!behind)
            continue;
        Pushed p(std::move(behind));
        INFO(p.server->name);
        Viewer &viewer = p.view();
        CHECK(wait_answer(viewer));
        CHECK_FALSE(viewer.stats().silent);
    }
}

TEST_CASE("pushed: a server that stalls is noticed, and a session that comes back goes on",
          "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    Process &server = *p.server->processes.back();
    server.signal(SIGSTOP);
    viewer.key(XK_a, true);
    viewer.key(XK_a, false);
    CHECK(wait_until(PATIENCE, [&] { return viewer.stats().silent; }));
    server.signal(SIGCONT);
    CHECK(wait_until(PATIENCE, [&] { return !viewer.stats().silent; }));
    CHECK(p.server->screen->wait_key(XK_a, false, PATIENCE));
    p.server->screen->animate(3);
    p.check();
}

TEST_CASE("pushed: a user who only looks on is told of a silent server", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    session_watch(viewer.raw(), true);
    CHECK(wait_until(PATIENCE, [&] { return viewer.stats().answer_ms > 0; }));
    p.server->processes.back()->signal(SIGSTOP);
    CHECK(wait_until(PATIENCE, [&] { return viewer.stats().silent; }));
    p.server->processes.back()->signal(SIGCONT);
    CHECK(wait_until(PATIENCE, [&] { return !viewer.stats().silent; }));
}

TEST_CASE("pushed: a server that dies ends the session with a word, and no process is left",
          "[push]")
{
    auto behind = start_x11vnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    pid_t pusher = pusher_of(p.accelerator);
    p.server->processes.back()->signal(SIGKILL);
    auto why = viewer.wait_closed();
    REQUIRE(why);
    INFO(*why);
    CHECK(why->find("closed the connection") != std::string::npos);
    CHECK(is_gone(pusher));
    p.accelerator.await("event=end");
}

TEST_CASE("pushed: the process that pushes dies: the user is told, and others go on", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    Viewer &viewer = p.view();
    kill(pusher_of(p.accelerator), SIGKILL);
    auto why = viewer.wait_closed();
    REQUIRE(why);
    INFO(*why);
    CHECK(why->find("closed the connection") != std::string::npos);
    p.accelerator.await("event=end");
    p.view(); /* again, through the same accelerator */
    p.server->screen->animate(3);
    p.check();
}

TEST_CASE("pushed: the process that starts those that push dies: sessions go on without", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind));
    p.view();
    for (pid_t spawner : children_of(p.accelerator.process->pid()))
        kill(spawner, SIGKILL);
    p.server->screen->animate(3);
    p.check();
    Viewer other(p.options()); /* if not with blocks, then as other viewers */
    require_connected(other);
    p.server->screen->animate(3);
    check_picture(other, p.server->screen->capture());
}

/* Before a person: the window says it, and connects again by itself. */
TEST_CASE("pushed: the window connects again when the process that pushes was killed", "[push]")
{
    auto behind = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!behind)
        return;
    Pushed p(std::move(behind));
    XScreen &screen = *p.server->screen;
    screen.fill(0x6080c0);
    Desk desk;
    Server at;
    at.address = p.accelerator.address();
    ShownViewer window(desk, at, {"--encodings", ENCODINGS_DEFAULT});
    CHECK(window.wait_shows(Image(400, 300, 0x6080c0)));
    p.accelerator.await("event=pushed");
    desk.key(XK_a, true);
    CHECK(screen.wait_key(XK_a, true, PATIENCE));
    pid_t first = pusher_of(p.accelerator);
    kill(first, SIGKILL);
    p.accelerator.await("event=pushed", 2);
    CHECK(is_gone(first));
    CHECK(wait_until(PATIENCE, [&] { return screen.nothing_held(); }));
    screen.fill(0xc08060);
    CHECK(window.wait_shows(Image(400, 300, 0xc08060)));
    CHECK(window.process().err().find("connecting again") != std::string::npos);
}

TEST_CASE("pushed: a cut connection is made again, and pushed to again", "[push]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    Accelerator a(server->address);
    Server accelerator;
    accelerator.port = a.port;
    e2e::Relay relay;
    relay.start(accelerator);
    server->screen->fill(0x6080c0);
    Desk desk;
    e2e::Watched at(relay);
    ShownViewer window(desk, at, {"--encodings", ENCODINGS_DEFAULT});
    CHECK(window.wait_shows(Image(400, 300, 0x6080c0)));
    relay.stop();
    CHECK(wait_title(desk, window.window(), "connecting again"));
    CHECK(wait_until(PATIENCE, [&] { return pushers_of(a.process->pid()).empty(); }));
    server->screen->draw(0);
    server->screen->settle();
    relay.start(accelerator);
    a.await("event=pushed", 2);
    CHECK(window.wait_shows(server->screen->capture()));
}

TEST_CASE("pushed over --ssh: when ssh or the viewer is killed, no process is left", "[push]")
{
    auto server = start_tigervnc();
    FarMachine far;
    if (!server || !far.gateway)
        return;
    for (bool viewer : {true, false}) {
        INFO((viewer ? "the viewer" : "ssh"));
        Process p(far.gateway->use(vnchl(
            {"--headless", "--verbose", "--push", "auto", "--ssh", far.name(), server->address})));
        await_said(p, "connected to");
        REQUIRE(wait_until(PATIENCE, [&] { return !pushers_of(far.pid()).empty(); }));
        pid_t accel = far.pid(), pusher = pushers_of(accel).front();
        std::vector<pid_t> spawners = children_of(accel);
        if (viewer)
            p.signal(SIGKILL);
        else
            kill(ssh_of(p.pid()), SIGKILL);
        CHECK(is_gone(pusher));
        CHECK(is_gone(accel));
        for (pid_t spawner : spawners)
            CHECK(is_gone(spawner));
        CHECK(p.wait(PATIENCE) == (viewer ? 128 + SIGKILL : 1));
    }
}

TEST_CASE("pushed: the accelerator ends, and so do those that push for it", "[push]")
{
    auto behind = start_tigervnc();
    if (!behind)
        return;
    Pushed p(std::move(behind), {"--drain", "1"});
    Viewer &viewer = p.view();
    pid_t pusher = pusher_of(p.accelerator);
    std::vector<pid_t> spawners = children_of(p.accelerator.process->pid());
    p.accelerator.process->signal(SIGTERM);
    CHECK(p.accelerator.process->wait(PATIENCE) == 0);
    CHECK(viewer.wait_closed());
    CHECK(is_gone(pusher));
    for (pid_t spawner : spawners)
        CHECK(is_gone(spawner));
}

TEST_CASE("pushed: a far end of other versions: updates go on, and one sentence says why", "[push]")
{
    FakeServer server(handshake(64, 48) +
                      Script{await_request(), send_step(raw_screen(64, 48, 0x102030)),
                             send_step(shown("2-3") + shown("2-3")), await_request(),
                             send_step(raw_screen(64, 48, 0x405060)), await_request(), stall()});
    Process p(vnchl({"--headless", "--verbose", server.address()}));
    await_said(p, "no blocks are pushed, because vnchl-accel there speaks version 3 of them");
    REQUIRE(wait_until(PATIENCE, [&] { return server.stalled(); }));
    INFO(p.err());
    CHECK(p.err().find("upgrade this vnchl") != std::string::npos);
    CHECK(p.err().find("no blocks are pushed") == p.err().rfind("no blocks are pushed"));
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE) == 0);
}

TEST_CASE("pushed: a viewer of other versions gets updates, and is told what is spoken here",
          "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    BlockClient client(
        a.port, {ENCODING_RAW, PSEUDO_ACCELERATOR, PSEUDO_BLOCKS_0 + 7, PSEUDO_BLOCKS_0 + 8});
    REQUIRE(client.raw.ask(false));
    while (client.seen.accelerator.empty() || client.seen.updates < 2)
        REQUIRE(client.next());
    CHECK(client.seen.blocks == 0);
    INFO(client.seen.accelerator);
    CHECK(client.seen.accelerator.find(SPOKEN) != std::string::npos);
    CHECK(a.count("event=pushed") == 0);
}

TEST_CASE("pushed: the program refuses blocks where options ask for something else", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    TempDir dir;
    Accelerator a(server->address);
    size_t pushed = 0;
    check_sees(moment({a.address()}));
    a.await("event=pushed", ++pushed);
    check_sees(moment({"--trace", dir.file("trace"), a.address()}));
    a.await("event=pushed", ++pushed);
    CHECK(read_file(dir.file("trace")).size() > 0);
    check_sees(moment({"--quality", "3", a.address()}));
    a.await("event=pushed", ++pushed);
    check_sees(moment({"--no-jpeg", a.address()}));
    a.await("event=pushed", ++pushed);
    for (const std::vector<std::string> &options : {std::vector<std::string>{"--push", "off"},
                                                    {"--record", dir.file("recording.fbs")},
                                                    {"--prp", "off"},
                                                    {"--encodings", "raw"},
                                                    {"--compress", "3"}}) {
        INFO(options.front());
        std::vector<std::string> all = options;
        all.push_back(a.address());
        check_sees(moment(all));
        CHECK(a.count("event=pushed") == pushed);
    }
    CHECK(read_file(dir.file("recording.fbs")).size() > 0);
}
