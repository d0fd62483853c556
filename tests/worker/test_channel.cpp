// Messages between two processes, through a real pair of sockets.
#include "tests/catch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "rfb/worker/channel.h"

namespace
{

int64_t limit(uint32_t type)
{
    return type == 1 ? 100 : type == 2 ? 8 << 20 : -1;
}

struct Ends {
    int fds[2];
    struct channel *a, *b;

    Ends()
    {
        const struct channel_options sends = {limit, false}, takes = {limit, true};
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
        a = channel_create(fds[0], &sends);
        b = channel_create(fds[1], &takes);
    }
    ~Ends()
    {
        channel_destroy(a);
        channel_destroy(b);
    }
    bool send(uint32_t type, const std::string &body)
    {
        return channel_send(a, type, body.data(), body.size());
    }
    // The next message at the other end; its body.
    std::string receive(uint32_t type, int *fd = nullptr)
    {
        struct channel_message m;
        enum channel_state state;
        while ((state = channel_receive(b, &m)) == CHANNEL_EMPTY) {
            struct pollfd p = {channel_fd(b), POLLIN, 0};
            REQUIRE(channel_flush(a));
            REQUIRE(poll(&p, 1, 10000) == 1);
        }
        REQUIRE(state == CHANNEL_MESSAGE);
        CHECK(m.type == type);
        if (fd)
            *fd = m.fd;
        else
            CHECK(m.fd == -1);
        return std::string(static_cast<char *>(m.body), m.size);
    }
    void raw(const void *bytes, size_t size)
    {
        REQUIRE(write(channel_fd(a), bytes, size) == static_cast<ssize_t>(size));
    }
};

} // namespace

TEST_CASE("channel: messages come as they were sent, however large")
{
    Ends e;
    const std::string large(8 << 20, 'x');
    CHECK(e.send(1, "first"));
    CHECK(e.send(1, ""));
    CHECK(e.send(2, large)); // more than a socket holds
    CHECK(channel_waiting(e.a) > 0);
    CHECK(e.send(1, "last"));
    CHECK(e.receive(1) == "first");
    CHECK(e.receive(1).empty());
    CHECK(e.receive(2) == large);
    CHECK(e.receive(1) == "last");
    CHECK(channel_waiting(e.a) == 0);
}

TEST_CASE("channel: a descriptor comes with its own message")
{
    Ends e;
    int ends[2], fd = -1;
    REQUIRE(pipe(ends) == 0);
    CHECK(e.send(1, "before"));
    CHECK(channel_send_fd(e.a, 1, "with", 4, ends[1]));
    CHECK(e.send(1, "after"));
    close(ends[1]);
    CHECK(e.receive(1) == "before");
    CHECK(e.receive(1, &fd) == "with");
    CHECK(e.receive(1) == "after");
    REQUIRE(fd >= 0);
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC));
    CHECK(write(fd, "!", 1) == 1);
    close(fd);
    char byte = 0;
    CHECK(read(ends[0], &byte, 1) == 1);
    CHECK(byte == '!');
    close(ends[0]);
}

TEST_CASE("channel: what is too long, or of an unknown type, breaks it before it is read")
{
    for (const std::vector<uint32_t> &head :
         {std::vector<uint32_t>{1, 101, 0, 0}, {1, UINT32_MAX, 0, 0}, {3, 0, 0, 0}}) {
        Ends e;
        struct channel_message m;
        e.raw(head.data(), 16);
        CHECK(channel_receive(e.b, &m) == CHANNEL_BROKEN);
    }
}

TEST_CASE("channel: half a message is waited for, and the end is seen")
{
    Ends e;
    struct channel_message m;
    const uint32_t head[4] = {1, 3, 0, 0};
    for (size_t i = 0; i < 16; i++) {
        e.raw(reinterpret_cast<const char *>(head) + i, 1);
        CHECK(channel_receive(e.b, &m) == CHANNEL_EMPTY);
    }
    e.raw("ab", 2);
    CHECK(channel_receive(e.b, &m) == CHANNEL_EMPTY);
    e.raw("c", 1);
    CHECK(channel_receive(e.b, &m) == CHANNEL_MESSAGE);
    CHECK(std::string(static_cast<char *>(m.body), m.size) == "abc");
    e.raw(head, 16);
    shutdown(channel_fd(e.a), SHUT_WR);
    CHECK(channel_receive(e.b, &m) == CHANNEL_ENDED);
}

TEST_CASE("channel: what the other side does not read does not fill the memory")
{
    Ends e;
    const std::string large(8 << 20, 'x');
    int sent = 0;
    while (sent < 10 && e.send(2, large))
        sent++;
    CHECK(sent >= 1);
    CHECK(sent <= 3);
    CHECK_FALSE(e.send(1, "never again"));
}
