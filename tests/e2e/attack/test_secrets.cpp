/* Where a password is not: in what the program writes, in what other programs can read, and in the
 * process of the session once the server has it. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "attacked.hpp"
#include "tests/catch.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/rsa_desk.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

const std::string PASSWORD = "Hx7qWz2k"; /* VNC authentication takes eight bytes */

/* As the key of VNC authentication has it: the bits of each byte the other way round. */
std::string mirrored(const std::string &password)
{
    std::string key;
    for (unsigned char c : password) {
        unsigned char m = 0;
        for (int bit = 0; bit < 8; bit++)
            m = static_cast<unsigned char>(m | (c >> bit & 1) << (7 - bit));
        key += static_cast<char>(m);
    }
    return key;
}

bool has_secret(const std::string &bytes, const std::string &password)
{
    return bytes.find(password) != std::string::npos ||
           bytes.find(mirrored(password.substr(0, 8))) != std::string::npos;
}

/* Files under a folder that have it in them: "NAME NAME...". */
std::string files_with(const std::string &folder, const std::string &password)
{
    std::string found;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && has_secret(read_file(entry.path()), password))
            found += entry.path().string() + " ";
    return found;
}

std::string of_process(pid_t pid, const char *file)
{
    return read_file("/proc/" + std::to_string(pid) + "/" + file);
}

#ifndef PRODUCT_IS_SANITIZED
/* No allocator asks for so much at once: it is ASan's shadow, which has no data of the program. */
constexpr uint64_t LARGEST_MAPPING = uint64_t(1) << 40;

/* What a process can write in its memory, but for what it shares. Nothing: it may not be read. */
std::string memory_of(pid_t pid)
{
    std::istringstream maps(of_process(pid, "maps"));
    int fd = open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    std::string all;
    for (std::string line; fd >= 0 && std::getline(maps, line);) {
        uint64_t from, to;
        char rights[5];
        if (sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, rights) != 3 ||
            strcmp(rights, "rw-p") != 0 || to - from > LARGEST_MAPPING)
            continue;
        std::string part(to - from, '\0');
        ssize_t n = pread(fd, &part[0], part.size(), static_cast<off_t>(from));
        if (n > 0)
            all.append(part, 0, static_cast<size_t>(n));
    }
    if (fd >= 0)
        close(fd);
    return all;
}
#endif

/* The program at a server, with all that it can write, until it has written figures: then the
 * server has the password since long. */
struct Connected {
    Home home;
    TempDir written;
    std::unique_ptr<Process> viewer;
    pid_t session = 0;

    Connected(const std::string &address, const std::vector<std::string> &more,
              const std::map<std::string, std::string> &environment = {})
    {
        std::string log = written.file("log.csv");
        std::vector<std::string> all = {
            "--headless", "--verbose", "--duration",      "1000",     "--log",
            log,          "--trace",   written.file("t"), "--record", written.file("r")};
        all.insert(all.end(), more.begin(), more.end());
        all.push_back(address);
        Command c = home.at_home(vnchl(all));
        c.env.insert(environment.begin(), environment.end());
        viewer = std::make_unique<Process>(c);
        bool there = wait_until(PATIENCE, [&] {
            std::string rows = read_file(log);
            return std::count(rows.begin(), rows.end(), '\n') > 1 || !viewer->running();
        });
        session = session_of(viewer->pid());
        INFO(viewer->err());
        REQUIRE(there);
        REQUIRE(session);
    }
};

Script connects_and_stalls()
{
    return handshake(64, 48) + Script{await_request(), send_step(raw_screen(64, 48, 1)), stall()};
}

void check_hidden(const std::string &address, const std::vector<std::string> &more,
                  const std::string &password,
                  const std::map<std::string, std::string> &environment = {})
{
    Connected c(address, more, environment);
    for (pid_t pid : {c.viewer->pid(), c.session})
        CHECK_FALSE(has_secret(of_process(pid, "cmdline"), password));
    CHECK(of_process(c.session, "environ").find(password) == std::string::npos);
    CHECK(c.home.strays().empty());
#ifndef PRODUCT_IS_SANITIZED
    if (geteuid() == 0) { /* nobody else may look */
        /* it connects again with it after a loss; so it is known that the search finds it */
        CHECK(has_secret(memory_of(c.viewer->pid()), password));
        std::string memory = memory_of(c.session);
        CHECK(memory.size() > 100000);
        CHECK_FALSE(has_secret(memory, password));
    }
#endif
    c.viewer->signal(SIGTERM);
    CHECK(c.viewer->wait(PATIENCE) == 0);
    CHECK_FALSE(has_secret(c.viewer->err() + c.viewer->out(), password));
    CHECK(files_with(c.written.path(), password) == "");
}

} // namespace

TEST_CASE("secrets: a password for VNC authentication, in the clear and inside TLS", "[secrets]")
{
    TempDir dir;
    if (!installed("Xvnc") || !make_certificate(dir))
        return;
    for (const char *type : {"VncAuth", "TLSVnc", "X509Vnc"}) {
        INFO(type);
        XvncOptions x = with_password(dir, PASSWORD);
        x.more.insert(x.more.end(), {"-SecurityTypes", type, "-X509Cert", dir.file("cert.pem"),
                                     "-X509Key", dir.file("key.pem")});
        auto server = start_tigervnc(x);
        REQUIRE(server);
        std::vector<std::string> more = {"--security-types", type};
        if (strcmp(type, "X509Vnc") == 0)
            more.insert(more.end(), {"--x509-ca", dir.file("cert.pem")});
        check_hidden(server->address, more, PASSWORD, {{"VNC_PASSWORD", PASSWORD}});
        std::string file = vnc_password_file(dir, PASSWORD);
        more.insert(more.end(), {"--passwd-file", file});
        check_hidden(server->address, more, PASSWORD);
    }
}

TEST_CASE("secrets: a user's password inside TLS", "[secrets]")
{
    const WayvncOptions w = with_user();
    auto server = start_wayvnc(w);
    if (!server)
        return;
    TempDir dir; /* the server's own folder is for its user only */
    std::string ca = dir.write("ca.pem", read_file(server->dir.file("cert.pem")));
    check_hidden(server->address, {"--x509-ca", ca}, w.password,
                 {{"VNC_USERNAME", w.user}, {"VNC_PASSWORD", w.password}});
}

TEST_CASE("secrets: a password by RSA-AES", "[secrets]")
{
    const peer::RsaKey key(1024);
    for (unsigned type : {5u, 129u}) {
        INFO(type);
        peer::Server server(rsa_desk(type, key, true));
        std::string fingerprint;
        for (unsigned char c : key.fingerprint())
            fingerprint += "0123456789abcdef"[c >> 4] + std::string(1, "0123456789abcdef"[c & 15]);
        check_hidden(server.path(), {"--fingerprint", fingerprint}, RSA_PASSWORD,
                     {{"VNC_USERNAME", RSA_USER}, {"VNC_PASSWORD", RSA_PASSWORD}});
    }
}

TEST_CASE("secrets: other programs of the same user cannot look into the memory", "[secrets]")
{
    if (geteuid() != 0)
        return; /* the test needs another user than its own */
    for (bool debugged : {false, true}) {
        INFO((debugged ? "with" : "without") << " a debugger");
        FakeServer server(connects_and_stalls());
        const uid_t somebody = 65534;
        Command c = vnchl({"--headless", "--duration", "1000", server.address()});
        if (debugged)
            c.argv.insert(c.argv.begin() + 1, {"--sandbox", "off"});
        c.uid = somebody;
        Process viewer(c);
        REQUIRE(wait_until(PATIENCE, [&] { return server.stalled() || !viewer.running(); }));
        pid_t session = session_of(viewer.pid());
        REQUIRE(session);
        for (pid_t pid : {viewer.pid(), session}) {
            Command look;
            look.argv = {"cat", "/proc/" + std::to_string(pid) + "/environ"};
            look.uid = somebody;
            Finished looked = run(look);
            INFO(looked.err);
            CHECK((looked.status == 0) == debugged);
        }
    }
}

/* Sanitizers want no dumps of their own large memory. */
#ifndef PRODUCT_IS_SANITIZED
TEST_CASE("secrets: a crash leaves no core dump", "[secrets]")
{
    /* the shell says so when there is one */
    const std::vector<std::string> shell = {"bash", "-c",
                                            "ulimit -c unlimited; \"$@\"; echo status $?", "bash"};
    const std::string dumped = "core dumped";
    Home home;
    Command other;
    other.argv = shell;
    other.argv.insert(other.argv.end(), {"sh", "-c", "kill -ABRT $$"});
    if (run(home.at_home(other)).err.find(dumped) == std::string::npos) {
        WARN("this machine writes no core dumps");
        return;
    }
    for (bool debugged : {false, true}) {
        INFO((debugged ? "with" : "without") << " a debugger");
        FakeServer server(connects_and_stalls());
        Command c = vnchl({"--headless", "--duration", "1000", server.address()});
        if (debugged)
            c.argv.insert(c.argv.begin() + 1, {"--sandbox", "off"});
        c = home.at_home(c);
        c.argv.insert(c.argv.begin(), shell.begin(), shell.end());
        Process p(c);
        pid_t viewer = 0;
        REQUIRE(wait_until(PATIENCE, [&] {
            auto all = children_of(p.pid());
            viewer = all.empty() ? 0 : all[0];
            return (server.stalled() && viewer) || !p.running();
        }));
        REQUIRE(viewer);
        REQUIRE(kill(viewer, SIGABRT) == 0);
        CHECK(p.wait(PATIENCE) == 0);
        INFO(p.err());
        CHECK(p.out() == "status 134\n");
        CHECK((p.err().find(dumped) != std::string::npos) == debugged);
    }
}
#endif
