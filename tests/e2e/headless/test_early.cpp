/* A server that was met before is told early what it took then. When it is another one now, nobody
 * notices. */
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <mutex>
#include <thread>

#include "tests/e2e/reach.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

/* The program with a memory that says this of the server. */
class Memory
{
  public:
    Memory(int port, const std::string &says) : port_(port)
    {
        mkdir(dir_.file("vnchl").c_str(), 0700);
        if (!says.empty())
            write_file(file(), line(says));
    }
    Command viewer(std::vector<std::string> arguments = {}) const
    {
        arguments.push_back("--verbose");
        arguments.push_back("127.0.0.1::" + std::to_string(port_));
        Command c = moment(arguments);
        c.env["XDG_STATE_HOME"] = dir_.path();
        return c;
    }
    std::string line(const std::string &says) const
    {
        return "127.0.0.1 " + std::to_string(port_) + " " + says + "\n";
    }
    std::string content() const
    {
        return file_exists(file()) ? read_file(file()) : "";
    }
    /* It remembers this, and one server only: quality, window and times follow, which differ. */
    bool remembers(const std::string &says) const
    {
        const std::string all = content(), begins = line(says);
        return all.compare(0, begins.size() - 1, begins, 0, begins.size() - 1) == 0 &&
               all.find('\n') == all.size() - 1;
    }

  private:
    std::string file() const
    {
        return dir_.file("vnchl/hosts");
    }
    TempDir dir_;
    int port_;
};

const char *const EARLY = "told the server early", *const AGAIN = "connecting again";

bool said(const Finished &f, const std::string &text)
{
    return f.err.find(text) != std::string::npos;
}

/* It sees the server's screen, in the way that is expected. */
void sees(const Memory &memory, Command c, bool early, bool again, const std::string &learnt)
{
    Finished f = run(c);
    check_seen(f.status, f.out, f.err);
    INFO(f.err);
    CHECK(said(f, EARLY) == early);
    CHECK(said(f, AGAIN) == again);
    INFO(memory.content());
    CHECK(memory.remembers(learnt));
}

/* In front of a server: what the first client says is read and never answered. */
class Swallowing
{
  public:
    explicit Swallowing(int server_port) : server_port_(server_port)
    {
        sockaddr_in a = loopback(0);
        socklen_t size = sizeof a;
        listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        REQUIRE(bind(listener_, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
        REQUIRE(listen(listener_, 4) == 0);
        REQUIRE(getsockname(listener_, reinterpret_cast<sockaddr *>(&a), &size) == 0);
        REQUIRE(pipe(stop_) == 0);
        port = ntohs(a.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~Swallowing()
    {
        close(stop_[1]);
        thread_.join();
        close(stop_[0]);
        close(listener_);
    }
    /* What the first client has said. */
    std::string heard()
    {
        std::lock_guard<std::mutex> hold(lock_);
        return heard_;
    }
    int port;

  private:
    /* Waits for one of two; false when the test is over. */
    bool wait(pollfd (&p)[3], int a, int b)
    {
        p[0] = {a, POLLIN, 0};
        p[1] = {b, POLLIN, 0};
        p[2] = {stop_[0], POLLIN, 0};
        while (poll(p, 3, -1) < 0) {
        }
        return !p[2].revents;
    }
    void hand_on(int a, int b)
    {
        pollfd p[3];
        char bytes[4096];
        while (wait(p, a, b))
            for (int i = 0; i < 2; i++) {
                ssize_t n = p[i].revents ? recv(p[i].fd, bytes, sizeof bytes, 0) : -1;
                if (p[i].revents && n <= 0)
                    return;
                if (n > 0 && b >= 0)
                    send(i ? a : b, bytes, static_cast<size_t>(n), MSG_NOSIGNAL);
                else if (n > 0)
                    hear(std::string(bytes, static_cast<size_t>(n)));
            }
    }
    void hear(const std::string &bytes)
    {
        std::lock_guard<std::mutex> hold(lock_);
        heard_ += bytes;
    }
    void serve()
    {
        pollfd p[3];
        for (bool first = true; wait(p, listener_, -1); first = false) {
            sockaddr_in a = loopback(server_port_);
            int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC), server = -1;
            if (!first) {
                server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
                if (connect(server, reinterpret_cast<sockaddr *>(&a), sizeof a) != 0)
                    return;
            }
            hand_on(client, server);
            close(client);
            if (server >= 0)
                close(server);
        }
    }

    int server_port_, listener_ = -1, stop_[2];
    std::mutex lock_;
    std::string heard_;
    std::thread thread_;
};

/* The level of JPEG pictures, 0 to 9, among the encodings that were asked for; -1: none. */
int jpeg_level(const std::string &said)
{
    for (size_t at = said.find("\xff\xff\xff"); at != std::string::npos;
         at = said.find("\xff\xff\xff", at + 1)) {
        int low = at + 3 < said.size() ? static_cast<uint8_t>(said[at + 3]) : 0;
        if (low >= 0xe0 && low <= 0xe9) /* -32 to -23 */
            return low - 0xe0;
    }
    return -1;
}

/* Half of it is waited for what is never answered; a slow machine is served in the other half. */
const char *const SHORT = "20"; // s

const char *const TLS_NONE = "8 19.257 516 388 0";
const char *const NONE = "8 1 516 388 0", *const NONE_WAITS = "8 1 516 388 1",
                  *const VNC = "8 2 516 388 0";

} // namespace

TEST_CASE("early: what is learnt of a server is used the next time", "[early]")
{
    for (auto start : {start_tigervnc, start_tightvnc, start_x11vnc}) {
        auto server = start({});
        if (!server)
            continue;
        INFO(server->name);
        Memory memory(server->port, "");
        sees(memory, memory.viewer(), false, false, NONE);
        sees(memory, memory.viewer(), true, false, NONE);
    }
}

TEST_CASE("early: a server with threads is told nothing more before its first picture", "[early]")
{
    auto demo = start_demo_server({"--fps", "60"});
    Memory memory(demo.port, "");
    for (int i = 0; i < 15; i++) { /* without that, every third connection broke */
        Finished f = run(memory.viewer());
        INFO(f.err);
        REQUIRE(f.status == 0);
    }
}

TEST_CASE("early: with a password", "[early]")
{
    TempDir dir;
    if (vnc_password_file(dir, "s3cret").empty())
        return;
    auto server = start_tigervnc(with_password(dir, "s3cret"));
    if (!server)
        return;
    Memory memory(server->port, "");
    Command c = memory.viewer();
    c.env["VNC_PASSWORD"] = "s3cret";
    sees(memory, c, false, false, VNC);
    sees(memory, c, true, false, VNC);
    /* a wrong one is said, and tried once */
    c.env["VNC_PASSWORD"] = "wrong";
    Finished f = run(c);
    INFO(f.err);
    CHECK(f.status != 0);
    CHECK(said(f, "the server refused the password"));
    CHECK_FALSE(said(f, AGAIN));
}

TEST_CASE("early: the screen has another size now", "[early]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    for (const char *says : {"8 1 2000 1500 0", "8 1 100 80 0"}) {
        Memory memory(server->port, says);
        sees(memory, memory.viewer(), true, false, NONE);
    }
}

TEST_CASE("early: the server wants a password now, or none", "[early]")
{
    TempDir dir;
    if (vnc_password_file(dir, "s3cret").empty())
        return;
    auto locked = start_tigervnc(with_password(dir, "s3cret"));
    auto open = start_tigervnc({});
    if (!locked || !open)
        return;
    Memory was_open(locked->port, NONE), was_locked(open->port, VNC);
    Command c = was_open.viewer();
    c.env["VNC_PASSWORD"] = "s3cret";
    sees(was_open, c, false, true, VNC);
    sees(was_open, c, true, false, VNC); /* it is remembered so */
    sees(was_locked, was_locked.viewer(), false, true, NONE);
}

TEST_CASE("early: the server encrypts now", "[early]")
{
    TempDir dir;
    auto server = start_tigervnc({516, 388, {"-SecurityTypes", "TLSNone,None"}});
    if (!server)
        return;
    Memory memory(server->port, NONE);
    Finished f = run(memory.viewer());
    check_seen(f.status, f.out, f.err);
    CHECK(said(f, AGAIN));
    CHECK(said(f, "security type: TLSNone")); /* the stronger one, although None is there */
    CHECK(memory.remembers(TLS_NONE));
}

TEST_CASE("early: over TLS", "[early]")
{
    TempDir dir;
    if (vnc_password_file(dir, "s3cret").empty() || !make_certificate(dir))
        return;
    XvncOptions options = with_certificate(dir);
    options.more.insert(options.more.end(),
                        {"-SecurityTypes", "X509None,X509Vnc,TLSNone,TLSVnc,None,VncAuth",
                         "-rfbauth", dir.file("passwd")});
    auto server = start_tigervnc(options);
    if (!server)
        return;
    for (auto &[type, subtype] : std::vector<std::pair<std::string, int>>{
             {"X509None", 260}, {"X509Vnc", 261}, {"TLSNone", 257}, {"TLSVnc", 258}}) {
        INFO(type);
        Memory memory(server->port, "");
        const std::string learnt = "8 19." + std::to_string(subtype) + " 516 388 0";
        std::vector<std::string> arguments = {"--security-types", type};
        if (type[0] == 'X')
            arguments.insert(arguments.end(), {"--x509-ca", dir.file("cert.pem")});
        Command c = memory.viewer(arguments);
        c.env["VNC_PASSWORD"] = "s3cret";
        sees(memory, c, false, false, learnt);
        sees(memory, c, true, false, learnt);
    }
}

TEST_CASE("early: another certificate is told nothing that is secret", "[early]")
{
    TempDir dir, before;
    if (vnc_password_file(dir, "s3cret").empty() || !make_certificate(dir) ||
        !make_certificate(before))
        return;
    XvncOptions options = with_certificate(dir);
    options.more.insert(options.more.end(),
                        {"-SecurityTypes", "X509Vnc", "-rfbauth", dir.file("passwd")});
    auto server = start_tigervnc(options);
    if (!server)
        return;
    Memory memory(server->port, "8 19.261 516 388 0");
    Command c = memory.viewer({"--x509-ca", before.file("cert.pem")});
    c.env["VNC_PASSWORD"] = "s3cret";
    Finished f = run(c);
    INFO(f.err);
    CHECK(f.status != 0);
    CHECK(said(f, "the server's certificate is not accepted"));
    CHECK_FALSE(said(f, AGAIN)); /* it would show the same one again */
    CHECK_FALSE(said(f, EARLY));
    CHECK(memory.remembers("8 19.261 516 388 0"));
}

TEST_CASE("early: the server encrypts in another way now, or not any more", "[early]")
{
    TempDir dir;
    if (!make_certificate(dir))
        return;
    auto server = start_tigervnc({516, 388, {"-SecurityTypes", "TLSNone,None"}});
    auto open = start_tigervnc({});
    if (!server || !open)
        return;
    /* it had a certificate: a person would have to be asked, and it is remembered elsewhere */
    Memory memory(server->port, "8 19.260 516 388 0"), none(open->port, "8 19.257 516 388 0");
    sees(memory, memory.viewer(), false, true, TLS_NONE);
    sees(memory, memory.viewer(), true, false, TLS_NONE);
    sees(none, none.viewer(), false, true, NONE);
}

TEST_CASE("early: QEMU has to be ready for TLS first, and is told the rest early", "[early]")
{
    auto server =
        start_qemu({"-object", "tls-creds-anon,id=tls0,endpoint=server"}, ",tls-creds=tls0");
    if (!server)
        return;
    Memory memory(server->port, "");
    for (int i = 0; i < 3; i++) {
        INFO("time " << i);
        Finished f = run(memory.viewer());
        INFO(f.err);
        INFO(memory.content());
        CHECK(f.status == 0);
        CHECK(said(f, "security type: TLSNone"));
        CHECK(said(f, EARLY) == (i == 2));
        CHECK(said(f, AGAIN) == (i == 1));
        CHECK(memory.content().find(" 8 19.257 ") != std::string::npos);
    }
}

TEST_CASE("early: a certificate is wanted, and nothing is said before it", "[early]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    Memory memory(server->port, NONE);
    Finished f = run(memory.viewer({"--security-types", "X509None"}));
    CHECK(f.status != 0);
    CHECK_FALSE(said(f, AGAIN));
    CHECK_FALSE(said(f, EARLY));
}

TEST_CASE("early: another version", "[early]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    Memory memory(server->port, "3 1 516 388 0"); /* it was an old one */
    sees(memory, memory.viewer(), false, true, NONE);
    sees(memory, memory.viewer(), true, false, NONE);
}

TEST_CASE("early: a server that loses what is said early", "[early]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    Swallowing front(server->port);
    Memory memory(front.port, NONE);
    sees(memory, memory.viewer({"--connect-timeout", SHORT}), false, true, NONE_WAITS);
}

TEST_CASE("early: a session begins with what the last one found out of the path", "[early]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    auto begins = [&](long since, int &level) {
        Swallowing front(server->port);
        /* the coarsest pictures, and 300000 bytes of window */
        Memory memory(front.port,
                      std::string(NONE) + " 9 300000 " + std::to_string(time(nullptr) - since));
        Finished f = run(memory.viewer({"--connect-timeout", SHORT}));
        check_seen(f.status, f.out, f.err);
        level = jpeg_level(front.heard());
        return f;
    };
    int today, old;
    CHECK(said(begins(3600, today), "receive window: the kernel granted"));
    CHECK_FALSE(said(begins(2 * 24 * 3600, old), "receive window: the kernel granted"));
    CHECK(today >= 0);
    CHECK(today < old);
}

/* It takes the time between our words for the round trip, and makes nothing of it: that needs
 * answers to its fences. */
TEST_CASE("early: wayvnc", "[early]")
{
    auto server = start_wayvnc();
    if (!server)
        return;
    Memory memory(server->port, "");
    sees(memory, memory.viewer(), false, false, NONE);
    sees(memory, memory.viewer(), true, false, NONE);
}

/* It loses what comes before it is ready for TLS. Before neatvnc 0.8 it shows in the first session
 * who it is; a newer one loses it once. */
TEST_CASE("early: wayvnc is told the rest early inside TLS", "[early]")
{
    const WayvncOptions options = with_user();
    auto server = start_wayvnc(options);
    if (!server)
        return;
    TempDir dir; /* the server's own folder is for its user only */
    std::string ca = dir.write("ca.pem", read_file(server->dir.file("cert.pem")));
    Memory memory(server->port, "");
    Command c = memory.viewer({"--x509-ca", ca});
    c.env["VNC_USERNAME"] = options.user;
    c.env["VNC_PASSWORD"] = options.password;
    for (int i = 0; i < 3; i++) {
        INFO("time " << i);
        Finished f = run(c);
        check_seen(f.status, f.out, f.err);
        INFO(f.err);
        INFO(memory.content());
        CHECK(said(f, EARLY) == (i > 0 && !said(f, AGAIN)));
        CHECK((i == 1 || !said(f, AGAIN)));
        CHECK(memory.remembers("8 19.262 516 388 0"));
    }
}

TEST_CASE("early: nothing is remembered with --recent off", "[early]")
{
    auto server = start_tigervnc({});
    if (!server)
        return;
    Memory memory(server->port, "");
    Finished f = run(memory.viewer({"--recent", "off"}));
    check_seen(f.status, f.out, f.err);
    CHECK(memory.content().empty());
    Memory known(server->port, NONE);
    f = run(known.viewer({"--recent", "off"}));
    check_seen(f.status, f.out, f.err);
    CHECK_FALSE(said(f, EARLY));
}
