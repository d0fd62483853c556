#include "process.hpp"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/ports.hpp"

namespace e2e
{

bool wait_until(milliseconds limit, const std::function<bool()> &done, milliseconds between)
{
    auto end = Clock::now() + limit;
    while (!done()) {
        if (Clock::now() >= end)
            return done();
        std::this_thread::sleep_for(between);
    }
    return true;
}

void write_file(const std::string &path, const std::string &content, unsigned mode)
{
    std::ofstream f(path, std::ios::binary);
    f << content;
    f.close();
    if (!f || chmod(path.c_str(), mode) != 0)
        throw std::runtime_error("cannot write " + path);
}

std::string read_file(const std::string &path)
{
    std::ifstream f(path, std::ios::binary);
    std::ostringstream s;
    s << f.rdbuf();
    return s.str();
}

bool file_exists(const std::string &path)
{
    return access(path.c_str(), F_OK) == 0;
}

std::string find_program(const std::string &name)
{
    const char *all = getenv("PATH");
    std::istringstream folders(all ? all : "/usr/bin:/bin");
    std::string folder;
    while (std::getline(folders, folder, ':')) {
        std::string path = folder + "/" + name;
        if (access(path.c_str(), X_OK) == 0)
            return path;
    }
    return "";
}

sockaddr_in loopback(int port)
{
    sockaddr_in a = {};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = htons(static_cast<uint16_t>(port));
    return a;
}

int free_port()
{
    return ports::unused();
}

bool port_open(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in a = loopback(port);
    bool ok = connect(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0;
    close(fd);
    return ok;
}

static int entries(const char *folder)
{
    DIR *d = opendir(folder);
    int n = 0;
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n - 2;
}

int open_fds()
{
    return entries("/proc/self/fd") - 1; /* without the one that lists them */
}

int live_threads()
{
    return entries("/proc/self/task");
}

std::vector<pid_t> children_of(pid_t pid)
{
    std::vector<pid_t> found;
    std::error_code gone;
    for (const auto &thread :
         std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
        std::ifstream list(thread.path() / "children");
        for (pid_t child; list >> child;)
            found.push_back(child);
    }
    return found;
}

std::vector<pid_t> children_named(pid_t pid, const std::string &name)
{
    std::vector<pid_t> found;
    for (pid_t child : children_of(pid))
        if (read_file("/proc/" + std::to_string(child) + "/comm") == name + "\n")
            found.push_back(child);
    return found;
}

pid_t ssh_of(pid_t pid)
{
    for (pid_t child : children_named(pid, "ssh")) {
        const std::string line = read_file("/proc/" + std::to_string(child) + "/cmdline");
        if (line.find(std::string("\0-G\0", 4)) == std::string::npos)
            return child;
    }
    throw std::runtime_error("no ssh was started");
}

/* The strings of a list for execvpe(), which live as long as `all`. */
static std::vector<char *> pointers(const std::vector<std::string> &all)
{
    std::vector<char *> list;
    for (const auto &s : all)
        list.push_back(const_cast<char *>(s.c_str()));
    list.push_back(nullptr);
    return list;
}

/* Ours, with the command's changes. */
static std::vector<std::string> environment_of(const Command &c)
{
    std::map<std::string, std::string> all;
    for (char **e = environ; *e; e++) {
        const std::string entry = *e;
        const size_t equals = entry.find('=');
        if (equals != std::string::npos)
            all[entry.substr(0, equals)] = entry.substr(equals + 1);
    }
    for (const auto &name : c.unset)
        all.erase(name);
    for (const auto &[name, value] : c.env)
        all[name] = value;
    std::vector<std::string> entries;
    for (const auto &[name, value] : all)
        entries.push_back(name + "=" + value);
    return entries;
}

/* A lock of malloc() that another thread held during fork() stays locked here for ever. So nothing
 * here may allocate. */
[[noreturn]] static void become_child(const Command &c, char *const *argv, char *const *environment,
                                      pid_t parent, int in, int out, int err)
{
    /* The test framework's handlers would run in here otherwise. */
    for (int n : {SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, SIGPIPE})
        signal(n, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    setsid(); /* a group of its own, and no terminal to ask on */
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    if (c.display_fd >= 0)
        fcntl(c.display_fd, F_SETFD, 0);
    if (c.uid && (setgroups(0, nullptr) != 0 || setgid(c.uid) != 0 || setuid(c.uid) != 0))
        _exit(126);
    /* After setuid, which clears it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(125);
    execvpe(argv[0], argv, environment);
    dprintf(2, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

Process::Process(const Command &command)
{
    out_ = memfd_create("stdout", MFD_CLOEXEC);
    err_ = memfd_create("stderr", MFD_CLOEXEC);
    int in = memfd_create("stdin", MFD_CLOEXEC);
    if (out_ < 0 || err_ < 0 || in < 0)
        throw std::runtime_error("memfd_create failed");
    /* Both append: a child and its own children share the file. */
    fcntl(out_, F_SETFL, O_APPEND);
    fcntl(err_, F_SETFL, O_APPEND);
    if (!command.input.empty()) {
        if (write(in, command.input.data(), command.input.size()) < 0)
            throw std::runtime_error("cannot write standard input");
        lseek(in, 0, SEEK_SET);
    }
    const std::vector<std::string> environment = environment_of(command);
    const auto words = pointers(command.argv), entries = pointers(environment);
    pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_ = fork();
    if (pid_ == 0)
        become_child(command, words.data(), entries.data(), parent, in, out_, err_);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    close(in);
    if (pid_ < 0)
        throw std::runtime_error("fork failed");
}

Process::~Process()
{
    stop();
    close(out_);
    close(err_);
}

std::optional<int> Process::wait(milliseconds limit)
{
    if (status_)
        return status_;
    int pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
    if (pidfd >= 0) {
        pollfd p = {pidfd, POLLIN, 0};
        auto end = Clock::now() + limit;
        int left;
        do {
            left = static_cast<int>(
                std::chrono::duration_cast<milliseconds>(end - Clock::now()).count());
        } while (poll(&p, 1, left > 0 ? left : 0) < 0 && errno == EINTR);
        close(pidfd);
    }
    int raw;
    if (waitpid(pid_, &raw, WNOHANG) == pid_)
        status_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    return status_;
}

bool Process::running()
{
    return !wait(milliseconds(0));
}

void Process::signal(int number)
{
    if (running())
        kill(pid_, number);
}

void Process::stop(milliseconds grace)
{
    if (running()) {
        kill(pid_, SIGTERM);
        if (!wait(grace)) {
            kill(-pid_, SIGKILL);
            wait(seconds(5));
        }
    }
    kill(-pid_, SIGKILL); /* children of its own, if it left any behind */
}

static std::string content(int fd)
{
    std::string text;
    char buffer[4096];
    ssize_t n;
    while ((n = pread(fd, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0)
        text.append(buffer, static_cast<size_t>(n));
    return text;
}

std::string Process::out() const
{
    return content(out_);
}

std::string Process::err() const
{
    return content(err_);
}

/* Each thread of a process and of its children: its name, and what it waits for. This explains a
 * hang that may not come again. */
static std::string waits(pid_t pid)
{
    std::string text;
    std::error_code gone;
    const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
    for (const auto &thread : std::filesystem::directory_iterator(tasks, gone)) {
        const std::string folder = thread.path();
        text += "process " + std::to_string(pid) + " waits: " + read_file(folder + "/comm") +
                read_file(folder + "/wchan") + "; " + read_file(folder + "/syscall");
    }
    for (pid_t child : children_of(pid))
        text += waits(child);
    return text;
}

Finished run(const Command &command, milliseconds limit)
{
    auto start = Clock::now();
    Process p(command);
    Finished f;
    f.status = p.wait(limit);
    const std::string hang = f.status ? "" : waits(p.pid());
    f.took = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    p.stop();
    f.out = p.out();
    f.err = p.err() + hang;
    return f;
}

} // namespace e2e
