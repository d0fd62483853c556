/* Bytes that wait: appended at the end, taken from the front. It grows as needed up to what its
 * owner allows, and gives back its memory when it is empty. One owner.
 */
#ifndef VNCHL_ACCELERATOR_BYTES_HELD_H
#define VNCHL_ACCELERATOR_BYTES_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bytes_held {
    uint8_t *memory; /* NULL: none */
    size_t capacity, start, size;
};

/* All zero is an empty one. False when out of memory: nothing is appended then. */
bool bytes_append(struct bytes_held *b, const void *bytes, size_t size);
void bytes_take(struct bytes_held *b, size_t size);
void bytes_deinit(struct bytes_held *b);

static inline const uint8_t *bytes_first(const struct bytes_held *b)
{
    return b->memory + b->start;
}

#ifdef __cplusplus
}
#endif
#endif
