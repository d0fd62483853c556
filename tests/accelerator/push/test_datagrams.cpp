/* The program between a real server and a viewer that takes blocks: where it says that datagrams
 * may come, and who gets in there. */
#include "hello.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

std::string figures(int port)
{
    RawClient web(port);
    web.say("GET /metrics HTTP/1.0\r\n\r\n");
    return web.hear_all();
}

} // namespace

TEST_CASE("datagrams: who is pushed to hears where they are awaited, and is let in", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    const int metrics = free_port();
    Accelerator a(server->address,
                  {"--metrics", std::to_string(metrics), "--udp-ports", "30100-30999"});
    auto client = std::make_unique<BlockClient>(a.port);
    REQUIRE(client->picture());
    const accelerator_shown said = shown(*client);
    INFO(client->seen.accelerator);
    CHECK(said.datagrams_port >= 30100);
    CHECK(said.datagrams_port <= 30999);

    Udp stranger(said.datagrams_port), viewer(said.datagrams_port);
    for (int i = 0; i < 3; i++)
        CHECK(stranger.say("let me in"));
    CHECK(wait_until(PATIENCE, [&] {
        return figures(metrics).find("\nvnchl_accel_datagrams_refused_total 3\n") !=
               std::string::npos;
    }));
    CHECK(viewer.say(hello(said.datagrams_secret)));
    for (int i = 0; i < 3; i++)
        CHECK(viewer.say("here I am"));
    REQUIRE(client->raw.ask(false));
    REQUIRE(client->picture()); /* pushing goes on */
    CHECK(stranger.say("open for a viewer with another address"));
    client.reset();
    CHECK(is_closed_to(viewer));
    CHECK(is_closed_to(stranger));
}

TEST_CASE("datagrams: each viewer has a port and a secret of its own", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address, {"--udp-ports", "30100-30999"});
    BlockClient one(a.port), other(a.port);
    REQUIRE(one.picture());
    REQUIRE(other.picture());
    const accelerator_shown first = shown(one), second = shown(other);
    CHECK(first.datagrams_port != second.datagrams_port);
    CHECK(memcmp(first.datagrams_secret, second.datagrams_secret, ACCELERATOR_SECRET) != 0);
    Udp late(first.datagrams_port), wrong(second.datagrams_port);
    CHECK(wrong.say(hello(first.datagrams_secret)));
    CHECK(wrong.say("still open"));
    one.raw.hang_up();
    CHECK(is_closed_to(late)); /* with its connection, also where no hello has come */
    CHECK(wrong.say("still open"));
}

TEST_CASE("datagrams: there are none where that is said, and where no port is free", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    {
        Accelerator a(server->address, {"--datagrams", "no"});
        BlockClient client(a.port);
        REQUIRE(client.picture());
        CHECK(client.seen.accelerator.find("datagrams") == std::string::npos);
        CHECK(a.count("event=no-datagrams") == 0);
    }
    Accelerator a(server->address, {"--udp-ports", "31000-31000"});
    BlockClient first(a.port);
    REQUIRE(first.picture());
    CHECK(shown(first).datagrams_port == 31000);
    BlockClient second(a.port);
    REQUIRE(second.picture());
    CHECK(second.seen.accelerator.find("datagrams") == std::string::npos);
    a.await("event=no-datagrams why=\"no UDP port of 31000-31000: ");
}

TEST_CASE("datagrams: who is not pushed to hears nothing of them", "[push]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address);
    BlockClient client(a.port, {ENCODING_RAW, PSEUDO_ACCELERATOR});
    REQUIRE(client.raw.ask(false));
    while (client.seen.accelerator.empty())
        REQUIRE(client.next());
    CHECK(client.seen.accelerator.find("datagrams") == std::string::npos);
}
