#include "rfb/framing/intake.h"

#include <string.h>

void intake_expect(struct intake *in, uint64_t skip, size_t want)
{
    in->skip = skip;
    in->want = (uint8_t)want;
    in->have = 0;
}

static size_t intake_smaller(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

bool intake_take(struct intake *in, const uint8_t *bytes, size_t size, size_t *at)
{
    size_t part = intake_smaller(in->skip, size - *at);

    in->skip -= part;
    *at += part;
    if (in->skip > 0)
        return false;
    part = intake_smaller((uint64_t)(in->want - in->have), size - *at);
    if (part > 0)
        memcpy(in->head + in->have, bytes + *at, part);
    in->have = (uint8_t)(in->have + part);
    *at += part;
    return in->have == in->want;
}
