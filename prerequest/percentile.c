#include "prerequest/percentile.h"

#include <math.h>
#include <string.h>

#define PER_OCTAVE 64
#define MIN_LOG2   (-10)

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
