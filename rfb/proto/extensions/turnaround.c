#include "rfb/proto/extensions/turnaround.h"

#include "rfb/proto/bytes.h"
#include "rfb/proto/encodings/encodings.h"

#define TURNAROUND_US (TICK_MS / 1000)
/* A share is counted in hundredths of a percent. */
#define TURNAROUND_SHARE     10000
#define TURNAROUND_LOSS_NONE 0xffff /* not measured */

static uint8_t *turnaround_put(uint8_t *out, tick_t t)
{
    tick_t us = t / TURNAROUND_US;

    return put32(out, us < 0 ? 0 : us > UINT32_MAX ? UINT32_MAX : (uint32_t)us);
}

static tick_t turnaround_get(const uint8_t *in)
{
    return (tick_t)get32(in) * TURNAROUND_US;
}

size_t turnaround_write(uint8_t *out, uint16_t number, const struct response_far *far)
{
    size_t size = server_write_update(out, 1);
    uint8_t *p = out + size;

    p += server_write_rectangle(p, (struct rect){0, 0, 0, 0}, PSEUDO_TURNAROUND);
    p = put16(p, number);
    p = put16(p, far->loss < 0 ? TURNAROUND_LOSS_NONE
                               : (unsigned)(far->loss * TURNAROUND_SHARE + 0.5));
    p = turnaround_put(p, far->input);
    p = turnaround_put(p, far->server);
    p = turnaround_put(p, far->encoder);
    p = turnaround_put(p, far->queue);
    p = turnaround_put(p, far->path_queue);
    return (size_t)(p - out);
}

uint16_t turnaround_read(const uint8_t *payload, struct response_far *far)
{
    unsigned loss = get16(payload + 2);

    *far = (struct response_far){
        .input = turnaround_get(payload + 4),
        .server = turnaround_get(payload + 8),
        .encoder = turnaround_get(payload + 12),
        .queue = turnaround_get(payload + 16),
        .path_queue = turnaround_get(payload + 20),
        .loss = loss > TURNAROUND_SHARE ? -1 : (double)loss / TURNAROUND_SHARE,
    };
    return (uint16_t)get16(payload);
}
