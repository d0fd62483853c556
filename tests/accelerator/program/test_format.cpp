/* Another pixel format in the middle of a session, with updates on their way: what comes before it
 * is read as the old one, and what comes behind it as the new one. */
#include <atomic>
#include <thread>

#include "tests/accelerator/accelerator.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/desk.hpp"
#include "tests/e2e/program.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

using Starter = std::unique_ptr<Server> (*)(const XvncOptions &);

/* The screen moves as long as this is there. */
class Motion
{
  public:
    Motion(Server &server, milliseconds between)
        : thread_([this, &server, between] {
              while (!over_)
                  server.screen->animate(1, between);
          })
    {
    }
    ~Motion()
    {
        over_ = true;
        thread_.join();
    }

  private:
    std::atomic<bool> over_{false};
    std::thread thread_;
};

const pixel_format FLAT = {8, 8, false, true, {7, 7, 3}, {0, 3, 6}};

/* Reads until `type` has come, and answers the fences. Returns the updates before it. */
int read_until(RawClient &client, uint8_t type)
{
    for (int updates = 0;;) {
        server_frame found;
        REQUIRE(client.frame(found));
        updates += found.event == SERVER_FRAME_UPDATE_ENDS;
        if (found.event == SERVER_FRAME_MESSAGE && found.type == SERVER_FENCE)
            client.answer_fence(found);
        if (found.event == SERVER_FRAME_MESSAGE && found.type == type)
            return updates;
    }
}

void colours_change(Starter start)
{
    XvncOptions small;
    small.width = 200;
    small.height = 120;
    auto server = can_run() && installed("xtigervncviewer") ? start(small) : nullptr;
    if (!server)
        return;
    Accelerator a(server->address);
    Demo link = start_demo_link(a.port, {"--rtt", "300", "--rate", "128k"});
    Desk desk;
    TempDir home;
    Command c;
    c.argv = {"xtigervncviewer",     "-Log=*:stderr:30",
              "-AutoSelect=1",       "-FullColor=0",
              "-NoJPEG=1",           "-DotWhenNoCursor=0",
              "-RemoteResize=0",     "-AlertOnFatalError=0",
              "-ReconnectOnError=0", "127.0.0.1::" + std::to_string(link.port)};
    c.env = {{"DISPLAY", desk.name()}, {"HOME", home.path()}};
    Process viewer(c);
    Desk::Window window = 0;
    REQUIRE(wait_until(PATIENCE, [&] { return (window = desk.find("TigerVNC")) != 0; }));
    /* it begins with few colours, and takes more when it has measured the path */
    bool more = wait_until(PATIENCE, [&] {
        server->screen->animate(1, milliseconds(50));
        return viewer.err().find("full color is now enabled") != std::string::npos;
    });
    INFO(viewer.err());
    REQUIRE(more);
    server->screen->animate(30, milliseconds(50)); /* and some more in the new format */
    for (int colour : {0x2080e0, 0xe0c010}) {
        server->screen->fill(static_cast<uint32_t>(colour));
        server->screen->draw(1);
        server->screen->settle();
        const Image meant = server->screen->capture();
        bool shown = wait_until(
            PATIENCE, [&] { return desk.capture(window) == meant; }, milliseconds(100));
        INFO(viewer.err());
        INFO(a.process->err());
        CHECK(viewer.running());
        REQUIRE(shown);
    }
    CHECK(a.count("format-ahead") == 0);
}

} // namespace

TEST_CASE("a client with ContinuousUpdates changes its format with updates on their way",
          "[format]")
{
    XvncOptions small;
    small.width = 200;
    small.height = 120;
    auto server = start_tightvnc(small); /* which has none */
    if (!server)
        return;
    Accelerator a(server->address);
    Demo link = start_demo_link(a.port, {"--rtt", "100"});
    RawClient client(link.port);
    client.greet();
    REQUIRE(client.set_encodings({0, -312, -313}));
    REQUIRE(client.ask(false));
    read_until(client, SERVER_END_OF_CONTINUOUS_UPDATES);
    REQUIRE(client.push(true));
    Motion motion(*server, milliseconds(5));
    int ahead = 0;
    for (int i = 0; i < 20; i++) {
        const pixel_format &next = i % 2 ? pixel_format_xrgb : FLAT;
        for (int updates = 0; updates < 5;)
            updates += read_until(client, SERVER_FENCE);
        REQUIRE(client.push(false));
        REQUIRE(client.set_format(next));
        REQUIRE(client.push(true));
        ahead += read_until(client, SERVER_END_OF_CONTINUOUS_UPDATES);
        client.expect_format(next);
    }
    CHECK(ahead > 0); /* else this shows nothing */
    CHECK(a.count("not-accelerated") == 0);
}

TEST_CASE("TigerVNC's viewer changes its colours on a slow path: TigerVNC's server", "[format]")
{
    colours_change(start_tigervnc);
}

TEST_CASE("TigerVNC's viewer changes its colours on a slow path: TightVNC's server", "[format]")
{
    colours_change(start_tightvnc);
}
