/* Checks the picture tests share. */
#pragma once

#include <cstdlib>

#include "servers.hpp"
#include "tests/catch.hpp"
#include "viewer.hpp"

namespace e2e
{

/* The viewer's picture becomes `expected` and nothing else. With VNCHL_E2E_DUMP=FOLDER in the
 * environment both pictures are kept when it does not. */
inline void check_picture(Viewer &viewer, const Image &expected, milliseconds limit = PATIENCE)
{
    REQUIRE(expected.width > 0);
    bool equal = viewer.wait_picture(expected, limit);
    INFO(difference(viewer.picture(), expected));
    INFO(viewer.describe());
    const char *folder = getenv("VNCHL_E2E_DUMP");
    if (!equal && folder) {
        write_ppm(std::string(folder) + "/viewer.ppm", viewer.picture());
        write_ppm(std::string(folder) + "/server.ppm", expected);
    }
    CHECK(equal);
}

inline void require_connected(Viewer &viewer)
{
    bool connected = viewer.wait_connected();
    INFO(viewer.describe());
    REQUIRE(connected);
}

/* The viewer has its first picture: what moves from now on needs another update. */
inline void require_first_picture(Viewer &viewer)
{
    bool there = wait_until(PATIENCE, [&] { return viewer.stats().meter.updates >= 1; });
    INFO(viewer.describe());
    REQUIRE(there);
}

/* The newest word about the locks, once it is this. */
inline bool wait_leds(Viewer &viewer, unsigned leds)
{
    while (auto e = viewer.wait_event(SESSION_LEDS))
        if (e->leds == leds)
            return true;
    return false;
}

inline ViewerOptions to(const Server &server)
{
    ViewerOptions o;
    o.address = server.address;
    return o;
}

} // namespace e2e
