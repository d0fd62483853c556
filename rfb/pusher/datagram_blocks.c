#include "rfb/pusher/datagram_blocks.h"

#include <string.h>

#include "rfb/pusher/constants.h"

_Static_assert(PUSH_GROUP <= PARITY_BLOCKS && PUSH_PARITY_MOST <= PARITY_MOST,
               "what is planned can be made");
_Static_assert(BLOCK_PAYLOAD_MAX - BLOCK_PAYLOAD_ANYWHERE == SEALED_MAX - SEALED_ANYWHERE,
               "blocks grow as packets do");

void datagram_blocks_init(struct datagram_blocks *d)
{
    d->arrive = d->whole = false;
    push_datagrams_init(&d->push);
}

void datagram_blocks_switch(struct datagram_blocks *d, struct push_plan *p, bool arrive, bool whole,
                            tick_t now)
{
    if ((arrive && !d->arrive) || (d->whole && !whole))
        d->since = now;
    d->arrive = arrive;
    d->whole = whole;
    push_datagrams_switch(&d->push, p, arrive && (whole || now - d->since >= DATAGRAM_BLOCKS_WAIT),
                          now);
}

size_t datagram_blocks_put(struct datagram_blocks *d, const struct push_plan *p,
                           const struct block *b, uint8_t *out, tick_t now)
{
    const struct arrivals_block sent = {b->sequence, b->area.x, b->area.y, b->area.w, b->area.h};
    size_t size = block_pack(b, out);
    int kept = push_datagrams_sent(&d->push, p, &sent, DATAGRAM_BYTES + size, now);

    if (kept < 0)
        return size;
    memcpy(d->kept[kept], out, size);
    memset(d->kept[kept] + size, 0, BLOCK_MAX - size);
    d->kept_size[kept] = size;
    return size;
}

static size_t datagram_blocks_copy(struct datagram_blocks *d, unsigned kept, uint32_t sequence,
                                   uint8_t *out)
{
    block_renumber(d->kept[kept], sequence);
    memcpy(out, d->kept[kept], d->kept_size[kept]);
    return d->kept_size[kept];
}

static size_t datagram_blocks_parity(const struct datagram_blocks *d, const struct push_group *g,
                                     uint32_t sequence, uint8_t *out)
{
    struct parity p = {.count = g->count,
                       .index = g->index,
                       .sequence = sequence,
                       .first = block_number(d->kept[g->first])};
    const uint8_t *blocks[PARITY_BLOCKS];

    for (unsigned i = 0; i < g->count; i++) {
        blocks[i] = d->kept[g->first + i];
        if (p.size < d->kept_size[g->first + i])
            p.size = d->kept_size[g->first + i];
    }
    return parity_write(&p, blocks, out);
}

size_t datagram_blocks_more(struct datagram_blocks *d, struct push_plan *p, uint32_t *sequence,
                            uint8_t *out, tick_t now)
{
    struct push_more more;

    if (!push_datagrams_more(&d->push, p, *sequence + 1, PARITY_HEAD, &more, now))
        return 0;
    ++*sequence;
    return more.parity ? datagram_blocks_parity(d, &more.group, *sequence, out)
                       : datagram_blocks_copy(d, more.kept, *sequence, out);
}
