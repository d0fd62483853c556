// Traces: the form, and that what is written is read back.
#include "traces.hpp"

#include <cmath>
#include <set>
#include <string>

namespace
{

void append(bytes &out, const uint8_t *piece, size_t size)
{
    out.insert(out.end(), piece, piece + size);
}

} // namespace

TEST_CASE("a trace has the form that docs/trace.md describes")
{
    const bytes expected = {
        'v',         'n',  'c',  'h',  'l', '-', 't',  'r', // the head
        1,                                                  // the version
        2,                                                  // auto
        3,                                                  // lossless refresh, quality is pinned
        0x80,        0xb4, 0x89, 0x13, // 40 ms: 0, 52, 9, 19 in seven bits each
        0,           0,    0,    0,    0,   0,   0x3e, 0x40, // 30.0
        0,           0,    0,    0,    0,   0,   0,    0,    // 0.0
        12,          0x80, 0x89, 0x7a, // time; after 1 ms: 2000000 is 0, 9, 122
        4 + 16 + 32, 0,                // an update at the same time
        1 + 4,       0xac, 2,          // of pixels and news, 300 bytes
        2,           127,              // a timer's request, 64 ns ago
        5 + 16,                        // step 5, without loss
        15,          1,    2,          // the end; some were lost; two records
    };
    scheduler_options o{};
    trace_record r{};
    uint8_t piece[64];
    bytes out;
    trace t;

    o.policy = PRP_AUTO;
    o.fixed_prp = 40 * TICK_MS;
    o.max_fps = 30;
    o.lossless_refresh = o.quality_pinned = true;
    append(out, piece, trace_write_head(&t, &o, piece));
    r.at = TICK_MS;
    r.event.type = EVENT_TIME;
    r.decision.next.at = TICK_NEVER;
    append(out, piece, trace_write(&t, &r, piece));
    r.event = finished({true, false, true, 300});
    r.decision = {{TICK_MS - 64, REQUEST_TIMER, RULE_BEAT}, 5, true};
    append(out, piece, trace_write(&t, &r, piece));
    append(out, piece, trace_write_end(&t, true, piece));
    CHECK(out == expected);
}

TEST_CASE("every event and decision, with extreme values, is read back from a trace as it was")
{
    for (bool lost : {false, true}) {
        const std::vector<trace_record> records = all_records();
        Trace all = written(records, lost);
        const uint8_t *in = all.data.data(), *end = in + all.data.size();
        std::set<int> types;
        trace t;

        in += read_head(t, in, size_t(end - in)).used;
        for (const trace_record &r : records) {
            Result got = read(t, in, size_t(end - in));

            REQUIRE(got.what == TRACE_RECORD);
            CHECK(same(got.record, r));
            types.insert(got.record.event.type);
            in += got.used;
        }
        CHECK(types.size() == EVENT_TYPES);
        Result got = read(t, in, size_t(end - in));
        CHECK(got.what == TRACE_END);
        CHECK(got.lost == lost);
        CHECK(in + got.used == end);
    }
}

TEST_CASE("the options are read back from the head of a trace as they were")
{
    for (int i = 0; i < 12; i++) {
        scheduler_options o{}, got{};
        uint8_t out[64];
        trace t;

        o.policy = prp_policy(i % PRP_POLICIES);
        o.fixed_prp = i % 2 ? MOST : 0;
        o.max_fps = i % 2 ? 0 : 0.1;
        o.max_rate = i % 4 ? 999999999999999 : 0;
        o.lossless_refresh = i & 1;
        o.first_quality = i % 10;
        o.quality_pinned = i & 2;
        size_t size = trace_write_head(&t, &o, out);
        Result r = read_head(t, out, size, &got);
        REQUIRE(r.what == TRACE_RECORD);
        CHECK(r.used == size);
        CHECK(got.policy == o.policy);
        CHECK(got.fixed_prp == o.fixed_prp);
        CHECK(got.max_fps == o.max_fps);
        CHECK(got.max_rate == o.max_rate);
        CHECK(got.lossless_refresh == o.lossless_refresh);
        CHECK(got.first_quality == o.first_quality);
        CHECK(got.quality_pinned == o.quality_pinned);
    }
}

TEST_CASE("a head with a limit that no user can have set is refused")
{
    for (double limit : {-1.0, 1e-300, 1e300, std::nan("")}) {
        for (bool rate : {false, true}) {
            scheduler_options o{};
            uint8_t out[64];
            trace t;

            (rate ? o.max_rate : o.max_fps) = limit;
            size_t size = trace_write_head(&t, &o, out);
            CHECK(read_head(t, out, size).what == TRACE_BAD);
        }
    }
}

TEST_CASE("a head or a record that stops in the middle is cut, and no byte behind it is read")
{
    Trace all = written(all_records());
    Guarded guarded;
    trace t;

    for (size_t size = 0; size < all.starts[1]; size++)
        CHECK(read_head(t, guarded.put(all.data.data(), size), size).what == TRACE_CUT);
    read_head(t, all.data.data(), all.data.size());
    for (size_t i = 1; i < all.starts.size(); i++) {
        const uint8_t *in = all.data.data() + all.starts[i];
        bool last = i + 1 == all.starts.size();
        size_t whole = (last ? all.data.size() : all.starts[i + 1]) - all.starts[i];

        for (size_t size = 0; size < whole; size++) {
            trace before = t;
            Result got = read(t, guarded.put(in, size), size);

            REQUIRE(got.what == TRACE_CUT);
            REQUIRE(same(before, t)); // it can be read again with more
        }
        REQUIRE(read(t, guarded.put(in, whole), whole).what == (last ? TRACE_END : TRACE_RECORD));
    }
}

TEST_CASE("a trace tells only what has changed")
{
    trace_record r{};
    scheduler_options o = options();
    uint8_t piece[64];
    trace t;

    trace_write_head(&t, &o, piece);
    r.at = 1000 * TICK_S;
    r.event = round_trip(100 * TICK_MS);
    r.decision = {{TICK_NEVER, REQUEST_TIMER, RULE_BEAT}, 3, false};
    trace_write(&t, &r, piece);
    CHECK(trace_write(&t, &r, piece) == 3); // the type, no time, no change
    r.at += 63;
    r.event = event(EVENT_TIME);
    CHECK(trace_write(&t, &r, piece) == 2);
    r.event = arrived(1000000);
    trace_write(&t, &r, piece);
    r.event = arrived(1000063);
    CHECK(trace_write(&t, &r, piece) == 3);
}

TEST_CASE("decisions are the same when the server would notice no difference")
{
    const scheduler_decision due = {{1000, REQUEST_TIMER, RULE_BEAT}, 3, false};
    const scheduler_decision never = {{TICK_NEVER, REQUEST_TIMER, RULE_BEAT}, 3, false};
    scheduler_decision d = due;

    CHECK(trace_same(&due, &due));
    CHECK(trace_same(&never, &never));
    CHECK_FALSE(trace_same(&due, &never));
    d.next.rule = RULE_HELD;
    CHECK(trace_same(&due, &d));
    d.next.at++;
    CHECK_FALSE(trace_same(&due, &d));
    for (bool is_due : {false, true}) { // before one is due, why says nothing
        const scheduler_decision &base = is_due ? due : never;

        d = base;
        d.next.cause = REQUEST_INPUT;
        CHECK(trace_same(&base, &d) == !is_due);
        d = base;
        d.quality = 4;
        CHECK_FALSE(trace_same(&base, &d));
        d = base;
        d.lossless = true;
        CHECK_FALSE(trace_same(&base, &d));
    }
}

TEST_CASE("every event and every cause has a name of its own")
{
    std::set<std::string> events, causes;

    for (int i = 0; i < EVENT_TYPES; i++)
        events.insert(trace_event_name(scheduler_event_type(i)));
    for (int i = 0; i < REQUEST_CAUSES; i++)
        causes.insert(request_cause_name(request_cause(i)));
    CHECK(events.size() == EVENT_TYPES);
    CHECK(causes.size() == REQUEST_CAUSES);
    CHECK(trace_event_name(EVENT_UPDATE_FINISHED) == std::string("update finished"));
    CHECK(request_cause_name(REQUEST_TIMER) == std::string("timer"));
}
