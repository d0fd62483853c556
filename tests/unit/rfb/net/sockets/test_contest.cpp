// Which of several servers is connected to: real sockets on the loopback interface, played by the
// test. What a server must not hear is looked at when its connection has ended.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "rfb/net/sockets/contest.h"
#include "rfb/system/clock.h"
#include "rfb/system/thread.h"
#include "tests/catch.hpp"

namespace
{

enum Manner {
    SPEAKS,
    MUTE,   /* takes the connection, and says nothing */
    CLOSES, /* takes it, and closes it */
    ABSENT, /* nobody listens */
};

/* A port with a manner. */
class Port
{
  public:
    explicit Port(Manner manner) : manner_(manner)
    {
        sockaddr_in a = {};
        socklen_t size = sizeof a;

        fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        a.sin_family = AF_INET;
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(bind(fd_, reinterpret_cast<sockaddr *>(&a), sizeof a) == 0);
        getsockname(fd_, reinterpret_cast<sockaddr *>(&a), &size);
        strcpy(address.host, "127.0.0.1");
        address.port = ntohs(a.sin_port);
        address.port_given = true;
        if (manner == ABSENT)
            return; /* bound, so that nobody else takes the port */
        REQUIRE(listen(fd_, 8) == 0);
        stop_ = eventfd(0, EFD_CLOEXEC);
        thread_ = std::thread([this] { serve(); });
    }
    ~Port()
    {
        end();
        close(fd_);
        if (stop_ >= 0)
            close(stop_);
    }
    Port(const Port &) = delete;
    Port &operator=(const Port &) = delete;

    /* Nobody is served any more; what it has heard is known then. */
    void end()
    {
        if (!thread_.joinable())
            return;
        eventfd_wake(stop_, "the port");
        thread_.join();
    }

    struct address address = {};
    int clients = 0;        /* after end() */
    std::string heard = {}; /* the same: from all of them */

  private:
    bool wait(int fd)
    {
        pollfd p[2] = {{fd, POLLIN, 0}, {stop_, POLLIN, 0}};

        poll(p, 2, -1);
        return p[0].revents; /* what has come before the end counts */
    }
    void serve()
    {
        while (wait(fd_)) {
            int client = accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC);
            char got[64];
            ssize_t n;

            clients++;
            if (manner_ == SPEAKS)
                (void)!write(client, "RFB 003.008\n", 12);
            while (manner_ != CLOSES && wait(client) && (n = read(client, got, sizeof got)) > 0)
                heard.append(got, static_cast<size_t>(n));
            close(client);
        }
    }

    Manner manner_;
    int fd_ = -1, stop_ = -1;
    std::thread thread_;
};

struct Contest {
    explicit Contest(std::vector<Port *> ports, tick_t limit = 900 * TICK_S)
    {
        candidates c = {};
        for (Port *p : ports)
            c.at[c.count++] = p->address;
        t = contest_connect(&c, &options, tick_now() + limit, cancel, &chosen, &why);
    }
    ~Contest()
    {
        if (t)
            t->ops->destroy(t);
        close(cancel);
    }
    /* The connection is this one's, and what it has said is still to be read. */
    bool is(const Port &p)
    {
        char got[13] = "";
        return t && chosen.port == p.address.port && t->ops->read(t, got, 12) == 12 &&
               std::string(got) == "RFB 003.008\n";
    }
    transport_options options = {};
    int cancel = eventfd(0, EFD_CLOEXEC);
    address chosen = {};
    reason why = {};
    transport *t;
};

} // namespace

TEST_CASE("contest: the first server answers, and the others hear of nobody", "[contest]")
{
    bool in_time = false; /* on a slow machine the head start may pass before a port has spoken */
    for (int i = 0; i < 100 && !in_time; i++) {
        Port a(SPEAKS), b(SPEAKS);
        bool first;
        {
            const tick_t begin = tick_now();
            Contest c({&a, &b});
            in_time = tick_now() - begin < CONTEST_HEAD_START;
            first = c.is(a);
        }
        a.end();
        b.end();
        if (!in_time)
            continue;
        CHECK(first);
        CHECK(a.clients == 1);
        CHECK(b.clients == 0);
        CHECK(a.heard == "");
    }
    CHECK(in_time);
}

TEST_CASE("contest: a server that fails leaves its place at once", "[contest]")
{
    for (Manner manner : {ABSENT, CLOSES}) {
        Port a(manner), b(SPEAKS);
        Contest c({&a, &b}); /* meson's limit is against one that waits for the deadline */
        CHECK(c.is(b));
    }
}

TEST_CASE("contest: a server that takes connections and is mute is overtaken", "[contest]")
{
    Port a(MUTE), b(SPEAKS);
    {
        tick_t begin = tick_now();
        Contest c({&a, &b});
        CHECK(c.is(b));
        CHECK(tick_now() - begin >= CONTEST_HEAD_START);
    }
    a.end();
    CHECK(a.clients == 1);
    CHECK(a.heard == ""); /* the connection was closed, and nothing was said */
}

TEST_CASE("contest: with little time each of them gets its turn all the same", "[contest]")
{
    for (int count = 2; count <= CANDIDATES_MAX; count++)
        for (tick_t time : {TICK_MS, TICK_S, 3 * TICK_S, 10 * TICK_S}) {
            INFO(count << " servers in " << tick_to_s(time) << " s");
            /* the last one begins before the end */
            CHECK((count - 1) * contest_head_start(time, count) < time);
            CHECK(contest_head_start(time, count) <= CONTEST_HEAD_START);
        }
    CHECK(contest_head_start(10 * TICK_S, CANDIDATES_MAX) == CONTEST_HEAD_START);
    CHECK(contest_head_start(-TICK_S, 2) == 0);
}

TEST_CASE("contest: when nobody answers it is said of each", "[contest]")
{
    Port a(ABSENT), b(CLOSES), c(MUTE);
    Contest all({&a, &b, &c}, 5 * TICK_S);
    const std::string why = all.why.text;
    INFO(why);
    CHECK(all.t == nullptr);
    CHECK(all.why.kind == FAILURE_UNREACHABLE);
    CHECK(why.find("no server has answered: ") == 0);
    CHECK(why.find("port " + std::to_string(a.address.port) + ": Connection refused") !=
          std::string::npos);
    CHECK(why.find(std::to_string(b.address.port) + " has closed the connection") !=
          std::string::npos);
    CHECK(why.find(std::to_string(c.address.port) + " has taken the connection and says nothing") !=
          std::string::npos);
}

TEST_CASE("contest: it can be stopped", "[contest]")
{
    Port a(MUTE), b(MUTE);
    candidates two = {};
    two.at[0] = a.address;
    two.at[1] = b.address;
    two.count = 2;
    transport_options options = {};
    address chosen;
    reason why = {};
    int cancel = eventfd(0, EFD_CLOEXEC);

    std::thread stop([&] { eventfd_wake(cancel, "the contest"); });
    /* the deadline is a quarter of an hour */
    CHECK(contest_connect(&two, &options, tick_now() + 900 * TICK_S, cancel, &chosen, &why) ==
          nullptr);
    stop.join();
    CHECK(std::string(why.text) == "stopped");
    close(cancel);
}
