#include "prerequest/push/rate/seek.h"

#include <math.h>

#include "prerequest/push/constants.h"

void push_seek_init(struct push_seek *s)
{
    *s = (struct push_seek){.window = PUSH_FIRST};
}

void push_seek_wake(struct push_seek *s)
{
    s->window = PUSH_FIRST;
}

void push_seek_measured(struct push_seek *s, bool apart, double rate)
{
    s->apart = apart && s->came_apart ? rate : 0;
    s->came_apart = apart;
}

bool push_seek_round(struct push_seek *s, double rate, bool waits, bool limited, double holds)
{
    s->waits = waits;
    if (rate >= PUSH_SEEK_GROWTH * s->best)
        s->same = 0;
    else if (s->apart > 0 || waits || limited)
        s->same++;
    s->best = fmax(s->best, rate);
    if (waits)
        s->window = fmax(PUSH_FIRST, fmin(s->window, s->best * holds / 1e9));
    return s->same >= PUSH_SEEK_ROUNDS;
}

double push_seek_found(const struct push_seek *s)
{
    return fmax(s->apart, s->best);
}

void push_seek_grow(struct push_seek *s, double bytes, double most, double holds)
{
    s->window = fmin(s->window + bytes, fmax(s->window, most * holds / 1e9));
}

double push_seek_most(const struct push_seek *s, double holds)
{
    return PUSH_SEEK_MOST * s->best + 2 * PUSH_FIRST / holds * 1e9;
}

double push_seek_window_rate(const struct push_seek *s, double holds)
{
    return s->window / holds * 1e9;
}

double push_seek_pace(const struct push_seek *s, double holds)
{
    return fmin(PUSH_SEEK_PACE * push_seek_window_rate(s, holds),
                PUSH_SEEK_MOST * fmax(s->best, PUSH_FIRST / holds * 1e9));
}

double push_seek_borne_out(const struct push_seek *s, double rate)
{
    if (s->apart > 0)
        rate = fmin(rate, push_seek_found(s));
    return s->waits ? fmin(rate, s->best) : rate;
}
