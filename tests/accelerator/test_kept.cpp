/* A far end that is kept when ssh has gone: it is found again by the same window, and leaves
 * nothing behind. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <set>

#include "pushing.hpp"
#include "rfb/net/far_end.h"

/* after Catch2, which has names that are macros there */
#include <X11/keysym.h>

using namespace e2e;
using namespace accelerator;

namespace
{

const std::string TOKEN(FAR_END_TOKEN, 'a'), OTHER(FAR_END_TOKEN, 'b');

bool is_gone(pid_t pid)
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
    Stdio(const Runtime &runtime, const std::string &server, std::vector<std::string> more)
    {
        Command c = command({"--once", "--stdio", "--verbose", "--server", server});
        c.argv.insert(c.argv.end(), more.begin(), more.end());
        setenv("XDG_RUNTIME_DIR", runtime.path().c_str(), 1);
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

std::vector<std::string> keep(const std::string &token = TOKEN, const std::string &time = "1h")
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
std::set<unsigned> connections(const Server &server)
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
void kill_ssh()
{
    std::vector<pid_t> ssh = children_named(getpid(), "ssh");
    REQUIRE_FALSE(ssh.empty());
    kill(ssh.back(), SIGKILL);
}

} // namespace

TEST_CASE("kept over --ssh: ssh is killed, and the same window goes on with the same session",
          "[kept]")
{
    for (auto start : {start_tigervnc, start_x11vnc}) {
        auto server = start({});
        if (!server)
            continue;
        INFO(server->name);
        Runtime runtime;
        FarMachine far("export XDG_RUNTIME_DIR=" + runtime.path());
        if (!far.gateway)
            return;
        OurPath path(*far.gateway);
        ViewerOptions o = takes_blocks(server->address);
        o.ssh = far.name();
        o.keep_s = 3600;
        XScreen &screen = *server->screen;
        auto first = std::make_unique<Viewer>(o);
        require_pushed(*first);
        require_first_picture(*first);
        Kept kept(far.pid());
        const std::set<unsigned> connected = connections(*server);
        CHECK(connected.size() == 1);
        CHECK(runtime.files().size() == 1);
        first->pointer(100, 100, 0);
        REQUIRE(screen.wait_pointer(100, 100, PATIENCE));
        screen.define_cursor(12, 9, 3, 4);
        first->key(XK_q, true);
        first->pointer(100, 100, 1);
        REQUIRE(screen.wait_key(XK_q, true, PATIENCE));
        kill_ssh();
        CHECK(first->wait_closed());
        CHECK(screen.wait_key(XK_q, false, PATIENCE));
        CHECK(wait_until(PATIENCE, [&] { return screen.nothing_held(); }));
        first.reset();
        CHECK(is_gone(far.pid()));
        CHECK(kept.lives());
        screen.animate(5);
        Viewer second(o);
        require_pushed(second);
        check_picture(second, screen.capture());
        CHECK(far.log().find("event=resumed") != std::string::npos);
        CHECK(connections(*server) == connected);
        CHECK(std::string(second.stats().name) != "");
        CHECK(second.wait_for(PATIENCE, [&] {
            auto e = second.wait_event(SESSION_CURSOR, milliseconds(0));
            return e && e->width == 12 && e->height == 9 && e->hot_x == 3 && e->hot_y == 4;
        }));
        screen.animate(5);
        check_picture(second, screen.capture());
        second.key(XK_w, true);
        CHECK(screen.wait_key(XK_w, true, PATIENCE));
        second.key(XK_w, false);
        CHECK(screen.wait_key(XK_w, false, PATIENCE));
        kill_ssh();
        CHECK(second.wait_closed());
        {
            Viewer third(o);
            require_pushed(third);
            CHECK(kept.lives());
        }
        CHECK(kept.gone()); /* the viewer has said goodbye */
        CHECK(runtime.files().empty());
        CHECK(is_gone(far.pid()));
        CHECK(wait_until(PATIENCE, [&] { return connections(*server).empty(); }));
    }
}
