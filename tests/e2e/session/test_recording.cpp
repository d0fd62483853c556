/* Sessions with real servers are recorded and played: what is shown at the end is the same. */
#include <signal.h>
#include <unistd.h>

#include "tests/e2e/check.hpp"

using namespace e2e;

namespace
{

/* A recording in a folder of its own. */
class Recorded
{
  public:
    Recorded()
    {
        struct reason why = {};
        recording_ = recording_create(file().c_str(), &why);
        INFO(why.text);
        REQUIRE(recording_);
    }
    ~Recorded()
    {
        struct reason why = {};
        recording_close(recording_, &why);
    }
    std::string file() const
    {
        return dir_.file("session.fbs");
    }
    ViewerOptions of(ViewerOptions o) const
    {
        o.recording = recording_;
        return o;
    }
    void close()
    {
        struct reason why = {};
        bool whole = recording_close(recording_, &why);
        recording_ = nullptr;
        INFO(why.text);
        REQUIRE(whole);
    }

  private:
    TempDir dir_;
    struct recording *recording_ = nullptr;
};

ViewerOptions playing(const std::string &file)
{
    ViewerOptions o;
    o.play = file;
    o.encodings = "tight,zrle,hextile,corre,rre,copyrect,raw";
    o.policy = PRP_OFF;
    o.clipboard = 0;
    return o;
}

std::string closed(Viewer &viewer)
{
    auto why = viewer.wait_closed();
    return why ? *why : "not closed";
}

void move(Server &server, Viewer &viewer)
{
    uint64_t before = viewer.stats().meter.updates;
    server.screen->animate(15);
    server.screen->settle();
    REQUIRE(viewer.wait_for(PATIENCE, [&] {
        return viewer.stats().meter.updates > before && colours(viewer.picture()) > 20;
    }));
}

/* What the newest event of a type said. */
std::optional<Event> last(Viewer &viewer, session_event_type type)
{
    std::optional<Event> found;
    while (auto e = viewer.wait_event(type, milliseconds(0)))
        found = e;
    return found;
}

/* The server ends the connection, and its screen stays as it is. An X server does so when another
 * viewer wants the desktop for itself. */
void disconnect(Server &server, Viewer &viewer, const ViewerOptions &options)
{
    if (server.name == "x11vnc") {
        server.processes.back()->signal(SIGKILL); /* Xvfb is another one */
        closed(viewer);
        return;
    }
    ViewerOptions alone = options;
    alone.recording = nullptr;
    alone.shared = false;
    Viewer other(alone);
    require_connected(other);
    closed(viewer);
}

/* All that has come from the server is decoded once the connection has ended: so the pictures must
 * be the same. */
void same_at_the_end(Server &server, const ViewerOptions &options, Recorded &recorded,
                     Viewer &viewer)
{
    disconnect(server, viewer, options);
    Image shown = viewer.picture();
    CHECK(colours(shown) > 20);
    auto cursor = last(viewer, SESSION_CURSOR);
    auto stats = viewer.stats();
    CHECK(stats.recording);
    recorded.close();

    Viewer played(playing(recorded.file()));
    require_connected(played);
    CHECK(closed(played) == "the recording has ended");
    Image again = played.picture();
    INFO(difference(again, shown));
    CHECK(again == shown);
    /* answers to the keep-alive's questions count as frames when nobody asks them */
    CHECK(played.stats().meter.updates >= stats.meter.updates);
    CHECK(played.stats().pixels == stats.pixels);
    CHECK(played.stats().encodings_seen == stats.encodings_seen);
    CHECK(std::string(played.stats().name) == stats.name);
    CHECK(played.stats().played);
    CHECK(played.stats().decode_s > 0);
    auto cursor_again = last(played, SESSION_CURSOR);
    REQUIRE(cursor_again.has_value() == cursor.has_value());
    if (cursor)
        CHECK(cursor_again->pixels == cursor->pixels);
}

using Starter = std::unique_ptr<Server> (*)(const XvncOptions &);

void record(Starter start, const std::string &encodings, bool jpeg, bool resize)
{
    auto server = start({});
    if (!server)
        return;
    INFO(encodings << (jpeg ? " with JPEG" : ""));
    ViewerOptions o = to(*server);
    o.encodings = encodings;
    o.jpeg = jpeg;
    o.clipboard = CLIPBOARD_RECEIVE;
    Recorded recorded;
    Viewer viewer(recorded.of(o));
    require_connected(viewer);
    server->screen->define_cursor(11, 13, 3, 5);
    viewer.pointer(30, 40, 0);
    move(*server, viewer);
    if (resize) {
        REQUIRE(server->screen->resize(640, 480));
        REQUIRE(viewer.wait_for(PATIENCE, [&] { return viewer.picture().width == 640; }));
        move(*server, viewer);
    }
    same_at_the_end(*server, o, recorded, viewer);
}

} // namespace

TEST_CASE("recording: TigerVNC with JPEG, a pointer and another size in between", "[recording]")
{
    record(start_tigervnc, "tight,copyrect,raw", true, true);
}

TEST_CASE("recording: TigerVNC with ZRLE and with Hextile", "[recording]")
{
    record(start_tigervnc, "zrle,copyrect,raw", false, true);
    record(start_tigervnc, "hextile,raw", false, false);
}

TEST_CASE("recording: TightVNC", "[recording]")
{
    record(start_tightvnc, "tight,copyrect,raw", true, false);
}

TEST_CASE("recording: x11vnc", "[recording]")
{
    record(start_x11vnc, "tight,copyrect,raw", true, false);
}

TEST_CASE("recording: a server that pushes", "[recording]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    ViewerOptions o = to(*server);
    o.push = true;
    Recorded recorded;
    Viewer viewer(recorded.of(o));
    require_connected(viewer);
    REQUIRE(viewer.wait_for(PATIENCE, [&] { return viewer.stats().pushed; }));
    move(*server, viewer);
    same_at_the_end(*server, o, recorded, viewer);
}

TEST_CASE("recording: what is encrypted is recorded clear, without password and challenge",
          "[recording]")
{
    TempDir dir;
    std::string password = vnc_password_file(dir, "s3cret");
    if (password.empty())
        return;
    for (const std::string types : {"VncAuth", "TLSVnc"}) {
        INFO(types);
        auto server = start_tigervnc({516, 388, {"-SecurityTypes", types, "-rfbauth", password}});
        if (!server)
            return;
        ViewerOptions o = to(*server);
        o.password = "s3cret";
        Recorded recorded;
        Viewer viewer(recorded.of(o));
        require_connected(viewer);
        move(*server, viewer);
        CHECK(viewer.times_asked() == 1);
        same_at_the_end(*server, o, recorded, viewer);
        std::string file = read_file(recorded.file());
        CHECK(file.find("s3cret") == std::string::npos);
        /* greeting, no security, ServerInit: no room for a challenge of 16 bytes */
        CHECK(file.substr(12 + 4, 12) == "RFB 003.003\n");
        CHECK(file.substr(12 + 20 + 4, 4) == std::string("\0\0\0\1", 4));
        CHECK(file.substr(12 + 20 + 12 + 4, 4) == std::string("\2\4\1\x84", 4)); /* 516 x 388 */
    }
}

TEST_CASE("recording: each connection is a part that can be played by itself", "[recording]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    Recorded recorded;
    const Image first(516, 388, 0x204060), second(516, 388, 0x602040);
    ViewerOptions o = recorded.of(to(*server));
    for (const Image &shown : {first, second}) {
        server->screen->fill(shown.at(0, 0));
        Viewer viewer(o);
        check_picture(viewer, shown);
    }
    recorded.close();
    Viewer one(playing(recorded.file())), two(playing(recorded.file() + ".2"));
    CHECK(closed(one) == "the recording has ended");
    CHECK(one.picture() == first);
    CHECK(closed(two) == "the recording has ended");
    CHECK(two.picture() == second);
    unlink((recorded.file() + ".2").c_str());
}

TEST_CASE("recording: a recorded clipboard goes nowhere", "[recording]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    Recorded recorded;
    ViewerOptions o = to(*server);
    Viewer viewer(recorded.of(o));
    require_connected(viewer);
    move(*server, viewer);
    server->screen->own_clipboard("copied there");
    bool came = server->screen->serve_until(PATIENCE, [&] {
        auto e = viewer.wait_event(SESSION_CUT_TEXT, milliseconds(10));
        return e && e->text == "copied there";
    });
    CHECK(came);
    same_at_the_end(*server, o, recorded, viewer);
    Viewer played(playing(recorded.file()));
    CHECK(closed(played) == "the recording has ended");
    CHECK_FALSE(last(played, SESSION_CUT_TEXT));
}
