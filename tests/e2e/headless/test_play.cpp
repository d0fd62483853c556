/* --record and --play, as a user types them. */
#include <signal.h>

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/json.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

Script still()
{
    return handshake(64, 48) + Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()};
}

/* A recording of one picture, 64 x 48 raw. */
void record_still(const std::string &file)
{
    FakeServer server(still());
    Finished f =
        run(vnchl({"--headless", "--duration", "0.5", "--record", file, server.address()}));
    INFO(f.err);
    REQUIRE(f.status == 0);
}

Finished play(const std::string &file, std::vector<std::string> more = {})
{
    more.insert(more.begin(), {"--headless", "--speed", "max", "--play", file});
    return run(vnchl(more));
}

std::string only_line(const std::string &text)
{
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
    return text.substr(0, text.find('\n'));
}

/* On a disk of its own in `folder`, with room for 64 KiB. */
Command on_small_disk(const std::string &folder, const std::vector<std::string> &arguments)
{
    Command c = vnchl(arguments);
    std::string mount = "mount -t tmpfs -o size=64k none " + folder + " && exec \"$0\" \"$@\"";
    c.argv.insert(c.argv.begin(), {"unshare", "-rm", "sh", "-c", mount});
    return c;
}

bool has_small_disks()
{
    TempDir dir;
    Command c = on_small_disk(dir.path(), {"--version"});
    return run(c).status == 0;
}

} // namespace

TEST_CASE("play: what was recorded is counted: frames, bytes, pixels, the time of decoding",
          "[record]")
{
    TempDir dir;
    std::string file = dir.file("a.fbs");
    record_still(file);
    Finished f = play(file, {"--json", "-"});
    INFO(f.err);
    CHECK(f.status == 0);
    CHECK(only_line(f.err.substr(0, f.err.find('\n') + 1)) == "vnchl: the recording has ended");
    CHECK(f.err.find("decoded per CPU second (MB)") != std::string::npos);
    Json j = parse(f.out);
    CHECK(number(j.get(), "updates") == 1);
    CHECK(number(j.get(), "decode.pixels") == 64 * 48);
    CHECK(number(j.get(), "decode.cpu_s") > 0);
    CHECK(number(j.get(), "bytes_received") > 64 * 48 * 4);
    CHECK(number(j.get(), "requests.timer") == 0);
}

TEST_CASE("play: a file that is cut off is played to its last whole block, and that is said",
          "[record]")
{
    TempDir dir;
    std::string file = dir.file("a.fbs");
    record_still(file);
    std::string bytes = read_file(file);
    write_file(file, bytes.substr(0, bytes.size() - 3));
    Finished f = play(file);
    INFO(f.err);
    CHECK(f.status == 0);
    CHECK(only_line(f.err) == "vnchl: the recording has ended: its file is cut off, and was played "
                              "up to its last whole block");
}

TEST_CASE("play: what cannot be played is refused by one line that names the cause", "[record]")
{
    TempDir dir;
    std::string file = dir.file("a.fbs"), short_file = dir.file("short.fbs");
    record_still(file);
    std::string bytes = read_file(file);
    write_file(short_file, bytes.substr(0, 60));
    CHECK(refusal(vnchl({"--headless", "--play", short_file})).find("cannot play " + short_file) !=
          std::string::npos);
    /* 16 bits for a pixel: behind greeting, version, security, the head of a block and the size */
    bytes[12 + 20 + 12 + 4 + 4] = 16;
    write_file(file, bytes);
    CHECK(refusal(vnchl({"--headless", "--play", file})).find("16") != std::string::npos);
    write_file(file, "this is a letter");
    CHECK(refusal(vnchl({"--headless", "--play", file})).find("is no recording") !=
          std::string::npos);
    CHECK(refusal(vnchl({"--headless", "--play", dir.file("none")})).find("cannot read") !=
          std::string::npos);
}

TEST_CASE("record: a file that exists is refused, and stays as it is", "[record]")
{
    TempDir dir;
    std::string file = dir.file("a.fbs");
    write_file(file, "precious");
    CHECK(refusal(vnchl({"--headless", "--record", file, "127.0.0.1::1"})).find("exists already") !=
          std::string::npos);
    CHECK(read_file(file) == "precious");
}

TEST_CASE("record: without a connection no file is left", "[record]")
{
    TempDir dir;
    std::string file = dir.file("a.fbs");
    refusal(vnchl({"--headless", "--record", file, "127.0.0.1::" + std::to_string(free_port())}));
    CHECK_FALSE(file_exists(file));
}

TEST_CASE("record: a disk that is full ends the recording, not the session", "[record]")
{
    if (!has_small_disks()) {
        WARN("no file system can be mounted here: not tested");
        return;
    }
    TempDir dir;
    std::string file = dir.file("a.fbs"), copy = dir.file("copy.fbs");
    Demo demo = start_demo_server();
    Process viewer(on_small_disk(dir.path(), {"--headless", "--record", file, demo.address()}));
    const std::string cause = "cannot write " + file + ": No space left on device";
    /* it is said while the session goes on */
    CHECK(wait_until(PATIENCE, [&] {
        return viewer.err().find("The recording has stopped: " + cause +
                                 ". The session goes on.") != std::string::npos;
    }));
    CHECK(viewer.running());
    std::string written = read_file("/proc/" + std::to_string(viewer.pid()) + "/root" + file);
    CHECK(written.size() == 64 * 1024);
    viewer.signal(SIGINT);
    CHECK(viewer.wait(PATIENCE) == 1);
    CHECK(viewer.err().find("vnchl: the recording is not complete: " + cause + "\n") !=
          std::string::npos);
    CHECK(viewer.out().find("frames per second") != std::string::npos);
    /* what was written can be played */
    write_file(copy, written);
    Finished f = play(copy);
    INFO(f.err);
    CHECK(f.status == 0);
    CHECK(f.out.find("pixels decoded") != std::string::npos);
}
