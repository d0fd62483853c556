#include "rfb/datagrams/come.h"

#include <string.h>

static void come_set(uint8_t *bits, uint32_t back)
{
    bits[back / 8] |= (uint8_t)(1u << back % 8);
}

/* All are so much further back. */
static void come_shift(uint8_t *all, uint32_t by)
{
    uint32_t bytes = by / 8, bits = by % 8;

    if (by >= BODY_BEFORE) {
        memset(all, 0, BODY_BEFORE / 8);
        return;
    }
    for (int i = BODY_BEFORE / 8 - 1; i >= 0; i--) {
        int from = i - (int)bytes;
        unsigned low = from > 0 ? all[from - 1] : 0, high = from >= 0 ? all[from] : 0;

        all[i] = (uint8_t)((high << bits) | (low >> (8 - bits)));
    }
}

void come_note(struct come *c, uint32_t number, tick_t now)
{
    uint32_t ahead = number - c->newest, back = c->newest - number;

    if (!c->any) {
        *c = (struct come){.any = true, .newest = number, .at = now};
    } else if (ahead > 0 && ahead <= INT32_MAX) {
        come_shift(c->before, ahead);
        come_shift(c->made, ahead);
        if (ahead <= BODY_BEFORE)
            come_set(c->before, ahead - 1);
        c->newest = number;
        c->at = now;
    } else if (back > 0 && back <= BODY_BEFORE) {
        come_set(c->before, back - 1);
    }
}

void come_made(struct come *c, uint32_t number)
{
    uint32_t back = c->newest - number;

    if (c->any && back > 0 && back <= BODY_BEFORE)
        come_set(c->made, back - 1);
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
    memcpy(u->made, c->made, sizeof u->made);
    for (size_t i = 0; i < sizeof u->made; i++)
        u->makes = u->makes || u->made[i] > 0;
}
