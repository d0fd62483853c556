// The UDP socket beside a TCP connection: where it leads, and what it is like.
#include "tests/catch.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "rfb/net/sockets/datagram_socket.h"
#include "rfb/system/clock.h"

namespace
{

class Fd
{
  public:
    explicit Fd(int fd) : fd_(fd) {}
    Fd(const Fd &) = delete;
    Fd &operator=(const Fd &) = delete;
    ~Fd()
    {
        if (fd_ >= 0)
            close(fd_);
    }
    operator int() const
    {
        return fd_;
    }

  private:
    int fd_;
};

sockaddr *head(sockaddr_storage &a)
{
    return reinterpret_cast<sockaddr *>(&a);
}

sockaddr_storage loopback(int family)
{
    sockaddr_storage a = {};
    a.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET6)
        reinterpret_cast<sockaddr_in6 &>(a).sin6_addr = in6addr_loopback;
    else
        reinterpret_cast<sockaddr_in &>(a).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

// Its port lies at the same place for both families.
uint16_t port_of(const sockaddr_storage &a)
{
    return ntohs(reinterpret_cast<const sockaddr_in &>(a).sin_port);
}

sockaddr_storage own_name(int fd)
{
    sockaddr_storage a = {};
    socklen_t size = sizeof a;
    REQUIRE(getsockname(fd, head(a), &size) == 0);
    return a;
}

// A socket at a free port of this machine. -1: the machine has no such addresses.
int bound(int family, int type)
{
    int fd = socket(family, type, 0);
    sockaddr_storage a = loopback(family);
    if (fd >= 0 && bind(fd, head(a), sizeof a) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

// The families that this machine has.
std::vector<int> families()
{
    std::vector<int> all = {AF_INET};
    if (Fd(bound(AF_INET6, SOCK_DGRAM)) >= 0)
        all.push_back(AF_INET6);
    return all;
}

// What has come to the socket, and from where.
std::string received(int fd, sockaddr_storage *from)
{
    pollfd p = {fd, POLLIN, 0};
    REQUIRE(poll(&p, 1, 60000) == 1); // against hangs only
    char bytes[64];
    socklen_t size = sizeof *from;
    ssize_t n = recvfrom(fd, bytes, sizeof bytes, 0, head(*from), &size);
    REQUIRE(n >= 0);
    return {bytes, static_cast<size_t>(n)};
}

int option(int fd, int level, int name)
{
    int value = -1;
    socklen_t size = sizeof value;
    REQUIRE(getsockopt(fd, level, name, &value, &size) == 0);
    return value;
}

// Both ways, and to no other port of the host.
void check_leads_to(const sockaddr_storage &host, int peer)
{
    Fd fd(datagram_socket_open(&host, port_of(own_name(peer))));
    REQUIRE(fd >= 0);
    REQUIRE(send(fd, "hello", 5, 0) == 5);
    sockaddr_storage from = {}, none = {};
    CHECK(received(peer, &from) == "hello");
    REQUIRE(sendto(peer, "welcome", 7, 0, head(from), sizeof from) == 7);
    CHECK(received(fd, &none) == "welcome");
    Fd stranger(bound(from.ss_family, SOCK_DGRAM));
    REQUIRE(stranger >= 0);
    REQUIRE(sendto(stranger, "let me in", 9, 0, head(from), sizeof from) == 9);
    REQUIRE(sendto(peer, "and on", 6, 0, head(from), sizeof from) == 6);
    CHECK(received(fd, &none) == "and on");
}

} // namespace

TEST_CASE("datagram socket: it leads to a port of the host that the TCP connection leads to")
{
    for (int family : families()) {
        INFO(family);
        Fd listener(bound(family, SOCK_STREAM)), tcp(socket(family, SOCK_STREAM, 0));
        Fd peer(bound(family, SOCK_DGRAM));
        sockaddr_storage server = own_name(listener), host;
        REQUIRE(listen(listener, 1) == 0);
        REQUIRE(connect(tcp, head(server), sizeof server) == 0);
        REQUIRE(datagram_socket_host(tcp, &host));
        CHECK(port_of(host) == port_of(server));
        check_leads_to(host, peer);
    }
}

TEST_CASE("datagram socket: an IPv4 address in an IPv6 one is that address")
{
    sockaddr_storage host = {};
    auto &a = reinterpret_cast<sockaddr_in6 &>(host);
    a.sin6_family = AF_INET6;
    a.sin6_addr.s6_addr[10] = a.sin6_addr.s6_addr[11] = 0xff;
    a.sin6_addr.s6_addr[12] = 127;
    a.sin6_addr.s6_addr[15] = 1;
    Fd peer(bound(AF_INET, SOCK_DGRAM));
    check_leads_to(host, peer);
}

TEST_CASE("datagram socket: the link that an IPv6 address belongs to counts")
{
    sockaddr_storage host = {};
    auto &a = reinterpret_cast<sockaddr_in6 &>(host);
    a.sin6_family = AF_INET6;
    a.sin6_addr.s6_addr[0] = 0xfe;
    a.sin6_addr.s6_addr[1] = 0x80;
    a.sin6_addr.s6_addr[15] = 1;
    a.sin6_scope_id = 0x7fffffff; // there is no such link
    CHECK(datagram_socket_open(&host, 5000) == -1);
    CHECK(errno != EINVAL); // this would be: no link is named
}

TEST_CASE("datagram socket: it does not block, is not inherited, and never fragments")
{
    for (int family : families()) {
        INFO(family);
        sockaddr_storage host = loopback(family);
        Fd fd(datagram_socket_open(&host, 5000));
        REQUIRE(fd >= 0);
        CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
        CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        if (family == AF_INET)
            CHECK(option(fd, IPPROTO_IP, IP_MTU_DISCOVER) == IP_PMTUDISC_PROBE);
        else
            CHECK(option(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER) == IPV6_PMTUDISC_PROBE);
        Fd plain(socket(family, SOCK_DGRAM, 0));
        int most = 1875000;
        REQUIRE(setsockopt(plain, SOL_SOCKET, SO_RCVBUF, &most, sizeof most) == 0);
        CHECK(option(fd, SOL_SOCKET, SO_RCVBUF) == option(plain, SOL_SOCKET, SO_RCVBUF));
    }
}

TEST_CASE("datagram socket: it tells how long ago a packet arrived")
{
    for (int family : families()) {
        INFO(family);
        Fd peer(bound(family, SOCK_DGRAM));
        sockaddr_storage host = loopback(family), from = {};
        Fd fd(datagram_socket_open(&host, port_of(own_name(peer))));
        REQUIRE(fd >= 0);
        char bytes[64];
        tick_t age = -1;
        CHECK(datagram_socket_receive_aged(fd, bytes, sizeof bytes, &age) == -1);
        CHECK(age == 0);
        REQUIRE(send(fd, "hello", 5, 0) == 5);
        received(peer, &from);
        // The kernel begins to stamp packets a while after a socket has asked for it. Until then it
        // takes the time at which the packet is read.
        tick_t least = 0;
        for (int i = 0; i < 1000 && (i == 0 || age < least); i++) {
            REQUIRE(sendto(peer, "first", 5, 0, head(from), sizeof from) == 5);
            pollfd p = {fd, POLLIN, 0};
            REQUIRE(poll(&p, 1, 60000) == 1);
            const tick_t here = tick_now();
            usleep(3000);
            least = tick_now() - here;
            REQUIRE(datagram_socket_receive_aged(fd, bytes, sizeof bytes, &age) == 5);
        }
        INFO(age << " ns old, at least " << least);
        CHECK(age >= least);
    }
}

TEST_CASE("datagram socket: what is no TCP connection leads nowhere")
{
    sockaddr_storage host;
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    Fd here(ends[0]), there(ends[1]);
    CHECK_FALSE(datagram_socket_host(here, &host));
    Fd udp(bound(AF_INET, SOCK_DGRAM));
    CHECK_FALSE(datagram_socket_host(udp, &host));
    Fd unconnected(socket(AF_INET, SOCK_STREAM, 0));
    CHECK_FALSE(datagram_socket_host(unconnected, &host));
    Fd file(open("/dev/null", O_RDONLY | O_CLOEXEC));
    CHECK_FALSE(datagram_socket_host(file, &host));
    host.ss_family = AF_UNIX;
    CHECK(datagram_socket_open(&host, 5000) == -1);
    CHECK(errno == EAFNOSUPPORT);
}
