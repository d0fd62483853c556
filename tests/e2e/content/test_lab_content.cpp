/* The lab's content: each scene as a picture in memory, and vnchl-lab-content (path in the
 * environment variable VNCHL_LAB_CONTENT) on an Xvfb of the test's own. */
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tests/catch.hpp"
#include "tests/e2e/desk.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"
#include "tests/e2e/viewer.hpp"

extern "C" {
#include "tools/lab/content/scene.h"
}

/* after Catch2, which has names that are macros there */
#include <X11/Xlib.h>
#include <X11/keysym.h>

using namespace e2e;

namespace
{

struct SceneEnd {
    void operator()(struct scene *s) const
    {
        scene_destroy(s);
    }
};
using Scene = std::unique_ptr<struct scene, SceneEnd>;

Scene make(const std::string &name, uint32_t seed = 1, int w = 0, int h = 0)
{
    return Scene(scene_create(scene_kind_find(name.c_str()), w, h, seed));
}

void advance(struct scene *s, uint32_t frames)
{
    struct scene_change change;
    for (uint32_t i = 0; i < frames; i++) {
        scene_next(s, &change);
        scene_stamp(s, 0, &change);
    }
}

Image picture(const struct scene *s)
{
    Image i(s->canvas.width, s->canvas.height);
    memcpy(i.pixels.data(), s->canvas.pixels, i.pixels.size() * sizeof(uint32_t));
    return i;
}

/* What the X server does with a change. */
void apply(Image &screen, const struct scene *s, const struct scene_change &change)
{
    for (int i = 0; i < change.count; i++) {
        const struct scene_op &op = change.ops[i];
        const Image before = screen;
        for (int y = 0; y < op.area.h; y++)
            for (int x = 0; x < op.area.w; x++) {
                size_t at = static_cast<size_t>(op.area.y + y) * screen.width + op.area.x + x;
                screen.pixels[at] = op.kind == SCENE_COPY ? before.at(op.from_x + x, op.from_y + y)
                                    : op.kind == SCENE_FILL ? op.colour
                                                            : s->canvas.pixels[at];
            }
    }
}

bool mark_at(Image &image, const struct scene_place &at, enum mark_kind kind, struct mark *m)
{
    struct mark_picture p = {image.pixels.data(), image.width, image.height, image.width};
    return mark_read(&p, at.x, at.y, m) && m->kind == kind;
}

void check_marks(struct scene *s, uint32_t frame, uint32_t time, uint32_t presses)
{
    Image now = picture(s);
    struct mark m;
    if (s->frame_at.there) {
        REQUIRE(mark_at(now, s->frame_at, MARK_FRAME, &m));
        CHECK(m.number == frame);
        CHECK(m.time == time);
    }
    if (s->end_at.there) {
        REQUIRE(mark_at(now, s->end_at, MARK_FRAME_END, &m));
        CHECK(m.number == frame);
        CHECK(m.time == time);
    }
    REQUIRE(mark_at(now, s->input_at, MARK_INPUT, &m));
    CHECK(m.number == presses);
}

Image corner(const Image &image, int w, int h)
{
    Image part(w, h);
    for (int y = 0; y < h; y++)
        memcpy(&part.pixels[static_cast<size_t>(y) * w],
               &image.pixels[static_cast<size_t>(y) * image.width], static_cast<size_t>(w) * 4);
    return part;
}

void blank(Image &image, const struct scene_place &at)
{
    for (int y = at.y; at.there && y < at.y + MARK_HEIGHT; y++)
        for (int x = at.x; x < at.x + MARK_WIDTH; x++)
            image.pixels[static_cast<size_t>(y) * image.width + x] = 0;
}

/* The picture with all marks blanked. */
Image without_marks(const struct scene *s, Image image)
{
    blank(image, s->frame_at);
    blank(image, s->end_at);
    blank(image, s->input_at);
    return image;
}

Command content(std::vector<std::string> arguments, const std::string &display = "")
{
    Command c;
    c.argv = std::move(arguments);
    c.argv.insert(c.argv.begin(), getenv("VNCHL_LAB_CONTENT"));
    if (display.empty())
        c.unset = {"DISPLAY"};
    else
        c.env = {{"DISPLAY", display}};
    return c;
}

std::string script(const char *name)
{
    return std::string(getenv("VNCHL_LAB_CONTENT_SOURCE")) + "/" + name;
}

/* The content on a display, and a person in front of it. */
class Performance
{
  public:
    explicit Performance(const Command &command) : process_(command)
    {
        bool up = wait_until(
            PATIENCE, [&] { return process_.out().find("ready\n") == 0 || !process_.running(); });
        INFO(process_.err());
        REQUIRE((up && process_.running()));
    }
    Process &process()
    {
        return process_;
    }

  private:
    Process process_;
};

Image screen(Desk &desk)
{
    return desk.capture(DefaultRootWindow(desk.x()));
}

/* -1: there is none */
long number(Desk &desk, enum mark_kind kind, int *x = nullptr, int *y = nullptr)
{
    Image all = screen(desk);
    struct mark_picture p = {all.pixels.data(), all.width, all.height, all.width};
    struct mark m;
    int at_x, at_y;
    if (!mark_find(&p, kind, x ? x : &at_x, y ? y : &at_y, &m))
        return -1;
    return static_cast<long>(m.number);
}

/* One line on stderr, nothing on stdout. */
void check_refusal(const Command &command, int status, const std::string &cause)
{
    Finished f = run(command);
    INFO(f.err << f.out);
    CHECK(f.status == status);
    CHECK(f.out.empty());
    CHECK(f.err.find("vnchl-lab-content: ") == 0);
    CHECK(f.err.find('\n') == f.err.size() - 1);
    CHECK(f.err.find(cause) != std::string::npos);
}

std::vector<std::string> all_scenes()
{
    std::vector<std::string> names;
    for (int i = 0; scene_kinds[i]; i++)
        names.push_back(scene_kinds[i]->name);
    return names;
}

} // namespace

TEST_CASE("content: marks can be read in every frame of every scene", "[content]")
{
    for (const auto &name : all_scenes()) {
        INFO(name);
        Scene s = make(name);
        struct scene_change change;
        check_marks(s.get(), 0, 0, 0);
        for (uint32_t n = 1; n <= 60 && s->kind->step; n++) {
            scene_next(s.get(), &change);
            scene_stamp(s.get(), 1000 + n, &change);
            check_marks(s.get(), n, 1000 + n, 0);
        }
        scene_press(s.get(), 7, &change);
        scene_press(s.get(), 8, &change);
        check_marks(s.get(), s->frame, s->kind->step ? 1060 : 0, 2);
        CHECK(change.count == 1);
    }
}

TEST_CASE("content: the same seed and frame number give the same picture", "[content]")
{
    for (const auto &name : all_scenes()) {
        Scene a = make(name), b = make(name), other = make(name, 2);
        if (!a->kind->step)
            continue;
        INFO(name);
        /* past the point where a terminal scrolls, and where the pages begin anew; a menu is open
         */
        uint32_t frames = name == "typing" ? 2600 : name == "menu" ? 71 : 70;
        advance(a.get(), frames);
        /* painted at once, not in steps */
        b->kind->paint(b.get(), frames);
        Image whole = without_marks(a.get(), picture(a.get()));
        INFO(difference(whole, without_marks(b.get(), picture(b.get()))));
        CHECK(whole == without_marks(b.get(), picture(b.get())));
        other->kind->paint(other.get(), frames);
        bool depends = name != "letter" && name != "fill" && name != "bitmap";
        CHECK((whole != without_marks(other.get(), picture(other.get()))) == depends);
    }
}

TEST_CASE("content: some scenes stand still as long as they have moved, others never", "[content]")
{
    for (const auto &name : all_scenes()) {
        INFO(name);
        Scene s = make(name);
        for (double fps : {0.1, 7.0, 30.0}) {
            auto each = static_cast<uint64_t>(std::max(1.0, s->kind->rest_s * fps));
            for (uint64_t slot = 0, last = 0; slot < 8 * each; slot++) {
                uint64_t next = scene_slot(s.get(), slot, fps);
                bool still = s->kind->rest_s > 0 && slot / each % 2 == 1;
                CHECK((next == slot) == !still);
                CHECK(next >= last);
                CHECK(scene_slot(s.get(), next, fps) == next);
                last = next;
            }
        }
    }
    CHECK(make("starts")->kind->rest_s > 0);
    CHECK(make("video")->kind->rest_s == 0);
}

TEST_CASE("content: changes add up to the picture, and every frame has some", "[content]")
{
    for (const auto &name : all_scenes())
        for (bool other_size : {false, true}) {
            Scene s = make(name, 3, other_size ? 491 : 0, other_size ? 389 : 0);
            if (!s->kind->step || (other_size && name == "pages"))
                continue;
            INFO(name << (other_size ? ", another size" : ""));
            Image shown = picture(s.get());
            int changed = 0;
            const uint32_t frames = name == "typing" ? 2600 : 64;
            for (uint32_t n = 1; n <= frames; n++) {
                struct scene_change change;
                Image before = without_marks(s.get(), shown);
                scene_next(s.get(), &change);
                scene_stamp(s.get(), n, &change);
                apply(shown, s.get(), change);
                changed += before != without_marks(s.get(), shown);
                const struct scene_op &last = change.ops[change.count - 1];
                CHECK(last.area.x <= s->frame_at.x);
                CHECK(last.area.y <= s->frame_at.y);
                if (n % 64 == 0)
                    CHECK(shown == picture(s.get()));
            }
            INFO(changed);
            if (name == "typing") /* blanks, too, move the cursor */
                CHECK(changed == 2600);
            else if (name == "drag") /* it may stand still where it turns */
                CHECK(changed >= 60);
            else
                CHECK(changed == 64);
        }
}

TEST_CASE("content: every block of the video changes in every frame", "[content]")
{
    for (auto size : {std::pair<int, int>(640, 360), {352, 240}, {320, 256}}) {
        Scene s = make("video", 1, size.first, size.second);
        Image before = picture(s.get());
        for (int n = 0; n < 20; n++) {
            advance(s.get(), 1);
            Image now = picture(s.get());
            int still = 0;
            for (int y = 0; y + 16 <= size.second; y += 16)
                for (int x = 0; x + 16 <= size.first; x += 16) {
                    bool same = true;
                    for (int r = 0; r < 16; r++)
                        same = same && memcmp(&before.pixels[(y + r) * before.width + x],
                                              &now.pixels[(y + r) * now.width + x], 64) == 0;
                    bool marked =
                        (x < MARK_WIDTH && y < MARK_HEIGHT) ||
                        (x + 16 > size.first - MARK_WIDTH && y + 16 > size.second - MARK_HEIGHT);
                    still += same && !marked;
                }
            CHECK(still == 0);
            before = now;
        }
    }
}

TEST_CASE("content: scenes that wait change the same pixels with every press", "[content]")
{
    for (const char *name : {"letter", "fill", "bitmap", "image"}) {
        INFO(name);
        Scene s = make(name);
        std::vector<int> counts;
        for (int n = 0; n < 6; n++) {
            Image before = without_marks(s.get(), picture(s.get()));
            advance(s.get(), 1);
            Image now = without_marks(s.get(), picture(s.get()));
            int count = 0;
            for (size_t i = 0; i < now.pixels.size(); i++)
                count += now.pixels[i] != before.pixels[i];
            counts.push_back(count);
        }
        for (int c : counts)
            CHECK(c == counts[0]);
        if (std::string(name) == "fill" || std::string(name) == "bitmap")
            CHECK(counts[0] == 320 * 240);
    }
}

TEST_CASE("content: raw frames", "[content]")
{
    Finished raw = run(content({"--raw", "3", "--size", "352x240"}));
    CHECK(raw.status == 0);
    CHECK(raw.out.size() == 3u * 352 * 240 * 4);
    Command check = content({"--check", "3", "--size", "352x240"});
    check.input = raw.out;
    CHECK(run(check).status == 0);
    check.argv[2] = "2";
    check_refusal(check, 1, "goes on after 2 frames");
    check.argv[2] = "4";
    check_refusal(check, 1, "ended after 3 of 4");
    std::string grey = raw.out;
    for (size_t i = 0; i < grey.size(); i++)
        grey[i] = static_cast<char>(grey[i] | 0x80);
    check.argv[2] = "3";
    check.input = grey;
    check_refusal(check, 1, "marks of frame 0");
}

TEST_CASE("content: what is refused", "[content]")
{
    check_refusal(content({}), 2, "no scene");
    check_refusal(content({"film"}), 2, "'film'");
    check_refusal(content({"video", "more"}), 2, "'more'");
    check_refusal(content({"--colour", "video"}), 2, "--colour");
    for (const char *size : {"", "x", "640", "640x", "640x360x", "10x10", "-640x360", "99999x10"})
        check_refusal(content({"video", "--size", size}), 2, "--size");
    for (const char *fps : {"", "0", "-1", "nan", "1e3", "241"})
        check_refusal(content({"video", "--fps", fps}), 2, "--fps");
    for (const char *count : {"", "0", "1.5", "x", "999999999999"}) {
        check_refusal(content({"video", "--frames", count}), 2, "--frames");
        check_refusal(content({"--raw", count}), 2, "--raw");
    }
    check_refusal(content({"typing", "--raw", "3"}), 2, "--raw");
    check_refusal(content({"presses", "--frames", "3"}), 2, "presses");
    check_refusal(content({"video"}), 1, "DISPLAY");
    check_refusal(content({"video"}, ":4711"), 1, ":4711");
    if (!installed("Xvfb"))
        return;
    Desk desk;
    check_refusal(content({"video", "--size", "1300x900"}, desk.name()), 1, "1200x900");
}

TEST_CASE("content: every scene shows what its picture is, and ends", "[content]")
{
    if (!installed("Xvfb"))
        return;
    Desk desk;
    for (const auto &name : all_scenes()) {
        INFO(name);
        Scene s = make(name);
        if (!s->kind->step)
            continue;
        bool pressed = s->kind->on_press;
        std::vector<std::string> arguments = {name, "--fps", "10"};
        if (pressed)
            arguments.insert(arguments.end(), {"--frames", "20"});
        Performance shown(content(arguments, desk.name()));
        for (int press = 0; pressed && press < 7; press++)
            desk.tap(XK_a);
        /* while it runs the screen may be on the way to the next frame: look again */
        CHECK(wait_until(PATIENCE, [&] {
            Image now = corner(screen(desk), s->canvas.width, s->canvas.height);
            struct mark m;
            if (!mark_at(now, s->frame_at, MARK_FRAME, &m) || m.number < 7 || m.number < s->frame)
                return false;
            advance(s.get(), m.number - s->frame);
            return without_marks(s.get(), now) == without_marks(s.get(), picture(s.get()));
        }));
        for (int press = 7; pressed && press < 20; press++)
            desk.tap(XK_a);
        if (!pressed)
            shown.process().signal(SIGTERM);
        CHECK(shown.process().wait(PATIENCE) == 0);
        INFO(shown.process().out());
        CHECK(shown.process().err().empty());
        if (pressed)
            continue;
        Finished f = run(content({name, "--fps", "100", "--frames", "20"}, desk.name()));
        CHECK(f.status == 0);
        CHECK(f.out.find("drew 20 frames") != std::string::npos);
        CHECK(f.err.empty());
    }
}

TEST_CASE("content: keys and clicks are counted, wherever the pointer is", "[content]")
{
    if (!installed("Xvfb"))
        return;
    Desk desk;
    for (const char *name : {"video", "pages", "presses", "fill"}) {
        INFO(name);
        Performance shown(content({name}, desk.name()));
        CHECK(number(desk, MARK_INPUT) == 0);
        for (int i = 1; i <= 5; i++) {
            desk.tap(i % 2 ? XK_a : XK_Return);
            CHECK(wait_until(PATIENCE, [&] { return number(desk, MARK_INPUT) == i; }));
        }
        for (int i = 0; i < 2; i++) {
            desk.move(i ? 1150 : 20, i ? 850 : 100);
            desk.button(1, true);
            desk.button(1, false);
        }
        CHECK(wait_until(PATIENCE, [&] { return number(desk, MARK_INPUT) == 7; }));
        shown.process().signal(SIGTERM);
        CHECK(shown.process().wait(PATIENCE) == 0);
        CHECK(shown.process().err().empty());
    }
}

TEST_CASE("content: without waiting for an X server that shares no memory", "[content]")
{
    if (!installed("Xvfb"))
        return;
    Desk desk(false, {"-extension", "MIT-SHM"});
    Performance shown(content({"video", "--no-sync"}, desk.name()));
    desk.tap(XK_a);
    CHECK(wait_until(PATIENCE, [&] { return number(desk, MARK_INPUT) == 1; }));
    CHECK(wait_until(PATIENCE, [&] { return number(desk, MARK_FRAME) > 5; }));
    shown.process().signal(SIGTERM);
    CHECK(shown.process().wait(PATIENCE) == 0);
    CHECK(shown.process().err().empty());
    Finished f =
        run(content({"video", "--no-sync", "--fps", "100", "--frames", "20"}, desk.name()));
    CHECK(f.status == 0);
    CHECK(f.out.find("drew 20 frames") != std::string::npos);
}

TEST_CASE("content: an X server that goes away", "[content]")
{
    if (!installed("Xvfb"))
        return;
    auto desk = std::make_unique<Desk>();
    Performance shown(content({"video"}, desk->name()));
    desk.reset();
    CHECK(shown.process().wait(PATIENCE) == 1);
    CHECK(shown.process().err().find("has gone away") != std::string::npos);
}

TEST_CASE("content: a video file, played by a real player", "[content]")
{
    if (!installed("Xvfb") || !installed("ffmpeg"))
        return;
    TempDir dir;
    std::string file = dir.file("video.mpg");
    Command c;
    c.argv = {script("make-video.sh"), dir.file("no/such/folder/video.mpg")};
    CHECK(run(c).status == 1);
    c.argv = {script("make-video.sh"), file};
    Finished made = run(c);
    INFO(made.err);
    REQUIRE(made.status == 0);
    if (!installed("mpv") || !installed("xdotool"))
        return;

    Desk desk;
    c.argv = {script("play-video.sh"), dir.file("none.mpg")};
    c.env = {{"DISPLAY", desk.name()}};
    Finished none = run(c);
    CHECK(none.status == 1);
    CHECK(none.err.find("none.mpg") != std::string::npos);
    c.argv = {script("play-video.sh"), file};
    Performance shown(c);
    int x = -1, y = -1;
    long first = -1;
    REQUIRE(wait_until(PATIENCE, [&] { return (first = number(desk, MARK_FRAME, &x, &y)) >= 0; }));
    CHECK(x <= 1); /* unscaled, in the corner */
    CHECK(y <= 1);
    CHECK(wait_until(PATIENCE, [&] { return number(desk, MARK_FRAME_END) > first; }));
    CHECK(number(desk, MARK_INPUT) == 0);
    desk.tap(XK_a);
    desk.move(100, 100); /* over the player's window */
    desk.button(1, true);
    desk.button(1, false);
    CHECK(wait_until(PATIENCE, [&] { return number(desk, MARK_INPUT) == 2; }));
    shown.process().signal(SIGTERM);
    CHECK(shown.process().wait(PATIENCE) == 0);
    /* both are gone as soon as the X server notices */
    CHECK(wait_until(PATIENCE, [&] {
        return number(desk, MARK_INPUT) == -1 && number(desk, MARK_FRAME) == -1;
    }));
}

TEST_CASE("content: the demo server's film with marks, and without", "[content]")
{
    auto read = [](Viewer &viewer, enum mark_kind kind, struct mark *m) {
        Image now = viewer.picture();
        struct mark_picture p = {now.pixels.data(), now.width, now.height, now.width};
        int x, y;
        return now.width > 0 && mark_find(&p, kind, &x, &y, m);
    };
    for (const char *size : {"1024x768", "320x240"}) {
        INFO(size);
        auto demo = start_demo_server({"--marks", "--size", size});
        ViewerOptions options;
        options.address = demo.address();
        Viewer viewer(options);
        REQUIRE(viewer.wait_connected());
        struct mark first, m;
        CHECK(viewer.wait_for(PATIENCE, [&] { return read(viewer, MARK_FRAME, &first); }));
        CHECK(viewer.wait_for(PATIENCE, [&] {
            return read(viewer, MARK_FRAME, &m) && m.number > first.number && m.time != 0;
        }));
        CHECK(viewer.wait_for(PATIENCE, [&] { return read(viewer, MARK_FRAME_END, &m); }));
        REQUIRE(viewer.wait_for(PATIENCE, [&] { return read(viewer, MARK_INPUT, &m); }));
        CHECK(m.number == 0);
        viewer.key(XK_a, true);
        viewer.key(XK_a, false);
        viewer.pointer(230, 60, 1); /* where the mark is on the small one */
        viewer.pointer(230, 60, 0);
        CHECK(viewer.wait_for(
            PATIENCE, [&] { return read(viewer, MARK_INPUT, &m) && m.number == 2 && m.time; }));
    }
    auto demo = start_demo_server();
    ViewerOptions options;
    options.address = demo.address();
    Viewer viewer(options);
    REQUIRE(viewer.wait_connected());
    struct mark m;
    CHECK(viewer.wait_for(PATIENCE, [&] { return colours(viewer.picture()) == 64; }));
    CHECK(!read(viewer, MARK_FRAME, &m));
    CHECK(!read(viewer, MARK_INPUT, &m));
}
