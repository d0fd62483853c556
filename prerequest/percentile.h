/* Percentiles of a stream of positive values, in constant memory.
 *
 * A histogram with logarithmic buckets. There are 64 for each factor of two, so a percentile is
 * right within 1.6 %. Count, sum and maximum are exact. Values below 1/1024 count as 1/1024, values
 * above 2^22 as 2^22. Value type, no allocation.
 */
#ifndef VNCHL_PERCENTILE_H
#define VNCHL_PERCENTILE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PERCENTILE_BUCKETS 2048

struct percentile {
    uint32_t bucket[PERCENTILE_BUCKETS];
    uint64_t count;
    double sum, max;
};

void percentile_init(struct percentile *p);
void percentile_add(struct percentile *p, double value);

/* The value that a `share` (0..1) of all values do not exceed; 0 when there are none. For example:
 * share 0.95 is the 95th percentile. */
double percentile_get(const struct percentile *p, double share);

#ifdef __cplusplus
}
#endif
#endif
