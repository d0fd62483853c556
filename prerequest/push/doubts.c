#include "prerequest/push/doubts.h"

void push_doubts_init(struct push_doubts *d)
{
    d->first = d->count = 0;
}

bool push_doubts_add(struct push_doubts *d, uint32_t sequence, tick_t until)
{
    unsigned at = (d->first + d->count) % PUSH_DOUBTS;

    if (d->count == PUSH_DOUBTS)
        return false;
    d->block[at].sequence = sequence;
    d->block[at].until = until;
    d->count++;
    return true;
}

tick_t push_doubts_due(const struct push_doubts *d)
{
    return d->count > 0 ? d->block[d->first].until : TICK_NEVER;
}

bool push_doubts_next(struct push_doubts *d, uint32_t *sequence, tick_t now)
{
    if (push_doubts_due(d) > now)
        return false;
    *sequence = d->block[d->first].sequence;
    d->first = (d->first + 1) % PUSH_DOUBTS;
    d->count--;
    return true;
}
