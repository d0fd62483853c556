#include "prerequest/know/slowdown.h"

double slowdown_arrived(struct slowdown *s, uint64_t bytes, double usual_rate, tick_t now)
{
    double took = (double)(now - s->at), rate;

    if (s->from == 0 || bytes < s->from) {
        s->from = bytes;
        s->at = now;
    }
    if (bytes - s->from < SLOWDOWN_PIECE || took <= 0)
        return 0;
    rate = (double)(bytes - s->from) / took * (double)TICK_S;
    s->slow = rate * SLOWDOWN_TIMES < usual_rate ? s->slow + 1 : 0;
    s->from = bytes;
    s->at = now;
    return rate;
}

bool slowdown_shows(const struct slowdown *s)
{
    return s->slow >= SLOWDOWN_PIECES;
}

void slowdown_reset(struct slowdown *s)
{
    s->slow = 0;
}

void slowdown_gap(struct slowdown *s)
{
    s->from = 0;
}
