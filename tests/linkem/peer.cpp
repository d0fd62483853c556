/* Traffic for the link's tests: one program for both ends.
 *
 *   peer serve PORT                       UDP and TCP, until it is killed
 *   peer rtt HOST PORT COUNT GAP_US       UDP echoes one after another
 *   peer flood HOST PORT COUNT SIZE GAP_US  the server sends datagrams: loss, one-way delay, order
 *   peer fetch|give HOST PORT BYTES       so many bytes by TCP, each of them checked
 *   peer pull|push HOST PORT WARM_S SECONDS  bulk TCP: rate at which payload arrives
 *
 * The clients print one line "name=value ..." with times in ms and rates in Mbit/s. Both ends read
 * the same clock, so one-way delays are true.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace
{

using ns_t = int64_t;
constexpr ns_t second = 1000000000;
constexpr int patience_ms = 60000; // only a hang takes so long

ns_t now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * second + t.tv_nsec;
}

[[noreturn]] void die(const char *what)
{
    perror(what);
    _exit(1);
}

void sleep_until(ns_t when)
{
    timespec t = {static_cast<time_t>(when / second), static_cast<long>(when % second)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) != 0) {
    }
}

// What a datagram begins with. count 0: send it back; else send so many, of `size`, `gap` apart.
struct Head {
    uint64_t number;
    ns_t sent;
    uint32_t count, size;
    ns_t gap;
};

// The number of a datagram that ends a flood. It is repeated until the client has answered it.
constexpr uint64_t flood_ends = UINT64_MAX;
constexpr int repeat_ms = 20;

bool await(int fd, int ms)
{
    pollfd p = {fd, POLLIN, 0};
    return poll(&p, 1, ms) > 0;
}

int open_socket(const char *host, const char *port, int type)
{
    addrinfo hints = {}, *found = nullptr;
    hints.ai_socktype = type;
    hints.ai_flags = host ? 0 : AI_PASSIVE;
    // an IPv6 socket serves IPv4 too
    hints.ai_family = host || access("/proc/net/if_inet6", F_OK) != 0 ? AF_UNSPEC : AF_INET6;
    if (getaddrinfo(host, port, &hints, &found) != 0)
        die("getaddrinfo");
    int fd = socket(found->ai_family, type | SOCK_CLOEXEC, 0);
    int one = 1, big = 8 << 20;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (type == SOCK_DGRAM && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof big) != 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &big, sizeof big);
    int result = host ? connect(fd, found->ai_addr, found->ai_addrlen)
                      : bind(fd, found->ai_addr, found->ai_addrlen);
    if (fd < 0 || result != 0)
        die(host ? "connect" : "bind");
    freeaddrinfo(found);
    return fd;
}

void send_flood(int fd, const Head &order, const sockaddr_storage &to, socklen_t size)
{
    std::vector<char> data(std::max<size_t>(order.size, sizeof(Head)));
    ns_t begin = now();
    for (uint64_t i = 0; i < order.count; i++) {
        sleep_until(begin + static_cast<ns_t>(i) * order.gap);
        Head h = {i, now(), 0, 0, 0};
        memcpy(data.data(), &h, sizeof h);
        sendto(fd, data.data(), order.size, 0, reinterpret_cast<const sockaddr *>(&to), size);
    }
    Head h = {flood_ends, 0, 0, 0, 0}, answer = {};
    memcpy(data.data(), &h, sizeof h);
    for (int left = patience_ms; left > 0 && answer.number != flood_ends; left -= repeat_ms) {
        sendto(fd, data.data(), order.size, 0, reinterpret_cast<const sockaddr *>(&to), size);
        if (await(fd, repeat_ms))
            recv(fd, &answer, sizeof answer, 0);
    }
}

void serve_udp(int fd)
{
    char data[65536];
    for (;;) {
        sockaddr_storage from;
        socklen_t size = sizeof from;
        ssize_t got =
            recvfrom(fd, data, sizeof data, 0, reinterpret_cast<sockaddr *>(&from), &size);
        Head h;
        if (got < static_cast<ssize_t>(sizeof h))
            continue;
        memcpy(&h, data, sizeof h);
        if (h.count)
            send_flood(fd, h, from, size);
        else
            sendto(fd, data, static_cast<size_t>(got), 0, reinterpret_cast<sockaddr *>(&from),
                   size);
    }
}

// What the client wants: data, or to send some. Either until a time, and who receives tells the
// rate from another time on, or so many bytes, and who receives tells how many were the right ones.
struct Order {
    enum Way : char { PULL, PUSH, FETCH, GIVE } way;
    ns_t from, until;
    uint64_t bytes;
};

// The byte that belongs there.
char pattern(uint64_t at)
{
    return static_cast<char>((at * 2654435761U) >> 16);
}

bool send_bytes(int fd, uint64_t bytes)
{
    std::vector<char> data(1 << 16);
    for (uint64_t done = 0; done < bytes;) {
        size_t part = std::min<uint64_t>(bytes - done, data.size());
        for (size_t i = 0; i < part; i++)
            data[i] = pattern(done + i);
        ssize_t sent = send(fd, data.data(), part, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        done += static_cast<uint64_t>(sent);
    }
    return true;
}

// How many came before the end or the first wrong one.
uint64_t receive_bytes(int fd, uint64_t bytes)
{
    std::vector<char> data(1 << 16);
    uint64_t done = 0;
    while (done < bytes && await(fd, patience_ms)) {
        ssize_t got = recv(fd, data.data(), std::min<uint64_t>(bytes - done, data.size()), 0);
        if (got <= 0)
            break;
        for (ssize_t i = 0; i < got; i++, done++)
            if (data[static_cast<size_t>(i)] != pattern(done))
                return done;
    }
    return done;
}

double receive(int fd, ns_t from, ns_t until)
{
    std::vector<char> data(1 << 18);
    uint64_t bytes = 0;
    ns_t first = 0, last = 0;
    for (ns_t t = 0; t < until;) {
        pollfd p = {fd, POLLIN, 0};
        ssize_t got = poll(&p, 1, 100) > 0 ? recv(fd, data.data(), data.size(), 0) : -1;
        t = now();
        if (got == 0)
            break;
        if (got < 0 || t < from)
            continue;
        // counted from one arrival to another: the first only starts the clock
        if (first)
            bytes += static_cast<uint64_t>(got);
        else
            first = t;
        last = t;
    }
    return last > first ? static_cast<double>(bytes) * 8e3 / static_cast<double>(last - first) : 0;
}

void send_until(int fd, ns_t until)
{
    std::vector<char> data(1 << 16, 'x');
    while (now() < until && send(fd, data.data(), data.size(), MSG_NOSIGNAL) > 0) {
    }
}

void serve_tcp(int fd)
{
    Order o;
    if (recv(fd, &o, sizeof o, MSG_WAITALL) == sizeof o) {
        double rate;
        uint64_t good;
        switch (o.way) {
        case Order::PULL:
            send_until(fd, o.until + second);
            break;
        case Order::PUSH:
            rate = receive(fd, o.from, o.until);
            send(fd, &rate, sizeof rate, MSG_NOSIGNAL);
            break;
        case Order::FETCH:
            send_bytes(fd, o.bytes);
            break;
        case Order::GIVE:
            good = receive_bytes(fd, o.bytes);
            send(fd, &good, sizeof good, MSG_NOSIGNAL);
        }
    }
    close(fd);
}

int serve(const char *port)
{
    std::thread(serve_udp, open_socket(nullptr, port, SOCK_DGRAM)).detach();
    int listener = open_socket(nullptr, port, SOCK_STREAM);
    if (listen(listener, 8) != 0)
        die("listen");
    for (int fd; (fd = accept(listener, nullptr, nullptr)) >= 0;)
        std::thread(serve_tcp, fd).detach();
    die("accept");
}

double part(std::vector<ns_t> &all, double share)
{
    if (all.empty())
        return 0;
    std::sort(all.begin(), all.end());
    auto i = static_cast<size_t>(share * static_cast<double>(all.size() - 1));
    return static_cast<double>(all[i]) / 1e6;
}

int rtt(const char *host, const char *port, uint64_t count, ns_t gap)
{
    int fd = open_socket(host, port, SOCK_DGRAM);
    std::vector<ns_t> all;
    for (uint64_t i = 0; i < count; i++) {
        Head h = {i, now(), 0, 0, 0};
        send(fd, &h, sizeof h, 0);
        while (await(fd, patience_ms) && recv(fd, &h, sizeof h, 0) == sizeof h) {
            if (h.number == i) {
                all.push_back(now() - h.sent);
                break;
            }
        }
        sleep_until(now() + gap);
    }
    printf("received=%zu min=%.3f p50=%.3f p95=%.3f max=%.3f\n", all.size(), part(all, 0),
           part(all, 0.5), part(all, 0.95), part(all, 1));
    return all.empty();
}

int flood(const char *host, const char *port, uint32_t count, uint32_t size, ns_t gap)
{
    int fd = open_socket(host, port, SOCK_DGRAM);
    Head h = {0, 0, count, std::max<uint32_t>(size, sizeof h), gap};
    send(fd, &h, sizeof h, 0);
    std::vector<ns_t> all;
    std::vector<char> data(65536);
    uint64_t next = 0, late = 0, bursts = 0;
    while (await(fd, patience_ms) && recv(fd, data.data(), data.size(), 0) > 0) {
        memcpy(&h, data.data(), sizeof h);
        if (h.number == flood_ends) {
            send(fd, &h, sizeof h, 0);
            break;
        }
        all.push_back(now() - h.sent);
        late += h.number < next;
        bursts += h.number > next;
        next = std::max(next, h.number + 1);
    }
    bursts += next < count;
    printf("received=%zu overtaken=%" PRIu64 " gaps=%" PRIu64 " min=%.3f p50=%.3f max=%.3f\n",
           all.size(), late, bursts, part(all, 0), part(all, 0.5), part(all, 1));
    return all.empty();
}

int bulk(Order::Way way, const char *host, const char *port, double warm, double seconds)
{
    int fd = open_socket(host, port, SOCK_STREAM);
    ns_t from = now() + static_cast<ns_t>(warm * 1e9);
    Order o = {way, from, from + static_cast<ns_t>(seconds * 1e9), 0};
    double rate = 0;
    if (send(fd, &o, sizeof o, MSG_NOSIGNAL) != sizeof o)
        die("send");
    if (way == Order::PULL) {
        rate = receive(fd, o.from, o.until);
    } else {
        send_until(fd, o.until);
        shutdown(fd, SHUT_WR);
        recv(fd, &rate, sizeof rate, MSG_WAITALL);
    }
    printf("mbit=%.3f\n", rate);
    return rate <= 0;
}

int carry(Order::Way way, const char *host, const char *port, uint64_t bytes)
{
    int fd = open_socket(host, port, SOCK_STREAM);
    ns_t begin = now();
    Order o = {way, 0, 0, bytes};
    uint64_t good = 0;
    if (send(fd, &o, sizeof o, MSG_NOSIGNAL) != sizeof o)
        die("send");
    if (way == Order::FETCH)
        good = receive_bytes(fd, bytes);
    else if (!send_bytes(fd, bytes) || recv(fd, &good, sizeof good, MSG_WAITALL) != sizeof good)
        die("give");
    ns_t end = now();
    char congestion[16] = "";
    socklen_t length = sizeof congestion - 1;
    getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, congestion, &length);
    printf("good=%" PRIu64 " ms=%.3f congestion=%s\n", good, static_cast<double>(end - begin) / 1e6,
           congestion);
    return good != bytes;
}

} // namespace

int main(int argc, char **argv)
{
    std::string what = argc > 2 ? argv[1] : "";
    auto number = [&](int i) { return strtoul(argv[i], nullptr, 10); };
    if (what == "serve")
        return serve(argv[2]);
    if (what == "rtt" && argc == 6)
        return rtt(argv[2], argv[3], number(4), static_cast<ns_t>(number(5)) * 1000);
    if (what == "flood" && argc == 7)
        return flood(argv[2], argv[3], static_cast<uint32_t>(number(4)),
                     static_cast<uint32_t>(number(5)), static_cast<ns_t>(number(6)) * 1000);
    if ((what == "pull" || what == "push") && argc == 6)
        return bulk(what == "pull" ? Order::PULL : Order::PUSH, argv[2], argv[3], atof(argv[4]),
                    atof(argv[5]));
    if ((what == "fetch" || what == "give") && argc == 5)
        return carry(what == "fetch" ? Order::FETCH : Order::GIVE, argv[2], argv[3], number(4));
    fprintf(stderr, "usage: see the head of tests/linkem/peer.cpp\n");
    return 2;
}
