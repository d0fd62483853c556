#include "prerequest/know/service.h"

#include <math.h>

#include "prerequest/know/constants.h"
#include "prerequest/rules.h"
#include "prerequest/tick.h"

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
