#include "prerequest/meter.h"

#include <string.h>

void meter_init(struct meter *m)
{
    memset(m, 0, sizeof *m);
    m->first_update = TICK_NEVER;
    m->last_update = TICK_NEVER;
}

void meter_update(struct meter *m, bool pixels, tick_t now)
{
    if (!pixels) {
        m->pseudo_updates++;
        return;
    }
    m->updates++;
    if (m->last_update == TICK_NEVER) {
        m->first_update = now;
    } else {
        double gap = tick_to_ms(now - m->last_update);
        percentile_add(&m->gaps, gap);
        percentile_add(&m->gaps_row, gap);
    }
    m->last_update = now;
}

void meter_change(struct meter *m)
{
    if (m->updates > 1) /* the first one shows what was there before */
        m->changes++;
}

void meter_request(struct meter *m, enum request_cause cause)
{
    m->requests[cause]++;
}

void meter_skipped(struct meter *m)
{
    m->skipped++;
}

void meter_input(struct meter *m, unsigned messages)
{
    m->input_events += messages;
}

void meter_row_taken(struct meter *m)
{
    percentile_init(&m->gaps_row);
}

double meter_fps(const struct meter *m, tick_t now)
{
    if (m->updates < 2 || now <= m->first_update)
        return 0;
    return (double)(m->updates - 1) / tick_to_s(now - m->first_update);
}
