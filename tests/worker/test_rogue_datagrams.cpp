// The same: it asks for UDP sockets, and has a ticket for them.
#include "rogue_session.hpp"

using namespace rogue;

TEST_CASE("rogue: a process gets a UDP socket that leads to the server's host")
{
    Listening peer;
    Datagrams datagrams(peer.port);
    Owner owner("datagrams", {"", peer.port});
    CHECK(datagrams.next() == "hello");
    datagrams.answer("welcome");
    CHECK(peer::text(owner.next()) == "welcome");
}

TEST_CASE("rogue: a UDP socket is not asked for too soon, nor for what may not be asked")
{
    Listening peer;
    for (const char *act : {"datagrams-too-soon", "datagrams-low", "datagrams-short"}) {
        INFO(act);
        Owner owner(act, {"", peer.port});
        CHECK(is_ended_for_it(peer::text(owner.next())));
    }
    Settings off{"", peer.port};
    off.datagrams = false;
    Owner owner("datagrams", off);
    CHECK(is_ended_for_it(peer::text(owner.next())));
}

TEST_CASE("rogue: a ticket counts in a session only, and only where ssh has protected it")
{
    Listening peer;
    {
        Owner owner("ticket", {"", peer.port});
        CHECK(owner.next()->type == SESSION_CONNECTED);
        CHECK(owner.next()->type == SESSION_BELL); // which comes behind it
    }
    for (const char *act : {"ticket-too-soon", "ticket-low"}) {
        INFO(act);
        Owner owner(act, {"", peer.port});
        peer::Event e = owner.next();
        if (e->type == SESSION_CONNECTED)
            e = owner.next();
        CHECK(is_ended_for_it(peer::text(e)));
    }
    Settings off{"", peer.port};
    off.datagrams = false;
    Owner owner("ticket", off);
    CHECK(owner.next()->type == SESSION_CONNECTED);
    CHECK(is_ended_for_it(peer::text(owner.next())));
}

TEST_CASE("rogue: UDP sockets are few, however often a process asks")
{
    Listening peer;
    Owner owner("datagrams-often", {"", peer.port});
    peer::Event e = owner.next();
    REQUIRE(e->type == SESSION_NOTICE);
    CHECK(std::stoi(peer::text(e)) >= 1);
    CHECK(std::stoi(peer::text(e)) <= 64);
}

TEST_CASE("rogue: where a repeater stands in between, no UDP socket leads to the server")
{
    Listening repeater;
    Settings settings{"", 5900};
    settings.repeater = repeater.port;
    Owner owner("datagrams", settings);
    int fd = accept(repeater.fd, nullptr, nullptr);
    REQUIRE(write(fd, "RFB 000.000\n", 12) == 12);
    CHECK(peer::text(owner.next()) == "nowhere");
    close(fd);
}
