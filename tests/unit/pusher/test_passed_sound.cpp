// Sound that waits for the viewer's socket.
#include "tests/catch.hpp"

#include <string>

#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/pusher/viewer/passed_sound.h"

namespace
{

const std::string BEGINS("\xff\1\0\1", 4), ENDS("\xff\1\0\0", 4);

std::string sound_of(const std::string &samples)
{
    const size_t n = samples.size();
    return std::string("\xff\1\0\2", 4) + char(n >> 24) + char(n >> 16) + char(n >> 8) + char(n) +
           samples;
}

struct Sound {
    passed_sound s = {};

    Sound() = default;
    ~Sound()
    {
        passed_sound_deinit(&s);
    }
    Sound(const Sound &) = delete;
    Sound &operator=(const Sound &) = delete;

    void put(const std::string &message)
    {
        passed_sound_put(&s, message.data(), message.size());
        CHECK(s.messages.size <= PASSED_SOUND_MOST);
    }
    // What leaves behind these bytes that wait.
    std::string take(const std::string &waits = "")
    {
        bytes_held out = {};
        REQUIRE(bytes_append(&out, waits.data(), waits.size()));
        CHECK(passed_sound_take(&s, &out));
        std::string all;
        if (out.size > 0)
            all.assign(reinterpret_cast<const char *>(bytes_first(&out)), out.size);
        bytes_deinit(&out);
        return all.substr(waits.size());
    }
};

} // namespace

TEST_CASE("passed sound: whole messages leave in their order, where nothing else waits")
{
    Sound s;
    const std::string one = sound_of("abcd"), none = sound_of(""),
                      longer = sound_of(std::string(PASSED_SOUND_PIECE, 'x'));

    s.put(BEGINS);
    s.put(one);
    s.put(none);
    s.put(longer);
    s.put(ENDS);
    CHECK(s.take("x").empty());
    for (const std::string &expected : {BEGINS, one, none, longer, ENDS})
        CHECK(s.take() == expected);
    CHECK(s.s.messages.size == 0);
    s.put(one);
    passed_sound_forget(&s.s);
    s.put(ENDS);
    CHECK(s.take() == ENDS);
}

TEST_CASE("passed sound: a long message leaves in pieces, each with a head and whole frames")
{
    static_assert(PASSED_SOUND_PIECE % SOUND_FRAME == 0, "no frame is cut");
    static_assert(PASSED_SOUND_PIECE < PUSHER_AHEAD, "blocks leave behind it");
    Sound s;
    const std::string full(PASSED_SOUND_PIECE, 'f'), half(PASSED_SOUND_PIECE / 2, 'h');

    s.put(sound_of(full + full + half + "ab")); // the server itself has cut a frame
    s.put(sound_of(full + "c"));
    s.put(ENDS);
    for (const std::string &expected : {sound_of(full), sound_of(full), sound_of(half + "ab"),
                                        sound_of(full), sound_of("c"), ENDS}) {
        CHECK(s.take("x").empty());
        CHECK(s.take() == expected);
    }
    CHECK(s.s.messages.size == 0);
}

TEST_CASE("passed sound: of what is too much the oldest goes, and one that is too long")
{
    Sound s;
    const size_t head = sound_of("").size(), piece = PASSED_SOUND_PIECE;

    s.put(BEGINS);
    for (char c = 'a'; c <= 'z'; c++)
        s.put(sound_of(std::string(piece, c)));
    const size_t fit = PASSED_SOUND_MOST / (piece + head);
    REQUIRE(fit < 26);
    s.put(sound_of(std::string(PASSED_SOUND_MOST, 'L')));
    for (size_t i = 26 - fit; i < 26; i++)
        CHECK(s.take() == sound_of(std::string(piece, char('a' + i))));
    CHECK(s.s.messages.size == 0);
    // all of the others go for one that fills it
    const std::string rest(PASSED_SOUND_MOST - fit * (piece + head) - head, 'm');
    s.put(ENDS);
    s.put(sound_of(std::string(fit * piece, 'm') + rest));
    for (size_t i = 0; i < fit; i++)
        CHECK(s.take() == sound_of(std::string(piece, 'm')));
    CHECK(s.take() == sound_of(rest));
    CHECK(s.s.messages.size == 0);
}
