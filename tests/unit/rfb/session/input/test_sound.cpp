// Whether a server is told to send its sound, and what its owner hears of that.
#include "tests/catch.hpp"

#include <string>

#include "rfb/session/input/sound.h"

namespace
{

const double ENOUGH = double(SOUND_PLENTY) * SOUND_SECOND, FEW = double(SOUND_LEAST) * SOUND_SECOND;

const std::string ON("\xff\1\0\2\3\2\0\0\xac\x44\xff\1\0\0", 14), OFF("\xff\1\0\1", 4);

struct Ears {
    events *heard;
    sound *s;
    tick_t now = TICK_S;

    explicit Ears(sound_wish wish)
    {
        const session_callbacks none = {};
        heard = events_create(&none);
        s = sound_create(wish, heard);
        REQUIRE(s);
    }
    ~Ears()
    {
        sound_destroy(s);
        events_destroy(heard);
    }
    Ears(const Ears &) = delete;
    Ears &operator=(const Ears &) = delete;

    bool learn()
    {
        return sound_learn(s, now);
    }
    // What the server is told then.
    std::string look(double rate, tick_t round_trip = 0, tick_t later = TICK_S)
    {
        now += later;
        sound_look(s, rate, round_trip, now);
        return told();
    }
    std::string told()
    {
        uint8_t out[QEMU_AUDIO_WRITE_MAX];
        const size_t size = sound_write(s, out);
        return std::string(out, out + size);
    }
    bool came(size_t size = 4096)
    {
        return sound_came(s, size, now);
    }
    // "1": sound comes, "0": not any more, "": nothing was said
    std::string events_said()
    {
        std::string all;
        while (session_event *e = events_take(heard)) {
            CHECK(e->type == SESSION_SOUND);
            CHECK(session_event_valid(e, sizeof *e));
            all += e->width ? "1" : "0";
            free(e);
        }
        return all;
    }
    sound_state state()
    {
        struct session_stats stats = {};
        sound_stats(s, &stats);
        return sound_state(stats.sound);
    }
};

} // namespace

TEST_CASE("sound: a server that has none is told nothing")
{
    for (sound_wish wish : {SOUND_WISH_OFF, SOUND_WISH_AUTO, SOUND_WISH_ON}) {
        Ears e(wish);
        for (int i = 0; i < 20; i++)
            CHECK(e.look(100 * ENOUGH, TICK_MS).empty());
        CHECK(e.state() == SOUND_NONE);
        CHECK_FALSE(e.came());
    }
}

TEST_CASE("sound: who has asked for it gets it on any path, once")
{
    Ears e(SOUND_WISH_ON);

    CHECK(e.learn());
    CHECK_FALSE(e.learn());
    CHECK(e.look(1) == ON);
    CHECK(e.state() == SOUND_ON);
    for (int i = 0; i < 30; i++)
        CHECK(e.look(i % 2 ? 1 : 100 * ENOUGH).empty());
}

TEST_CASE("sound: by itself it comes on a fast path only, and does not come and go")
{
    Ears e(SOUND_WISH_AUTO);

    e.learn();
    CHECK(e.look(ENOUGH - 1, TICK_MS).empty());
    CHECK(e.state() == SOUND_SLOW);
    CHECK(e.look(ENOUGH, TICK_S) == ON);
    CHECK(e.look(FEW, TICK_S, 20 * TICK_S).empty()); // between the two it stays as it was
    CHECK(e.look(FEW - 1) == OFF);
    CHECK(e.state() == SOUND_SLOW);
    CHECK(e.look(ENOUGH - 1, TICK_S, 20 * TICK_S).empty());
    CHECK(e.look(ENOUGH) == ON);
    // not before some seconds have passed
    CHECK(e.look(1).empty());
    CHECK(e.look(1, 0, SOUND_EVERY) == OFF);
}

TEST_CASE("sound: while the rate is not known the round trip says how near the server is")
{
    for (tick_t round_trip : {tick_t(0), 20 * TICK_MS + 1, 300 * TICK_MS}) {
        Ears far(SOUND_WISH_AUTO);
        far.learn();
        for (int i = 0; i < 20; i++)
            CHECK(far.look(0, round_trip).empty());
    }
    Ears near(SOUND_WISH_AUTO);
    near.learn();
    CHECK(near.look(0, TICK_MS).empty()); // the first picture may tell more
    CHECK(near.look(0, TICK_MS) == ON);
}

TEST_CASE("sound: what the user chooses counts, whatever the path is like")
{
    Ears e(SOUND_WISH_AUTO);

    e.learn();
    CHECK(e.look(100 * ENOUGH) == ON);
    sound_want(e.s, false);
    CHECK(e.told() == OFF);
    CHECK(e.state() == SOUND_MUTED);
    CHECK(e.look(100 * ENOUGH, 0, 100 * TICK_S).empty());
    sound_want(e.s, true);
    CHECK(e.told() == ON);
    CHECK(e.look(1, 0, 100 * TICK_S).empty());
}

TEST_CASE("sound: the owner hears when it comes, and when it has ended")
{
    Ears e(SOUND_WISH_ON);

    e.learn();
    CHECK_FALSE(e.came()); // nobody has asked yet
    CHECK(e.events_said() == "");
    e.look(1);
    CHECK(e.events_said() == "");
    CHECK(e.came());
    CHECK(e.came());
    CHECK(e.events_said() == "1");
    e.look(1, 0, SOUND_QUIET - 1);
    CHECK(e.events_said() == "");
    e.look(1, 0, 1);
    CHECK(e.events_said() == "0");
    CHECK(e.came());
    CHECK(e.events_said() == "1");
    sound_want(e.s, false);
    e.told();
    CHECK(e.events_said() == "0");
    CHECK_FALSE(e.came()); // what was on its way
    CHECK(e.events_said() == "");
    struct session_stats stats = {};
    sound_stats(e.s, &stats);
    CHECK(stats.sound_bytes == 5 * 4096);
}
