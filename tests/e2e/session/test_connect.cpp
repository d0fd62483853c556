/* Ways in: addresses, passwords, TLS; and out again without leaving anything behind. */
#include <X11/keysym.h>

#include <thread>

#include "tests/e2e/check.hpp"

using namespace e2e;

namespace
{

const char RIGHT[] = "s3cret";

/* The connection works both ways: picture and keys. */
void check_works(Server &server, Viewer &viewer)
{
    require_connected(viewer);
    server.screen->animate(5);
    check_picture(viewer, server.screen->capture());
    viewer.key(XK_a, true);
    viewer.key(XK_a, false);
    CHECK(server.screen->wait_key(XK_a, true, PATIENCE));
}

/* Refused, with a reason. */
std::string check_refused(const ViewerOptions &o)
{
    Viewer viewer(o);
    auto why = viewer.wait_closed();
    INFO(viewer.describe());
    REQUIRE(why);
    CHECK_FALSE(why->empty());
    CHECK(why->find('\n') == std::string::npos);
    CHECK_FALSE(viewer.wait_event(SESSION_CONNECTED, milliseconds(0)));
    return *why;
}

void passwords(Server &server)
{
    ViewerOptions o = to(server);
    o.password = RIGHT;
    {
        Viewer viewer(o);
        check_works(server, viewer);
        CHECK(viewer.times_asked() == 1);
    }
    o.password = "wrong";
    INFO("wrong password: " << check_refused(o));
    o.password = "";
    check_refused(o);
    o.password = "a password that is longer than the eight characters that count";
    check_refused(o);
    o.password.reset();
    CHECK(check_refused(o).find("the test has no password") != std::string::npos);
    /* The refusals have done no harm. */
    o.password = RIGHT;
    Viewer again(o);
    require_connected(again);
}

} // namespace

TEST_CASE("tigervnc: IPv4, IPv6, names and Unix sockets", "[tigervnc][connect]")
{
    XvncOptions x;
    TempDir dir;
    x.more = {"-rfbunixpath", dir.file("vnc.sock")};
    auto server = start_tigervnc(x);
    if (!server)
        return;
    std::string port = std::to_string(server->port);
    bool ipv6 = file_exists("/proc/net/if_inet6") && !read_file("/proc/net/if_inet6").empty();
    for (std::string address : {"127.0.0.1::" + port, "localhost::" + port, "[::1]::" + port,
                                "127.0.0.1:" + port, dir.file("vnc.sock")}) {
        if (address[0] == '[' && !ipv6)
            continue;
        INFO(address);
        ViewerOptions o;
        o.address = address;
        Viewer viewer(o);
        check_works(*server, viewer);
        auto stats = viewer.stats();
        if (address[0] == '/') {
            CHECK(stats.bytes_received == -1);
        } else {
            CHECK(stats.bytes_received > 10000);
            CHECK(stats.bytes_sent > 100);
        }
    }
}

TEST_CASE("qemu: a Unix socket", "[qemu][connect]")
{
    TempDir dir;
    auto server = start_qemu({"-vnc", "unix:" + dir.file("vnc.sock")});
    if (!server)
        return;
    ViewerOptions o;
    o.address = dir.file("vnc.sock");
    Viewer viewer(o);
    require_connected(viewer);
    REQUIRE(wait_until(PATIENCE, [&] { return server->painted(); }));
    viewer.wait_for(PATIENCE, [&] { return viewer.picture() == server->screendump(); });
    check_picture(viewer, server->screendump());
}

TEST_CASE("tigervnc: protocol version 3.3", "[tigervnc][connect]")
{
    XvncOptions x;
    x.more = {"-Protocol3.3"};
    auto server = start_tigervnc(x);
    if (!server)
        return;
    Viewer viewer(to(*server));
    check_works(*server, viewer);
}

TEST_CASE("tigervnc: passwords", "[tigervnc][auth]")
{
    TempDir dir;
    if (auto server = start_tigervnc(with_password(dir, RIGHT)))
        passwords(*server);
}

TEST_CASE("tigervnc: passwords with protocol version 3.3", "[tigervnc][auth]")
{
    TempDir dir;
    XvncOptions x = with_password(dir, RIGHT);
    x.more.push_back("-Protocol3.3");
    if (auto server = start_tigervnc(x))
        passwords(*server);
}

TEST_CASE("tightvnc: passwords", "[tightvnc][auth]")
{
    TempDir dir;
    XvncOptions x;
    x.more = {"-rfbauth", vnc_password_file(dir, RIGHT)};
    auto server = start_tightvnc(x);
    if (!server)
        return;
    /* It locks a host out after five failures: fewer of them than the others get. */
    ViewerOptions o = to(*server);
    o.password = "wrong";
    check_refused(o);
    o.password = RIGHT;
    Viewer viewer(o);
    check_works(*server, viewer);
}

TEST_CASE("x11vnc: passwords", "[x11vnc][auth]")
{
    TempDir dir;
    XvncOptions x;
    x.more = {"-rfbauth", vnc_password_file(dir, RIGHT)};
    if (auto server = start_x11vnc(x))
        passwords(*server);
}

TEST_CASE("qemu: passwords", "[qemu][auth]")
{
    auto server = start_qemu({}, ",password=on");
    if (!server)
        return;
    REQUIRE(server->monitor("{\"execute\":\"set_password\",\"arguments\":{\"protocol\":\"vnc\","
                            "\"password\":\"s3cret\"}}"));
    ViewerOptions o = to(*server);
    o.password = "wrong";
    check_refused(o);
    o.password = RIGHT;
    Viewer viewer(o);
    require_connected(viewer);
}

TEST_CASE("tigervnc: TLS", "[tigervnc][auth][tls]")
{
    TempDir dir, other;
    std::string file = vnc_password_file(dir, RIGHT);
    if (!make_certificate(dir) || !make_certificate(other))
        return;
    for (std::string type : {"TLSNone", "TLSVnc", "X509None", "X509Vnc"}) {
        INFO(type);
        XvncOptions x;
        x.more = {"-SecurityTypes",     type,       "-rfbauth",         file, "-X509Cert",
                  dir.file("cert.pem"), "-X509Key", dir.file("key.pem")};
        auto server = start_tigervnc(x);
        if (!server)
            return;
        bool x509 = type.compare(0, 4, "X509") == 0, vnc = type.find("Vnc") != std::string::npos;
        ViewerOptions o = to(*server);
        if (vnc)
            o.password = RIGHT;
        if (x509)
            o.x509_ca = dir.file("cert.pem");
        for (prp_policy policy : {PRP_OFF, PRP_AUTO}) {
            INFO("policy " << policy);
            o.policy = policy;
            Viewer viewer(o);
            check_works(*server, viewer);
        }
        if (vnc) {
            ViewerOptions wrong = o;
            wrong.password = "wrong";
            check_refused(wrong);
        }
        if (x509) {
            ViewerOptions wrong = o;
            wrong.x509_ca = other.file("cert.pem");
            INFO("another CA: " << check_refused(wrong));
            wrong.x509_ca = "";
            INFO("no CA: " << check_refused(wrong));
            wrong.x509_ca = dir.file("no-such-file.pem");
            INFO("no such file: " << check_refused(wrong));
        }
    }
}

TEST_CASE("tigervnc: heavy traffic both ways inside TLS", "[tigervnc][tls]")
{
    XvncOptions x;
    x.more = {"-SecurityTypes", "TLSNone"};
    auto server = start_tigervnc(x);
    if (!server)
        return;
    ViewerOptions o = to(*server);
    o.encodings = "raw";
    o.policy = PRP_FIXED;
    o.prp_ms = 1;
    Viewer viewer(o);
    require_connected(viewer);
    for (int i = 0; i < 60; i++) {
        server->screen->draw(i);
        for (int k = 0; k < 20; k++)
            viewer.pointer(i + k * 5, k * 7, 0);
        viewer.wait_for(milliseconds(5), [] { return false; });
    }
    server->screen->settle();
    check_picture(viewer, server->screen->capture());
}

TEST_CASE("wayvnc: user name and password inside TLS", "[wayvnc][auth][tls]")
{
    const WayvncOptions w = with_user();
    auto server = start_wayvnc(w);
    if (!server)
        return;
    ViewerOptions o = to(*server);
    o.user = w.user;
    o.password = w.password;
    o.x509_ca = server->dir.file("cert.pem");
    Image image(server->width, server->height, 0x345678);
    {
        Viewer viewer(o);
        require_connected(viewer);
        REQUIRE(server->background(image));
        check_picture(viewer, image);
    }
    o.password = "wrong";
    check_refused(o);
}

TEST_CASE("nobody there", "[connect]")
{
    ViewerOptions o;
    o.address = "127.0.0.1::" + std::to_string(free_port());
    check_refused(o);
    o.address = "/tmp/vnchl-no-such-socket";
    check_refused(o);
    o.address = "no-such-host.invalid:1";
    check_refused(o);
}

TEST_CASE("the server goes away", "[connect]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Viewer viewer(to(*server));
    check_works(*server, viewer);
    server->stop();
    auto why = viewer.wait_closed();
    REQUIRE(why);
    CHECK_FALSE(why->empty());
    /* Commands after the end are dropped; the last picture stays. */
    viewer.key(XK_a, true);
    viewer.pointer(1, 1, 1);
    session_send_cut_text(viewer.raw(), "x");
    CHECK(viewer.picture().width == 516);
    CHECK_FALSE(viewer.wait_event(SESSION_CLOSED, milliseconds(50)));
}

TEST_CASE("stopping a session in every state", "[connect]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    for (int after_us : {0, 50, 200, 500, 1000, 2000, 5000, 20000}) {
        INFO(after_us << " us after its start");
        ViewerOptions o = to(*server);
        o.connect_timeout = o.stall_timeout = seconds(1000); /* what the stop must not wait for */
        Viewer viewer(o);
        auto until = Clock::now() + std::chrono::microseconds(after_us);
        while (Clock::now() < until) {
        }
        session_stop(viewer.raw());
        session_stop(viewer.raw());
        CHECK(viewer.wait_closed());
    }
    session_destroy(nullptr);
}

TEST_CASE("many connections leave no thread and no descriptor behind", "[connect]")
{
    TempDir dir;
    if (!make_certificate(dir))
        return;
    for (const char *type : {"None", "X509None"}) {
        INFO(type);
        XvncOptions x;
        x.more = {"-SecurityTypes",     type,       "-X509Cert",
                  dir.file("cert.pem"), "-X509Key", dir.file("key.pem")};
        auto server = start_tigervnc(x);
        if (!server)
            return;
        ViewerOptions o = to(*server);
        if (std::string(type) == "X509None")
            o.x509_ca = dir.file("cert.pem");
        auto connect = [&](bool wait) {
            Viewer viewer(o);
            if (wait) {
                require_connected(viewer);
                check_picture(viewer, server->screen->capture());
            }
        };
        connect(true); /* what is opened once per process */
        int fds = open_fds(), threads = live_threads();
        for (int i = 0; i < 30; i++)
            connect(true);
        for (int i = 0; i < 30; i++)
            connect(false);
        CHECK(wait_until(PATIENCE, [&] { return open_fds() <= fds; }));
        /* glibc keeps the thread of a name lookup for a second. */
        CHECK(wait_until(PATIENCE, [&] { return live_threads() <= threads; }));
        CHECK(server->screen->width() == 516);
        connect(true); /* and the server still serves */
    }
}

TEST_CASE("failed connections leave no thread and no descriptor behind", "[connect]")
{
    TempDir dir;
    auto server = start_tigervnc(with_password(dir, RIGHT));
    if (!server)
        return;
    ViewerOptions wrong = to(*server), nobody;
    wrong.password = "wrong";
    nobody.address = "127.0.0.1::" + std::to_string(free_port());
    check_refused(wrong);
    check_refused(nobody);
    int fds = open_fds(), threads = live_threads();
    for (int i = 0; i < 15; i++) {
        check_refused(wrong);
        check_refused(nobody);
    }
    CHECK(wait_until(PATIENCE, [&] { return open_fds() <= fds; }));
    CHECK(wait_until(PATIENCE, [&] { return live_threads() <= threads; }));
}
