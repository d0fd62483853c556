/* Marks on the screen of a real server, seen by vnchl-lab-eye on the viewer's window and by
 * headless mode in the picture: both have to see frames, and every press answered. No benchmark. */
#include <cjson/cJSON.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/e2e/json.hpp"
#include "tests/e2e/marked.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

std::string event_name(const cJSON *line)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(line, "event");
    return cJSON_IsString(item) ? item->valuestring : "";
}

Command eye(std::vector<std::string> arguments)
{
    Command c;
    c.argv = std::move(arguments);
    c.argv.insert(c.argv.begin(), getenv("VNCHL_LAB_EYE"));
    return c;
}

std::unique_ptr<Server> marked_server()
{
    XvncOptions o;
    o.with_screen = false;
    return !installed("Xvfb") ? nullptr : start_tigervnc(o);
}

std::unique_ptr<Process> viewer_on(const SeenDisplay &display, const Server &server)
{
    Command c = vnchl({server.address});
    c.env["DISPLAY"] = display.name;
    c.env["XMODIFIERS"] = "@im=none";
    c.unset = {"WAYLAND_DISPLAY", "SDL_VIDEODRIVER"};
    return std::make_unique<Process>(c);
}

/* The content shows 20 frames a second and is pressed 5 times a second, for 3 s. How many of them
 * are seen, and when, depends on the machine; what is seen must agree with itself. */
constexpr double FPS = 20;

int length(const cJSON *object, const char *key)
{
    return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, key));
}

void check_sightings(const cJSON *s)
{
    REQUIRE(cJSON_IsObject(s));
    CHECK(number(s, "duration_s") > 0);
    CHECK(number(s, "looks_per_s") > 0);
    CHECK(number(s, "frames") > 1);
    CHECK(number(s, "frames") <= number(s, "last_number") - number(s, "first_number") + 1);
    CHECK(number(s, "fps") > 0);
    CHECK(number(s, "torn_share") >= 0);
    CHECK(number(s, "torn_share") <= 1);
    CHECK(number(s, "age_ms.p5") > 0);
    CHECK(number(s, "age_ms.p50") <= number(s, "age_ms.max"));
    CHECK(number(s, "gap_ms.p95") <= number(s, "gap_ms.max"));
    for (const char *each : {"ages_ms", "seen_ms", "numbers"})
        CHECK(length(s, each) == number(s, "frames"));
    CHECK(number(s, "presses") >= 1);
    CHECK(number(s, "presses") <= number(s, "duration_s") / 0.15 + 2); /* 75 % of the period */
    CHECK(number(s, "responses") >= 1);
    CHECK(number(s, "responses") + number(s, "responses_lost") == number(s, "presses"));
    CHECK(length(s, "responses_ms") == number(s, "responses"));
    CHECK(number(s, "response_ms.p5") > 0);
}

} // namespace

TEST_CASE("the eye sees what the viewer's window shows", "[marks]")
{
    auto server = marked_server();
    if (!server)
        return;
    SeenDisplay display;
    MarkedContent content(server->display, FPS);
    auto viewer = viewer_on(display, *server);
    for (std::string press : {"key", "click"}) {
        INFO(press);
        int before = content.presses();
        Finished f = run(
            eye({"--frame-buffer", display.frame_buffer(), "--display", display.name,
                 "--press-every", "200", "--press", press, "--warm-up", "1", "--duration", "3"}));
        INFO(f.err << f.out << viewer->err());
        REQUIRE(f.status == 0);
        CHECK(f.err.empty());
        std::istringstream lines(f.out);
        std::string line;
        double last = 0;
        for (std::string expected : {"first_picture", "begin", "end"}) {
            REQUIRE(std::getline(lines, line));
            Json j = parse(line);
            CHECK(event_name(j.get()) == expected);
            CHECK(number(j.get(), "at_s") > last);
            last = number(j.get(), "at_s");
            if (expected != "end")
                continue;
            check_sightings(cJSON_GetObjectItemCaseSensitive(j.get(), "sightings"));
            CHECK(content.presses() - before >= number(j.get(), "sightings.responses"));
        }
        CHECK_FALSE(std::getline(lines, line));
    }
}

TEST_CASE("headless mode sees the same in the picture", "[marks]")
{
    auto server = marked_server();
    if (!server)
        return;
    MarkedContent content(server->display, FPS);
    for (std::string prp : {"off", "auto"}) {
        INFO(prp);
        Finished f = run(vnchl({"--headless", "--marks", "--press-every", "200", "--warm-up", "1",
                                "--duration", "3", "--prp", prp, "--json", "-", server->address}));
        INFO(f.err << f.out);
        REQUIRE(f.status == 0);
        Json j = parse(f.out);
        REQUIRE(j);
        check_sightings(cJSON_GetObjectItemCaseSensitive(j.get(), "marks"));
        CHECK(f.took >= seconds(4));                   /* with the warm-up */
        CHECK(number(j.get(), "requests.first") == 0); /* part of the warm-up */
    }
}

TEST_CASE("headless mode: the run ends before there are marks", "[marks]")
{
    auto server = marked_server();
    if (!server)
        return;
    TempDir dir;
    std::string log = dir.file("log.csv");
    Process p(vnchl({"--headless", "--marks", "--duration", "5", "--log", log, server->address}));
    /* its first row: it is connected and looks for marks */
    REQUIRE(wait_until(PATIENCE, [&] {
        std::string rows = read_file(log);
        return std::count(rows.begin(), rows.end(), '\n') >= 2;
    }));
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE) == 1);
    CHECK(p.err().compare(0, 7, "vnchl: ") == 0);
    CHECK(p.err().find("warm-up") != std::string::npos);

    MarkedContent content(server->display, FPS); /* and now there are */
    Finished f = run(vnchl({"--headless", "--marks", "--duration", "1", server->address}));
    INFO(f.err << f.out);
    CHECK(f.status == 0);
    CHECK(f.out.find("marked frames per second") != std::string::npos);
}

TEST_CASE("the eye says what is wrong", "[marks]")
{
    if (!installed("Xvfb"))
        return;
    SeenDisplay display;
    std::string good = read_file(display.frame_buffer());
    REQUIRE(good.size() > 1000);
    std::string damaged = good;
    damaged[7] = 9; /* of another version */
    TempDir dir;
    write_file(dir.file("short"), good.substr(0, good.size() - 5000));
    write_file(dir.file("tiny"), good.substr(0, 50));
    write_file(dir.file("damaged"), damaged);
    std::string screen = display.frame_buffer();

    for (const auto &[arguments, cause] :
         std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{}, "--frame-buffer"},
             {{"--frame-buffer", dir.file("none")}, "No such file"},
             {{"--frame-buffer", dir.path()}, "no X window dump"},
             {{"--frame-buffer", dir.file("tiny")}, "no X window dump"},
             {{"--frame-buffer", dir.file("short")}, "shorter"},
             {{"--frame-buffer", dir.file("damaged")}, "no X window dump"},
             {{"--frame-buffer", screen, "--press-every", "100"}, "--display"},
             {{"--frame-buffer", screen, "--press-every", "100", "--display", ":4321"}, ":4321"},
             {{"--frame-buffer", screen, "--duration", "never"}, "'never'"},
             {{"--frame-buffer", screen, "--frames", "9"}, "'--frames'"},
             {{"--frame-buffer", screen, "more"}, "'more'"},
             {{"--frame-buffer", screen, "--press", "hard"}, "'hard'"},
             {{"--frame-buffer", screen, "--scene", "noise"}, "'noise' is no content"},
             {{"--frame-buffer", screen, "--scene", "presses"}, "'presses' is no content"},
             {{"--frame-buffer", screen, "--scene", "video", "--size", "9x9"}, "--size 9x9"},
             {{"--frame-buffer", screen, "--limit", "0.5"}, "within 0.5 s"},
         }) {
        Finished f = run(eye(arguments));
        INFO(cause << " in: " << f.err);
        REQUIRE(f.status);
        CHECK((*f.status == 1 || *f.status == 2));
        CHECK(f.out.empty());
        CHECK(f.err.compare(0, 15, "vnchl-lab-eye: ") == 0);
        CHECK(f.err.find('\n') == f.err.size() - 1);
        CHECK(f.err.find(cause) != std::string::npos);
    }
}
