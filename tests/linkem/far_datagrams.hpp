/* A far end that pushes blocks, and whether they go as datagrams. */
#pragma once

#include "tests/catch.hpp"
#include "tests/linkem/far.hpp"

namespace lab
{

/* A film of so many frames, each of which is all new, comes as more packets than these. Those that
 * only ask for an answer are one in a second. */
constexpr int FRAMES = 10;
constexpr uint64_t PACKETS = 50;

inline FarOptions accelerated(const std::vector<std::string> &link = {})
{
    FarOptions o;
    o.accelerated = true;
    o.link = link;
    return o;
}

/* Packets that have come to the viewer during a film, and until the picture was exact. */
inline uint64_t packets_of_film(Far &far)
{
    const uint64_t before = far.datagrams(true);
    far.screen().film(int(before), FRAMES, e2e::milliseconds(30));
    CHECK(far.wait_exact());
    return far.datagrams(true) - before;
}

/* Pictures come as datagrams, now or soon. */
inline bool come_as_datagrams(Far &far)
{
    return e2e::wait_until(e2e::PATIENCE, [&] { return packets_of_film(far) > PACKETS; });
}

} // namespace lab
