// A session's responses: their parts add up, whatever the far end tells, and without one.
#include "tests/catch.hpp"

#include <string>

#include "rfb/proto/extensions/turnaround.h"
#include "tests/unit/session_blocks.hpp"

using namespace peer;

namespace
{

const std::string TEXT("\3\0\0\0\0\0\0\1x", 9);
const int W = 64, H = 48; // of let_in()

std::string shows()
{
    accelerator_shown shown = {"bbr", 1, 1, false, false, 0, {}, {}, false, {}, 0, {}};
    return written([&](uint8_t *o) { return server_write_accelerator(o, &shown); });
}

// A picture of one colour, drawn when the server had so many messages of input.
std::string picture(uint32_t sequence, uint16_t input)
{
    const uint8_t rgb[] = {uint8_t(sequence), 2, 3};
    uint8_t wire[BLOCK_MAX];
    block b = {};
    b.codec = BLOCK_SOLID;
    b.sequence = sequence;
    b.area = {0, 0, W, H};
    b.payload = rgb;
    b.size = sizeof rgb;
    b.input = input;
    return message(std::string(reinterpret_cast<char *>(wire), block_pack(&b, wire)), true);
}

// The server took `server_us`, the rest a few µs.
std::string tells(uint16_t number, tick_t server_us)
{
    const response_far far = {1000, server_us * 1000, 2000, 3000, 0, 0.02};
    return written([&](uint8_t *o) { return turnaround_write(o, number, &far); });
}

std::string raw(uint32_t colour)
{
    std::string all = written([](uint8_t *o) {
        size_t size = server_write_update(o, 1);
        return size + server_write_rectangle(o + size, {0, 0, W, H}, ENCODING_RAW);
    });
    for (int i = 0; i < W * H; i++)
        all.append(reinterpret_cast<const char *>(&colour), 4);
    return all;
}

// Keys are pressed, each answered by a text behind its picture, until a response was measured: a
// machine that is busy for two seconds measures none.
struct session_stats pressed(Owner &owner, int presses)
{
    struct session_stats s = {};
    for (int i = 0; i < presses; i++) {
        session_send_key(owner, 'a', true);
        wait_for(owner, SESSION_CUT_TEXT);
        s = figures(owner);
    }
    return s;
}

const int PRESSES = 5;

} // namespace

TEST_CASE("session: the far end's parts and the viewer's are the response")
{
    bool before = GENERATE(false, true); // it is told before the block or behind it
    INFO(before);
    Server server([&](Peer &p) {
        begin(p);
        Heard heard(p);
        heard.until(CLIENT_SET_ENCODINGS);
        p.write(shows() + picture(1, 0));
        for (uint16_t i = 1; i <= PRESSES; i++) {
            heard.until(CLIENT_KEY);
            // A response takes no less than the parts that are told of it: 13 us here.
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            p.write((before ? tells(i, 7) : "") + picture(1u + i, i) + (before ? "" : tells(i, 7)) +
                    TEXT);
        }
        p.read_rest();
    });
    struct session_options o = options_for(server);
    o.encodings.pushing = true;
    Owner owner(o);
    owner.connected();
    const struct session_stats s = pressed(owner, PRESSES);
    REQUIRE(s.response.total > 0);
    CHECK(response_parts_valid(&s.response)); // they add up
    CHECK(s.response.far);
    CHECK(s.response.part[RESPONSE_INPUT] == 1000);
    CHECK(s.response.part[RESPONSE_SERVER] == 7000);
    CHECK(s.response.part[RESPONSE_ENCODER] == 2000);
    CHECK(s.response.part[RESPONSE_QUEUE] == 3000);
    CHECK(s.response.part[RESPONSE_PATH] > 0);
    CHECK(s.response.part[RESPONSE_DISPLAY] == 0);
    CHECK(s.response.loss == Approx(0.02));
    CHECK(s.response_drawn > 0);
    CHECK((s.response_ms == 0 || s.response_ms == tick_to_ms(s.response.total)));
}

TEST_CASE("session: a far end that tells nothing, or lies, leaves what was measured here")
{
    bool lies = GENERATE(false, true);
    INFO(lies);
    Server server([&](Peer &p) {
        begin(p);
        Heard heard(p);
        heard.until(CLIENT_SET_ENCODINGS);
        p.write(shows() + picture(1, 0));
        for (uint16_t i = 1; i <= PRESSES; i++) {
            heard.until(CLIENT_KEY);
            p.write(picture(1u + i, i) + (lies ? tells(i, UINT32_MAX) : "") + TEXT);
        }
        p.read_rest();
    });
    Owner owner(options_for(server));
    owner.connected();
    const struct session_stats s = pressed(owner, PRESSES);
    REQUIRE(s.response.total > 0);
    CHECK(response_parts_valid(&s.response));
    CHECK_FALSE(s.response.far);
    CHECK(s.response.part[RESPONSE_SERVER] == 0);
    CHECK(s.response.part[RESPONSE_REST] > 0);
}

TEST_CASE("session: where pictures are asked for, server and line are one part")
{
    Server server([&](Peer &p) {
        begin(p);
        Heard heard(p);
        heard.until(CLIENT_UPDATE_REQUEST);
        p.write(raw(0) + TEXT);
        for (uint32_t i = 1; i <= PRESSES; i++) {
            heard.until(CLIENT_KEY);
            p.write(raw(i) + TEXT);
        }
        p.read_rest();
    });
    Owner owner(options_for(server, false));
    owner.connected();
    wait_for(owner, SESSION_CUT_TEXT); // a key before it would be read with the request
    const struct session_stats s = pressed(owner, PRESSES);
    REQUIRE(s.response.total > 0);
    CHECK(response_parts_valid(&s.response));
    CHECK_FALSE(s.response.far);
    CHECK(s.response.part[RESPONSE_DECODER] > 0);
    CHECK(s.response.part[RESPONSE_PATH] == 0); // nobody knows the round trip of a Unix socket
    CHECK(s.response.part[RESPONSE_REST] == s.response.total - s.response.part[RESPONSE_DECODER]);
}
