/* Where a recording is, in words (viewer/desktop/pages/told/notice.h). */
#include <string>

#include "tests/catch.hpp"
#include "viewer/desktop/pages/told/notice.h"

namespace
{

std::string words(uint32_t place, uint32_t length)
{
    char out[PLAY_WORDS_MAX];
    const struct play_state s = {place, length, false, false};

    play_words_place(&s, out);
    return out;
}

std::string notice(const struct play_state &play, enum connection_state state)
{
    struct connection_status s = {};
    char out[NOTICE_MAX];

    s.state = state;
    s.plays = true;
    s.play = play;
    notice_text(&s, out);
    return out;
}

} // namespace

TEST_CASE("play words: the place, and the length where it is known")
{
    CHECK(words(0, 0) == "0:00");
    CHECK(words(12999, 94000) == "0:12 of 1:34");
    CHECK(words(3605000, 7800000) == "1:00:05 of 2:10:00");
    CHECK(words(UINT32_MAX, UINT32_MAX) == "1193:02:47 of 1193:02:47");
}

TEST_CASE("play words: the bar says that a recording stands, and where it goes")
{
    CHECK(notice({12000, 94000, false, false}, CONNECTION_UP).empty());
    CHECK(notice({12000, 94000, true, false}, CONNECTION_UP) ==
          "paused at 0:12 of 1:34; Space goes on");
    CHECK(notice({12000, 94000, true, true}, CONNECTION_CONNECTING) == "moving to 0:12 of 1:34");
}
