/* What every test here needs from the operating system: child processes that cannot outlive the
 * test, waiting with a deadline, scratch folders, free ports.
 *
 * Whatever can be waited on is waited on, with PATIENCE. */
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/temp_dir.hpp"

namespace e2e
{

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

/* For what must happen: only a hang takes so long, however slow the machine. No test judges speed
 * by it. */
constexpr auto PATIENCE = seconds(120);

/* Calls `done` until it returns true (true) or `limit` has passed (false). */
bool wait_until(milliseconds limit, const std::function<bool()> &done,
                milliseconds between = milliseconds(5));

using ::TempDir;

void write_file(const std::string &path, const std::string &content, unsigned mode = 0600);
std::string read_file(const std::string &path);
bool file_exists(const std::string &path);

/* The path of a program on PATH; empty when it is not installed. */
std::string find_program(const std::string &name);

/* Of this machine, IPv4. */
sockaddr_in loopback(int port);

/* A TCP port nobody listens on right now (IPv4 loopback), and that no other test is given. */
int free_port();

/* True once something accepts connections there. */
bool port_open(int port);

/* Entries of /proc/self/fd and /proc/self/task. */
int open_fds();
int live_threads();

/* The processes that this one has started, without those that these have. */
std::vector<pid_t> children_of(pid_t pid);
/* Those that run the program of this name; the kernel keeps 15 characters of it. */
std::vector<pid_t> children_named(pid_t pid, const std::string &name);
/* The ssh that leads to the far machine: not one that is only asked where it would go (-G). */
pid_t ssh_of(pid_t pid);

struct Command {
    std::vector<std::string> argv;
    std::map<std::string, std::string> env; /* set on top of ours; */
    std::vector<std::string> unset;         /* removed from ours */
    uid_t uid = 0;                          /* not 0: run as this user */
    std::string input;                      /* standard input; else /dev/null */
    int display_fd = -1; /* a pipe's writing end the child keeps, at this very number */
};

/* A child process with stdout and stderr captured. The destructor ends it by pid. */
class Process
{
  public:
    explicit Process(const Command &command);
    ~Process();
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;

    pid_t pid() const
    {
        return pid_;
    }
    bool running();
    /* The exit status, 128 + signal when a signal ended it, nothing when the time is over. */
    std::optional<int> wait(milliseconds limit);
    void signal(int number);
    /* SIGTERM, and SIGKILL to whatever remains of its process group after `grace`. */
    void stop(milliseconds grace = seconds(10));

    std::string out() const;
    std::string err() const;

  private:
    pid_t pid_ = -1;
    std::optional<int> status_;
    int out_ = -1, err_ = -1;
};

/* Runs to the end; the whole result at once. */
struct Finished {
    std::optional<int> status; /* nothing: had to be killed at the deadline */
    std::string out, err;      /* `err` then ends with what its threads waited for */
    milliseconds took;
};
Finished run(const Command &command, milliseconds limit = PATIENCE);

} // namespace e2e
