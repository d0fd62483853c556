#include "viewer/desktop/connection/slow.h"

/* This machine first: a thread that does not keep up leaves bytes waiting, and the network looks
 * busy. */
static enum slow_cause slow_judge(const struct slow_sample *s)
{
    if (s->decode >= SLOW_BUSY || s->draw >= SLOW_BUSY)
        return SLOW_MACHINE;
    if (s->queue_ms >= SLOW_QUEUE_MS || (s->busy >= SLOW_BUSY && s->fps < SLOW_FPS))
        return SLOW_NETWORK;
    if (s->answer_ms >= SLOW_ANSWER_MS && s->busy < SLOW_BUSY)
        return SLOW_SERVER;
    return SLOW_NOT;
}

enum slow_cause slow_second(struct slow *s, const struct slow_sample *sample)
{
    enum slow_cause seen = slow_judge(sample);

    s->seconds = seen == s->seen ? s->seconds + 1 : 1;
    s->seen = seen;
    if (s->seconds >= (seen == SLOW_NOT ? SLOW_OFF : SLOW_ON))
        s->named = seen;
    return s->named;
}

enum slow_cause slow_tell(struct slow_news *n, enum slow_cause named)
{
    if (named != n->telling)
        n->telling = n->told[named] ? SLOW_NOT : named;
    n->told[named] = true;
    return n->telling;
}
