// Sound that waits for the viewer's socket.
#include "tests/catch.hpp"

#include <string>

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
                      longer = sound_of(std::string(5000, 'x'));

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

TEST_CASE("passed sound: of what is too much the oldest goes, and one that is too long")
{
    Sound s;
    const size_t head = sound_of("").size(), piece = 4096;

    s.put(BEGINS);
    for (char c = 'a'; c <= 'z'; c++)
        s.put(sound_of(std::string(piece, c)));
    const size_t fit = PASSED_SOUND_MOST / (piece + head);
    REQUIRE(fit < 26);
    s.put(sound_of(std::string(PASSED_SOUND_MOST, 'L')));
    for (size_t i = 26 - fit; i < 26; i++)
        CHECK(s.take() == sound_of(std::string(piece, char('a' + i))));
    CHECK(s.s.messages.size == 0);
    const std::string most = sound_of(std::string(PASSED_SOUND_MOST - head, 'm'));
    s.put(ENDS);
    s.put(most); // all of the others go for it
    CHECK(s.take() == most);
    CHECK(s.s.messages.size == 0);
}
