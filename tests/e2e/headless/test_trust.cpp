/* Certificates that nobody vouches for: asked about, remembered, refused when they change. And what
 * is said before a password goes to a server. */
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"
#include "tests/e2e/terminal.hpp"

using namespace e2e;

namespace
{

/* TigerVNC's server with a certificate that can be replaced, and a viewer with a home of its own.
 */
struct Scene {
    TempDir dir, home;
    std::unique_ptr<Server> server;

    explicit Scene(const std::string &types = "X509None")
    {
        if (!make_certificate(dir))
            return;
        XvncOptions x;
        x.with_screen = false;
        x.more = {"-SecurityTypes",     types,      "-X509Cert",
                  dir.file("cert.pem"), "-X509Key", dir.file("key.pem")};
        server = start_tigervnc(x);
    }
    std::string known() const
    {
        return home.file("vnchl/known_servers");
    }
    Command at_home(Command c) const
    {
        c.env["XDG_DATA_HOME"] = home.path();
        return c;
    }
    std::vector<std::string> arguments(std::vector<std::string> more = {}) const
    {
        more.insert(more.begin(), {"--headless", "--duration", "0.2"});
        more.push_back(server->address);
        return more;
    }
    Command without_terminal(std::vector<std::string> more = {}) const
    {
        return at_home(vnchl(arguments(std::move(more))));
    }
    /* openssl's own idea of it: "AB:12:..." */
    std::string fingerprint() const
    {
        Command c;
        c.argv = {"openssl",           "x509", "-noout", "-fingerprint", "-sha256", "-in",
                  dir.file("cert.pem")};
        std::string out = run(c).out;
        size_t at = out.find('=');
        return at == std::string::npos ? "?" : out.substr(at + 1, 95);
    }
    /* the same of when it expires: "2026-11-22 14:05 UTC" */
    std::string expires() const
    {
        Command c;
        c.argv = {"openssl",  "x509",     "-noout", "-enddate",
                  "-dateopt", "iso_8601", "-in",    dir.file("cert.pem")};
        std::string out = run(c).out; /* "notAfter=2026-11-22 14:05:59Z" */
        size_t at = out.find('=');
        return at == std::string::npos ? "?" : out.substr(at + 1, 16) + " UTC";
    }
    void accept_and_remember() const
    {
        Terminal terminal;
        Process p(at_home(terminal.run(arguments())));
        REQUIRE(terminal.asks(QUESTION));
        terminal.type("yes\n");
        REQUIRE(p.wait(PATIENCE) == 0);
    }

    static const std::string QUESTION;
};

const std::string Scene::QUESTION =
    "Accept this certificate and remember it? (yes/no, or once: only this time): ";

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

/* A certificate of another time, YYYYMMDD to YYYYMMDD, for this machine. */
bool make_dated(const TempDir &dir, const std::string &from, const std::string &to)
{
    write_file(dir.file("index"), "");
    write_file(dir.file("config"), "[ca]\ndefault_ca=c\n[c]\ndatabase=" + dir.file("index") +
                                       "\nnew_certs_dir=" + dir.path() +
                                       "\nrand_serial=yes\ndefault_md=sha256\npolicy=p\n"
                                       "x509_extensions=e\n[p]\ncommonName=supplied\n"
                                       "[e]\nsubjectAltName=IP:127.0.0.1\n");
    Command request, sign;
    request.argv = {"openssl",
                    "req",
                    "-new",
                    "-key",
                    dir.file("key.pem"),
                    "-subj",
                    "/CN=localhost",
                    "-out",
                    dir.file("request.pem")};
    sign.argv = {"openssl",
                 "ca",
                 "-batch",
                 "-selfsign",
                 "-notext",
                 "-config",
                 dir.file("config"),
                 "-keyfile",
                 dir.file("key.pem"),
                 "-in",
                 dir.file("request.pem"),
                 "-startdate",
                 from + "000000Z",
                 "-enddate",
                 to + "000000Z",
                 "-out",
                 dir.file("cert.pem")};
    return run(request).status == 0 && run(sign).status == 0;
}

} // namespace

TEST_CASE("an unknown certificate is asked about, remembered, and not asked about again", "[trust]")
{
    Scene s;
    if (!s.server)
        return;
    {
        Terminal terminal;
        Process p(s.at_home(terminal.run(s.arguments())));
        REQUIRE(terminal.asks(Scene::QUESTION));
        INFO(terminal.shown());
        CHECK(has(terminal.shown(), "127.0.0.1"));
        CHECK(has(terminal.shown(), "it is self-signed"));
        CHECK(has(terminal.shown(), "  subject: CN=localhost\r\n"));
        CHECK(has(terminal.shown(), "  expires: " + s.expires() + "\r\n"));
        CHECK(has(terminal.shown(),
                  "Is this really 127.0.0.1 port " + std::to_string(s.server->port) + "?"));
        std::string shown = terminal.shown(), print = s.fingerprint();
        shown.erase(std::remove(shown.begin(), shown.end(), '\r'), shown.end());
        for (size_t row = 0; row < print.size(); row += 24) /* 8 bytes in a row */
            CHECK(has(shown, "\n" + print.substr(row, 23) + "\n"));
        terminal.type("y\n");
        REQUIRE(terminal.asks("Please type yes, no or once: "));
        CHECK_FALSE(file_exists(s.known()));
        terminal.type("yes\n");
        CHECK(p.wait(PATIENCE) == 0);
        CHECK(terminal.as_before());
    }
    std::string line = read_file(s.known());
    CHECK(line.find("127.0.0.1 " + std::to_string(s.server->port) + " " + s.fingerprint() +
                    " 20") == 0);
    struct stat file;
    REQUIRE(stat(s.known().c_str(), &file) == 0);
    CHECK((file.st_mode & 0777) == 0600);
    Finished f = run(s.without_terminal());
    CHECK(f.status == 0);
    CHECK(f.err.empty());
    CHECK(read_file(s.known()) == line);
}

TEST_CASE("a certificate that is accepted once is asked about again the next time", "[trust]")
{
    Scene s;
    if (!s.server)
        return;
    for (const char *answer : {"once\n", "Once\n"}) {
        INFO(answer);
        Terminal terminal;
        Process p(s.at_home(terminal.run(s.arguments())));
        REQUIRE(terminal.asks(Scene::QUESTION));
        terminal.type(answer);
        CHECK(p.wait(PATIENCE) == 0);
        CHECK(p.err().empty());
        CHECK_FALSE(file_exists(s.known()));
    }
}

TEST_CASE("whoever does not accept a certificate is not connected, and nothing is kept", "[trust]")
{
    Scene s;
    if (!s.server)
        return;
    for (const char *answer : {"no\n", "NO\n", "\x03", "yes\x04"}) {
        INFO(answer);
        Terminal terminal;
        Process p(s.at_home(terminal.run(s.arguments())));
        REQUIRE(terminal.asks(Scene::QUESTION));
        terminal.type(answer);
        CHECK(p.wait(PATIENCE) == 1);
        CHECK(has(p.err(), "the server's certificate is not accepted: it is self-signed"));
        CHECK_FALSE(file_exists(s.known()));
    }
}

TEST_CASE("without a terminal an unknown certificate is refused, and how to accept it is said",
          "[trust]")
{
    Scene s;
    if (!s.server)
        return;
    std::string line = refusal(s.without_terminal());
    INFO(line);
    CHECK(has(line, "it is self-signed"));
    CHECK(has(line, "--fingerprint " + s.fingerprint()));
    CHECK_FALSE(file_exists(s.known()));
    Finished f = run(s.without_terminal({"--fingerprint", s.fingerprint()}));
    INFO(f.err);
    CHECK(f.status == 0);
    CHECK_FALSE(file_exists(s.known())); /* a promise of this run only */
}

TEST_CASE("a certificate that has changed is refused, whoever sits there", "[trust]")
{
    Scene s;
    if (!s.server)
        return;
    s.accept_and_remember();
    std::string before = s.fingerprint(), line = read_file(s.known());
    REQUIRE(make_certificate(s.dir));
    std::string now = s.fingerprint();
    REQUIRE(before != now);
    for (bool terminal : {false, true}) {
        INFO((terminal ? "on a terminal" : "without one"));
        Terminal t;
        std::string said =
            refusal(terminal ? s.at_home(t.run(s.arguments())) : s.without_terminal());
        INFO(said);
        CHECK(has(said, "CHANGED"));
        CHECK(has(said, before));
        CHECK(has(said, now));
        CHECK(has(said, "line 1 of " + s.known()));
        CHECK(t.shown().empty());
    }
    CHECK(read_file(s.known()) == line);
    write_file(s.known(), "# removed\n");
    s.accept_and_remember();
    CHECK(has(read_file(s.known()), now));
}

namespace
{

/* A server without a certificate, and a viewer whose home knows one of it. */
struct Downgraded {
    FakeServer plain{handshake(64, 48) + Script{await_request(), stall()}};
    TempDir home;
    const std::string known = home.file("vnchl/known_servers");
    const std::string line =
        "127.0.0.1 " + std::to_string(plain.port()) + " " + std::string(64, '0') + " 2026-11-22\n";

    Downgraded()
    {
        mkdir(home.file("vnchl").c_str(), 0700);
    }
    Command viewer(std::vector<std::string> arguments) const
    {
        Command c = vnchl(std::move(arguments));
        c.env["XDG_DATA_HOME"] = home.path();
        return c;
    }
    Command headless(const std::string &address) const
    {
        return viewer({"--headless", "--duration", "0.2", address});
    }
};

} // namespace

TEST_CASE("a server that showed a certificate and now has none gets nothing", "[trust]")
{
    Downgraded d;
    write_file(d.known, d.line);
    const std::string port = std::to_string(d.plain.port());
    const std::string file = d.home.file("desk.tigervnc");
    write_file(file, "TigerVNC Configuration file Version 1.0\nServerName=127.0.0.1::" + port +
                         "\nSecurityTypes=None\n");
    /* however it is spelled, whatever a link or a file asks for */
    for (const std::string &address :
         {d.plain.address(), "127.1::" + port, "0x7f.1::" + port, "[::ffff:127.0.0.1]::" + port,
          "vnc://127.0.0.1:" + port + "?SecurityType=1", file}) {
        std::string line = refusal(d.headless(address));
        INFO(address << ": " << line);
        CHECK(has(line, "showed a certificate before"));
        CHECK(has(line, "--security-types"));
    }
    /* who asks for it by name gets it */
    Command c = d.headless(d.plain.address());
    c.argv.insert(c.argv.end() - 1, {"--security-types", "None"});
    CHECK(run(c).status == 0);
}

TEST_CASE("known servers that cannot be read end the connection, and a type by name is obeyed",
          "[trust]")
{
    Downgraded d;
    mkdir(d.known.c_str(), 0700);
    std::string line = refusal(d.headless(d.plain.address()));
    INFO(line);
    CHECK(has(line, "cannot read " + d.known));
    Command c = d.headless(d.plain.address());
    c.argv.insert(c.argv.end() - 1, {"--security-types", "None"});
    CHECK(run(c).status == 0);
}

TEST_CASE("a certificate that another viewer accepts counts at the next attempt", "[trust]")
{
    Downgraded d;
    const std::string log = d.home.file("log");
    Command c = d.viewer({"--log", log, d.plain.address()});
    c.env["SDL_VIDEODRIVER"] = "dummy";
    Process p(c);
    /* The viewer connects again only if it knows that it was connected. It may hear of that later
     * than the server does. Then it counts seconds: a line below the head. */
    REQUIRE(wait_until(PATIENCE, [&] {
        const std::string lines = read_file(log);
        return std::count(lines.begin(), lines.end(), '\n') > 1;
    }));
    write_file(d.known, d.line);
    REQUIRE(kill(session_of(p.pid()), SIGKILL) == 0); /* the viewer connects again by itself */
    CHECK(wait_until(PATIENCE, [&] { return has(p.err(), "showed a certificate before"); }));
    INFO(p.err());
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE));
}

TEST_CASE("a certificate that cannot be remembered is accepted for this time, and that is said",
          "[trust]")
{
    Scene s;
    if (!s.server)
        return;
    for (int i = 0; i < 2; i++) {
        Terminal terminal;
        Process p(terminal.run(s.arguments())); /* its data folder is no folder */
        REQUIRE(terminal.asks(Scene::QUESTION));
        terminal.type("yes\n");
        CHECK(p.wait(PATIENCE) == 0);
        CHECK(has(p.err(), "accepted for this time only"));
        CHECK(has(p.err(), "/dev/null"));
    }
}

TEST_CASE("where a file names who may sign, nobody is asked", "[trust]")
{
    Scene s;
    TempDir other;
    if (!s.server || !make_certificate(other))
        return;
    Terminal terminal;
    std::string line =
        refusal(s.at_home(terminal.run(s.arguments({"--x509-ca", other.file("cert.pem")}))));
    INFO(line);
    CHECK(has(line, "not in " + other.file("cert.pem")));
    CHECK(terminal.shown().empty());
    /* not even where it was accepted before */
    s.accept_and_remember();
    CHECK(has(refusal(s.without_terminal({"--x509-ca", other.file("cert.pem")})), "self-signed"));
    CHECK(has(refusal(s.without_terminal({"--fingerprint", std::string(64, 'a')})),
              "another certificate"));
}

TEST_CASE("a wrong name and a wrong date are said as such, and can be accepted", "[trust]")
{
    Scene s;
    if (!s.server)
        return;
    std::string elsewhere = "0.0.0.0::" + std::to_string(s.server->port);
    std::string line = refusal(s.at_home(vnchl({"--headless", elsewhere})));
    INFO(line);
    CHECK(has(line, "it is for 'localhost', '127.0.0.1', '::1', not for '0.0.0.0'"));
    REQUIRE(make_dated(s.dir, "20200101", "20210203"));
    CHECK(has(refusal(s.without_terminal()), "it expired on 2021-02-03 00:00 UTC"));
    s.accept_and_remember();
    CHECK(run(s.without_terminal()).status == 0);
    /* remembered under one name, unknown under another */
    CHECK(has(refusal(s.at_home(vnchl({"--headless", elsewhere}))), "--fingerprint"));
    write_file(s.known(), "");
    REQUIRE(make_dated(s.dir, "20990101", "20991231"));
    CHECK(has(refusal(s.without_terminal()), "it is not valid before 2099-01-01"));
}

TEST_CASE("before a password is typed, what protects it is said", "[trust]")
{
    TempDir dir;
    std::string file = vnc_password_file(dir, "s3cret");
    struct Case {
        const char *type, *said;
    };
    for (const Case &k : {Case{"VncAuth", "Not encrypted: "},
                          Case{"TLSVnc", "Encrypted, but nothing proves who the server is: "}}) {
        INFO(k.type);
        XvncOptions x;
        x.with_screen = false;
        x.more = {"-SecurityTypes", k.type, "-rfbauth", file};
        auto server = start_tigervnc(x);
        if (!server)
            return;
        /* this machine by a name that does not say so */
        std::vector<std::string> arguments = {"--headless", "--duration", "0.2",
                                              "0.0.0.0::" + std::to_string(server->port)};
        Terminal terminal;
        Process p(terminal.run(arguments));
        REQUIRE(terminal.asks("Password for 0.0.0.0 port " + std::to_string(server->port) + ": "));
        CHECK(has(terminal.shown(), k.said));
        terminal.type("s3cret\n");
        CHECK(p.wait(PATIENCE) == 0);
        CHECK(p.err().empty());
        /* where nobody is asked it is a line */
        Command c = vnchl(arguments);
        c.env["VNC_PASSWORD"] = "s3cret";
        Finished f = run(c);
        CHECK(f.status == 0);
        CHECK(has(f.err, std::string("vnchl: 0.0.0.0: ") + k.said));
    }
}
