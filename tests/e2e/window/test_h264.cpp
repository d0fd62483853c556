/* The program at a server that sends Open H.264: without a window, and in one. The process that
 * decodes is confined, as for a user. */
#include "tests/h264_stream.hpp"

#include <cjson/cJSON.h>

#include "rfb/film/h264_contexts.h"
#include "tests/catch.hpp"
#include "tests/e2e/desk.hpp"
#include "tests/e2e/fake_server.hpp"
#include "tests/e2e/json.hpp"
#include "tests/e2e/program.hpp"
#include "tests/e2e/shown_viewer.hpp"

using namespace e2e;

namespace
{

const int W = 320, H = 240, PICTURES = 30;

struct Sent {
    Script script = handshake(W, H);
    size_t bytes = 0;

    /* A picture for each request. The one in the middle is broken, and those behind it cannot be
     * shown before the one that stands alone. */
    Sent()
    {
        h264::Coder c(W, H);
        for (int i = 0; i < PICTURES; i++) {
            std::string stream = c.code(h264::picture(i, W, H), i == PICTURES - 5);
            if (i == PICTURES / 2)
                stream.resize(stream.size() / 2);
            const std::string body = h264::body(stream, i == 0);
            bytes += body.size();
            script = script + Script{await_request(),
                                     send_step(h264::update(0, 0, W, H, ENCODING_H264, body))};
        }
    }
};

bool shows_last(const Image &seen)
{
    h264::Image i(W, H);
    if (seen.width != W || seen.height != H)
        return false;
    i.pixels = seen.pixels;
    return h264::psnr(i, h264::picture(PICTURES - 1, W, H)) > 30;
}

} // namespace

TEST_CASE("h264: the program takes it by itself, confined, and says what it weighed")
{
    Sent sent;
    FakeServer server(sent.script); /* it ends when all is sent */
    Finished f = run(vnchl({"--headless", "--duration", "1000", "--json", "-", server.address()}));
    INFO(f.err);
    Json all = parse(f.out);
    const cJSON *seen = cJSON_GetObjectItem(all.get(), "encodings_seen");
    REQUIRE(cJSON_GetArraySize(seen) == 1);
    CHECK(std::string(cJSON_GetArrayItem(seen, 0)->valuestring) == "h264");
    const cJSON *bytes = cJSON_GetObjectItem(all.get(), "encoding_bytes");
    REQUIRE(cJSON_GetObjectItem(bytes, "h264"));
    CHECK(cJSON_GetObjectItem(bytes, "h264")->valuedouble == double(sent.bytes));
}

TEST_CASE("h264: what cannot be shown is named in one line, and counted")
{
    int side = W;
    std::string why = "its pixels have more than 8 bits, or are RGB";
    SECTION("ten bits") {}
    SECTION("a screen that is too large")
    {
        side = 4400;
        why = "its pictures are too large";
    }
    const auto streams = h264::grey(W, W, X264_CSP_I420, 10, 1, 3);
    Script script = handshake(side, side);
    for (const std::string &stream : streams)
        script =
            script + Script{await_request(), send_step(h264::update(0, 0, side, side, ENCODING_H264,
                                                                    h264::body(stream, 0)))};
    FakeServer server(script);
    Finished f = run(vnchl({"--headless", "--duration", "1000", "--json", "-", server.address()}));
    INFO(f.err);
    const std::string line =
        "the server's H.264 cannot be shown: " + why + "; it is asked for other encodings\n";
    const size_t at = f.err.find(line);
    REQUIRE(at != std::string::npos);
    CHECK(f.err.find("H.264", at + line.size()) == std::string::npos);
    Json all = parse(f.out);
    CHECK(cJSON_GetObjectItem(all.get(), "h264_unread")->valuedouble == double(streams.size()));
}

TEST_CASE("h264: a server that begins anew with every few bytes is not followed")
{
    const int count = 5000;
    const std::string slice("\0\0\1\x65\x88\x84", 6); /* of a picture that there is not */
    const std::string one = h264::update(0, 0, W, H, ENCODING_H264, h264::body(slice, H264_RESET));
    std::string all;
    for (int i = 0; i < count; i++)
        all += one;
    FakeServer server(handshake(W, H) + Script{await_request(), send_step(all)});
    Finished f = run(vnchl({"--headless", "--duration", "1000", "--json", "-", server.address()}));
    INFO(f.err);
    CHECK(f.err.find("H.264 cannot be shown: it begins anew too often; ") != std::string::npos);
    const int begun = H264_BEGINNINGS + count * int(slice.size()) / H264_BEGINNING_BYTES;
    CHECK(cJSON_GetObjectItem(parse(f.out).get(), "h264_unread")->valueint == count - begun);
}

TEST_CASE("h264: what was recorded is played")
{
    TempDir dir;
    Sent sent;
    FakeServer server(sent.script);
    const std::string file = dir.file("run.fbs");
    run(vnchl({"--headless", "--duration", "1000", "--record", file, server.address()}));
    Finished f = run(vnchl({"--headless", "--play", file, "--speed", "max", "--json", "-"}));
    INFO(f.err);
    REQUIRE(f.status == 0);
    Json all = parse(f.out);
    const cJSON *bytes = cJSON_GetObjectItem(all.get(), "encoding_bytes");
    REQUIRE(cJSON_GetObjectItem(bytes, "h264"));
    CHECK(cJSON_GetObjectItem(bytes, "h264")->valuedouble == double(sent.bytes));
}

TEST_CASE("h264: the window shows it, also after a picture that was broken")
{
    if (!can_run())
        return;
    Desk desk;
    Sent sent;
    FakeServer server(sent.script + Script{stall()});
    auto p = ShownViewer::start(desk.name(), server.address(), {"--encodings", ENCODINGS_DEFAULT});
    Desk::Window w = 0;
    wait_until(PATIENCE, [&] { return (w = desk.find_desktop()) || !p->running(); });
    INFO(p->err());
    REQUIRE(w);
    CHECK(wait_until(PATIENCE, [&] { return shows_last(desk.capture(w)); }));
    desk.close_window(w);
    CHECK(p->wait(PATIENCE) == 0);
}
