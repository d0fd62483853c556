// A door for datagrams, with a real loop and real sockets of this machine: who does not know the
// secret finds nothing, and who does is all that the process behind it ever hears.
#include "tests/catch.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "rfb/pusher/words.h"
#include "rfb/system/descriptors.h"
#include "tools/accelerator/push/door.h"

namespace
{

sockaddr_storage place(const std::string &address, uint16_t port = 0)
{
    sockaddr_storage a = {};
    auto *v4 = reinterpret_cast<sockaddr_in *>(&a);
    auto *v6 = reinterpret_cast<sockaddr_in6 *>(&a);
    if (inet_pton(AF_INET, address.c_str(), &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
    } else {
        REQUIRE(inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr) == 1);
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
    }
    return a;
}

bool same(const sockaddr_storage &a, const sockaddr_storage &b)
{
    return a.ss_family == b.ss_family &&
           memcmp(&a, &b, a.ss_family == AF_INET ? 8 : sizeof(sockaddr_in6)) == 0;
}

// A socket of somebody's.
class Udp
{
  public:
    explicit Udp(int fd) : fd(fd) {}
    explicit Udp(const sockaddr_storage &at)
        : fd(socket(at.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))
    {
        bound = bind(fd, reinterpret_cast<const sockaddr *>(&at), sizeof at) == 0;
    }
    ~Udp()
    {
        if (fd >= 0)
            close(fd);
    }
    Udp(const Udp &) = delete;
    Udp &operator=(const Udp &) = delete;
    sockaddr_storage own() const
    {
        sockaddr_storage a = {};
        socklen_t size = sizeof a;
        getsockname(fd, reinterpret_cast<sockaddr *>(&a), &size);
        return a;
    }
    sockaddr_storage peer() const
    {
        sockaddr_storage a = {};
        socklen_t size = sizeof a;
        getpeername(fd, reinterpret_cast<sockaddr *>(&a), &size);
        return a;
    }
    void say(const std::string &bytes, const sockaddr_storage &to) const
    {
        // an answer that nobody listens shows at the next one
        for (int tries = 0; tries < 2; tries++)
            if (sendto(fd, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr *>(&to),
                       sizeof to) >= 0)
                return;
        FAIL("cannot send: " << strerror(errno));
    }
    // The next packet; "nothing" if there is none.
    std::string hear() const
    {
        char bytes[2000];
        ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        return n < 0 ? "nothing" : std::string(bytes, static_cast<size_t>(n));
    }

    int fd;
    bool bound = false;
};

bool has_ipv6()
{
    return Udp(place("::1")).bound;
}

std::string sealed_by(sealer *s, const std::string &body)
{
    uint8_t out[SEALED_MAX];
    size_t size = sealer_seal(s, body.data(), body.size(), out);
    REQUIRE(size > 0);
    return std::string(reinterpret_cast<char *>(out), size);
}

// The first packet under this secret.
std::string sealed(const uint8_t *secret, sealed_kind kind)
{
    std::unique_ptr<sealer, void (*)(sealer *)> s(sealer_create(secret, kind), sealer_destroy);
    return sealed_by(s.get(), "here I am");
}

class Loop
{
  public:
    Loop()
    {
        REQUIRE(uv_loop_init(&loop) == 0);
    }
    ~Loop()
    {
        uv_run(&loop, UV_RUN_DEFAULT); // until nothing is watched
        CHECK(uv_loop_close(&loop) == 0);
    }
    uv_loop_t loop;
};

class Door
{
  public:
    explicit Door(const std::string &address = "127.0.0.1",
                  door_ports ports = {DOOR_PORT_FIRST, DOOR_PORT_LAST}, bool any = false)
    {
        const sockaddr_storage local = place(address, 5900);
        d_ = door_begin(&loop_.loop, &local, any ? nullptr : &local, &ports, &refused, &process,
                        &why_);
        if (!d_)
            return;
        there = true;
        REQUIRE(recv(process, &opening, sizeof opening, MSG_DONTWAIT) == sizeof opening);
        port = opening.port;
    }
    ~Door()
    {
        end();
        if (process >= 0)
            close(process);
    }
    void end()
    {
        door_end(d_);
        d_ = nullptr;
    }
    std::string why() const
    {
        return why_.text;
    }
    void turn()
    {
        uv_run(&loop_.loop, UV_RUN_NOWAIT);
    }
    // A hang is a test that times out.
    template <typename F> void turn_until(F done)
    {
        while (!done())
            uv_run(&loop_.loop, UV_RUN_ONCE);
    }
    // What has come through it; -1: nothing.
    int came()
    {
        char word;
        int fd;
        ssize_t n = descriptors_receive(process, &word, 1, &fd, 1, MSG_DONTWAIT);
        CHECK((n == 1 || (n < 0 && errno == EAGAIN)));
        return fd;
    }
    int await()
    {
        int fd = -1;
        turn_until([&] { return (fd = came()) >= 0; });
        return fd;
    }
    // The next one of the viewer's.
    std::string hello()
    {
        if (!hello_)
            hello_.reset(sealer_create(opening.secret, SEALED_HELLO));
        return sealed_by(hello_.get(), "here I am");
    }

    bool there = false;
    uint64_t refused = 0;
    int process = -1;
    door_opening opening = {};
    uint16_t port = 0;

  private:
    Loop loop_;
    reason why_ = {};
    door *d_;
    std::unique_ptr<sealer, void (*)(sealer *)> hello_{nullptr, sealer_destroy};
};

// Whether nobody has it.
bool is_free(uint16_t port)
{
    return Udp(place("127.0.0.1", port)).bound;
}

// So many ports in a row that nobody has.
uint16_t free_ports(unsigned count)
{
    for (uint16_t first = 20000; first < 32000; first = static_cast<uint16_t>(first + count)) {
        unsigned n = 0;
        while (n < count && is_free(static_cast<uint16_t>(first + n)))
            n++;
        if (n == count)
            return first;
    }
    FAIL("there are no free ports");
    return 0;
}

} // namespace

TEST_CASE("a door has a port of the range, and a secret of its own", "[door]")
{
    Door a, b;
    REQUIRE(a.there);
    REQUIRE(b.there);
    for (const Door *d : {&a, &b}) {
        CHECK(d->port >= DOOR_PORT_FIRST);
        CHECK(d->port <= DOOR_PORT_LAST);
        CHECK_FALSE(is_free(d->port));
    }
    CHECK(a.port != b.port);
    CHECK(memcmp(a.opening.secret, b.opening.secret, SEALED_SECRET) != 0);
}

TEST_CASE("packets of those who do not know a door's secret are counted, and nothing else",
          "[door]")
{
    Door d, other;
    Udp stranger(place("127.0.0.1"));
    const sockaddr_storage at = place("127.0.0.1", d.port);
    std::string changed = d.hello(), shorter = d.hello();
    changed.back() = static_cast<char>(changed.back() ^ 1);
    shorter.pop_back();
    const std::vector<std::string> wrong = {"",
                                            "hello",
                                            std::string(SEALED_MAX, 'x'),
                                            std::string(SEALED_MAX + 1, 'x'),
                                            d.hello() + std::string(SEALED_MAX, 'x'),
                                            other.hello(),
                                            sealed(d.opening.secret, SEALED_TO_FAR_END),
                                            sealed(d.opening.secret, SEALED_TO_VIEWER),
                                            changed,
                                            shorter};
    for (const std::string &packet : wrong)
        stranger.say(packet, at);
    d.turn_until([&] { return d.refused >= wrong.size(); });
    CHECK(d.refused == wrong.size());
    CHECK(d.came() == -1);
    CHECK(stranger.hear() == "nothing");

    Udp viewer(place("127.0.0.1"));
    viewer.say(d.hello(), at);
    Udp socket(d.await());
    CHECK(same(socket.peer(), viewer.own()));
    CHECK(d.refused == wrong.size());
}

TEST_CASE("a door is for one host: who has read its secret elsewhere is not let in", "[door]")
{
    Door d;
    Udp thief(place("127.0.0.2"));
    if (!thief.bound)
        return;
    thief.say(d.hello(), place("127.0.0.1", d.port));
    d.turn_until([&] { return d.refused == 1; });
    CHECK(d.came() < 0);
}

TEST_CASE("who floods a door does not hold up the loop", "[door]")
{
    constexpr uint64_t MANY = 100, IN_A_TURN = 32;
    Door d;
    Udp stranger(place("127.0.0.1"));
    for (uint64_t i = 0; i < MANY; i++)
        stranger.say("x", place("127.0.0.1", d.port));
    for (uint64_t before = 0; before < MANY; before = d.refused) {
        d.turn();
        CHECK(d.refused <= before + IN_A_TURN);
    }
    CHECK(d.refused == MANY);
}

TEST_CASE("the process behind a door gets a socket that leads to its viewer only", "[door]")
{
    for (const char *address : {"127.0.0.1", "::1", "::ffff:127.0.0.1"}) {
        if (strchr(address, ':') && !has_ipv6())
            continue;
        INFO(address);
        const std::string plain = strchr(address, '.') ? "127.0.0.1" : address;
        Door d(address);
        REQUIRE(d.there);
        const sockaddr_storage at = place(plain, d.port);
        Udp viewer(place(plain)), stranger(place(plain));
        viewer.say(d.hello(), at);
        Udp socket(d.await());
        CHECK(same(socket.peer(), viewer.own()));
        CHECK(same(socket.own(), at));
        CHECK((fcntl(socket.fd, F_GETFL) & O_NONBLOCK));

        stranger.say("let me in", at);
        viewer.say("a block, please", at);
        d.turn_until([&] { return d.refused == 1; });
        CHECK(socket.hear() == "a block, please");
        CHECK(socket.hear() == "nothing");
        REQUIRE(send(socket.fd, "a block", 7, 0) == 7);
        CHECK(viewer.hear() == "a block");
        CHECK(stranger.hear() == "nothing");
        d.turn();
        CHECK(d.came() == -1);
        CHECK(d.refused == 1);
        viewer.say("and to whom it is", at);
        d.turn();
        CHECK(socket.hear() == "and to whom it is"); // nobody else reads it
    }
}

TEST_CASE("a viewer whose address changes is let in again, by its newest hello only", "[door]")
{
    for (const char *address : {"127.0.0.1", "::1"}) {
        if (strchr(address, ':') && !has_ipv6())
            continue;
        INFO(address);
        Door d(address);
        const sockaddr_storage at = place(address, d.port);
        Udp before(place(address)), after(place(address));
        const std::string first = d.hello(), late = d.hello(), newest = d.hello();
        before.say(first, at);
        Udp old(d.await());
        after.say(newest, at);
        Udp now(d.await());
        CHECK(same(now.peer(), after.own()));
        CHECK(same(now.own(), at));
        before.say("the old way", at); // stays until the process closes it
        after.say("the new way", at);
        CHECK(old.hear() == "the old way");
        CHECK(now.hear() == "the new way");

        Udp thief(place(address)); // who has seen packets, and says them from elsewhere
        for (const std::string &packet : {first, late, newest})
            thief.say(packet, at);
        d.turn_until([&] { return d.refused == 3; });
        CHECK(d.came() == -1);
    }
}

TEST_CASE("a viewer may come from any host where its secret was encrypted", "[door]")
{
    Door d("127.0.0.1", {DOOR_PORT_FIRST, DOOR_PORT_LAST}, true);
    Udp elsewhere(place("127.0.0.2"));
    if (!elsewhere.bound)
        return;
    elsewhere.say(d.hello(), place("127.0.0.1", d.port));
    Udp socket(d.await());
    CHECK(same(socket.peer(), elsewhere.own()));
}

TEST_CASE("a door takes the port that is free", "[door]")
{
    const uint16_t first = free_ports(4);
    const door_ports range = {first, static_cast<uint16_t>(first + 3)};
    for (unsigned left = 0; left < 4; left++) {
        std::vector<std::unique_ptr<Udp>> taken;
        for (unsigned i = 0; i < 4; i++)
            if (i != left)
                taken.push_back(
                    std::make_unique<Udp>(place("127.0.0.1", static_cast<uint16_t>(first + i))));
        for (int i = 0; i < 5; i++) // it begins anywhere
            CHECK(Door("127.0.0.1", range).port == first + left);
    }
}

TEST_CASE("there is no door where no port is free, or the address is not here", "[door]")
{
    const uint16_t port = free_ports(1);
    Udp taken(place("127.0.0.1", port));
    Door none("127.0.0.1", {port, port});
    CHECK_FALSE(none.there);
    CHECK(none.process == -1);
    CHECK(none.why() == "no UDP port of " + std::to_string(port) + "-" + std::to_string(port) +
                            ": Address already in use");
    Door elsewhere("192.0.2.1");
    CHECK_FALSE(elsewhere.there);
    CHECK(elsewhere.process == -1);
    CHECK(elsewhere.why().find("Cannot assign requested address") != std::string::npos);
}

TEST_CASE("a door closes with its connection, and with its process", "[door]")
{
    Door ended;
    REQUIRE(ended.there);
    ended.end();
    ended.turn();
    CHECK(is_free(ended.port));
    char byte;
    CHECK(recv(ended.process, &byte, 1, MSG_DONTWAIT) == 0);

    Door left;
    REQUIRE(left.there);
    close(left.process);
    left.process = -1;
    left.turn_until([&] { return is_free(left.port); });
    CHECK(left.refused == 0);
}

TEST_CASE("what has come through a door outlives it", "[door]")
{
    Door d;
    const sockaddr_storage at = place("127.0.0.1", d.port);
    Udp viewer(place("127.0.0.1"));
    viewer.say(d.hello(), at);
    {
        Udp socket(d.await());
        d.end();
        d.turn();
        viewer.say("still here", at);
        CHECK(socket.hear() == "still here");
        CHECK_FALSE(is_free(d.port));
    }
    CHECK(is_free(d.port));
}
