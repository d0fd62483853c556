// Where tickets are used, with real sockets of this machine: the one that is out opens the door
// once, and nothing else is answered.
#include "tests/catch.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "tools/accelerator/push/ticket_door.h"

namespace
{

sockaddr_storage place(const char *address, uint16_t port = 0)
{
    sockaddr_storage a = {};
    auto *v4 = reinterpret_cast<sockaddr_in *>(&a);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    REQUIRE(inet_pton(AF_INET, address, &v4->sin_addr) == 1);
    return a;
}

// The packets of one who has this secret.
struct Sealer {
    explicit Sealer(const door_opening &o, sealed_kind kind = SEALED_HELLO)
        : s(sealer_create(o.secret, kind), sealer_destroy)
    {
    }
    std::string next()
    {
        uint8_t out[SEALED_MAX];
        size_t size = sealer_seal(s.get(), "", 0, out);
        REQUIRE(size > 0);
        return std::string(reinterpret_cast<char *>(out), size);
    }
    std::unique_ptr<sealer, void (*)(sealer *)> s;
};

// A door at 127.0.0.1, and one who comes from there.
struct Scene {
    ticket_door door;
    int from = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ticket_use last = {};

    Scene()
    {
        const sockaddr_storage local = place("127.0.0.1");
        const door_ports ports = {43000, 43999};
        reason why;
        REQUIRE(ticket_door_open(&door, &local, &ports, &why));
        CHECK(door.port >= 43000);
        const sockaddr_storage own = place("127.0.0.1");
        REQUIRE(bind(from, reinterpret_cast<const sockaddr *>(&own), sizeof(sockaddr_in)) == 0);
    }
    ~Scene()
    {
        ticket_door_close(&door);
        close(from);
    }
    door_opening issue(const char *viewer = "127.0.0.1")
    {
        const sockaddr_storage host = place(viewer, 50022); // its port means nothing
        door_opening out;
        ticket_door_issue(&door, &host, &out);
        CHECK(out.port == door.port);
        return out;
    }
    // What comes of this packet: a socket, or -1.
    int use(const std::string &packet)
    {
        const sockaddr_storage to = place("127.0.0.1", door.port);
        REQUIRE(sendto(from, packet.data(), packet.size(), 0,
                       reinterpret_cast<const sockaddr *>(&to),
                       sizeof(sockaddr_in)) == ssize_t(packet.size()));
        return ticket_door_read(&door, &last);
    }
    bool opens(const std::string &packet)
    {
        int fd = use(packet);
        if (fd >= 0)
            close(fd);
        return fd >= 0;
    }
    bool was_answered() const
    {
        char byte;
        return recv(from, &byte, 1, MSG_DONTWAIT) >= 0;
    }
};

} // namespace

TEST_CASE("ticket door: a ticket opens it once, to who has used it")
{
    Scene s;
    Sealer viewer(s.issue());
    const std::string first = viewer.next();
    int fd = s.use(first);
    REQUIRE(fd >= 0);
    CHECK(s.last.proved);
    CHECK(send(fd, "picture", 7, 0) == 7);
    char heard[16];
    CHECK(recv(s.from, heard, sizeof heard, 0) == 7); // it leads there,
    const sockaddr_storage to = place("127.0.0.1", s.door.port);
    CHECK(sendto(s.from, "told", 4, 0, reinterpret_cast<const sockaddr *>(&to),
                 sizeof(sockaddr_in)) == 4);
    CHECK(recv(fd, heard, sizeof heard, 0) == 4); // and hears what comes from there
    close(fd);
    CHECK_FALSE(s.opens(first));         // a replay
    CHECK_FALSE(s.opens(viewer.next())); // the same ticket again
    CHECK(s.door.refused == 2);
    CHECK_FALSE(s.was_answered());
    CHECK(s.opens(Sealer(s.issue()).next())); // the next visit has another one
}

TEST_CASE("ticket door: what is no ticket, or an old one, is counted and not answered")
{
    Scene s;
    const std::string nobody = Sealer(door_opening{}).next();
    CHECK_FALSE(s.opens(nobody)); // none is out yet
    const door_opening old = s.issue(), now = s.issue();
    CHECK(memcmp(old.secret, now.secret, sizeof now.secret) != 0);
    const std::string right = Sealer(now).next();
    std::string changed = right;
    changed.back() = char(changed.back() ^ 1);
    const std::string wrong[] = {nobody,
                                 Sealer(old).next(),
                                 Sealer(now, SEALED_TO_FAR_END).next(),
                                 Sealer(now, SEALED_TO_VIEWER).next(),
                                 changed,
                                 right.substr(0, right.size() - 1),
                                 right + "x",
                                 "x",
                                 std::string(SEALED_MAX + 1, 'x')};
    for (const std::string &packet : wrong)
        CHECK_FALSE(s.opens(packet));
    CHECK(s.door.refused == 1 + std::size(wrong));
    CHECK_FALSE(s.was_answered());
    CHECK(s.opens(right)); // all that has not spent it
}

TEST_CASE("ticket door: of a flood some packets are looked at in a turn")
{
    Scene s;
    Sealer viewer(s.issue());
    const sockaddr_storage to = place("127.0.0.1", s.door.port);
    for (int i = 0; i < 40; i++)
        REQUIRE(sendto(s.from, "x", 1, 0, reinterpret_cast<const sockaddr *>(&to),
                       sizeof(sockaddr_in)) == 1);
    CHECK_FALSE(s.opens(viewer.next()));
    CHECK(s.door.refused < 40);
    int fd = ticket_door_read(&s.door, &s.last);
    CHECK(fd >= 0);
    close(fd);
    CHECK(s.door.refused == 40);
}

TEST_CASE("ticket door: who comes from another host than the last time is let in, and not proved")
{
    Scene s;
    s.last.proved = true;
    CHECK(s.opens(Sealer(s.issue("127.0.0.2")).next()));
    CHECK_FALSE(s.last.proved);
}

TEST_CASE("ticket door: how often it was tried before is in the number")
{
    Scene s;
    const uint16_t tries = GENERATE(uint16_t(0), uint16_t(1), uint16_t(0x1234), UINT16_MAX);
    Sealer viewer(s.issue());
    sealer_begin_at(viewer.s.get(), (uint64_t(tries) << 32) + 5);
    CHECK(s.opens(viewer.next()));
    CHECK(s.last.tries == tries);
}

TEST_CASE("ticket door: where nobody knows the viewer's host, or the door is closed, there is none")
{
    Scene s;
    const door_opening before = s.issue();
    door_opening out;
    ticket_door_issue(&s.door, nullptr, &out);
    CHECK(out.port == 0);
    CHECK_FALSE(s.opens(Sealer(before).next()));       // and the one before is void
    const sockaddr_storage local = place("192.0.2.1"); // not this machine's
    const door_ports ports = {43000, 43999};
    ticket_door closed;
    reason why;
    CHECK_FALSE(ticket_door_open(&closed, &local, &ports, &why));
    CHECK(std::string(why.text).find("43000-43999") != std::string::npos);
    ticket_door_issue(&closed, &local, &out);
    CHECK(out.port == 0);
    ticket_door_close(&closed);
}
