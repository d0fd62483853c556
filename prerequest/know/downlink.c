#include "prerequest/know/downlink.h"

#include <math.h>

#include "prerequest/know/constants.h"
#include "prerequest/rules.h"
#include "prerequest/tick.h"

void downlink_init(struct downlink *d)
{
    *d = (struct downlink){.finished = TICK_NEVER};
}

tick_t downlink_pauses_from(const struct downlink *d, double packet)
{
    double packets = packet > 0 ? DOWNLINK_PAUSE_PACKETS * packet : (double)DOWNLINK_PAUSE_UNKNOWN;

    if (downlink_unused(d))
        return 0;
    return downlink_in_use(d) ? TICK_NEVER : d->finished + DOWNLINK_PAUSE + (tick_t)packets;
}

void downlink_begun(struct downlink *d, double packet, tick_t now)
{
    d->after_pause = now > downlink_pauses_from(d, packet);
    d->receiving = true;
    d->begun = d->more ? d->finished : now;
    if (d->after_pause)
        d->run_since = now;
}

void downlink_finished(struct downlink *d, double took, bool more, tick_t now)
{
    double since = downlink_unused(d) ? took : (double)(now - d->finished);

    if (since > 0)
        d->busy += (1 - exp(-since / DOWNLINK_BUSY_TIME)) * (fmin(took / since, 1) - d->busy);
    d->receiving = false;
    d->more = more;
    d->finished = now;
}

void downlink_ran_dry(struct downlink *d)
{
    d->more = false;
}

bool downlink_unused(const struct downlink *d)
{
    return d->finished == TICK_NEVER;
}

bool downlink_in_use(const struct downlink *d)
{
    return d->receiving || d->more;
}

tick_t downlink_run(const struct downlink *d)
{
    return (d->receiving ? d->begun : d->finished) - d->run_since;
}

static void service_smooth(double *value, double sample, double gain)
{
    *value = *value > 0 ? *value + gain * (sample - *value) : sample;
}

void service_update(struct service *s, double time, double size, bool stalled)
{
    bool less = time < SERVICE_LESS * s->time;
    double gain = s->guessed                                 ? 1
                  : less && s->hastens && rule_on(RULE_LESS) ? SERVICE_GAIN_DOWN
                                                             : SERVICE_GAIN;

    service_smooth(&s->time, time, gain);
    service_smooth(&s->size, size, gain);
    s->hastens = less || stalled;
    s->guessed = false;
}

void service_guess(struct service *s, double time)
{
    if (s->time > 0)
        return;
    s->time = time;
    s->guessed = true;
}

void service_scale(struct service *s, double factor)
{
    s->time *= factor;
    s->size *= factor;
}

void service_slower(struct service *s, double rate)
{
    s->time = fmax(s->time, s->size / rate * (double)TICK_S);
}
