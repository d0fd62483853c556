#include "prerequest/push/packets/arrivals.h"

#include <math.h>
#include <string.h>

void arrivals_init(struct arrivals *a)
{
    memset(a, 0, sizeof *a);
}

void arrivals_go_by_time(struct arrivals *a, tick_t clock)
{
    a->by_time = clock;
}

static struct arrivals_entry *arrivals_entry(struct arrivals *a, uint64_t number)
{
    return a->entry + number % ARRIVALS_BLOCKS;
}

static const struct arrivals_entry *arrivals_at(const struct arrivals *a, uint64_t number)
{
    return a->entry + number % ARRIVALS_BLOCKS;
}

bool arrivals_full(const struct arrivals *a)
{
    return a->next - a->out == ARRIVALS_BLOCKS;
}

tick_t arrivals_round_trip(const struct arrivals *a)
{
    return (tick_t)a->srtt;
}

static tick_t arrivals_rto(const struct arrivals *a)
{
    double least = a->srtt + (double)ARRIVALS_RTO;

    if (a->srtt > 0 && a->by_time > 0)
        return (tick_t)(a->until_told + fmax((double)a->by_time, 4 * a->deviates));
    return a->srtt > 0 ? (tick_t)fmax(least, a->until_told + 4 * a->deviates) : ARRIVALS_FIRST;
}

void arrivals_sent_again(struct arrivals *a, const struct arrivals_block *b, uint32_t before,
                         tick_t now)
{
    if (arrivals_full(a))
        return;
    if (!a->unanswered ||
        (a->out == a->next && now - a->lost_at > tick_later(arrivals_rto(a), ARRIVALS_PAUSE)))
        a->since = now;
    a->unanswered = true;
    *arrivals_entry(a, a->next++) = (struct arrivals_entry){.sequence = b->sequence,
                                                            .before = before,
                                                            .x = (uint16_t)b->x,
                                                            .y = (uint16_t)b->y,
                                                            .w = (uint16_t)b->w,
                                                            .h = (uint16_t)b->h,
                                                            .fate = ARRIVALS_OUT,
                                                            .sent = now,
                                                            .overtaken = TICK_NEVER};
    a->sent++;
}

void arrivals_sent(struct arrivals *a, const struct arrivals_block *b, tick_t now)
{
    arrivals_sent_again(a, b, 0, now);
}

/* ---- what the viewer tells ---- */

/* The number behind the last block up to this one. Blocks are in the ledger in their order. */
static uint64_t arrivals_behind(const struct arrivals *a, uint32_t sequence)
{
    uint64_t low = a->next > ARRIVALS_BLOCKS ? a->next - ARRIVALS_BLOCKS : 0, high = a->next;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if ((int32_t)(arrivals_at(a, middle)->sequence - sequence) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* RFC 6298, section 2. */
static void arrivals_measure(struct arrivals *a, double rtt)
{
    a->srtt = a->srtt > 0 ? a->srtt + (rtt - a->srtt) / 8 : fmax(1, rtt);
}

static void arrivals_measure_told(struct arrivals *a, double until_told)
{
    if (a->until_told <= 0) {
        a->until_told = until_told;
        a->deviates = until_told / 2;
        return;
    }
    a->deviates += (fabs(a->until_told - until_told) - a->deviates) / 4;
    a->until_told += (until_told - a->until_told) / 8;
}

static void arrivals_receive(struct arrivals *a, struct arrivals_entry *e)
{
    if (e->fate == ARRIVALS_RECEIVED)
        return;
    a->received++;
    a->lost -= e->fate == ARRIVALS_LOST;
    e->fate = ARRIVALS_RECEIVED;
}

/* The block with this number was received: which are overtaken by that? */
static void arrivals_overtake(struct arrivals *a, uint64_t number, tick_t now)
{
    if (a->overtaken < a->out)
        a->overtaken = a->out;
    for (; a->overtaken + ARRIVALS_LATER <= number; a->overtaken++)
        arrivals_entry(a, a->overtaken)->overtaken = now;
}

static void arrivals_skip(struct arrivals *a)
{
    while (a->out < a->next && arrivals_entry(a, a->out)->fate != ARRIVALS_OUT)
        a->out++;
}

static bool arrivals_has(const uint8_t before[ARRIVALS_BEFORE], uint32_t back)
{
    return back == 0 || (before[(back - 1) / 8] >> (back - 1) % 8 & 1);
}

void arrivals_told(struct arrivals *a, uint32_t newest, const uint8_t before[ARRIVALS_BEFORE],
                   tick_t at, tick_t now)
{
    uint64_t end = arrivals_behind(a, newest),
             begin = arrivals_behind(a, newest - 8 * ARRIVALS_BEFORE - 1);
    bool any = false;

    for (uint64_t n = begin; n < end; n++) {
        struct arrivals_entry *e = arrivals_entry(a, n);

        if (!arrivals_has(before, newest - e->sequence))
            continue;
        if (e->sequence == newest && (!a->told || (int32_t)(newest - a->newest) > 0)) {
            arrivals_measure(a, (double)(at - e->sent));
            a->newest = newest;
            a->told = true;
        }
        if (!any && e->fate != ARRIVALS_RECEIVED) {
            arrivals_measure_told(a, (double)(now - e->sent));
            any = true;
        }
        arrivals_receive(a, e);
        arrivals_overtake(a, n, now);
    }
    arrivals_skip(a);
    if (!any)
        return;
    a->since = now;
    a->unanswered = a->out < a->next;
}

void arrivals_made(struct arrivals *a, uint32_t newest, const uint8_t made[ARRIVALS_BEFORE])
{
    uint64_t end = arrivals_behind(a, newest - 1);

    for (uint64_t n = arrivals_behind(a, newest - 8 * ARRIVALS_BEFORE - 1); n < end; n++) {
        struct arrivals_entry *e = arrivals_entry(a, n);

        e->made = e->made || arrivals_has(made, newest - e->sequence);
    }
}

/* ---- what is lost ---- */

tick_t arrivals_due(const struct arrivals *a)
{
    const struct arrivals_entry *e = arrivals_at(a, a->out);
    tick_t due, wait;

    if (a->out == a->next)
        return TICK_NEVER;
    if (a->by_time > 0)
        return e->sent + arrivals_rto(a);
    wait = tick_sooner(e->sent - a->since, ARRIVALS_FIRST);
    due = e->sent + tick_later(arrivals_rto(a), wait);
    if (e->overtaken == TICK_NEVER)
        return due;
    return tick_sooner(due, e->overtaken + tick_later(ARRIVALS_REORDER, (tick_t)(a->srtt / 8)));
}

bool arrivals_lost(struct arrivals *a, struct arrivals_block *out, tick_t now)
{
    struct arrivals_entry *e = arrivals_entry(a, a->out);

    if (arrivals_due(a) > now)
        return false;
    *out = (struct arrivals_block){e->sequence, e->x, e->y, e->w, e->h};
    e->fate = ARRIVALS_LOST;
    a->lost++;
    a->lost_at = now;
    arrivals_skip(a);
    return true;
}

bool arrivals_came(const struct arrivals *a, uint32_t sequence)
{
    while (sequence != 0) {
        uint64_t behind = arrivals_behind(a, sequence);
        const struct arrivals_entry *e = arrivals_at(a, behind - 1);

        if (behind == 0 || e->sequence != sequence)
            return false;
        if (e->fate == ARRIVALS_RECEIVED || e->made)
            return true;
        sequence = e->before;
    }
    return false;
}

tick_t arrivals_silent(const struct arrivals *a, tick_t now)
{
    return a->out < a->next ? now - a->since : 0;
}
