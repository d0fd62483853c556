/* vnchl-accel as ssh starts it, and what it keeps when ssh has gone. */
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <set>

#include "rfb/net/ssh/far_end.h"
#include "tests/accelerator/pushing.hpp"

namespace accelerator
{

using namespace e2e;

inline const std::string TOKEN(FAR_END_TOKEN, 'a'), OTHER(FAR_END_TOKEN, 'b');

inline bool is_gone(pid_t pid)
{
    return wait_until(PATIENCE, [&] { return kill(pid, 0) != 0; });
}

/* The user's folder for what lasts as long as a login. */
class Runtime
{
  public:
    std::string path() const
    {
        return dir_.path();
    }
    std::string folder() const
    {
        return dir_.file("vnchl");
    }
    std::string socket(const std::string &token = TOKEN) const
    {
        return folder() + "/" + token;
    }
    std::vector<std::string> files() const
    {
        std::vector<std::string> all;
        if (std::filesystem::exists(folder()))
            for (const auto &file : std::filesystem::directory_iterator(folder()))
                all.push_back(file.path().filename());
        return all;
    }
    bool await_files(size_t count) const
    {
        return wait_until(PATIENCE, [&] { return files().size() == count; });
    }

  private:
    TempDir dir_;
};

/* vnchl-accel as ssh starts it. The test has its standard input and output. */
class Stdio
{
  public:
    /* `ssh`: what sshd says of the connection (SSH_CONNECTION); empty: nothing. */
    Stdio(const Runtime &runtime, const std::string &server, std::vector<std::string> more,
          const std::string &ssh = "")
    {
        Command c = command({"--once", "--stdio", "--verbose", "--server", server});
        c.argv.insert(c.argv.end(), more.begin(), more.end());
        setenv("XDG_RUNTIME_DIR", runtime.path().c_str(), 1);
        unsetenv("SSH_CONNECTION");
        if (!ssh.empty())
            setenv("SSH_CONNECTION", ssh.c_str(), 1);
        int pair[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, pair[1], 0);
        posix_spawn_file_actions_adddup2(&actions, pair[1], 1);
        posix_spawn_file_actions_addopen(&actions, 2, said_.file("said").c_str(),
                                         O_WRONLY | O_CREAT | O_APPEND, 0600);
        std::vector<char *> argv;
        for (auto &word : c.argv)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        REQUIRE(posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ) == 0);
        posix_spawn_file_actions_destroy(&actions);
        close(pair[1]);
        fd_ = pair[0];
        unsetenv("XDG_RUNTIME_DIR");
        unsetenv("SSH_CONNECTION");
    }
    ~Stdio()
    {
        hang_up();
        end();
    }
    /* The greeting, and then who speaks RFB has the connection. */
    RawClient::Connected greeted()
    {
        std::string line;
        char byte;
        while (line.find('\n') == std::string::npos && read(fd_, &byte, 1) == 1)
            line += byte;
        INFO(said());
        REQUIRE(line == FAR_END_GREETING);
        return {std::exchange(fd_, -1)};
    }
    void hang_up()
    {
        if (fd_ >= 0)
            close(fd_);
        fd_ = -1;
    }
    /* As its end comes by itself. */
    int end()
    {
        int status = 0;
        if (pid_ > 0)
            waitpid(pid_, &status, 0);
        pid_ = -1;
        return status;
    }
    pid_t pid() const
    {
        return pid_;
    }
    std::string said() const
    {
        return read_file(said_.file("said"));
    }
    bool await(const std::string &text) const
    {
        return wait_until(PATIENCE, [&] { return said().find(text) != std::string::npos; });
    }

  private:
    TempDir said_;
    pid_t pid_ = -1;
    int fd_ = -1;
};

inline std::vector<std::string> keep(const std::string &token = TOKEN,
                                     const std::string &time = "1h")
{
    return {"--keep", time, "--resume", token};
}

/* The process that keeps, and those that push for it. */
struct Kept {
    pid_t keeper = 0;
    std::vector<pid_t> pushers;
    explicit Kept(pid_t accelerator)
    {
        REQUIRE(wait_until(PATIENCE, [&] { return !pushers_of(accelerator).empty(); }));
        pushers = pushers_of(accelerator);
        keeper = children_of(accelerator).at(0);
    }
    bool lives() const
    {
        return kill(keeper, 0) == 0 && kill(pushers.at(0), 0) == 0;
    }
    bool gone() const
    {
        return is_gone(keeper) && is_gone(pushers.at(0));
    }
};

/* Who is connected to the server: the ports at the other side. */
inline std::set<unsigned> connections(const Server &server)
{
    std::set<unsigned> all;
    std::istringstream table(read_file("/proc/net/tcp"));
    for (std::string line; std::getline(table, line);) {
        unsigned local, remote, state;
        if (sscanf(line.c_str(), "%*d: %*x:%x %*x:%x %x", &local, &remote, &state) == 3 &&
            local == static_cast<unsigned>(server.port) && state == 1)
            all.insert(remote);
    }
    return all;
}

/* The ssh that this process has started. */
inline void kill_ssh()
{
    kill(ssh_of(getpid()), SIGKILL);
}

} // namespace accelerator
