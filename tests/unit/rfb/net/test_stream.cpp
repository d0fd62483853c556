// The stream and what carries it: each test runs over every transport. The server is played by the
// test.
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <iterator>

#include "line.hpp"
#include "rfb/system/clock.h"
#include "tests/catch.hpp"

using namespace line;

static std::string pattern(size_t size)
{
    std::string out(size, '\0');
    for (size_t i = 0; i < size; i++)
        out[i] = static_cast<char>(i * 7 % 251);
    return out;
}

#define FOR_EACH_KIND(kind)                                                                        \
    const Kind &kind = GENERATE(from_range(KINDS));                                                \
    INFO(kind.name)

TEST_CASE("a stream is read exactly, and again what was unread")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    const std::string sent = pattern(400000);
    const size_t sizes[] = {1, 7, 4096, 65535, 65536, 3, 70000, 8193, 20};
    std::thread echo([&] {
        for (size_t at = 0; at < sent.size(); at += 10000)
            line.server->write(sent.substr(at, 10000));
    });
    std::string got;
    for (size_t i = 0; got.size() < sent.size(); i++) {
        got += line.read(std::min(sizes[i % std::size(sizes)], sent.size() - got.size()));
        size_t back = std::min<size_t>({got.size(), STREAM_UNREAD_MAX, 1000 * i});
        stream_unread(line.s, got.data() + got.size() - back, back);
        std::string again = line.read(back);
        REQUIRE(again == got.substr(got.size() - back));
    }
    echo.join();
    CHECK(got == sent);
}

TEST_CASE("what waits in a stream is counted wherever it waits")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    char out[100];
    reason why = {};
    CHECK(stream_waiting(line.s) == 0);
    line.server->write("hello");
    line.await(1);
    CHECK((kind.tls ? stream_waiting(line.s) > 5 : stream_waiting(line.s) == 5));
    CHECK(line.read(1) == "h");
    CHECK(stream_waiting(line.s) == 4);
    stream_unread(line.s, "Ah", 2);
    CHECK(stream_waiting(line.s) == 6);
    REQUIRE(stream_read_some(line.s, out, sizeof out, &why) == 6);
    CHECK(std::string(out, 6) == "Ahello");
    CHECK(stream_waiting(line.s) == 0);
}

TEST_CASE("the end of a stream is told from a broken one")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    char out[4];
    reason why = {};
    line.server->write("end");
    line.server.reset();
    CHECK(line.read(3) == "end");
    CHECK_FALSE(stream_ended(line.s));
    CHECK_FALSE(stream_read(line.s, out, 1, &why));
    CHECK(stream_ended(line.s));
    CHECK(std::string(why.text) == "the server closed the connection");
}

TEST_CASE("a program that ends before it has read all closes a Unix socket all the same")
{
    Line line(Kind{"Unix socket", false, false});
    char out[4];
    reason why = {};
    line.server->write("end");
    REQUIRE(stream_write(line.s, "unread", 6));
    line.server.reset();
    CHECK(line.read(3) == "end");
    CHECK_FALSE(stream_read(line.s, out, 1, &why));
    CHECK(stream_ended(line.s));
    CHECK(std::string(why.text) == "the server closed the connection");
}

TEST_CASE("one thread reads a stream while another one writes")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    const size_t piece = 4000;
    const std::string sent = pattern(250 * piece);
    std::thread echo([&] {
        for (size_t at = 0; at < sent.size(); at += piece)
            line.server->write(line.server->read(piece));
    });
    bool written = false;
    std::thread writer([&] { written = stream_write(line.s, sent.data(), sent.size()); });
    CHECK(line.read(sent.size()) == sent);
    writer.join();
    echo.join();
    CHECK(written);
}

TEST_CASE("reading and writing ask the transport no more than they need")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    const std::string sent = pattern(16000);
    Counting &count = line.counting;
    line.server->write(sent);
    line.await(sent.size());
    count.reads = count.writes = count.waits = 0;
    for (size_t at = 0; at < sent.size(); at += 16)
        REQUIRE(line.read(16) == sent.substr(at, 16));
    CHECK(count.reads <= (kind.tls ? 2 : 1)); // a record's head is read apart
    CHECK(stream_write(line.s, sent.data(), sent.size()));
    CHECK(count.writes == 1);
    CHECK(count.waits == 0);
    CHECK(line.server->read(sent.size()) == sent);
}

TEST_CASE("who waits in a stream returns when it is cut")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    char out[10];
    reason why = {};
    bool result = true;
    transport_wake end = TRANSPORT_LATE;

    SECTION("reading")
    {
        line.server->write("12345");
        Sleeper sleeper([&] { result = stream_read(line.s, out, sizeof out, &why); });
        stream_cut(line.s);
        sleeper.join();
        CHECK_FALSE(result);
        CHECK_FALSE(std::string(why.text).empty());
    }
    SECTION("writing")
    {
        const std::string much(64 << 20, 'x');
        Sleeper sleeper([&] { result = stream_write(line.s, much.data(), much.size()); });
        stream_cut(line.s);
        sleeper.join();
        CHECK_FALSE(result);
    }
    SECTION("waiting for room")
    {
        line.fill();
        Sleeper sleeper([&] { end = line.fill_until(-1, TICK_NEVER); });
        stream_cut(line.s);
        sleeper.join();
        CHECK(end == TRANSPORT_GONE);
    }
    CHECK(stream_is_cut(line.s));
}

TEST_CASE("after a cut nobody reads, writes or waits")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    char out[4];
    reason why = {};
    line.server->write("12345");
    CHECK(line.read(1) == "1"); /* four more are buffered */
    CHECK_FALSE(stream_is_cut(line.s));
    stream_cut(line.s);
    CHECK(stream_is_cut(line.s));
    CHECK_FALSE(stream_read(line.s, out, 1, &why));
    CHECK(std::string(why.text) == "stopped");
    CHECK_FALSE(stream_ended(line.s));
    CHECK(stream_wait_writable(line.s, -1, TICK_NEVER) == TRANSPORT_GONE);
    CHECK_FALSE(stream_write(line.s, "x", 1));
}

TEST_CASE("a wait for room ends by room, by a wake-up, or in time")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    Event wake;
    transport_wake end = TRANSPORT_GONE;
    CHECK(stream_wait_writable(line.s, wake.fd, TICK_NEVER) == TRANSPORT_READY);
    CHECK(stream_wait_writable(line.s, -1, 0) == TRANSPORT_READY); /* does not wait */

    SECTION("room")
    {
        size_t written = line.fill();
        Sleeper sleeper([&] { end = stream_wait_writable(line.s, wake.fd, TICK_NEVER); });
        line.server->read(written);
        sleeper.join();
        CHECK(end == TRANSPORT_READY);
    }
    SECTION("a wake-up")
    {
        line.fill();
        Sleeper sleeper([&] { end = line.fill_until(wake.fd, TICK_NEVER); });
        eventfd_write(wake.fd, 1);
        sleeper.join();
        CHECK(end == TRANSPORT_WOKEN);
        eventfd_t count; /* it is for the caller to take */
        CHECK(eventfd_read(wake.fd, &count) == 0);
    }
    SECTION("a wake-up and room")
    {
        eventfd_write(wake.fd, 1);
        CHECK(stream_wait_writable(line.s, wake.fd, TICK_NEVER) == TRANSPORT_WOKEN);
    }
    SECTION("time")
    {
        tick_t until = tick_now() + 20 * TICK_MS;
        CHECK(line.fill_until(wake.fd, until) == TRANSPORT_LATE);
        CHECK(tick_now() >= until);
    }
}

TEST_CASE("a stream tells what has passed, where that is known")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    transport_info before = line.info();
    line.server->write(pattern(5000));
    line.read(5000);
    CHECK(stream_write(line.s, "hello", 5));
    line.server->read(5);
    transport_info after = line.info();
    if (!kind.tcp) {
        CHECK(after.bytes_received == -1);
        CHECK(after.bytes_sent == -1);
        CHECK(after.rtt_ms == 0);
        CHECK(after.smoothed_ms == 0);
        return;
    }
    int64_t received = after.bytes_received - before.bytes_received;
    int64_t sent = after.bytes_sent - before.bytes_sent; /* perhaps more than once */
    CHECK((kind.tls ? received > 5000 : received == 5000));
    CHECK((kind.tls ? sent > 5 : sent >= 5));
    CHECK(after.rtt_ms > 0);
    CHECK(after.smoothed_ms > 0);
}

TEST_CASE("unsent is what the server has no room for")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    CHECK(stream_unsent(line.s) == 0);
    size_t written = line.fill();
    CHECK(stream_unsent(line.s) > 0);
    line.server->read(written);
    CHECK(stream_unsent(line.s) == 0);
}

TEST_CASE("what is written queues in the kernel where it may")
{
    FOR_EACH_KIND(kind);
    Line line(kind);
    auto room = [&] { return stream_wait_writable(line.s, -1, 0) == TRANSPORT_READY; };
    line.fill();
    CHECK_FALSE(room());
    stream_set_queue(line.s, true);
    CHECK(room() == kind.tcp); /* a Unix socket has a buffer alone, and it is full */
    CHECK(stream_unsent(line.s) > 0);
    stream_set_queue(line.s, false);
    CHECK_FALSE(room());
}

TEST_CASE("the receive window of a stream")
{
    FOR_EACH_KIND(kind);
    Line line(kind, {100000});
    transport_window window = line.window();
    CHECK(window.allowed > 0);
    CHECK(window.tuned > 0);
    CHECK(window.bytes == std::min<int64_t>(100000, window.allowed));
    CHECK(stream_set_window(line.s, 150000) == std::min<int64_t>(150000, window.allowed));
    CHECK(line.window().bytes == std::min<int64_t>(150000, window.allowed));
    CHECK(stream_set_window(line.s, INT64_MAX) == window.allowed);
}

TEST_CASE("a stream that cannot be connected says why")
{
    const transport_options options = {};
    const route straight = {};
    reason why = {};
    Event cancel;

    SECTION("nobody listens")
    {
        bool tcp = GENERATE(true, false);
        address a = Listener(tcp).address();
        CHECK_FALSE(stream_connect(&straight, &a, &options, tick_now() + LONG, -1, &why));
        CHECK(std::string(why.text).find("cannot connect to") == 0);
    }
    SECTION("the server does not accept")
    {
        Listener full(false, 0);
        address a = full.address();
        stream *first = stream_connect(&straight, &a, &options, tick_now() + LONG, -1, &why);
        REQUIRE(first);
        CHECK_FALSE(stream_connect(&straight, &a, &options, tick_now(), -1, &why));
        eventfd_write(cancel.fd, 1);
        CHECK_FALSE(stream_connect(&straight, &a, &options, tick_now() + LONG, cancel.fd, &why));
        CHECK(std::string(why.text).find(a.path) != std::string::npos);
        stream_destroy(first);
    }
}

TEST_CASE("who has the socket of a connection cannot connect it to somebody else")
{
    const transport_options options = {};
    Listener server(true), other(true);
    address a = server.address(), b = other.address();
    reason why = {};
    transport *t = socket_connect(&a, &options, tick_now() + LONG, -1, &why);
    REQUIRE(t);
    int fd = server.accept();
    const linger at_once = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd); // the server resets it: the kernel could take it for a new socket now
    CHECK(t->ops->wait(t, POLLIN, -1, tick_now() + LONG) == TRANSPORT_READY);
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(b.port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    transport_shared shared = {};
    REQUIRE(transport_share(t, &shared));
    CHECK(shared.opening == TRANSPORT_SOCKET);
    fd = shared.fd;
    for (int i = 0; i < 5; i++)
        CHECK(sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, reinterpret_cast<sockaddr *>(&to),
                     sizeof to) < 0);
    close(fd);
    t->ops->destroy(t);
}
