/* Updates that leave when they have come whole (--forward whole), and those that are too large for
 * that. */
#include "tests/accelerator/accelerator.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* How many bytes wait for clients, as the metrics say. */
bool holds(int metrics, size_t bytes)
{
    return wait_until(PATIENCE, [&] {
        RawClient web(metrics);
        web.say("GET /metrics HTTP/1.0\r\n\r\n");
        return web.hear_all().find("\nvnchl_accel_held_bytes " + std::to_string(bytes) + "\n") !=
               std::string::npos;
    });
}

} // namespace

TEST_CASE("with whole updates a server's pictures are shown", "[whole]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address, {"--forward", "whole"});
    ViewerOptions o;
    o.address = a.address();
    for (const char *encoding : {"raw", "tight"}) {
        INFO(encoding);
        o.encodings = encoding;
        o.jpeg = false;
        Viewer viewer(o);
        require_connected(viewer);
        require_first_picture(viewer);
        server->screen->animate(20);
        check_picture(viewer, server->screen->capture());
    }
    CHECK(a.count("not-accelerated") == 0);
}

TEST_CASE("updates that leave when they have come whole, in each mode", "[whole]")
{
    const Mode mode = each_mode();
    INFO(mode.name);
    if (mode.piped()) /* nobody knows where an update ends */
        return;
    SECTION("nothing of one leaves before its last byte has come")
    {
        const std::string all =
            update(1) + rectangle(0, 0, 64, 64, 0) + std::string(size_t{4} * 64 * 64, 'x');
        const std::string begun = all.substr(0, 5000);
        int metrics = free_port();
        Scene s(mode,
                {await_request(), send_step(begun), await_input(KEY_A),
                 send_step(all.substr(begun.size())), stall()},
                {"--forward", "whole", "--metrics", std::to_string(metrics)});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        REQUIRE(holds(metrics, begun.size()));
        CHECK(client.waits() == 0);
        client.say(KEY_A);
        CHECK(client.hear(all.size()) == all);
    }
    SECTION("one that is larger than what may be held leaves as it comes")
    {
        const size_t hold = 64u << 10;
        const std::string head = update(1) + rectangle(0, 0, 1024, 64, 0);
        Scene s(mode,
                {await_request(), send_step(head + std::string(hold + 5000, 'x')),
                 await_input(KEY_A), send_step("more"), stall()},
                {"--forward", "whole", "--hold", "64"}, 1024);
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        CHECK(client.hear(head.size() + hold + 5000).size() == head.size() + hold + 5000);
        client.say(KEY_A);
        CHECK(client.hear(4) == "more"); /* as it comes, from then on */
    }
    SECTION("what was kept of one still leaves when the server ends")
    {
        Scene s(mode, {await_request(), send_step(update(1) + rectangle(0, 0, 64, 64, 0) + "some")},
                {"--forward", "whole"});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        CHECK(client.hear_all().size() == 4 + 12 + 4);
        s.a.await("the server has closed the connection");
    }
}
