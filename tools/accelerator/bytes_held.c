#include "tools/accelerator/bytes_held.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 4096

/* An empty one keeps no more than this. */
#define KEPT_EMPTY (16u << 10)

static bool make_room(struct bytes_held *b, size_t size)
{
    size_t capacity = b->capacity ? b->capacity : FIRST_CAPACITY;
    uint8_t *memory;

    if (b->start + b->size + size <= b->capacity)
        return true;
    while (capacity < b->size + size)
        capacity *= 2;
    /* moving what is there is cheap while it is less than what was taken before it */
    if (capacity == b->capacity && b->size <= b->start) {
        memcpy(b->memory, b->memory + b->start, b->size);
        b->start = 0;
        return true;
    }
    if (capacity == b->capacity)
        capacity *= 2;
    memory = malloc(capacity);
    if (!memory)
        return false;
    if (b->size > 0)
        memcpy(memory, b->memory + b->start, b->size);
    free(b->memory);
    b->memory = memory;
    b->capacity = capacity;
    b->start = 0;
    return true;
}

bool bytes_append(struct bytes_held *b, const void *bytes, size_t size)
{
    if (size == 0)
        return true;
    if (!make_room(b, size))
        return false;
    memcpy(b->memory + b->start + b->size, bytes, size);
    b->size += size;
    return true;
}

void bytes_take(struct bytes_held *b, size_t size)
{
    b->start += size;
    b->size -= size;
    if (b->size > 0)
        return;
    b->start = 0;
    if (b->capacity > KEPT_EMPTY)
        bytes_deinit(b);
}

void bytes_deinit(struct bytes_held *b)
{
    free(b->memory);
    *b = (struct bytes_held){0};
}
