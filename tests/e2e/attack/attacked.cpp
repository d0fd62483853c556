#include "attacked.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "rfb/texts/reason.h"
#include "tests/catch.hpp"
#include "tests/e2e/program.hpp"

namespace e2e
{

namespace fs = std::filesystem;

const double BEYOND_THE_PICTURE = 200; /* MB */
/* Chosen: with ASan the program takes some 80 MB at a server that is friendly. */
const double USUAL_MOST = 150;

Home::Home()
{
    for (const char *folder : {"home", "data", "state", "config", "cache", "tmp", "run", "here"})
        fs::create_directory(dir_.file(folder));
    fs::permissions(dir_.file("run"), fs::perms::owner_all);
}

Command Home::at_home(Command c) const
{
    c.argv.insert(c.argv.begin(), {"env", "-C", dir_.file("here")});
    c.env["HOME"] = dir_.file("home");
    c.env["XDG_DATA_HOME"] = dir_.file("data");
    c.env["XDG_STATE_HOME"] = dir_.file("state");
    c.env["XDG_CONFIG_HOME"] = dir_.file("config");
    c.env["XDG_CACHE_HOME"] = dir_.file("cache");
    c.env["XDG_RUNTIME_DIR"] = dir_.file("run");
    c.env["TMPDIR"] = dir_.file("tmp");
    c.unset.erase(std::remove(c.unset.begin(), c.unset.end(), "XDG_RUNTIME_DIR"), c.unset.end());
    return c;
}

/* What fontconfig and the graphics driver keep is theirs. */
std::string Home::strays() const
{
    std::string found;
    for (const auto &entry : fs::recursive_directory_iterator(dir_.path())) {
        std::string name = entry.path().lexically_relative(dir_.path()).string();
        if (entry.is_directory() || name.rfind("data/vnchl/", 0) == 0 ||
            name.rfind("state/vnchl/", 0) == 0 || name.rfind("cache/", 0) == 0)
            continue;
        found += name + " ";
    }
    return found;
}

bool Home::remembers() const
{
    return fs::exists(dir_.file("data/vnchl/known_servers"));
}

namespace
{

/* "Name:  NUMBER ..." of /proc/PID/status; 0 when the process is gone. */
long status_number(pid_t pid, const char *name)
{
    std::ifstream f("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(f, line);)
        if (line.rfind(name, 0) == 0)
            return atol(line.c_str() + strlen(name));
    return 0;
}

double largest_child_mb()
{
    rusage r;
    getrusage(RUSAGE_CHILDREN, &r);
    return static_cast<double>(r.ru_maxrss) / 1024;
}

/* The program without an attack: what it takes in any case. */
double usual_mb()
{
    static const double usual = [] {
        FakeServer server(handshake(64, 48) +
                          Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()});
        return attack(server.address(), {}, "0.2").peak;
    }();
    CHECK(usual > 1);
    CHECK(usual < USUAL_MOST);
    return usual;
}

} // namespace

double peak_mb(pid_t pid)
{
    double kb = static_cast<double>(status_number(pid, "VmHWM:"));
    for (pid_t child : children_of(pid))
        kb += static_cast<double>(status_number(child, "VmHWM:"));
    return kb / 1024;
}

double picture_mb(int width, int height)
{
    return 3.0 * width * height * 4 / (1 << 20);
}

Attacked attack(const std::string &address, const std::vector<std::string> &more,
                const std::string &duration)
{
    Home home;
    Attacked a = {};
    std::vector<std::string> arguments = {"--headless", "--duration", duration};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.push_back(address);

    double before = largest_child_mb();
    Process p(home.at_home(vnchl(arguments)));
    wait_until(PATIENCE, [&] {
        a.peak = std::max(a.peak, peak_mb(p.pid()));
        return !p.running();
    });
    a.status = p.wait(milliseconds(0));
    double largest = largest_child_mb(); /* between two looks it may have been larger */
    if (largest > before)
        a.peak = std::max(a.peak, largest);
    a.remembered = home.remembers();
    a.out = p.out();
    a.err = p.err();
    INFO("files: " << home.strays());
    CHECK(home.strays().empty());
    return a;
}

void check_unharmed(const Attacked &a, double picture)
{
    INFO("standard error: " << a.err);
    REQUIRE(a.status); /* otherwise it hangs */
    CHECK(*a.status < 126);
    CHECK(a.err.size() < 4000);
    std::istringstream lines(a.err);
    for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(line.rfind("vnchl: ", 0) == 0);
        CHECK(is_sanitised(line.c_str()));
    }
    INFO(a.peak << " MB");
    CHECK(a.peak < usual_mb() + picture + BEYOND_THE_PICTURE);
}

std::string check_refused(const Script &script, double picture,
                          const std::vector<std::string> &more)
{
    FakeServer server(script);
    Attacked a = attack(server.address(), more);
    check_unharmed(a, picture);
    INFO("standard error: " << a.err);
    CHECK(a.status != 0);
    CHECK(std::count(a.err.begin(), a.err.end(), '\n') == 1);
    CHECK(a.err.size() > 16);
    return a.err;
}

void check_endured(const Script &script, double picture, const std::vector<std::string> &more,
                   const std::string &duration)
{
    FakeServer server(script);
    Attacked a = attack(server.address(), more, duration);
    check_unharmed(a, picture);
    INFO("standard error: " << a.err);
    CHECK(a.status == 0);
}

} // namespace e2e
