#include "viewer/desktop/pages/menu/tuned.h"

void tuned_reset(struct tuned *t, const struct session_options *options)
{
    const struct scheduler_options *s = &options->scheduler;
    int quality = options->encodings.quality;

    t->chosen = false;
    t->tuning = (struct session_tuning){
        .quality = quality == LEVEL_AUTO ? TUNING_AUTO : (uint32_t)quality,
        .policy = s->policy,
        .prp_us = prp_is_fixed(s->policy) ? (uint32_t)(s->fixed_prp / (TICK_MS / 1000)) : 0,
    };
}

void tuned_choose(struct tuned *t, enum menu_action action, int value)
{
    t->tuning = menu_tuned(t->tuning, action, value);
    t->chosen = true;
}

void tuned_tell(const struct tuned *t, struct session *live)
{
    if (live && t->chosen)
        session_tune(live, &t->tuning);
}
