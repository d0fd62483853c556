#include "between.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>

#include "servers.hpp"

namespace e2e
{

/* ---- Gateway ---- */

static void make_key(const std::string &file)
{
    Command c;
    c.argv = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file};
    if (run(c).status != 0)
        throw std::runtime_error("ssh-keygen failed");
}

static std::string user_name()
{
    const passwd *p = getpwuid(getuid());
    return p ? p->pw_name : "root";
}

std::unique_ptr<Gateway> Gateway::start(const std::string &settings)
{
    std::string sshd = find_program("sshd").empty() ? "/usr/sbin/sshd" : find_program("sshd");
    if (!installed(sshd[0] == '/' && file_exists(sshd) ? "ssh-keygen" : "sshd"))
        return nullptr;
    auto g = std::unique_ptr<Gateway>(new Gateway);
    const TempDir &d = g->dir_;
    if (getuid() == 0)
        mkdir("/run/sshd", 0755); /* a machine that has not started its own sshd yet lacks it */
    g->port_ = free_port();
    make_key(d.file("host_key"));
    make_key(d.file("key"));
    write_file(d.file("authorized"), read_file(d.file("key.pub")));
    write_file(d.file("known"),
               "[127.0.0.1]:" + std::to_string(g->port_) + " " + read_file(d.file("host_key.pub")));
    write_file(d.file("sshd_config"),
               "ListenAddress 127.0.0.1:" + std::to_string(g->port_) + "\nHostKey " +
                   d.file("host_key") + "\nAuthorizedKeysFile " + d.file("authorized") +
                   "\nStrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\n"
                   "PasswordAuthentication no\nKbdInteractiveAuthentication no\n" +
                   settings);
    for (const char *kind : {"with_key", "without_key"})
        write_file(d.file(kind), std::string("UserKnownHostsFile ") + d.file("known") +
                                     "\nGlobalKnownHostsFile none\nIdentitiesOnly yes\n"
                                     "IdentityAgent none\nBatchMode yes\nIdentityFile " +
                                     (kind[4] == '_' ? d.file("key") : d.file("no-key")) + "\n");
    Command c;
    c.argv = {sshd, "-D", "-e", "-f", d.file("sshd_config")};
    g->sshd_ = std::make_unique<Process>(c);
    if (!wait_until(PATIENCE,
                    [&] {
                        return g->sshd_->err().find("Server listening") != std::string::npos ||
                               !g->sshd_->running();
                    }) ||
        !g->sshd_->running())
        throw std::runtime_error("sshd did not come up: " + g->sshd_->err());
    return g;
}

std::string Gateway::name() const
{
    return user_name() + "@127.0.0.1:" + std::to_string(port_);
}

std::string Gateway::path(bool with_key) const
{
    write_file(dir_.file("ssh"),
               "#!/bin/sh\nexec " + find_program("ssh") + " -F " +
                   dir_.file(with_key ? "with_key" : "without_key") + " \"$@\"\n",
               0755);
    return dir_.path();
}

Command Gateway::use(Command c, bool with_key) const
{
    c.env["PATH"] = path(with_key) + ":" + getenv("PATH");
    return c;
}

/* ---- Repeater ---- */

static const size_t FIELD = 250;

static int listen_anywhere()
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in a = loopback(0);
    if (fd < 0 || bind(fd, reinterpret_cast<sockaddr *>(&a), sizeof a) != 0 || listen(fd, 4) != 0)
        throw std::runtime_error("cannot listen");
    return fd;
}

static std::string port_of(int fd)
{
    sockaddr_in a = {};
    socklen_t size = sizeof a;
    getsockname(fd, reinterpret_cast<sockaddr *>(&a), &size);
    return std::to_string(ntohs(a.sin_port));
}

Repeater::Repeater(Mode mode)
    : mode_(mode), viewers_(listen_anywhere()), servers_(listen_anywhere())
{
    if (pipe(stop_) != 0)
        throw std::runtime_error("pipe failed");
    thread_ = std::thread([this] { serve(); });
}

Repeater::~Repeater()
{
    close(stop_[1]);
    thread_.join();
    for (int fd : {stop_[0], viewers_, servers_})
        close(fd);
}

std::string Repeater::viewer_address() const
{
    return "127.0.0.1::" + port_of(viewers_);
}

std::string Repeater::server_address() const
{
    return "127.0.0.1:" + port_of(servers_);
}

/* Waits until one of them can be read; false when the test is over. */
static bool readable(int stop, pollfd (&p)[3])
{
    p[2] = {stop, POLLIN, 0};
    while (poll(p, 3, -1) < 0) {
    }
    return p[2].revents == 0;
}

int Repeater::accept_on(int listener)
{
    pollfd p[3] = {{listener, POLLIN, 0}, {-1, 0, 0}, {}};
    return readable(stop_[0], p) ? accept4(listener, nullptr, nullptr, SOCK_CLOEXEC) : -1;
}

bool Repeater::read_field(int fd, std::string &out)
{
    std::string field;
    while (field.size() < FIELD) {
        pollfd p[3] = {{fd, POLLIN, 0}, {-1, 0, 0}, {}};
        char bytes[FIELD];
        ssize_t n = readable(stop_[0], p) ? recv(fd, bytes, FIELD - field.size(), 0) : 0;
        if (n <= 0)
            return false;
        field.append(bytes, static_cast<size_t>(n));
    }
    out = field.c_str();
    return true;
}

void Repeater::hand_on(int a, int b)
{
    for (;;) {
        pollfd p[3] = {{a, POLLIN, 0}, {b, POLLIN, 0}, {}};
        if (!readable(stop_[0], p))
            return;
        for (int i = 0; i < 2; i++) {
            char bytes[65536];
            if (!p[i].revents)
                continue;
            ssize_t n = recv(p[i].fd, bytes, sizeof bytes, 0);
            for (ssize_t sent = 0, part; sent < n; sent += part) {
                part = send(p[1 - i].fd, bytes + sent, static_cast<size_t>(n - sent), MSG_NOSIGNAL);
                if (part <= 0)
                    return;
            }
            if (n <= 0)
                return;
        }
    }
}

void Repeater::serve()
{
    std::string wanted, number;
    int server = -1, viewer = -1;
    bool ok = true;

    if (mode_ == TWO) {
        server = accept_on(servers_);
        ok = server >= 0 && read_field(server, number);
    }
    viewer = ok ? accept_on(viewers_) : -1;
    ok = viewer >= 0 && send(viewer, "RFB 000.000\n", 12, MSG_NOSIGNAL) == 12 &&
         read_field(viewer, wanted);
    if (ok) {
        asked_ = wanted;
        has_asked_ = true;
    }
    if (ok && mode_ == ONE) {
        sockaddr_in a = loopback(atoi(wanted.c_str() + wanted.rfind(':') + 1));
        server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        ok = connect(server, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0;
    }
    if (ok && (mode_ == ONE || wanted == number))
        hand_on(viewer, server);
    for (int fd : {viewer, server})
        if (fd >= 0)
            close(fd);
}

} // namespace e2e
