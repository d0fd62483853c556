/* Through ssh: a real one with a real sshd, and one of the test's own that fails on demand. */
#include <signal.h>

#include <cstdlib>

#include "tests/e2e/between.hpp"
#include "tests/e2e/reach.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

/* An `ssh` of the test's own, first in PATH. It notes its pid and its arguments, one a line. */
class StubSsh
{
  public:
    /* What it does, in Python; `words` are its arguments. */
    explicit StubSsh(const std::string &python)
    {
        write_file(dir_.file("ssh"),
                   "#!/usr/bin/env python3\n"
                   "import os, select, signal, socket, sys, time\n"
                   "words = sys.argv[1:]\n"
                   "with open('" +
                       dir_.file("new") +
                       "', 'w') as notes:\n"
                       "    notes.write('\\n'.join([str(os.getpid())] + words))\n"
                       "os.rename('" +
                       dir_.file("new") + "', '" + dir_.file("notes") +
                       "')\n"
                       "def relay(host, port):\n"
                       "    far = socket.create_connection((host, int(port)))\n"
                       "    while True:\n"
                       "        for ready in select.select([0, far], [], [])[0]:\n"
                       "            data = os.read(0, 65536) if ready == 0 else far.recv(65536)\n"
                       "            if not data:\n"
                       "                sys.exit(0)\n"
                       "            if ready == 0:\n"
                       "                far.sendall(data)\n"
                       "            while ready != 0 and data:\n"
                       "                data = data[os.write(1, data):]\n" +
                       python + "\n",
                   0755);
    }
    Command use(Command c) const
    {
        c.env["PATH"] = dir_.path() + ":" + getenv("PATH");
        return c;
    }
    bool started() const
    {
        return file_exists(dir_.file("notes"));
    }
    pid_t pid() const
    {
        return atoi(read_file(dir_.file("notes")).c_str());
    }
    bool runs() const
    {
        return kill(pid(), 0) == 0;
    }
    std::string words() const
    {
        std::string notes = read_file(dir_.file("notes"));
        return notes.substr(notes.find('\n') + 1);
    }

  private:
    TempDir dir_;
};

const std::string ALIVE = "\n-o\nServerAliveInterval=15\n-o\nServerAliveCountMax=4";
const char RELAY[] = "relay(*words[1].rsplit(':', 1))";

} // namespace

TEST_CASE("through a real ssh and sshd", "[via]")
{
    auto server = start_tigervnc();
    auto gateway = Gateway::start();
    if (!server || !gateway)
        return;
    check_sees(gateway->use(moment({"--via", gateway->name(), server->address})));
    check_sees(gateway->use(moment({"-via", gateway->name(), ":" + std::to_string(server->port)})));

    std::string nobody = std::to_string(free_port());
    check_refusal(gateway->use(moment({"--via", gateway->name(), "127.0.0.1::" + nobody})),
                  {"cannot reach 127.0.0.1 port " + nobody + " through " +
                       gateway->name().substr(0, gateway->name().find(':')),
                   "ssh: ", "onnection refused"});
    check_refusal(gateway->use(moment({"--via", gateway->name(), server->address}), false),
                  {"ssh: ", "Permission denied"});
    check_refusal(gateway->use(moment({"--via", "127.0.0.1:" + nobody, server->address})),
                  {"ssh: connect to host 127.0.0.1 port " + nobody + ": Connection refused"});
}

TEST_CASE("VNC_VIA_CMD with a real ssh, as other viewers run it", "[via]")
{
    auto server = start_tigervnc();
    auto gateway = Gateway::start();
    if (!server || !gateway)
        return;
    size_t colon = gateway->name().find(':');
    std::string name = gateway->name().substr(0, colon), port = gateway->name().substr(colon + 1);
    Command c = gateway->use(moment({"--via", name, server->address}));
    c.env["VNC_VIA_CMD"] = "ssh -p " + port + " -f -L %L:%H:%R %G sleep 10";
    check_sees(c);
    c.env["VNC_VIA_CMD"] = "ssh -p " + port + " -N -L \"$L\":\"$H\":\"$R\" \"$G\"";
    check_sees(c);
    c.env["VNC_VIA_CMD"] = "ssh -p " + port + " -f -L %L:%H:%R nobody-here@%G sleep 1";
    check_refusal(c, {"cannot reach 127.0.0.1 port ", "VNC_VIA_CMD: "});
}

TEST_CASE("what ssh is told, and that it ends with the session", "[via]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    StubSsh ssh(RELAY);
    check_sees(ssh.use(moment({"--via", "me@gate:2222", server->address})));
    CHECK(ssh.words() ==
          "-W\n127.0.0.1:" + std::to_string(server->port) + ALIVE + "\n-p\n2222\n--\nme@gate");
    CHECK_FALSE(ssh.runs());
    check_sees(ssh.use(moment({"--via", "gate", "localhost:" + std::to_string(server->port)})));
    CHECK(ssh.words() == "-W\nlocalhost:" + std::to_string(server->port) + ALIVE + "\n--\ngate");
}

TEST_CASE("through ssh a certificate is compared with the name of the server", "[via]")
{
    TempDir dir;
    if (!make_certificate(dir)) /* for 127.0.0.1 and localhost */
        return;
    auto server = start_tigervnc(with_certificate(dir));
    if (!server)
        return;
    StubSsh ssh("relay('127.0.0.1', words[1].rsplit(':', 1)[1])");
    std::string port = "::" + std::to_string(server->port), ca = dir.file("cert.pem");
    check_sees(ssh.use(moment({"--via", "gate", "--x509-ca", ca, "localhost" + port})));
    check_refusal(ssh.use(moment({"--via", "gate", "--x509-ca", ca, "desk.example" + port})),
                  {"desk.example"});
}

TEST_CASE("through ssh the round trip is that of the handshake", "[via]")
{
    auto demo = start_demo_server({"--size", "516x388"});
    auto link = start_demo_link(demo.port, {"--rtt", "200"});
    StubSsh ssh(RELAY);
    Json j = check_sees(ssh.use(moment({"--via", "gate", link.address()})));
    CHECK(number(j.get(), "rtt_ms") >= 190);
    Command c = moment({"--via", "gate", link.address()});
    c.env["VNC_VIA_CMD"] =
        "exec python3 -c '"
        "import os, socket\n"
        "s = socket.create_server((\"127.0.0.1\", int(os.environ[\"L\"])))\n"
        "near = s.accept()[0]\n"
        "far = socket.create_connection((os.environ[\"H\"], os.environ[\"R\"]))\n"
        "os.dup2(near.fileno(), 0)\n"
        "os.dup2(near.fileno(), 1)\n"
        "import select\n"
        "while True:\n"
        "    for ready in select.select([0, far], [], [])[0]:\n"
        "        data = os.read(0, 65536) if ready == 0 else far.recv(65536)\n"
        "        if not data: os._exit(0)\n"
        "        far.sendall(data) if ready == 0 else near.sendall(data)\n"
        "'";
    j = check_sees(c);
    CHECK(number(j.get(), "rtt_ms") >= 190);
}

TEST_CASE("an ssh that fails says why, whatever it says", "[via]")
{
    check_refusal(StubSsh("sys.exit(255)").use(moment({"--via", "gate", "far:1"})),
                  {"cannot reach far port 5901 through gate: ssh ended with status 255"});
    check_refusal(StubSsh("os.write(2, b'No. \\x1b[2J\\xff\\n'); sys.exit(255)")
                      .use(moment({"--via", "gate", "far:1"})),
                  {"ssh: No. ?[2J?"});
    check_refusal(StubSsh("os.write(2, b'long ' * 100000); sys.exit(1)")
                      .use(moment({"--via", "gate", "far:1"})),
                  {"ssh: long long"});
    check_refusal(
        StubSsh("print('HTTP/1.1 200 OK'); sys.exit(0)").use(moment({"--via", "gate", "far:1"})),
        {"not a VNC server"});
    Command c = moment({"--via", "gate", "far:1"});
    c.env["PATH"] = "/nonexistent";
    check_refusal(c, {"ssh is not installed on this computer: install the package openssh-client"});
}

TEST_CASE("the way to the server does not get the password", "[via]")
{
    StubSsh ssh("sys.exit('the password is ' + os.environ.get('VNC_PASSWORD', 'missing'))");
    Command c = ssh.use(moment({"--via", "gate", "far:1"}));
    c.env["VNC_PASSWORD"] = "s3cret";
    check_refusal(c, {"ssh: the password is missing"});
    c.env["VNC_VIA_CMD"] = "echo the password is ${VNC_PASSWORD-missing} on %L >&2; exit 1";
    check_refusal(c, {"VNC_VIA_CMD: the password is missing on "});
}

TEST_CASE("an ssh that hangs is given up", "[via]")
{
    StubSsh ssh("signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)");
    for (int limit_s = 1; !ssh.started() && limit_s < 100; limit_s *= 4) { // until it has hung
        const std::string limit = std::to_string(limit_s);
        check_refusal(ssh.use(moment({"--connect-timeout", limit, "--via", "gate", "far:1"})),
                      {"nothing has come from the server for " + limit + " s"});
    }
    REQUIRE(ssh.started());
    CHECK_FALSE(ssh.runs());

    StubSsh again("time.sleep(1000)");
    Process p(again.use(moment({"--connect-timeout", "1000", "--via", "gate", "far:1"})));
    REQUIRE(wait_until(PATIENCE, [&] { return again.started(); }));
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE) == 0);
    CHECK_FALSE(again.runs());
}

TEST_CASE("an ssh that dies in the middle of a session", "[via]")
{
    auto demo = start_demo_server();
    StubSsh ssh("signal.signal(signal.SIGUSR1, lambda *_: (os.write(2, b'the gate is closed\\n'), "
                "os._exit(255)))\n" +
                std::string(RELAY));
    Process p(ssh.use(vnchl({"--headless", "--via", "gate", "--verbose", demo.address()})));
    await_said(p, "connected to");
    kill(ssh.pid(), SIGUSR1);
    CHECK(p.wait(PATIENCE) == 1);
    INFO(p.err());
    CHECK(p.err().find("lost the connection to 127.0.0.1 port " + std::to_string(demo.port) +
                       " through gate: ssh: the gate is closed") != std::string::npos);
}

TEST_CASE("what ssh could take for something else is refused", "[via][refusals]")
{
    for (const char *gateway : {"-oProxyCommand=touch /tmp/x", "me@-x", "a b", "$(id)", "gate;id"})
        check_refusal(moment({"--via", gateway, "far:1"}), {"gateway"});
    check_refusal(moment({"--via", "gate", "$(id):1"}), {"that ssh can be told"});
    check_refusal(moment({"--via", "gate", "/tmp/socket"}), {"socket"});
    check_refusal(moment({"--via", "gate", "--listen"}), {"--listen"});
    Command c = moment({"--via", "gate", "far:1"});
    c.env["VNC_VIA_CMD"] = std::string(2000, 'x');
    check_refusal(c, {"VNC_VIA_CMD"});
}

TEST_CASE("a repeater behind ssh", "[repeater][via]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    StubSsh ssh(RELAY);
    Repeater repeater(Repeater::ONE);
    check_sees(ssh.use(
        moment({"--via", "gate", "--repeater", repeater.viewer_address(), server->address})));
    CHECK(repeater.asked() == "127.0.0.1:" + std::to_string(server->port));
    check_refusal(StubSsh("os.write(2, b'no way\\n'); sys.exit(1)")
                      .use(moment({"--via", "gate", "--repeater", "r", "ID:1"})),
                  {"cannot reach r port 5900 through gate: ssh: no way"});
}
