// What a far end tells of an input, as bytes.
#include "tests/catch.hpp"

#include <string>

#include "rfb/proto/encodings/encodings.h"
#include "rfb/proto/extensions/turnaround.h"

namespace
{

response_far there_and_back(uint16_t number, const response_far &far)
{
    uint8_t bytes[TURNAROUND_UPDATE];
    response_far out;
    rect r;

    REQUIRE(turnaround_write(bytes, number, &far) == sizeof bytes);
    CHECK(bytes[0] == SERVER_UPDATE);
    CHECK(server_read_update(bytes) == 1);
    CHECK(server_read_rectangle(bytes + SERVER_UPDATE_HEAD, &r) == PSEUDO_TURNAROUND);
    CHECK(turnaround_read(bytes + SERVER_UPDATE_HEAD + RECTANGLE_HEAD, &out) == number);
    return out;
}

} // namespace

TEST_CASE("turnaround: written and read it is the same, in whole microseconds")
{
    const response_far far = {1000, 40 * TICK_MS, 2 * TICK_MS + 999, 3 * TICK_S, 5 * TICK_MS, 0.03};
    const response_far out = there_and_back(65535, far);

    CHECK(out.input == 1000);
    CHECK(out.server == 40 * TICK_MS);
    CHECK(out.encoder == 2 * TICK_MS);
    CHECK(out.queue == 3 * TICK_S);
    CHECK(out.path_queue == 5 * TICK_MS);
    CHECK(out.loss == Approx(0.03));
}

TEST_CASE("turnaround: what is not known, and what has no room")
{
    const response_far out = there_and_back(0, {-5, 1 << 30, INT64_MAX, 0, 0, -1});

    CHECK(out.input == 0);
    CHECK(out.encoder == tick_t(UINT32_MAX) * 1000);
    CHECK(out.loss < 0);
    CHECK(there_and_back(1, {0, 0, 0, 0, 0, 0}).loss == 0);
    CHECK(there_and_back(1, {0, 0, 0, 0, 0, 1}).loss == 1);
    uint8_t payload[TURNAROUND_BYTES];
    response_far any;
    for (int fill = 0; fill < 256; fill++) { // whatever stands there
        std::fill(payload, payload + sizeof payload, uint8_t(fill));
        turnaround_read(payload, &any);
        CHECK((any.loss >= -1 && any.loss <= 1));
        CHECK((any.input >= 0 && any.path_queue >= 0));
    }
}
