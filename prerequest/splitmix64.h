/* Random numbers that follow from a seed, and are no secret to anybody: splitmix64 (Steele, Lea,
 * Flood: Fast splittable pseudorandom number generators, 2014).
 *
 * The state begins as the seed. Any seed is a good one.
 */
#ifndef VNCHL_SPLITMIX64_H
#define VNCHL_SPLITMIX64_H

#include <stdint.h>

static inline uint64_t splitmix64_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Uniform in [0, 1). */
static inline double splitmix64_unit(uint64_t *state)
{
    return (double)(splitmix64_next(state) >> 11) * 0x1p-53;
}

#endif
