/* Bad input: the program says in one line what is wrong, and ends. */
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "tests/catch.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

/* The refusal names its cause. */
void check_names(const Command &command, const std::string &cause, Shown shown = Shown::NO)
{
    std::string line = refusal(command, shown);
    INFO(line);
    CHECK(line.find(cause) != std::string::npos);
}

Command headless(std::vector<std::string> arguments)
{
    /* what is refused is refused long before */
    arguments.insert(arguments.begin(), {"--headless", "--duration", "1000"});
    return vnchl(std::move(arguments));
}

} // namespace

TEST_CASE("options that are none", "[refusals]")
{
    check_names(vnchl({"--headless"}), "no server");
    check_names(vnchl({"--no-such-option", "localhost"}), "--no-such-option");
    check_names(vnchl({"-z", "localhost"}), "-z");
    check_names(vnchl({"--headless=maybe", "localhost"}), "headless");
    check_names(vnchl({"-veiw-only", "localhost"}), "did you mean --view-only?");
    CHECK(run(vnchl({"-veiw-only", "localhost"})).status == 2);
    check_names(vnchl({"localhost", "--log"}), "--log");
    check_names(vnchl({"localhost", "otherhost"}), "otherhost");
    check_names(vnchl({"--compare", "localhost"}), "--headless");
    check_names(vnchl({"--duration", "3", "localhost"}), "--headless");
}

TEST_CASE("numbers that are none", "[refusals]")
{
    for (const char *value : {"", " ", "x", "3x", "-1", "0", "nan", "inf", "1e999", "0x10", "1,5"})
        for (const char *option : {"--prp", "--duration", "--connect-timeout", "--window"}) {
            INFO(option << " '" << value << "'");
            check_names(vnchl({"--headless", option, value, "localhost"}), option + 2);
        }
    for (const char *option : {"--quality", "--compress"})
        for (const char *value : {"", "x", "-1", "10", "5.5", "99999999999999999999"}) {
            INFO(option << " '" << value << "'");
            check_names(vnchl({"--headless", option, value, "localhost"}), option + 2);
        }
    check_names(vnchl({"--prp", "10001", "localhost"}), "--prp");
    check_names(vnchl({"--prp", "automatic", "localhost"}), "--prp");
    check_names(vnchl({"--push", "yes", "localhost"}), "--push");
    check_names(vnchl({"--push", "on", "--max-fps", "5", "localhost"}), "--push");
    check_names(vnchl({"--push", "on", "--headless", "--compare", "localhost"}), "--push");
    check_names(vnchl({"--window", "1T", "localhost"}), "--window");
    check_names(vnchl({"--window", "5G", "localhost"}), "--window");
    check_names(vnchl({"--encodings", "tight,colourful", "localhost"}), "colourful");
    check_names(vnchl({"--encodings", "zlib,zrle", "localhost"}), "zrle");
    check_names(vnchl({"--encodings", "", "localhost"}), "encoding");
}

TEST_CASE("addresses that are none", "[refusals]")
{
    for (const char *address :
         {"", "host:", "host::", "host::0", "host::65536", "host::-1", "host:70000", "host:x",
          "host::59x", "[::1", "[::1]5900", "[::1]:x", ":x", "host::99999999999999999999"}) {
        INFO("'" << address << "'");
        refusal(headless({address}));
    }
    check_names(headless({"vnc://127.0.0.1?ColorLevel=1"}), "ColorLevel");
    check_names(headless({"vnc://me:hush@127.0.0.1"}), "VNC_PASSWORD");
    refusal(headless({std::string(1000, 'h') + ":1"}));
    refusal(headless({"/" + std::string(500, 'p')}));
}

TEST_CASE("files that cannot be used", "[refusals]")
{
    TempDir dir;
    auto demo = start_demo_server();
    std::string nowhere = dir.file("no/such/folder/file");
    check_names(headless({"--passwd-file", nowhere, demo.address()}), nowhere);
    check_names(headless({"--passwd-file", dir.path(), demo.address()}), dir.path());
    write_file(dir.file("short"), "abc");
    check_names(headless({"--passwd-file", dir.file("short"), demo.address()}), dir.file("short"));
    for (const char *option : {"--log", "--json"}) {
        INFO(option);
        check_names(headless({option, nowhere, demo.address()}), nowhere);
        check_names(headless({option, dir.path(), demo.address()}), dir.path());
    }
    check_names(headless({"--log", dir.file("same"), "--json", dir.file("same"), demo.address()}),
                dir.file("same"));
}

TEST_CASE("nobody to talk to", "[refusals]")
{
    check_names(headless({"no-such-host.invalid"}), "no-such-host.invalid");
    std::string port = std::to_string(free_port());
    check_names(headless({"127.0.0.1::" + port}), port);
    check_names(headless({"/tmp/vnchl-no-such-socket"}), "/tmp/vnchl-no-such-socket");
    TempDir dir;
    check_names(headless({dir.path() + "/"}), dir.path());
}

TEST_CASE("no VNC server, or one that fails", "[refusals]")
{
    auto against = [](Script script, const std::string &cause, Shown shown = Shown::NO) {
        FakeServer server(std::move(script));
        check_names(headless({"--connect-timeout", "1000", server.address()}), cause, shown);
    };
    auto silent = [](Script script, const std::string &cause) {
        FakeServer server(std::move(script));
        auto start = Clock::now();
        check_names(headless({"--connect-timeout", "2", server.address()}), cause);
        CHECK(Clock::now() - start >= seconds(2));
    };
    against({send_step("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")}, "HTTP");
    against({send_step("220 mail.example ESMTP\r\n")}, "not a VNC server");
    against({}, "closed");
    against({reset()}, "");
    silent({stall()}, " 2 s");
    Script whole = handshake(64, 48);
    against({whole[0]}, "closed");
    against({whole[0], whole[1], whole[2]}, "closed");
    silent({whole[0], whole[1], whole[2], stall()}, " 2 s");
    against({whole[0], whole[1], send_step(u8(0) + u32(7) + "not now")}, "not now");
    against({whole[0], whole[1], send_step(u8(1) + u8(99))}, "99");
    against({whole[0], whole[1], send_step(u8(3) + u8(33) + u8(35) + u8(36))},
            "\"VNC viewers may control screen with password\"");
    against({whole[0], whole[1], send_step(u8(2) + u8(13) + u8(192))}, "Authentication=VncAuth");
    for (unsigned type : {16u, 20u, 30u, 113u, 0xfffffffau}) // RFB 3.3: the server chooses
        against({send_step("RFB 003.003\n"), expect(12), send_step(u32(type))},
                "security type " + std::to_string(type));
    against({send_step("RFB 003.003\n"), expect(12), send_step(u32(0) + u32(7) + "not now")},
            "not now");
    std::string screen = raw_screen(64, 48, 0x102030);
    against(whole + Script{await_request(), send_step(screen.substr(0, 100))}, "closed");
    against(whole + Script{await_request(), send_step(screen), send_step("\x63garbage")}, "99",
            Shown::YES);
    against(whole + Script{await_request(),
                           send_step(update(1) + rectangle(60, 0, 64, 48, ENCODING_RAW))},
            "rectangle");
    against(handshake(60000, 60000), "60000");
}

TEST_CASE("a server that keeps the decoder busy does not keep the program", "[refusals]")
{
    /* three times the whole screen in 40 bytes, again and again */
    const unsigned side = 4096;
    std::string busy = update(1) + rectangle(0, 0, side, side, ENCODING_RRE) + u32(2) + u32(0);
    for (int i = 0; i < 2; i++)
        busy += u32(1) + u16(0) + u16(0) + u16(side) + u16(side);
    FakeServer server(handshake(side, side) + Script{await_request(), repeat(busy)});
    std::vector<std::string> arguments = {"--headless", "--encodings", "rre", server.address()};
    auto timed = arguments;
    timed.insert(timed.end(), {"--duration", "1"});
    CHECK(run(vnchl(timed), PATIENCE).status == 0);

    arguments.insert(arguments.end(), {"--log", "-"});
    Process p(vnchl(arguments));
    auto rows = [&] {
        std::string out = p.out();
        return std::count(out.begin(), out.end(), '\n') - 1;
    };
    CHECK(wait_until(PATIENCE, [&] { return rows() > 0; }));
    p.signal(SIGTERM);
    CHECK(p.wait(PATIENCE).has_value());
}

TEST_CASE("security that was asked for is got, or nothing happens", "[refusals]")
{
    TempDir dir;
    if (!make_certificate(dir, true))
        return;
    std::string ca = dir.file("cert.pem");
    FakeServer open(handshake(64, 48) + Script{stall()});
    check_names(headless({"--x509-ca", ca, open.address()}), "certificate");
    check_names(headless({"--security-types", "VncAuth", open.address()}), "--security-types");
    check_names(headless({"--security-types", "VeNCrypt", open.address()}), "VeNCrypt");
    check_names(headless({"--security-types", "VncAuth", "--x509-ca", ca, open.address()}),
                "--x509-ca");
    XvncOptions x;
    x.with_screen = false;
    x.more = {"-SecurityTypes", "TLSNone,X509None", "-X509Cert", ca,
              "-X509Key",       dir.file("key.pem")};
    auto server = start_tigervnc(x);
    if (!server)
        return;
    auto connects = [&] {
        Finished f =
            run(vnchl({"--headless", "--duration", "0.2", "--x509-ca", ca, server->address}));
        INFO(f.err);
        return f.status == 0;
    };
    CHECK(connects());
    if (geteuid() == 0) { /* a file that only we can open, not the process of the session */
        REQUIRE(chown(ca.c_str(), 1, 1) == 0);
        REQUIRE(chmod(ca.c_str(), 0600) == 0);
        CHECK(connects());
    }
    /* the strongest is taken, and nobody vouches for it */
    check_names(headless({server->address}), "certificate");
}

TEST_CASE("passwords: wrong, missing, right", "[refusals]")
{
    TempDir dir;
    XvncOptions x = with_password(dir, "s3cret");
    x.with_screen = false;
    auto server = start_tigervnc(x);
    if (!server)
        return;
    check_names(headless({server->address}), "password");
    Command wrong = headless({server->address});
    wrong.env["VNC_PASSWORD"] = "wrong";
    check_names(wrong, "password");
    Command right = vnchl({"--headless", "--duration", "0.2", server->address});
    right.env["VNC_PASSWORD"] = "s3cret";
    CHECK(run(right).status == 0);
    /* The file counts more than the environment. */
    right.env["VNC_PASSWORD"] = "wrong";
    right.argv.insert(right.argv.end() - 1, {"--passwd-file", dir.file("passwd")});
    Finished f = run(right);
    INFO(f.err);
    CHECK(f.status == 0);
}

TEST_CASE("no display", "[refusals]")
{
    auto demo = start_demo_server();
    for (const char *display : {"", ":54321"}) {
        INFO(display);
        Command window = vnchl({demo.address()});
        if (*display)
            window.env["DISPLAY"] = display;
        Finished f = run(window);
        INFO(f.err);
        REQUIRE(f.status);
        CHECK(*f.status == 1);
        /* libwayland may have something to say before. */
        CHECK(f.err.find("vnchl: cannot open a display") != std::string::npos);
    }
}
