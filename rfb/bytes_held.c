#include "rfb/bytes_held.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Whole pages, as secrets need them: what is locked is not shared with others. */
#define FIRST_CAPACITY 4096

/* An empty one keeps no more than this. */
#define KEPT_EMPTY (16u << 10)

static uint8_t *bytes_allocate(size_t capacity, bool secret)
{
    uint8_t *memory = secret ? aligned_alloc(FIRST_CAPACITY, capacity) : malloc(capacity);

    if (memory && secret) {
        mlock(memory, capacity);
        madvise(memory, capacity, MADV_DONTDUMP);
    }
    return memory;
}

static void bytes_free(struct bytes_held *b)
{
    if (b->memory && b->secret) {
        explicit_bzero(b->memory, b->capacity);
        madvise(b->memory, b->capacity, MADV_DODUMP);
        munlock(b->memory, b->capacity);
    }
    free(b->memory);
}

/* Into other memory, of this size. */
static bool bytes_move(struct bytes_held *b, size_t capacity, bool secret)
{
    uint8_t *memory = bytes_allocate(capacity, secret);

    if (!memory)
        return false;
    if (b->size > 0)
        memcpy(memory, b->memory + b->start, b->size);
    if (b->memory && secret) /* what was no secret before, too */
        explicit_bzero(b->memory, b->capacity);
    bytes_free(b);
    b->memory = memory;
    b->capacity = capacity;
    b->start = 0;
    b->secret = secret;
    return true;
}

static void bytes_move_down(struct bytes_held *b)
{
    memcpy(b->memory, b->memory + b->start, b->size);
    if (b->secret)
        explicit_bzero(b->memory + b->start, b->size);
    b->start = 0;
}

static bool bytes_make_room(struct bytes_held *b, size_t size)
{
    size_t capacity = b->capacity ? b->capacity : FIRST_CAPACITY;

    if (b->start + b->size + size <= b->capacity)
        return true;
    while (capacity < b->size + size)
        capacity *= 2;
    /* moving what is there is cheap while it is less than what was taken before it */
    if (capacity == b->capacity && b->size <= b->start) {
        bytes_move_down(b);
        return true;
    }
    if (capacity == b->capacity)
        capacity *= 2;
    return bytes_move(b, capacity, b->secret);
}

bool bytes_append(struct bytes_held *b, const void *bytes, size_t size)
{
    if (size == 0)
        return true;
    if (!bytes_make_room(b, size))
        return false;
    memcpy(b->memory + b->start + b->size, bytes, size);
    b->size += size;
    return true;
}

void bytes_take(struct bytes_held *b, size_t size)
{
    if (b->secret && size > 0)
        explicit_bzero(b->memory + b->start, size);
    b->start += size;
    b->size -= size;
    if (b->size > 0)
        return;
    b->start = 0;
    if (b->capacity > KEPT_EMPTY) {
        bytes_free(b);
        b->memory = NULL;
        b->capacity = 0;
    }
}

void bytes_deinit(struct bytes_held *b)
{
    bytes_free(b);
    *b = (struct bytes_held){0};
}

bool bytes_set_secret(struct bytes_held *b, bool secret)
{
    if (b->secret == secret)
        return true;
    if (b->capacity > 0)
        return bytes_move(b, b->capacity, secret);
    b->secret = secret;
    return true;
}
