#include "rfb/pusher/viewer/wishes.h"

#include "rfb/proto/encodings/encodings.h"

const struct push_options wishes_first = {.quality = -1, .jpeg = true, .exact_at_rest = true};

void wishes_follow(const struct blocks_wishes *w, struct push_plan *p, tick_t now)
{
    const struct push_options options = {.most_rate = w->max_rate,
                                         .most_fps = w->max_fps10 / 10.0,
                                         .quality = w->quality == LEVEL_AUTO ? -1 : w->quality,
                                         .jpeg = w->jpeg,
                                         .exact_at_rest = w->exact_at_rest};

    push_plan_tune(p, &options, now);
    push_plan_hide(p, w->hidden, now);
}
