// VeNCrypt that is ended here, without sockets and without TLS: what each side hears.
#include <netinet/in.h>

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tools/accelerator/connection/greeting.h"
#include "tools/accelerator/connection/turnstile.h"
#include "tools/accelerator/exchange/exchange.h"

namespace
{

std::string u32(uint32_t n)
{
    std::string out;
    for (int shift : {24, 16, 8, 0})
        out += static_cast<char>(n >> shift);
    return out;
}

std::string types(const std::string &all)
{
    return std::string(1, static_cast<char>(all.size())) + all;
}

/* A list of subtypes, as a server says it behind its answer to the version. */
std::string subtypes(const std::vector<uint32_t> &all)
{
    std::string out = std::string(1, '\0') + static_cast<char>(all.size());
    for (uint32_t n : all)
        out += u32(n);
    return out;
}

const std::string RFB = "RFB 003.008\n", V02("\0\2", 2), YES("\1", 1), NO("\0", 1);
const std::string VENCRYPT("\x13", 1), VNC("\2", 1);

struct Between {
    flight path = {};
    exchange x;
    greeting g;
    vencrypt_known known = {};
    greeting_answer answer = GREETING_WAITS;

    explicit Between(bool pinned = false, bool certificate = false, bool passes = false)
    {
        vencrypt_plan plan = {pinned, certificate, &known, passes};
        flight_init(&path);
        exchange_init(&x, &path, false, 100000, CONTINUOUS_OWN);
        greeting_begin(&g, &plan);
    }
    ~Between()
    {
        exchange_deinit(&x);
    }
    Between(const Between &) = delete;
    Between &operator=(const Between &) = delete;

    void again()
    {
        greeting_begin(&g, &g.plan);
    }
    void server(const std::string &said)
    {
        REQUIRE(bytes_append(&x.down.in, said.data(), said.size()));
        go_on();
    }
    void client(const std::string &said)
    {
        REQUIRE(bytes_append(&x.up.in, said.data(), said.size()));
        go_on();
    }
    void go_on()
    {
        answer = greeting_go_on(&g, &x.down, &x.up, TICK_S);
    }
    void tls_begun()
    {
        REQUIRE(greeting_tls_begun(&g, &x.down, TICK_S));
        go_on();
    }
    std::string to_server()
    {
        std::string out(reinterpret_cast<const char *>(bytes_first(&x.up.out)), x.up.out.size);
        bytes_take(&x.up.out, x.up.out.size);
        return out;
    }
    std::string to_client()
    {
        std::string out;
        iovec pieces[16];
        int count = backlog_pieces(&x.down.out.held, 100000, pieces, 16);
        for (int i = 0; i < count; i++)
            out.append(static_cast<char *>(pieces[i].iov_base), pieces[i].iov_len);
        down_left(&x.down, out.size(), TICK_S);
        return out;
    }
    /* Up to the choice of VeNCrypt. */
    void greet(const std::string &list)
    {
        server(RFB);
        client(RFB);
        server(types(list));
        CHECK(to_client() == RFB + types(list)); /* as the server says it */
        CHECK(to_server() == RFB);
        client(VENCRYPT);
    }
    /* The same, of a server without VeNCrypt: it is offered in front. */
    void greet_alone(const std::string &list)
    {
        server(RFB);
        client(RFB);
        server(types(list).substr(0, 1));
        CHECK(to_client() == RFB); /* the list is shown when it is whole */
        server(list);
        CHECK(to_client() == types(VENCRYPT + list));
        CHECK(to_server() == RFB);
    }
    /* The server is asked what it has inside. */
    void ask(const std::vector<uint32_t> &has)
    {
        CHECK(to_server() == VENCRYPT);
        server(V02);
        CHECK(to_server() == V02);
        server(subtypes(has));
    }
    /* The client is offered this, and takes one. */
    void choose(const std::vector<uint32_t> &offered, uint32_t taken)
    {
        CHECK(to_client() == V02);
        client(V02);
        CHECK(to_client() == subtypes(offered));
        client(u32(taken));
    }
};

} // namespace

TEST_CASE("what the server has without TLS inside VeNCrypt is taken there", "[vencrypt]")
{
    Between t;

    t.greet(VENCRYPT + VNC);
    t.ask({VENCRYPT_TLS_VNC, SECURITY_VNC, 4711});
    t.choose({VENCRYPT_TLS_VNC, SECURITY_VNC}, VENCRYPT_TLS_VNC);
    CHECK(t.to_server() == u32(SECURITY_VNC));
    CHECK(t.to_client() == YES);
    REQUIRE(t.answer == GREETING_TLS_CLIENT);
    t.tls_begun();
    t.server(std::string(16, 'c'));
    CHECK(t.to_client() == std::string(16, 'c')); /* the challenge and the answer go through */
    t.client(std::string(16, 'a'));
    CHECK(t.to_server() == std::string(16, 'a'));
}

TEST_CASE("without a certificate to show, the server's own is passed on", "[vencrypt]")
{
    Between t(false, false, true);

    t.known = {{VENCRYPT_TLS_VNC}, 1}; /* the server says it itself all the same */
    t.greet(VENCRYPT + VNC);
    t.ask({VENCRYPT_X509_VNC, VENCRYPT_TLS_VNC});
    SECTION("where the client wants it")
    {
        t.choose({VENCRYPT_X509_VNC, VENCRYPT_TLS_VNC}, VENCRYPT_X509_VNC);
        CHECK(t.to_server() == u32(VENCRYPT_X509_VNC));
        CHECK(t.to_client().empty());
        CHECK(t.answer == GREETING_PLAIN);
        CHECK(std::string(greeting_why(&t.g)).find("passed on") != std::string::npos);
    }
    SECTION("TLS without one ends here")
    {
        t.choose({VENCRYPT_X509_VNC, VENCRYPT_TLS_VNC}, VENCRYPT_TLS_VNC);
        CHECK(t.to_server() == u32(VENCRYPT_TLS_VNC));
        t.server(YES);
        CHECK(t.answer == GREETING_TLS_SERVER);
    }
}

TEST_CASE("when it is known what is inside, a type beside it is taken", "[vencrypt]")
{
    Between t;

    t.known = {{VENCRYPT_TLS_VNC, VENCRYPT_TLS_PLAIN}, 2};
    SECTION("with the proof of the client's choice")
    {
        t.greet(VENCRYPT + VNC);
        t.choose({VENCRYPT_TLS_VNC, VENCRYPT_TLS_PLAIN}, VENCRYPT_TLS_VNC);
        CHECK(t.to_server() == VNC);
        CHECK(t.answer == GREETING_TLS_CLIENT);
    }
    SECTION("else it is VeNCrypt there, too")
    {
        t.greet(VENCRYPT + VNC);
        t.choose({VENCRYPT_TLS_VNC, VENCRYPT_TLS_PLAIN}, VENCRYPT_TLS_PLAIN);
        t.ask({VENCRYPT_TLS_PLAIN});
        CHECK(t.known.count == 1);
        CHECK(t.to_server() == u32(VENCRYPT_TLS_PLAIN));
        CHECK(t.to_client().empty()); /* the client waits until TLS stands there */
        t.server(YES);
        REQUIRE(t.answer == GREETING_TLS_SERVER);
        t.tls_begun();
        CHECK(t.to_client() == YES);
        REQUIRE(t.answer == GREETING_TLS_CLIENT);
        t.tls_begun();
        t.client(u32(2) + u32(6) + "mes3cret");
        CHECK(t.to_server() == u32(2) + u32(6) + "mes3cret");
        CHECK(t.x.up.in.secret);
        CHECK(std::string(reinterpret_cast<char *>(t.x.up.out.memory), t.x.up.out.capacity)
                  .find("s3cret") == std::string::npos);
    }
    SECTION("and what the server has lost meanwhile is refused")
    {
        t.greet(VENCRYPT + VNC);
        t.choose({VENCRYPT_TLS_VNC, VENCRYPT_TLS_PLAIN}, VENCRYPT_TLS_PLAIN);
        t.ask({VENCRYPT_TLS_VNC});
        CHECK(t.answer == GREETING_FAILED);
        CHECK(greeting_why(&t.g) == std::string("the server no longer has what the client has "
                                                "chosen"));
    }
}

TEST_CASE("a certificate is offered beside the server's own types where that is wanted",
          "[vencrypt]")
{
    Between t(false, true);

    t.greet(VENCRYPT);
    t.ask({VENCRYPT_TLS_VNC, VENCRYPT_X509_PLAIN});
    t.choose({VENCRYPT_TLS_VNC, VENCRYPT_X509_PLAIN, VENCRYPT_X509_VNC}, VENCRYPT_X509_VNC);
    CHECK(t.to_server() == u32(VENCRYPT_TLS_VNC));
}

TEST_CASE("a certificate is offered before a server without VeNCrypt where that is wanted",
          "[vencrypt]")
{
    Between t(false, true);
    const std::string NONE("\1", 1);

    t.known = {{VENCRYPT_TLS_PLAIN}, 1}; /* of the time before the server has lost it */
    SECTION("which is told its own type")
    {
        t.greet_alone(VNC + NONE);
        t.client(VENCRYPT);
        t.choose({VENCRYPT_X509_VNC, VENCRYPT_X509_NONE}, VENCRYPT_X509_VNC);
        CHECK(t.to_server() == VNC);
        CHECK(t.to_client() == YES);
        REQUIRE(t.answer == GREETING_TLS_CLIENT);
        t.tls_begun();
        t.server(std::string(16, 'c'));
        CHECK(t.to_client() == std::string(16, 'c'));
    }
    SECTION("and who takes that type goes on without")
    {
        t.greet_alone(NONE);
        t.client(NONE);
        CHECK(t.to_server() == NONE);
        t.server(u32(0));
        CHECK(t.to_client() == u32(0));
    }
    SECTION("but not in front of what does not go inside, nor of a refusal")
    {
        const std::string list = GENERATE(std::string("\x1e", 1), std::string());
        t.server(RFB);
        t.client(RFB);
        t.server(types(list) + (list.empty() ? u32(2) + "no" : ""));
        CHECK(t.to_client() == RFB + types(list));
        CHECK((t.answer == GREETING_REFUSED) == list.empty());
    }
    SECTION("also where client and server say everything at once")
    {
        t.client(RFB + VENCRYPT + V02 + u32(VENCRYPT_X509_VNC));
        t.server(RFB + types(VNC));
        CHECK(t.to_server() == RFB + VNC);
        CHECK(t.to_client() ==
              RFB + types(VENCRYPT + VNC) + V02 + subtypes({VENCRYPT_X509_VNC}) + YES);
        CHECK(t.answer == GREETING_TLS_CLIENT);
    }
    SECTION("nor for RFB 3.7, which has no VeNCrypt")
    {
        t.server(RFB);
        t.client("RFB 003.007\n");
        t.server(types(VNC));
        CHECK(t.to_client() == RFB + types(VNC));
    }
}

TEST_CASE("a pinned server has its certificate behind every choice", "[vencrypt]")
{
    Between t(true);

    SECTION("and what it has without one only is not offered")
    {
        t.greet(VENCRYPT + VNC);
        t.ask({VENCRYPT_TLS_VNC, VENCRYPT_X509_VNC, VENCRYPT_TLS_NONE, SECURITY_VNC});
        t.choose({VENCRYPT_TLS_VNC, VENCRYPT_X509_VNC, SECURITY_VNC}, VENCRYPT_TLS_VNC);
        CHECK(t.to_server() == u32(VENCRYPT_X509_VNC));
        t.server(YES);
        CHECK(t.answer == GREETING_TLS_SERVER);
        greeting_tls_failed(&t.g, &t.x.down, TICK_S);
        CHECK(t.to_client() == NO);
    }
    SECTION("or nothing goes on")
    {
        t.greet(VENCRYPT + VNC);
        t.ask({VENCRYPT_TLS_VNC});
        CHECK(t.answer == GREETING_FAILED);
    }
    SECTION("also where it has no VeNCrypt any more, and a certificate is wanted")
    {
        Between wanted(true, true);
        wanted.server(RFB);
        wanted.client(RFB);
        wanted.server(types(VNC));
        CHECK(wanted.answer == GREETING_FAILED);
    }
}

TEST_CASE("a client that says everything at once is heard in its order", "[vencrypt]")
{
    Between t;
    std::string hello = "\x16\x03\x01 and so on";

    t.known = {{VENCRYPT_TLS_VNC}, 1};
    t.client(RFB + VENCRYPT + V02 + u32(VENCRYPT_TLS_VNC) + hello);
    t.server(RFB);
    t.server(types(VENCRYPT + VNC));
    CHECK(t.to_server() == RFB + VNC);
    CHECK(t.to_client() == RFB + types(VENCRYPT + VNC) + V02 + subtypes({VENCRYPT_TLS_VNC}) + YES);
    CHECK(t.answer == GREETING_TLS_CLIENT);
    CHECK(t.x.up.in.size == hello.size()); /* it is for TLS */
}

TEST_CASE("who wants TLS waits where too many do", "[vencrypt]")
{
    turnstile t = {};
    auto from = [](uint32_t host) {
        sockaddr_storage peer = {};
        peer.ss_family = AF_INET;
        reinterpret_cast<sockaddr_in *>(&peer)->sin_addr.s_addr = htonl(0x0a000000 + host);
        return peer;
    };
    sockaddr_storage one = from(1), last = from(1000);

    for (int i = 0; i < TURNSTILE_FROM_ONE; i++)
        REQUIRE(turnstile_enter(&t, &one));
    CHECK_FALSE(turnstile_enter(&t, &one));
    for (uint32_t i = TURNSTILE_FROM_ONE; i < TURNSTILE_PLACES; i++) {
        sockaddr_storage other = from(i + 2);
        REQUIRE(turnstile_enter(&t, &other));
    }
    CHECK_FALSE(turnstile_enter(&t, &last));
    turnstile_leave(&t, &one);
    CHECK(turnstile_enter(&t, &last));
    CHECK_FALSE(turnstile_enter(&t, &one));
}
