#include "rfb/pusher/wishes.h"

#include "rfb/proto/encodings.h"

const struct push_options wishes_first = {.quality = -1, .jpeg = true, .exact_at_rest = true};

struct push_options wishes_options(const struct blocks_wishes *w)
{
    return (struct push_options){.most_rate = w->max_rate,
                                 .most_fps = w->max_fps10 / 10.0,
                                 .quality = w->quality == LEVEL_AUTO ? -1 : w->quality,
                                 .jpeg = w->jpeg,
                                 .exact_at_rest = w->exact_at_rest};
}
