// The file of certificates that were accepted: what is found in it, how it is written, and what is
// left alone.
#include "tests/catch.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/temp_dir.hpp"
#include "viewer/trust/known_servers.h"

namespace
{

namespace fs = std::filesystem;

const time_t THEN = 1795312800; // 2026-11-22

struct Print {
    uint8_t bytes[FINGERPRINT_BYTES];
    explicit Print(int fill)
    {
        memset(bytes, fill, sizeof bytes);
    }
    std::string text() const
    {
        char out[FINGERPRINT_TEXT];
        fingerprint_text(bytes, out);
        return out;
    }
};

// A data folder of the test's own.
class Data
{
  public:
    Data()
    {
        setenv("XDG_DATA_HOME", (folder + "/data").c_str(), 1);
    }
    ~Data()
    {
        unsetenv("XDG_DATA_HOME");
    }
    std::string path() const
    {
        return folder + "/data/vnchl/known_servers";
    }
    void write(const std::string &text) const
    {
        fs::create_directories(folder + "/data/vnchl");
        std::ofstream(path()) << text;
    }
    std::string read() const
    {
        std::ostringstream all;
        all << std::ifstream(path()).rdbuf();
        return all.str();
    }

  private:
    TempDir dir_;

  public:
    const std::string folder = dir_.path();
};

struct Found {
    enum known known;
    struct known_server server;
    std::string why;
};

Found check(const std::string &host, unsigned port, const Print &print)
{
    Found f = {};
    struct reason why = {};
    f.known = known_servers_check(host.c_str(), port, print.bytes, &f.server, &why);
    f.why = why.text;
    return f;
}

bool add(const std::string &host, unsigned port, const Print &print, std::string *said = nullptr)
{
    struct reason why = {};
    bool ok = known_servers_add(host.c_str(), port, print.bytes, THEN, &why);
    if (said)
        *said = why.text;
    return ok;
}

// What the body writes on standard error.
template <typename Body> std::string stderr_of(const Body &body)
{
    TempDir dir;
    std::string name = dir.write("stderr", "");
    int file = open(name.c_str(), O_WRONLY | O_CLOEXEC), before = dup(STDERR_FILENO);
    REQUIRE(dup2(file, STDERR_FILENO) >= 0);
    body();
    dup2(before, STDERR_FILENO);
    close(before);
    close(file);
    std::ostringstream all;
    all << std::ifstream(name).rdbuf();
    return all.str();
}

bool has(const char *host, unsigned port)
{
    struct reason why = {};
    bool known = false;
    CHECK(known_servers_has(host, port, &known, &why));
    return known;
}

} // namespace

TEST_CASE("known servers: a line that an older version wrote is of the same server")
{
    Data data;
    Print one(1);
    data.write("127.1 5901 " + one.text() + " 2026-11-22\n::FFFF:10.0.0.1,via=Gate 5901 " +
               one.text() + " 2026-11-22\n");
    CHECK(has("127.0.0.1", 5901));
    CHECK(has("10.0.0.1,via=gate", 5901));
    CHECK_FALSE(has("10.0.0.1", 5901));
    struct reason why = {};
    CHECK(known_servers_forget("127.0.0.1", 5901, &why));
    CHECK_FALSE(has("127.0.0.1", 5901));
}

TEST_CASE("known servers: what was accepted is known, for exactly this server")
{
    Data data;
    Print one(1), two(2);
    CHECK(check("far.example", 5901, one).known == KNOWN_NOT);
    CHECK_FALSE(has("far.example", 5901));
    REQUIRE(add("Far.Example", 5901, one));
    CHECK(data.read() == "far.example 5901 " + one.text() + " 2026-11-22\n");
    Found f = check("far.example", 5901, one);
    CHECK(f.known == KNOWN_SAME);
    CHECK(f.server.date == std::string("2026-11-22"));
    CHECK(f.server.line == 1);
    CHECK(check("FAR.EXAMPLE", 5901, one).known == KNOWN_SAME);
    CHECK(has("far.EXAMPLE", 5901));
    CHECK(check("far.example", 5902, one).known == KNOWN_NOT);
    CHECK(check("far.example.", 5901, one).known == KNOWN_SAME);
    CHECK(check("far.example,via=gate", 5901, one).known == KNOWN_NOT);
    CHECK_FALSE(has("far.example", 5902));
    f = check("far.example", 5901, two);
    CHECK(f.known == KNOWN_CHANGED);
    CHECK(memcmp(f.server.sha256, one.bytes, sizeof one.bytes) == 0);
    CHECK(f.server.line == 1);
}

TEST_CASE("known servers: a server is remembered once, and another certificate never beside it")
{
    Data data;
    Print one(1), two(2);
    REQUIRE(add("h", 1, one));
    REQUIRE(add("h", 1, one));
    std::string once = data.read(), why;
    CHECK(std::count(once.begin(), once.end(), '\n') == 1);
    CHECK_FALSE(add("h", 1, two, &why));
    CHECK(why.find("line 1 of " + data.path()) != std::string::npos);
    CHECK(data.read() == once);
    // two lines that a person has written are both right
    data.write(once + "h 1 " + two.text() + " 2026-01-01\n");
    CHECK(check("h", 1, one).known == KNOWN_SAME);
    CHECK(check("h", 1, two).known == KNOWN_SAME);
    CHECK(check("h", 1, two).server.line == 2);
    CHECK(check("h", 1, Print(3)).known == KNOWN_CHANGED);
}

TEST_CASE("known servers: the file and its folder are for this user only, and nothing is left over")
{
    Data data;
    REQUIRE(add("h", 1, Print(1)));
    REQUIRE(add("i", 1, Print(2)));
    struct stat s;
    REQUIRE(stat(data.path().c_str(), &s) == 0);
    CHECK((s.st_mode & 0777) == 0600);
    REQUIRE(stat((data.folder + "/data/vnchl").c_str(), &s) == 0);
    CHECK((s.st_mode & 0777) == 0700);
    std::vector<std::string> names;
    for (const auto &e : fs::directory_iterator(data.folder + "/data/vnchl"))
        names.push_back(e.path().filename());
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"known_servers", "known_servers.lock"});
}

TEST_CASE("known servers: what a person has written stays, damaged lines are named and stay")
{
    Data data;
    Print one(1);
    std::string good = "# mine\n\n  h\t1 " + one.text() + "  2026-01-01\r\n", bad;
    for (const std::string &line :
         {std::string("h"), "h 2 " + one.text(), "h x " + one.text() + " 2026-01-01",
          "h 65536 " + one.text() + " 2026-01-01", "h 3 " + one.text().substr(3) + " 2026-01-01",
          "h 4 " + one.text() + " today", "h 5 " + one.text() + " 2026-01-01 more"})
        bad += line + "\n";
    data.write(good + bad + "# no end");
    Found f;
    std::string said = stderr_of([&] { f = check("h", 1, one); });
    CHECK(f.known == KNOWN_SAME);
    CHECK(f.server.line == 3);
    INFO(said);
    CHECK(said.find("line 4 of " + data.path() + " is damaged") != std::string::npos);
    CHECK(said.find("line 6 of ") != std::string::npos);
    CHECK(said.find("line 7 of ") == std::string::npos);
    CHECK(said.find("4 more lines of ") != std::string::npos);
    REQUIRE(add("new", 7, one));
    CHECK(data.read() == good + bad + "# no end\nnew 7 " + one.text() + " 2026-11-22\n");
}

TEST_CASE("known servers: a damaged line of the server is no proof that it had no certificate")
{
    Data data;
    const Print one(1), two(2);
    const std::string good = " 2026-01-01\n";
    auto fails = [&](const std::string &line, const char *host = "h") {
        struct reason why = {};
        bool known = false;
        data.write("# mine\n" + line + "\n");
        INFO(line);
        stderr_of([&] {
            Found f = check(host, 1, one);
            CHECK(f.known == KNOWN_FAILED);
            CHECK(f.why.find("line 2 of " + data.path() + " is damaged") == 0);
            CHECK_FALSE(add(host, 1, one));
        });
        CHECK_FALSE(known_servers_has(host, 1, &known, &why));
        CHECK(std::string(why.text).find("line 2 of " + data.path() + " is damaged") == 0);
    };
    for (const char *line : {"h 1", "H. 1 AB:12 2026-01-01", "h 1 vouched", "h 1 vouched today",
                             "h", "h one AB:12 2026-01-01", "h 1x vouched 2026-01-01"})
        fails(line);
    fails("127.1 1 AB 2026-01-01", "127.0.0.1");
    fails("h,via=gate 1 AB 2026-01-01", "h,via=gate");
    // of another server
    for (const char *line :
         {"h 2 AB 2026-01-01", "i 1 AB 2026-01-01", "h,via=gate 1 AB 2026-01-01", "#h 1 AB"}) {
        data.write(std::string(line) + "\n");
        stderr_of([&] { CHECK(check("h", 1, one).known == KNOWN_NOT); });
        CHECK_FALSE(has("h", 1));
    }
    // another line of the server is whole
    data.write("h 1 AB\nh 1 " + one.text() + good);
    stderr_of([&] {
        CHECK(check("h", 1, one).known == KNOWN_SAME);
        CHECK(check("h", 1, two).known == KNOWN_CHANGED);
    });
    CHECK(has("h", 1));
    // it goes when the server is forgotten on purpose
    struct reason why = {};
    CHECK(known_servers_forget("h", 1, &why));
    CHECK(data.read().empty());
}

TEST_CASE("known servers: that an authority vouched is remembered, and not for which certificate")
{
    Data data;
    const Print one(1);
    struct reason why = {};
    REQUIRE(known_servers_add_vouched("Far.Example", 5901, THEN, &why));
    REQUIRE(known_servers_add_vouched("far.example", 5901, THEN, &why));
    CHECK(data.read() == "far.example 5901 vouched 2026-11-22\n");
    CHECK(has("far.example", 5901));
    CHECK_FALSE(has("far.example", 5902));
    // another one, which nobody vouches for, is a question like any other
    CHECK(check("far.example", 5901, one).known == KNOWN_NOT);
    REQUIRE(add("far.example", 5901, one));
    CHECK(check("far.example", 5901, one).known == KNOWN_SAME);
    REQUIRE(known_servers_add_vouched("far.example", 5901, THEN, &why));
    CHECK(data.read() ==
          "far.example 5901 vouched 2026-11-22\nfar.example 5901 " + one.text() + " 2026-11-22\n");
    CHECK(known_servers_forget("far.example", 5901, &why));
    CHECK_FALSE(has("far.example", 5901));
    // a certificate that a person accepted says it as well
    REQUIRE(add("h", 1, one));
    REQUIRE(known_servers_add_vouched("h", 1, THEN, &why));
    CHECK(data.read() == "h 1 " + one.text() + " 2026-11-22\n");
    CHECK_FALSE(known_servers_add_vouched("a b", 1, THEN, &why));
}

TEST_CASE("known servers: a file that cannot be read is said, and does not count as empty")
{
    Data data;
    Print one(1);
    data.write(std::string("h 1 \0", 5) + "\n");
    CHECK(check("h", 1, one).known == KNOWN_FAILED);
    data.write(std::string((4 << 20) + 1, '#'));
    Found f = check("h", 1, one);
    CHECK(f.known == KNOWN_FAILED);
    CHECK(f.why.find(data.path()) != std::string::npos);
    CHECK_FALSE(add("h", 1, one));
    CHECK(fs::file_size(data.path()) == (4 << 20) + 1);
    fs::remove(data.path());
    fs::create_directory(data.path());
    CHECK(check("h", 1, one).known == KNOWN_FAILED);
    CHECK_FALSE(add("h", 1, one));
}

TEST_CASE("known servers: where nothing can be written that is said, and nothing is known")
{
    Data data;
    std::string why;
    std::ofstream(data.folder + "/data") << "a file where the folder would be";
    CHECK(check("h", 1, Print(1)).known == KNOWN_NOT);
    CHECK_FALSE(add("h", 1, Print(1), &why));
    CHECK(why.find(data.folder + "/data") != std::string::npos);
    CHECK_FALSE(has("h", 1));
    // no environment to tell where
    const char *home = getenv("HOME");
    std::string before = home ? home : "";
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    Found f = check("h", 1, Print(1));
    CHECK(f.known == KNOWN_FAILED);
    CHECK(f.why.find("neither XDG_DATA_HOME nor HOME names a folder") != std::string::npos);
    struct reason unknown = {};
    bool had = false;
    CHECK_FALSE(known_servers_has("h", 1, &had, &unknown));
    CHECK_FALSE(add("h", 1, Print(1), &why));
    CHECK(why.find("HOME") != std::string::npos);
    setenv("HOME", data.folder.c_str(), 1);
    setenv("XDG_DATA_HOME", "not/absolute", 1);
    char path[4096];
    struct reason reason;
    REQUIRE(known_servers_path(path, sizeof path, &reason));
    CHECK(path == data.folder + "/.local/share/vnchl/known_servers");
    if (home)
        setenv("HOME", before.c_str(), 1);
    else
        unsetenv("HOME");
}

TEST_CASE("known servers: names that would break a line are not remembered")
{
    Data data;
    for (const char *host : {"", "a b", "a\tb", "a\nb 1 x", "#a"}) {
        std::string why;
        CHECK_FALSE(add(host, 1, Print(1), &why));
        CHECK_FALSE(why.empty());
    }
    CHECK_FALSE(fs::exists(data.path()));
    // a Unix socket; its name has capitals
    REQUIRE(add("/run/Vnc/s", 0, Print(1)));
    CHECK(check("/run/Vnc/s", 0, Print(1)).known == KNOWN_SAME);
    CHECK(check("/run/vnc/s", 0, Print(1)).known == KNOWN_NOT);
}

TEST_CASE("known servers: viewers that write at the same time lose nothing")
{
    Data data;
    const int writers = 8, each = 5;
    std::vector<std::thread> threads;
    for (int i = 0; i < writers; i++)
        threads.emplace_back([i] {
            for (int k = 0; k < each; k++) {
                struct reason why;
                std::string host = "host" + std::to_string(i) + "-" + std::to_string(k);
                known_servers_add(host.c_str(), 5900, Print(i * each + k).bytes, THEN, &why);
            }
        });
    for (std::thread &t : threads)
        t.join();
    for (int i = 0; i < writers; i++)
        for (int k = 0; k < each; k++)
            CHECK(check("host" + std::to_string(i) + "-" + std::to_string(k), 5900,
                        Print(i * each + k))
                      .known == KNOWN_SAME);
}

TEST_CASE(
    "known servers: one that is forgotten is not known any more, and all else stays as it was")
{
    Data data;
    Print one(1), two(2);
    struct reason why = {};
    const std::string others = "# mine\n"
                               "far.example 5902 " +
                               one.text() + " 2026-01-01\n\nfar.example 5902 broken\n" +
                               std::string(2000, 'x') + "\nnear 5901 " + one.text() +
                               " 2026-01-01\n";
    CHECK(known_servers_forget("far.example", 5901, &why)); // there is no file
    data.write("Far.Example 5901 " + one.text() + " 2026-01-01\r\n" + others +
               "far.example 5901 broken\nfar.example 5901 vouched 2026-01-01\nfar.example 5901 " +
               two.text() + " 2026-01-01");
    CHECK(check("far.example", 5901, Print(3)).known == KNOWN_CHANGED);
    CHECK(known_servers_forget("FAR.example", 5901, &why));
    CHECK(data.read() == others);
    CHECK(check("far.example", 5901, one).known == KNOWN_NOT);
    CHECK(known_servers_forget("far.example", 5901, &why));
    CHECK(data.read() == others);
    // what cannot be read is not replaced
    data.write(std::string((4 << 20) + 1, '#'));
    CHECK_FALSE(known_servers_forget("far.example", 5901, &why));
    CHECK(fs::file_size(data.path()) == (4 << 20) + 1);
}

TEST_CASE("known servers: a pipe or a device in the file's place is not read")
{
    Data data;
    fs::create_directories(data.folder + "/data/vnchl");
    REQUIRE(mkfifo(data.path().c_str(), 0600) == 0);
    Found f = check("h", 1, Print(1));
    CHECK(f.known == KNOWN_FAILED);
    CHECK(f.why.find("it is no regular file") != std::string::npos);
    fs::remove(data.path());
    fs::create_symlink("/dev/zero", data.path());
    CHECK(check("h", 1, Print(1)).known == KNOWN_FAILED);
    fs::remove(data.path());
    data.write("");
    fs::resize_file(data.path(), uintmax_t{1} << 40);
    f = check("h", 1, Print(1));
    CHECK(f.known == KNOWN_FAILED);
    CHECK(f.why.find("larger than 4 MiB") != std::string::npos);
}
