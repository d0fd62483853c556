#include "tests/linkem/lifecycle.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/linkem/lab.hpp"

using lab::check;
using lab::Strings;

namespace lifecycle
{

namespace
{

namespace fs = std::filesystem;

// Every process whose /proc entry satisfies `wanted`.
template <class Wanted> std::vector<pid_t> processes(Wanted wanted)
{
    std::vector<pid_t> found;
    for (const auto &entry : fs::directory_iterator("/proc")) {
        std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") == std::string::npos && wanted(entry.path()))
            found.push_back(std::stoi(name));
    }
    return found;
}

std::vector<pid_t> with_argument(const std::string &word)
{
    return processes([&](const fs::path &p) {
        return e2e::read_file(p / "cmdline").find(word) != std::string::npos;
    });
}

std::vector<pid_t> in_network(const std::string &net)
{
    return processes([&](const fs::path &p) {
        std::error_code gone;
        return fs::read_symlink(p / "ns/net", gone) == net;
    });
}

void check_refused(const Strings &options, const std::string &named)
{
    std::string all;
    for (const auto &word : options)
        all += word + " ";
    auto r = lab::run(options, "true");
    check(r.status == 125, all + "gave another status than 125");
    check(std::count(r.err.begin(), r.err.end(), '\n') == 1, all + "gave not one line: " + r.err);
    check(r.err.find(named) != std::string::npos, all + "does not name the cause: " + r.err);
    check(r.out.empty(), all + "printed " + r.out);
}

} // namespace

void options()
{
    struct {
        Strings options;
        const char *named;
    } const bad[] = {
        {{"--nonsense"}, "nonsense"},
        {{"--rtt"}, "rtt"}, // takes "--" for its value
        {{"--rtt", "300"}, "--rtt '300'"},
        {{"--rtt", "-1ms"}, "--rtt"},
        {{"--rtt", "3h"}, "--rtt"},
        {{"--down-rtt", "3ms"}, "down-rtt"},
        {{"--delay", "2000000s"}, "--delay"},
        {{"--jitter", "nanms"}, "--jitter"},
        {{"--rate", "fast"}, "--rate"},
        {{"--up-rate", "8mbyte"}, "--up-rate"},
        {{"--rate", "9999gbit"}, "--rate"},
        {{"--queue", "1.5k"}, "--queue"},
        {{"--down-queue", "9999g"}, "--down-queue"},
        {{"--loss", "1"}, "--loss"},
        {{"--loss", "101%"}, "--loss"},
        {{"--gemodel", "1%"}, "--gemodel"},
        {{"--gemodel", "1%,2%,3%,4%"}, "--gemodel"},
        {{"--gemodel", "1%,x"}, "--gemodel"},
        {{"--at", "10s"}, "--at"},
        {{"--at", "10:rate=1mbit"}, "--at"},
        {{"--at", "10s:mtu=1000"}, "mtu"},
        {{"--at", "10s:rate=x"}, "rate"},
        {{"--control", "/nonexistent/fifo"}, "/nonexistent/fifo"},
        {{"--control", "/dev/null"}, "no FIFO"},
        {{"--seed", "-1"}, "--seed"},
        {{"--mtu", "67"}, "--mtu"},
        {{"--congestion", "../x"}, "--congestion"},
        {{"--congestion", "nosuch"}, "nosuch"},
        {{"--wait-for", "0"}, "--wait-for"},
        {{"--wait-for", "socket"}, "--wait-for"},
        {{"--wait-limit", "long"}, "--wait-limit"},
        {{"--wait-for", "1", "--wait-limit", "50ms"}, "port 1"},
        {{"--server-command", "exit 3", "--wait-for", "1"}, "status 3"},
        {{"--pid", "1"}, "--pid"},
        {{"--server"}, "--server"},
        {{"--server", "--pid", "999999999"}, "999999999"},
        {{"--stats", "/nonexistent/stats"}, "/nonexistent/stats"},
        {{"--packets", "/nonexistent/packets"}, "/nonexistent/packets"},
        {{"--packets", "/dev/full"}, "/dev/full"},
    };
    for (const auto &b : bad)
        check_refused(b.options, b.named);
    e2e::Command none;
    none.argv = {lab::linkem()};
    auto r = e2e::run(none);
    check(r.status == 125 && r.err.find("COMMAND") != std::string::npos, "no command: " + r.err);
    none.argv = {lab::linkem(), "--help"};
    r = e2e::run(none);
    check(r.status == 0 && r.err.empty() && r.out.find("--gemodel") != std::string::npos, "--help");
}

void status()
{
    check(lab::run({}, "exit 7").status == 7, "exit status");
    check(lab::run({}, "kill -TERM $$").status == 128 + SIGTERM, "status of a signal");
    check(lab::run({}, "exec /nonexistent/program").status == 127, "status of the shell");
    e2e::Command c;
    c.argv = {lab::linkem(), "/nonexistent/program"};
    check(e2e::run(c).status == 127, "no such command");
    c.argv = {lab::linkem(), "/"};
    check(e2e::run(c).status == 126, "a command that is none");
    // options after the command are the command's
    c.argv = {lab::linkem(), "echo", "--rtt", "x"};
    auto r = e2e::run(c);
    check(r.status == 0 && r.out == "--rtt x\n", "echo said " + r.out);
}

void servers()
{
    e2e::TempDir dir;
    std::string ready = dir.file("ready"), ended = dir.file("ended");
    auto r = lab::run({"--server-command",
                       "trap 'echo bye >" + ended + "; exit 0' TERM; readlink /proc/self/ns/net >" +
                           ready + "; while :; do sleep 0.02; done",
                       "--wait-for", ready},
                      "echo client=$(readlink /proc/self/ns/net)\n"
                      "echo joined=$($LINKEM --server readlink /proc/self/ns/net)\n"
                      "echo named=$($LINKEM --server --pid $LINKEM_SERVER_PID readlink "
                      "/proc/self/ns/net)\n"
                      "[ -e " +
                          ended + " ] && exit 1; exit 0");
    std::string net = e2e::read_file(ready);
    net.erase(net.find_last_not_of('\n') + 1);
    check(r.status == 0, "the server's command ended before COMMAND: " + r.err);
    check(!net.empty() && r.values["joined"] == net, "--server is at " + r.values["joined"]);
    check(r.values["named"] == net, "--pid is at " + r.values["named"]);
    check(r.values["client"] != net && !r.values["client"].empty(), "both ends are the same");
    check(net != fs::read_symlink("/proc/self/ns/net"), "the server is on our own network");
    check(e2e::read_file(ended) == "bye\n", "the server's command was not asked to end");
}

// Ends a link full of stubborn processes in one way and looks at what is left.
enum class Whom { PROGRAM, GROUP, KEEPER };

static void end_with(int number, Whom whom, const char *name)
{
    std::string word = "98765." + std::to_string(getpid()) + std::to_string(number) +
                       std::to_string(static_cast<int>(whom));
    e2e::Command c;
    c.argv = {lab::linkem(),
              "--server-command",
              "sleep " + word + "; sleep " + word,
              "--",
              "sh",
              "-c",
              "readlink /proc/self/ns/net; sleep " + word +
                  " & setsid sh -c 'trap \"\" TERM INT; sleep " + word + "; sleep " + word +
                  "' & wait"};
    e2e::Process p(c);
    // the program itself, its keeper, three shells and three sleeps
    bool up = e2e::wait_until(e2e::PATIENCE,
                              [&] { return with_argument(word).size() >= 8 && !p.out().empty(); });
    check(up, std::string(name) + ": did not start: " + p.err());
    std::string net = p.out().substr(0, p.out().find('\n'));
    auto below = e2e::children_of(p.pid());
    check(below.size() == 1, "not one keeper");
    if (!below.empty())
        kill(whom == Whom::KEEPER ? below[0] : whom == Whom::GROUP ? -p.pid() : p.pid(), number);
    bool gone = e2e::wait_until(
        e2e::PATIENCE, [&] { return with_argument(word).empty() && in_network(net).empty(); });
    check(gone, std::string(name) + ": processes are left");
    p.wait(e2e::PATIENCE);
    check(e2e::read_file("/proc/net/dev").find(" link:") == std::string::npos,
          std::string(name) + ": a device is left");
}

void cleanup()
{
    end_with(SIGTERM, Whom::PROGRAM, "SIGTERM");
    end_with(SIGINT, Whom::GROUP, "Ctrl+C");
    end_with(SIGKILL, Whom::PROGRAM, "SIGKILL");
    end_with(SIGKILL, Whom::GROUP, "SIGKILL of the group");
    end_with(SIGKILL, Whom::KEEPER, "SIGKILL of the keeper");
    // what COMMAND leaves running ends with the link
    std::string word = "98764." + std::to_string(getpid());
    lab::run({}, "setsid sleep " + word + " & exit 0");
    check(with_argument(word).empty(), "a background process is left");
}

} // namespace lifecycle
