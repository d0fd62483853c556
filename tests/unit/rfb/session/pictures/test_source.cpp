// A source of pictures that is not RFB: blocks that stand alone, which come shuffled, twice and not
// at all. Picture, figures, trace and recording are right all the same.
#include "tests/catch.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "prerequest/trace.h"
#include "rfb/decode/framebuffer.h"
#include "rfb/decode/framebuffer_reader.h"
#include "rfb/net/recording/playback.h"
#include "rfb/net/recording/recording.h"
#include "rfb/net/stream.h"
#include "rfb/session/pictures/source.h"
#include "tests/seed.hpp"
#include "tests/temp_dir.hpp"
#include "tests/unit/session_owner.hpp"

using namespace peer;

namespace
{

constexpr int CELL = 16, COLUMNS = 5, ROWS = 3, WIDTH = CELL * COLUMNS, HEIGHT = CELL * ROWS;
constexpr int CELLS = COLUMNS * ROWS, FRAMES = 40;
constexpr unsigned LOST = 1, TWICE = 2; // of ten

// One cell of the picture, all of one colour. A newer one has a higher number.
struct Block {
    uint32_t sequence, colour;
    uint8_t cell;
};

std::string wire(const Block &b)
{
    char out[10] = {'B', static_cast<char>(b.cell)};
    memcpy(out + 2, &b.sequence, 4);
    memcpy(out + 6, &b.colour, 4);
    return std::string(out, sizeof out);
}

// Reads them. 'N' means: nothing follows for now.
struct Blocks {
    stream *from;
    framebuffer *fb;
    uint32_t newest[CELLS] = {};
    bool drawn = false;

    void show(const source_handlers *h)
    {
        if (drawn)
            h->shown(h->user, true);
        drawn = false;
    }
    // A block that is not newer than what is there is dropped: it draws nothing, and tells nothing.
    bool draw(const source_handlers *h, const Block &b)
    {
        rect area = {b.cell % COLUMNS * CELL, b.cell / COLUMNS * CELL, CELL, CELL};
        if (b.cell >= CELLS || b.sequence <= newest[b.cell])
            return true;
        newest[b.cell] = b.sequence;
        for (int y = area.y; y < area.y + CELL; y++)
            std::fill_n(framebuffer_private(fb) + y * WIDTH + area.x, CELL, b.colour);
        framebuffer_drawn(fb, area);
        drawn = true;
        return h->drawn(h->user, area, ENCODING_RAW, false);
    }
    bool receive(const source_handlers *h, reason *why)
    {
        char head;
        Block b = {};
        bool ok = stream_read(from, &head, 1, why) && h->begun(h->user);
        if (ok && head == 'N') {
            show(h);
            h->name(h->user, strdup("all there"));
        } else if (ok) {
            ok = stream_read(from, &b.cell, 1, why) && stream_read(from, &b.sequence, 4, why) &&
                 stream_read(from, &b.colour, 4, why) && draw(h, b);
            if (stream_waiting(from) == 0)
                show(h);
        }
        h->ended(h->user);
        return ok;
    }
    static bool open(void *, stream *s, framebuffer *fb, char *name, source *out, reason *)
    {
        strcpy(name, "blocks");
        if (!framebuffer_resize(fb, WIDTH, HEIGHT))
            return false;
        out->self = new Blocks{s, fb};
        out->receive = [](void *self, const source_handlers *h, reason *why) {
            return static_cast<Blocks *>(self)->receive(h, why);
        };
        out->destroy = [](void *self) { delete static_cast<Blocks *>(self); };
        return true;
    }
};

const source_opener OPENER = {Blocks::open, nullptr};

// What a server sends, and what comes of it.
struct Play {
    std::vector<Block> sent;
    std::vector<uint32_t> picture = std::vector<uint32_t>(CELLS); // the colour of each cell
    unsigned drawn = 0; // blocks that show something new when they come

    explicit Play(unsigned seed)
    {
        std::mt19937 random(seed);
        std::uniform_int_distribution<unsigned> of_ten(0, 9);
        uint32_t sequence = 0;
        for (int frame = 0; frame < FRAMES; frame++)
            for (uint8_t cell = 0; cell < CELLS; cell++) {
                Block b = {++sequence, static_cast<uint32_t>(random()) & 0xffffff, cell};
                unsigned luck = of_ten(random);
                if (luck >= LOST || frame == 0)
                    sent.push_back(b);
                if (luck < LOST + TWICE)
                    sent.push_back(b);
            }
        // late by up to three frames
        for (size_t i = 0; i < sent.size(); i++)
            std::swap(sent[i], sent[i + random() % std::min<size_t>(3 * CELLS, sent.size() - i)]);
        uint32_t newest[CELLS] = {};
        for (const Block &b : sent)
            if (b.sequence > newest[b.cell]) {
                newest[b.cell] = b.sequence;
                picture[b.cell] = b.colour;
                drawn++;
            }
    }
    std::string bytes() const
    {
        std::string all;
        for (const Block &b : sent)
            all += wire(b);
        return all + "N";
    }
    // The frames that a session may show: one at least, and no more than blocks that were new.
    bool frames_fit(uint64_t frames) const
    {
        return frames >= 1 && frames <= drawn;
    }
};

// The colour of each cell of what the session shows, whose cells have one colour.
std::vector<uint32_t> shown(session *s)
{
    std::vector<uint32_t> cells;
    framebuffer_view view;
    REQUIRE(framebuffer_lock(session_framebuffer(s), &view, false));
    REQUIRE(view.width == WIDTH);
    REQUIRE(view.height == HEIGHT);
    for (int cell = 0; cell < CELLS; cell++) {
        std::set<uint32_t> colours;
        for (int i = 0; i < CELL * CELL; i++)
            colours.insert(view.pixels[(cell / COLUMNS * CELL + i / CELL) * WIDTH +
                                       cell % COLUMNS * CELL + i % CELL] &
                           0xffffff);
        CHECK(colours.size() == 1);
        cells.push_back(*colours.begin());
    }
    framebuffer_unlock(session_framebuffer(s));
    return cells;
}

struct session_options options_for(const Server &server)
{
    struct session_options o = {};
    strcpy(o.address.path, server.path().c_str());
    return o;
}

struct session_hooks hooks()
{
    struct session_hooks h = {};
    h.source = &OPENER;
    return h;
}

void wait_for(Owner &owner, session_event_type type)
{
    while (owner.next()->type != type)
        ;
}

} // namespace

TEST_CASE("source: blocks shuffled, doubled and lost make the right picture and figures")
{
    Play play(any_seed());
    Server server([&](Peer &p) {
        p.write(play.bytes());
        p.read_rest();
    });
    Owner owner(options_for(server), hooks());
    CHECK(owner.connected() == "blocks");
    wait_for(owner, SESSION_NAME);
    CHECK(shown(owner) == play.picture);

    struct session_stats stats;
    session_stats(owner, false, &stats);
    CHECK(play.frames_fit(stats.meter.updates));
    CHECK(stats.meter.changes == stats.meter.updates - 1); // all after the first
    CHECK(stats.meter.pseudo_updates == 0);
    CHECK(stats.pixels == uint64_t(play.drawn) * CELL * CELL);
    CHECK(stats.pushed);
    CHECK(stats.width == WIDTH);
    CHECK(stats.height == HEIGHT);
    CHECK(std::string(stats.name) == "blocks");
    CHECK(stats.meter.requests[REQUEST_REACTIVE] == 0); // who pushes is not asked
}

TEST_CASE("source: a trace of blocks tells one picture for each that was shown")
{
    Play play(any_seed());
    Server server([&](Peer &p) {
        p.write(play.bytes());
        p.read_rest();
    });
    trace_log *log = trace_log_relay();
    std::map<scheduler_event_type, uint64_t> told;
    uint64_t updates = 0;
    {
        struct session_hooks h = hooks();
        h.trace = log;
        Owner owner(options_for(server), h);
        owner.connected();
        wait_for(owner, SESSION_NAME);
        struct session_stats stats;
        session_stats(owner, false, &stats);
        updates = stats.meter.updates;
    }
    const void *bytes;
    size_t size = trace_log_take(log, true, &bytes);
    const uint8_t *at = static_cast<const uint8_t *>(bytes);
    struct scheduler_options options = {};
    struct trace_record record;
    struct trace trace;
    size_t used;
    bool lost = true;
    scheduler again;
    REQUIRE(trace_read_head(&trace, &options, at, size, &used) == TRACE_RECORD);
    scheduler_init(&again, &options);
    enum trace_result result;
    for (;;) {
        at += used;
        size -= used;
        result = trace_read(&trace, &record, &lost, at, size, &used);
        if (result != TRACE_RECORD)
            break;
        told[record.event.type]++;
        scheduler_tell(&again, &record.event, record.at);
        scheduler_decision decision = scheduler_decide(&again, record.at);
        CHECK(trace_same(&decision, &record.decision));
    }
    CHECK(result == TRACE_END);
    CHECK_FALSE(lost);
    CHECK(told[EVENT_PUSH] == 1);
    CHECK(told[EVENT_UPDATE_BEGUN] == updates);
    CHECK(told[EVENT_UPDATE_FINISHED] == updates);
    reason why = {};
    trace_log_close(log, &why);
}

TEST_CASE("source: a recording of blocks plays as the same picture")
{
    Play play(any_seed());
    TempDir dir;
    std::string file = dir.path() + "/blocks.fbs";
    reason why = {};
    {
        Server server([&](Peer &p) {
            p.write(play.bytes());
            p.read_rest();
        });
        recording *r = recording_create(file.c_str(), &why);
        REQUIRE(r);
        {
            struct session_hooks h = hooks();
            h.recording = r;
            Owner owner(options_for(server), h);
            owner.connected();
            wait_for(owner, SESSION_NAME);
        }
        INFO(why.text);
        CHECK(recording_close(r, &why));
    }
    struct session_options o = {};
    strcpy(o.route.play, file.c_str());
    o.route.speed = PLAYBACK_MAX;
    Owner player(o, {}, "", 0, "tight");
    CHECK(player.connected() == "blocks");
    wait_for(player, SESSION_CLOSED);
    CHECK(shown(player) == play.picture);
}
