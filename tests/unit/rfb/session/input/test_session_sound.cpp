// A session with a server that has sound: what is asked for, what is passed on, what is refused.
#include "tests/catch.hpp"

#include <string>
#include <vector>

#include "rfb/proto/blocks.h"
#include "rfb/proto/extensions/qemu_audio.h"
#include "rfb/proto/server_messages.h"
#include "rfb/session/constants.h"
#include "tests/unit/session_owner.hpp"

using namespace peer;

namespace
{

const std::string ON = bytes({255, 1, 0, 2, 3, 2, 0, 0, 0xac, 0x44, 255, 1, 0, 0});
const std::string OFF = bytes({255, 1, 0, 1});
const std::string BEGINS = bytes({255, 1, 0, 1}), ENDS = bytes({255, 1, 0, 0});

std::string be32(uint32_t n)
{
    return bytes({n >> 24, n >> 16 & 255, n >> 8 & 255, n & 255});
}

std::string sound_of(const std::string &samples)
{
    return bytes({255, 1, 0, 2}) + be32(uint32_t(samples.size())) + samples;
}

// An update without pixels that says what the server has.
std::string shows(int32_t encoding)
{
    return bytes({0, 0, 0, 1, 0, 0, 0, 0, 0, 64, 0, 48}) + be32(uint32_t(encoding));
}

void begin(Peer &p)
{
    greet(p);
    p.write(bytes({1, SECURITY_NONE}));
    p.read(1);
    let_in(p);
}

// Reads until the client has said this.
void await(Peer &p, const std::string &words)
{
    std::string said;
    while (said.size() < words.size() || said.substr(said.size() - words.size()) != words)
        said += p.read(1);
}

// What the server says is heard here, whole, in pieces. A whole piece of 'l' is late.
std::string heard;
std::vector<size_t> pieces;
const std::string LATE(SOUND_PIECE_MAX, 'l');

bool hear(const void *samples, size_t size)
{
    if (LATE.compare(0, LATE.size(), static_cast<const char *>(samples), size) == 0)
        return false;
    heard.append(static_cast<const char *>(samples), size);
    pieces.push_back(size);
    return true;
}

struct Listener : Owner {
    // `pushed`: a far end may push blocks.
    Listener(const Server &server, sound_wish wish, bool pushed = false)
        : Owner(options(server, wish, pushed), hooks())
    {
        connected();
    }
    // Until a text of the server says that all before has been heard.
    void hear_all()
    {
        Event e = next();
        for (; e->type != SESSION_CUT_TEXT; e = next()) {
            INFO(text(e));
            REQUIRE(e->type == SESSION_SOUND);
        }
    }
    static struct session_options options(const Server &server, sound_wish wish, bool pushed)
    {
        struct session_options o = {};
        strcpy(o.address.path, server.path().c_str());
        o.sound = wish;
        o.encodings.blocks = o.encodings.pushing = pushed;
        return o;
    }
    static struct session_hooks hooks()
    {
        struct session_hooks h = {};
        h.sound = hear;
        heard.clear();
        pieces.clear();
        return h;
    }
};

const std::string TEXT = bytes({3, 0, 0, 0, 0, 0, 0, 1, 'x'});

} // namespace

TEST_CASE("session: sound is asked for where the server has it, and passed on in whole frames")
{
    std::string first(10007, 'a'), second(SOUND_PIECE_MAX, 'b');
    Server server([&](Peer &p) {
        begin(p);
        await(p, be32(uint32_t(PSEUDO_QEMU_AUDIO))); // it is offered
        p.write(sound_of("lost") + shows(PSEUDO_QEMU_AUDIO) + shows(PSEUDO_QEMU_AUDIO));
        await(p, ON);
        p.write(BEGINS + sound_of(first) + sound_of("") + sound_of("xyz") + sound_of(LATE) +
                sound_of(second) + ENDS + TEXT);
        await(p, OFF);
        p.write(sound_of(second) + TEXT); // was on its way
        await(p, ON);
        p.write(sound_of("more") + TEXT);
        p.read_rest();
    });
    Listener owner(server, SOUND_WISH_ON);
    owner.hear_all();
    CHECK(heard == first.substr(0, 10004) + second);
    for (size_t size : pieces)
        CHECK((size <= SOUND_PIECE_MAX && size % SOUND_FRAME == 0));
    struct session_stats stats;
    session_stats(owner, false, &stats);
    CHECK(stats.sound == SOUND_ON);
    CHECK(stats.sound_bytes == 4 + 10004 + 2 * SOUND_PIECE_MAX);
    CHECK(stats.sound_late == SOUND_PIECE_MAX);

    session_want_sound(owner, false);
    owner.hear_all();
    session_want_sound(owner, true);
    owner.hear_all();
    CHECK(heard == first.substr(0, 10004) + second + "more");
}

TEST_CASE("session: a far end that pushes says whether the path is good enough for sound")
{
    accelerator_shown shown = {};
    shown.blocks_oldest = BLOCKS_OLDEST;
    shown.blocks_newest = BLOCKS_NEWEST;
    strcpy(shown.pushing.policy, "auto");
    shown.pushing.rate_kbit = SOUND_PLENTY * SOUND_SECOND / 125 + 1;
    uint8_t update[ACCELERATOR_UPDATE_MAX];
    const size_t size = server_write_accelerator(update, &shown);
    Server server([&](Peer &p) {
        begin(p);
        await(p, be32(uint32_t(PSEUDO_QEMU_AUDIO)));
        p.write(std::string(update, update + size) + shows(PSEUDO_QEMU_AUDIO));
        await(p, ON);
        p.write(sound_of("abcd") + TEXT);
        p.read_rest();
    });
    Listener owner(server, SOUND_WISH_AUTO, true);
    owner.hear_all();
    CHECK(heard == "abcd");
}

TEST_CASE("session: sound that nobody has asked for ends it, and what cannot be sound")
{
    const struct {
        sound_wish wish;
        std::string said, why;
    } tries[] = {
        {SOUND_WISH_OFF, sound_of("abcd"), "asked for none"},
        {SOUND_WISH_OFF, BEGINS, "asked for none"},
        {SOUND_WISH_ON, bytes({255, 1, 0, 3}), "not known: 3"},
        {SOUND_WISH_ON, bytes({255, 1, 255, 255}), "not known: 65535"},
        {SOUND_WISH_ON, bytes({255, 0, 0, 2}), "unknown type 0"},
        {SOUND_WISH_ON, bytes({255, 1, 0, 2, 0, 16, 0, 1}), "1048577 bytes"},
        {SOUND_WISH_ON, bytes({255, 1, 0, 2, 255, 255, 255, 255}), "4294967295 bytes"},
    };
    for (const auto &t : tries) {
        INFO(t.why);
        Server server([&](Peer &p) {
            begin(p);
            p.write(t.said);
            p.read_rest();
        });
        Listener owner(server, t.wish);
        const std::string closed = owner.closed();
        INFO(closed);
        CHECK(closed.find(t.why) != std::string::npos);
        CHECK(heard.empty());
    }
}
