// Traces that are damaged, or that somebody made up: they are refused, or they say what is
// possible.
#include "traces.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

namespace
{

bool is_time(tick_t t)
{
    return t >= 0 && t <= MOST;
}

bool is_count(uint64_t count)
{
    return count <= uint64_t(MOST);
}

// Whether the scheduler may be told this.
bool valid(const scheduler_event &e)
{
    switch (e.type) {
    case EVENT_ROUND_TRIP:
        return is_time(e.round_trip);
    case EVENT_ARRIVED:
        return is_count(e.arrived);
    case EVENT_UPDATE_FINISHED:
        return is_count(e.update.bytes);
    case EVENT_LOSS:
        return is_count(e.loss.pixels);
    case EVENT_REQUEST_SENT:
    case EVENT_REQUEST_SKIPPED:
        return int(e.cause) >= 0 && e.cause < REQUEST_CAUSES;
    case EVENT_REFRESH_SENT:
        return is_count(e.pixels);
    case EVENT_TUNED:
        return int(e.tuning.policy) >= 0 && e.tuning.policy < PRP_POLICIES &&
               is_time(e.tuning.fixed_prp);
    case EVENT_RESPONSE:
        return response_parts_valid(&e.response);
    default:
        return int(e.type) >= 0 && e.type < EVENT_TYPES;
    }
}

bool valid(const trace_record &r)
{
    const scheduler_next &next = r.decision.next;

    return is_time(r.at) && valid(r.event) && (next.at == TICK_NEVER || is_time(next.at)) &&
           int(next.cause) >= 0 && next.cause < REQUEST_CAUSES && r.decision.quality >= 0 &&
           r.decision.quality < 16;
}

// Written, it is read as the same again.
bool reads_back(const trace &t, const trace_record &r)
{
    trace writer = t, reader = t;
    uint8_t out[64];
    size_t size = trace_write(&writer, &r, out);
    Result again = read(reader, out, size);

    return again.what == TRACE_RECORD && same(again.record, r);
}

// Whether these bytes tell an end, with as many records as there were before it.
bool is_end(const trace &t, const Result &got, const uint8_t *in, size_t size)
{
    uint8_t out[64];
    size_t end = trace_write_end(&t, got.lost, out);

    return end == got.used && end <= size && (in[0] & 15) == 15 &&
           std::equal(out + 1, out + end, in + 1);
}

// Calls `look` with each piece in which one byte is damaged, in all ways that there are.
void damage(const bytes &piece, const std::function<void(const uint8_t *, size_t)> &look)
{
    Guarded guarded;

    for (size_t where = 0; where < piece.size(); where++) {
        for (int flip = 1; flip < 256; flip++) {
            bytes bad = piece;

            bad[where] = uint8_t(bad[where] ^ flip);
            INFO("byte " << where << " is " << int(bad[where]));
            look(guarded.put(bad.data(), bad.size()), bad.size());
        }
    }
}

bytes part(const Trace &all, size_t i)
{
    size_t end = i + 1 < all.starts.size() ? all.starts[i + 1] : all.data.size();

    return bytes(all.data.begin() + long(all.starts[i]), all.data.begin() + long(end));
}

bytes head()
{
    return part(written({}), 0);
}

trace_result read_head(const bytes &b)
{
    trace t;

    return read_head(t, b.data(), b.size()).what;
}

// What reading says to such bytes behind a head.
trace_result read_after_head(const bytes &b)
{
    bytes h = head();
    trace t;

    REQUIRE(read_head(t, h.data(), h.size()).what == TRACE_RECORD);
    return read(t, b.data(), b.size()).what;
}

trace_result read_one(const trace_record &r)
{
    return read_after_head(part(written({r}), 1));
}

trace_result read_one(const scheduler_event &e)
{
    trace_record r{};

    r.event = e;
    r.decision.next.at = TICK_NEVER;
    return read_one(r);
}

} // namespace

TEST_CASE("a damaged byte in a record is refused, or reads as another record that is valid")
{
    const Trace all = written(all_records());
    unsigned refused = 0, other = 0;
    trace t;

    read_head(t, all.data.data(), all.data.size());
    for (size_t i = 1; i + 1 < all.starts.size(); i++) {
        bytes record = part(all, i);

        damage(record, [&](const uint8_t *in, size_t size) {
            trace after = t;
            Result got = read(after, in, size);

            if (got.what == TRACE_RECORD) {
                other++;
                if (!valid(got.record) || !reads_back(t, got.record))
                    FAIL("no valid record");
            } else if (got.what == TRACE_END) {
                if (!is_end(t, got, in, size)) // three bytes may happen to be one
                    FAIL("no end");
            } else {
                refused++;
                if (!same(after, t))
                    FAIL("what was refused has changed what comes next");
            }
        });
        REQUIRE(read(t, record.data(), record.size()).what == TRACE_RECORD);
    }
    CHECK(refused > 0);
    CHECK(other > 0);
}

TEST_CASE("a damaged byte in the end of a trace never gives another number of records")
{
    const Trace all = written(std::vector<trace_record>(300));
    trace t;
    unsigned ends = 0;

    read_head(t, all.data.data(), all.data.size());
    for (size_t i = 1; i + 1 < all.starts.size(); i++)
        read(t, all.data.data() + all.starts[i], all.data.size() - all.starts[i]);
    damage(part(all, all.starts.size() - 1), [&](const uint8_t *in, size_t size) {
        trace after = t;
        Result got = read(after, in, size);

        ends += got.what == TRACE_END;
        if (got.what == TRACE_END && !is_end(t, got, in, size))
            FAIL("no end");
        if (got.what == TRACE_RECORD && !valid(got.record))
            FAIL("no valid record");
    });
    CHECK(ends >= 1); // whether some were lost
}

TEST_CASE("a damaged byte in the head of a trace is refused, or gives other options that are valid")
{
    unsigned refused = 0;

    damage(head(), [&](const uint8_t *in, size_t size) {
        scheduler_options o{};
        trace t;
        trace_result got = read_head(t, in, size, &o).what;

        refused += got == TRACE_BAD;
        if (got == TRACE_RECORD &&
            (int(o.policy) < 0 || o.policy >= PRP_POLICIES || !is_time(o.fixed_prp) ||
             !(o.max_fps >= 0 && o.max_fps < 1e15) || !(o.max_rate >= 0 && o.max_rate < 1e15)))
            FAIL("no valid options");
    });
    CHECK(refused >= 9 * 255); // magic and version, whatever they are
}

TEST_CASE("what is no trace, or one of another version, is refused")
{
    const std::string text = "GIF89a, and something else that is longer than the head of a trace.";
    bytes no_trace(text.begin(), text.end()), later = head();

    CHECK(read_head(no_trace) == TRACE_BAD);
    CHECK(read_head({'v', 'n', 'c', 'x'}) == TRACE_BAD); // that is sure before more has come
    CHECK(read_head(later) == TRACE_RECORD);
    for (uint8_t version : {0, 2, 255}) {
        later[8] = version;
        CHECK(read_head(later) == TRACE_BAD);
    }
}

TEST_CASE("the head of a trace is refused where an option is impossible")
{
    auto with = [](const std::function<void(scheduler_options &)> &change) {
        scheduler_options o = options();
        uint8_t out[64];
        trace t;

        change(o);
        size_t size = trace_write_head(&t, &o, out);
        return read_head(bytes(out, out + size));
    };

    CHECK(with([](auto &o) { o.fixed_prp = MOST; }) == TRACE_RECORD);
    CHECK(with([](auto &o) { o.fixed_prp = MOST + 1; }) == TRACE_BAD);
    for (double bad : {-1.0, 1e15, std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(with([=](auto &o) { o.max_fps = bad; }) == TRACE_BAD);
        CHECK(with([=](auto &o) { o.max_rate = bad; }) == TRACE_BAD);
    }
    bytes policy = head(), flags = head();
    policy[9] = PRP_POLICIES;
    flags[10] = 10 << 2;
    CHECK(read_head(policy) == TRACE_BAD);
    CHECK(read_head(flags) == TRACE_BAD);
}

TEST_CASE("a trace whose end tells another number of records is refused")
{
    trace t;
    const Trace two = written(std::vector<trace_record>(2));
    bytes end = part(two, 3);

    REQUIRE(end == bytes({15, 0, 2}));
    for (size_t read_before = 0; read_before <= 2; read_before++) {
        read_head(t, two.data.data(), two.data.size());
        for (size_t i = 0; i < read_before; i++)
            read(t, two.data.data() + two.starts[i + 1], 64);
        CHECK(read(t, end.data(), end.size()).what == (read_before == 2 ? TRACE_END : TRACE_BAD));
    }
    CHECK(read_after_head({15, 0, 0}) == TRACE_END);
    CHECK(read_after_head({15, 1, 0}) == TRACE_END);
    CHECK(read_after_head({15, 2, 0}) == TRACE_BAD);
    CHECK(read_after_head({15, 0, 1}) == TRACE_BAD);
}

TEST_CASE("times beyond 2 to the 60th, and before 0, are refused in a trace")
{
    for (tick_t time : {tick_t(0), MOST, MOST + 1, tick_t(-1)}) {
        trace_result expected = time == 0 || time == MOST ? TRACE_RECORD : TRACE_BAD;
        trace_record at{}, next{};

        at.at = time;
        at.decision.next.at = 0;
        next.decision.next.at = time;
        CHECK(read_one(at) == expected);
        CHECK(read_one(next) == expected);
        CHECK(read_one(round_trip(time)) == expected);
    }
}

TEST_CASE("counts beyond 2 to the 60th are refused in a trace")
{
    const uint64_t most = uint64_t(MOST);

    for (uint64_t count : {most, most + 1, most * 4}) {
        trace_result expected = count == most ? TRACE_RECORD : TRACE_BAD;

        CHECK(read_one(arrived(count)) == expected);
        CHECK(read_one(finished({true, false, true, count})) == expected);
        CHECK(read_one(loss({count, false, false})) == expected);
        CHECK(read_one(refresh_sent(count)) == expected);
    }
}

TEST_CASE("a sum that is too large is refused in a trace, also where each part is not")
{
    trace_record first{}, second{};
    const Trace all = written({first});
    trace t;

    first.at = second.at = MOST;
    second.at += 1; // one more than the record before
    Trace two = written({first, second});
    read_head(t, two.data.data(), two.data.size());
    CHECK(read(t, two.data.data() + two.starts[1], 64).what == TRACE_RECORD);
    CHECK(read(t, two.data.data() + two.starts[2], two.data.size() - two.starts[2]).what ==
          TRACE_BAD);
}

TEST_CASE("a number of more than 63 bits is refused in a trace")
{
    bytes nine = {12}, ten = {12}; // time has passed

    nine.insert(nine.end(), 8, 0x80); // a zero that is written in nine bytes
    nine.push_back(0);
    ten.insert(ten.end(), 9, 0x80);
    ten.push_back(0);
    CHECK(read_after_head(nine) == TRACE_RECORD);
    CHECK(read_after_head(ten) == TRACE_BAD);
    ten.assign(1000, 0xff);
    ten[0] = 12;
    CHECK(read_after_head(ten) == TRACE_BAD);
}

TEST_CASE("bits and kinds that no trace has are refused")
{
    CHECK(read_after_head({12, 0}) == TRACE_RECORD);
    CHECK(read_after_head({14, 0}) == TRACE_RECORD);
    CHECK(read_after_head({12 + 64, 0}) == TRACE_BAD);
    CHECK(read_after_head({12 + 128, 0}) == TRACE_BAD);
    CHECK(read_after_head({4, 0, 7, 0}) == TRACE_RECORD); // an update
    CHECK(read_after_head({4, 0, 8, 0}) == TRACE_BAD);
    CHECK(read_after_head({6, 0, 3, 0}) == TRACE_RECORD); // loss
    CHECK(read_after_head({6, 0, 4, 0}) == TRACE_BAD);
    for (uint8_t type : {7, 11, 13}) { // input, push, kind of server
        CHECK(read_after_head({type, 0, 1}) == TRACE_RECORD);
        CHECK(read_after_head({type, 0, 2}) == TRACE_BAD);
    }
    for (uint8_t type : {8, 9}) { // a request
        CHECK(read_after_head({type, 0, 4}) == TRACE_RECORD);
        CHECK(read_after_head({type, 0, 5}) == TRACE_BAD);
    }
    CHECK(read_after_head({12 + 16, 0, 16 + 4}) == TRACE_RECORD); // the next request
    CHECK(read_after_head({12 + 16, 0, 16 + 5}) == TRACE_BAD);
    CHECK(read_after_head({12 + 16, 0, 16 + 8}) == TRACE_BAD);
    CHECK(read_after_head({12 + 16, 0, 8, 0}) == TRACE_BAD);
    CHECK(read_after_head({12 + 16, 0, 32 + 16}) == TRACE_BAD);
    CHECK(read_after_head({12 + 32, 0, 31}) == TRACE_RECORD); // step 15, without loss
    CHECK(read_after_head({12 + 32, 0, 32}) == TRACE_BAD);
}
