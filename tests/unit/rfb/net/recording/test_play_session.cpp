/* A session whose server is a recording that somebody else's program has made: its handshake took
 * minutes. */
#include <cstring>
#include <string>

#include "fbs_file.hpp"
#include "rfb/net/recording/playback.h"
#include "rfb/proto/encodings/pixel_format.h"
#include "tests/temp_dir.hpp"
#include "tests/unit/session_owner.hpp"

using namespace peer;

namespace
{

const uint32_t MINUTE = 60000; // ms
const unsigned BELL = 2;       // the message

std::string init()
{
    uint8_t format[PIXEL_FORMAT_BYTES];
    pixel_format_write(format, &pixel_format_xrgb);
    return bytes({0, 64, 0, 48}) + std::string(format, format + sizeof format) +
           bytes({0, 0, 0, 4}) + "film";
}

// After 3 minutes it is open, after 4 the bell rings.
std::string foreign(const TempDir &dir)
{
    return dir.write("a.fbs", FBS_GREETING + fbs::block("RFB 003.003\n", MINUTE) +
                                  fbs::block(bytes({0, 0, 0, 1}), 2 * MINUTE) +
                                  fbs::block(init(), 3 * MINUTE) +
                                  fbs::block(bytes({BELL}), 4 * MINUTE));
}

struct session_options playing(const std::string &file, double speed, const play_wish &wish)
{
    struct session_options o = {};
    strcpy(o.route.play, file.c_str());
    o.route.speed = speed;
    o.route.wish = wish;
    return o;
}

// To the end of the recording.
int bells(const struct play_wish &wish)
{
    TempDir dir;
    Owner player(playing(foreign(dir), PLAYBACK_MAX, wish));
    int count = 0;
    for (Event e = player.next(); e->type != SESSION_CLOSED; e = player.next())
        count += e->type == SESSION_BELL;
    return count;
}

} // namespace

TEST_CASE("play session: the handshake comes through before a pause counts, and takes no time")
{
    TempDir dir;
    Owner player(playing(foreign(dir), PLAYBACK_SPEED_LEAST, {true, true, 0}));
    CHECK(player.connected() == "film");
    struct session_stats stats;
    session_stats(player, false, &stats);
    CHECK(stats.play.paused);
    CHECK(stats.play.place == 3 * MINUTE);
}

TEST_CASE("play session: a bell that is hurried over does not ring")
{
    CHECK(bells({}) == 1);
    CHECK(bells({false, true, 5 * MINUTE}) == 0);
}
