/* Files and standard streams that fail: it is said once, nothing else suffers. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/program.hpp"

using namespace e2e;

namespace
{

size_t lines(const std::string &text)
{
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

Script still()
{
    return handshake(64, 48) + Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()};
}

/* The program with some of its standard descriptors closed: "2>&-" and the like. */
Command with_closed(const std::string &closed, std::vector<std::string> arguments)
{
    Command c = vnchl(std::move(arguments));
    c.argv.insert(c.argv.begin(), {"sh", "-c", "exec \"$0\" \"$@\" " + closed});
    return c;
}

/* A file that can be written until full() is called. */
class Disk
{
  public:
    Disk() : fd_(memfd_create("disk", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {}
    ~Disk()
    {
        close(fd_);
    }
    std::string path() const
    {
        return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_);
    }
    std::string content() const
    {
        return read_file(path());
    }
    void full()
    {
        CHECK(fcntl(fd_, F_ADD_SEALS, F_SEAL_GROW) == 0);
    }

  private:
    int fd_;
};

} // namespace

TEST_CASE("a log that cannot be written is said once, and the session goes on", "[files]")
{
    TempDir dir;
    FakeServer server(still());
    std::string json = dir.file("run.json");
    Finished f = run(vnchl({"--headless", "--duration", "2.5", "--log", "/dev/full", "--json", json,
                            server.address()}));
    INFO(f.err);
    CHECK(f.status == 1);
    CHECK(lines(f.err) == 1);
    CHECK(f.err.find("cannot write /dev/full: No space left on device") != std::string::npos);
    CHECK(f.took >= milliseconds(2400));
    CHECK(lines(f.out) > 5); /* the table */
    CHECK(lines(read_file(json)) > 5);

    Command compare = vnchl(
        {"--headless", "--compare", "--duration", "1.2", "--log", "/dev/full", server.address()});
    f = run(compare);
    INFO(f.err);
    CHECK(f.status == 1);
    CHECK(lines(f.err) == 1);
}

TEST_CASE("a log whose disk fills up later is said then", "[files]")
{
    FakeServer server(still());
    for (bool window : {false, true}) {
        INFO((window ? "window" : "headless"));
        Disk disk;
        Command c = vnchl({"--log", disk.path(), server.address()});
        if (window)
            c.env["SDL_VIDEODRIVER"] = "dummy";
        else
            c.argv.insert(c.argv.begin() + 1, "--headless");
        Process p(c);
        REQUIRE(wait_until(PATIENCE, [&] { return lines(disk.content()) >= 2; }));
        CHECK(p.err().empty());
        disk.full();
        CHECK(wait_until(PATIENCE, [&] { return !p.err().empty(); }));
        CHECK(p.err().find("cannot write " + disk.path()) != std::string::npos);
        CHECK_FALSE(p.wait(milliseconds(2200))); /* two more rows were due */
        p.signal(SIGTERM);
        CHECK(p.wait(PATIENCE) == 1);
        CHECK(lines(p.err()) == 1);
        std::string log = disk.content();
        CHECK(log.back() == '\n'); /* whole rows */
    }
}

TEST_CASE("a summary that cannot be written is said", "[files]")
{
    FakeServer server(still());
    Finished f =
        run(vnchl({"--headless", "--duration", "0.2", "--json", "/dev/full", server.address()}));
    INFO(f.err);
    CHECK(f.status == 1);
    CHECK(lines(f.err) == 1);
    CHECK(f.err.find("cannot write /dev/full: No space left on device") != std::string::npos);
}

TEST_CASE("standard output that cannot be written is said", "[files]")
{
    FakeServer server(still());
    std::vector<std::string> run_it = {"--headless", "--duration", "0.2", server.address()};
    std::vector<std::vector<std::string>> all = {{"--help"}, {"--version"}, run_it};
    for (const char *option : {"--log", "--json"}) {
        all.push_back(run_it);
        all.back().insert(all.back().begin(), {option, "-"});
    }
    for (const auto &arguments : all)
        for (const char *closed : {">/dev/full", ">&-"}) {
            Finished f = run(with_closed(closed, arguments));
            INFO(arguments[0] << " " << closed << ": " << f.err);
            CHECK(f.status == 1);
            CHECK(f.err.find("vnchl: cannot write standard output: ") != std::string::npos);
        }
}

TEST_CASE("a link to a file that is not there yet stays a link", "[files]")
{
    TempDir dir;
    FakeServer server(still());
    std::string link = dir.file("link"), target = dir.file("target");
    REQUIRE(symlink("target", link.c_str()) == 0);
    struct stat s = {};
    auto is_link = [&] { return lstat(link.c_str(), &s) == 0 && S_ISLNK(s.st_mode); };

    Finished f =
        run(vnchl({"--headless", "--json", link, "127.0.0.1::" + std::to_string(free_port())}));
    CHECK(f.status == 1);
    CHECK(is_link());
    CHECK_FALSE(file_exists(target));

    f = run(vnchl({"--headless", "--duration", "0.2", "--json", link, server.address()}));
    INFO(f.err);
    CHECK(f.status == 0);
    CHECK(is_link());
    CHECK(lines(read_file(target)) > 5);
}

TEST_CASE("closed standard streams do not lead into files", "[files]")
{
    TempDir dir;
    FakeServer server(still());
    for (const char *closed : {"2>&-", "<&- 2>&-", "<&- >&- 2>&-", "<&-"}) {
        INFO(closed);
        std::string log = dir.file("log.csv");
        unlink(log.c_str());
        Process p(with_closed(closed, {"--headless", "--verbose", "--log", log, server.address()}));
        CHECK(wait_until(PATIENCE, [&] { return lines(read_file(log)) >= 2; }));
        p.signal(SIGTERM);
        CHECK(p.wait(PATIENCE));
        std::string content = read_file(log);
        INFO(content);
        CHECK(content.compare(0, 7, "time_s,") == 0);
        CHECK(content.find("vnchl:") == std::string::npos);
        CHECK(content.find("frames") == std::string::npos);
    }
}

TEST_CASE("a trace of a run is repeated with equal decisions, and a full disk is said", "[files]")
{
    TempDir dir;
    std::string trace = dir.file("run.trace"), cut = dir.file("cut.trace");

    {
        FakeServer server(still());
        Finished f =
            run(vnchl({"--headless", "--duration", "1.5", "--trace", trace, server.address()}));
        INFO(f.err);
        CHECK(f.status == 0);
    }
    Finished same = run(vnchl_replay({trace}));
    INFO(same.out << same.err);
    CHECK(same.status == 0);
    CHECK(same.out.find("1 first") != std::string::npos);

    std::string bytes = read_file(trace);
    write_file(cut, bytes.substr(0, bytes.size() / 2), 0644);
    Finished refused = run(vnchl_replay({cut}));
    CHECK(refused.status == 1);
    CHECK(refused.err.find("cut short") != std::string::npos);
    CHECK(run(vnchl_replay({"/dev/null"})).status == 1);
    CHECK(run(vnchl_replay({})).status == 2);

    FakeServer server(still());
    Finished full =
        run(vnchl({"--headless", "--duration", "1.5", "--trace", "/dev/full", server.address()}));
    INFO(full.err);
    CHECK(full.status == 1);
    CHECK(full.err.find("cannot write /dev/full") != std::string::npos);
    CHECK(lines(full.err) == 1);
}

TEST_CASE("a password file is read from a pipe, and one that nobody writes is not waited for",
          "[files]")
{
    TempDir dir;
    FakeServer server(still());
    const std::string pipe = dir.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::vector<std::string> arguments = {"--headless",    "--duration", "0.2",
                                          "--passwd-file", pipe,         server.address()};
    std::string line = refusal(vnchl(arguments));
    CHECK(line.find(pipe + " is no password file") != std::string::npos);
    const std::string plain = dir.file("plain");
    for (const char *text : {"s3cret\n", "s3cretpw\n", "a long password\n.\n"}) {
        write_file(plain, text);
        chmod(plain.c_str(), 0644); /* which would be said of a password file */
        line = refusal(vnchl({"--headless", "--passwd-file", plain, server.address()}));
        INFO(line);
        CHECK(line.find(plain) != std::string::npos);
        CHECK(line.find("is no password file: make one with vncpasswd") != std::string::npos);
        CHECK(line.find("chmod") == std::string::npos);
    }
    Command c =
        vnchl({"--headless", "--duration", "0.2", "--passwd-file", "/dev/stdin", server.address()});
    c.argv.insert(c.argv.begin(), {"sh", "-c", "(sleep 0.1; printf 12345678) | \"$0\" \"$@\""});
    CHECK(run(c).status == 0);
}

TEST_CASE("a file that may not grow any more is said, and the session goes on", "[files]")
{
    TempDir dir;
    Demo demo = start_demo_server();
    std::string log = dir.file("log.csv"), record = dir.file("a.fbs");
    Process p(vnchl({"--headless", "--log", log, "--record", record, demo.address()}));
    REQUIRE(wait_until(PATIENCE, [&] { return lines(read_file(log)) >= 2; }));
    /* standard error is a file, too, and a smaller one */
    const rlim_t most = read_file(log).size();
    const rlimit limit = {most, most};
    REQUIRE(prlimit(p.pid(), RLIMIT_FSIZE, &limit, nullptr) == 0);
    CHECK(wait_until(PATIENCE, [&] {
        return p.err().find("cannot write " + log + ": File too large") != std::string::npos &&
               p.err().find("cannot write " + record + ": File too large") != std::string::npos;
    }));
    CHECK_FALSE(p.wait(milliseconds(2200))); /* two more rows were due */
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE) == 1);
}

TEST_CASE("where no file may be as large as a picture, it is said before the start", "[files]")
{
    Command c = vnchl({"--headless", "127.0.0.1::1"});
    c.argv.insert(c.argv.begin(), {"sh", "-c", "ulimit -f 8; exec \"$0\" \"$@\""});
    CHECK(refusal(c).find("KiB here (ulimit -f), a picture needs") != std::string::npos);
}
