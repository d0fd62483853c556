/* The cipher of RSA-AES on a connection: messages of every size, cut anywhere, and changed on the
 * way. */
#include <poll.h>
#include <sys/socket.h>

#include <cstring>
#include <memory>
#include <thread>

#include "rfb/net/crypto/eax_layer.h"
#include "rfb/net/sockets/socket.h"
#include "rfb/net/stream.h"
#include "rfb/system/clock.h"
#include "tests/catch.hpp"
#include "tests/rsa_peer.hpp"
#include "tests/wire.hpp"

using namespace peer;

namespace
{

std::string pattern(size_t size)
{
    std::string out(size, '\0');
    for (size_t i = 0; i < size; i++)
        out[i] = static_cast<char>(i * 7 + i / 251);
    return out;
}

/* A stream with the cipher on it, and the other end. */
struct Line {
    explicit Line(size_t key_size, int buffer = 0)
        : to_server(key_size, 's'), to_client(key_size, 'c')
    {
        int ends[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        if (buffer)
            setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
        stream = stream_create(socket_adopt(ends[0]));
        wire = std::make_unique<Wire>(ends[1]);
        keys.size = key_size;
        memcpy(keys.to_server, to_server.data(), key_size);
        memcpy(keys.to_client, to_client.data(), key_size);
        memset(keys.sha256, 7, sizeof keys.sha256);
        REQUIRE(stream_lay(stream, eax_layer_begin, &keys, &why));
        in = std::make_unique<EaxSide>(to_server);
        out = std::make_unique<EaxSide>(to_client);
    }
    ~Line()
    {
        stream_destroy(stream);
    }
    std::string read(size_t size)
    {
        std::string bytes(size, '\0');
        return stream_read(stream, &bytes[0], size, &why) ? bytes : "";
    }
    /* The other end: what the next message holds. */
    std::string next_message()
    {
        std::string head = wire->read_all(2), bytes;
        REQUIRE(head.size() == 2);
        size_t size = static_cast<size_t>(static_cast<unsigned char>(head[0])) << 8 |
                      static_cast<unsigned char>(head[1]);
        REQUIRE(in->open(wire->read_all(size + 16), bytes));
        return bytes;
    }
    std::string to_server, to_client;
    struct eax_keys keys = {};
    struct stream *stream;
    std::unique_ptr<Wire> wire;
    std::unique_ptr<EaxSide> in, out;
    struct reason why = {};
};

} // namespace

TEST_CASE("eax: messages of every size are read and written, with both sizes of key")
{
    for (size_t key_size : {16u, 32u}) {
        Line l(key_size);
        for (size_t size : {1u, 2u, 15u, 16u, 17u, 300u, 8191u, 8192u}) {
            INFO(size);
            l.wire->write_all(l.out->seal(pattern(size)));
            CHECK(l.read(size) == pattern(size));
            REQUIRE(stream_write(l.stream, pattern(size).data(), size));
            CHECK(l.next_message() == pattern(size));
        }
        std::thread server([&] { l.wire->write_all(l.out->seal(pattern(65535))); });
        CHECK(l.read(65535) == pattern(65535));
        server.join();
    }
}

TEST_CASE("eax: more than a message is written as several")
{
    Line l(32);
    std::string sent = pattern(100000), got;
    std::thread client([&] { stream_write(l.stream, sent.data(), sent.size()); });
    while (got.size() < sent.size()) {
        std::string bytes = l.next_message();
        CHECK(bytes.size() <= 8192);
        got += bytes;
    }
    client.join();
    CHECK(got == sent);
}

TEST_CASE("eax: a socket with little room, and messages that come byte by byte")
{
    Line l(16, 1);
    std::string sent = pattern(200000), got;
    std::thread client([&] { stream_write(l.stream, sent.data(), sent.size()); });
    while (got.size() < sent.size())
        got += l.next_message();
    client.join();
    CHECK(got == sent);

    std::string message = l.out->seal(pattern(500));
    message += l.out->seal("");
    message += l.out->seal("x");
    std::thread server([&] {
        for (char byte : message)
            l.wire->write_all(std::string(1, byte));
    });
    CHECK(l.read(501) == pattern(500) + "x");
    server.join();
}

TEST_CASE("eax: what waits is seen, and a wait ends")
{
    Line l(16);
    CHECK(stream_wait_readable(l.stream, -1, tick_now()) == TRANSPORT_LATE);
    l.wire->write_all(l.out->seal("ab"));
    CHECK(stream_wait_readable(l.stream, -1, TICK_NEVER) == TRANSPORT_READY);
    CHECK(l.read(1) == "a");
    CHECK(stream_wait_readable(l.stream, -1, tick_now()) == TRANSPORT_READY);
    CHECK(stream_waiting(l.stream) == 1);
    CHECK(l.read(1) == "b");
    uint8_t sha256[FINGERPRINT_BYTES];
    CHECK(stream_key(l.stream, sha256));
    CHECK(memcmp(sha256, l.keys.sha256, sizeof sha256) == 0);
}

TEST_CASE("eax: any bit that is changed on the way ends the connection, and nothing of it is read")
{
    const size_t size = 2 + 5 + 16;
    for (size_t at = 0; at < size; at++) {
        INFO("byte " << at);
        Line l(16);
        l.wire->write_all(l.out->seal("first"));
        CHECK(l.read(5) == "first");
        std::string message = l.out->seal("other");
        message[at] ^= 1;
        l.wire->write_all(message);
        shutdown(l.wire->fd(), SHUT_WR); /* a length that was changed asks for more */
        CHECK(l.read(1).empty());
        if (at > 1)
            CHECK(std::string(l.why.text).find("not encrypted by the server") != std::string::npos);
        CHECK(l.read(1).empty()); /* and so it stays */
    }
}

TEST_CASE("eax: a message twice, left out, or of the other direction is none")
{
    for (int cheat = 0; cheat < 3; cheat++) {
        INFO(cheat);
        Line l(32);
        std::string first = l.out->seal("first");
        l.wire->write_all(first);
        CHECK(l.read(5) == "first");
        std::string next = l.out->seal("next");
        if (cheat == 0)
            l.wire->write_all(first);
        else if (cheat == 1)
            l.wire->write_all(l.out->seal("third"));
        else
            l.wire->write_all(EaxSide(l.to_server).seal("first"));
        CHECK(l.read(1).empty());
    }
}

TEST_CASE("eax: behind its end all is passed on as it is")
{
    Line l(16);
    l.wire->write_all(l.out->seal("in it"));
    CHECK(l.read(5) == "in it");
    eax_layer_end(l.keys.layer);
    l.wire->write_all("plain");
    CHECK(l.read(5) == "plain");
    REQUIRE(stream_write(l.stream, "plain, too", 10));
    CHECK(l.wire->read_all(10) == "plain, too");
    uint8_t sha256[FINGERPRINT_BYTES];
    CHECK_FALSE(stream_key(l.stream, sha256));
}

TEST_CASE("eax: a connection that ends inside a message has ended")
{
    Line l(16);
    std::string message = l.out->seal("whole");
    l.wire->write_all(message.substr(0, 10));
    l.wire->hang_up();
    CHECK(l.read(1).empty());
    CHECK(stream_ended(l.stream));
}
