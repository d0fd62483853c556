#include "tests/sim/push_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/sim/scenario.hpp"

namespace
{

constexpr uint64_t ack_cookie = 1ull << 40, key_cookie = 2ull << 40, digests_cookie = 4ull << 40;
constexpr int tile_cells = 2;               // what rfb/session/push/old_picture.c takes
constexpr uint32_t old_bytes = 21;          // of BLOCK_OLD
constexpr size_t marks_most = 16;           // BLOCKS_MARKS_MAX
constexpr tick_t marks_apart = 2 * TICK_MS; // PUSHED_APART

linkem_config one_way(const PushScenario &s, double mbit, uint64_t seed)
{
    linkem_config c{};

    c.rate = uint64_t(mbit * 1e6);
    c.delay = tick_from_ms(s.rtt_ms / 2);
    c.jitter = tick_from_ms(s.jitter_ms);
    c.loss = s.loss;
    c.seed = seed;
    return c;
}

linkem_config down_link(const PushScenario &s)
{
    linkem_config c = one_way(s, s.rate_mbit, s.seed + 1);

    c.queue_bytes = uint64_t(s.queue_ms / 1e3 * s.rate_mbit * 1e6 / 8);
    return c;
}

double percentile(std::vector<double> v, double p)
{
    if (v.empty())
        return 0;
    std::sort(v.begin(), v.end());
    return v[std::min(v.size() - 1, size_t(p * double(v.size())))];
}

} // namespace

PushFigures median_of(const std::vector<PushFigures> &runs)
{
    PushFigures f;
    auto take = [&](auto PushFigures::*figure) {
        std::vector<std::decay_t<decltype(f.*figure)>> all;
        for (const PushFigures &r : runs)
            all.push_back(r.*figure);
        std::sort(all.begin(), all.end());
        f.*figure = all[all.size() / 2];
    };

    for (auto figure :
         {&PushFigures::whole_fps, &PushFigures::shown_fps, &PushFigures::response_ms,
          &PushFigures::response_most_ms, &PushFigures::queue_ms, &PushFigures::queue_median_ms,
          &PushFigures::used, &PushFigures::other, &PushFigures::lost, &PushFigures::repeated,
          &PushFigures::made, &PushFigures::mbit, &PushFigures::rate_mbit, &PushFigures::text_ms,
          &PushFigures::text_most_ms, &PushFigures::film_share})
        take(figure);
    take(&PushFigures::impolite);
    take(&PushFigures::texts);
    take(&PushFigures::jpeg);
    return f;
}

PushSimulation::PushSimulation(const PushScenario &s)
    : s_(s), up_(one_way(s, 0, s.seed)), down_(down_link(s)),
      connection_(s.datagrams ? linkem_config{} : up_, s.datagrams ? linkem_config{} : down_, s.tcp,
                  0),
      plan_(new push_plan), random_(unsigned(s.seed)), now_(beginning), film_next_(beginning),
      heard_at_(beginning)
{
    if (s.datagrams) {
        linkem_config up = up_, down = down_;
        DatagramLoss l;

        up.loss = down.loss = 0; // behind the link
        up.reorder = down.reorder = true;
        l.loss = s.loss, l.duplicated = s.duplicated, l.policer_mbit = s.policer_mbit;
        l.seed = s.seed + 2;
        datagrams_ = std::make_unique<DatagramPath>(up, down, l);
        far_ = std::make_unique<push_datagrams>();
        far_->octopus.on = s.octopus;
        far_->octopus.interval = tick_from_ms(s.update_ms);
    }
    if (s.put_together)
        connection_.put_together();
    if (s.paced)
        connection_.pace(s.rtt_ms);
    push_plan_init(plan_.get(), &s_.options, now_);
    if (s.paced)
        push_plan_keep_window(plan_.get());
    if (far_) {
        push_datagrams_init(far_.get());
        push_datagrams_switch(far_.get(), plan_.get(), true, now_);
    }
    memory_.resize(push_plan_cells(s.width, s.height));
    have_.resize(memory_.size());
    seen_.resize(memory_.size());
    newest_.resize(memory_.size());
    for (size_t i = 0; i < have_.size(); i++) {
        have_[i].picture = s.photo || film_cell(int(i) % columns(), int(i) / columns());
        seen_[i].version = 0;
        film_seen_[0] += film_cell(int(i) % columns(), int(i) / columns());
    }
    push_plan_allow_film(plan_.get(), s.h264_bytes > 0);
    push_plan_picture(plan_.get(), memory_.data(), s.width, s.height, now_);
    push_plan_shown(plan_.get(), now_);
    if (s.fps <= 0)
        film_next_ = TICK_NEVER;
}

bool PushSimulation::film_cell(int column, int row) const
{
    return s_.fps > 0 && column * PUSH_CELL < s_.film_x + s_.film_w &&
           (column + 1) * PUSH_CELL > s_.film_x && row * PUSH_CELL < s_.film_y + s_.film_h &&
           (row + 1) * PUSH_CELL > s_.film_y;
}

double PushSimulation::now_s() const
{
    return tick_to_s(now_ - beginning);
}

// ---- the server ----

void PushSimulation::draw(int x, int y, int w, int h, bool picture)
{
    pending_.push_back({x, y, w, h, ++version_, 0, picture});
    exact_since_ = -1;
}

void PushSimulation::draw_text(int x, int y, int w, int h)
{
    draw(x, y, w, h);
    texts_[version_] = {now_, unsigned(w / PUSH_CELL * (h / PUSH_CELL))};
}

void PushSimulation::scroll(int x, int y, int w, int h, int by)
{
    pending_.push_back({x, y, w, h - by, 0, by, false});
    draw(x, y + h - by, w, by);
}

void PushSimulation::server()
{
    if (film_next_ <= now_) {
        if (s_.moving(now_s())) {
            // a frame that was not taken is not there any more
            auto old = [&](const Drawn &d) { return d.picture && d.version == film_version_; };

            pending_.erase(std::remove_if(pending_.begin(), pending_.end(), old), pending_.end());
            draw(s_.film_x, s_.film_y, s_.film_w, s_.film_h, true);
            film_version_ = version_;
        }
        film_next_ += tick_t(1e9 / s_.fps);
    }
    while (!effects_.empty() && effects_.front() <= now_) {
        effects_.pop_front();
        draw(16 * (1 + typed_column_++ % 40), 720, 12, 14);
        typed_[version_] = pressed_.front();
        pressed_.pop_front();
    }
}

void PushSimulation::copy(std::vector<CellOf> &picture, int x, int y, int w, int h, int by)
{
    // whole cells only: what it takes from others is tested with the map (test_push_cells.cpp)
    for (int row = y / PUSH_CELL; row < (y + h) / PUSH_CELL; row++)
        for (int column = x / PUSH_CELL; column < (x + w) / PUSH_CELL; column++)
            picture[size_t(row * columns() + column)] =
                picture[size_t((row + by / PUSH_CELL) * columns() + column)];
}

void PushSimulation::take_update()
{
    for (const Drawn &d : pending_) {
        if (d.copy_by > 0) {
            copy(have_, d.x, d.y, d.w, d.h, d.copy_by);
            if (push_plan_copied(plan_.get(), d.x, d.y + d.copy_by, d.x, d.y, d.w, d.h, now_)) {
                Block b{};
                b.bytes = 24;
                b.copy_x = d.x, b.copy_y = d.y, b.copy_w = d.w, b.copy_h = d.h,
                b.copy_by = d.copy_by;
                push_plan_sent_other(plan_.get(), sequence_ + 1, b.bytes, now_);
                send(b);
            }
            continue;
        }
        for (int row = d.y / PUSH_CELL; row * PUSH_CELL < d.y + d.h; row++)
            for (int column = d.x / PUSH_CELL; column * PUSH_CELL < d.x + d.w; column++)
                have_[size_t(row * columns() + column)] = {d.version, d.picture, true};
        push_plan_changed(plan_.get(), d.x, d.y, d.w, d.h, now_);
    }
    pending_.clear();
    push_plan_shown(plan_.get(), now_);
}

// ---- the far end ----

void PushSimulation::send(Block b)
{
    b.sequence = ++sequence_;
    b.sent = now_;
    bytes_sent_ += b.bytes;
    if (datagrams_) {
        datagrams_->send(Way::down, b.bytes, b.sequence, now_);
        sent_.emplace(b.sequence, std::move(b));
        return;
    }
    connection_.write(Way::down, b.bytes, b.sequence, now_);
    on_way_.push_back(std::move(b));
}

void PushSimulation::send_strip(const push_strip &strip)
{
    int w;
    Block b = encode(strip, w);

    int rows = b.across > 0 ? int(b.cells.size()) / b.across : 1;
    b.last = push_plan_sent(plan_.get(), &strip, w, rows > 1 ? rows * PUSH_CELL : strip.h,
                            sequence_ + 1, b.bytes, b.cells[0].exact, now_);
    if (datagrams_)
        keep(b);
    send(std::move(b));
    if (!pending_.empty() && push_plan_wants(plan_.get(), now_))
        take_update();
}

// The first version of each cell is the one of the earlier connection.
bool PushSimulation::had_tile(int column, int row) const
{
    for (int r = row; r < row + tile_cells && r * PUSH_CELL < s_.height; r++)
        for (int c = column; c < column + tile_cells && c < columns(); c++)
            if (!s_.had(c, r) || have_[size_t(r * columns() + c)].version != 1)
                return false;
    return true;
}

void PushSimulation::compare()
{
    const int rows = (s_.height + PUSH_CELL - 1) / PUSH_CELL;

    for (int row = 0; row < rows; row += tile_cells)
        for (int column = 0; column < columns(); column += tile_cells) {
            Block b{};
            int end = column;

            while (end < columns() && had_tile(end, row))
                end += tile_cells;
            if (end == column)
                continue;
            b.column = column, b.row = row;
            b.old_w = std::min(end, columns()) - column;
            b.old_h = std::min(row + tile_cells, rows) - row;
            b.bytes = old_bytes;
            b.last =
                push_plan_has(plan_.get(), column * PUSH_CELL, row * PUSH_CELL, b.old_w * PUSH_CELL,
                              b.old_h * PUSH_CELL, sequence_ + 1, b.bytes, now_);
            send(b);
            column = end;
        }
}

void PushSimulation::push()
{
    push_strip strip;

    if (!pending_.empty() && push_plan_wants(plan_.get(), now_))
        take_update();
    if (datagrams_) {
        push_datagrams_out();
        return;
    }
    for (unsigned n = 0; push_plan_next(plan_.get(), &strip, now_); n++) {
        if (n > 200000)
            throw std::logic_error("it never ends");
        send_next(strip);
    }
}

// ---- the viewer ----

void PushSimulation::show(const Block &b)
{
    if (b.copy_by > 0)
        copy(seen_, b.copy_x, b.copy_y, b.copy_w, b.copy_h, b.copy_by);
    for (int row = b.row; row < b.row + b.old_h; row++)
        for (int column = b.column; column < b.column + b.old_w; column++)
            seen_[size_t(row * columns() + column)] = {1, s_.photo, true};
    for (size_t i = 0; i < b.cells.size(); i++) {
        int across = b.across > 0 ? b.across : int(b.cells.size());
        int column = b.column + int(i) % across, row = b.row + int(i) / across;

        show_cell(size_t(row * columns() + column), b.cells[i], b.sequence);
    }
    if (b.frame > 0)
        came_part(b);
    else if (!b.cells.empty() && film_cell(b.column, b.row))
        count_whole();
}

// A block, or a frame, draws the cells that it is the newest of.
void PushSimulation::show_cell(size_t i, const CellOf &cell, uint32_t sequence)
{
    if (sequence < newest_[i])
        return;
    newest_[i] = sequence;
    if (film_cell(int(i) % columns(), int(i) / columns())) {
        film_seen_[seen_[i].version]--;
        film_seen_[cell.version]++;
    }
    if (auto text = texts_.find(cell.version);
        text != texts_.end() && cell.exact &&
        (seen_[i].version != cell.version || !seen_[i].exact) && --text->second.cells == 0) {
        text_ms_.push_back(tick_to_ms(now_ - text->second.drawn));
        texts_.erase(text);
    }
    seen_[i] = cell;
    if (auto typed = typed_.find(cell.version); typed != typed_.end()) {
        responses_.push_back(tick_to_ms(now_ - typed->second));
        typed_.erase(typed);
    }
}

void PushSimulation::count_whole()
{
    for (auto it = film_seen_.begin(); it != film_seen_.end();)
        it = it->second == 0 ? film_seen_.erase(it) : std::next(it);
    if (film_seen_.size() == 1 && film_seen_.begin()->first > film_whole_) {
        film_whole_ = film_seen_.begin()->first;
        whole_++;
    }
}

// Whether the program runs now, as it was woken now or before.
bool PushSimulation::runs(Program &p, bool woken)
{
    if (s_.cpu_ms <= 0)
        return true;
    if (woken && p.due == TICK_NEVER) {
        double part = double(random_() % 1000) / 1000;

        // mostly soon
        p.due = now_ + tick_from_ms(0.1 + s_.cpu_ms * part * part * part);
        if (p.stall <= now_) {
            if (p.stall > 0)
                p.due = now_ + tick_from_ms(20 + 30 * part);
            p.stall = now_ + tick_from_ms(1000 + double(random_() % 2000));
        }
    }
    if (p.due > now_)
        return false;
    p.due = TICK_NEVER;
    return true;
}

void PushSimulation::came(const Block &b)
{
    double wire = s_.rate_mbit > 0 ? b.bytes * 8e-3 / s_.rate_mbit : 0;

    show(b);
    complete_ += b.last;
    arrived_ += b.bytes;
    carried_ += b.bytes + DatagramPath::overhead;
    queues_.push_back(tick_to_ms(now_ - b.sent) - s_.rtt_ms / 2 - wire);
}

void PushSimulation::read()
{
    Segment s;

    while (connection_.take(Way::down, s)) {
        const Block &b = on_way_.front();

        came(b);
        if (s_.had && !digests_said_) {
            uint32_t tiles = uint32_t((s_.width + 31) / 32 * ((s_.height + 31) / 32));

            digests_said_ = true;
            connection_.write(Way::up, 26 + 4 * tiles + 4 * (tiles / 255 + 1), digests_cookie,
                              now_);
        }
        if (marks_.empty() ||
            (marks_.size() < marks_most && now_ - marks_.back().begun >= marks_apart))
            marks_.push_back({b.sequence, now_, now_});
        marks_.back().sequence = b.sequence;
        marks_.back().read = now_;
        on_way_.pop_front();
    }
}

// Without TCP the newest block only, as if it was read now.
void PushSimulation::acknowledge()
{
    if (connection_.unsent(Way::up) > 0)
        return;
    if (!s_.tcp)
        marks_.assign(1, Mark{marks_.back().sequence, now_, now_});
    connection_.write(Way::up, uint32_t(8 + 8 * marks_.size()), ack_cookie | ++acks_, now_);
    for (Mark &m : marks_)
        m.read = now_ - m.read; // its age
    told_[acks_] = std::move(marks_);
    marks_.clear();
    ack_at_ = TICK_NEVER;
}

void PushSimulation::viewer()
{
    if (datagrams_)
        read_datagrams();
    if (connection_.waits(Way::down) && runs(viewer_program_, true))
        read();
    else if (!connection_.waits(Way::down))
        viewer_program_.due = TICK_NEVER;
    if (!marks_.empty() && ack_at_ == TICK_NEVER)
        ack_at_ = now_ + TICK_MS +
                  tick_t(double(random_() % 1000) / 1000 * std::max(0.0, s_.ack_ms - 1) * 1e6);
    if (ack_at_ <= now_)
        acknowledge();
    check_exact();
}

void PushSimulation::check_exact()
{
    if (exact_since_ < 0 && pending_.empty() && plan_->cells.changed == 0 &&
        plan_->cells.lossy == 0 && wrong() == 0 && blurred() == 0)
        exact_since_ = now_s();
}

unsigned PushSimulation::wrong() const
{
    unsigned n = 0;

    for (size_t i = 0; i < have_.size(); i++)
        n += have_[i].version != seen_[i].version;
    return n;
}

unsigned PushSimulation::blurred() const
{
    unsigned n = 0;

    for (const CellOf &c : seen_)
        n += !c.exact;
    return n;
}

// ---- time ----

void PushSimulation::at(double seconds, std::function<void()> what)
{
    script_.emplace(beginning + tick_t(seconds * 1e9), std::move(what));
}

tick_t PushSimulation::next() const
{
    // an acknowledgement that waits for room leaves when the connection moves on
    tick_t ack = ack_at_ > now_ ? ack_at_ : TICK_NEVER;
    tick_t far = far_program_.due != TICK_NEVER ? far_program_.due : retry_;
    tick_t t = std::min({connection_.next(), film_next_, ack, far, viewer_program_.due});

    if (datagrams_)
        t = std::min(t, datagrams_->next());
    t = std::min(t, coded_at_);
    if (!script_.empty())
        t = std::min(t, script_.begin()->first);
    if (!effects_.empty())
        t = std::min(t, effects_.front());
    return std::max(now_, t);
}

void PushSimulation::step()
{
    Segment s;

    while (!script_.empty() && script_.begin()->first <= now_) {
        auto what = std::move(script_.begin()->second);

        script_.erase(script_.begin());
        what();
    }
    connection_.advance(now_);
    viewer();
    while (connection_.take(Way::up, s))
        heard_.push_back(s);
    server();
    if (datagrams_)
        hear_datagrams();
    if (runs(far_program_,
             !heard_.empty() || !pending_.empty() || retry_ <= now_ || coded_at_ <= now_))
        far_end();
}

void PushSimulation::far_end()
{
    for (const Segment &s : heard_) {
        if (s.cookie & key_cookie) {
            push_plan_input(plan_.get(), now_);
            effects_.push_back(now_ + tick_from_ms(s_.effect_ms));
            continue;
        }
        if (s.cookie & digests_cookie) {
            compare();
            continue;
        }
        for (const Mark &m : told_[s.cookie & ~ack_cookie]) {
            heard_at_ = std::max(heard_at_, now_ - m.read);
            push_plan_acknowledged(plan_.get(), m.sequence, heard_at_, now_);
        }
        told_.erase(s.cookie & ~ack_cookie);
    }
    heard_.clear();
    if (now_ < held_) {
        retry_ = held_;
        return;
    }
    code_frame();
    push();
    retry_ = push_plan_look_again(plan_.get(), now_);
    if (far_) // when the ledger is full, all waits for it
        retry_ = std::min(push_datagrams_hold(far_.get()) ? TICK_NEVER : retry_,
                          push_datagrams_look_again(far_.get(), plan_.get(), now_));
    if (retry_ <= now_)
        throw std::logic_error("look again now");
}

PushFigures PushSimulation::run(double seconds, double press_every)
{
    tick_t start = now_, end = start + tick_t(seconds * 1e9);
    tick_t press = press_every > 0 ? start + tick_t(press_every * 0.37e9) : TICK_NEVER;
    PushFigures f;
    const arrivals *a = far_ ? &far_->arrivals : nullptr;
    uint64_t sent = a ? a->sent : 0, lost = a ? a->lost : 0;
    uint64_t other = datagrams_ ? datagrams_->other_arrived() : 0;

    whole_ = complete_ = repeats_ = impolite_ = makes_ = whole_frames_ = 0;
    arrived_ = carried_ = 0;
    responses_.clear();
    queues_.clear();
    text_ms_.clear();
    texts_.clear();
    step();
    for (;;) {
        tick_t at = std::min(next(), press);

        if (at >= end)
            break;
        now_ = at;
        if (press <= now_) {
            pressed_.push_back(now_);
            if (datagrams_)
                keys_++, say_datagrams();
            else
                connection_.write(Way::up, 8, key_cookie, now_);
            press += tick_t(press_every * 1e9);
        }
        step();
    }
    now_ = end;
    f.whole_fps = whole_ / seconds;
    f.shown_fps = complete_ / seconds;
    f.response_ms = percentile(responses_, 0.5);
    f.response_most_ms = percentile(responses_, 1);
    f.texts = unsigned(text_ms_.size());
    f.text_ms = percentile(text_ms_, 0.5);
    f.text_most_ms = percentile(text_ms_, 1);
    f.film_share = whole_ > 0 ? double(whole_frames_) / whole_ : 0;
    f.queue_ms = percentile(queues_, 0.95);
    f.queue_median_ms = percentile(queues_, 0.5);
    f.mbit = double(arrived_) * 8e-6 / seconds;
    f.used = s_.rate_mbit > 0 ? f.mbit / s_.rate_mbit : 0;
    if (a) {
        double out = double(std::max<uint64_t>(1, a->sent - sent));

        f.used = double(carried_) * 8e-6 / seconds / std::max(s_.rate_mbit, s_.policer_mbit);
        f.other = double(datagrams_->other_arrived() - other) * 8e-6 / seconds /
                  std::max(s_.rate_mbit, s_.policer_mbit);
        f.lost = double(a->lost - lost) / out;
        f.repeated = repeats_ / out;
        f.made = makes_ / out;
        f.impolite = impolite_;
    }
    f.jpeg = push_level_jpeg(&plan_->level);
    f.rate_mbit = push_flow_rate(&plan_->flow) * 8e-6;
    return f;
}
