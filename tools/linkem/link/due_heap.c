#include "tools/linkem/link/due_heap.h"

#include <stdlib.h>

#define FIRST_CAPACITY 64

void due_heap_deinit(struct due_heap *h)
{
    free(h->entries);
    *h = (struct due_heap){0};
}

bool due_heap_reserve(struct due_heap *h)
{
    if (h->count < h->capacity) {
        return true;
    }
    size_t capacity = h->capacity ? 2 * h->capacity : FIRST_CAPACITY;
    struct due_entry *entries = realloc(h->entries, capacity * sizeof *entries);
    if (!entries) {
        return false;
    }
    h->entries = entries;
    h->capacity = capacity;
    return true;
}

static bool due_heap_before(const struct due_entry *a, const struct due_entry *b)
{
    return a->packet.due != b->packet.due ? a->packet.due < b->packet.due : a->number < b->number;
}

static void due_heap_swap(struct due_heap *h, size_t a, size_t b)
{
    struct due_entry kept = h->entries[a];
    h->entries[a] = h->entries[b];
    h->entries[b] = kept;
}

static void sift_down(struct due_heap *h, size_t i)
{
    for (;;) {
        size_t first = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < h->count; child++) {
            if (due_heap_before(&h->entries[child], &h->entries[first])) {
                first = child;
            }
        }
        if (first == i) {
            return;
        }
        due_heap_swap(h, i, first);
        i = first;
    }
}

void due_heap_push(struct due_heap *h, const struct linkem_packet *p, size_t number)
{
    size_t i = h->count++;
    h->entries[i] = (struct due_entry){.packet = *p, .number = number};
    while (i > 0 && due_heap_before(&h->entries[i], &h->entries[(i - 1) / 2])) {
        due_heap_swap(h, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

struct linkem_packet due_heap_pop(struct due_heap *h)
{
    struct linkem_packet p = h->entries[0].packet;
    h->entries[0] = h->entries[--h->count];
    sift_down(h, 0);
    return p;
}

void due_heap_rebuild(struct due_heap *h)
{
    for (size_t i = h->count / 2; i-- > 0;) {
        sift_down(h, i);
    }
}
