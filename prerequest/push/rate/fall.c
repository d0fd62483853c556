#include "prerequest/push/rate/fall.h"

#include "prerequest/push/constants.h"

bool push_fall_lowered(struct push_fall *f, double before, double rate, double waited,
                       uint32_t newest)
{
    if (f->from <= 0)
        f->from = before;
    if (f->to > 0 || rate > PUSH_FALL_FAR * f->from)
        return false;
    f->to = rate;
    f->waited = waited;
    f->first = newest + 1;
    return true;
}

void push_fall_end(struct push_fall *f)
{
    f->from = f->to = 0;
}

double push_fall_in_vain(struct push_fall *f, double waited, uint32_t oldest)
{
    double to = f->to;

    if (to <= 0 || (int32_t)(oldest - f->first) < 0)
        return 0;
    push_fall_end(f);
    return waited >= PUSH_FALL_WAIT * f->waited ? to : 0;
}
