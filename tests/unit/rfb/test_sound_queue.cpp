// What waits to be played: bounded, in order, and never old.
#include "tests/catch.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include "rfb/sound_queue.h"

namespace
{

const size_t MS = SOUND_SECOND / 1000; // bytes

// Frames that count up, so that each can be told from the others.
struct Player {
    std::unique_ptr<sound_queue> q = std::make_unique<sound_queue>();
    uint32_t sent = 0;

    void put(size_t bytes)
    {
        std::vector<uint32_t> frames(bytes / SOUND_FRAME);
        for (uint32_t &f : frames)
            f = ++sent;
        sound_queue_put(q.get(), frames.data(), frames.size() * SOUND_FRAME);
    }
    std::vector<uint32_t> take(size_t bytes)
    {
        std::vector<uint32_t> frames(bytes / SOUND_FRAME, 0xdeadbeef);
        sound_queue_take(q.get(), frames.data(), frames.size() * SOUND_FRAME);
        return frames;
    }
};

std::vector<uint32_t> counted(uint32_t from, size_t count)
{
    std::vector<uint32_t> v(count);
    for (uint32_t &f : v)
        f = from++;
    return v;
}

const std::vector<uint32_t> silence(size_t bytes)
{
    return std::vector<uint32_t>(bytes / SOUND_FRAME, 0);
}

} // namespace

TEST_CASE("sound queue: playing begins when enough waits, and goes on without a gap")
{
    Player p;

    CHECK(p.take(10 * MS) == silence(10 * MS));
    p.put(SOUND_QUEUE_FIRST - SOUND_FRAME);
    CHECK(p.take(10 * MS) == silence(10 * MS));
    p.put(SOUND_FRAME);
    uint32_t next = 1;
    for (int i = 0; i < 100; i++) { // often around the ring
        const auto heard = p.take(10 * MS);
        CHECK(heard == counted(next, heard.size()));
        next += static_cast<uint32_t>(heard.size());
        p.put(10 * MS);
    }
    CHECK(p.q->dropped == 0);
}

TEST_CASE("sound queue: after a gap enough is waited for again")
{
    Player p;

    p.put(SOUND_QUEUE_FIRST);
    auto heard = p.take(SOUND_QUEUE_FIRST + 10 * MS);
    const size_t frames = SOUND_QUEUE_FIRST / SOUND_FRAME;
    CHECK(std::vector<uint32_t>(heard.begin(), heard.begin() + long(frames)) == counted(1, frames));
    CHECK(std::vector<uint32_t>(heard.begin() + long(frames), heard.end()) == silence(10 * MS));
    p.put(10 * MS);
    CHECK(p.take(10 * MS) == silence(10 * MS));
    p.put(SOUND_QUEUE_FIRST);
    CHECK(p.take(MS)[0] == frames + 1);
}

TEST_CASE("sound queue: a short sound is heard, too, and not in front of the next one")
{
    Player p;
    size_t asked = 0;

    p.put(5 * MS);
    while (p.take(10 * MS)[0] == 0)
        REQUIRE((asked += 10 * MS) <= SOUND_QUEUE_FIRST);
    CHECK(p.q->size == 0);
}

TEST_CASE("sound queue: what is late is dropped, and what is left is what playing begins with")
{
    Player p;

    p.put(SOUND_QUEUE_MOST);
    CHECK(p.q->dropped == 0);
    p.put(10 * MS);
    CHECK(p.q->size == SOUND_QUEUE_FIRST);
    CHECK(p.q->dropped == SOUND_QUEUE_MOST + 10 * MS - SOUND_QUEUE_FIRST);
    // the newest is left
    const auto heard = p.take(SOUND_QUEUE_FIRST);
    CHECK(heard == counted(p.sent + 1 - uint32_t(heard.size()), heard.size()));

    for (size_t size : {size_t(SOUND_FRAME), 7 * size_t(SOUND_FRAME), size_t(SOUND_PIECE_MAX),
                        size_t(SOUND_QUEUE_MOST), 2 * size_t(SOUND_QUEUE_MOST)})
        for (int i = 0; i < 3000; i++) {
            p.put(size);
            REQUIRE(p.q->size <= SOUND_QUEUE_MOST);
            REQUIRE(p.q->size % SOUND_FRAME == 0);
        }
}

TEST_CASE("sound queue: no sound is older than 200 ms when it is played")
{
    Player p;

    // a player that takes a second late what has come meanwhile
    for (int i = 0; i < 100; i++)
        p.put(10 * MS);
    const uint32_t heard = p.take(MS)[0];
    CHECK((heard > 0 && (p.sent - heard) * SOUND_FRAME <= SOUND_QUEUE_MOST));
}
