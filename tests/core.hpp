// The scheduler with a call for each event, as tests like to write it.
#pragma once

#include "prerequest/decide/scheduler.h"

inline scheduler_options core_options(prp_policy policy, double prp_ms = 0)
{
    scheduler_options o{};

    o.policy = policy;
    o.fixed_prp = tick_from_ms(prp_ms);
    return o;
}

inline scheduler_event core_event(scheduler_event_type type)
{
    scheduler_event e{};

    e.type = type;
    return e;
}

inline void tell(scheduler &s, const scheduler_event &e, tick_t now)
{
    scheduler_tell(&s, &e, now);
}

// EVENT_NEW_PICTURE, EVENT_UPDATE_BEGUN, EVENT_RAN_DRY, EVENT_TIME
inline void tell(scheduler &s, scheduler_event_type type, tick_t now)
{
    tell(s, core_event(type), now);
}

inline void tell_round_trip(scheduler &s, double ms, tick_t now)
{
    scheduler_event e = core_event(EVENT_ROUND_TRIP);

    e.round_trip = tick_from_ms(ms);
    tell(s, e, now);
}

inline void tell_arrived(scheduler &s, uint64_t bytes, tick_t now)
{
    scheduler_event e = core_event(EVENT_ARRIVED);

    e.arrived = bytes;
    tell(s, e, now);
}

inline void tell_finished(scheduler &s, const scheduler_update &update, tick_t now)
{
    scheduler_event e = core_event(EVENT_UPDATE_FINISHED);

    e.update = update;
    tell(s, e, now);
}

inline void tell_loss(scheduler &s, const scheduler_loss &loss, tick_t now)
{
    scheduler_event e = core_event(EVENT_LOSS);

    e.loss = loss;
    tell(s, e, now);
}

inline void tell_input(scheduler &s, bool acts, tick_t now)
{
    scheduler_event e = core_event(EVENT_INPUT_SENT);

    e.acts = acts;
    tell(s, e, now);
}

// EVENT_REQUEST_SENT, EVENT_REQUEST_SKIPPED
inline void tell_request(scheduler &s, scheduler_event_type type, request_cause cause, tick_t now)
{
    scheduler_event e = core_event(type);

    e.cause = cause;
    tell(s, e, now);
}

inline void tell_refresh(scheduler &s, uint64_t pixels, tick_t now)
{
    scheduler_event e = core_event(EVENT_REFRESH_SENT);

    e.pixels = pixels;
    tell(s, e, now);
}

inline void tell_push(scheduler &s, bool pushed, tick_t now)
{
    scheduler_event e = core_event(EVENT_PUSH);

    e.pushed = pushed;
    tell(s, e, now);
}
