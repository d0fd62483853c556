// The pure parts of rfb/: addresses, encodings, texts, pointer shapes, regions.
#include "tests/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "rfb/net/address/address.h"
#include "rfb/proto/client_messages.h"
#include "rfb/proto/encodings/cursor.h"
#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/extensions/clipboard_text.h"
#include "rfb/proto/extensions/push.h"
#include "rfb/proto/handshake/handshake.h"
#include "rfb/proto/handshake/vncauth.h"
#include "rfb/region.h"
#include "rfb/texts/reason.h"

namespace
{

std::string parsed(const char *text)
{
    address a;
    reason why;

    if (!address_parse(&a, text, &why))
        return std::string("error: ") + why.text;
    return a.path[0] ? a.path : std::string(a.host) + " " + std::to_string(a.port);
}

std::string taken(char *text)
{
    std::string s = text;

    free(text);
    return s;
}

} // namespace

TEST_CASE("addresses as other viewers take them")
{
    CHECK(parsed("host") == "host 5900");
    CHECK(parsed("host:1") == "host 5901");
    CHECK(parsed("host:99") == "host 5999");
    CHECK(parsed("host:5901") == "host 5901");
    CHECK(parsed(":1") == "localhost 5901");
    CHECK(parsed("host::5901") == "host 5901");
    CHECK(parsed("::5901") == "localhost 5901");
    CHECK(parsed("10.0.0.1::59") == "10.0.0.1 59");
    CHECK(parsed("[::1]") == "::1 5900");
    CHECK(parsed("[::1]:1") == "::1 5901");
    CHECK(parsed("[::1]::5901") == "::1 5901");
    CHECK(parsed("[fe80::1%eth0]:2") == "fe80::1%eth0 5902");
    CHECK(parsed("2001:db8::7") == "2001:db8::7 5900");
    CHECK(parsed("2001:1::7") == "2001:1::7 5900");
    CHECK(parsed("cafe::5901") == "cafe 5901");
    CHECK(parsed("vnc://host") == "host 5900");
    CHECK(parsed("vnc://host:80/") == "host 80");
    CHECK(parsed("VNC://[::1]:5901") == "::1 5901");
    CHECK(parsed("::1") == "::1 5900"); /* not port 1 of this machine */
    CHECK(parsed("fe80::1") == "fe80::1 5900");
    CHECK(parsed("fe80::1%eth0") == "fe80::1%eth0 5900");
    for (const char *scope :
         {"", " ", "a b", "a:1", "0:5a]:5555", "%"}) /* no interface has such a name */
        CHECK(parsed((std::string("fe80::1:2%") + scope).c_str()).find("error: bad address") == 0);
    CHECK(parsed("fe80::1:2:3%eth0") == "fe80::1:2:3%eth0 5900");
    CHECK(parsed("2001:db8::a") == "2001:db8::a 5900");
    CHECK(parsed("1:2:3:4:5:6:7:8") == "1:2:3:4:5:6:7:8 5900");
    CHECK(parsed("[2001:db8::7]:5901") == "2001:db8::7 5901");
    CHECK(parsed("host.vnc:1") == "host.vnc 5901");
    CHECK(parsed("/run/vnc.sock") == "/run/vnc.sock");
    CHECK(parsed("./vnc.sock") == "./vnc.sock");
}

TEST_CASE("an address is shown with its port as it was given")
{
    const std::vector<std::pair<std::string, std::string>> shown = {
        {"host", "host"},
        {"host:85", "host:85"},
        {"host::5985", "host::5985"},
        {"host:5985", "host::5985"},
        {"vnc://host:5901", "host::5901"},
        {"host::5900", "host::5900"},
        {"[fe80::1]:2", "[fe80::1]:2"},
        {"[fe80::1]::5902", "[fe80::1]::5902"},
    };
    for (const auto &[given, expected] : shown) {
        address a, again;
        reason why;
        char text[300];

        REQUIRE(address_parse(&a, given.c_str(), &why));
        address_format(&a, text, sizeof text);
        CHECK(text == expected);
        REQUIRE(address_parse(&again, text, &why));
        CHECK(again.port == a.port);
    }
}

TEST_CASE("what people type who have another program in mind is answered with what to write")
{
    const std::vector<std::vector<std::string>> cases = {
        {"me@office:1", "write office:1", "asked for", "--ssh USER@office,", "--via"},
        {"me@[::1]:1", "write [::1]:1", "--ssh USER@[::1],"},
        {"http://office:6080/vnc.html", "web page", "write office"},
        {"HTTPS://me@office", "web page", "write office"},
        {"rdp://office", "RDP", "write office"},
        {"ssh://me@office", "--via", "--ssh", "write office"},
        {"foo://[::1]:1", "vnc://", "write [::1]:1"},
        {"http://", "write HOST"},
        {"office:1 --view-only", "'--view-only'", "profile"},
        {"-via gate office:1", "'-via'", "profile"},
        {"--quality=3", "'--quality'", "profile"},
        {"vnchl office:1", "Write only HOST"},
    };
    for (const auto &c : cases) {
        const std::string said = parsed(c[0].c_str());
        INFO(c[0] << " -> " << said);
        CHECK(said.rfind("error: ", 0) == 0);
        for (size_t i = 1; i < c.size(); i++)
            CHECK(said.find(c[i]) != std::string::npos);
    }
}

TEST_CASE("bad addresses are named")
{
    for (const char *bad : {"",
                            "host:",
                            "host::",
                            "host:x",
                            "host:1x",
                            "host:-1",
                            "host::0",
                            "host::65536",
                            "host:99999999999999999999",
                            "[::1",
                            "[host]:1",
                            "[]:1",
                            "[::1]1",
                            "a b:1",
                            "host:1:2",
                            "::",
                            "fe80::",
                            "fe80::1%",
                            "[fe80::1%]",
                            "vnc://",
                            "vnc://user@host",
                            "vnc://host:x"}) {
        INFO(bad);
        CHECK(parsed(bad).rfind("error: ", 0) == 0);
    }
    CHECK(parsed(std::string(300, 'h').c_str()).rfind("error: ", 0) == 0);
    CHECK(parsed(("/" + std::string(200, 'p')).c_str()).rfind("error: ", 0) == 0);
}

TEST_CASE("an address that says more than where is refused")
{
    const std::vector<std::vector<std::string>> bad = {
        {"vnc://host?ViewOnly=hush", "'?'"},
        {"vnc://host/desk", "'/desk'"},
        {"vnc://host/desk?ViewOnly=hush", "'/desk'"},
        {"vnc://host//", "'//'"},
        {"vnc://host#x", "'#x'"},
        {"vnc://me:hush@host", "VNC_PASSWORD", "--passwd-file"},
        {"vnc://me@host:5901", "VNC_USERNAME"},
        {"vnc://me:hu/sh@host", "VNC_PASSWORD"},
        {"me:hush@host:1", "VNC_PASSWORD"},
    };

    for (const auto &b : bad) {
        std::string said = parsed(b[0].c_str());
        INFO(b[0] << " -> " << said);
        CHECK(said.rfind("error: ", 0) == 0);
        CHECK(said.find("hu") == std::string::npos);
        for (size_t i = 1; i < b.size(); i++)
            CHECK(said.find(b[i]) != std::string::npos);
    }
}

TEST_CASE("lists of encodings")
{
    encoding_list list;
    reason why;

    REQUIRE(encoding_list_parse(&list, ENCODINGS_DEFAULT, &why));
    CHECK(list.count == 6);
    CHECK(list.number[0] == ENCODING_H264);
    CHECK(list.number[encoding_list_main(&list)] == ENCODING_TIGHT);
    encoding_list_drop(&list, ENCODING_ZRLE);
    encoding_list_drop(&list, ENCODING_H264);
    CHECK(list.count == 4);
    CHECK(list.number[encoding_list_main(&list)] == ENCODING_TIGHT);
    REQUIRE(encoding_list_parse(&list, " ZRLE raw,,raw ", &why));
    CHECK(list.count == 2);
    CHECK(list.number[0] == ENCODING_ZRLE);
    CHECK_FALSE(encoding_list_parse(&list, "tight,h265", &why));
    CHECK(std::string(why.text).find("'h265'") != std::string::npos);
    CHECK_FALSE(encoding_list_parse(&list, "tigh", &why));
    CHECK_FALSE(encoding_list_parse(&list, ",", &why));
    CHECK_FALSE(encoding_list_parse(&list, "zlib,zrle", &why));
    for (int i = 0; i < 32; i++)
        if (encoding_name(i)) {
            CHECK(encoding_list_parse(&list, encoding_name(i), &why));
            CHECK(list.number[0] == i);
        }
}

TEST_CASE("texts between Latin-1 and UTF-8")
{
    CHECK(taken(latin1_to_utf8("gr\xfc\xdf")) == "grüß");
    size_t lost = 99;
    CHECK(taken(latin1_from_utf8("grüß?", &lost)) == "gr\xfc\xdf?");
    CHECK(lost == 0);
    CHECK(taken(latin1_from_utf8("a€b😀c", &lost)) == "a?b?c");
    CHECK(lost == 2);
    CHECK(taken(latin1_from_utf8("broken \xc3", &lost)) == "broken ?");
    CHECK(lost == 1);
    CHECK(taken(latin1_from_utf8("", &lost)) == "");
    CHECK(lost == 0);
}

TEST_CASE("a rich cursor keeps colour where the mask is set")
{
    // two pixels, mask 10
    const uint8_t data[] = {3, 2, 1, 0, 6, 5, 4, 0, 0x80};
    uint32_t out[2];

    REQUIRE(cursor_rich_size(2, 1) == sizeof data);
    cursor_from_rich(data, 2, 1, out);
    CHECK(out[0] == 0xff010203);
    CHECK(out[1] == 0);
}

TEST_CASE("an X cursor has two colours and nothing")
{
    const uint8_t data[] = {1, 2, 3, 4, 5, 6, 0x80, 0xc0};
    uint32_t out[3];

    REQUIRE(cursor_x_size(3, 1) == sizeof data);
    cursor_from_x(data, 3, 1, out);
    CHECK(out[0] == 0xff010203);
    CHECK(out[1] == 0xff040506);
    CHECK(out[2] == 0);
    CHECK(cursor_x_size(0, 0) == 0);
}

TEST_CASE("a cursor with alpha loses the factor that its colours have")
{
    // red, green, blue, alpha: opaque, half, none, and colours that cannot be
    const uint8_t data[] = {1, 2, 3, 255, 128, 64, 0, 128, 9, 9, 9, 0, 200, 100, 255, 100};
    uint32_t out[4];

    REQUIRE(cursor_alpha_size(2, 2) == sizeof data);
    cursor_from_alpha(data, 2, 2, out);
    CHECK(out[0] == 0xff010203);
    CHECK(out[1] == 0x80ff8000);
    CHECK(out[2] == 0);
    CHECK(out[3] == 0x64ffffff);
    CHECK(cursor_alpha_size(0, 3) == 0);
}

TEST_CASE("a region covers everything that was added, and stays small")
{
    std::mt19937 random(Catch::rngSeed());
    INFO("seed " << Catch::rngSeed());

    for (int round = 0; round < 200; round++) {
        std::vector<rect> added;
        region r{};

        for (int i = 0; i < 60; i++) {
            rect a{int(random() % 50), int(random() % 50), int(random() % 10), int(random() % 10)};
            region_add(&r, a);
            added.push_back(a);
        }
        REQUIRE(r.count <= REGION_MAX);
        for (const rect &a : added)
            for (int y = a.y; y < a.y + a.h; y++)
                for (int x = a.x; x < a.x + a.w; x++) {
                    bool covered = false;
                    for (int i = 0; i < r.count; i++)
                        covered |= rect_intersect(r.rects[i], {x, y, 1, 1}).w == 1 &&
                                   rect_intersect(r.rects[i], {x, y, 1, 1}).h == 1;
                    REQUIRE(covered);
                }
    }
}

TEST_CASE("a rectangle inside another adds nothing, one around it replaces it")
{
    region r{};

    region_add(&r, {10, 10, 10, 10});
    region_add(&r, {12, 12, 2, 2});
    CHECK(r.count == 1);
    region_add(&r, {0, 0, 50, 50});
    CHECK(r.count == 1);
    CHECK(r.rects[0].w == 50);
    region_add(&r, {0, 0, 0, 7});
    CHECK(r.count == 1);
}

TEST_CASE("a vncpasswd file gives its password back")
{
    // written by TigerVNC's vncpasswd -f
    const uint8_t secret12[] = {0x24, 0xb5, 0xae, 0x4c, 0xe1, 0x55, 0x03, 0xc6};
    const uint8_t abc[] = {0x9c, 0x0a, 0x17, 0x2d, 0x34, 0x82, 0xe1, 0x22};
    char password[VNCAUTH_PASSWORD + 1];

    vncauth_reveal(secret12, password);
    CHECK(std::string(password) == "secret12");
    vncauth_reveal(abc, password);
    CHECK(std::string(password) == "abc");
}

TEST_CASE("servers that choose the security type are spoken to in RFB 3.3")
{
    for (const char *old :
         {"RFB 003.003\n", "RFB 003.006\n", "RFB 003.014\n", "RFB 003.016\n", "RFB 002.008\n"})
        CHECK(handshake_is_33(old));
    for (const char *newer : {"RFB 003.007\n", "RFB 003.008\n", "RFB 003.889\n", "RFB 004.001\n"})
        CHECK_FALSE(handshake_is_33(newer));
}

namespace
{

// What is known of a server after what it has said.
struct Pushing {
    push p;
    std::string why;

    explicit Pushing(bool offered = true)
    {
        push_init(&p, offered);
    }
    bool fence(uint32_t flags, const std::string &payload)
    {
        return push_fence(&p, flags, reinterpret_cast<const uint8_t *>(payload.data()),
                          payload.size());
    }
    void told(const char *text)
    {
        why = text ? text : "";
    }
};

const std::string ZERO(1, '\0'), TIME_AND_SIZE(8, '\0');

} // namespace

TEST_CASE("a server like TigerVNC pushes, again after a new size, until it ends it")
{
    for (const std::string &payload : {ZERO, std::string()}) { // none before 1.4
        Pushing s;
        CHECK(push_listed(&s.p));
        CHECK(s.fence(FENCE_REQUEST, payload));
        CHECK_FALSE(s.p.enable_due);
        s.told(push_ended(&s.p));
        CHECK(s.p.state == PUSH_ON);
        CHECK(s.p.enable_due);
        CHECK(s.why == "");
        s.p.enable_due = false;
        s.told(push_update(&s.p));
        CHECK(s.why == "");
        CHECK(s.fence(FENCE_REQUEST | FENCE_BLOCK_BEFORE, "\1"));
        CHECK_FALSE(s.fence(FENCE_BLOCK_BEFORE, "\1")); // an answer to something we never asked
        push_resized(&s.p);
        CHECK(s.p.enable_due);
        s.told(push_ended(&s.p));
        CHECK(s.p.state == PUSH_OVER);
        CHECK_FALSE(s.p.enable_due);
        CHECK(s.why != "");
        push_resized(&s.p);
        CHECK_FALSE(s.p.enable_due);
        CHECK(s.fence(FENCE_REQUEST, ""));
        CHECK(push_ended(&s.p) == nullptr);
        CHECK(s.p.state == PUSH_OVER);
    }
}

TEST_CASE("neatvnc is told by what it announces first, and gets nothing")
{
    Pushing s;
    s.told(push_ended(&s.p));
    CHECK(s.why != "");
    CHECK_FALSE(push_listed(&s.p));
    CHECK_FALSE(s.fence(FENCE_REQUEST | FENCE_BLOCK_BEFORE, TIME_AND_SIZE));
    CHECK_FALSE(s.fence(FENCE_REQUEST, ZERO)); // even were it like the other's
    CHECK(push_ended(&s.p) == nullptr);
    CHECK(push_update(&s.p) == nullptr);
    CHECK(s.p.state == PUSH_NEVER);
}

TEST_CASE("fences of another kind are answered, but the server is not asked to push")
{
    for (auto [flags, payload] :
         {std::pair<uint32_t, std::string>{FENCE_REQUEST | FENCE_BLOCK_BEFORE, TIME_AND_SIZE},
          {FENCE_REQUEST | FENCE_BLOCK_BEFORE, ZERO},
          {FENCE_REQUEST, "\1"},
          {FENCE_REQUEST, ZERO + ZERO},
          {FENCE_REQUEST, TIME_AND_SIZE}}) {
        Pushing s;
        CHECK(s.fence(flags, payload));
        CHECK(s.fence(FENCE_REQUEST, ZERO)); // too late
        CHECK(push_ended(&s.p) == nullptr);
        CHECK_FALSE(s.p.enable_due);
        s.told(push_update(&s.p));
        CHECK(s.why != "");
        CHECK(s.p.state == PUSH_OVER);
        CHECK(s.fence(flags, payload));
    }
}

TEST_CASE("a server that announces nothing before its first update cannot push")
{
    Pushing none;
    none.told(push_update(&none.p));
    CHECK(none.why != "");
    CHECK_FALSE(push_listed(&none.p));
    CHECK(push_ended(&none.p) == nullptr);
    CHECK(none.p.state == PUSH_NEVER);

    Pushing half; // fences alone
    CHECK(half.fence(FENCE_REQUEST, ZERO));
    half.told(push_update(&half.p));
    CHECK(half.why != "");
    CHECK(push_listed(&half.p));
    CHECK(half.fence(FENCE_REQUEST, ZERO));
}

TEST_CASE("a fence after an update is not the next one")
{
    Pushing fences, none(false);
    CHECK(fences.fence(FENCE_REQUEST, ZERO));
    push_ended(&fences.p);
    uint8_t fence[CLIENT_WRITE_MAX], payload[FENCE_MAX] = {};
    int longest = int(client_write_fence(fence, FENCE_REQUEST, payload, sizeof payload));
    for (const push *p : {&fences.p, &none.p}) {
        CHECK_FALSE(push_more(p, 0));
        CHECK(push_more(p, longest) == (p == &none.p));
        CHECK(push_more(p, longest + 1));
    }
}

TEST_CASE("what was not offered is neither answered nor begun")
{
    Pushing s(false);
    CHECK_FALSE(push_listed(&s.p));
    CHECK_FALSE(s.fence(FENCE_REQUEST, ZERO));
    CHECK(push_ended(&s.p) == nullptr);
    CHECK(push_update(&s.p) == nullptr);
    CHECK(s.p.state == PUSH_NEVER);
}
