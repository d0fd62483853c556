// How many bytes a socket may be given, as its kernel describes it.
#include <linux/inet_diag.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "tests/catch.hpp"
#include "tools/accelerator/transport/outlet.h"

namespace
{

struct Outlet {
    outlet o;
    struct leg_info info = {};
    tick_t now = TICK_S;

    Outlet()
    {
        outlet_init(&o);
        outlet_learn(&o);
    }
    size_t room(bool waits = true)
    {
        return outlet_room(&o, &info, waits, now);
    }
};

// A connection over loopback with BBR at the sending end; not valid where this kernel has none.
class Bbr
{
  public:
    side sender = {};
    bool valid = false;

    Bbr()
    {
        sockaddr_in at = {};
        socklen_t size = sizeof at;
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        REQUIRE(bind(listener, reinterpret_cast<sockaddr *>(&at), size) == 0);
        REQUIRE(listen(listener, 1) == 0);
        REQUIRE(getsockname(listener, reinterpret_cast<sockaddr *>(&at), &size) == 0);
        sender.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        REQUIRE(connect(sender.fd, reinterpret_cast<sockaddr *>(&at), size) == 0);
        peer = accept(listener, nullptr, nullptr);
        close(listener);
        leg_tune_client(sender.fd, nullptr);
        char name[LEG_CONGESTION_NAME];
        leg_congestion_of(sender.fd, name);
        valid = std::string(name) == "bbr";
    }
    ~Bbr()
    {
        close(sender.fd);
        close(peer);
    }
    Bbr(const Bbr &) = delete;
    Bbr &operator=(const Bbr &) = delete;

    // Bytes go over and are acknowledged: BBR knows a rate then.
    void carry()
    {
        std::string bytes(100000, 'x');
        REQUIRE(write(sender.fd, bytes.data(), bytes.size()) == ssize_t(bytes.size()));
        REQUIRE(recv(peer, &bytes[0], bytes.size(), MSG_WAITALL) == ssize_t(bytes.size()));
        int waits = 1;
        while (waits > 0)
            REQUIRE(ioctl(sender.fd, SIOCOUTQ, &waits) == 0);
    }
    uint64_t rate()
    {
        tcp_cc_info info = {};
        socklen_t size = sizeof info;
        REQUIRE(getsockopt(sender.fd, IPPROTO_TCP, TCP_CC_INFO, &info, &size) == 0);
        return uint64_t(info.bbr.bbr_bw_hi) << 32 | info.bbr.bbr_bw_lo;
    }

  private:
    int peer = -1;
};

} // namespace

TEST_CASE("before the rate is known only what is unsent bounds", "[outlet]")
{
    Outlet t;

    CHECK(t.room() > OUTLET_TURN);
    CHECK_FALSE(t.o.unacknowledged);
    t.info.unsent = OUTLET_UNSENT_AT_FIRST;
    CHECK(t.room() == 0);
    CHECK(t.o.look_again == TICK_NEVER); // the socket tells
    t.info.unsent--;
    CHECK(t.room() > 0);
}

TEST_CASE("what the path needs is on its way, and no more", "[outlet]")
{
    Outlet t;

    t.o.flight.found = true;
    t.o.flight.rate = t.o.flight.newer = 1e6;
    t.o.flight.trips = 1; // it does not probe now
    t.info.sample.round_trip = 100 * TICK_MS;
    t.info.sample.in_flight = 100000;
    CHECK(t.room() == 25000); // FLIGHT_MARGIN
    CHECK(t.o.unacknowledged);
    CHECK(t.o.unsent_allowed == 10000);
    t.info.sample.in_flight = 125000;
    CHECK(t.room() == 0);
    CHECK(t.o.look_again > t.now);
    t.o.flight.rate = t.o.flight.newer = 1.5e6; // little changes are not told to the kernel
    t.room();
    CHECK(t.o.unsent_allowed == 10000);
    t.o.flight.rate = t.o.flight.newer = 1e9;
    t.room();
    CHECK(t.o.unsent_allowed == OUTLET_UNSENT_MOST);
}

TEST_CASE("to reproduce the paper nothing bounds but the socket", "[outlet]")
{
    Outlet t;

    t.o.flight.found = true;
    t.o.flight.rate = t.o.flight.newer = 1e6;
    t.o.flight.trips = 1;
    t.info.sample.round_trip = 100 * TICK_MS;
    t.info.sample.in_flight = 1000000;
    t.info.unsent = 2 * OUTLET_UNSENT_MOST;
    CHECK(t.room() == 0);
    CHECK(t.o.unsent_allowed == 10000);
    outlet_fill(&t.o);
    CHECK(t.room() > OUTLET_TURN);
    CHECK(t.o.unsent_allowed == 0); // the socket is told so
    CHECK(t.o.look_again == TICK_NEVER);
    CHECK(t.o.unacknowledged);
}

TEST_CASE("who has bytes on their way is looked at from time to time", "[outlet]")
{
    Outlet t;

    t.room(false);
    CHECK(outlet_look_again(&t.o, t.now) == TICK_NEVER);
    t.info.sample.in_flight = 1;
    t.room(false);
    CHECK(outlet_look_again(&t.o, t.now) == t.now + OUTLET_SILENCE_LOOK);
}

TEST_CASE("a socket that is full has to tell when it has room", "[outlet]")
{
    Outlet t;
    int fds[2];
    side client;
    backlog held = {};
    size_t written = 1;

    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    side_init(&client, fds[0]);
    REQUIRE(backlog_append(&held, std::string(OUTLET_TURN, 'x').data(), OUTLET_TURN));
    for (int i = 0; i < 1000 && written > 0; i++)
        CHECK(outlet_write(&t.o, &client, &held, held.size, t.now, &written) == nullptr);
    CHECK(written == 0);
    CHECK(client.full);
    close(fds[1]);
    CHECK(outlet_write(&t.o, &client, &held, held.size, t.now, &written) != nullptr);
    CHECK(client.ended);
    side_close(&client);
    backlog_deinit(&held);
}

TEST_CASE("how slowly a handshake is answered says nothing of the path", "[outlet]")
{
    for (bool learns : {false, true}) {
        Outlet t;
        t.o.learns = learns;
        t.info.sample.round_trip = 300 * TICK_MS;
        for (int message = 0; message < 8; message++) {
            t.room();
            t.now += 300 * TICK_MS;
            t.info.sample.delivered += 500;
        }
        CHECK((t.room() > OUTLET_TURN) != learns);
    }
}

TEST_CASE("BBR begins anew before it would make the picture stand still", "[outlet]")
{
    Outlet t;
    Bbr connection;
    backlog nothing = {};
    size_t written;
    auto look = [&](tick_t later) {
        t.now += later;
        CHECK(outlet_write(&t.o, &connection.sender, &nothing, 0, t.now, &written) == nullptr);
    };

    if (!connection.valid)
        return; // this kernel has no BBR, or does not let us use it
    connection.carry();
    look(0);
    look(LEG_BBR_RENEWED - 1);
    CHECK(connection.rate() > 0);
    look(1);
    CHECK(connection.rate() == 0); // it knows nothing yet
    connection.carry();
    CHECK(connection.rate() > 0);
    look(LEG_BBR_RENEWED - 1);
    CHECK(connection.rate() > 0);
}

TEST_CASE("to reproduce the paper BBR is left alone, too", "[outlet]")
{
    Outlet t;
    Bbr connection;
    backlog nothing = {};
    size_t written;

    if (!connection.valid)
        return; // this kernel has no BBR, or does not let us use it
    outlet_fill(&t.o);
    connection.carry();
    for (int i = 0; i < 2; i++, t.now += LEG_BBR_RENEWED)
        CHECK(outlet_write(&t.o, &connection.sender, &nothing, 0, t.now, &written) == nullptr);
    CHECK(connection.rate() > 0);
}

TEST_CASE("another congestion control than BBR is left alone", "[outlet]")
{
    Bbr connection;
    char name[LEG_CONGESTION_NAME];

    leg_tune_client(connection.sender.fd, "reno");
    leg_renew_bbr(connection.sender.fd);
    leg_congestion_of(connection.sender.fd, name);
    CHECK(std::string(name) == "reno");
}

TEST_CASE("what has arrived behind a gap is no more than what was sent", "[outlet]")
{
    CHECK(leg_beyond(100000, 100, 0) == 0);
    CHECK(leg_beyond(100000, 100, 30) == 30000); // of 1000 bytes each, though 1448 would fit
    CHECK(leg_beyond(100000, 100, 200) == 100000);
    CHECK(leg_beyond(0, 0, 0) == 0);
    CHECK(leg_beyond(0, 0, 7) == 0);
}
