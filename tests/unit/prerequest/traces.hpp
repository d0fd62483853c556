// Traces for the tests: every event in them, and memory that ends where they end.
#pragma once

#include "tests/catch.hpp"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "prerequest/trace.h"

using bytes = std::vector<uint8_t>;

const int64_t MOST = 1152921504606846976; // 2 to the 60th: no time and no count may be more

inline scheduler_event event(scheduler_event_type type)
{
    scheduler_event e{};

    e.type = type;
    return e;
}

inline scheduler_event round_trip(tick_t rtt)
{
    scheduler_event e = event(EVENT_ROUND_TRIP);

    e.round_trip = rtt;
    return e;
}

inline scheduler_event arrived(uint64_t count)
{
    scheduler_event e = event(EVENT_ARRIVED);

    e.arrived = count;
    return e;
}

inline scheduler_event finished(const scheduler_update &u)
{
    scheduler_event e = event(EVENT_UPDATE_FINISHED);

    e.update = u;
    return e;
}

inline scheduler_event loss(const scheduler_loss &l)
{
    scheduler_event e = event(EVENT_LOSS);

    e.loss = l;
    return e;
}

inline scheduler_event request(scheduler_event_type type, request_cause cause)
{
    scheduler_event e = event(type);

    e.cause = cause;
    return e;
}

inline scheduler_event refresh_sent(uint64_t pixels)
{
    scheduler_event e = event(EVENT_REFRESH_SENT);

    e.pixels = pixels;
    return e;
}

// All types of events, with the least and the most that each can tell.
inline std::vector<scheduler_event> all_events()
{
    std::vector<scheduler_event> all;

    for (auto type : {EVENT_NEW_PICTURE, EVENT_UPDATE_BEGUN, EVENT_RAN_DRY, EVENT_TIME, EVENT_ROOM})
        all.push_back(event(type));
    for (int64_t value : {int64_t(0), int64_t(1), int64_t(127), int64_t(128), MOST, int64_t(5)}) {
        all.push_back(round_trip(value));
        all.push_back(arrived(uint64_t(value)));
        all.push_back(refresh_sent(uint64_t(value)));
        for (int bits = 0; bits < 8; bits++)
            all.push_back(
                finished({(bits & 1) > 0, (bits & 2) > 0, (bits & 4) > 0, uint64_t(value)}));
        for (int bits = 0; bits < 4; bits++)
            all.push_back(loss({uint64_t(value), (bits & 1) > 0, (bits & 2) > 0}));
    }
    for (int cause = 0; cause < REQUEST_CAUSES; cause++)
        for (auto type : {EVENT_REQUEST_SENT, EVENT_REQUEST_SKIPPED})
            all.push_back(request(type, request_cause(cause)));
    for (tick_t part : {tick_t(0), tick_t(1000), 59 * TICK_S}) {
        all.push_back(event(EVENT_RESPONSE));
        response_parts &p = all.back().response;
        p = {};
        for (tick_t &each : p.part)
            p.total += each = part;
        p.path_queue = part;
        p.far = part > 0;
        p.loss = part > 0 ? 1 : -1;
    }
    for (bool yes : {false, true, false}) {
        all.push_back(event(EVENT_INPUT_SENT));
        all.back().acts = yes;
        all.push_back(event(EVENT_PUSH));
        all.back().pushed = yes;
        all.push_back(event(EVENT_SERVER_KIND));
        all.back().counts = yes;
        all.push_back(event(EVENT_TUNED));
        all.back().tuning = {yes ? PRP_FIXED : PRP_AUTO, yes ? MOST : 0, yes};
        all.push_back(event(EVENT_HIDDEN));
        all.back().hidden = yes;
    }
    return all;
}

inline bool same(const scheduler_event &a, const scheduler_event &b)
{
    if (a.type != b.type)
        return false;
    switch (a.type) {
    case EVENT_ROUND_TRIP:
        return a.round_trip == b.round_trip;
    case EVENT_ARRIVED:
        return a.arrived == b.arrived;
    case EVENT_UPDATE_FINISHED:
        return a.update.pixels == b.update.pixels && a.update.more == b.update.more &&
               a.update.news == b.update.news && a.update.bytes == b.update.bytes;
    case EVENT_LOSS:
        return a.loss.pixels == b.loss.pixels && a.loss.asked == b.loss.asked &&
               a.loss.again == b.loss.again;
    case EVENT_INPUT_SENT:
        return a.acts == b.acts;
    case EVENT_REQUEST_SENT:
    case EVENT_REQUEST_SKIPPED:
        return a.cause == b.cause;
    case EVENT_REFRESH_SENT:
        return a.pixels == b.pixels;
    case EVENT_PUSH:
        return a.pushed == b.pushed;
    case EVENT_SERVER_KIND:
        return a.counts == b.counts;
    case EVENT_TUNED:
        return a.tuning.policy == b.tuning.policy && a.tuning.fixed_prp == b.tuning.fixed_prp &&
               a.tuning.quality_pinned == b.tuning.quality_pinned;
    case EVENT_HIDDEN:
        return a.hidden == b.hidden;
    case EVENT_RESPONSE:
        for (int i = 0; i < RESPONSE_PARTS; i++)
            if (a.response.part[i] != b.response.part[i])
                return false;
        return a.response.total == b.response.total && a.response.far == b.response.far &&
               a.response.path_queue == b.response.path_queue && a.response.loss == b.response.loss;
    default:
        return true;
    }
}

inline bool same(const trace_record &a, const trace_record &b)
{
    const scheduler_decision &x = a.decision, &y = b.decision;

    return a.at == b.at && same(a.event, b.event) && x.next.at == y.next.at &&
           x.next.cause == y.next.cause && x.quality == y.quality && x.lossless == y.lossless;
}

// Whether two traces would take the next record in the same way.
inline bool same(const trace &a, const trace &b)
{
    trace_record x{}, y{};

    x.decision = a.decision;
    y.decision = b.decision;
    return a.at == b.at && a.round_trip == b.round_trip && a.arrived == b.arrived &&
           a.records == b.records && same(x, y);
}

// One record of each event. The decisions change in all their parts, each by itself, and reach both
// ends of what they can be.
inline std::vector<trace_record> all_records()
{
    std::vector<trace_record> all;
    const tick_t times[] = {0, 1, 1000000000, MOST - 1, MOST};
    int i = 0;

    for (const scheduler_event &e : all_events()) {
        trace_record r{};

        r.at = times[i % 5]; // also back in time: a trace does not mind
        r.event = e;
        r.decision.next.at = i % 7 == 3 ? TICK_NEVER : times[i / 2 % 5];
        r.decision.next.cause = request_cause(i / 3 % REQUEST_CAUSES);
        r.decision.quality = i / 4 % TRACE_STEPS;
        r.decision.lossless = i % 13 > 6;
        all.push_back(r);
        i++;
    }
    return all;
}

struct Trace {
    bytes data;
    std::vector<size_t> starts; // of head, records and end
};

inline scheduler_options options()
{
    scheduler_options o{};

    o.policy = PRP_AUTO;
    o.fixed_prp = 40 * TICK_MS;
    o.max_fps = 29.97;
    o.max_rate = 1e14;
    o.lossless_refresh = true;
    return o;
}

inline Trace written(const std::vector<trace_record> &records, bool lost = false)
{
    Trace out;
    trace t;
    uint8_t piece[64];
    scheduler_options o = options();
    auto append = [&](size_t size) {
        REQUIRE(size <= sizeof piece); // what the caller has to have
        out.starts.push_back(out.data.size());
        out.data.insert(out.data.end(), piece, piece + size);
    };

    append(trace_write_head(&t, &o, piece));
    for (const trace_record &r : records)
        append(trace_write(&t, &r, piece));
    append(trace_write_end(&t, lost, piece));
    return out;
}

// Memory behind which a byte cannot be read: who does is ended.
struct Guarded {
    size_t page = size_t(sysconf(_SC_PAGESIZE));
    uint8_t *memory;

    Guarded()
    {
        void *all =
            mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        REQUIRE(all != MAP_FAILED);
        memory = static_cast<uint8_t *>(all);
        REQUIRE(mprotect(memory + page, page, PROT_NONE) == 0);
    }

    ~Guarded()
    {
        munmap(memory, 2 * page);
    }

    Guarded(const Guarded &) = delete;

    // The same bytes, just in front of the end of the memory.
    const uint8_t *put(const uint8_t *data, size_t size)
    {
        if (size > page)
            FAIL("no page holds that");
        if (size > 0)
            std::memcpy(memory + page - size, data, size);
        return memory + page - size;
    }
};

struct Result {
    trace_result what;
    size_t used = 0;
    trace_record record{};
    bool lost = false;
};

inline Result read(trace &t, const uint8_t *in, size_t size)
{
    Result r{};

    r.what = trace_read(&t, &r.record, &r.lost, in, size, &r.used);
    if (r.used > size)
        FAIL("more was used than there is");
    return r;
}

inline Result read_head(trace &t, const uint8_t *in, size_t size, scheduler_options *o = nullptr)
{
    scheduler_options unused;
    Result r{};

    r.what = trace_read_head(&t, o ? o : &unused, in, size, &r.used);
    if (r.used > size)
        FAIL("more was used than there is");
    return r;
}
