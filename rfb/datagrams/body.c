#include "rfb/datagrams/body.h"

#include <string.h>

#include "rfb/proto/bytes.h"

_Static_assert(BODY_DOWN_HEAD + PARITY_MAX <= SEALED_BODY_MAX,
               "the parity of each block fits a packet");
_Static_assert(BODY_DOWN_HEAD + PARITY_HEAD + BLOCK_ANYWHERE <=
                   SEALED_ANYWHERE - SEALED_HEAD - SEALED_TAG,
               "and where only small ones pass, too");
_Static_assert(BODY_PROBE != PARITY_KIND && BODY_PROBE >= BLOCK_CODECS && BODY_PROBE < 0x80,
               "nothing else begins so");

size_t body_write_down(uint8_t *out, const struct body_down *d)
{
    put32(put16(out, d->mark), d->heard);
    if (d->probe > 0) {
        memset(out + BODY_DOWN_HEAD, 0, d->probe - BODY_DOWN_HEAD);
        out[BODY_DOWN_HEAD] = BODY_PROBE;
        out[BODY_DOWN_HEAD + 1] = d->search;
        return d->probe;
    }
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
    if (d->size == 0 || d->block[0] != BODY_PROBE)
        return true;
    if (size < BODY_PROBE_LEAST)
        return false;
    d->probe = size;
    d->search = d->block[1];
    d->size = 0;
    return true;
}

/* The byte that says what a body of the viewer has. */
#define BODY_TELLS  1
#define BODY_MAKES  2
#define BODY_ASKS   4
#define BODY_PROBED 8
#define BODY_KNOWN  (BODY_TELLS | BODY_MAKES | BODY_ASKS | BODY_PROBED)

size_t body_write_up(uint8_t *out, const struct body_up *u)
{
    uint8_t *at = put16(out, u->mark);

    *at++ = (uint8_t)((u->tells ? BODY_TELLS : 0) | (u->makes ? BODY_MAKES : 0) |
                      (u->asks ? BODY_ASKS : 0) | (u->largest > 0 ? BODY_PROBED : 0));
    at = put32(put32(at, u->newest), u->age_us);
    memcpy(at, u->before, sizeof u->before);
    at += sizeof u->before;
    if (u->makes) {
        memcpy(at, u->made, sizeof u->made);
        at += sizeof u->made;
    }
    if (u->largest > 0) {
        *at++ = u->search;
        at = put16(at, u->largest);
    }
    at = put32(at, u->at);
    if (u->size > 0)
        memcpy(at, u->said, u->size);
    return (size_t)(at - out) + u->size;
}

bool body_read_up(const uint8_t *body, size_t size, struct body_up *u)
{
    const uint8_t *at = body + 11 + sizeof u->before;
    size_t head = BODY_UP_HEAD;

    if (size < BODY_UP_HEAD || body[2] > BODY_KNOWN)
        return false;
    *u = (struct body_up){.mark = (uint16_t)get16(body),
                          .tells = body[2] & BODY_TELLS,
                          .makes = body[2] & BODY_MAKES,
                          .asks = body[2] & BODY_ASKS,
                          .newest = get32(body + 3),
                          .age_us = get32(body + 7)};
    memcpy(u->before, body + 11, sizeof u->before);
    if (u->makes) {
        head += BODY_UP_MADE;
        if (size < head)
            return false;
        memcpy(u->made, at, sizeof u->made);
        at += sizeof u->made;
    }
    if (body[2] & BODY_PROBED) {
        head += BODY_UP_PROBED;
        if (size < head)
            return false;
        u->search = *at;
        u->largest = (uint16_t)get16(at + 1);
        at += BODY_UP_PROBED;
    }
    u->at = get32(at);
    u->said = body + head;
    u->size = size - head;
    return true;
}
