#include "rfb/datagrams/come.h"

#include <string.h>

static void come_set(struct come *c, uint32_t back)
{
    c->before[back / 8] |= (uint8_t)(1u << back % 8);
}

/* All are so much further back. */
static void come_shift(struct come *c, uint32_t by)
{
    uint32_t bytes = by / 8, bits = by % 8;

    if (by >= BODY_BEFORE) {
        memset(c->before, 0, sizeof c->before);
        return;
    }
    for (int i = sizeof c->before - 1; i >= 0; i--) {
        int from = i - (int)bytes;
        unsigned low = from > 0 ? c->before[from - 1] : 0, high = from >= 0 ? c->before[from] : 0;

        c->before[i] = (uint8_t)((high << bits) | (low >> (8 - bits)));
    }
}

void come_note(struct come *c, uint32_t number, tick_t now)
{
    uint32_t ahead = number - c->newest, back = c->newest - number;

    if (!c->any) {
        *c = (struct come){.any = true, .newest = number, .at = now};
    } else if (ahead > 0 && ahead <= INT32_MAX) {
        come_shift(c, ahead);
        if (ahead <= BODY_BEFORE)
            come_set(c, ahead - 1);
        c->newest = number;
        c->at = now;
    } else if (back > 0 && back <= BODY_BEFORE) {
        come_set(c, back - 1);
    }
}

void come_tell(const struct come *c, struct body_up *u, tick_t now)
{
    tick_t age = (now - c->at) / (TICK_MS / 1000);

    u->tells = c->any;
    if (!c->any)
        return;
    u->newest = c->newest;
    u->age_us = age < 0 ? 0 : age > UINT32_MAX ? UINT32_MAX : (uint32_t)age;
    memcpy(u->before, c->before, sizeof u->before);
}
