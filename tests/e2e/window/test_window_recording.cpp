/* Recording in a window, and playing in one. */
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/shown_viewer.hpp"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

using namespace e2e;

namespace
{

bool titled(Desk &desk, Desk::Window w, const std::string &part)
{
    return desk.title(w).find(part) != std::string::npos;
}

/* A block of a recording: so many ms after its beginning these bytes came. */
std::string recorded(const std::string &bytes, unsigned ms)
{
    return u32(static_cast<uint32_t>(bytes.size())) + bytes +
           std::string((4 - bytes.size() % 4) % 4, '\0') + u32(ms);
}

const int WIDTH = 600, HEIGHT = 400;

/* Another colour every 20 seconds, for a minute. */
const uint32_t COLOURS[] = {0x204060, 0x602040, 0x206040, 0x606020};

std::string minute()
{
    std::string all;
    for (unsigned i = 0; i < 4; i++)
        all += recorded(raw_screen(WIDTH, HEIGHT, COLOURS[i]), 20000 * i);
    return all;
}

const int SMALL_WIDTH = 400, SMALL_HEIGHT = 300;

/* A minute, in the middle of which the desktop becomes smaller. */
std::string shrinking()
{
    return recorded(raw_screen(WIDTH, HEIGHT, COLOURS[0]), 0) +
           recorded(update(1) + rectangle(0, 0, SMALL_WIDTH, SMALL_HEIGHT, PSEUDO_DESKTOP_SIZE) +
                        raw_screen(SMALL_WIDTH, SMALL_HEIGHT, COLOURS[1]),
                    30000) +
           recorded(raw_screen(SMALL_WIDTH, SMALL_HEIGHT, COLOURS[2]), 60000);
}

std::string film_file(const TempDir &dir, const std::string &blocks)
{
    const std::string file = dir.file("film.fbs");
    write_file(
        file,
        "FBS 001.000\n" +
            recorded("RFB 003.003\n" + u32(1) + handshake(WIDTH, HEIGHT, "film").back().bytes, 0) +
            blocks);
    return file;
}

/* The program that plays it: by itself it would take hours to the next colour. */
struct Player {
    TempDir dir;
    Desk desk;
    std::unique_ptr<Process> process;
    Desk::Window window = 0;

    explicit Player(const char *speed, const std::string &blocks = minute(),
                    std::vector<std::string> more = {})
    {
        more.insert(more.end(), {"--play", film_file(dir, blocks), "--speed", speed});
        process = ShownViewer::start(desk.name(), "", more);
        REQUIRE(wait_until(PATIENCE, [&] {
            window = desk.find_desktop();
            return window || !process->running();
        }));
        INFO(process->err());
        REQUIRE(window);
    }
    /* In the middle, where no message lies. */
    bool shows(uint32_t colour)
    {
        return wait_until(PATIENCE, [&] {
            const Image i = desk.capture(window);
            return i.width == WIDTH && i.at(WIDTH / 2, HEIGHT / 2) == colour;
        });
    }
    bool is_sized(int w, int h)
    {
        return wait_until(PATIENCE, [&] {
            const struct rect r = desk.place(window);
            return r.w == w && r.h == h;
        });
    }
    bool says(const std::string &part)
    {
        const bool is = wait_until(PATIENCE, [&] { return titled(desk, window, part); });
        if (!is)
            UNSCOPED_INFO(desk.title(window));
        return is;
    }
    int counts(const std::string &words)
    {
        const std::string err = process->err();
        int n = 0;
        for (size_t at = 0; (at = err.find(words, at)) != std::string::npos; at++)
            n++;
        return n;
    }
    /* XK_Left: back; XK_Right: forward. */
    void move_a_minute(unsigned long key)
    {
        desk.key(XK_Shift_L, true);
        desk.tap(key);
        desk.key(XK_Shift_L, false);
    }
    void end()
    {
        CHECK(process->running());
        desk.close_window(window);
        CHECK(process->wait(PATIENCE) == 0);
    }
};

} // namespace

TEST_CASE("window: a recording is named in the title, and played it shows the same", "[window]")
{
    auto server = can_run() ? start_tigervnc({400, 300, {}, true}) : nullptr;
    if (!server)
        return;
    TempDir dir;
    std::string file = dir.file("a.fbs");
    const Image shown(400, 300, 0x204060);
    Desk desk;
    {
        ShownViewer viewer(desk, *server, {"--record", file});
        server->screen->fill(0x204060);
        CHECK(viewer.wait_shows(shown));
        CHECK(wait_until(PATIENCE,
                         [&] { return titled(desk, viewer.window(), " - recording - vnchl"); }));
        desk.close_window(viewer.window());
        CHECK(viewer.process().wait(PATIENCE) == 0);
    }
    server->screen->fill(0x602040); /* nothing of what is to be shown comes from it */
    auto player = ShownViewer::start(desk.name(), "", {"--play", file, "--speed", "max"});
    Desk::Window w = 0;
    REQUIRE(wait_until(PATIENCE, [&] {
        w = desk.find_desktop();
        return w || !player->running();
    }));
    REQUIRE(w);
    /* the end is told for a while, above the picture */
    CHECK(wait_until(PATIENCE, [&] {
        return player->err().find("the recording has ended") != std::string::npos;
    }));
    CHECK(wait_until(PATIENCE, [&] { return desk.capture(w) == shown; }));
    CHECK_FALSE(titled(desk, w, "recording"));
    CHECK(player->running());
    desk.close_window(w);
    CHECK(player->wait(PATIENCE) == 0);
}

TEST_CASE("window: a recording is moved in, by its keys and by the menu", "[window][player]")
{
    if (!can_run())
        return;
    Player p("0.01");
    CHECK(p.shows(COLOURS[0]));
    CHECK(p.says("0:00 of 1:00 - "));
    p.desk.tap(XK_Right);
    CHECK(p.says("0:10 of 1:00 - "));
    CHECK(p.shows(COLOURS[0]));
    p.desk.tap(XK_Right);
    CHECK(p.says("0:20 of 1:00 - "));
    CHECK(p.shows(COLOURS[1]));
    p.desk.tap(XK_Right);
    p.desk.tap(XK_Right);
    CHECK(p.shows(COLOURS[2]));
    p.desk.tap(XK_Left); /* what is earlier is played from the beginning, out of sight */
    CHECK(p.says("0:30 of 1:00 - "));
    CHECK(p.shows(COLOURS[1]));
    p.desk.tap(XK_F8);
    p.desk.type("gb"); /* the same by the menu */
    CHECK(p.says("0:20 of 1:00 - "));
    p.desk.tap(XK_F8);
    p.desk.type("gb");
    CHECK(p.says("0:10 of 1:00 - "));
    CHECK(p.shows(COLOURS[0]));
    p.move_a_minute(XK_Right); /* a minute: to the end */
    CHECK(p.shows(COLOURS[3]));
    CHECK(wait_until(PATIENCE, [&] {
        return p.process->err().find("the recording has ended. Space plays it again") !=
               std::string::npos;
    }));
    p.desk.tap(XK_Left);
    CHECK(p.says("0:50 of 1:00 - "));
    CHECK(p.shows(COLOURS[2]));
    p.desk.tap(XK_Home);
    CHECK(p.says("0:00 of 1:00 - "));
    CHECK(p.shows(COLOURS[0]));
    p.end();
}

TEST_CASE("window: a recording is paused, and moved in while it is", "[window][player]")
{
    if (!can_run())
        return;
    Player p("0.01");
    CHECK(p.shows(COLOURS[0]));
    p.desk.tap(XK_space);
    CHECK(p.says("paused at 0:00 of 1:00"));
    p.desk.tap(XK_Right);
    p.desk.tap(XK_Right);
    p.desk.tap(XK_Right);
    CHECK(p.says("paused at 0:30 of 1:00"));
    CHECK(p.shows(COLOURS[1]));
    p.desk.tap(XK_Left);
    p.desk.tap(XK_Left);
    CHECK(p.says("paused at 0:10 of 1:00"));
    CHECK(p.shows(COLOURS[0]));
    p.desk.tap(XK_space);
    /* what is said of a pause has the place in it, too */
    CHECK(wait_until(PATIENCE, [&] { return !titled(p.desk, p.window, "paused"); }));
    CHECK(p.says("0:10 of 1:00 - "));
    p.end();
}

TEST_CASE("window: a recording that is paused at its beginning shows its first picture",
          "[window][player]")
{
    if (!can_run())
        return;
    Player p("1", recorded(raw_screen(WIDTH, HEIGHT, COLOURS[0]), 500) +
                      recorded(raw_screen(WIDTH, HEIGHT, COLOURS[1]), 20000) +
                      recorded(raw_screen(WIDTH, HEIGHT, COLOURS[2]), 60000));
    CHECK(p.shows(COLOURS[0]));
    p.desk.tap(XK_space);
    CHECK(p.says("paused at 0:0"));
    p.desk.tap(XK_Right);
    p.desk.tap(XK_Right);
    CHECK(p.shows(COLOURS[1]));
    p.move_a_minute(XK_Left); /* a minute: before the picture has come */
    CHECK(p.shows(COLOURS[0]));
    CHECK(p.says("paused at 0:0"));
    p.end();
}

/* Plays the end, and the beginning again by Home: the message of the end goes. By itself it would
 * go after 8 s. Returns whether it went sooner; a try that took longer tells nothing. */
static bool end_goes_with_home(Player &p, int tries_before)
{
    const auto start = std::chrono::steady_clock::now();
    const Image first(WIDTH, HEIGHT, COLOURS[0]), last(WIDTH, HEIGHT, COLOURS[3]);

    p.move_a_minute(XK_Right);
    CHECK(p.shows(COLOURS[3]));
    CHECK(
        wait_until(PATIENCE, [&] { return p.counts("Space plays it again") == tries_before + 1; }));
    /* it lies above the picture */
    CHECK(wait_until(PATIENCE, [&] { return !(p.desk.capture(p.window) == last); }));
    p.desk.tap(XK_Home);
    CHECK(p.shows(COLOURS[0]));
    CHECK(p.says("0:00 of 1:00 - "));
    CHECK(wait_until(PATIENCE, [&] { return p.desk.capture(p.window) == first; }));
    return std::chrono::steady_clock::now() - start < std::chrono::seconds(8);
}

TEST_CASE("window: that a recording has ended is not said when it is played again",
          "[window][player]")
{
    if (!can_run())
        return;
    Player p("0.01");
    CHECK(p.shows(COLOURS[0]));
    CHECK(p.says("0:00 of 1:00 - "));
    bool gone = false;
    for (int i = 0; i < 5 && !gone; i++) /* on a busy machine a try may take longer */
        gone = end_goes_with_home(p, i);
    CHECK(gone);
    p.end();
}

TEST_CASE("window: keys that follow each other at once are one move", "[window][player]")
{
    if (!can_run())
        return;
    Player p("0.01", minute(), {"--verbose"});
    CHECK(p.shows(COLOURS[0]));
    CHECK(p.says("0:00 of 1:00 - "));
    p.move_a_minute(XK_Right);
    CHECK(p.shows(COLOURS[3]));
    CHECK(wait_until(PATIENCE, [&] { return p.counts("Space plays it again") == 1; }));
    for (int i = 0; i < 6; i++)
        p.desk.tap(XK_Left);
    CHECK(p.says("0:00 of 1:00 - "));
    CHECK(p.shows(COLOURS[0]));
    CHECK(p.counts("another session plays the recording") < 6);
    p.end();
}

TEST_CASE("window: it has the size that the desktop has at the place", "[window][player]")
{
    if (!can_run())
        return;
    Player p("0.01", shrinking());
    CHECK(p.is_sized(WIDTH, HEIGHT));
    CHECK(p.says("0:00 of 1:00 - "));
    for (int i = 0; i < 5; i++)
        p.desk.tap(XK_Right);
    CHECK(p.says("0:50 of 1:00 - "));
    CHECK(p.is_sized(SMALL_WIDTH, SMALL_HEIGHT));
    p.desk.tap(XK_Left); /* the size at the beginning is another one */
    CHECK(p.says("0:40 of 1:00 - "));
    CHECK(p.is_sized(SMALL_WIDTH, SMALL_HEIGHT));
    p.desk.tap(XK_Left);
    p.desk.tap(XK_Left);
    CHECK(p.says("0:20 of 1:00 - "));
    CHECK(p.is_sized(WIDTH, HEIGHT));
    CHECK(p.shows(COLOURS[0]));
    p.end();
}

TEST_CASE("window: a recording that has ended is played again", "[window][player]")
{
    if (!can_run())
        return;
    Player p("max");
    auto ended = [&](int times) {
        return wait_until(PATIENCE, [&] { return p.counts("the recording has ended") == times; });
    };
    CHECK(ended(1));
    CHECK(p.shows(COLOURS[3]));
    p.desk.tap(XK_space);
    CHECK(ended(2));
    CHECK(p.shows(COLOURS[3]));
    CHECK(p.process->err().find("connected again") == std::string::npos);
    p.end();
}
