/* Packets in the order in which they are due: what a link that reorders needs instead of a ring.
 *
 * A binary heap; packets due at the same time come out in the order they went in. Part of the queue
 * model: no clock, not locked, one owner. Memory doubles when it is full and never shrinks.
 */
#ifndef VNCHL_LINKEM_DUE_HEAP_H
#define VNCHL_LINKEM_DUE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prerequest/tick.h"

#ifdef __cplusplus
extern "C" {
#endif

struct linkem_packet {
    uint64_t cookie;
    tick_t start;  /* when the line began, or will begin, to send it */
    tick_t due;    /* when it arrives */
    tick_t jitter; /* the part of the wait that was drawn for it */
    uint32_t bytes;
};

struct due_entry {
    struct linkem_packet packet;
    size_t number; /* counts the packets that were put */
};

struct due_heap {
    struct due_entry *entries;
    size_t count, capacity;
};

/* Frees the memory. Safe on a zeroed heap, which is an empty one. */
void due_heap_deinit(struct due_heap *h);

/* Room for one more. False without memory. */
bool due_heap_reserve(struct due_heap *h);

/* There must be room. */
void due_heap_push(struct due_heap *h, const struct linkem_packet *p, size_t number);

/* The packet due first; the heap must not be empty. */
struct linkem_packet due_heap_pop(struct due_heap *h);

/* Puts the order right again after `due` was changed in any number of entries. */
void due_heap_rebuild(struct due_heap *h);

#ifdef __cplusplus
}
#endif
#endif
