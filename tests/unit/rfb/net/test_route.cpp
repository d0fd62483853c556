// How to reach a server: what the user writes about it, and what is told to a repeater.
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "line.hpp"
#include "rfb/net/repeater.h"
#include "rfb/net/ssh/far_end.h"
#include "rfb/system/clock.h"
#include "rfb/texts/duration.h"
#include "tests/catch.hpp"
#include "tests/expect.hpp"

using line::LONG;

namespace
{

struct Gateway : gateway {
    reason why{};
    bool ok;
    explicit Gateway(const std::string &text) : ok(gateway_parse(this, text.c_str(), &why)) {}
};

/* The address on this route as "HOST PORT", or the reason why not. */
std::string address_on(const route &r, const char *text)
{
    address a;
    reason why{};
    if (!route_address(&r, &a, text, &why) || !route_check(&r, &a, &why))
        return why.text;
    return std::string(a.host) + " " + std::to_string(a.port);
}

bool refuses(const route &r, const char *text, const std::string &cause)
{
    std::string why = address_on(r, text);
    INFO(why);
    CHECK(why.find(cause) != std::string::npos);
    return why.find(cause) != std::string::npos;
}

route through(const std::string &gateway, const std::string &repeater = "")
{
    route r{};
    reason why{};
    if (!gateway.empty())
        REQUIRE(gateway_parse(&r.gateway, gateway.c_str(), &why));
    if (!repeater.empty())
        REQUIRE(address_parse(&r.repeater, repeater.c_str(), &why));
    return r;
}

} // namespace

TEST_CASE("a gateway is [USER@]HOST[:PORT]")
{
    const struct {
        std::string text, host;
        int port;
    } good[] = {
        {"gate", "gate", 0},
        {"me@gate.example.org", "me@gate.example.org", 0},
        {"me@gate:2222", "me@gate", 2222},
        {"me@realm@gate", "me@realm@gate", 0},
        {"10.0.0.1:22", "10.0.0.1", 22},
        {"fe80::1%eth0", "fe80::1%eth0", 0},
        {"me@[::1]:2222", "me@::1", 2222},
        {"[::1]", "::1", 0},
        {"größe", "größe", 0},
    };
    for (const auto &g : good) {
        INFO(g.text);
        Gateway parsed(g.text);
        CHECK(parsed.ok);
        CHECK(parsed.host == g.host);
        CHECK(parsed.port == g.port);
        CHECK(std::string(parsed.command).empty());
    }
    for (const char *text : {"",
                             "-oProxyCommand=x",
                             "me@-oProxyCommand",
                             "-me@gate",
                             "@gate",
                             "me@",
                             "gate:",
                             "gate:0",
                             "gate:65536",
                             "gate:2x",
                             "gate:-1",
                             "gate one",
                             "gate;reboot",
                             "$(reboot)",
                             "`id`@gate",
                             "gate|x",
                             "a\nb",
                             "[::1",
                             "[::1]2222",
                             "gate'",
                             "gate\"",
                             "a&b",
                             "a\\b",
                             "gate/x"}) {
        INFO(text);
        Gateway parsed(text);
        CHECK_FALSE(parsed.ok);
        CHECK(std::string(parsed.why.text).find("gateway") != std::string::npos);
    }
    CHECK_FALSE(Gateway(std::string(300, 'a')).ok);
    CHECK_FALSE(Gateway(std::string(200, 'a') + "@" + std::string(200, 'b')).ok);
}

TEST_CASE("VNC_VIA_CMD names its variables with % or $")
{
    gateway g{};
    reason why{};
    REQUIRE(gateway_set_command(&g, "ssh -f -L %L:%H:%R %Gx \"$G\" %h 100% %", &why));
    CHECK(std::string(g.command) == "ssh -f -L ${L}:${H}:${R} ${G}x \"$G\" %h 100% %");
    CHECK(gateway_set_command(&g, std::string(1023, 'x').c_str(), &why));
    CHECK_FALSE(gateway_set_command(&g, std::string(1024, 'x').c_str(), &why));
    CHECK_FALSE(gateway_set_command(&g, (std::string(1020, 'x') + "%L").c_str(), &why));
    CHECK(std::string(why.text).find("VNC_VIA_CMD") != std::string::npos);
}

TEST_CASE("the address on a route")
{
    route listen{};
    listen.listen = true;
    CHECK(address_on({}, "host:1") == "host 5901");
    CHECK(refuses({}, nullptr, "no server named"));
    CHECK(address_on(through("gate"), ":1") == "localhost 5901");
    CHECK(refuses(through("gate"), "/tmp/socket", "not to a socket"));
    CHECK(refuses(through("gate"), "-oProxyCommand=x", "that ssh can be told"));
    CHECK(refuses(through("gate"), "$(reboot):1", "that ssh can be told"));
    CHECK(refuses(through("gate"), "[fe80::1%x;y]:1", "that ssh can be told"));

    route r = through("gate");
    address by_ipv6{};
    reason why{};
    strcpy(by_ipv6.host, "host");
    by_ipv6.family = ADDRESS_IPV6;
    CHECK_FALSE(route_check(&r, &by_ipv6, &why));
    CHECK(std::string(why.text).find("AddressFamily") != std::string::npos);

    SECTION("listening: a port, and an address of this machine")
    {
        CHECK(address_on(listen, nullptr) == " 5500");
        CHECK(address_on(listen, "5501") == " 5501");
        CHECK(address_on(listen, "1") == " 1");
        CHECK(address_on(listen, "127.0.0.1::5500") == "127.0.0.1 5500");
        CHECK(address_on(listen, "[::1]::5500") == "::1 5500");
        for (const char *bad : {"", "0", "65536", "host", "host:1", "::5500", "::1", "host::x",
                                "/tmp/x::5500", "-1", "5500x"})
            CHECK(refuses(listen, bad, "--listen"));
        route both = through("gate");
        both.listen = true;
        CHECK(refuses(both, nullptr, "leave out --via"));
        both = through("", "repeater");
        both.listen = true;
        CHECK(refuses(both, nullptr, "--repeater"));
    }
    SECTION("a repeater finds a server by its name, or by a number")
    {
        CHECK(address_on(through("", "repeater"), "host:1") == "host 5901");
        CHECK(address_on(through("", "repeater"), "id:1234") == "ID:1234 0");
        CHECK(address_on(through("gate", "repeater"), "ID:1234") == "ID:1234 0");
        CHECK(refuses(through("", "repeater"), "ID:", "a repeater takes"));
        CHECK(refuses(through("", "repeater"), "ID:12x4", "a repeater takes"));
        CHECK(
            refuses(through("", "repeater"), ("ID:" + std::string(300, '1')).c_str(), "too long"));
        CHECK(refuses(through("", "repeater"), "/tmp/socket", "not to a socket"));
        CHECK(refuses(through("", "/tmp/socket"), "host:1", "not to a socket"));
        CHECK(refuses(through("gate", "-x:1"), "ID:1234", "that ssh can be told"));
        CHECK(address_on({}, "ID:1234") == "ID 1234"); /* without a repeater a host like others */
    }
}

TEST_CASE("the address at the far end of ssh is one of that machine")
{
    route far = through("me@desk");
    far.gateway.far_end = true;
    CHECK(address_on(far, nullptr) == "localhost 0");
    CHECK(address_on(far, ":1") == "localhost 5901");
    CHECK(address_on(far, "1") == "localhost 5901");
    CHECK(address_on(far, "5901") == "localhost 5901");
    CHECK(address_on(far, "127.0.0.1::5901") == "127.0.0.1 5901");
    CHECK(address_on(far, "::1") == "::1 5900");
    CHECK(address_on(far, "/run/user/1000/vnc") == " 0");
    for (const char *elsewhere : {"desk:1", "10.0.0.1", "127.0.0.1.example", "[::2]:1"})
        CHECK(refuses(far, elsewhere, "--via goes on from there"));
    for (const char *path : {"/tmp/a'b", "/tmp/a\\b", "/tmp/a!b", "/tmp/a\nb", "/tmp/a\x7f"})
        CHECK(refuses(far, path, "cannot pass on"));
    for (const char *bad : {"", "vnc sock", "me@desk"})
        CHECK(refuses(far, bad, "address"));
    far.listen = true;
    CHECK(refuses(far, nullptr, "leave out --listen"));
    far = through("me@desk", "repeater");
    far.gateway.far_end = true;
    CHECK(refuses(far, ":1", "--repeater"));
}

TEST_CASE("what a shell at the far end of ssh is told")
{
    auto command = [](const char *text, bool asks = false) {
        address a{};
        reason why{};
        char out[FAR_END_COMMAND_MAX];
        REQUIRE(far_end_address(&a, text, &why));
        REQUIRE(far_end_takes(&a, &why));
        gateway g = {};
        g.asks = asks;
        far_end_command(&g, &a, out);
        return std::string(out);
    };
    const std::string program = "vnchl-accel --once --stdio";
    CHECK(command(nullptr) == program);
    CHECK(command(":1") == program + " --server 'localhost:1'");
    CHECK(command(nullptr, true) == program + " --ask");
    CHECK(command(":1", true) == program + " --ask --server 'localhost:1'");
    CHECK(command("5901") == program + " --server 'localhost::5901'");
    CHECK(command("[::1]::80") == program + " --server '[::1]::80'");
    CHECK(command("/tmp/$(x) \"y\"") == program + " --server '/tmp/$(x) \"y\"'");
    std::string longest = "/" + std::string(106, 'x');
    CHECK(command(longest.c_str()) == program + " --server '" + longest + "'");
}

TEST_CASE("what a window finds its far end by: the same each time, another one for another way")
{
    auto token = [](const char *host, uint16_t port, const char *text) {
        address a{};
        reason why{};
        gateway g = {};
        snprintf(g.host, sizeof g.host, "%s", host);
        g.port = port;
        REQUIRE(far_end_address(&a, text, &why));
        char out[FAR_END_TOKEN + 1];
        far_end_token(&g, &a, out);
        return std::string(out);
    };
    const std::string one = token("desk", 0, ":1");
    CHECK(one.size() == FAR_END_TOKEN);
    CHECK(one.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(token("desk", 0, ":1") == one);
    CHECK(token("desk", 0, ":2") != one);
    CHECK(token("desk", 0, nullptr) != one);
    CHECK(token("desk", 22, ":1") != one);
    CHECK(token("me@desk", 0, ":1") != one);
    gateway g = {};
    address a{};
    reason why{};
    char out[FAR_END_COMMAND_MAX];
    REQUIRE(far_end_address(&a, ":1", &why));
    strcpy(g.host, "desk");
    g.keep_s = 90;
    far_end_command(&g, &a, out);
    CHECK(out ==
          "vnchl-accel --once --stdio --keep 90 --resume " + one + " --server 'localhost:1'");
    g.asks = true; /* whoever comes again is not asked */
    far_end_command(&g, &a, out);
    CHECK(out == std::string("vnchl-accel --once --stdio --ask --server 'localhost:1'"));
}

TEST_CASE("a time as a user writes it")
{
    auto parse = [](const char *text) {
        unsigned s = 7;
        return duration_parse(text, &s) ? int(s) : -1;
    };
    CHECK(parse("off") == 0);
    CHECK(parse("0") == 0);
    CHECK(parse("90") == 90);
    CHECK(parse("90s") == 90);
    CHECK(parse("30m") == 1800);
    CHECK(parse("12h") == 43200);
    CHECK(parse("30d") == int(DURATION_MOST));
    for (const char *none : {"", "s", "on", "31d", "1w", "-1", "+1", " 1", "1 ", "1.5", "1hs",
                             "0x1", "9999999999", "4294967296"})
        CHECK(parse(none) == -1);
    for (const char *said : {"off", "0", "0s", "90s", "2d"})
        CHECK(duration_has_unit(said));
    for (const char *bare : {"3", "90", "10"})
        CHECK_FALSE(duration_has_unit(bare));
}

TEST_CASE("only on a straight way the kernel's round trip is the server's")
{
    route listen{};
    listen.listen = true;
    CHECK_FALSE(route_is_relayed(&listen));
    for (const route &r : {through("gate"), through("", "repeater"), through("gate", "repeater")})
        CHECK(route_is_relayed(&r));
}

TEST_CASE("a straight way that does not lead there is answered with another one")
{
    auto advised = [](const route &r, int error) {
        reason why{};
        reason_set(&why, "cannot connect to far port 5901: %s", strerror(error));
        reason_set_kind(&why, FAILURE_UNREACHABLE);
        route_add_advice(&r, &why);
        CHECK(why.kind == FAILURE_UNREACHABLE);
        return std::string(why.text).find("--via [USER@]COMPUTER") != std::string::npos;
    };
    for (int error : {EHOSTUNREACH, ENETUNREACH, ETIMEDOUT})
        CHECK(advised(through(""), error));
    CHECK_FALSE(advised(through(""), ECONNREFUSED));
    CHECK_FALSE(advised(through("gate"), EHOSTUNREACH));
    CHECK_FALSE(advised(through("", "repeater"), EHOSTUNREACH));
}

TEST_CASE("what a repeater is told")
{
    const struct {
        const char *host;
        uint16_t port;
        std::string text;
    } cases[] = {
        {"host", 5901, "host:5901"},
        {"host", 80, "host::80"},
        {"::1", 5900, "[::1]:5900"},
        {"ID:1234", 0, "ID:1234"},
    };
    char field[REPEATER_FIELD];
    reason why{};
    for (const auto &c : cases) {
        address a{};
        strcpy(a.host, c.host);
        a.port = c.port;
        REQUIRE(repeater_field(field, &a, &why));
        CHECK(std::string(field, sizeof field) ==
              c.text + std::string(REPEATER_FIELD - c.text.size(), '\0'));
    }
    address longest{};
    memset(longest.host, 'x', 245);
    longest.port = 5900;
    CHECK_FALSE(repeater_field(field, &longest, &why));
    memset(longest.host, '\0', sizeof longest.host);
    memset(longest.host, 'x', 244);
    CHECK(repeater_field(field, &longest, &why));
}

namespace
{

/* A repeater that the test plays on one end of a pair of sockets. */
struct Repeater {
    int ends[2];
    transport *t;
    reason why{};
    Repeater()
    {
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        t = socket_adopt(ends[0]);
        REQUIRE(t);
    }
    ~Repeater()
    {
        t->ops->destroy(t);
        if (ends[1] >= 0)
            close(ends[1]);
    }
    void say(const std::string &text)
    {
        EXPECT(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
    bool enter(tick_t until = tick_now() + LONG, int cancel_fd = -1)
    {
        address a{};
        strcpy(a.host, "ID:77");
        return repeater_enter(t, &a, until, cancel_fd, &why);
    }
    bool blames(const std::string &cause) const
    {
        INFO(why.text);
        CHECK(std::string(why.text).find(cause) != std::string::npos);
        return true;
    }
};

} // namespace

TEST_CASE("a repeater greets and is told where to")
{
    Repeater r;
    line::Event cancel;
    char got[REPEATER_FIELD + 1];

    SECTION("as it should")
    {
        r.say("RFB 000.000\nRFB 003.008\n");
        REQUIRE(r.enter());
        CHECK(read(r.ends[1], got, sizeof got) == REPEATER_FIELD);
        CHECK(std::string(got) == "ID:77");
        CHECK(r.t->ops->read(r.t, got, sizeof got) == 12); /* the server's greeting is left */
        CHECK(std::string(got, 12) == "RFB 003.008\n");
    }
    SECTION("byte by byte")
    {
        std::thread slow([&] {
            for (char c : std::string("RFB 000.000\n"))
                r.say(std::string(1, c));
        });
        CHECK(r.enter());
        slow.join();
    }
    SECTION("it is a server")
    {
        r.say("RFB 003.008\n");
        CHECK_FALSE(r.enter());
        CHECK(r.blames("leave out --repeater"));
    }
    SECTION("it is something else")
    {
        r.say("HTTP/1.1 400 \x1b[2J");
        CHECK_FALSE(r.enter());
        CHECK(r.blames("not a repeater: it greets with 'HTTP/1.1 40'"));
    }
    SECTION("it goes away")
    {
        r.say("RFB 000");
        close(r.ends[1]);
        r.ends[1] = -1;
        CHECK_FALSE(r.enter());
        CHECK(r.blames("the repeater closed the connection"));
    }
    SECTION("it says nothing")
    {
        CHECK_FALSE(r.enter(tick_now()));
        CHECK(r.blames("in time"));
    }
    SECTION("nobody waits any more")
    {
        eventfd_write(cancel.fd, 1);
        CHECK_FALSE(r.enter(tick_now() + LONG, cancel.fd));
        CHECK(r.blames("stopped"));
    }
}
