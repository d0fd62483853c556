#include "prerequest/know/answered.h"

#include <stddef.h>

void response_init(struct response *r)
{
    *r = (struct response){.since = TICK_NEVER};
}

void response_input(struct response *r, tick_t now)
{
    if (r->since == TICK_NEVER || now - r->since > RESPONSE_LIMIT)
        r->since = now;
}

void response_update(struct response *r, tick_t rtt, tick_t now)
{
    if (r->since == TICK_NEVER || now - r->since < rtt)
        return;
    if (now - r->since <= RESPONSE_LIMIT) {
        r->newest = now - r->since;
        r->at = now;
    }
    r->since = TICK_NEVER;
}

tick_t response_after(const struct response *r, tick_t since)
{
    return r->newest > 0 && r->at > since ? r->newest : 0;
}

void answered_init(struct answered *a)
{
    *a = (struct answered){.newest = 0};
    for (int i = 0; i < ANSWERED_INPUTS; i++)
        a->input[i].sent = TICK_NEVER;
    response_init(&a->asked);
}

void answered_input(struct answered *a, unsigned messages, bool acts, tick_t now)
{
    uint16_t first = (uint16_t)(a->messages + 1);

    a->messages = (uint16_t)(a->messages + messages);
    if (acts)
        response_input(&a->asked, now);
    if (!acts || messages == 0)
        return;
    a->input[a->next] = (struct answered_input){
        .first = first, .last = a->messages, .sent = now, .came = TICK_NEVER, .shown = TICK_NEVER};
    a->next = (a->next + 1) % ANSWERED_INPUTS;
}

/* The i-th, from the oldest on. */
static struct answered_input *answered_at(struct answered *a, unsigned i)
{
    return &a->input[(a->next + i) % ANSWERED_INPUTS];
}

void answered_came(struct answered *a, uint16_t messages, tick_t now)
{
    for (unsigned i = 0; i < ANSWERED_INPUTS; i++) {
        struct answered_input *in = &a->input[i];

        if (in->sent == TICK_NEVER || in->came != TICK_NEVER)
            continue;
        if (now - in->sent > RESPONSE_LIMIT)
            in->sent = TICK_NEVER;
        else if ((int16_t)(messages - in->last) >= 0)
            in->came = now;
    }
}

static void answered_newest(struct answered *a, tick_t newest, tick_t now)
{
    a->newest = newest;
    a->at = now;
}

/* `parts` are new, of a picture that was drawn then. */
static void answered_count(struct answered *a, tick_t drawn)
{
    if (a->sum.far != a->parts.far) {
        a->sum = (struct response_parts){.far = a->parts.far};
        a->count = 0;
    }
    a->drawn = drawn;
    a->count++;
    a->sum.path_queue += a->parts.path_queue;
    for (int i = 0; i < RESPONSE_PARTS; i++)
        a->sum.part[i] += a->parts.part[i];
}

/* What the far end tells has to fit what was measured here. */
static bool answered_part(struct answered *a, const struct answered_input *in)
{
    a->tells = response_parts_far(&a->parts, &in->far, in->shown - in->sent, in->shown - in->came);
    if (a->tells)
        answered_count(a, in->shown);
    return a->tells;
}

bool answered_shown(struct answered *a, tick_t round_trip, tick_t now)
{
    struct answered_input *oldest = NULL;

    for (unsigned i = 0; i < ANSWERED_INPUTS; i++) {
        struct answered_input *in = answered_at(a, i);

        if (in->sent == TICK_NEVER || in->came == TICK_NEVER || in->shown != TICK_NEVER)
            continue;
        in->shown = now;
        oldest = oldest ? oldest : in;
    }
    if (!oldest)
        return false;
    answered_newest(a, now - oldest->sent, now);
    if (oldest->told && answered_part(a, oldest))
        return true;
    if (a->tells) /* it will, of this one, too */
        return false;
    response_parts_near(&a->parts, round_trip, now - oldest->sent, now - oldest->came);
    answered_count(a, now);
    return true;
}

bool answered_told(struct answered *a, uint16_t number, const struct response_far *far)
{
    for (unsigned i = 0; i < ANSWERED_INPUTS; i++) {
        struct answered_input *in = &a->input[i];

        if (in->sent == TICK_NEVER || in->told ||
            (uint16_t)(number - in->first) > (uint16_t)(in->last - in->first))
            continue;
        in->told = true;
        in->far = *far;
        return in->shown != TICK_NEVER && answered_part(a, in);
    }
    return false;
}

bool answered_update(struct answered *a, tick_t round_trip, tick_t work, tick_t now)
{
    response_update(&a->asked, round_trip, now);
    if (a->asked.at != now || a->asked.newest == 0)
        return false;
    answered_newest(a, a->asked.newest, now);
    response_parts_near(&a->parts, round_trip, a->asked.newest, work);
    answered_count(a, now);
    return true;
}

int64_t answered_mean(const struct answered *a, struct response_parts *out)
{
    *out = (struct response_parts){.loss = a->parts.loss, .far = a->sum.far};
    if (a->count == 0)
        return 0;
    out->path_queue = a->sum.path_queue / a->count;
    for (int i = 0; i < RESPONSE_PARTS; i++) {
        out->part[i] = a->sum.part[i] / a->count;
        out->total += out->part[i];
    }
    return a->count;
}
