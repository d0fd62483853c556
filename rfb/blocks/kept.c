#include "rfb/blocks/kept.h"

#include "rfb/proto/bytes.h"

uint64_t kept_key(const uint8_t digest[REFERENCE_DIGEST])
{
    return (uint64_t)get32(digest) << 32 | get32(digest + 4);
}

int kept_find(const struct kept *k, uint64_t key)
{
    for (unsigned i = 0; i < k->slots; i++)
        if (k->key[i] == key && k->used[i] > 0)
            return (int)i;
    return -1;
}

void kept_use(struct kept *k, int slot)
{
    k->used[slot] = ++k->uses;
}

int kept_put(struct kept *k, uint64_t key)
{
    unsigned slot = 0;

    if (k->slots < KEPT_TILES)
        slot = k->slots++;
    else
        for (unsigned i = 1; i < KEPT_TILES; i++) /* a free one is the oldest */
            if (k->used[i] < k->used[slot])
                slot = i;
    k->key[slot] = key;
    k->used[slot] = ++k->uses;
    return (int)slot;
}

void kept_drop(struct kept *k, int slot)
{
    k->used[slot] = 0;
}
