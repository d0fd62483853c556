#include "rfb/datagrams/body.h"

#include <string.h>

#include "rfb/proto/bytes.h"

enum { BODY_TELLS = 1, BODY_ASKS = 2 };

_Static_assert(BODY_DOWN_HEAD + BLOCK_MAX <= SEALED_BODY_MAX, "each block fits a packet");

size_t body_write_down(uint8_t *out, const struct body_down *d)
{
    put32(put16(out, d->mark), d->heard);
    if (d->size > 0)
        memcpy(out + BODY_DOWN_HEAD, d->block, d->size);
    return BODY_DOWN_HEAD + d->size;
}

bool body_read_down(const uint8_t *body, size_t size, struct body_down *d)
{
    if (size < BODY_DOWN_HEAD)
        return false;
    *d = (struct body_down){.mark = (uint16_t)get16(body),
                            .heard = get32(body + 2),
                            .block = body + BODY_DOWN_HEAD,
                            .size = size - BODY_DOWN_HEAD};
    return true;
}

size_t body_write_up(uint8_t *out, const struct body_up *u)
{
    uint8_t *at = put16(out, u->mark);

    *at++ = (uint8_t)((u->tells ? BODY_TELLS : 0) | (u->asks ? BODY_ASKS : 0));
    at = put32(put32(at, u->newest), u->age_us);
    memcpy(at, u->before, sizeof u->before);
    at = put32(at + sizeof u->before, u->at);
    if (u->size > 0)
        memcpy(at, u->said, u->size);
    return BODY_UP_HEAD + u->size;
}

bool body_read_up(const uint8_t *body, size_t size, struct body_up *u)
{
    if (size < BODY_UP_HEAD || body[2] > (BODY_TELLS | BODY_ASKS))
        return false;
    *u = (struct body_up){.mark = (uint16_t)get16(body),
                          .tells = body[2] & BODY_TELLS,
                          .asks = body[2] & BODY_ASKS,
                          .newest = get32(body + 3),
                          .age_us = get32(body + 7),
                          .at = get32(body + 11 + sizeof u->before),
                          .said = body + BODY_UP_HEAD,
                          .size = size - BODY_UP_HEAD};
    memcpy(u->before, body + 11, sizeof u->before);
    return true;
}
