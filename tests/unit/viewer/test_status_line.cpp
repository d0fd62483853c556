// What --verbose says while a session runs.
#include "tests/catch.hpp"

#include <string>

#include "rfb/proto/encodings/encodings.h"
#include "viewer/statistics.h"

namespace
{

std::string line(const struct session_stats &said, const struct session_stats &now)
{
    char text[200] = "";

    return status_line(&said, &now, text, sizeof text) ? text : "";
}

} // namespace

TEST_CASE("encodings, quality and round trip are said when they change")
{
    struct session_stats none {
    }, now{}, next;

    now.rtt_ms = 4.2;
    now.quality = 8;
    now.compress = 1;
    CHECK(line(none, now).empty()); /* no picture has come */
    now.encodings_seen = 1u << encoding_row(ENCODING_TIGHT) | 1u << encoding_row(ENCODING_COPYRECT);
    CHECK(line(none, now) ==
          "round trip 4.2 ms; encodings: tight, copyrect; JPEG level 8, compression 1");
    CHECK(line(now, now).empty());
    next = now;
    next.fps = 30;
    next.rtt_ms = 8; /* small change */
    CHECK(line(now, next).empty());
    next.rtt_ms = 120;
    CHECK(line(now, next).find("round trip 120 ms") == 0);
    next = now;
    next.quality = 5;
    CHECK(line(now, next).find("JPEG level 5") != std::string::npos);
    next = now;
    next.encodings_seen |= 1u << encoding_row(ENCODING_ZRLE);
    CHECK(line(now, next).find("zrle") != std::string::npos);
    next.rtt_ms = 0;
    CHECK(line(none, next).find("round trip not known") == 0);
    next = now;
    next.blocks = true;
    CHECK(line(now, next) == "round trip 4.2 ms; the far end pushes blocks");
    now = next;
    next.datagrams = true; /* they work a little later than the stream */
    CHECK(line(now, next) == "round trip 4.2 ms; the far end pushes blocks, as datagrams, too");
    CHECK(line(next, next).empty());
    now = next;
    next.film = true;
    next.pushing.film_qp = 28;
    CHECK(line(now, next) ==
          "round trip 4.2 ms; the far end pushes blocks, as datagrams, too; film, QP 28");
    now = next;
    next.pushing.film_qp = 30; /* it follows the path all the time */
    CHECK(line(now, next).empty());
    now.film = false;
    next.pushing.film_qp = 0; /* an old far end */
    CHECK(line(now, next) ==
          "round trip 4.2 ms; the far end pushes blocks, as datagrams, too; film");
}
