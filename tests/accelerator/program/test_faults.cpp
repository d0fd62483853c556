/* Servers and clients that do not behave, and machines at their limits: one line says so, others go
 * on. */
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <functional>

#include "tests/accelerator/accelerator.hpp"
#include "tests/e2e/check.hpp"
#include "tests/e2e/fake_server.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* Waits until the loop has nothing to do: it sleeps whenever it is looked at, ten times in a row,
 * and has not run in between. Whoever is busy without end never sleeps. */
bool comes_to_rest(
    const Process &p, const std::function<void()> &look = [] {})
{
    const std::string folder = "/proc/" + std::to_string(p.pid());
    std::string before;
    int rests = 0;
    return wait_until(PATIENCE, [&] {
        const std::string ran = read_file(folder + "/schedstat"), all = read_file(folder + "/stat");
        const bool sleeps = all.compare(all.rfind(')') + 2, 1, "S") == 0;
        look();
        rests = sleeps && ran == before ? rests + 1 : 0;
        before = ran;
        return rests >= 10;
    });
}

/* It is offered ContinuousUpdates and fences by the accelerator. */
void offer_push(RawClient &client)
{
    client.set_encodings({ENCODING_RAW, PSEUDO_FENCE, PSEUDO_CONTINUOUS_UPDATES});
}

std::string many(size_t times, const std::string &message)
{
    std::string all;

    all.reserve(times * message.size());
    for (size_t i = 0; i < times; i++)
        all += message;
    return all;
}

} // namespace

TEST_CASE("the viewer is told that the server's machine does not answer", "[faults]")
{
    /* A queue of one, which is full. */
    int queue = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where = loopback(0);
    socklen_t size = sizeof where;
    REQUIRE(bind(queue, reinterpret_cast<sockaddr *>(&where), size) == 0);
    REQUIRE(listen(queue, 0) == 0);
    getsockname(queue, reinterpret_cast<sockaddr *>(&where), &size);
    std::vector<int> waiting;
    for (int i = 0; i < 4; i++) {
        waiting.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        connect(waiting.back(), reinterpret_cast<sockaddr *>(&where), size);
    }
    Accelerator a("127.0.0.1::" + std::to_string(ntohs(where.sin_port)));
    RawClient client(a.port);
    std::string said = client.hear_all();
    for (int fd : waiting)
        close(fd);
    close(queue);
    CHECK(said.compare(0, 12, "RFB 003.003\n") == 0);
    CHECK(said.find("cannot reach the VNC server: Connection timed out") != std::string::npos);
}

TEST_CASE("servers that do not behave", "[faults]")
{
    SECTION("that is no VNC server")
    {
        FakeServer server({send_step("HTTP/1.1 400 Bad Request\r\n\r\n"), stall()});
        Accelerator a(server.address());
        RawClient client(a.port);
        client.hear_all();
        a.await("event=end");
        INFO(a.process->err());
        CHECK(a.count("event=end") == 1);
    }
    SECTION("that closes in the handshake")
    {
        FakeServer server({send_step("RFB 003.008\n")});
        Accelerator a(server.address());
        RawClient client(a.port);
        client.hear_all();
        a.await("during the handshake");
    }
    SECTION("that says why and closes, before the client has spoken")
    {
        std::string all = "RFB 003.003\n" + u32(0) + u32(4) + "full";
        FakeServer server({send_step(all)});
        Accelerator a(server.address());
        RawClient client(a.port);
        CHECK(client.hear_all() == all);
    }
    SECTION("that says why and resets")
    {
        std::string why = u8(0) + u32(4) + "full";
        FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(why), reset()});
        Accelerator a(server.address());
        RawClient client(a.port);
        client.hear(12);
        client.say("RFB 003.008\n");
        CHECK(client.hear_all() == why);
    }
    SECTION("that says why and stays")
    {
        std::string why = u8(0) + u32(4) + "full";
        FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(why), stall()});
        Accelerator a(server.address(), {"--handshake-limit", HANDSHAKE_LIMIT});
        RawClient client(a.port);
        client.hear(12);
        client.say("RFB 003.008\n");
        CHECK(client.hear_all() == why);
        a.await("the handshake was not finished in time");
    }
    SECTION("that waits for a client that says how it will log in and no more")
    {
        FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(19)),
                           expect(1), send_step(u8(0) + u8(2)), stall()});
        Accelerator a(server.address(),
                      {"--handshake-limit", HANDSHAKE_LIMIT, "--security", "pass"});
        RawClient client(a.port);
        client.hear(12);
        client.say("RFB 003.008\n");
        client.hear(2);
        client.say(u8(19));
        CHECK(client.hear_all().size() == 2);
        a.await("event=not-accelerated");
        a.await("the handshake was not finished in time");
    }
    SECTION("that says nothing")
    {
        FakeServer server({stall()});
        Accelerator a(server.address(), {"--handshake-limit", HANDSHAKE_LIMIT});
        RawClient client(a.port);
        client.hear_all();
        a.await("the handshake was not finished in time");
    }
}

TEST_CASE("servers that do not behave inside a session, in each mode", "[faults]")
{
    const Mode mode = each_mode();
    INFO(mode.name);
    const std::string pixels(4 * 64 * 64, 'x');
    const std::string picture = update(1) + rectangle(0, 0, 64, 64, 0) + pixels;
    SECTION("that ends in the middle of an update")
    {
        Scene s(mode, {await_request(), send_step(update(1)),
                       send_step(rectangle(0, 0, 64, 64, 0) + "some")});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        CHECK(client.hear(4 + 12 + 4).size() == 20); /* what has come is passed on */
        CHECK(client.hear_all().empty());
        s.a.await("the server has closed the connection");
    }
    SECTION("that is cut off there")
    {
        Scene s(mode, {await_request(), send_step(update(1) + "half"), reset()});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        client.hear_all();
        s.a.await("event=end");
        CHECK(s.a.count("event=end") == 1);
    }
    SECTION("that uses an encoding nobody knows")
    {
        Scene s(mode, {await_request(), send_step(update(1)),
                       send_step(rectangle(0, 0, 64, 64, 4711) + "some"), await_request(),
                       send_step("more"), stall()});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        CHECK(client.hear(4 + 12 + 4).size() == 20);
        s.a.await("event=not-accelerated");
        client.ask(true); /* is passed on now */
        CHECK(client.hear(4) == "more");
    }
    SECTION("that does so after the client has asked for the next update")
    {
        Scene s(mode, {await_request(), send_step(update(2) + rectangle(0, 0, 64, 64, 0) + pixels),
                       await_input(KEY_A), send_step(rectangle(0, 0, 64, 64, 4711) + "some"),
                       await_request(), send_step("more"), stall()});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        CHECK(client.hear(4 + 12 + pixels.size()).size() == 4 + 12 + pixels.size());
        client.ask(true); /* kept back: the server is asked when the update has come */
        client.say(KEY_A);
        CHECK(client.hear(12 + 4).size() == 16);
        CHECK(client.hear(4) == "more"); /* it was asked all the same */
    }
    SECTION("that announces more than can ever come")
    {
        std::string announced = GENERATE(cut_text(0xffffffff), update(0xffff), colour_map(0xffff),
                                         rectangle(0, 0, 0xffff, 0xffff, ENCODING_ZRLE));
        if (announced.size() == 12) /* the length of its bytes follows */
            announced = update(1) + announced + u32(0xffffffff);
        Scene s(mode, {await_request(), send_step(announced), repeat(pixels)}, {"--hold", "1024"});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        CHECK(client.hear(announced.size()) == announced);
        long before = memory(*s.a.process);
        for (int i = 0; i < 100; i++)
            client.hear(pixels.size());
        CHECK(memory(*s.a.process) < before + 8192);
    }
    SECTION("that floods a client that does not read")
    {
        Scene s(mode, {await_request(), repeat(picture)}, {"--hold", "1024"});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        long before = memory(*s.a.process);
        /* until no more is taken from the server */
        CHECK(comes_to_rest(*s.a.process, [&] { REQUIRE(memory(*s.a.process) < before + 8192); }));
    }
    SECTION("that floods a client that reads a little: no more is held than is said")
    {
        const long hold = 32768;
        Scene s(mode, {await_request(), repeat(picture)}, {"--hold", std::to_string(hold)});
        RawClient client(s.a.port);
        client.greet(mode);
        long before = memory(*s.a.process); /* the flood begins with what is asked for */
        client.ask(false);
        for (int i = 0; i < 4; i++) {
            CHECK(wait_until(PATIENCE,
                             [&] { return memory(*s.a.process) > before + hold * 9 / 10; }));
            CHECK(client.hear(picture.size() * 64).size() == picture.size() * 64);
        }
        CHECK(memory(*s.a.process, "VmHWM") < before + hold * 3 / 2);
    }
    SECTION("that says something nobody knows to a client with fences of its own")
    {
        Scene s(mode, {await_request(), send_step(u8(200)), await_input(KEY_A), send_step("heard"),
                       stall()});
        RawClient client(s.a.port);
        client.greet(mode);
        offer_push(client);
        client.ask(false);
        s.a.await("event=not-accelerated");
        client.say(many(1000, fence_answer(FENCE_REQUEST, std::string(60, 'f'))));
        client.say(KEY_A);
        std::string said;
        while (said.find("heard") == std::string::npos) {
            said += client.hear(1);
            REQUIRE(said.size() < 1000); /* no answer can be put into what the server says */
        }
    }
    SECTION("that is slow with an update: keys do not overtake a text")
    {
        std::string text = std::string("\6\0\0\0", 4) + u32(5);
        Scene s(mode, {await_request(), send_step(update(1) + rectangle(0, 0, 64, 64, 0) + "some"),
                       await_input(text + KEY_A), send_step("heard"), stall()});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        CHECK(client.hear(4 + 12 + 4).size() == 20);
        client.set_format(pixel_format_xrgb); /* has to wait for the end of the update */
        client.say(text + "a tex");
        client.say(KEY_A);
        CHECK(client.hear(5) == "heard");
    }
}

TEST_CASE("clients that do not behave inside a session, in each mode", "[faults]")
{
    const Mode mode = each_mode();
    INFO(mode.name);
    SECTION("that say something nobody knows")
    {
        Scene s(mode, {stall()});
        RawClient client(s.a.port);
        client.greet(mode);
        client.say(std::string(1000, '\xfe'));
        s.a.await("event=not-accelerated");
        client.hang_up();
        s.a.await("why=\"the client has left\"");
        CHECK(s.a.count("event=end") == 1);
    }
    SECTION("that leave in the middle of a message")
    {
        Scene s(mode, {stall()});
        RawClient client(s.a.port);
        client.greet(mode);
        client.say(KEY_A + KEY_A.substr(0, 5));
        client.hang_up();
        s.a.await("why=\"the client has left\"");
        CHECK(s.a.count("event=end") == 1);
    }
    SECTION("that say nothing more, and read")
    {
        Scene s(mode, {await_request(), stall()});
        RawClient client(s.a.port);
        client.greet(mode);
        client.ask(false);
        client.send_no_more();
        CHECK(client.hear_all().empty());
        s.a.await("why=\"the client has left\"");
    }
    SECTION("that say more than their server takes")
    {
        const std::string text = std::string("\6\0\0\0", 4) + u32(0xffffffff);
        Scene s(mode, {deaf("", milliseconds(100))});
        RawClient client(s.a.port);
        client.greet(mode);
        const std::string all = text + std::string(64 << 20, 'x');
        long before = memory(*s.a.process);
        CHECK(client.say_what_is_taken(all) < all.size() / 2);
        CHECK(memory(*s.a.process) < before + 8192);
    }
    SECTION("that are answered and do not read are not heard any more")
    {
        if (mode.piped()) /* nothing is answered here */
            return;
        Scene s(mode, {stall()}, {"--hold", "64"});
        RawClient client(s.a.port);
        client.greet(mode);
        offer_push(client);
        std::string all = many(6400000, client.push_message(false));
        CHECK(client.say_what_is_taken(all) < all.size() / 2);
    }
    SECTION("that have used their session stay, and who says nothing is sent away")
    {
        Scene s(mode, {await_input(KEY_A), stall()}, {"--handshake-limit", HANDSHAKE_LIMIT});
        RawClient client(s.a.port);
        client.greet(mode);
        client.say(many(150, KEY_A)); /* where nothing is read, it is the bytes that count */
        RawClient silent(s.a.port);   /* came later, and goes first */
        silent.hear_all();
        s.a.await("the handshake was not finished in time");
        CHECK(client.waits() == 0);
    }
}

TEST_CASE("who holds a place and does not use it is sent away", "[faults]")
{
    SECTION("silence behind the handshake")
    {
        const Mode mode = each_mode();
        INFO(mode.name);
        if (mode.piped()) /* TLS alone is enough there */
            return;
        Scene s(mode, {stall()}, {"--handshake-limit", HANDSHAKE_LIMIT});
        RawClient client(s.a.port);
        client.greet(mode);
        offer_push(client); /* that is no request */
        client.hear_all();
        s.a.await("the client has asked for nothing in time");
    }
    std::string plain = u8(0) + u8(2); /* VeNCrypt's version */
    SECTION("an encrypted connection in which only the server speaks")
    {
        FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(19)),
                           expect(1), send_step(plain + std::string(4096, 'x')), stall()});
        Accelerator a(server.address(),
                      {"--handshake-limit", HANDSHAKE_LIMIT, "--security", "pass"});
        RawClient client(a.port);
        client.hear(12);
        client.say("RFB 003.008\n");
        client.hear(2);
        client.say(u8(19));
        CHECK(client.hear_all().size() == 2 + 4096);
        a.await("the handshake was not finished in time");
    }
    SECTION("one in which only the client speaks")
    {
        FakeServer server({send_step("RFB 003.008\n"), expect(12), send_step(u8(1) + u8(19)),
                           expect(1), send_step(plain), stall()});
        Accelerator a(server.address(),
                      {"--handshake-limit", HANDSHAKE_LIMIT, "--security", "pass"});
        RawClient client(a.port);
        client.hear(12);
        client.say("RFB 003.008\n");
        client.hear(2);
        client.say(u8(19) + std::string(4096, 'x'));
        CHECK(client.hear_all() == plain);
        a.await("the handshake was not finished in time");
    }
}

TEST_CASE("clients that do not behave", "[faults]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address, {"--handshake-limit", HANDSHAKE_LIMIT});
    ViewerOptions o;
    o.address = a.address();
    Viewer other(o); /* goes on through all of this */
    require_connected(other);
    {
        RawClient client(a.port);
        client.say("GET / HTTP/1.1\r\n\r\n");
        client.hear_all();
        a.await("event=end", 1);
    }
    {
        RawClient client(a.port); /* says nothing */
        client.hear_all();
        a.await("event=end", 2);
    }
    {
        RawClient client(a.port);
        client.hear(12);
        client.hang_up();
        a.await("event=end", 3);
    }
    {
        RawClient client(a.port); /* an unknown message: the server ends it */
        client.greet();
        client.say(std::string("\xfe\xfe\xfe\xfe", 4));
        client.hear_all();
        a.await("event=not-accelerated", 1);
        a.await("event=end", 4);
    }
    {
        RawClient client(a.port); /* sends no more, but reads */
        client.greet();
        client.ask(false);
        client.send_no_more();
        client.hear_all();
        a.await("why=\"the client has left\"", 1);
    }
    server->screen->animate(5);
    check_picture(other, server->screen->capture());
}

TEST_CASE("a client leaves while its server takes nothing", "[faults]")
{
    TempDir dir;
    XvncOptions options;
    options.more = {"-rfbunixpath", dir.file("rfb")};
    auto server = start_tigervnc(options);
    if (!server)
        return;
    Accelerator a(dir.file("rfb"));
    RawClient client(a.port);
    client.greet();
    server->processes[0]->signal(SIGSTOP);
    std::string keys;
    for (int i = 0; i < 25000; i++) /* more than its sockets take, less than ours do */
        keys += KEY_A;
    client.say_what_is_taken(keys);
    client.hang_up();
    a.await("why=\"the client has left\"");
    server->processes[0]->signal(SIGCONT);
}

TEST_CASE("too many clients are sent away, and those who are here stay", "[faults]")
{
    auto server = start_tigervnc();
    if (!server)
        return;
    Accelerator a(server->address, {"--clients-per-address", "3", "--clients", "5"});
    ViewerOptions o;
    o.address = a.address();
    Viewer first(o);
    require_connected(first);
    RawClient second(a.port), third(a.port);
    second.greet();
    third.greet();
    for (int i = 0; i < 10000; i++) {
        RawClient more(a.port);
        if (i % 100 == 0)
            CHECK(more.hear_all().empty());
    }
    a.await("event=refused");
    INFO(a.process->err().size());
    CHECK(a.process->err().size() < 200000); /* the log does not grow with each of them */
    server->screen->animate(5);
    check_picture(first, server->screen->capture());
    third.hang_up();
    bool free_again = wait_until(PATIENCE, [&] {
        RawClient next(a.port);
        return !next.hear(12).empty();
    });
    CHECK(free_again);
}

namespace
{

/* The first descriptor that is free; what lies above was inherited. */
rlim_t first_free(const Process &p)
{
    std::string open_ones = "/proc/" + std::to_string(p.pid()) + "/fd/";
    rlim_t free_one = 0;
    while (std::filesystem::exists(
        std::filesystem::symlink_status(open_ones + std::to_string(free_one))))
        free_one++;
    return free_one;
}

/* It may have descriptors below this one. */
void allow_descriptors(const Process &p, rlim_t below)
{
    rlimit limit;
    REQUIRE(prlimit(p.pid(), RLIMIT_NOFILE, nullptr, &limit) == 0);
    limit.rlim_cur = below;
    REQUIRE(prlimit(p.pid(), RLIMIT_NOFILE, &limit, nullptr) == 0);
}

void sent_away(Accelerator &a, size_t times)
{
    RawClient client(a.port);
    CHECK(client.hear_all().empty());
    a.await("no descriptors left", times);
}

} // namespace

TEST_CASE("clients are sent away as long as there are no descriptors", "[faults]")
{
    FakeServer server({stall()});
    Accelerator a(server.address());
    a.await("event=confined");
    allow_descriptors(*a.process, first_free(*a.process));
    for (size_t i = 1; i <= 3; i++)
        sent_away(a, i);
}

TEST_CASE("a spare descriptor that was lost is regained", "[faults]")
{
    FakeServer server({send_step("RFB 003.008\n"), stall()});
    Accelerator a(server.address());
    a.await("event=confined");
    rlim_t first = first_free(*a.process);
    allow_descriptors(*a.process, 3); /* the one that is given up is gone, then */
    RawClient waits(a.port);
    /* it has tried: the spare one is not there any more */
    REQUIRE(wait_until(PATIENCE, [&] { return first_free(*a.process) < first; }));
    CHECK(comes_to_rest(*a.process));
    allow_descriptors(*a.process, first + 16);
    CHECK(waits.hear(12) == "RFB 003.008\n");
    allow_descriptors(*a.process, first_free(*a.process));
    sent_away(a, 1);
}
