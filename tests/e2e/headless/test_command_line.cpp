/* The ways to say where to connect and how, each of them as far as a picture: typed as TigerVNC's
 * users type it, in connection files, in links, in profiles. */
#include <sys/stat.h>

#include "tests/catch.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/servers.hpp"

using namespace e2e;

namespace
{

const char TIGER[] = "TigerVNC Configuration file Version 1.0\n\n";

Command headless(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), {"--headless", "--duration", "0.2"});
    return vnchl(std::move(arguments));
}

void check_connects(const Command &command, const std::string &says = "")
{
    Finished f = run(command);
    INFO(f.err << f.out);
    CHECK(f.status == 0);
    CHECK(f.out.find("frames per second") != std::string::npos);
    CHECK(f.err.find(says) != std::string::npos);
}

void check_refused(const Command &command, const std::string &cause)
{
    std::string line = refusal(command);
    INFO(line);
    CHECK(line.find(cause) != std::string::npos);
}

std::string hexadecimal(const std::string &bytes)
{
    std::string out;
    char digits[3];

    for (unsigned char c : bytes) {
        snprintf(digits, sizeof digits, "%02x", c);
        out += digits;
    }
    return out;
}

} // namespace

TEST_CASE("options as TigerVNC's users type them", "[options]")
{
    XvncOptions x;
    x.with_screen = false;
    auto server = start_tigervnc(x);
    if (!server)
        return;
    check_connects(headless({"-Shared", "-ViewOnly=1", "QualityLevel=6", "-CompressLevel", "2",
                             "-PreferredEncoding=ZRLE", "-RemoteResize=0", "-AutoSelect=0",
                             "-SecurityTypes=None,VncAuth,RA2", server->address}));
    Finished f = run(headless({"-Log", "*:stderr:100", server->address}));
    INFO(f.err);
    CHECK(f.status == 0);
    CHECK(f.err.find("vnchl: security type: None\n") != std::string::npos);
    CHECK(f.err.find("vnchl: connected to '") != std::string::npos);
    CHECK(f.err.find("; encodings: ") != std::string::npos);
    CHECK(f.err.find("; JPEG level ") != std::string::npos);
    CHECK(f.err.find("vnchl: libvncclient:") == std::string::npos);
    CHECK(f.err.find("authentication") == std::string::npos);
    check_connects(headless({"-RemoteResize", server->address}));
    check_refused(headless({"-PointerEventInterval=5", server->address}),
                  "'PointerEventInterval=5'");
    check_refused(headless({"-ViewOnyl", server->address}), "--view-only");
}

TEST_CASE("a server by IPv6", "[options]")
{
    std::string addresses = read_file("/proc/net/if_inet6");
    XvncOptions x;
    x.with_screen = false;
    auto server = start_tigervnc(x);
    if (!server || addresses.empty())
        return;
    std::string port = std::to_string(server->port);
    check_connects(headless({"[::1]::" + port}));
    check_connects(headless({"-UseIPv4=0", "[::1]::" + port}));
    check_connects(headless({"-UseIPv6=0", "localhost::" + port}));
    check_refused(headless({"-UseIPv4=0", "127.0.0.1::" + port}), "'127.0.0.1' by IPv6");
    check_refused(headless({"-UseIPv6=0", "[::1]::" + port}), "'::1' by IPv4");
}

TEST_CASE("connection files", "[options]")
{
    TempDir dir;
    std::string passwd = dir.file("passwd");
    XvncOptions x = with_password(dir, "s3cret");
    x.with_screen = false;
    auto server = start_tigervnc(x);
    if (!server)
        return;
    std::string host = "127.0.0.1", port = std::to_string(server->port);
    std::string tiger = dir.file("desk.tigervnc"), vnc = dir.file("desk.vnc");

    write_file(tiger, TIGER + ("ServerName=" + server->address) +
                          "\nSecurityTypes=None,VncAuth,RA2\nMenuKey=F8\nViewOnly=1\n");
    check_connects(headless({"-passwd", passwd, tiger}));
    write_file(tiger, TIGER + ("ServerName=" + server->address) + "\nMenuKey=F99\n");
    check_connects(headless({"-passwd", passwd, tiger}),
                   "desk.tigervnc: left out what is not supported: MenuKey (bad value 'F99')\n");
    write_file(tiger, TIGER + ("ServerName=" + server->address) + "\nSecurityTypes=TLSVnc\n");
    check_refused(headless({"-passwd", passwd, tiger}), "--security-types");

    std::string spaced = dir.file("my desk.tigervnc"); /* as file managers name it */
    write_file(spaced, TIGER + ("ServerName=" + server->address) + "\n");
    check_connects(headless({"-passwd", passwd, "file://" + dir.path() + "/my%20desk.tigervnc"}));
    check_refused(headless({"file://far" + spaced}), "another machine");
    check_refused(headless({"file://" + dir.file("missing.vnc")}), "missing.vnc");

    write_file(vnc, "[connection]\r\nhost=" + host + "\r\nport=" + port +
                        "\r\npassword=" + hexadecimal(read_file(passwd).substr(0, 8)) +
                        "\r\n[options]\r\nviewonly=1\r\nUseDSMPlugin=0\r\n");
    check_connects(headless({vnc}));
    write_file(vnc, "[connection]\nhost=" + host + "\nport=" + port + "\nUseDSMPlugin=1\n");
    check_refused(headless({vnc}), "desk.vnc: line 4");
    write_file(vnc, "what is this\n");
    check_refused(headless({vnc}), "desk.vnc");
    check_refused(headless({dir.file("missing.vnc")}), "missing.vnc");
}

TEST_CASE("links", "[options]")
{
    XvncOptions x;
    x.with_screen = false;
    auto server = start_tigervnc(x);
    if (!server)
        return;
    std::string link = "vnc://127.0.0.1:" + std::to_string(server->port);
    check_connects(headless({link}));
    check_connects(headless({link + "/?ViewOnly=1&Shared=true&SecurityType=1"}));
    check_connects(headless({link + "?ConnectionName=desk"}), "ConnectionName");
    check_refused(headless({link + "?SecurityType=2"}), "--security-types");
    check_refused(headless({link + "?VncPassword=hush"}), "VNC_PASSWORD");
    check_refused(headless({link + "?ViewOnly=perhaps"}), "perhaps");
}

TEST_CASE("profiles", "[options]")
{
    TempDir dir;
    XvncOptions x;
    x.with_screen = false;
    auto server = start_tigervnc(x);
    if (!server || mkdir(dir.file("vnchl").c_str(), 0700) != 0)
        return;
    write_file(dir.file("vnchl/defaults.conf"), "headless\nduration 0.2\n");
    write_file(dir.file("vnchl/desk.conf"), "server " + server->address + "\nview-only\n");
    Command by_name = vnchl({"--profile", "desk"});
    by_name.env["XDG_CONFIG_HOME"] = dir.path();
    check_connects(by_name);
    write_file(dir.file("vnchl/desk.conf"), "view-onyl\n");
    check_refused(by_name, "desk.conf:1: unknown option 'view-onyl': did you mean --view-only?");
    by_name.env["XDG_CONFIG_HOME"] = "/no/such/folder";
    check_refused(by_name, "'desk'");
}
