// The far end, its path and the viewer in virtual time: the real push_plan around models of a
// server, of codecs and of the connection (connection.hpp).
//
// The screen is cells with a version each. The server draws; when the plan wants its update, what
// was drawn meanwhile becomes the far end's picture. A block carries the versions of its cells. So
// it is known when the viewer sees a whole frame, and what it has exact.
//
// The viewer acknowledges as vnchl does (rfb/session/push/pushed.c): a message has marks, of blocks
// and of how long ago each was read. With TCP it leaves only when its socket is empty. So at first
// there are ten in a round trip.
//
// With `cpu_ms` both ends are late as programs on a busy machine are: nothing is read, acknowledged
// or sent until the program runs again. That takes from 0.1 ms to so many; and 20 to 50 ms every
// two seconds or so.
//
// With `datagrams` blocks are datagrams (datagram_path.hpp, datagram_ends.cpp), from the first one
// on. Then the far end is as rfb/pusher/viewer/viewer_side.c, and the viewer says every 10 ms which
// blocks have come, and its keys until they have come. Blocks that parity makes whole come with the
// packet that was missing.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "prerequest/push/datagrams.h"
#include "prerequest/push/plan.h"
#include "tests/sim/connection.hpp"
#include "tests/sim/datagram_path.hpp"

struct PushScenario {
    // ---- the link ----
    double rtt_ms = 100;
    double rate_mbit = 0; // 0: unlimited
    double jitter_ms = 0; // each way
    double queue_ms = 0;  // room in front of the link; 0: unlimited
    double loss = 0;
    bool tcp = false;          // TCP below; without it a plain pipe that takes all at once
    bool put_together = false; // what waits becomes full packets (tcp.hpp),
    bool paced = false;        // and paces as BBR does (tcp.hpp)
    bool datagrams = false;    // which `loss` is of, then, and `jitter_ms` reorders,
    double duplicated = 0;     // and so many come twice
    bool octopus = false;      // by Octopus's rules,
    double update_ms = 0;      // with this U; 0: it follows the bandwidth
    double policer_mbit = 0;   // drops what is more; 0: none
    double cpu_ms = 0;         // how late programs are at most, but for stalls; 0: never
    double ack_ms = 3;         // the viewer acknowledges within 1 ms to this, in lumps
    uint64_t seed = 1;

    // ---- the screen ----
    int width = 1024, height = 768;
    double fps = 30; // of the film; 0: there is none
    int film_x = 160, film_y = 160, film_w = 640, film_h = 360;
    double film_bytes = 160000; // a frame at JPEG quality 92
    double h264_bytes =
        0; // of a frame as H.264 at the coarsest; 0: one end has none (push_film.cpp)
    std::function<bool(double)> moving = [](double) { return true; }; // the film, at this time (s)
    bool photo = false; // all but the film is a picture
    // Whether the viewer has this cell, exact, of an earlier connection. It says digests when the
    // first block comes.
    std::function<bool(int column, int row)> had;
    double effect_ms = 5; // from the arrival of a key to its effect
    push_options options = {0, 0, -1, true, true};
};

struct PushFigures {
    double whole_fps = 0;                         // frames that were whole at the viewer
    double shown_fps = 0;                         // blocks that said that the picture is complete
    double response_ms = 0, response_most_ms = 0; // median and worst
    double queue_ms = 0; // p95 over blocks: how long each waited on its way
    double queue_median_ms = 0;
    double used = 0;       // share of the link
    double other = 0;      // share of the link that the download has
    double lost = 0;       // share of the datagrams
    unsigned impolite = 0; // blocks that were repeated though something else waited
    double repeated = 0;   // share of the datagrams that left only because another may get lost
    double made = 0;       // share of the datagrams that were made from parity
    double mbit = 0;
    double text_ms = 0, text_most_ms = 0; // from drawing text until it was exact (draw_text())
    unsigned texts = 0;                   // that became so
    double film_share = 0;                // of the whole frames came as H.264
    int jpeg = 0;                         // at the end
    double rate_mbit = 0;                 // what the plan takes for the path's rate, at the end
};

// The median of each figure.
PushFigures median_of(const std::vector<PushFigures> &runs);

class PushSimulation
{
  public:
    explicit PushSimulation(const PushScenario &s);

    // Runs on for so many seconds. With `press_every` (s) the user types.
    PushFigures run(double seconds, double press_every = 0);

    // The server changes these pixels, text or picture, when its next update is taken.
    void draw(int x, int y, int w, int h, bool picture = false);
    // The same of text of whole cells, and it is seen when that is exact.
    void draw_text(int x, int y, int w, int h);
    // Text moves up by so many pixels, and the lowest lines are new.
    void scroll(int x, int y, int w, int h, int by);
    void set_rate(double mbit);
    // Of datagrams.
    void set_loss(double loss)
    {
        datagrams_->set_loss(loss);
    }
    // Of datagrams.
    void set_round_trip(double ms);
    // A download that shares the way down begins, and ends. Of datagrams.
    void start_other()
    {
        datagrams_->start_other(now_);
    }
    void stop_other()
    {
        datagrams_->stop_other();
    }
    // Nothing of the far end leaves for so many seconds.
    void hold(double seconds)
    {
        held_ = now_ + tick_t(seconds * 1e9);
    }
    void at(double seconds, std::function<void()> what);

    // Cells that the viewer does not have as the server does, and those it has with loss.
    unsigned wrong() const;
    unsigned blurred() const;
    // The time (s) when the viewer last became as the server is, without loss; -1: it is not.
    double exact_since() const
    {
        return exact_since_;
    }
    double now_s() const;
    push_plan &plan()
    {
        return *plan_;
    }
    // Of datagrams.
    const push_datagrams &datagrams() const
    {
        return *far_;
    }
    uint64_t bytes_sent() const
    {
        return bytes_sent_;
    }

  private:
    static constexpr uint32_t block_most = 1150, block_header = 20; // bytes

    struct Drawn {
        int x, y, w, h;
        uint32_t version; // 0: of each cell its own
        int copy_by;      // pixels that are copied up; 0: new pixels
        bool picture;
    };
    struct CellOf {
        uint32_t version = 1;
        bool picture = false, exact = true;
    };
    struct Block {
        uint32_t sequence;
        tick_t sent;
        uint32_t bytes;
        bool last;
        int column = 0, row = 0;
        int across = 0; // cells in a row; 0: there is one row
        std::vector<CellOf> cells;
        int old_w = 0, old_h = 0; // cells that are as the viewer had them; 0: it has cells
        int copy_x = 0, copy_y = 0, copy_w = 0, copy_h = 0, copy_by = 0;
        uint32_t parity_of = 0, parity_blocks = 0; // a group of so many blocks from this one on
        uint32_t frame = 0;                        // it is a part of this one of the film
    };

    // A frame of the film.
    struct Frame {
        uint32_t before = 0; // the one that it stands on; 0: none
        std::vector<std::pair<size_t, CellOf>> cells;
        unsigned parts = 0, bytes = 0;
        std::set<uint32_t> there; // its blocks that have come
        bool decoded = false;
    };
    struct Text {
        tick_t drawn;
        unsigned cells; // that are not exact yet
    };

    // A program that is woken runs later.
    struct Program {
        tick_t due = TICK_NEVER, stall = 0;
    };
    // What the viewer says in a datagram.
    struct Said {
        uint32_t newest;
        std::array<uint8_t, ARRIVALS_BEFORE> before, made;
        tick_t age;    // of what it says of the newest
        unsigned keys; // pressed so far
    };
    struct Mark {
        uint32_t sequence;
        tick_t begun, read;
    };

    int columns() const
    {
        return (s_.width + PUSH_CELL - 1) / PUSH_CELL;
    }
    bool film_cell(int column, int row) const;
    void server();
    void take_update();
    void copy(std::vector<CellOf> &picture, int x, int y, int w, int h, int by);
    void push();
    void push_datagrams_out();
    void send_strip(const push_strip &strip);
    void send_area(const push_strip &area);
    bool send_more();
    void make(uint32_t sequence);
    void keep(const Block &b);
    void send(Block b);
    bool had_tile(int column, int row) const;
    void compare();
    Block encode(const push_strip &strip, int &w);
    double add_rows(Block &b, const push_strip &strip, double bytes) const;
    double cell_bytes(const CellOf &c, int jpeg, int index) const;
    void send_next(const push_strip &strip);
    void take_frame();
    void code_frame();
    void send_part();
    void came_part(const Block &b);
    void show_cell(size_t i, const CellOf &cell, uint32_t sequence);
    void count_whole();
    bool runs(Program &p, bool woken);
    void read();
    void came(const Block &b);
    void acknowledge();
    void say_datagrams();
    void read_datagrams();
    void hear_datagrams();
    void viewer();
    void far_end();
    void show(const Block &b);
    void check_exact();
    void change_down();
    tick_t next() const;
    void step();

    PushScenario s_;
    linkem_config up_, down_;
    Connection connection_;
    std::unique_ptr<push_plan> plan_;
    std::vector<push_cell> memory_;
    std::vector<CellOf> have_, seen_;
    std::vector<Drawn> pending_;
    std::deque<Block> on_way_; // as written
    std::map<uint64_t, tick_t> keys_up_;
    std::deque<tick_t> effects_;       // when the effect of a key is drawn
    std::map<uint32_t, tick_t> typed_; // version: when the key was pressed
    std::deque<tick_t> pressed_;
    std::multimap<tick_t, std::function<void()>> script_;
    std::mt19937 random_;
    tick_t held_ = 0; // until then nothing leaves
    tick_t now_, film_next_, ack_at_ = TICK_NEVER, retry_ = TICK_NEVER;
    Program viewer_program_, far_program_;
    std::vector<Mark> marks_;                    // of what was read and not acknowledged
    std::map<uint64_t, std::vector<Mark>> told_; // by message
    std::vector<Segment> heard_;                 // that wait for the far end's program
    tick_t heard_at_;
    uint32_t sequence_ = 0, version_ = 1, film_version_ = 0;
    int typed_column_ = 0;
    uint64_t acks_ = 0, bytes_sent_ = 0;
    std::map<uint32_t, unsigned> film_seen_; // version: cells of the film that the viewer has
    uint32_t film_whole_ = 0;
    // of the film as H.264
    std::map<uint32_t, Frame> frames_;
    uint32_t coding_ = 0, part_ = 0, newest_frame_ = 0; // that is encoded; the next part; was drawn
    tick_t coded_at_ = TICK_NEVER;
    std::map<uint32_t, Text> texts_; // version
    // with datagrams
    std::unique_ptr<DatagramPath> datagrams_;
    std::unique_ptr<push_datagrams> far_;
    std::array<Block, PUSH_INSURED> kept_;
    std::map<uint32_t, Block> sent_;
    std::vector<bool> has_, made_; // blocks that have come, or were made from parity
    std::deque<std::pair<Block, unsigned>> groups_; // a parity of each, and how many have come
    std::vector<uint32_t> newest_;                  // of each cell
    uint32_t newest_read_ = 0;
    tick_t newest_at_ = 0;
    std::map<uint64_t, Said> said_;
    unsigned keys_ = 0, keys_heard_ = 0;
    uint64_t carried_ = 0; // bytes of this run, with what seals them
    bool digests_said_ = false;
    double exact_since_ = -1;

    // of this run
    unsigned whole_ = 0, complete_ = 0, repeats_ = 0, impolite_ = 0, makes_ = 0;
    uint64_t arrived_ = 0;
    unsigned whole_frames_ = 0; // of whole_, as H.264
    std::vector<double> responses_, queues_, text_ms_;
};
