#include "prerequest/meter.h"

#include <math.h>
#include <string.h>

/* of the percentiles' buckets */
#define PER_OCTAVE 64
#define MIN_LOG2   (-10)

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

void percentile_init(struct percentile *p)
{
    memset(p, 0, sizeof *p);
}

static int bucket_of(double value)
{
    double position = value > 0 ? (log2(value) - MIN_LOG2) * PER_OCTAVE : 0;

    if (position < 0)
        return 0;
    if (position >= PERCENTILE_BUCKETS)
        return PERCENTILE_BUCKETS - 1;
    return (int)position;
}

void percentile_add(struct percentile *p, double value)
{
    p->bucket[bucket_of(value)]++;
    p->count++;
    p->sum += value;
    if (value > p->max)
        p->max = value;
}

double percentile_get(const struct percentile *p, double share)
{
    uint64_t wanted = (uint64_t)ceil(share * (double)p->count);
    uint64_t seen = 0;

    if (p->count == 0)
        return 0;
    if (wanted == 0)
        wanted = 1;
    for (int i = 0; i < PERCENTILE_BUCKETS; i++) {
        seen += p->bucket[i];
        if (seen >= wanted) {
            /* the middle of the bucket, in the logarithm */
            double value = exp2((i + 0.5) / PER_OCTAVE + MIN_LOG2);
            return value < p->max ? value : p->max;
        }
    }
    return p->max;
}
