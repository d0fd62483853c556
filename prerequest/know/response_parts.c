#include "prerequest/know/response_parts.h"

static tick_t response_parts_sum(const struct response_parts *p)
{
    tick_t sum = 0;

    for (int i = 0; i < RESPONSE_PARTS; i++)
        sum += p->part[i];
    return sum;
}

bool response_parts_far(struct response_parts *out, const struct response_far *far, tick_t total,
                        tick_t decoder)
{
    tick_t path = total - decoder - far->input - far->server - far->encoder - far->queue;

    if (path < 0)
        return false;
    *out = (struct response_parts){.total = total,
                                   .part = {[RESPONSE_INPUT] = far->input,
                                            [RESPONSE_SERVER] = far->server,
                                            [RESPONSE_ENCODER] = far->encoder,
                                            [RESPONSE_QUEUE] = far->queue,
                                            [RESPONSE_PATH] = path,
                                            [RESPONSE_DECODER] = decoder},
                                   .path_queue = tick_sooner(far->path_queue, path),
                                   .loss = far->loss,
                                   .far = true};
    return true;
}

void response_parts_near(struct response_parts *out, tick_t round_trip, tick_t total,
                         tick_t decoder)
{
    tick_t here = tick_sooner(decoder, total), path = tick_sooner(round_trip, total - here);

    *out = (struct response_parts){.total = total,
                                   .part = {[RESPONSE_PATH] = path,
                                            [RESPONSE_REST] = total - here - path,
                                            [RESPONSE_DECODER] = here},
                                   .loss = -1};
}

void response_parts_shown(struct response_parts *p, tick_t display)
{
    p->total += display - p->part[RESPONSE_DISPLAY];
    p->part[RESPONSE_DISPLAY] = display;
}

bool response_parts_valid(const struct response_parts *p)
{
    for (int i = 0; i < RESPONSE_PARTS; i++)
        if (p->part[i] < 0 || p->part[i] > RESPONSE_MOST)
            return false;
    return p->path_queue >= 0 && p->path_queue <= RESPONSE_MOST && p->loss >= -1 && p->loss <= 1 &&
           p->total == response_parts_sum(p);
}
