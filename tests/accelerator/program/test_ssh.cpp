/* vnchl --ssh: a real ssh and sshd, vnchl-accel at the far end, a server behind it. */
#include <X11/keysym.h>

#include "rfb/net/ssh/far_end.h"
#include "tests/accelerator/far_machine.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/reach.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* Users that nobody is: their servers are those of this test only. */
uid_t user(unsigned number)
{
    return 20000 + 4 * (static_cast<unsigned>(getpid()) % 10000) + number;
}

/* Only root can play two users. */
bool can_play_users()
{
    if (getuid() == 0 && !find_program("setpriv").empty())
        return true;
    WARN("skipped: it needs root, and setpriv");
    return false;
}

Command over_ssh(const FarMachine &far, std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), {"--ssh", far.name()});
    return far.gateway->use(moment(arguments));
}

bool is_gone(const FarMachine &far)
{
    return wait_until(PATIENCE, [&] { return !far.runs(); });
}

/* The far user's password file. */
void put_password_file(const FarMachine &far, const std::string &from)
{
    std::filesystem::create_directory(far.dir.file("home/.vnc"));
    std::filesystem::copy_file(from, far.dir.file("home/.vnc/passwd"),
                               std::filesystem::copy_options::overwrite_existing);
}

} // namespace

TEST_CASE("--ssh: picture, keys and clipboard of a server", "[ssh]")
{
    auto server = start_tigervnc();
    FarMachine far;
    if (!server || !far.gateway)
        return;
    OurPath path(*far.gateway);
    ViewerOptions o;
    o.ssh = far.name();
    o.address = server->address;
    {
        Viewer viewer(o);
        require_connected(viewer);
        require_first_picture(viewer);
        server->screen->animate(20);
        check_picture(viewer, server->screen->capture());
        viewer.key(XK_q, true);
        CHECK(server->screen->wait_key(XK_q, true, PATIENCE));
        viewer.key(XK_q, false);
        CHECK(server->screen->wait_key(XK_q, false, PATIENCE));
        session_send_cut_text(viewer.raw(), "from here");
        CHECK(wait_until(PATIENCE, [&] {
            return server->screen->ask_clipboard(milliseconds(500)) == "from here";
        }));
    }
    CHECK(is_gone(far));
    CHECK(far.says("accelerated=yes"));
}

TEST_CASE("--ssh: blocks come as datagrams, beside ssh", "[ssh]")
{
    auto server = start_tigervnc();
    FarMachine far;
    if (!server || !far.gateway)
        return;
    const std::string address = "::" + std::to_string(server->port);
    const Command c =
        far.gateway->use(vnchl({"--headless", "--verbose", "--ssh", far.name(), address}));
    Process viewer(c);
    const bool said = wait_until(PATIENCE, [&] {
        return viewer.err().find("the far end pushes blocks, as datagrams, too") !=
               std::string::npos;
    });
    INFO(viewer.err() << far.log());
    CHECK(said);
    viewer.signal(SIGTERM);
    CHECK(viewer.wait(PATIENCE) == 0);
    CHECK(is_gone(far));

    const Finished without = run(over_ssh(far, {"--datagrams", "off", address}));
    check_seen(without.status, without.out, without.err);
    CHECK(without.out.find("\"datagrams\":\tfalse") != std::string::npos);
}

TEST_CASE("--ssh: a display, a port, a socket, and no such server", "[ssh]")
{
    TempDir dir;
    std::string socket = dir.file("vnc.sock");
    XvncOptions with_socket;
    with_socket.more = {"-rfbunixpath", socket};
    auto server = start_tigervnc(with_socket);
    FarMachine far;
    if (!server || !far.gateway)
        return;
    std::string port = std::to_string(server->port), nobody = std::to_string(free_port());
    for (const auto &address :
         {port, "::" + port, "localhost::" + port, "[::1]::" + port, socket}) {
        INFO(address);
        check_sees(over_ssh(far, {address}));
    }
    far.install_real();
    check_refusal(over_ssh(far, {"::" + nobody}), {"no VNC server listens at port " + nobody});
    check_refusal(over_ssh(far, {dir.file("none")}),
                  {"cannot connect to the VNC server at " + dir.file("none")});
}

TEST_CASE("--ssh: the user's own server is found", "[ssh]")
{
    if (!can_play_users())
        return;
    FarMachine far("", user(0));
    if (!far.gateway)
        return;
    far.install_real();
    check_refusal(over_ssh(far, {}), {"has no VNC server here: start one, such as tigervncserver"});
    UsersServer others(user(1)), first(user(0));
    check_sees(over_ssh(far, {}));
    UsersServer second(user(0));
    int low = std::min(first.display, second.display),
        high = std::max(first.display, second.display);
    check_refusal(over_ssh(far, {}), {"has 2 VNC servers here (:" + std::to_string(low) +
                                      ", :" + std::to_string(high) + "): name one"});
    check_sees(over_ssh(far, {second.address()}));
}

TEST_CASE("--ssh: another user's server is refused, root's has to be named", "[ssh]")
{
    if (!can_play_users())
        return;
    FarMachine far("", user(0));
    if (!far.gateway)
        return;
    far.install_real();
    UsersServer others(user(1)), roots(0);
    check_refusal(over_ssh(far, {others.address()}), {"is another user's"});
    check_refusal(over_ssh(far, {}), {"has no VNC server here"});
    check_sees(over_ssh(far, {roots.address()}));
}

TEST_CASE("--ssh: TLS of the server's", "[ssh]")
{
    TempDir dir;
    FarMachine far;
    if (!far.gateway || !make_certificate(dir))
        return;
    XvncOptions anonymous;
    anonymous.more = {"-SecurityTypes", "TLSNone"};
    auto tls = start_tigervnc(anonymous), x509 = start_tigervnc(with_certificate(dir));
    if (!tls || !x509)
        return;
    check_sees(over_ssh(far, {tls->address}));
    CHECK(far.says("viewer-leg=TLSNone"));
    CHECK(far.says("accelerated=yes"));
    /* the server shows its own certificate */
    check_sees(over_ssh(far, {"--x509-ca", dir.file("cert.pem"), x509->address}));
    CHECK(far.says("the server's own certificate is passed on"));
    CHECK(std::filesystem::exists(dir.file("cert.pem")));
    for (const auto &file : std::filesystem::directory_iterator(far.dir.file("home")))
        CHECK((file.path().filename() == "pid" || file.path().filename() == "log"));
}

TEST_CASE("--ssh: what a login shell prints is skipped", "[ssh]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    FarMachine chatty("echo 'Welcome.'; printf '\\000\\377 no line end '"),
        flood("/usr/bin/head -c 70000 /dev/zero"),
        leaves("echo 'This account is currently not available.'; exit 1"),
        silent("exec /bin/cat > /dev/null");
    if (!chatty.gateway)
        return;
    check_sees(over_ssh(chatty, {server->address}));
    check_refusal(over_ssh(flood, {server->address}), {"more than 65536 bytes were printed"});
    check_refusal(over_ssh(leaves, {server->address}), {"This account is currently not available"});
    check_refusal(over_ssh(silent, {"--connect-timeout", "2", server->address}),
                  {"was not started there in time"});
}

TEST_CASE("--ssh: no vnchl-accel there, or another one", "[ssh]")
{
    FarMachine far;
    if (!far.gateway)
        return;
    far.install("");
    check_refusal(over_ssh(far, {":1"}),
                  {"vnchl-accel is not installed at " + far.name().substr(0, far.name().find(':')),
                   "install the package vnchl-accel there"});
    far.install("echo \"vnchl-accel: '--once' is no option; try --help\" >&2; exit 2");
    check_refusal(over_ssh(far, {":1"}), {"is too old for --ssh: upgrade it"});
    far.install("echo 'vnchl-accel: Command not found.' >&2; exit 1"); /* as tcsh says it */
    check_refusal(over_ssh(far, {":1"}), {"install the package vnchl-accel there"});
    far.install("exit 0");
    check_refusal(over_ssh(far, {":1"}), {"was not started at ", "nothing was said there"});
    far.install("echo 'vnchl-accel stdio 2'; exec /bin/cat > /dev/null");
    check_refusal(over_ssh(far, {":1"}), {"speaks version 2", "upgrade the older of the two"});
    check_refusal(far.gateway->use(moment({"--ssh", far.name(), ":1"}), false),
                  {"ssh: ", "Permission denied"});
}

TEST_CASE("--ssh: when ssh or the viewer is killed, nothing is left at the far end", "[ssh]")
{
    auto server = start_tigervnc();
    FarMachine far;
    if (!server || !far.gateway)
        return;
    for (bool viewer : {true, false}) {
        INFO((viewer ? "the viewer" : "ssh"));
        Process p(far.gateway->use(
            vnchl({"--headless", "--verbose", "--ssh", far.name(), server->address})));
        await_said(p, "connected to");
        REQUIRE(kill(far.pid(), 0) == 0);
        if (viewer)
            p.signal(SIGKILL);
        else
            kill(ssh_of(p.pid()), SIGKILL);
        CHECK(is_gone(far));
        CHECK(p.wait(PATIENCE) == (viewer ? 128 + SIGKILL : 1));
    }
}

TEST_CASE("--ssh: vnchl-accel is confined, and ends when it is told to", "[ssh]")
{
    auto server = start_tigervnc();
    FarMachine far;
    if (!server || !far.gateway)
        return;
    Process p(
        far.gateway->use(vnchl({"--headless", "--verbose", "--ssh", far.name(), server->address})));
    await_said(p, "connected to");
    std::string status = read_file("/proc/" + std::to_string(far.pid()) + "/status");
    bool confined = far.log().find("event=confined files=no calls=no") == std::string::npos;
    CHECK((status.find("NoNewPrivs:\t1") != std::string::npos) == confined);
    kill(far.pid(), SIGTERM);
    CHECK(is_gone(far));
    CHECK(p.wait(PATIENCE) == 1);
    INFO(p.err());
    CHECK(p.err().find("the server closed the connection") != std::string::npos);
}

TEST_CASE("--ssh: what cannot be meant is refused", "[ssh]")
{
    for (const char *host : {"-oProxyCommand=touch /tmp/x", "me@-x", "a b", "a\nb", "$(id)", ""})
        check_refusal(moment({"--ssh", host, ":1"}), {"gateway"});
    check_refusal(moment({"--ssh", "desk", "--via", "gate", ":1"}),
                  {"--via", "leave one of them out"});
    check_refusal(moment({"--ssh", "desk", "--listen"}), {"leave out --ssh"});
    check_refusal(moment({"--ssh", "desk", "--repeater", "r", ":1"}), {"--repeater"});
    check_refusal(moment({"--ssh", "desk", "other:1"}), {"not to 'other'", "--via"});
    check_refusal(moment({"--ssh", "desk", "/tmp/a'b"}), {"--ssh cannot pass on"});
    check_refusal(moment({"--ssh", "desk", "--use-ipv6=off", ":1"}), {"AddressFamily"});
    TempDir dir;
    write_file(dir.file("x.tigervnc"),
               "TigerVNC Configuration file Version 1.0\n\nServerName=x\nssh=desk\n");
    check_refusal(moment({dir.file("x.tigervnc")}), {"ssh=desk", "cannot ask for"});
}

TEST_CASE("--once --stdio: one socket for both, and the server's last words to who reads late",
          "[ssh]")
{
    const size_t size = 600000;
    const std::string why = std::string("\0\0\t\x27\xc0", 5) + std::string(size, 'w');
    FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(why)});
    Command c = command({});
    /* it cannot end before: most of the words wait for their reader */
    c.argv = {"python3",
              "-c",
              "import socket, subprocess, sys\n"
              "near, far = socket.socketpair()\n"
              "p = subprocess.Popen(sys.argv[1:], stdin=far, stdout=far)\n"
              "far.close()\n"
              "near.sendall(b'RFB 003.008\\n')\n"
              "try:\n"
              "    p.wait(1)\n"
              "except subprocess.TimeoutExpired:\n"
              "    pass\n"
              "read = 0\n"
              "while True:\n"
              "    piece = near.recv(65536)\n"
              "    if not piece: break\n"
              "    read += len(piece)\n"
              "print(read, p.wait())\n",
              c.argv[0],
              "--once",
              "--stdio",
              "--server",
              server.address()};
    Finished f = run(c);
    INFO(f.err);
    CHECK(f.out == std::to_string(strlen(FAR_END_GREETING) + 12 + 5 + size) + " 0\n");
}

TEST_CASE("--once --stdio: what cannot be meant is refused", "[ssh]")
{
    auto refused = [](const std::vector<std::string> &arguments, const std::string &cause) {
        Finished f = run(command(arguments));
        INFO(f.err);
        CHECK(f.status.value_or(0) > 0);
        CHECK(f.err.find(cause) != std::string::npos);
        CHECK(f.err.compare(0, 13, "vnchl-accel: ") == 0);
        CHECK(f.err.find('\n') == f.err.size() - 1);
        CHECK(f.out.empty());
    };
    auto server = start_demo_server();
    refused({"--once"}, "go together");
    refused({"--stdio"}, "go together");
    refused({"--verbose"}, "goes with --stdio");
    refused({"--ask"}, "goes with --stdio");
    refused({"--once", "--stdio", "--listen", "5910"}, "--listen does not go with --stdio");
    refused({"--once", "--stdio", "--security", "x509"}, "no certificate");
    refused({"--once", "--stdio", "--server", "far:1"}, "'far' is not this machine");
    refused({"--once", "--stdio", "--server", server.address()}, "pipes or a socket");
}

TEST_CASE("--ssh: the password file of the far user is used, and nobody is asked", "[ssh]")
{
    TempDir right, wrong;
    XvncOptions protected_by = with_password(right, "secret");
    auto server = start_tigervnc(protected_by);
    FarMachine far;
    if (!server || !far.gateway)
        return;
    OurPath path(*far.gateway);
    ViewerOptions o;
    o.ssh = far.name();
    o.address = server->address;
    SECTION("it is right")
    {
        put_password_file(far, right.file("passwd"));
        Viewer viewer(o);
        require_connected(viewer);
        require_first_picture(viewer);
        CHECK(far.says("accelerated=yes"));
    }
    SECTION("it is of another server: the viewer is asked")
    {
        with_password(wrong, "another");
        put_password_file(far, wrong.file("passwd"));
        o.password = "secret";
        Viewer viewer(o);
        require_connected(viewer);
        require_first_picture(viewer);
    }
    SECTION("it is no password file: the viewer is asked")
    {
        write_file(wrong.file("passwd"), "short");
        put_password_file(far, wrong.file("passwd"));
        o.password = "secret";
        Viewer viewer(o);
        require_connected(viewer);
    }
}

TEST_CASE("--ssh: who does not allow None is asked by the server itself", "[ssh]")
{
    TempDir right;
    auto server = start_tigervnc(with_password(right, "secret"));
    FarMachine far;
    if (!server || !far.gateway)
        return;
    put_password_file(far, right.file("passwd"));
    check_sees(over_ssh(far, {server->address}));
    check_refusal(over_ssh(far, {"--security-types", "VncAuth,TLSVnc", server->address}),
                  {"password"});
}
