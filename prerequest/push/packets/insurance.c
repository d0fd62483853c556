#include "prerequest/push/packets/insurance.h"

#include <math.h>

void push_insurance_begin(struct push_insurance *s)
{
    s->blocks = s->open = s->groups = s->next_copy = s->next_group = s->beside = 0;
    s->bytes = s->longest = s->fails = 0;
}

void push_insurance_begin_film(struct push_insurance *s, double fails)
{
    if (s->fails > 0 || s->open > 0 || s->blocks > PUSH_BESIDE_MOST)
        push_insurance_begin(s);
    s->fails = fails;
    s->beside = s->blocks;
}

unsigned push_insurance_sent(struct push_insurance *s, uint32_t sequence, size_t bytes)
{
    if (s->blocks == PUSH_INSURED)
        push_insurance_begin(s);
    s->block[s->blocks] = (struct push_insured){.sequence = sequence, .bytes = bytes};
    s->bytes += (double)bytes;
    s->longest = fmax(s->longest, (double)bytes);
    return s->blocks++;
}

/* ---- how much ---- */

/* How often each of so many blocks is to be repeated, in the mean. */
static double insurance_times(unsigned blocks, double loss)
{
    double lost = blocks * loss, times = 0;

    for (; lost * loss > PUSH_LOST_MOST && times < PUSH_COPIES_MOST; times++)
        lost *= loss;
    if (lost > PUSH_LOST_MOST)
        times += (1 - PUSH_LOST_MOST / lost) / (1 - loss);
    return fmin(times, PUSH_COPIES_MOST);
}

unsigned push_insurance_parities(unsigned blocks, double loss, double fails)
{
    double exactly = pow(1 - loss, blocks), whole = exactly;
    unsigned m = 0;

    while (1 - whole > fails && m < PUSH_PARITY_MOST) {
        m++;
        exactly *= loss * (blocks - 1 + m) / m;
        whole += exactly;
    }
    return m;
}

static bool insurance_copies(const struct push_insurance *s, unsigned blocks)
{
    return blocks <= PUSH_COPIED && s->fails <= 0;
}

static double insurance_fails(const struct push_insurance *s)
{
    return s->fails > 0 ? s->fails : PUSH_FAILS_MOST;
}

static unsigned insurance_groups(unsigned blocks)
{
    return (blocks + PUSH_GROUP - 1) / PUSH_GROUP;
}

double push_insurance_takes(const struct push_insurance *s, double loss)
{
    unsigned groups = insurance_groups(s->blocks), m;

    if (s->blocks == 0 || loss <= 0)
        return 1;
    if (insurance_copies(s, s->blocks))
        return 1 + insurance_times(s->blocks, loss);
    m = push_insurance_parities((s->blocks + groups - 1) / groups, loss,
                                insurance_fails(s) / groups);
    return 1 + groups * m * s->longest / s->bytes;
}

/* ---- what leaves ---- */

static void insurance_close_copies(struct push_insurance *s, unsigned first, unsigned count,
                                   double loss)
{
    double times = insurance_times(count, loss);

    for (unsigned i = 0; i < count; i++) /* the first ones once more than the others */
        s->block[first + i].copies = (unsigned)fmax(0, ceil(times - (double)i / count));
}

/* Even groups. */
static void insurance_close_groups(struct push_insurance *s, unsigned first, unsigned count,
                                   double loss)
{
    double fails = first < s->beside ? PUSH_BESIDE_FAILS : insurance_fails(s);
    unsigned groups = insurance_groups(count);

    for (unsigned g = 0; g < groups && s->groups < PUSH_GROUPS; g++) {
        unsigned from = first + count * g / groups, to = first + count * (g + 1) / groups;

        s->group[s->groups++] = (struct push_group){
            .first = from,
            .count = to - from,
            .parities = push_insurance_parities(to - from, loss, fails / groups)};
    }
}

/* Blocks from here on whose numbers follow each other. */
static unsigned insurance_run(const struct push_insurance *s, unsigned first)
{
    unsigned n = 1;

    while (first + n < s->blocks && s->block[first + n].sequence == s->block[first].sequence + n)
        n++;
    return n;
}

void push_insurance_close(struct push_insurance *s, double loss)
{
    while (s->open < s->blocks) {
        unsigned count = insurance_run(s, s->open);

        if (insurance_copies(s, count))
            insurance_close_copies(s, s->open, count, loss);
        else
            insurance_close_groups(s, s->open, count, loss);
        s->open += count;
    }
}

int push_insurance_copy(struct push_insurance *s)
{
    for (unsigned n = 0; n < s->blocks; n++) {
        unsigned i = (s->next_copy + n) % s->blocks;

        if (s->block[i].copies == 0)
            continue;
        s->block[i].copies--;
        s->next_copy = i + 1;
        return (int)i;
    }
    return -1;
}

bool push_insurance_parity(struct push_insurance *s, struct push_group *out)
{
    for (unsigned n = 0; n < s->groups; n++) {
        unsigned g = (s->next_group + n) % s->groups;

        if (s->group[g].index == s->group[g].parities)
            continue;
        *out = s->group[g];
        s->group[g].index++;
        s->next_group = g + 1;
        return true;
    }
    return false;
}

bool push_insurance_waits(const struct push_insurance *s)
{
    bool waits = s->open < s->blocks;

    for (unsigned i = 0; i < s->blocks && !waits; i++)
        waits = s->block[i].copies > 0;
    for (unsigned g = 0; g < s->groups && !waits; g++)
        waits = s->group[g].index < s->group[g].parities;
    return waits;
}
