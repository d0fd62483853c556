/* What headless mode measures and writes: whether the figures agree with each other, and with what
 * cannot be otherwise. How fast this machine is is no matter. */
#include <cjson/cJSON.h>
#include <iconv.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/json.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

std::string text(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    INFO(key);
    CHECK(cJSON_IsString(item));
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* Every key is there and means something. */
void check_summary(const cJSON *j, const std::string &prp)
{
    REQUIRE(cJSON_IsObject(j));
    CHECK(text(j, "prp") == prp);
    CHECK(number(j, "duration_s") > 0);
    CHECK(number(j, "updates") >= 1);
    CHECK(number(j, "fps") >= 0);
    CHECK(number(j, "requests.first") == 1);
    CHECK(number(j, "requests.reactive") >= 0);
    CHECK(number(j, "requests.input") == 0);
    CHECK(number(j, "requests.skipped") >= 0);
    if (prp == "off") {
        CHECK(number(j, "requests.timer") == 0);
        CHECK(number(j, "prp_ms") == 0);
    } else {
        CHECK(number(j, "requests.timer") >= 0); /* none when updates come faster than that */
        CHECK(number(j, "prp_ms") > 0);
    }
    CHECK(number(j, "bytes_received") > 0);
    CHECK(number(j, "bytes_sent") > 0);
    CHECK(number(j, "cpu_percent") >= 0);
    CHECK(number(j, "rtt_ms") >= 0);
    CHECK(number(j, "gap_ms.p50") >= 0);
    CHECK(number(j, "gap_ms.p95") >= number(j, "gap_ms.p50"));
    /* The percentile comes from a histogram that is right within 1.6 %. */
    CHECK(number(j, "gap_ms.max") * 1.02 >= number(j, "gap_ms.p95"));
    CHECK(number(j, "window_bytes") >= 0);
    CHECK(number(j, "width") > 0);
    CHECK(number(j, "height") > 0);
    CHECK_FALSE(text(j, "server_name").empty());
    const cJSON *seen = cJSON_GetObjectItemCaseSensitive(j, "encodings_seen");
    CHECK(cJSON_IsArray(seen));
    CHECK(cJSON_GetArraySize(seen) > 0);
}

/* A measured time is no longer than the program ran. */
void check_within(const cJSON *j, milliseconds took)
{
    CHECK(number(j, "duration_s") > 0);
    CHECK(number(j, "duration_s") <= static_cast<double>(took.count() + 1) / 1e3);
}

std::vector<std::vector<std::string>> csv(const std::string &content)
{
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(content);
    std::string line, field;
    while (std::getline(lines, line)) {
        rows.emplace_back();
        std::istringstream fields(line);
        while (std::getline(fields, field, ','))
            rows.back().push_back(field);
    }
    return rows;
}

bool is_utf8(std::string bytes)
{
    std::string out(4 * bytes.size() + 4, '\0');
    char *from = &bytes[0], *to = &out[0];
    size_t left = bytes.size(), room = out.size();
    iconv_t c = iconv_open("UTF-32", "UTF-8");
    size_t failed = iconv(c, &from, &left, &to, &room);
    iconv_close(c);
    return failed == 0 && left == 0;
}

double fps_through(const std::string &address, const std::string &prp, const std::string &seconds)
{
    Finished f =
        run(vnchl({"--headless", "--duration", seconds, "--prp", prp, "--json", "-", address}));
    INFO(f.err << f.out);
    REQUIRE(f.status == 0);
    Json j = parse(f.out);
    check_summary(j.get(), prp);
    return number(j.get(), "fps");
}

} // namespace

TEST_CASE("summary and log, with no display", "[reports]")
{
    TempDir dir;
    auto demo = start_demo_server({"--size", "320x240", "--name", "Größe \"1\""});
    for (std::string prp : {"auto", "off", "40"}) {
        INFO(prp);
        std::string log = dir.file("log.csv"), json = dir.file("run.json");
        Finished f = run(vnchl({"--headless", "--duration", "3", "--prp", prp, "--log", log,
                                "--json", json, demo.address()}));
        INFO(f.err);
        REQUIRE(f.status == 0);
        CHECK(f.err.empty());
        CHECK_FALSE(f.out.empty()); /* a table for a person */
        CHECK(f.took >= seconds(3));

        Json j = parse(read_file(json));
        check_summary(j.get(), prp);
        CHECK(number(j.get(), "width") == 320);
        CHECK(number(j.get(), "height") == 240);
        CHECK(text(j.get(), "server_name") == "Größe \"1\"");
        check_within(j.get(), f.took);
        double updates = number(j.get(), "updates");
        CHECK(updates > 1);
        CHECK(number(j.get(), "fps") > 0);
        if (prp == "40")
            CHECK(number(j.get(), "prp_ms") == Approx(40));

        auto rows = csv(read_file(log));
        REQUIRE(rows.size() >= 2); /* a header, and no more than a row a second */
        CHECK(seconds(rows.size() - 1) <= f.took);
        CHECK(rows[0][0] == "time_s");
        double last = 0, sum = 0;
        for (size_t i = 1; i < rows.size(); i++) {
            CHECK(rows[i].size() == rows[0].size());
            CHECK(rows[i][1] == prp);
            double time = atof(rows[i][0].c_str());
            CHECK(time > last);
            last = time;
            sum += atof(rows[i][3].c_str());
        }
        CHECK(last <= number(j.get(), "duration_s"));
        CHECK(sum <= updates);
        CHECK(sum > 0);
    }
}

TEST_CASE("LibVNCServer is told no level of Tight that it does not know", "[reports]")
{
    auto demo = start_demo_server({"--size", "320x240"});
    const std::vector<std::pair<std::vector<std::string>, double>> cases = {
        {{"--compress", "9", "--quality", "5"}, 2}, /* its highest */
        {{"--compress", "1", "--quality", "5"}, 1},
        {{"--encodings", "zrle", "--compress", "9"}, 9},
    };
    for (const auto &[options, level] : cases) {
        std::vector<std::string> args = {"--headless", "--duration", "3", "--json", "-"};
        args.insert(args.end(), options.begin(), options.end());
        args.push_back(demo.address());
        Finished f = run(vnchl(args));
        INFO(f.err);
        REQUIRE(f.status == 0);
        CHECK(number(parse(f.out).get(), "compress") == level);
    }
}

TEST_CASE("the summary is UTF-8 whatever the server calls itself", "[reports]")
{
    const std::vector<std::pair<std::string, std::string>> names = {
        {"\xc0\x9b[2J\xed\xa0\x80", "??[2J???"}, /* ESC in too long a form, a surrogate */
        {"a\x1b]0;b\x07\n", "a?]0;b??"},
        {"half \xe2\x82", "half ??"},
        {"\xe2\x80\xaetxt.exe", "?txt.exe"},
        {std::string(254, 'x') + "\xc3\xbc", std::string(254, 'x') + "?"}, /* cut inside */
    };
    for (const auto &[name, shown] : names) {
        FakeServer server(handshake(64, 48, name) +
                          Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()});
        Finished f = run(vnchl(
            {"--headless", "--duration", "0.2", "--verbose", "--json", "-", server.address()}));
        INFO(f.err << f.out);
        CHECK(f.status == 0);
        CHECK(is_utf8(f.out));
        CHECK(is_utf8(f.err)); /* and so is what --verbose says of it */
        CHECK(f.err.find('\x1b') == std::string::npos);
        CHECK(text(parse(f.out).get(), "server_name") == shown);
    }
}

TEST_CASE("standard output", "[reports]")
{
    auto demo = start_demo_server({"--size", "320x240"});
    Finished f = run(vnchl({"--headless", "--duration", "2.5", "--log", "-", demo.address()}));
    INFO(f.err << f.out);
    CHECK(f.status == 0);
    CHECK(f.out.compare(0, 7, "time_s,") == 0);
    auto rows = csv(f.out);
    CHECK(rows.size() >= 2);
    for (const auto &row : rows) /* nothing else is mixed in */
        CHECK(row.size() == rows[0].size());

    f = run(vnchl({"--headless", "--duration", "0.5", "--json", "-", demo.address()}));
    INFO(f.err << f.out);
    CHECK(f.status == 0);
    check_summary(parse(f.out).get(), "auto");
}

TEST_CASE("figures from the end of the warm-up on", "[reports]")
{
    auto demo = start_demo_server({"--size", "320x240"});
    TempDir dir;
    std::string log = dir.file("log.csv");
    Finished f = run(vnchl({"--headless", "--warm-up", "1.5", "--duration", "2", "--log", log,
                            "--json", "-", demo.address()}));
    INFO(f.err << f.out);
    REQUIRE(f.status == 0);
    CHECK(f.took >= milliseconds(3500));
    Json j = parse(f.out);
    REQUIRE(j);
    check_within(j.get(), f.took - milliseconds(1500));
    CHECK(number(j.get(), "requests.first") == 0);
    CHECK(number(j.get(), "fps") ==
          Approx(number(j.get(), "updates") / number(j.get(), "duration_s")).epsilon(0.01));
    CHECK(number(j.get(), "gap_ms.max") * 1.02 >= number(j.get(), "gap_ms.p95"));
    CHECK(number(j.get(), "gap_ms.p50") > 0);
    auto rows = csv(read_file(log)); /* the warm-up's, too */
    double updates = 0;
    for (size_t i = 1; i < rows.size(); i++)
        updates += atof(rows[i][3].c_str());
    CHECK(rows.size() >= 3);
    CHECK(updates > 0);
    CHECK(atof(rows.back()[0].c_str()) > number(j.get(), "duration_s"));
}

TEST_CASE("a comparison", "[reports]")
{
    auto demo = start_demo_server({"--size", "320x240"});
    Finished f = run(vnchl({"--headless", "--compare", "--duration", "2", "--prp", "20", "--json",
                            "-", demo.address()}));
    INFO(f.err << f.out);
    REQUIRE(f.status == 0);
    Json j = parse(f.out);
    REQUIRE(j);
    check_summary(cJSON_GetObjectItemCaseSensitive(j.get(), "plain"), "off");
    check_summary(cJSON_GetObjectItemCaseSensitive(j.get(), "prerequest"), "20");
    CHECK(number(j.get(), "speedup") ==
          Approx(number(j.get(), "prerequest.fps") / number(j.get(), "plain.fps"))
              .margin(0.01)
              .epsilon(0.01));
}

TEST_CASE("TigerVNC, and a still screen", "[reports]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    for (std::string prp : {"auto", "off", "40"}) {
        Finished f = run(
            vnchl({"--headless", "--duration", "3", "--prp", prp, "--json", "-", server->address}));
        INFO(prp << f.err << f.out);
        REQUIRE(f.status == 0);
        Json j = parse(f.out);
        check_summary(j.get(), prp);
        CHECK(text(j.get(), "server_name") == "vnchl test");
        CHECK(number(j.get(), "width") == server->screen->width());
        CHECK(number(j.get(), "updates") < 10); /* its content comes once, and perhaps a cursor */
        if (prp != "off")
            CHECK(number(j.get(), "requests.timer") > 0);
    }
}

TEST_CASE("a comparison on a still screen says that nothing moved", "[reports]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Finished f = run(vnchl({"--headless", "--compare", "--duration", "2", server->address}));
    INFO(f.err << f.out);
    REQUIRE(f.status == 0);
    CHECK(f.out.find("\nThe server's screen stood still, so nothing was compared") !=
          std::string::npos);
    CHECK(f.out.find("times the frame rate") == std::string::npos);
}

TEST_CASE("servers that push, and servers that cannot", "[reports]")
{
    auto report = [](const std::string &push, const std::string &address, bool pushed,
                     bool explained) {
        Finished f =
            run(vnchl({"--headless", "--duration", "1.5", "--push", push, "--json", "-", address}));
        INFO(push << f.err << f.out);
        REQUIRE(f.status == 0);
        Json j = parse(f.out);
        CHECK(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(j.get(), "pushed")) == pushed);
        CHECK((number(j.get(), "prp_ms") == 0) == pushed);
        CHECK((f.err.find("requests go on") != std::string::npos) == explained);
    };
    auto demo = start_demo_server();
    report("on", demo.address(), false, true);
    report("auto", demo.address(), false, false);
    auto server = start_tigervnc();
    if (!server)
        return;
    report("on", server->address, true, false);
    report("off", server->address, false, false);
    report("auto", server->address, false, false);
}

TEST_CASE("an interrupted run still writes its summary", "[reports]")
{
    auto demo = start_demo_server({"--size", "320x240"});
    TempDir dir;
    for (int number_of_signal : {SIGINT, SIGTERM}) {
        INFO(number_of_signal);
        std::string json = dir.file("run.json"), log = dir.file("log.csv");
        unlink(json.c_str());
        unlink(log.c_str());
        Process p(vnchl({"--headless", "--json", json, "--log", log, demo.address()}));
        REQUIRE(wait_until(PATIENCE, [&] { return csv(read_file(log)).size() >= 2; }));
        p.signal(number_of_signal);
        CHECK(p.wait(PATIENCE) == 0);
        INFO(p.err());
        CHECK(p.err().empty());
        check_summary(parse(read_file(json)).get(), "auto");
    }
}

TEST_CASE("interrupted while it connects", "[reports]")
{
    FakeServer server({send_step("RFB 003.008\n"), expect(12), stall()});
    Process p(vnchl({"--headless", "--connect-timeout", "1000", server.address()}));
    REQUIRE(wait_until(PATIENCE, [&] { return server.stalled(); }));
    CHECK(p.running());
    p.signal(SIGINT);
    auto status = p.wait(PATIENCE);
    REQUIRE(status);
    CHECK(*status < 126); /* it ended by itself */
}

TEST_CASE("the server goes away: what was measured is written", "[reports]")
{
    TempDir dir;
    auto demo = start_demo_server({"--size", "320x240"});
    std::string json = dir.file("run.json"), log = dir.file("log.csv");
    Process p(
        vnchl({"--headless", "--duration", "1000", "--json", json, "--log", log, demo.address()}));
    REQUIRE(wait_until(PATIENCE, [&] { return csv(read_file(log)).size() >= 2; }));
    demo.process->stop();
    auto status = p.wait(PATIENCE);
    REQUIRE(status);
    CHECK(*status == 1);
    INFO(p.err());
    CHECK(p.err().compare(0, 7, "vnchl: ") == 0);
    check_summary(parse(read_file(json)).get(), "auto");
}

TEST_CASE("a far link: plain VNC crawls, pre-requests do not", "[reports]")
{
    const double once_a_round_trip = 1 / 0.6;
    auto demo = start_demo_server({"--size", "320x240", "--fps", "25"});
    auto link = start_demo_link(demo.port, {"--rtt", "600"});
    double off = fps_through(link.address(), "off", "6");
    double ahead = fps_through(link.address(), "auto", "10");
    WARN("600 ms: " << off << " fps plain, " << ahead << " fps pre-requesting");
    CHECK(off <= once_a_round_trip);
    CHECK(ahead > once_a_round_trip); /* of up to 25: no plain viewer could */
}

TEST_CASE("help and version", "[reports]")
{
    Finished f = run(vnchl({"--help"}));
    CHECK(f.status == 0);
    CHECK(f.err.empty());
    for (const char *word :
         {"--prp", "--headless", "--compare", "--log", "--json", "--marks", "ADDRESS"})
        CHECK(f.out.find(word) != std::string::npos);
    f = run(vnchl({"--version"}));
    CHECK(f.status == 0);
    CHECK(f.out.compare(0, 6, "vnchl ") == 0);
}

/* In namespaces of its own root has no more rights to such a folder than others. TSan's build
 * cannot tell there that the program did not start. */
#ifndef __SANITIZE_THREAD__
TEST_CASE("the program in a folder that only another user may enter", "[reports]")
{
    if (geteuid() != 0)
        return; /* only root may enter it, too */
    TempDir dir;
    auto demo = start_demo_server();
    Command c = vnchl({"--headless", "--duration", "0.2", "--json", "-", demo.address()});
    const std::filesystem::path built = c.argv[0];
    c.argv[0] = dir.file("vnchl");
    for (const char *name : {"vnchl", "vnchl-session"})
        std::filesystem::copy_file(built.parent_path() / name, dir.file(name));
    REQUIRE(chown(dir.path().c_str(), 65534, 65534) == 0);
    Finished f = run(c);
    INFO(f.err << f.out);
    REQUIRE(f.status == 0);
    std::string confined_by = text(parse(f.out).get(), "confined_by");
    CHECK(confined_by.find("namespaces") > confined_by.find("not: "));
    CHECK(confined_by.find("not: ") != std::string::npos);
}
#endif
