#include "rfb/datagrams/said.h"

#define SAID_BYTES sizeof(((struct said *)0)->bytes)

_Static_assert(SAID_BYTES >= BODY_SAID_MAX && (SAID_BYTES & (SAID_BYTES - 1)) == 0,
               "it holds what a body holds, and numbers may wrap around");

void said_add(struct said *s, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;

    for (size_t i = 0; i < size; i++)
        s->bytes[s->written++ % SAID_BYTES] = from[i];
}

bool said_heard(struct said *s, uint32_t heard)
{
    uint32_t news = heard - s->heard;

    if (news == 0 || news > s->written - s->heard)
        return false;
    s->heard = heard;
    return true;
}

bool said_waits(const struct said *s)
{
    return s->written != s->heard && s->written - s->heard <= BODY_SAID_MAX;
}

void said_tell(const struct said *s, struct body_up *u, uint8_t *room)
{
    u->at = s->heard;
    u->said = room;
    u->size = said_waits(s) ? s->written - s->heard : 0;
    for (size_t i = 0; i < u->size; i++)
        room[i] = s->bytes[(s->heard + i) % SAID_BYTES];
}

void heard_begin(struct heard *h)
{
    h->counts = true;
    h->bytes = 0;
}

void heard_add(struct heard *h, size_t size)
{
    h->bytes += (uint32_t)size;
}

size_t heard_skip(struct heard *h, size_t size)
{
    size_t skip = size < h->early ? size : h->early;

    h->early -= skip;
    return skip;
}

size_t heard_news(struct heard *h, const struct body_up *up, const uint8_t **news)
{
    uint32_t known = h->bytes - up->at;

    if (!h->counts || known >= up->size)
        return 0;
    *news = up->said + known;
    h->early += up->size - known;
    return up->size - known;
}
