#include "tools/accelerator/exchange/backlog.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct backlog_block {
    struct backlog_block *next;
    uint8_t bytes[BACKLOG_BLOCK];
};

static bool backlog_add_block(struct backlog *b)
{
    struct backlog_block *block = malloc(sizeof *block);

    if (!block)
        return false;
    block->next = NULL;
    if (b->last)
        b->last->next = block;
    else
        b->first = block;
    b->last = block;
    b->end = 0;
    return true;
}

static void backlog_drop_block(struct backlog *b)
{
    struct backlog_block *block = b->first;

    b->first = block->next;
    b->begin = 0;
    if (!b->first)
        b->last = NULL;
    free(block);
}

bool backlog_append(struct backlog *b, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;

    while (size > 0) {
        size_t part;

        if ((!b->last || b->end == BACKLOG_BLOCK) && !backlog_add_block(b))
            return false;
        part = size < BACKLOG_BLOCK - b->end ? size : BACKLOG_BLOCK - b->end;
        memcpy(b->last->bytes + b->end, from, part);
        b->end += part;
        b->size += part;
        from += part;
        size -= part;
    }
    return true;
}

/* Of the first block, bytes that are in use. */
static size_t backlog_in_first(const struct backlog *b)
{
    return b->first == b->last ? b->end - b->begin : BACKLOG_BLOCK - b->begin;
}

void backlog_take(struct backlog *b, size_t size)
{
    b->size -= size;
    while (size > 0) {
        size_t part = backlog_in_first(b);

        part = size < part ? size : part;
        b->begin += part;
        size -= part;
        if (backlog_in_first(b) == 0)
            backlog_drop_block(b);
    }
}

void backlog_deinit(struct backlog *b)
{
    while (b->first)
        backlog_drop_block(b);
    *b = (struct backlog){0};
}

int backlog_pieces(const struct backlog *b, size_t size, struct iovec *pieces, int most)
{
    size_t begin = b->begin;
    int count = 0;

    if (size > b->size)
        size = b->size;
    for (struct backlog_block *at = b->first; size > 0 && count < most; at = at->next) {
        size_t part = size < BACKLOG_BLOCK - begin ? size : BACKLOG_BLOCK - begin;

        pieces[count++] = (struct iovec){at->bytes + begin, part};
        size -= part;
        begin = 0;
    }
    return count;
}
