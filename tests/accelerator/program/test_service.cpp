/* The accelerator as a service: its options, its configuration, its manager, its figures. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "tests/accelerator/accelerator.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/program.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* What the viewer shows when there is no server to show. */
std::string reason_shown(const std::string &address)
{
    ViewerOptions o;
    o.address = address;
    Viewer viewer(o);
    auto why = viewer.wait_closed();
    return why ? *why : "";
}

void refused(const std::vector<std::string> &arguments, const std::string &cause)
{
    Finished f = run(command(arguments));
    INFO(f.err);
    CHECK(f.status == 2);
    CHECK(f.err.find(cause) != std::string::npos);
    CHECK(f.err.compare(0, 13, "vnchl-accel: ") == 0);
    CHECK(f.err.find('\n') == f.err.size() - 1);
    CHECK(f.out.empty());
}

} // namespace

TEST_CASE("bad options and files are refused in one line", "[service]")
{
    TempDir dir;
    std::string file = dir.file("accel.conf");
    write_file(file, "[desk]\nlisten = 5910\nsevrer = :1\n");
    refused({}, "no port");
    refused({"--listen", "5910"}, "has no --server");
    refused({"--server", ":1"}, "has no --listen");
    refused({"--listen", "x", "--server", ":1"}, "no place to listen");
    refused({"--listen", "5910", "--server", "a:b"}, "bad address 'a:b'");
    refused({"--listen", "5910", "--server", ":1", "more"}, "'more' is no option");
    refused({"--bogus"}, "'--bogus' is no option");
    refused({"--listn", "5910"}, "unknown option '--listn': did you mean --listen?");
    refused({"--srever=:1"}, "unknown option '--srever': did you mean --server?");
    refused({"-clinets", "3"}, "unknown option '-clinets': did you mean --clients?");
    refused({"listen", "5910"}, "did you mean --listen?");
    refused({"--listen"}, "option '--listen' needs a value");
    refused({"--check-config=yes"}, "takes no value");
    refused({"--config", file, "--check-config"}, "line 3: [desk] has no setting 'sevrer'");
    refused({"--config", "/no/such/file"}, "cannot read /no/such/file");
    refused({"--clients", "none", "--listen", "5910", "--server", ":1"}, "--clients: ");
    write_file(file, "[desk]\nlisten = 5910\nserver = :1\n");
    Finished good = run(command({"--config", file, "--check-config"}));
    CHECK(good.status == 0);
    CHECK(good.err.empty());
    CHECK(run(command({"--help"})).out.find("--listen") != std::string::npos);
    CHECK(run(command({"--version"})).out.compare(0, 12, "vnchl-accel ") == 0);
}

TEST_CASE("a port that is taken is said", "[service]")
{
    FakeServer other({stall()});
    Finished f =
        run(command({"--listen", std::to_string(other.port()), "--server", "127.0.0.1::1"}));
    CHECK(f.status == 1);
    CHECK(f.err.find("cannot listen on") != std::string::npos);
    CHECK(f.err.find("Choose another port with --listen") != std::string::npos);
}

TEST_CASE("a server without a password is warned of where others reach the port", "[service]")
{
    FakeServer server(handshake(64, 64) + Script{stall()});
    int port = free_port();
    bool exposed = GENERATE(true, false);
    INFO(exposed);
    Process p(command({"--listen", (exposed ? "*:" : "127.0.0.1:") + std::to_string(port),
                       "--server", server.address()}));
    REQUIRE(wait_until(PATIENCE, [&] { return port_open(port); }));
    for (int i = 0; i < 2; i++)
        RawClient(port).greet();
    p.signal(SIGINT);
    CHECK(p.wait(PATIENCE) == 0);
    size_t first = p.err().find("event=no-password");
    CHECK((first != std::string::npos) == exposed);
    CHECK(p.err().rfind("event=no-password") == first); /* once */
}

TEST_CASE("the viewer is told that the server cannot be reached", "[service]")
{
    Accelerator a("127.0.0.1::" + std::to_string(free_port()));
    std::string why = reason_shown(a.address());
    INFO(why);
    CHECK(why.find("the accelerator cannot reach the VNC server") != std::string::npos);
    a.await("why=\"the accelerator cannot reach the VNC server: Connection refused\"");
}

namespace
{

/* The program with a configuration in a file, and a viewer that is connected through port `one`. */
struct Configured {
    std::string server;
    TempDir dir;
    std::string file = dir.file("accel.conf");
    int one = free_port(), two = free_port();
    Process program;
    std::unique_ptr<Viewer> viewer;

    explicit Configured(const std::string &address) : server(address), program(begin())
    {
        REQUIRE(wait_until(PATIENCE, [&] { return port_open(one); }));
        ViewerOptions o;
        o.address = "127.0.0.1::" + std::to_string(one);
        viewer = std::make_unique<Viewer>(o);
        require_connected(*viewer);
    }
    /* The lines of a port. */
    std::string desk(int port) const
    {
        return "[desk" + std::to_string(port) + "]\nlisten = " + std::to_string(port) +
               "\nserver = " + server + "\n";
    }

  private:
    Command begin() const
    {
        write_file(file, desk(one));
        return command({"--config", file});
    }
};

} // namespace

TEST_CASE("a new configuration is taken when it is good, and sessions go on", "[service]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Configured c(server->address);

    write_file(c.file, c.desk(c.one) + "nonsense\n");
    c.program.signal(SIGHUP);
    REQUIRE(wait_until(PATIENCE,
                       [&] { return c.program.err().find("not-reloaded") != std::string::npos; }));
    CHECK(port_open(c.one));

    write_file(c.file, c.desk(c.two));
    c.program.signal(SIGHUP);
    REQUIRE(wait_until(PATIENCE, [&] { return port_open(c.two); }));
    CHECK(wait_until(PATIENCE, [&] { return !port_open(c.one); }));
    server->screen->animate(5);
    check_picture(*c.viewer, server->screen->capture());

    c.program.signal(SIGTERM); /* the session has its time */
    REQUIRE(wait_until(PATIENCE, [&] { return !port_open(c.two); }));
    server->screen->animate(5);
    check_picture(*c.viewer, server->screen->capture());
    c.program.signal(SIGTERM);
    CHECK(c.program.wait(PATIENCE) == 0);
}

// The file is a FIFO then: whoever reads it waits for what we write.
TEST_CASE("sessions do not wait while the configuration is read again", "[service]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Configured c(server->address);
    int fifo = -1;

    REQUIRE(unlink(c.file.c_str()) == 0);
    REQUIRE(mkfifo(c.file.c_str(), 0600) == 0);
    c.program.signal(SIGHUP);
    REQUIRE(wait_until(PATIENCE, [&] {
        fifo = open(c.file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        return fifo >= 0;
    }));
    server->screen->animate(5);
    check_picture(*c.viewer, server->screen->capture());
    CHECK(c.program.err().find("reloaded") == std::string::npos);

    std::string text = c.desk(c.one) + c.desk(c.two);
    CHECK(write(fifo, text.data(), text.size()) == (ssize_t)text.size());
    close(fifo);
    CHECK(wait_until(PATIENCE, [&] { return port_open(c.two); }));
    c.program.signal(SIGINT);
    CHECK(c.program.wait(PATIENCE) == 0);
}

namespace
{

/* What a shell runs: the program, with its standard descriptors changed. */
Command redirected(const Command &program, const std::string &how)
{
    Command c = program;
    c.argv = {"/bin/sh", "-c", "exec \"$@\" " + how, "sh"};
    c.argv.insert(c.argv.end(), program.argv.begin(), program.argv.end());
    return c;
}

/* A log that somebody reads, until he stops. */
class SlowLog
{
  public:
    explicit SlowLog(const std::string &path)
    {
        REQUIRE(mkfifo(path.c_str(), 0600) == 0);
        fd_ = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
        REQUIRE(fd_ >= 0);
    }
    ~SlowLog()
    {
        close(fd_);
    }
    bool await(const std::string &text)
    {
        return wait_until(PATIENCE, [&] {
            char piece[4096];
            for (ssize_t n; (n = read(fd_, piece, sizeof piece)) > 0;)
                said_.append(piece, static_cast<size_t>(n));
            return said_.find(text) != std::string::npos;
        });
    }
    /* From now on who writes waits. */
    void stall()
    {
        for (size_t size = 4096; size > 0;)
            if (write(fd_, std::string(size, '.').data(), size) < 0)
                size /= 2;
    }

  private:
    int fd_;
    std::string said_;
};

} // namespace

TEST_CASE("sessions do not wait for who reads the log, nor does the end", "[service]")
{
    FakeServer server(handshake(64, 64) + Script{await_request(), send_step("here"), stall()});
    TempDir dir;
    SlowLog log(dir.file("log"));
    int port = free_port();
    Process p(redirected(command({"--listen", std::to_string(port), "--server", server.address()}),
                         "2>" + dir.file("log")));
    REQUIRE(log.await("event=listening"));
    log.stall();
    {
        RawClient client(port);
        client.greet();
        client.ask(false);
        CHECK(client.hear(4) == "here");
    }
    SECTION("it is read again")
    {
        CHECK(log.await("event=end"));
        p.signal(SIGTERM);
        CHECK(p.wait(PATIENCE) == 0);
        CHECK(log.await("event=ended"));
    }
    SECTION("it is not")
    {
        p.signal(SIGTERM);
        CHECK(p.wait(PATIENCE) == 0);
    }
}

TEST_CASE("a log that may not grow any more ends nothing", "[service]")
{
    FakeServer server(handshake(64, 64) + Script{await_request(), send_step("here"), stall()});
    TempDir dir;
    int port = free_port();
    Command c = command({"--listen", std::to_string(port), "--server", server.address()});
    c = redirected(c, "2>>" + dir.file("log"));
    c.argv[2] = "ulimit -f 0; " + c.argv[2];
    Process p(c);
    REQUIRE(wait_until(PATIENCE, [&] { return port_open(port); }));
    RawClient(port).greet();
    p.signal(SIGINT);
    CHECK(p.wait(PATIENCE) == 0);
    CHECK(read_file(dir.file("log")).empty());
}

TEST_CASE("without standard descriptors nothing takes their place", "[service]")
{
    FakeServer server(handshake(64, 64) + Script{await_request(), send_step("here"), stall()});
    int port = free_port();
    std::string closed = GENERATE("2>&-", "<&- >&- 2>&-");
    Process p(redirected(command({"--listen", std::to_string(port), "--server", server.address()}),
                         closed));
    REQUIRE(wait_until(PATIENCE, [&] { return port_open(port); }));
    for (int i = 0; i < 10; i++) {
        RawClient client(port);
        client.greet();
        client.ask(false);
        CHECK(client.hear(4) == "here");
    }
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE) == 0);
}

TEST_CASE("the end does not wait for a configuration that does not come", "[service]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Configured c(server->address);
    auto threads = [&] {
        auto all = std::filesystem::directory_iterator("/proc/" + std::to_string(c.program.pid()) +
                                                       "/task");
        return std::distance(begin(all), end(all));
    };
    auto before = threads();

    REQUIRE(unlink(c.file.c_str()) == 0);
    REQUIRE(mkfifo(c.file.c_str(), 0600) == 0);
    c.program.signal(SIGHUP);
    REQUIRE(wait_until(PATIENCE, [&] { return threads() > before; }));
    c.program.signal(SIGTERM);
    c.viewer.reset();
    CHECK(c.program.wait(PATIENCE) == 0);
    CHECK(c.program.err().find("event=ended") != std::string::npos);
}

TEST_CASE("a configuration that is a pipe is waited for, and that is said", "[service]")
{
    FakeServer server(handshake(64, 64) + Script{await_request(), send_step("here"), stall()});
    TempDir dir;
    const std::string pipe = dir.file("config");
    const int port = free_port();
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    Process p(command({"--config", pipe}));
    REQUIRE(wait_until(PATIENCE, [&] { return !p.err().empty() || !p.running(); }));
    CHECK(p.err() == "vnchl-accel: waiting for the configuration: " + pipe +
                         " is no regular file, and nobody writes into it\n");
    write_file(pipe, "[desk]\nlisten = " + std::to_string(port) + "\nserver = " + server.address() +
                         "\n");
    REQUIRE(wait_until(PATIENCE, [&] { return port_open(port); }));
    p.signal(SIGINT);
    CHECK(p.wait(PATIENCE) == 0);
}

TEST_CASE("after its start it can do little else", "[service]")
{
    FakeServer server({stall()});
    Accelerator a(server.address());
    std::istringstream status(read_file("/proc/" + std::to_string(a.process->pid()) + "/status"));
    std::string privileges, filter;
    for (std::string line; std::getline(status, line);) {
        if (line.compare(0, 11, "NoNewPrivs:") == 0)
            privileges = line.substr(12);
        if (line.compare(0, 8, "Seccomp:") == 0)
            filter = line.substr(9);
    }
    a.await("event=confined");
    CHECK((a.count("calls=yes") == 0 || filter == "2"));
    CHECK((a.count("=yes") == 0 || privileges == "1"));
}

TEST_CASE("the service manager's socket is taken, and it is told", "[service]")
{
    std::string activate = find_program("systemd-socket-activate");
    auto server = start_tigervnc();
    if (!server || activate.empty())
        return;
    int port = free_port();
    Command c = command({"--listen", std::to_string(port), "--server", server->address});
    c.argv.insert(c.argv.begin(), {activate, "--listen", "127.0.0.1:" + std::to_string(port)});
    Process p(c);
    REQUIRE(wait_until(PATIENCE, [&] { return port_open(port); }));
    ViewerOptions o;
    o.address = "127.0.0.1::" + std::to_string(port);
    Viewer viewer(o);
    require_connected(viewer); /* its own socket could not be bound: the address is in use */
    /* The log line follows the bytes that connected the viewer. */
    CHECK(wait_until(PATIENCE, [&] { return p.err().find("event=session") != std::string::npos; }));
}

TEST_CASE("figures for Prometheus", "[service]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    int port = free_port();
    Accelerator a(server->address, {"--metrics", std::to_string(port)});
    RawClient client(a.port);
    client.greet();
    client.ask(false);
    REQUIRE(client.update());
    auto page = [&](const std::string &path) {
        RawClient web(port);
        web.say("GET " + path + " HTTP/1.0\r\n\r\n");
        return web.hear_all();
    };
    std::string said;
    CHECK(wait_until(PATIENCE, [&] {
        said = page("/metrics");
        return said.find("\nvnchl_accel_updates_total 1\n") != std::string::npos;
    }));
    INFO(said);
    for (const char *line :
         {"vnchl_accel_clients 1", "vnchl_accel_clients_accelerated 1", "vnchl_accel_held_bytes 0",
          "vnchl_accel_client_requests_total 1", "vnchl_accel_connections_accepted_total 1"})
        CHECK(said.find("\n" + std::string(line) + "\n") != std::string::npos);
    CHECK(page("/").find(" 404 ") != std::string::npos);
}

TEST_CASE("who is slow with a question about figures keeps nobody out", "[service]")
{
    FakeServer server({stall()});
    int port = free_port();
    Accelerator a(server.address(), {"--metrics", std::to_string(port)});
    std::vector<std::unique_ptr<RawClient>> slow;
    for (int i = 0; i < 40; i++) {
        slow.push_back(std::make_unique<RawClient>(port));
        slow.back()->say("GET /metrics HTTP/1.1\r\nHost: x");
    }
    RawClient web(port);
    web.say("GET /metrics HTTP/1.0\r\n\r\n");
    bool answered = wait_until(PATIENCE, [&] {
        for (auto &one : slow) /* so that none of them is silent */
            one->say("x");
        return web.waits() > 0;
    });
    CHECK(answered);
    CHECK(web.hear_all().find("vnchl_accel_clients 0") != std::string::npos);
}

TEST_CASE("a repeater's ID names the server", "[service]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    TempDir dir;
    std::string file = dir.file("accel.conf");
    int port = free_port();
    write_file(file, "[repeater]\nlisten = " + std::to_string(port) +
                         "\nid.17 = " + server->address + "\n");
    Process p(command({"--config", file}));
    REQUIRE(wait_until(PATIENCE, [&] { return port_open(port); }));
    std::string repeater = "127.0.0.1::" + std::to_string(port);
    Finished good =
        run(vnchl({"--headless", "--duration", "0.5", "--repeater", repeater, "ID:17"}));
    INFO(good.err);
    CHECK(good.status == 0);
    Finished bad = run(vnchl({"--headless", "--duration", "0.5", "--repeater", repeater, "ID:18"}));
    INFO(bad.err);
    CHECK(bad.status == 1);
    CHECK(bad.err.find("knows no server with this ID") != std::string::npos);
}
