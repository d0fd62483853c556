#include "prerequest/know/in_flight.h"

#include "prerequest/know/constants.h"

void in_flight_init(struct in_flight *f)
{
    *f = (struct in_flight){.begun = TICK_NEVER};
}

static void answer_oldest(struct in_flight *f)
{
    f->asked = f->sent[f->first];
    f->first = (f->first + 1) % IN_FLIGHT_MAX;
    f->waiting--;
}

void in_flight_sent(struct in_flight *f, tick_t now)
{
    if (f->waiting == IN_FLIGHT_MAX) {
        answer_oldest(f);
        f->saved++;
    }
    f->sent[(f->first + f->waiting++) % IN_FLIGHT_MAX] = now;
}

static void count(struct in_flight *f, tick_t rtt, tick_t now)
{
    if (f->saved > 0) {
        f->saved--;
        f->asked = now - rtt;
    } else if (f->waiting > 0) {
        answer_oldest(f);
    }
}

static void in_flight_merge(struct in_flight *f, tick_t rtt, bool pause, tick_t now)
{
    unsigned before = f->waiting;

    if (before == 0) {
        f->saved -= f->saved > 0;
        return;
    }
    answer_oldest(f);
    while (pause && f->waiting > 0 && f->sent[f->first] <= now - rtt)
        answer_oldest(f);
    f->saved += before - f->waiting - 1;
}

void in_flight_update(struct in_flight *f, const struct in_flight_update *u, tick_t now)
{
    f->silent = f->begun == TICK_NEVER || now - f->begun > IN_FLIGHT_SILENCE;
    if (u->counts)
        count(f, u->rtt, now);
    else
        in_flight_merge(f, u->rtt, u->pause, now);
    f->begun = now;
}

unsigned in_flight_count(const struct in_flight *f, bool counts)
{
    return f->waiting + (counts ? f->saved : 0);
}

tick_t in_flight_oldest(const struct in_flight *f)
{
    return f->waiting > 0 ? f->sent[f->first] : TICK_NEVER;
}

void in_flight_forget_saved(struct in_flight *f)
{
    f->saved = 0;
}
