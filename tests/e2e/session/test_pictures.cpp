/* After motion stops, the viewer shows the server's screen: every server, every encoding, every
 * request policy. */
#include <set>

#include "rfb/film/decoder.h"
#include "tests/e2e/check.hpp"

using namespace e2e;

namespace
{

using Starter = std::unique_ptr<Server> (*)(const XvncOptions &);

const char *const ENCODINGS[] = {"raw",     "copyrect", "rre",   "corre",
                                 "hextile", "zlib",     "tight", "zrle"};

/* Each shows nearly the same content again. Only a server that never does it gets that far. */
const int TRIES = 30;

std::string offer(const std::string &encoding)
{
    return encoding == "raw" ? encoding : encoding + ",raw";
}

std::set<std::string> names(uint32_t seen)
{
    std::set<std::string> out;
    for (int row = 0; row < 32; row++)
        if (seen >> row & 1)
            out.insert(row < ENCODINGS_MAX ? encoding_name(encoding_number(row)) : "?");
    return out;
}

std::string join(const std::set<std::string> &all)
{
    std::string out;
    for (const auto &s : all)
        out += (out.empty() ? "" : " ") + s;
    return out;
}

/* Motion, then stillness; the pictures must agree. Each time it ends with another picture: a server
 * that shows all of it at once has something to send, too. */
void watch_motion(Server &server, Viewer &viewer)
{
    static int last = 20;
    require_first_picture(viewer);
    server.screen->animate(20);
    server.screen->draw(last++);
    server.screen->settle();
    check_picture(viewer, server.screen->capture());
    CHECK(wait_until(PATIENCE, [&] { return viewer.stats().meter.updates >= 2; }));
}

void watch(Server &server, Viewer &viewer)
{
    require_connected(viewer);
    watch_motion(server, viewer);
}

/* Each encoding alone (and raw, which a server may always use). What the server is known to
 * implement must have been used; the rest it may ignore. */
void every_encoding(Starter start, const std::set<std::string> &implemented)
{
    auto server = start({});
    if (!server)
        return;
    std::set<std::string> seen;
    for (const char *encoding : ENCODINGS) {
        INFO("offered: " << offer(encoding));
        ViewerOptions o = to(*server);
        o.encodings = offer(encoding);
        Viewer viewer(o);
        require_connected(viewer);
        std::set<std::string> used;
        /* A server that falls behind merges frames, and may then find nothing to copy. */
        for (int tries = 0;
             tries == 0 || (implemented.count(encoding) && !used.count(encoding) && tries < TRIES);
             tries++) {
            watch_motion(*server, viewer);
            used = names(viewer.stats().encodings_seen);
        }
        INFO("used: " << join(used));
        CHECK_FALSE(used.empty());
        for (const auto &name : used) /* nothing that was not offered */
            CHECK((name == encoding || name == "raw"));
        seen.insert(used.begin(), used.end());
    }
    for (const auto &name : implemented) {
        INFO(name);
        CHECK(seen.count(name) == 1);
    }
    WARN(server->name << " used: " << join(seen));
}

void every_policy(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    for (prp_policy policy : {PRP_OFF, PRP_FIXED, PRP_AUTO})
        for (double prp_ms : {5.0, 40.0}) {
            if (policy != PRP_FIXED && prp_ms != 40)
                continue;
            INFO("policy " << policy << ", " << prp_ms << " ms");
            ViewerOptions o = to(*server);
            o.policy = policy;
            o.prp_ms = prp_ms;
            Viewer viewer(o);
            watch(*server, viewer);
            auto m = viewer.stats().meter;
            CHECK(m.requests[REQUEST_FIRST] == 1);
            /* A still screen is asked again and again, or not at all. */
            auto timed = [&] { return viewer.stats().meter.requests[REQUEST_TIMER] > 0; };
            if (policy == PRP_OFF)
                CHECK(m.requests[REQUEST_TIMER] == 0);
            else
                CHECK(wait_until(PATIENCE, timed));
        }
}

/* Both compression extremes, for the filters and palettes they choose. */
void tight_levels(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    for (int compress : {0, 1, 6, 9}) {
        INFO("compression level " << compress);
        ViewerOptions o = to(*server);
        o.encodings = "tight,copyrect,raw";
        o.compress = compress;
        Viewer viewer(o);
        watch(*server, viewer);
    }
}

void jpeg(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    ViewerOptions o = to(*server);
    o.encodings = "tight,copyrect,raw";
    o.jpeg = true;
    o.quality = 6;
    Viewer viewer(o);
    require_connected(viewer);
    server->screen->animate(20);
    Image expected = server->screen->capture();
    double error = 255;
    viewer.wait_for(PATIENCE, [&] { return (error = mean_error(viewer.picture(), expected)) < 6; });
    CHECK(error < 6);
    CHECK(names(viewer.stats().encodings_seen).count("tight") == 1);
}

/* What came as JPEG is there without loss soon after it stands still, every time. */
void lossless_refresh(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    ViewerOptions o = to(*server);
    o.encodings = "tight,copyrect,raw";
    o.jpeg = true;
    o.quality = 1;
    o.compress = 7; /* TightVNC: JPEG at all */
    o.lossless_refresh = true;
    Viewer viewer(o);
    require_connected(viewer);
    auto refreshes = [&] { return viewer.stats().meter.requests[REQUEST_REFRESH]; };
    /* A server may come first with a refresh of its own. */
    for (int i = 0; i < 3 || (refreshes() == 0 && i < TRIES); i++) {
        server->screen->animate(10);
        check_picture(viewer, server->screen->capture());
    }
    CHECK(refreshes() > 0);
    CHECK(refreshes() < 100);
}

/* All that is offered without a word of the user's, H.264 first, which none of these servers has:
 * they pass over it, in every SetEncodings. */
void usual_encodings(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    film_decoder_load();
    ViewerOptions o = to(*server);
    o.jpeg = true;
    o.quality = o.compress = LEVEL_AUTO;
    o.lossless_refresh = true;
    Viewer viewer(o);
    require_connected(viewer);
    for (int i = 0; i < 5; i++) {
        server->screen->animate(10);
        check_picture(viewer, server->screen->capture());
    }
    std::set<std::string> used = names(viewer.stats().encodings_seen);
    INFO(join(used));
    CHECK(used.count("tight") == 1);
    CHECK(used.count("h264") == 0);
}

void two_viewers(Starter start)
{
    auto server = start({});
    if (!server)
        return;
    ViewerOptions o = to(*server);
    Viewer one(o);
    o.encodings = "hextile,raw";
    Viewer two(o);
    require_connected(one);
    require_connected(two);
    server->screen->animate(20);
    Image expected = server->screen->capture();
    check_picture(one, expected);
    check_picture(two, expected);
}

/* The pointer drawn by the server or by us: with no local cursor the picture has it. */
void sizes(Starter start)
{
    for (auto [width, height] : {std::pair<int, int>{200, 160}, {1028, 772}}) {
        INFO(width << "x" << height);
        XvncOptions x;
        x.width = width;
        x.height = height;
        auto server = start(x);
        if (!server)
            return;
        Viewer viewer(to(*server));
        watch(*server, viewer);
        CHECK(viewer.stats().width == width);
        CHECK(viewer.stats().height == height);
    }
}

} // namespace

#define PICTURES_OF(tag, start, ...)                                                               \
    TEST_CASE(tag ": every encoding shows the server's screen", "[" tag "]")                       \
    {                                                                                              \
        every_encoding(start, std::set<std::string>{__VA_ARGS__});                                 \
    }                                                                                              \
    TEST_CASE(tag ": every request policy shows the server's screen", "[" tag "]")                 \
    {                                                                                              \
        every_policy(start);                                                                       \
    }                                                                                              \
    TEST_CASE(tag ": every compression level is lossless", "[" tag "]")                            \
    {                                                                                              \
        tight_levels(start);                                                                       \
    }                                                                                              \
    TEST_CASE(tag ": JPEG stays close to the server's screen", "[" tag "]")                        \
    {                                                                                              \
        jpeg(start);                                                                               \
    }                                                                                              \
    TEST_CASE(tag ": what came as JPEG comes again without loss", "[" tag "]")                     \
    {                                                                                              \
        lossless_refresh(start);                                                                   \
    }                                                                                              \
    TEST_CASE(tag ": the usual encodings, H.264 among them", "[" tag "]")                          \
    {                                                                                              \
        usual_encodings(start);                                                                    \
    }                                                                                              \
    TEST_CASE(tag ": two viewers at once", "[" tag "]")                                            \
    {                                                                                              \
        two_viewers(start);                                                                        \
    }                                                                                              \
    TEST_CASE(tag ": small and large screens", "[" tag "]")                                        \
    {                                                                                              \
        sizes(start);                                                                              \
    }

PICTURES_OF("tigervnc", start_tigervnc, "raw", "copyrect", "rre", "hextile", "tight", "zrle")
PICTURES_OF("tightvnc", start_tightvnc, "raw", "copyrect", "rre", "corre", "hextile", "zlib",
            "tight")
PICTURES_OF("x11vnc", start_x11vnc, "raw", "rre", "corre", "hextile", "zlib", "tight", "zrle")

TEST_CASE("tigervnc: a screen with odd sides", "[tigervnc]")
{
    XvncOptions x;
    x.width = 517;
    x.height = 389;
    auto server = start_tigervnc(x);
    if (!server)
        return;
    for (const char *encoding : {"tight", "zrle", "hextile", "rre", "raw"}) {
        INFO(encoding);
        ViewerOptions o = to(*server);
        o.encodings = offer(encoding);
        Viewer viewer(o);
        watch(*server, viewer);
    }
}

TEST_CASE("tigervnc: a pointer the server draws is in the picture", "[tigervnc]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    server->screen->fill(0x204060);
    server->screen->define_cursor(16, 16, 0, 0);
    ViewerOptions o = to(*server);
    o.local_cursor = false;
    Viewer viewer(o);
    require_connected(viewer);
    viewer.pointer(100, 50, 0);
    auto drawn = [&] {
        Image p = viewer.picture();
        return p.width > 116 && p.at(100, 50) == 0 && p.at(105, 55) == 0xffffff &&
               p.at(99, 49) == 0x204060 && p.at(117, 67) == 0x204060;
    };
    CHECK(viewer.wait_for(PATIENCE, drawn));
    CHECK_FALSE(viewer.wait_event(SESSION_CURSOR, milliseconds(0)));
}

TEST_CASE("qemu: every encoding and policy shows the machine's screen", "[qemu]")
{
    auto server = start_qemu();
    if (!server)
        return;
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    std::set<std::string> seen;
    char key = 'a';
    auto show = [&](const ViewerOptions &o) {
        Viewer viewer(o);
        require_connected(viewer);
        for (int i = 0; i < 4; i++) { /* each key is a new picture */
            size_t before = server->keys().size();
            viewer.key(static_cast<uint32_t>(key), true);
            viewer.key(static_cast<uint32_t>(key), false);
            REQUIRE(wait_until(PATIENCE, [&] { return server->keys().size() > before; }));
            CHECK(server->keys().back() == key);
            key = static_cast<char>(key == 'z' ? 'a' : key + 1);
        }
        /* The machine still paints when it has reported the key. */
        viewer.wait_for(PATIENCE, [&] { return viewer.picture() == server->screendump(); });
        check_picture(viewer, server->screendump());
        auto used = names(viewer.stats().encodings_seen);
        seen.insert(used.begin(), used.end());
    };
    for (const char *encoding : ENCODINGS) {
        INFO("offered: " << offer(encoding));
        ViewerOptions o = to(*server);
        o.encodings = offer(encoding);
        show(o);
    }
    for (prp_policy policy : {PRP_OFF, PRP_FIXED}) {
        INFO("policy " << policy);
        ViewerOptions o = to(*server);
        o.policy = policy;
        show(o);
    }
    for (const char *name : {"raw", "hextile", "zlib", "tight", "zrle"}) {
        INFO(name);
        CHECK(seen.count(name) == 1);
    }
    WARN("QEMU used: " << join(seen));
}

TEST_CASE("wayvnc: every encoding and policy shows the output", "[wayvnc]")
{
    auto server = start_wayvnc();
    if (!server)
        return;
    std::set<std::string> seen;
    uint32_t turn = 0;
    auto show = [&](const ViewerOptions &o) {
        Viewer viewer(o);
        require_connected(viewer);
        for (int i = 0; i < 3; i++) {
            Image image(server->width, server->height);
            turn++;
            for (int y = 0; y < image.height; y++)
                for (int x = 0; x < image.width; x++)
                    image.pixels[static_cast<size_t>(y) * image.width + x] =
                        y < 100 ? turn * 0x123456 & 0xffffff
                                : ((static_cast<uint32_t>(x * y) + turn * 77) * 0x10305) & 0xffffff;
            REQUIRE(server->background(image));
            check_picture(viewer, image);
        }
        auto used = names(viewer.stats().encodings_seen);
        seen.insert(used.begin(), used.end());
    };
    for (const char *encoding : {"raw", "tight", "zrle"}) {
        INFO("offered: " << offer(encoding));
        ViewerOptions o = to(*server);
        o.encodings = offer(encoding);
        show(o);
    }
    for (prp_policy policy : {PRP_OFF, PRP_FIXED, PRP_AUTO}) {
        INFO("policy " << policy);
        ViewerOptions o = to(*server);
        o.policy = policy;
        show(o);
    }
    for (const char *name : {"raw", "tight", "zrle"}) {
        INFO(name);
        CHECK(seen.count(name) == 1);
    }
}
