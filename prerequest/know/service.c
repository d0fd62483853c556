#include "prerequest/know/service.h"

#include <math.h>

#include "prerequest/rules.h"
#include "prerequest/tick.h"

/* How much the newest update counts, 0..1: the mean is of the last ten or so, or of the last five.
 * Chosen. */
#define GAIN      0.2
#define GAIN_DOWN 0.4
/* Less than this part of the usual time is much less. Chosen. */
#define LESS 0.75

static void service_smooth(double *value, double sample, double gain)
{
    *value = *value > 0 ? *value + gain * (sample - *value) : sample;
}

void service_update(struct service *s, double time, double size, bool stalled)
{
    bool less = time < LESS * s->time;
    double gain = s->guessed ? 1 : less && s->hastens && rule_on(RULE_LESS) ? GAIN_DOWN : GAIN;

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
