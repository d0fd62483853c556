#include "rfb/pusher/datagram_blocks.h"

#include <string.h>

/* ns: a whole picture may take so long on the stream. Chosen: it takes less where nothing is lost,
 * and many seconds where much is. */
#define DATAGRAM_BLOCKS_WAIT (300 * TICK_MS)

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

void datagram_blocks_sent(struct datagram_blocks *d, const struct push_plan *p,
                          const struct block *b, const uint8_t *packed, size_t size, tick_t now)
{
    const struct arrivals_block sent = {b->sequence, b->area.x, b->area.y, b->area.w, b->area.h};
    int kept = push_datagrams_sent(&d->push, p, &sent, now);

    if (kept < 0)
        return;
    memcpy(d->kept[kept], packed, size);
    d->kept_size[kept] = size;
}

size_t datagram_blocks_again(struct datagram_blocks *d, struct push_plan *p, uint32_t *sequence,
                             uint8_t *out, tick_t now)
{
    int kept = push_datagrams_repeat(&d->push, p, *sequence + 1, d->kept_size, DATAGRAM_BYTES, now);

    if (kept < 0)
        return 0;
    block_renumber(d->kept[kept], ++*sequence);
    memcpy(out, d->kept[kept], d->kept_size[kept]);
    return d->kept_size[kept];
}
