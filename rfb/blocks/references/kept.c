#include "rfb/blocks/references/kept.h"

#include <string.h>

#include "rfb/proto/bytes.h"

void kept_init(struct kept *k, unsigned mib)
{
    memset(k, 0, sizeof *k);
    k->most = KEPT_TILES(mib < KEPT_MIB_MOST ? mib : KEPT_MIB_MOST);
}

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

    if (k->slots < k->most)
        slot = k->slots++;
    else
        for (unsigned i = 1; i < k->most; i++) /* a free one is the oldest */
            if (k->used[i] < k->used[slot])
                slot = i;
    k->key[slot] = key;
    k->used[slot] = ++k->uses;
    return (int)slot;
}

bool kept_has_room(const struct kept *k)
{
    return k->most > 0;
}

void kept_drop(struct kept *k, int slot)
{
    k->used[slot] = 0;
}
