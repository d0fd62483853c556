#include "prerequest/push/loss.h"

#include <math.h>
#include <stddef.h>

void push_loss_init(struct push_loss *l)
{
    *l = (struct push_loss){.unchecked = PUSH_LOSS_CHECKS};
}

static struct push_loss_round *loss_round(struct push_loss *l, unsigned i)
{
    return l->round + (l->first + i) % PUSH_LOSS_ROUNDS;
}

static bool loss_round_ends(const struct push_loss *l, const struct push_loss_round *r,
                            tick_t round_trip, tick_t now)
{
    if (l->rounds == PUSH_LOSS_ROUNDS)
        return false;
    return l->begins != PUSH_LOSS_SAME ||
           (r->sent >= PUSH_LOSS_BLOCKS &&
            now - r->begun >= tick_later(round_trip, PUSH_LOSS_ROUND));
}

void push_loss_sent(struct push_loss *l, uint32_t sequence, uint64_t bytes, double rate, bool seeks,
                    tick_t round_trip, tick_t now)
{
    struct push_loss_round *r = l->rounds > 0 ? loss_round(l, l->rounds - 1) : NULL;

    if (!r || loss_round_ends(l, r, round_trip, now)) {
        enum push_loss_rate is = l->begins;

        if (seeks && r) /* before the first round of all nothing was lower */
            is = PUSH_LOSS_HIGHER;
        if (r)
            r->ended = now;
        r = loss_round(l, l->rounds++);
        *r = (struct push_loss_round){
            .rate = is, .first = sequence, .begun = now, .known = TICK_NEVER};
        l->begins = PUSH_LOSS_SAME;
    }
    r->last = sequence;
    r->rates += rate;
    r->bytes += (double)bytes;
    r->sent++;
}

void push_loss_lost(struct push_loss *l, uint32_t sequence)
{
    for (unsigned i = 0; i < l->rounds; i++) {
        struct push_loss_round *r = loss_round(l, i);

        if ((int32_t)(sequence - r->first) >= 0 && (int32_t)(sequence - r->last) <= 0)
            r->lost++;
    }
}

void push_loss_grown(struct push_loss *l, double before)
{
    l->base = before;
    l->begins = PUSH_LOSS_HIGHER;
}

void push_loss_restart(struct push_loss *l)
{
    l->rounds = 0;
    l->begins = PUSH_LOSS_SAME;
    l->base = 0;
    l->checks = false;
}

/* Whether a round at another rate was not judged yet. */
static bool loss_waits(const struct push_loss *l)
{
    for (unsigned i = 0; i < l->rounds; i++)
        if (l->round[(l->first + i) % PUSH_LOSS_ROUNDS].rate != PUSH_LOSS_SAME)
            return true;
    return l->begins != PUSH_LOSS_SAME;
}

double push_loss_growth(const struct push_loss *l, double most)
{
    if (l->hold > 0 || loss_waits(l))
        return 0;
    return l->holds > 0 ? fmin(most, PUSH_LOSS_GROW) : most;
}

/* The smallest loss of the rounds in which the rate had not grown; 0: there are none. */
static double loss_least(const struct push_loss *l)
{
    double least = l->quiets > 0 ? 1 : 0;

    for (unsigned i = 0; i < l->quiets && i < PUSH_LOSS_QUIET; i++)
        least = fmin(least, l->quiet[i]);
    return least;
}

double push_loss_usual(const struct push_loss *l)
{
    double sum = 0;
    unsigned n = l->quiets < PUSH_LOSS_QUIET ? l->quiets : PUSH_LOSS_QUIET;

    for (unsigned i = 0; i < n; i++)
        sum += l->quiet[i];
    return n > 0 ? sum / n : 0;
}

static void loss_count(struct push_loss *l, const struct push_loss_round *r)
{
    if (l->recent[0].sent >= PUSH_LOSS_BLOCKS) {
        l->recent[1] = l->recent[0];
        l->recent[0].sent = l->recent[0].lost = 0;
    }
    l->recent[0].sent += r->sent;
    l->recent[0].lost += r->lost < r->sent ? r->lost : r->sent;
}

double push_loss_insured(const struct push_loss *l)
{
    unsigned sent = l->recent[0].sent + l->recent[1].sent;
    double newest = (double)(l->recent[0].lost + l->recent[1].lost) / fmax(1, sent);
    double usual = push_loss_usual(l);
    bool less = sent >= PUSH_LOSS_BLOCKS && newest < usual / 2;

    return fmax(0, (less ? newest : usual) - PUSH_LOSS_LEAST);
}

/* Bytes per second that a round has used of its rate. */
static double loss_used(const struct push_loss_round *r)
{
    double rate = r->rates / r->sent,
           used = r->bytes / fmax(1, (double)(r->ended - r->begun)) * 1e9;

    return fmin(rate, fmax(used, PUSH_LOSS_USED_LEAST * rate));
}

/* A round at a lower rate lost this share. If it were the rate that lost more before, as much as
 * before would have come. False: it was the rate, or it is not known. */
static bool loss_by_path(const struct push_loss *l, const struct push_loss_round *r, double p)
{
    double by_rate = fmax(loss_least(l), 1 - (1 - l->taken) * l->used / loss_used(r));

    return r->sent >= PUSH_LOSS_BLOCKS && l->taken - by_rate > PUSH_LOSS_MORE &&
           p > by_rate + l->by_path * (l->taken - by_rate);
}

/* More was lost than is usual here, and than is chance. */
static bool loss_too_much(const struct push_loss *l, const struct push_loss_round *r, double p)
{
    double usual = push_loss_usual(l),
           chance = PUSH_LOSS_CHANCE * sqrt(usual * (1 - usual) / r->sent);

    return l->quiets > 0 && p > loss_least(l) + fmax(PUSH_LOSS_MORE, chance);
}

/* The rate becomes what the path delivers, and would deliver without its own loss. */
static double loss_take(struct push_loss *l, const struct push_loss_round *r, double p)
{
    l->rounds = 0;
    l->begins = PUSH_LOSS_LOWER;
    return loss_used(r) * fmax(1 - p, PUSH_LOSS_DELIVERED_LEAST) / (1 - loss_least(l));
}

/* After a growth. */
static bool loss_judge_higher(struct push_loss *l, const struct push_loss_round *r, double p,
                              double *rate)
{
    if (!loss_too_much(l, r, p)) {
        l->holds /= 2;
        return false;
    }
    l->taken = p;
    l->before = r->rates / r->sent;
    l->used = loss_used(r);
    l->by_path = PUSH_LOSS_BY_PATH_GROWN;
    l->holds = l->holds > 0 ? l->holds * 2 : PUSH_LOSS_HOLD;
    if (l->holds > PUSH_LOSS_HOLD_MOST)
        l->holds = PUSH_LOSS_HOLD_MOST;
    l->hold = l->holds;
    *rate = loss_take(l, r, p);
    if (l->base > *rate) {
        *rate = fmin(l->base, l->before);
        l->begins = PUSH_LOSS_BACK;
    }
    return true;
}

/* After a growth was taken back. */
static bool loss_judge_lower(struct push_loss *l, const struct push_loss_round *r, double p,
                             double *rate)
{
    l->checks = false;
    if (r->rate == PUSH_LOSS_LOWER && loss_by_path(l, r, p)) {
        *rate = l->before;
        l->quiets = l->hold = l->holds = l->unchecked = 0;
        return true;
    }
    if (!loss_too_much(l, r, p))
        return false;
    *rate = loss_take(l, r, p);
    return true;
}

/* A round that was neither higher nor lower. True: it is to be seen whether less is lost at a lower
 * rate. */
static bool loss_check(struct push_loss *l, const struct push_loss_round *r, double p, double *rate)
{
    l->unchecked += l->unchecked < PUSH_LOSS_CHECKS;
    if (p < PUSH_LOSS_CHECKED || l->unchecked < PUSH_LOSS_CHECKS || r->sent < PUSH_LOSS_BLOCKS ||
        (l->quiets > 0 && push_loss_usual(l) < PUSH_LOSS_CHECKED) || loss_waits(l))
        return false;
    l->taken = p;
    l->before = r->rates / r->sent;
    l->used = loss_used(r);
    l->by_path = PUSH_LOSS_BY_PATH;
    l->quiets = l->rounds = 0;
    l->checks = true;
    l->begins = PUSH_LOSS_LOWER;
    *rate = PUSH_LOSS_CHECK * l->used;
    return true;
}

static bool loss_judge_round(struct push_loss *l, const struct push_loss_round *r, double *rate)
{
    double p = fmin(1, (double)r->lost / r->sent);

    if (r->rate == PUSH_LOSS_HIGHER)
        return loss_judge_higher(l, r, p, rate);
    l->hold -= l->hold > 0;
    if (r->rate == PUSH_LOSS_SAME && loss_check(l, r, p, rate))
        return true;
    if (r->rate != PUSH_LOSS_SAME && loss_judge_lower(l, r, p, rate))
        return true;
    if (r->sent >= PUSH_LOSS_BLOCKS || l->quiets == 0)
        l->quiet[l->quiets++ % PUSH_LOSS_QUIET] = p;
    return false;
}

bool push_loss_judge(struct push_loss *l, uint32_t acknowledged, tick_t round_trip, double *rate,
                     tick_t now)
{
    struct push_loss_round *r = loss_round(l, 0), judged;

    /* the newest one goes on */
    if (l->rounds < 2 || (int32_t)(acknowledged - r->last) < 0)
        return false;
    if (r->known == TICK_NEVER)
        r->known = now + PUSH_LOSS_TOLD_LATER + round_trip / PUSH_LOSS_TOLD_LATER_SHARE;
    if (r->known > now)
        return false;
    judged = *r;
    l->first = (l->first + 1) % PUSH_LOSS_ROUNDS;
    l->rounds--;
    loss_count(l, &judged);
    return loss_judge_round(l, &judged, rate);
}
