// The handshake of others, from RFB 3.8 (RFC 6143, section 7.1 to 7.3) and, for Tight security,
// from the community specification.
#include "tests/catch.hpp"

#include <algorithm>
#include <deque>

#include "rfb/framing/handshake_framing.h"
#include "tests/unit/framed.hpp"

using namespace framed;

namespace
{

const Bytes format = u8(32) + u8(24) + u8(0) + u8(1) + u16(255) + u16(255) + u16(255) + u8(16) +
                     u8(8) + u8(0) + any(3);
const Bytes init = u16(640) + u16(480) + format + u32(4) + text("desk");
const Bytes beyond = text("beyond");

Bytes version(int minor)
{
    return text("RFB 003.00" + std::to_string(minor) + "\n");
}

struct Said {
    bool by_server;
    Bytes bytes;
};

// One direction of a connection: what has been given and was not taken comes again.
struct Direction {
    Bytes waiting;
    size_t taken = 0;

    template <typename Read> void give(const Bytes &bytes, handshake_framing *h, Read read)
    {
        waiting = waiting + bytes;
        waiting.shrink_to_fit();
        size_t n = read(h, waiting.data(), waiting.size());
        REQUIRE(n <= waiting.size());
        taken += n;
        waiting.erase(waiting.begin(), waiting.begin() + long(n));
    }
};

struct Outcome {
    handshake_framing h;
    size_t server, client; // bytes taken
};

// What both say, in pieces of at most `most` bytes.
Outcome talk(const std::vector<Said> &all, size_t most)
{
    Outcome o{};
    Direction server, client;

    handshake_framing_begin(&o.h);
    for (const Said &s : all)
        for (size_t at = 0; at < s.bytes.size(); at += most) {
            size_t end = std::min(s.bytes.size(), at + most);
            Bytes piece(s.bytes.begin() + long(at), s.bytes.begin() + long(end));
            if (s.by_server)
                server.give(piece, &o.h, handshake_framing_server);
            else
                client.give(piece, &o.h, handshake_framing_client);
            // each may have waited for the other
            client.give({}, &o.h, handshake_framing_client);
            server.give({}, &o.h, handshake_framing_server);
            client.give({}, &o.h, handshake_framing_client);
        }
    o.server = server.taken;
    o.client = client.taken;
    return o;
}

size_t length(const std::vector<Said> &all, bool server)
{
    size_t sum = 0;

    for (const Said &s : all)
        sum += s.by_server == server ? s.bytes.size() : 0;
    return sum;
}

// A conversation that ends in messages: not a byte of them is taken.
void becomes_normal(std::vector<Said> all, int minor, uint32_t security)
{
    const size_t server = length(all, true), client = length(all, false);
    std::vector<Said> early = all;

    all.push_back({true, beyond});
    all.push_back({false, beyond});
    // a client that says all it has to say before it has heard anything
    std::stable_partition(early.begin(), early.end(), [](const Said &s) { return !s.by_server; });
    early.push_back({true, beyond});

    for (const auto &order : {all, early})
        for (size_t most : {1, 3, 1000}) {
            Outcome o = talk(order, most);
            INFO("pieces of " << most << ": " << handshake_framing_why(&o.h));
            CHECK(o.h.state == HANDSHAKE_DONE);
            CHECK(o.server == server);
            CHECK(o.client == client);
            CHECK(o.h.minor == minor);
            CHECK(o.h.security == security);
            CHECK(o.h.shared);
            CHECK((o.h.width == 640 && o.h.height == 480));
            CHECK((o.h.format.bits == 32 && o.h.format.shift[0] == 16));
        }
}

void comes_to(const std::vector<Said> &all, handshake_state state, bool refused = false)
{
    for (size_t most : {1, 1000}) {
        Outcome o = talk(all, most);
        CHECK(o.h.state == state);
        CHECK(o.h.refused == refused);
        CHECK(handshake_framing_why(&o.h)[0]);
    }
}

const Said server_version{true, version(8)};

Said to_client(const Bytes &b)
{
    return {true, b};
}

Said to_server(const Bytes &b)
{
    return {false, b};
}

const Bytes shared = u8(1), ok = u32(0), capability = any(16);

} // namespace

TEST_CASE("handshake framing: without a password", "[framing]")
{
    becomes_normal({server_version, to_server(version(3)), to_client(u32(1)), to_server(shared),
                    to_client(init)},
                   3, 1);
    becomes_normal({server_version, to_server(version(7)), to_client(u8(2) + u8(2) + u8(1)),
                    to_server(u8(1)), to_server(shared), to_client(init)},
                   7, 1);
    becomes_normal({server_version, to_server(version(8)), to_client(u8(2) + u8(2) + u8(1)),
                    to_server(u8(1)), to_client(ok), to_server(shared), to_client(init)},
                   8, 1);
}

TEST_CASE("handshake framing: with a password", "[framing]")
{
    becomes_normal({server_version, to_server(version(3)), to_client(u32(2) + any(16)),
                    to_server(any(16)), to_client(ok), to_server(shared), to_client(init)},
                   3, 2);
    for (int minor : {7, 8})
        becomes_normal({server_version, to_server(version(minor)), to_client(u8(1) + u8(2)),
                        to_server(u8(2)), to_client(any(16)), to_server(any(16)), to_client(ok),
                        to_server(shared), to_client(init)},
                       minor, 2);
}

TEST_CASE("handshake framing: Apple's login", "[framing]")
{
    for (int minor : {7, 8})
        for (size_t bytes : {128, 1024, 1})
            becomes_normal(
                {server_version, to_server(version(minor)), to_client(u8(2) + u8(30) + u8(33)),
                 to_server(u8(30)), to_client(u16(2) + u16(unsigned(bytes)) + any(2 * bytes)),
                 to_server(any(128 + bytes)), to_client(ok), to_server(shared), to_client(init)},
                minor, 30);
    comes_to({server_version, to_server(version(8)), to_client(u8(1) + u8(30)), to_server(u8(30)),
              to_client(u16(2) + u16(1) + any(2)), to_server(any(129)),
              to_client(u32(1) + u32(2) + text("no"))},
             HANDSHAKE_FAILED, true);
    // only RFB 3.7 and later have it, and Tight does not
    comes_to({server_version, to_server(version(3)), to_client(u32(30))}, HANDSHAKE_PLAIN);
    comes_to({server_version, to_server(version(8)), to_client(u8(1) + u8(16)), to_server(u8(16)),
              to_client(u32(0) + u32(1) + capability), to_server(u32(30))},
             HANDSHAKE_PLAIN);
}

TEST_CASE("handshake framing: versions between and above those there are", "[framing]")
{
    becomes_normal({to_client(text("RFB 003.889\n")), to_server(text("RFB 003.889\n")),
                    to_client(u8(1) + u8(1)), to_server(u8(1)), to_client(ok), to_server(shared),
                    to_client(init)},
                   8, 1);
    becomes_normal({to_client(text("RFB 003.005\n")), to_server(text("RFB 003.005\n")),
                    to_client(u32(1)), to_server(shared), to_client(init)},
                   3, 1);
}

TEST_CASE("handshake framing: Tight security with None or a password inside", "[framing]")
{
    const Said begins = to_client(u8(2) + u8(2) + u8(16));
    const Bytes longer = init + u16(1) + u16(2) + u16(3) + u16(0) + any(6 * 16);

    // no tunnels, no types: None
    becomes_normal({server_version, to_server(version(8)), begins, to_server(u8(16)),
                    to_client(u32(0) + u32(0) + ok), to_server(shared), to_client(longer)},
                   8, 16);
    // a tunnel to choose, and a type
    becomes_normal({server_version, to_server(version(8)), begins, to_server(u8(16)),
                    to_client(u32(1) + capability), to_server(u32(0)),
                    to_client(u32(2) + capability + capability), to_server(u32(2)),
                    to_client(any(16)), to_server(any(16)), to_client(ok), to_server(shared),
                    to_client(longer)},
                   8, 16);
    becomes_normal({server_version, to_server(version(7)), begins, to_server(u8(16)),
                    to_client(u32(0) + u32(1) + capability), to_server(u32(1)), to_server(shared),
                    to_client(longer)},
                   7, 16);
    // what may be encrypted is not followed
    comes_to({server_version, to_server(version(8)), begins, to_server(u8(16)),
              to_client(u32(1) + capability), to_server(u32(1))},
             HANDSHAKE_PLAIN);
    comes_to({server_version, to_server(version(8)), begins, to_server(u8(16)),
              to_client(u32(0) + u32(1) + capability), to_server(u32(19))},
             HANDSHAKE_PLAIN);
}

TEST_CASE("handshake framing: types that are not followed", "[framing]")
{
    for (unsigned type : {5, 6, 18, 19, 33, 129, 130})
        comes_to({server_version, to_server(version(8)), to_client(u8(2) + u8(2) + u8(type)),
                  to_server(u8(type))},
                 HANDSHAKE_PLAIN);
    comes_to({server_version, to_server(version(3)), to_client(u32(0xfffffffa))}, HANDSHAKE_PLAIN);
    comes_to({server_version, to_server(text("RFB 004.001\n"))}, HANDSHAKE_PLAIN);
}

TEST_CASE("handshake framing: refusals", "[framing]")
{
    comes_to({server_version, to_server(version(8)), to_client(u8(0) + u32(2) + text("no"))},
             HANDSHAKE_FAILED, true);
    comes_to({server_version, to_server(version(3)), to_client(u32(0) + u32(2) + text("no"))},
             HANDSHAKE_FAILED, true);
    comes_to({server_version, to_server(version(8)), to_client(u8(1) + u8(2)), to_server(u8(2)),
              to_client(any(16)), to_server(any(16)), to_client(u32(1) + u32(2) + text("no"))},
             HANDSHAKE_FAILED, true);
    comes_to({to_client(text("HTTP/1.0 400\r\n"))}, HANDSHAKE_FAILED);
    comes_to({server_version, to_server(text("GET / HTTP/1.0\r\n"))}, HANDSHAKE_FAILED);
}

TEST_CASE("handshake framing: pixels that are not known make a plain pipe", "[framing]")
{
    comes_to({server_version, to_server(version(3)), to_client(u32(1)), to_server(shared),
              to_client(u16(640) + u16(480) + u8(24) + any(15) + u32(0))},
             HANDSHAKE_PLAIN);
}

TEST_CASE("handshake framing: each waits for the other where it must", "[framing]")
{
    handshake_framing h;
    Bytes server = version(8) + u8(1) + u8(1) + ok + init, client = version(3) + shared;

    handshake_framing_begin(&h);
    CHECK(handshake_framing_server(&h, server.data(), server.size()) == 12);
    CHECK(handshake_framing_client(&h, client.data(), client.size()) == 12);
    CHECK(h.state == HANDSHAKE_GOES_ON);
    // RFB 3.3: the server chooses the type, and the client's byte means nothing before
    CHECK(handshake_framing_client(&h, client.data() + 12, 1) == 0);
    Bytes type = u32(1);
    CHECK(handshake_framing_server(&h, type.data(), type.size()) == 4);
    CHECK(handshake_framing_client(&h, client.data() + 12, 1) == 1);
    CHECK(h.client_done);
    CHECK(h.state == HANDSHAKE_GOES_ON);
    CHECK(handshake_framing_server(&h, init.data(), init.size()) == init.size());
    CHECK(h.state == HANDSHAKE_DONE);
}

TEST_CASE("handshake framing: VeNCrypt that is ended by somebody else", "[framing]")
{
    handshake_framing h;
    Bytes early = version(8) + u8(19) + any(6), list = version(8) + u8(3) + u8(19) + u8(2) + u8(5);

    handshake_framing_begin(&h);
    h.ends_vencrypt = true;
    // the choice waits for the list, which decides how it is ended
    CHECK(handshake_framing_client(&h, early.data(), early.size()) == 12);
    CHECK(handshake_framing_server(&h, list.data(), list.size()) == list.size());
    CHECK(h.types_count == 3);
    CHECK(h.types[2] == 5);
    CHECK(handshake_framing_client(&h, early.data() + 12, early.size() - 12) == 1);
    REQUIRE(h.state == HANDSHAKE_VENCRYPT);
    CHECK(handshake_framing_client(&h, early.data() + 13, early.size() - 13) == 0);
    SECTION("a name and a password follow")
    {
        Bytes plain = u32(2) + u32(3) + text("mepwd") + shared, result = ok + init + beyond;

        handshake_framing_resume(&h, VENCRYPT_PLAIN);
        CHECK(handshake_framing_client(&h, plain.data(), plain.size()) == plain.size());
        CHECK(handshake_framing_server(&h, result.data(), result.size()) ==
              ok.size() + init.size());
        CHECK(h.state == HANDSHAKE_DONE);
        CHECK_FALSE(handshake_framing_open(&h));
    }
    SECTION("too long ones")
    {
        Bytes plain = u32(2) + u32(4097);

        handshake_framing_resume(&h, VENCRYPT_PLAIN);
        handshake_framing_client(&h, plain.data(), plain.size());
        CHECK(h.state == HANDSHAKE_FAILED);
    }
    SECTION("nothing has to be proved")
    {
        Bytes result = ok + init;

        handshake_framing_resume(&h, SECURITY_NONE);
        CHECK(handshake_framing_client(&h, shared.data(), 1) == 1);
        CHECK(handshake_framing_server(&h, result.data(), result.size()) == result.size());
        CHECK(h.state == HANDSHAKE_DONE);
        CHECK(handshake_framing_open(&h));
    }
}

TEST_CASE("handshake framing: the server's list is held where its owner shows another one",
          "[framing]")
{
    handshake_framing h;
    Bytes early = version(8) + u8(19), all = version(8) + u8(2) + u8(2) + u8(1);

    handshake_framing_begin(&h);
    h.ends_vencrypt = h.holds_list = true;
    CHECK(handshake_framing_client(&h, early.data(), early.size()) == 12);
    CHECK(handshake_framing_server(&h, all.data(), all.size()) == 12);
    REQUIRE(h.state == HANDSHAKE_LIST);
    CHECK(handshake_framing_client(&h, early.data() + 12, 1) == 0);
    handshake_framing_list(&h, all.data() + 12, 3);
    CHECK(h.types_count == 2);
    CHECK(h.types[1] == 1);
    CHECK(handshake_framing_client(&h, early.data() + 12, 1) == 1);
    CHECK(h.state == HANDSHAKE_VENCRYPT);
}
