/* The server's sound in the real program. SDL writes what is to be heard into a file. */
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "rfb/proto/extensions/qemu_audio.h"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/scene.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

const int W = 640, H = 480;

const std::string ON("\xff\1\0\2\3\2\0\0\xac\x44\xff\1\0\0", 14), OFF("\xff\1\0\1", 4);
const std::string NO_ANSWER = "no sound: the sound system has not answered yet";
const std::string HANGS = "the sound system does not answer, and vnchl ends without";
const std::string HAS_SOUND = update(1) + rectangle(0, 0, W, H, PSEUDO_QEMU_AUDIO);

std::string sound(const std::string &samples)
{
    return std::string("\xff\1\0\2", 4) + u32(static_cast<uint32_t>(samples.size())) + samples;
}

/* A part of it is found in one place only. No sample is 0. */
std::string tune(int ms)
{
    std::string frames;
    for (int i = 1; i <= SOUND_RATE * ms / 1000; i++)
        frames += u16(static_cast<unsigned>(i) | 0x8000) + u16(static_cast<unsigned>(i) | 1);
    return frames;
}

/* A server with sound, which the viewer has asked for. */
Script wanted_sound()
{
    return handshake(W, H) +
           Script{await_request(), send_step(HAS_SOUND + raw_screen(W, H, 1)), await_input(ON)};
}

struct Hearing {
    TempDir dir;
    Desk desk;
    std::string file = dir.file("heard");
    std::unique_ptr<Process> viewer;
    Desk::Window window = 0;

    Hearing(const std::string &address, const std::vector<std::string> &more,
            const std::string &driver = "disk", bool pipe = false)
    {
        if (pipe)
            REQUIRE(mkfifo(file.c_str(), 0600) == 0);
        std::vector<std::string> options = {"--alert-on-fatal-error=off", "--recent", "off"};
        options.insert(options.end(), more.begin(), more.end());
        Command c = ShownViewer::command(desk.name(), address, options);
        c.env["SDL_AUDIODRIVER"] = driver;
        c.env["SDL_DISKAUDIOFILE"] = file;
        viewer = std::make_unique<Process>(c);
        wait_until(PATIENCE, [&] {
            window = desk.find_desktop();
            return window || !viewer->running();
        });
        INFO(viewer->err());
        REQUIRE(window);
        desk.give_focus(window);
    }
    std::string heard() const
    {
        return file_exists(file) ? read_file(file) : "";
    }
    bool wait_heard(const std::string &samples)
    {
        return wait_until(PATIENCE, [&] { return heard().find(samples) != std::string::npos; });
    }
    /* The same, of the pipe. */
    bool wait_piped(int reader, const std::string &samples)
    {
        std::string all;
        char part[65536];
        return wait_until(PATIENCE, [&] {
            const ssize_t n = read(reader, part, sizeof part);
            all.append(part, n > 0 ? static_cast<size_t>(n) : 0);
            return all.find(samples) != std::string::npos;
        });
    }
    /* Something comes through the pipe. SDL 2.30.0 opens none: there is nothing to test then. */
    bool takes_pipe(int reader)
    {
        int waits = 0;
        bool refused = false;
        const bool known = wait_until(PATIENCE, [&] {
            refused = viewer->err().find("is not a regular file") != std::string::npos;
            return refused || (ioctl(reader, FIONREAD, &waits) == 0 && waits > 0);
        });
        CHECK(known);
        if (refused)
            WARN("this SDL plays into no pipe: not tested");
        return !refused;
    }
    /* The pipe takes no more: who plays waits. */
    bool wait_full(int reader)
    {
        const int room = fcntl(reader, F_GETPIPE_SZ);
        int waits = 0;
        return wait_until(PATIENCE,
                          [&] { return ioctl(reader, FIONREAD, &waits) == 0 && waits == room; });
    }
    /* How often it has said that the sound system does not close its device. */
    int hangs() const
    {
        const std::string said = viewer->err();
        int count = 0;
        for (size_t at = 0; (at = said.find(HANGS, at)) != std::string::npos; at++)
            count++;
        return count;
    }
    bool wait_said(const std::string &line)
    {
        return wait_until(PATIENCE, [&] { return viewer->err().find(line) != std::string::npos; });
    }
    bool wait_shows(uint32_t colour)
    {
        return wait_until(PATIENCE, [&] { return desk.capture(window) == Image(W, H, colour); });
    }
    bool wait_menu(bool open)
    {
        return wait_until(PATIENCE,
                          [&] { return (desk.capture(window).count(PANEL) > 10000) == open; });
    }
    /* Its entry in the menu. */
    void choose_sound()
    {
        desk.tap(XK_F8);
        REQUIRE(wait_menu(true));
        desk.tap(XK_y);
        REQUIRE(wait_menu(false));
    }
};

/* Its sound is switched off and on, and comes again; and `late`, after a key. */
Script off_and_on(const std::string &late)
{
    return wanted_sound() + Script{send_step(sound(tune(100)) + raw_screen(W, H, 2)),
                                   await_input(OFF),
                                   await_input(ON),
                                   send_step(sound(tune(100))),
                                   await_input(key_event('a', true)),
                                   send_step(sound(late)),
                                   stall()};
}

} // namespace

TEST_CASE("window: the server's sound is heard, and the menu silences it", "[window]")
{
    if (!can_run())
        return;
    const std::string first = tune(100), second = tune(150).substr(first.size());
    FakeServer server(wanted_sound() +
                      Script{send_step(sound(first)), await_input(OFF),
                             send_step(sound(tune(30)) + raw_screen(W, H, 2)), await_input(ON),
                             send_step(sound(second) + raw_screen(W, H, 3)), stall()});
    Hearing h(server.address(), {"--sound", "on"});
    CHECK(h.wait_heard(first));
    h.choose_sound();
    REQUIRE(h.wait_shows(2));
    CHECK(h.heard().find(first.substr(0, 4), h.heard().find(first) + 4) == std::string::npos);
    h.choose_sound();
    REQUIRE(h.wait_shows(3));
    CHECK(h.wait_heard(second));
    h.desk.close_window(h.window);
    CHECK(h.viewer->wait(PATIENCE) == 0);
}

TEST_CASE("window: a near server's sound comes by itself, and not with --sound off", "[window]")
{
    if (!can_run())
        return;
    {
        FakeServer server(wanted_sound() + Script{send_step(raw_screen(W, H, 2)), stall()});
        Hearing h(server.address(), {});
        CHECK(h.wait_shows(2));
    }
    /* what it says of sound is not understood, and does no harm */
    FakeServer server(handshake(W, H) + Script{await_request(),
                                               send_step(HAS_SOUND + raw_screen(W, H, 1)),
                                               await_input(key_event('a', true)),
                                               send_step(raw_screen(W, H, 2)), stall()});
    Hearing h(server.address(), {"--sound", "off"});
    REQUIRE(h.wait_shows(1));
    h.desk.tap(XK_a);
    CHECK(h.wait_shows(2));
    CHECK(h.heard().empty());
}

TEST_CASE("window: what cannot be played is not sent any more, and that is said if it was wanted",
          "[window]")
{
    if (!can_run())
        return;
    FakeServer server(wanted_sound() + Script{send_step(sound(tune(10))), await_input(OFF),
                                              send_step(raw_screen(W, H, 2)), stall()});
    Hearing h(server.address(), {"--sound", "on"}, "no-such-driver");
    CHECK(wait_until(PATIENCE, [&] {
        const Image i = h.desk.capture(h.window);
        return i != Image(W, H, 2) && i.width == W &&
               i.pixels[W + 1] == 2; /* a notice lies on it */
    }));
    CHECK(h.viewer->running());
}

/* A pipe that nobody reads is such a one: it waits where it opens its file. */
TEST_CASE("window: a sound system that does not answer stops neither the window nor its end",
          "[window]")
{
    if (!can_run())
        return;
    FakeServer server(wanted_sound() +
                      Script{send_step(sound(tune(100)) + raw_screen(W, H, 2)),
                             await_input(key_event('a', true)), send_step(raw_screen(W, H, 3)),
                             await_input(OFF), await_input(ON),
                             send_step(sound(tune(100)) + raw_screen(W, H, 4)), stall()});
    Hearing h(server.address(), {"--sound", "on"}, "disk", true);
    REQUIRE(h.wait_shows(2));
    h.desk.tap(XK_a);
    REQUIRE(h.wait_shows(3));
    h.choose_sound();
    h.choose_sound();
    CHECK(h.wait_said(NO_ANSWER));
    CHECK(h.hangs() == 0);
    h.desk.close_window(h.window);
    CHECK(h.viewer->wait(PATIENCE) == 0);
    CHECK(h.hangs() == 1);
}

TEST_CASE("window: a sound system that hangs while it closes stops nothing, and that is said",
          "[window]")
{
    if (!can_run())
        return;
    const std::string late = tune(150).substr(tune(100).size());
    FakeServer server(off_and_on(late));
    Hearing h(server.address(), {"--sound", "on"}, "disk", true);
    REQUIRE(h.wait_shows(2));
    const int reader = open(h.file.c_str(), O_RDONLY);
    REQUIRE(reader >= 0);
    if (!h.takes_pipe(reader))
        return;
    REQUIRE(h.wait_full(reader));
    h.choose_sound();
    std::this_thread::sleep_for(milliseconds(500)); /* no sound system takes so long */
    h.choose_sound();
    CHECK(h.wait_said(NO_ANSWER));
    SECTION("it plays again once it has closed")
    {
        h.desk.tap(XK_a);
        CHECK(h.wait_piped(reader, late));
        CHECK(h.hangs() == 0);
    }
    SECTION("the program ends without it")
    {
        h.desk.close_window(h.window);
        CHECK(h.viewer->wait(PATIENCE) == 0);
        CHECK(h.hangs() == 1);
    }
    close(reader);
}

/* Nobody reads the pipe any more in the end: then it waits where it plays. */
TEST_CASE("window: a sound system that answers late plays what comes then", "[window]")
{
    if (!can_run())
        return;
    const std::string late = tune(150).substr(tune(100).size());
    FakeServer server(wanted_sound() + Script{send_step(sound(tune(100)) + raw_screen(W, H, 2)),
                                              await_input(key_event('a', true)),
                                              send_step(sound(late)), stall()});
    Hearing h(server.address(), {"--sound", "on"}, "disk", true);
    REQUIRE(h.wait_shows(2));
    const int reader = open(h.file.c_str(), O_RDONLY);
    REQUIRE(reader >= 0);
    h.desk.tap(XK_a);
    if (!h.takes_pipe(reader))
        return;
    CHECK(h.wait_piped(reader, late));
    h.desk.close_window(h.window);
    CHECK(h.viewer->wait(PATIENCE) == 0);
    close(reader);
}

TEST_CASE("window: one that answers after sound was switched off and on plays what comes then",
          "[window]")
{
    if (!can_run())
        return;
    const std::string late = tune(150).substr(tune(100).size());
    FakeServer server(off_and_on(late));
    Hearing h(server.address(), {"--sound", "on"}, "disk", true);
    REQUIRE(h.wait_shows(2));
    h.choose_sound();
    h.choose_sound();
    REQUIRE(h.wait_said(NO_ANSWER));
    const int reader = open(h.file.c_str(), O_RDONLY);
    REQUIRE(reader >= 0);
    h.desk.tap(XK_a);
    if (!h.takes_pipe(reader))
        return;
    CHECK(h.wait_piped(reader, late));
    h.desk.close_window(h.window);
    CHECK(h.viewer->wait(PATIENCE) == 0);
    close(reader);
}

TEST_CASE("qemu: the machine's speaker is heard", "[window]")
{
    auto server = can_run() ? start_qemu_with_sound() : nullptr;
    if (!server)
        return;
    Hearing h(server->address, {"--sound", "on"});
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    h.desk.tap(XK_a);
    /* a square wave of 1000 Hz, in a row of samples without silence */
    const size_t enough = SOUND_SECOND / 10;
    auto tone_at = [&](const std::string &heard) {
        int16_t left;
        for (size_t at = 0, run = 0; at + SOUND_FRAME <= heard.size(); at += SOUND_FRAME) {
            memcpy(&left, heard.data() + at, sizeof left);
            run = left ? run + SOUND_FRAME : 0;
            if (run == enough)
                return at + SOUND_FRAME - run;
        }
        return std::string::npos;
    };
    std::string heard;
    REQUIRE(wait_until(PATIENCE, [&] {
        heard = h.heard();
        return tone_at(heard) != std::string::npos;
    }));
    int rises = 0;
    int16_t before = 0;
    for (size_t at = tone_at(heard), end = at + enough; at < end; at += SOUND_FRAME) {
        int16_t left;
        memcpy(&left, heard.data() + at, sizeof left);
        rises += before < 0 && left > 0;
        before = left;
    }
    CHECK((rises >= 98 && rises <= 102));
}
