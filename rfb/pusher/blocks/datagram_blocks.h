/* Blocks that leave as datagrams: when they do, and the bytes of those that are insured against
 * loss.
 *
 * The first picture, and that of a new size, leaves on the stream if that does not take long. So it
 * comes whole.
 *
 * Whoever uses it holds a lock.
 */
#ifndef VNCHL_DATAGRAM_BLOCKS_H
#define VNCHL_DATAGRAM_BLOCKS_H

#include "prerequest/push/datagrams.h"
#include "rfb/blocks/block.h"
#include "rfb/datagrams/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a datagram besides its block: IP, UDP, and what seals it. */
#define DATAGRAM_BYTES (48 + SEALED_HEAD + BODY_DOWN_HEAD + SEALED_TAG)

/* Bytes of a block's payload in a packet of so many, SEALED_ANYWHERE or more: its parity fits one,
 * too. */
static inline size_t datagram_blocks_room(size_t packet)
{
    return BLOCK_PAYLOAD_ANYWHERE + (packet - SEALED_ANYWHERE);
}

struct datagram_blocks {
    struct push_datagrams push;            /* push.on: they leave so, */
    bool arrive, whole;                    /* as they arrive, and the viewer has a whole picture, */
    tick_t since;                          /* or one is waited for since then */
    uint8_t kept[PUSH_INSURED][BLOCK_MAX]; /* packed; zeros follow */
    size_t kept_size[PUSH_INSURED];
};

void datagram_blocks_init(struct datagram_blocks *d);

/* Datagrams arrive, or not; the viewer has a whole picture on the stream, or not yet. */
void datagram_blocks_switch(struct datagram_blocks *d, struct push_plan *p, bool arrive, bool whole,
                            tick_t now);

/* This block leaves: packs it into `out`, which has BLOCK_MAX bytes. Returns how many it takes. */
size_t datagram_blocks_put(struct datagram_blocks *d, const struct push_plan *p,
                           const struct block *b, uint8_t *out, tick_t now);

/* The next copy of a block, or parity, that leaves because something may get lost. It gets the
 * number behind *sequence, which that becomes. `out` has PARITY_MAX bytes. Returns how many it
 * takes; 0: nothing leaves. */
size_t datagram_blocks_more(struct datagram_blocks *d, struct push_plan *p, uint32_t *sequence,
                            uint8_t *out, tick_t now);

#ifdef __cplusplus
}
#endif
#endif
