// A scheduler and the sender's loop around it, under a fake clock.
#pragma once

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/core.hpp"

const tick_t t0 = 1000 * TICK_S;

struct Sent {
    double ms;
    request_cause cause;
    bool operator==(const Sent &o) const
    {
        return ms == o.ms && cause == o.cause;
    }
};

inline std::ostream &operator<<(std::ostream &out, const Sent &s)
{
    return out << s.ms << " ms cause " << s.cause;
}

// It sends what is due at the time when it is due, and never finds its socket full.
struct Client {
    scheduler s{};
    std::vector<Sent> sent;
    std::set<std::string> rules; // that wanted them

    struct Limits {
        double fps, rate;
        bool refresh;
    };

    Client(prp_policy policy, double prp_ms = 0, Limits limits = {0, 0, false})
    {
        scheduler_options o = core_options(policy, prp_ms);

        o.max_fps = limits.fps;
        o.max_rate = limits.rate;
        o.lossless_refresh = limits.refresh;
        scheduler_init(&s, &o);
    }

    // Sends everything due up to and including `ms`.
    void run_to(double ms)
    {
        tick_t end = t0 + tick_from_ms(ms);

        while (scheduler_next(&s).at <= end) {
            tick_t now = std::max(scheduler_next(&s).at, now_);
            request_cause cause = scheduler_next(&s).cause;

            rules.insert(rule());
            if (cause == REQUEST_REFRESH)
                tell_refresh(s, scheduler_refresh_pixels(&s), now);
            else
                tell_request(s, EVENT_REQUEST_SENT, cause, now);
            sent.push_back({tick_to_ms(now - t0), cause});
        }
        now_ = end;
    }

    // An update of which the header comes at `begun_ms`, and the end at `finished_ms`.
    void update(double begun_ms, double finished_ms, bool pixels = true, uint64_t bytes = 1000)
    {
        run_to(begun_ms);
        tell(s, EVENT_UPDATE_BEGUN, now_);
        run_to(finished_ms);
        scheduler_update u = {pixels, false, true, bytes};
        tell_finished(s, u, now_);
    }

    // The rule that wants the request that is due.
    std::string rule() const
    {
        struct scheduler_next next = scheduler_next(&s);

        return next.at == TICK_NEVER ? "none" : rule_name(next.rule);
    }

    tick_t now_ = t0;
};
