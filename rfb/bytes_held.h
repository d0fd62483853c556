/* Bytes that wait: appended at the end, taken from the front. It grows as needed up to what its
 * owner allows, and gives back its memory when it is empty. One owner.
 *
 * Where secrets pass, they are overwritten as soon as they are taken, and the memory is kept out of
 * the swap, as far as the system allows that.
 */
#ifndef VNCHL_BYTES_HELD_H
#define VNCHL_BYTES_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bytes_held {
    uint8_t *memory; /* NULL: none */
    size_t capacity, start, size;
    bool secret;
};

/* All zero is an empty one. False when out of memory: nothing is appended then. */
bool bytes_append(struct bytes_held *b, const void *bytes, size_t size);
void bytes_take(struct bytes_held *b, size_t size);
void bytes_deinit(struct bytes_held *b);

/* What is there, and what comes from now on, is secret; or no longer. False: out of memory. */
bool bytes_set_secret(struct bytes_held *b, bool secret);

/* NULL where nothing has ever come: no offset may be added to that, not even zero. */
static inline const uint8_t *bytes_first(const struct bytes_held *b)
{
    return b->memory ? b->memory + b->start : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
