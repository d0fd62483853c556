/* TLS that ends at the accelerator: viewers and servers with the security that they have by
 * default, accelerated all the same. */
#include <sys/stat.h>

#include "tests/accelerator/accelerator.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/desk.hpp"
#include "tests/e2e/program.hpp"
#include "tests/rfb_peer.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

const std::string PASSWORD = "s3cret";

/* TigerVNC with a password and these types. */
std::unique_ptr<Server> start_with(const TempDir &dir, const std::string &types)
{
    XvncOptions options = with_password(dir, PASSWORD);
    options.more.insert(options.more.end(), {"-SecurityTypes", types});
    return start_tigervnc(options);
}

ViewerOptions through(const Accelerator &a, const std::string &security)
{
    ViewerOptions o;
    o.address = a.address();
    o.security = security;
    if (security.compare(0, 4, "X509") == 0) /* else the viewer would take nothing less */
        o.x509_ca = a.certificate();
    o.password = PASSWORD;
    return o;
}

void watch_motion(Server &server, Viewer &viewer)
{
    require_connected(viewer);
    require_first_picture(viewer);
    server.screen->animate(20);
    check_picture(viewer, server.screen->capture());
}

/* The session's line says so of both legs, and it is accelerated. */
void check_legs(Accelerator &a, const std::string &viewer, const std::string &server)
{
    a.await("viewer-leg=" + viewer);
    INFO(a.process->err());
    CHECK(a.count("server-leg=" + server) > 0);
    CHECK(a.count("not-accelerated") == 0);
}

std::string refusal(const ViewerOptions &o)
{
    Viewer viewer(o);
    auto why = viewer.wait_closed();
    return why ? *why : "";
}

std::string fingerprint_of(const std::string &sha256)
{
    char text[FINGERPRINT_TEXT];
    fingerprint_text(reinterpret_cast<const uint8_t *>(sha256.data()), text);
    return text;
}

} // namespace

TEST_CASE("TigerVNC's default security: TLS towards viewers, none towards the server", "[tls]")
{
    TempDir dir;
    auto server = start_with(dir, "TLSVnc,VncAuth");
    if (!server)
        return;
    Accelerator a(server->address);
    for (size_t i = 1; i <= 2; i++) { /* the first one makes it known what there is */
        Viewer viewer(through(a, "TLSVnc"));
        watch_motion(*server, viewer);
        a.await("server-leg=VncAuth", i);
        check_legs(a, "TLSVnc", "VncAuth");
    }
    ViewerOptions o = through(a, "TLSVnc");
    o.password = "wrong";
    CHECK(refusal(o).find("password") != std::string::npos);
    /* what the server does not have is not offered */
    CHECK(refusal(through(a, "TLSNone")).find("TLSVnc") != std::string::npos);
    CHECK(refusal(through(a, "X509Vnc")).find("certificate") != std::string::npos);
    CHECK(a.process->err().find(PASSWORD) == std::string::npos);
}

TEST_CASE("the same with a certificate, where that is wanted", "[tls]")
{
    TempDir dir;
    auto server = start_with(dir, "TLSVnc,VncAuth");
    if (!server)
        return;
    Accelerator a(server->address, {"--security", "x509"});
    for (const std::string security : {"TLSVnc", "X509Vnc"}) {
        INFO(security);
        Viewer viewer(through(a, security));
        watch_motion(*server, viewer);
        check_legs(a, security, "VncAuth");
    }
}

TEST_CASE("a certificate is wanted, and the server has no TLS", "[tls]")
{
    TempDir dir;
    const std::string has = GENERATE(values<std::string>({"None", "VncAuth"}));
    INFO(has);
    auto server = start_with(dir, has);
    if (!server)
        return;
    Accelerator a(server->address, {"--security", "x509"});
    const std::string asked = has == "None" ? "X509None" : "X509Vnc";
    {
        Viewer viewer(through(a, asked));
        watch_motion(*server, viewer);
        check_legs(a, asked, has);
    }
    CHECK(a.count("event=not-encrypted") == 0);
    Viewer viewer(through(a, has)); /* is served, and told of */
    watch_motion(*server, viewer);
    a.await("event=not-encrypted");
    CHECK(a.count("the viewer has taken a type without encryption") == 1);
}

TEST_CASE("TLS over a slow link: the picture is whole", "[tls]")
{
    TempDir dir;
    auto server = start_with(dir, "TLSVnc");
    if (!server)
        return;
    Accelerator a(server->address, {"--hold", "64"});
    Demo link = start_demo_link(a.port, {"--rtt", "100", "--rate", "4M"});
    ViewerOptions o = through(a, "TLSVnc");
    o.address = "127.0.0.1::" + std::to_string(link.port);
    o.encodings = "raw"; /* more than the link carries */
    Viewer viewer(o);
    watch_motion(*server, viewer);
    check_legs(a, "TLSVnc", "TLSVnc");
}

TEST_CASE("a viewer that takes the server's plain type gets it", "[tls]")
{
    TempDir dir;
    auto server = start_with(dir, "TLSVnc,VncAuth");
    if (!server)
        return;
    Accelerator a(server->address);
    Viewer viewer(through(a, "VncAuth"));
    watch_motion(*server, viewer);
    a.await("event=session");
    CHECK(a.count("security=2 ") == 1);
    CHECK(a.count("not-accelerated") == 0);
}

TEST_CASE("a server that has nothing without TLS: TLS on both legs", "[tls]")
{
    TempDir dir;
    SECTION("anonymous")
    {
        auto server = start_with(dir, "TLSVnc");
        if (!server)
            return;
        Accelerator a(server->address, {"--security", "x509"});
        for (const std::string security : {"TLSVnc", "X509Vnc"}) {
            Viewer viewer(through(a, security));
            watch_motion(*server, viewer);
            check_legs(a, security, "TLSVnc");
        }
    }
    SECTION("with a certificate")
    {
        if (!make_certificate(dir))
            return;
        auto server = start_tigervnc(with_certificate(dir));
        if (!server)
            return;
        Accelerator a(server->address);
        {
            Viewer viewer(through(a, "X509None"));
            watch_motion(*server, viewer);
            check_legs(a, "X509None", "X509None");
        }
        /* nothing weaker than the server's own */
        CHECK_FALSE(refusal(through(a, "TLSNone")).empty());
    }
}

TEST_CASE("what a server has inside VeNCrypt only is taken there", "[tls]")
{
    TempDir dir;
    if (!make_certificate(dir))
        return;
    XvncOptions options = with_password(dir, PASSWORD);
    options.more.insert(options.more.end(),
                        {"-SecurityTypes", "X509None,TLSVnc,VncAuth", "-X509Cert",
                         dir.file("cert.pem"), "-X509Key", dir.file("key.pem")});
    auto server = start_tigervnc(options);
    if (!server)
        return;
    Accelerator a(server->address);
    const std::pair<std::string, std::string> legs[] = {
        {"TLSVnc", "VncAuth"}, {"X509None", "X509None"}, {"TLSVnc", "VncAuth"}};
    for (const auto &leg : legs) {
        Viewer viewer(through(a, leg.first));
        watch_motion(*server, viewer);
        a.await("viewer-leg=" + leg.first + ",");
        a.await("server-leg=" + leg.second);
    }
    CHECK(a.count("not-accelerated") == 0);
}

TEST_CASE("a name and a password go through", "[tls]")
{
    const WayvncOptions options = with_user(PASSWORD);
    auto server = can_run() ? start_wayvnc(options) : nullptr;
    if (!server)
        return;
    Accelerator a(server->address);
    ViewerOptions o = through(a, "X509Plain");
    o.user = options.user;
    {
        Viewer viewer(o);
        require_connected(viewer);
        require_first_picture(viewer);
        check_legs(a, "X509Plain", "X509Plain");
    }
    o.password = "wrong";
    CHECK_FALSE(refusal(o).empty());
    a.await("event=end", 2);
    CHECK(a.process->err().find(PASSWORD) == std::string::npos);
}

TEST_CASE("TigerVNC's viewer, as it is installed, with TigerVNC's server, as it is installed",
          "[tls]")
{
    TempDir dir, home;
    XvncOptions options = with_password(dir, PASSWORD); /* which names VncAuth; this comes later */
    options.more.insert(options.more.end(), {"-SecurityTypes", "TLSVnc,VncAuth"});
    auto server = can_run() && installed("xtigervncviewer") ? start_tigervnc(options) : nullptr;
    if (!server)
        return;
    Accelerator a(server->address);
    Desk desk;
    Command c;
    c.argv = {"xtigervncviewer", "-AlertOnFatalError=0", "-ReconnectOnError=0",
              "-PasswordFile=" + vnc_password_file(dir, PASSWORD), a.address()};
    c.env = {{"DISPLAY", desk.name()}, {"HOME", home.path()}};
    Process viewer(c);
    bool shown = wait_until(PATIENCE, [&] { return desk.find("TigerVNC") != 0; });
    INFO(viewer.err());
    CHECK(shown);
    check_legs(a, "TLSVnc", "VncAuth");
}

TEST_CASE("a server whose certificate is known has to show that one", "[tls]")
{
    TempDir dir;
    peer::Certificate other("localhost");
    if (!make_certificate(dir))
        return;
    auto server = start_tigervnc(with_certificate(dir));
    if (!server)
        return;
    Command c;
    c.argv = {"openssl", "x509", "-in", dir.file("cert.pem"), "-noout", "-fingerprint", "-sha256"};
    std::string said = run(c, PATIENCE).out;
    std::string known = said.substr(said.find('=') + 1, FINGERPRINT_TEXT - 1);
    SECTION("and does")
    {
        Accelerator a(server->address, {"--server-key", known});
        Viewer viewer(through(a, "X509None"));
        watch_motion(*server, viewer);
        check_legs(a, "X509None", "X509None");
    }
    SECTION("and has changed it")
    {
        Watched a(server->address, {"--server-key", fingerprint_of(other.fingerprint())});
        CHECK_FALSE(refusal(through(a, "X509None")).empty());
        a.await("its certificate is not server-key, but " + known);
        CHECK(a.count("viewer-leg") == 0);
    }
    SECTION("and has lost its TLS")
    {
        auto plain = start_tigervnc();
        Watched a(plain->address, {"--server-key", known});
        CHECK_FALSE(refusal(through(a, SECURITY_DEFAULT_NAMES)).empty());
        a.await("the server has lost its TLS");
    }
    SECTION("and has only anonymous TLS now")
    {
        auto anonymous = start_with(dir, "TLSVnc,VncAuth");
        Watched a(anonymous->address, {"--server-key", known});
        CHECK_FALSE(refusal(through(a, "TLSVnc")).empty());
        a.await("the server has lost its TLS with a certificate");
    }
}

TEST_CASE("the accelerator's certificate stays the same", "[tls]")
{
    TempDir home;
    auto fingerprint = [&](const std::string &made) {
        Accelerator a("127.0.0.1::1", {"--state", home.file("of/a/service")});
        a.await("event=identity");
        std::string all = a.process->err();
        CHECK(all.find("made=" + made) != std::string::npos);
        return all.substr(all.find("sha256="), 7 + FINGERPRINT_TEXT);
    };
    std::string first = fingerprint("now");
    CHECK(fingerprint("before") == first);
    struct stat status;
    std::string file = home.file("of/a/service/identity.pem");
    REQUIRE(stat(file.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    SECTION("a key that others can read is not used")
    {
        chmod(file.c_str(), 0644);
        Finished f = run(command({"--listen", std::to_string(free_port()), "--server",
                                  "127.0.0.1::1", "--state", home.file("of/a/service")}),
                         PATIENCE);
        CHECK(f.status == 1);
        CHECK(f.err.find("can be read by other users") != std::string::npos);
    }
    SECTION("nor one that is damaged, and no other takes its place")
    {
        write_file(file, "-----BEGIN CERTIFICATE-----\n", 0600);
        Finished f = run(command({"--listen", std::to_string(free_port()), "--server",
                                  "127.0.0.1::1", "--state", home.file("of/a/service")}),
                         PATIENCE);
        CHECK(f.status == 1);
        CHECK(f.err.find("no certificate") != std::string::npos);
        CHECK(read_file(file) == "-----BEGIN CERTIFICATE-----\n");
    }
}

TEST_CASE("a certificate that the administrator has", "[tls]")
{
    TempDir dir, of_server;
    if (!make_certificate(dir))
        return;
    auto server = start_with(of_server, "TLSVnc,VncAuth");
    if (!server)
        return;
    Accelerator a(server->address, {"--certificate", dir.file("cert.pem"), "--key",
                                    dir.file("key.pem"), "--security", "x509"});
    ViewerOptions o = through(a, "X509Vnc");
    o.x509_ca = dir.file("cert.pem");
    Viewer viewer(o);
    watch_motion(*server, viewer);
    check_legs(a, "X509Vnc", "VncAuth");
}

TEST_CASE("without a place for its key TLS is left to the server", "[tls]")
{
    TempDir dir;
    auto server = start_with(dir, "TLSVnc,VncAuth");
    if (!server)
        return;
    Command c = command({"--listen", std::to_string(free_port()), "--server", server->address});
    c.argv[2] = std::to_string(free_port());
    c.env.clear();
    c.unset = {"HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"};
    Process p(c);
    bool said = wait_until(PATIENCE, [&] {
        return p.err().find("event=no-identity") != std::string::npos &&
               p.err().find("event=listening") != std::string::npos;
    });
    INFO(p.err());
    REQUIRE(said);
    ViewerOptions o;
    o.address = "127.0.0.1::" + c.argv[2];
    o.security = "TLSVnc";
    o.password = PASSWORD;
    Viewer viewer(o);
    watch_motion(*server, viewer);
    CHECK(p.err().find("there is no key for it here") != std::string::npos);
}
