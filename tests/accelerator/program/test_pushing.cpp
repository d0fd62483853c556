/* Clients that take blocks: a process for each stands between them and their server. What any of
 * the three does ends that session and no other. */
#include <signal.h>

#include <filesystem>

#include "rfb/proto/handshake/security.h"
#include "tests/accelerator/pushing.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/rfb_peer.hpp"
#include "tests/seed.hpp"

using namespace e2e;
using namespace accelerator;

namespace
{

/* Those in which the accelerator can read the session. */
Mode each_pushing_mode()
{
    return GENERATE(from_range(std::begin(MODES), std::begin(MODES) + 4));
}

std::string encodings(const std::vector<int32_t> &list)
{
    std::string message = u8(2) + u8(0) + u16(static_cast<unsigned>(list.size()));
    for (int32_t encoding : list)
        message += u32(static_cast<uint32_t>(encoding));
    return message;
}

const std::vector<int32_t> TAKES_BLOCKS = {ENCODING_RAW, PSEUDO_ACCELERATOR, PSEUDO_DESKTOP_SIZE,
                                           PSEUDO_DESKTOP_NAME, PSEUDO_BLOCKS_0 + 1};

/* What the far end says first. The congestion control is the machine's. */
void hear_who_pushes(RawClient &client)
{
    const std::string head = client.hear(4 + 12);
    REQUIRE(head.size() == 16);
    const std::string text =
        client.hear(static_cast<unsigned char>(head[9]) | static_cast<size_t>(head[8]) << 8);
    INFO(text);
    REQUIRE(text.find("blocks=1-1") != std::string::npos);
}

void take_blocks(RawClient &client, const Mode &mode)
{
    client.greet(mode);
    client.say(encodings(TAKES_BLOCKS));
    hear_who_pushes(client);
}

std::string acknowledgement(uint32_t sequence)
{
    return u8(CLIENT_BLOCKS) + u8(0) + u8(1) + u8(0) + u32(sequence) + u32(0);
}

/* Draws blocks of one colour until all of the picture has it. False: the session has ended. */
bool draw_until(RawClient &client, uint32_t colour, size_t pixels)
{
    size_t drawn = 0;
    while (drawn < pixels) {
        const std::string head = client.hear(1 + BLOCK_HEAD);
        block b;
        reason why;
        if (head.size() != 1 + BLOCK_HEAD || static_cast<uint8_t>(head[0]) != SERVER_BLOCK ||
            !block_unpack_head(&b, reinterpret_cast<const uint8_t *>(head.data()) + 1, &why))
            return false;
        const std::string payload = client.hear(b.size);
        const std::string rgb = u8(colour >> 16 & 255) + u8(colour >> 8 & 255) + u8(colour & 255);
        drawn = b.codec == BLOCK_SOLID && payload == rgb
                    ? drawn + static_cast<size_t>(b.area.w) * static_cast<size_t>(b.area.h)
                    : 0;
        client.say(acknowledgement(b.sequence));
    }
    return true;
}

/* All have ended, and nobody is left of them. */
void await_no_pusher(const Accelerator &a)
{
    CHECK(wait_until(PATIENCE, [&] { return pushers_of(a.process->pid()).empty(); }));
}

Script shows(uint32_t colour)
{
    return {await_request(), send_step(raw_screen(64, 64, colour))};
}

} // namespace

TEST_CASE("pushing: a picture in blocks, and input on its way back", "[pushing]")
{
    const Mode mode = each_pushing_mode();
    INFO(mode.name);
    Scene s(mode, shows(0x123456) + Script{await_input(KEY_A), send_step(bells(1)), stall()});
    RawClient client(s.a.port);
    take_blocks(client, mode);
    CHECK(draw_until(client, 0x123456, 64 * 64));
    client.say(KEY_A);
    CHECK(client.hear(1) == bells(1));
    s.a.await("event=pushed");
    client.hang_up();
    s.a.await("event=end");
    await_no_pusher(s.a);
}

TEST_CASE("pushing: servers that do not behave end their own session", "[pushing]")
{
    const Mode mode = each_pushing_mode();
    const std::string half = raw_screen(64, 64, 1).substr(0, 5000);
    const std::string encoding = update(1) + rectangle(0, 0, 64, 64, 4711) + "some";
    const std::string sizes = update(1) + rectangle(0, 0, 0xffff, 0xffff, PSEUDO_DESKTOP_SIZE);
    const std::string pixels = update(1) + rectangle(60, 60, 64, 64, ENCODING_RAW);
    const Script ends = GENERATE_COPY(
        values<Script>({{send_step(half)},
                        {send_step(half), reset()},
                        {send_step(encoding), stall()},
                        {send_step(sizes), stall()},
                        {send_step(pixels + std::string(20000, 'x')), stall()},
                        {send_step(u8(SERVER_BLOCK) + std::string(100, 'b')), stall()},
                        {send_step(std::string(1, '\xfe')), stall()}}));
    INFO(mode.name);
    Scene s(mode, Script{await_request()} + ends);
    RawClient client(s.a.port);
    take_blocks(client, mode);
    client.hear_all();
    s.a.await("event=end");
    await_no_pusher(s.a);
    const std::string log = s.a.process->err();
    INFO(log);
    /* TLS knows that its end was not said */
    CHECK(
        (log.find("or the process that pushes blocks has ended") != std::string::npos ||
         (mode.server > SECURITY_NONE && log.find("TLS with the server: ") != std::string::npos)));
    CHECK(s.a.count("event=end") == 1);
}

TEST_CASE("pushing: clients that list blocks, and then say what no client says", "[pushing]")
{
    const Mode mode = each_pushing_mode();
    INFO(mode.name);
    std::mt19937 random(any_seed());
    std::string noise(5000, '\0');
    for (char &c : noise)
        c = static_cast<char>(random());
    for (const std::string &bad :
         {std::string(1000, '\xfe'), u8(CLIENT_BLOCKS) + u8(9) + std::string(10, '\0'),
          std::string("\2\0\xff\xff", 4), u8(1) + noise}) {
        Scene s(mode, shows(0x445566) + Script{stall()});
        RawClient client(s.a.port);
        client.greet(mode);
        client.say(encodings(TAKES_BLOCKS) + bad);
        client.hear_all();
        s.a.await("event=end");
        await_no_pusher(s.a);
    }
}

TEST_CASE("pushing: clients that leave, in the middle of what they say and hear", "[pushing]")
{
    const Mode mode = each_pushing_mode();
    INFO(mode.name);
    Scene s(mode, Script{await_request(), repeat(raw_screen(64, 64, 1) + raw_screen(64, 64, 2))});
    for (size_t i = 1; i <= 3; i++) {
        RawClient client(s.a.port);
        client.greet(mode);
        client.say(encodings(TAKES_BLOCKS));
        if (i > 1)
            hear_who_pushes(client);
        client.say(KEY_A.substr(0, 5));
        client.hang_up();
        s.a.await("event=end", i);
        await_no_pusher(s.a);
    }
}

TEST_CASE("pushing: it is said that the client has left, also when all else ends before its "
          "connection",
          "[pushing]")
{
    const Mode mode = each_pushing_mode();
    INFO(mode.name);
    Scene s(mode, shows(0x123456) + Script{stall()});
    RawClient client(s.a.port);
    take_blocks(client, mode);
    CHECK(draw_until(client, 0x123456, 64 * 64));
    client.say(u8(CLIENT_BLOCKS) + u8(BLOCKS_GOODBYE) + u8(0) + u8(0));
    client.hear_all();
    s.a.await("why=\"the client has left\"");
    CHECK(s.a.count("the server has closed the connection") == 0);
    await_no_pusher(s.a);
}

TEST_CASE("pushing: floods leave memory as it is", "[pushing]")
{
    const Mode mode = each_pushing_mode();
    INFO(mode.name);
    SECTION("of a server, at a client that does not read")
    {
        const std::string text = cut_text(100000) + std::string(100000, 'x');
        Scene s(mode, Script{await_request(), repeat(text)}, {"--hold", "1024"});
        RawClient client(s.a.port);
        take_blocks(client, mode);
        long before = memory(*s.a.process);
        const pid_t pusher = pusher_of(s.a);
        const std::string folder = "/proc/" + std::to_string(pusher);
        std::string ran;
        int rests = 0;
        CHECK(wait_until(PATIENCE, [&] { /* until it takes no more of the server */
                                         const std::string now = read_file(folder + "/schedstat");
                                         rests = now == ran ? rests + 1 : 0;
                                         ran = now;
                                         return rests >= 20;
        }));
        CHECK(memory(*s.a.process) < before + 8192);
        std::istringstream status(read_file(folder + "/status"));
        for (std::string line; std::getline(status, line);)
            if (line.compare(0, 6, "VmHWM:") == 0)
                CHECK(atol(line.c_str() + 6) < 100000);
    }
    SECTION("of a client, at a server that does not read")
    {
        Scene s(mode, {deaf("", milliseconds(100))});
        RawClient client(s.a.port);
        take_blocks(client, mode);
        long before = memory(*s.a.process);
        std::string keys;
        for (int i = 0; i < 8 << 20; i++)
            keys += KEY_A;
        CHECK(client.say_what_is_taken(keys) < keys.size() / 2);
        CHECK(memory(*s.a.process) < before + 8192);
    }
}

TEST_CASE("pushing: who lists blocks and says no more is sent away", "[pushing]")
{
    const Mode mode = each_pushing_mode();
    INFO(mode.name);
    Scene s(mode, shows(0x445566) + Script{stall()}, {"--handshake-limit", HANDSHAKE_LIMIT});
    RawClient silent(s.a.port);
    take_blocks(silent, mode);
    silent.hear_all();
    s.a.await("the client has asked for nothing in time");
    await_no_pusher(s.a);
    RawClient client(s.a.port);
    take_blocks(client, mode);
    CHECK(draw_until(client, 0x445566, 64 * 64)); /* it acknowledges what it reads */
    RawClient other(s.a.port);                    /* came later, and goes first */
    other.hear_all();
    CHECK(client.waits() == 0);
}

TEST_CASE("pushing: one of the processes is killed, and others are not told", "[pushing]")
{
    const Mode mode = each_pushing_mode();
    INFO(mode.name);
    Scene s(mode, shows(0x101010) + Script{stall()});
    RawClient client(s.a.port);
    take_blocks(client, mode);
    CHECK(draw_until(client, 0x101010, 64 * 64));
    kill(pusher_of(s.a), SIGKILL);
    client.hear_all();
    s.a.await("or the process that pushes blocks has ended");
    s.server.play(handshake(mode, 64, 64) + shows(0x202020) + Script{stall()});
    RawClient next(s.a.port);
    take_blocks(next, mode);
    CHECK(draw_until(next, 0x202020, 64 * 64));
}

TEST_CASE("pushing: where nothing can be started, clients get what their server sends", "[pushing]")
{
    const Mode mode = each_pushing_mode();
    INFO(mode.name);
    Scene s(mode, shows(0x101010) + Script{stall()});
    RawClient client(s.a.port);
    take_blocks(client, mode);
    CHECK(draw_until(client, 0x101010, 64 * 64));
    const std::vector<pid_t> children = children_of(s.a.process->pid());
    REQUIRE(children.size() == 1);
    kill(children[0], SIGKILL);
    CHECK(wait_until(PATIENCE, [&] { /* it may be there as a zombie */
                                     const std::string stat = read_file(
                                         "/proc/" + std::to_string(children[0]) + "/stat");
                                     return stat.empty() || stat.find(") Z ") != std::string::npos;
    }));
    client.say(acknowledgement(1)); /* who is there stays */
    CHECK(client.waits() == 0);
    client.hang_up();
    s.a.await("event=end");
    s.server.play(handshake(mode, 64, 64) + shows(0x202020) + Script{stall()});
    RawClient next(s.a.port);
    next.greet(mode);
    next.say(encodings({ENCODING_RAW, PSEUDO_BLOCKS_0 + 1}));
    next.ask(false);
    CHECK(next.hear(4 + 12 + 4 * 64 * 64) == raw_screen(64, 64, 0x202020));
    CHECK(s.a.count("event=pushed") == 1);
}

TEST_CASE("pushing: a server ends its TLS, or breaks it", "[pushing]")
{
    const bool breaks = GENERATE(false, true);
    INFO(breaks);
    peer::Server server([&](peer::Peer &p) {
        p.offer_vencrypt(VENCRYPT_TLS_NONE);
        p.start_tls(nullptr);
        p.write(u32(0));
        p.read(1);
        p.write(handshake(64, 64).back().bytes);
        p.read(1); /* the process that pushes has begun */
        if (breaks)
            p.write_below(std::string(64, 'x'));
        else
            gnutls_bye(p.tls(), GNUTLS_SHUT_WR);
        p.read_rest();
    });
    Watched a(server.path());
    RawClient client(a.port);
    take_blocks(client, TLS_ON_BOTH);
    client.hear_all();
    a.await("event=end");
    INFO(a.process->err());
    CHECK(a.count(breaks ? "TLS with the server: " : "the server has closed the connection") == 1);
    CHECK(a.process->running());
    await_no_pusher(a);
}
